// What to tell whoever lists memories by a filter that fits none: what is there, and what was probably meant.

import { type MemoryRecord, memoryCategories } from '../../base/types/stored-types.ts';
import type { ListFilter } from '../../base/types.ts';
import { nearestWord } from '../../store/records/nearest-word.ts';

/** How many values are named where none is near. */
const maxNamed = 8;

const valuesOf = {
  tag: ({ meta }: MemoryRecord) => meta.tags,
  category: ({ category }: MemoryRecord) => (category === undefined ? [] : [category]),
  entity: ({ entities }: MemoryRecord) => entities,
  status: ({ status }: MemoryRecord) => [status],
} as const;

/** Says of each value of a filter that no memory has which one was probably meant; empty where each is known. */
export function hintsForList(records: Iterable<MemoryRecord>, filter: ListFilter): string[] {
  const asked = (Object.keys(valuesOf) as (keyof typeof valuesOf)[]).filter((name) => filter[name] !== undefined);
  if (asked.length === 0) return [];
  const counts = new Map(asked.map((name) => [name, new Map<string, number>()]));
  for (const record of records) {
    for (const name of asked) {
      const counted = counts.get(name)!;
      for (const value of valuesOf[name](record)) counted.set(value, (counted.get(value) ?? 0) + 1);
    }
  }
  return asked.flatMap((name) => {
    const counted = counts.get(name)!;
    const value = filter[name]!;
    const present = [...counted].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).map(([one]) => one);
    // Where no memory has any, it is known all the same which there may be.
    const known: readonly string[] = present.length === 0 && name === 'category' ? memoryCategories : present;
    if (known.length === 0 || known.includes(value)) return [];
    const meant = nearestWord(value.toLowerCase(), known);
    const told =
      meant === undefined
        ? `; there ${known.length === 1 ? 'is' : 'are'} ${known.slice(0, maxNamed).join(', ')}${known.length > maxNamed ? ', …' : ''}.`
        : `; did you mean ${meant}?`;
    return [`No memory has the ${name} “${value.slice(0, 60)}”${told}`];
  });
}
