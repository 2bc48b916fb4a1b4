// Short forms of object ids, as long as they must be to mean one object.

import type { ObjectDatabase } from './object-database.ts';

const minDigits = 7;

/** Makes a function that shortens ids to seven digits, or to as many as tell them from every other object of the repository. */
export function abbreviator(objects: ObjectDatabase): (oid: string) => string {
  const known = new Map<string, string>();
  return (oid) => {
    const present = known.get(oid);
    if (present !== undefined) return present;
    const others = objects.withPrefix(oid.slice(0, minDigits)).filter((other) => other !== oid);
    let digits = minDigits;
    while (others.some((other) => other.startsWith(oid.slice(0, digits)))) digits += 1;
    known.set(oid, oid.slice(0, digits));
    return oid.slice(0, digits);
  };
}
