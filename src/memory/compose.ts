// How the families of verbs become what callers hold: one object out of several, whose verbs each run within a call that looks after it.
// No verb takes a text that is larger than its kind may be.

import { checkGiven } from '../guard/limits.ts';

type Together<Parts extends readonly object[]> = Parts extends readonly [infer First, ...infer Rest extends object[]]
  ? First & Together<Rest>
  : unknown;

/** Makes one object of the members of several; getters stay live, and of members of one name the last one holds. */
export function compose<Parts extends readonly object[]>(...parts: Parts): Together<Parts> {
  const whole = {};
  for (const part of parts) Object.defineProperties(whole, Object.getOwnPropertyDescriptors(part));
  return whole as Together<Parts>;
}

/** How a verb is run with what it is given: `acting` and `asking` of a branch, or `answer` alone. */
export type Run = <T>(call: () => T | Promise<T>, given: readonly unknown[]) => Promise<T>;

/** Names of arguments that are given by place, where a text may be larger there than words are; see {@link checkGiven}. */
const argumentNames: Readonly<Record<string, readonly string[]>> = {
  activate: ['message'],
  capture: ['text'],
  captureText: ['sources'],
  context: ['message'],
  edit: ['path', 'old', 'new'],
  import: ['sources'],
  note: ['text'],
  recall: ['query'],
  remember: ['content'],
  topics: ['message'],
  write: ['path', 'text'],
};

/**
 * Lets every verb of an object run within a call, such as `acting`: what it throws becomes the answer's error, whenever it throws it.
 * Texts above the limit of their kind are TOO_LARGE.
 */
export function within<Verbs extends Record<string, (...given: never[]) => unknown>>(run: Run, verbs: Verbs): Verbs {
  const wrapped = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...given: never[]) =>
      run(() => {
        for (const [place, one] of given.entries())
          checkGiven(one, argumentNames[name]?.[place] ?? `argument ${place + 1}`);
        return verb(...given);
      }, given),
  ]);
  return Object.fromEntries(wrapped);
}
