// What an expectation looks for: words, letter case and white space apart, or a pattern between slashes.

import { MemoryError } from '../../base/errors.ts';
import { compilePattern } from '../../store/guard/pattern.ts';

/** A text as it is looked at: white space counts as one space, and words are looked for in lower case. */
export interface ShownText {
  readonly text: string;
  readonly plain: string;
  readonly lower: string;
}

/** Makes a text ready to be looked at. */
export function shownText(text: string): ShownText {
  const plain = text.replace(/\s+/g, ' ').trim();
  return { text, plain, lower: plain.toLowerCase() };
}

/** Words or a pattern, ready to be looked for. */
export interface Matcher {
  /** As it was written. */
  readonly source: string;
  test(shown: ShownText): boolean;
  /** Gives where in a line it first ends, in characters; −1 where it does not stand. */
  endIn(line: ShownText): number;
}

/** A whole context, or a file of the memory, may be looked at. */
const maxTextBytes = 8 << 20;
const written = /^\/(.+)\/([a-z]*)$/s;

/** Makes the matcher of what somebody wrote. Throws INVALID_ARGUMENT, TOO_LARGE for a pattern that cannot be used. */
export async function matcherOf(source: string, where: string): Promise<Matcher> {
  const [, pattern, flags = ''] = written.exec(source) ?? [];
  if (pattern === undefined) {
    const wanted = shownText(source).lower;
    const endIn = ({ lower }: ShownText): number => {
      const at = lower.indexOf(wanted);
      return at < 0 ? -1 : at + wanted.length;
    };
    return { source, test: ({ lower }) => lower.includes(wanted), endIn };
  }
  const unknown = /[^ims]/.exec(flags);
  if (unknown !== null) {
    const hint = 'Of flags i, m and s are known';
    throw new MemoryError('INVALID_ARGUMENT', `the pattern ${source} has the flag ${unknown[0]}`, { where, hint });
  }
  const inner = flags.replace('i', '');
  const compiled = await compilePattern(inner === '' ? pattern : `(?${inner})${pattern}`, {
    where,
    ignoreCase: flags.includes('i'),
    maxTextBytes,
  });
  const endIn = ({ plain }: ShownText): number => {
    if (!compiled.test(plain)) return -1;
    for (let end = 0; end < plain.length; end += 1) if (compiled.test(plain.slice(0, end))) return end;
    return plain.length;
  };
  return { source, test: ({ text }) => compiled.test(text), endIn };
}
