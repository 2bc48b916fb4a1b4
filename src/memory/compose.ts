// One object out of several: how the families of verbs become what callers hold.

type Together<Parts extends readonly object[]> = Parts extends readonly [infer First, ...infer Rest extends object[]]
  ? First & Together<Rest>
  : unknown;

/** Makes one object of the members of several; getters stay live, and of members of one name the last one holds. */
export function compose<Parts extends readonly object[]>(...parts: Parts): Together<Parts> {
  const whole = {};
  for (const part of parts) Object.defineProperties(whole, Object.getOwnPropertyDescriptors(part));
  return whole as Together<Parts>;
}
