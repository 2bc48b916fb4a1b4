// What the rules of prose find, and where they look. The pages and comments themselves are read by `npm run lint`.

import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script, without types
import { rules as untyped } from '../../scripts/prose/rules.mjs';
// @ts-expect-error: a script, without types
import { englishOfCode } from '../../scripts/prose/texts.mjs';

const rules: readonly { readonly name: string; readonly isBroken: (sentence: string) => boolean }[] = untyped;

const brokenBy = (sentence: string) => rules.filter(({ isBroken }) => isBroken(sentence)).map(({ name }) => name);

it.each([
  ['Who writes waits for the lock.', ['bare-who']],
  ['A file of which a part is private stays whole.', ['of-which']],
  ['The list stands in memory.yaml.', ['stands-in']],
  ['Whoever asks is told the reason.', ['bare-who', 'is-told']],
  [`${'word '.repeat(33)}end.`, ['long-sentence']],
  ['Who may read a private text?', []],
  ['A writer waits for the lock.', []],
])('a sentence %s', (sentence, names) => {
  expect(brokenBy(sentence)).toEqual(names);
});

describe('the English of a source', () => {
  const source = [
    '// A header.',
    'const name = "one two three four five six";',
    '/** Gives {@link name}. */ call();',
  ].join('\n');

  it('is its comments, at their lines', () => {
    expect(englishOfCode(source, false).split('\n')).toEqual(['A header.', '', 'Gives `name`. ']);
  });

  it('is the texts of a program, too, each a sentence of its own', () => {
    expect(englishOfCode(source, true).split('\n')[1]).toBe('One two three four five six.');
  });

  it('is a text that `+` joins over several lines, as one', () => {
    const joined = "call('one two three four five ' +\n  'six seven eight nine ten');";
    expect(englishOfCode(joined, true)).toBe('One two three four five\nsix seven eight nine ten.');
  });

  it.each([
    ['a table in a comment', '//   npm run prose   one two three four five six'],
    ['a script for a shell', 'const script = "# one two three four five six";'],
  ])('is not %s', (_name, source) => {
    expect(englishOfCode(source, true)).toBe('');
  });
});
