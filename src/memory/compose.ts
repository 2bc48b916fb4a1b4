// How the families of verbs become what callers hold: one object out of several, whose verbs each run within a call that looks after it.

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

/** Lets every verb of an object run within a call, such as `acting`: what it throws becomes the answer's error, whenever it throws it. */
export function within<Verbs extends Record<string, (...given: never[]) => unknown>>(run: Run, verbs: Verbs): Verbs {
  const wrapped = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...given: never[]) => run(() => verb(...given), given),
  ]);
  return Object.fromEntries(wrapped);
}
