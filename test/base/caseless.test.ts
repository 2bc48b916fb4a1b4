// Patterns without regard to case: the same answers as V8's own, on any sentence.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { caseless } from '../../src/base/caseless.ts';

const patterns = [
  /^I (?:prefer|like) \p{Alpha}+ing\b/iu,
  /\b(?!(?:It|That)\b)\p{Upper}[\p{Alpha}'’-]*(?: \p{Upper}\p{Lower}+){0,2}/iu,
  /(?<who>\p{L}+) (?:told|asked) \k<who>/iu,
  /(?<=\b[A-Z]\d ?)(?<!\bNOT )[^A-Z\s]+\S\W/iu,
  /[^\p{Lu}]x|\D\B\p{Ll}|É\u00c4\x41[\u{C9}Ö]/iu,
  /\P{Lu}o/iu,
  /ß|straße|ΜΈΛΙ|[À-Ö]/iu,
  /No[^a-f]/u,
  /no/i,
];

it('answer as they would by themselves', () => {
  const word = fc.constantFrom(
    'I',
    'Prefer',
    'like',
    'TEA',
    'cooking',
    'it',
    'That',
    'Ana',
    'told',
    'ana',
    'NOT',
    'B2',
    'É',
    'äÄ',
    'Xx',
    'ß',
    'STRASSE',
    'Straße',
    'μέλι',
    'Ö!',
    'No-',
    '1ª',
  );
  const text = fc.oneof(
    fc.array(word, { maxLength: 7 }).map((words) => words.join(' ')),
    fc.string({ unit: fc.constantFrom(..."aAbBxXoOéÉÄä1 -'ª漢") }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...patterns), text, (pattern, given) => {
      expect(caseless(pattern).test(given)).toBe(pattern.test(given));
    }),
    { numRuns: 3000 },
  );
});

it('answer about one text and another in turn', () => {
  const [one, other] = [caseless(/^ana/iu), caseless(/tea$/iu)];
  for (const text of ['Ana drinks TEA', 'TEA', 'ANA', 'Ana drinks TEA']) {
    expect([one.test(text), other.test(text)]).toEqual([/^ana/i.test(text), /tea$/i.test(text)]);
  }
});
