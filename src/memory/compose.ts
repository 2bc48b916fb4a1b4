// How the families of verbs become what callers hold: one object out of several, whose verbs each run within a call that looks after it.
// No verb takes what is not of the kind that it takes, or larger than that may be.

import { checkArguments } from './arguments.ts';

type Together<Parts extends readonly object[]> = Parts extends readonly [infer First, ...infer Rest extends object[]]
  ? First & Together<Rest>
  : unknown;

type Verb = (...given: never[]) => unknown;
type Family = Readonly<Record<string, Verb>>;

/** Whether a member is a family of verbs, such as `ledger`: an object that belongs to no class. */
function isFamily(member: unknown): member is Family {
  return typeof member === 'object' && member !== null && Object.getPrototypeOf(member) === Object.prototype;
}

/**
 * Makes one object of the members of several. Getters stay live, and families of one name become one. Of other members of one name the last
 * one holds.
 */
export function compose<Parts extends readonly object[]>(...parts: Parts): Together<Parts> {
  const whole: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(part))) {
      const before = Object.getOwnPropertyDescriptor(whole, name)?.value;
      const isBoth = isFamily(before) && isFamily(descriptor.value);
      Object.defineProperty(
        whole,
        name,
        isBoth ? { ...descriptor, value: { ...before, ...descriptor.value } } : descriptor,
      );
    }
  }
  return whole as Together<Parts>;
}

/** How a verb is run with what it is given: `acting` and `asking` of a branch, or `answer` alone. */
export type Run = <T>(call: () => T | Promise<T>, given: readonly unknown[]) => Promise<T>;

/** Gives an object in which each verb is another, made of it and its name; those of a family are named `family.verb`. */
export function eachVerb<Verbs extends object>(verbs: Verbs, made: (name: string, verb: Verb) => Verb): Verbs {
  const of = (members: object, prefix: string): object =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        isFamily(member) ? of(member, `${name}.`) : made(`${prefix}${name}`, member as Verb),
      ]),
    );
  return of(verbs, '') as Verbs;
}

/**
 * Lets every verb of an object run within a call, such as `acting`: what it throws becomes the answer's error, whenever it throws it.
 * What it is given is checked ahead; see {@link checkArguments}.
 */
export function within<Verbs extends Readonly<Record<string, Verb | Family>>>(run: Run, verbs: Verbs): Verbs {
  return eachVerb(verbs, (name, verb) => (...given) => {
    const call = () => {
      checkArguments(name, given);
      return verb(...given);
    };
    return run(call, given);
  });
}
