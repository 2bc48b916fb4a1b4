// Whether two statements that sound alike say different things: other numbers, other names, or one denies. Vectors do not see that.

const number = /\p{N}+(?:[.,:/-]\p{N}+)*/gu;
const name = /(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{N}_-]*|(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}\p{N}])/gu;
const denial = /\b(?:not|never|no longer|no|none|neither|nor|without|cannot|stopped)\b|n['’]t\b/gi;

function itemsOf(text: string, pattern: RegExp): Set<string> {
  return new Set((text.match(pattern) ?? []).filter((item) => !/^I(?:['’].*)?$/.test(item)));
}

/**
 * Says in what two texts differ that sounds must not decide, or undefined.
 *
 * Each has a number, or a name, that the other lacks: then neither is just the longer version. Or only one of them denies.
 */
export function discrepancyOf(one: string, other: string): 'numbers' | 'names' | 'a denial' | undefined {
  for (const [pattern, what] of [
    [number, 'numbers'],
    [name, 'names'],
  ] as const) {
    const mine = itemsOf(one, pattern);
    const theirs = itemsOf(other, pattern);
    const lacks = (set: ReadonlySet<string>, text: string) => [...set].some((item) => !text.includes(item));
    if (lacks(mine, other) && lacks(theirs, one)) return what;
  }
  const denies = (text: string): boolean => (text.match(denial)?.length ?? 0) > 0;
  return denies(one) === denies(other) ? undefined : 'a denial';
}
