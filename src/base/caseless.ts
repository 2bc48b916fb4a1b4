// Patterns that take capitals and small letters for the same, tried on a text in small letters. V8 makes a pattern with both flags, `i` and
// `u`, in three times the time of one with `u` alone. And what a command reads is often one sentence.

/** What tells whether a text has something. */
export interface Tester {
  test(text: string): boolean;
}

/** The text that was asked about last, as it is and in small letters: many patterns are tried on one sentence. */
const last = { text: '', lower: '' };

function lowerOf(text: string): string {
  if (last.text !== text) {
    last.text = text;
    last.lower = text.toLowerCase();
  }
  return last.lower;
}

/** Gives what answers as `pattern.test` does, made when it is first asked. A pattern without `i`, and one that cannot be put so, is itself. */
export function caseless(pattern: RegExp): Tester {
  const { source, flags } = pattern;
  if (flags !== 'iu') return pattern;
  let lowered: RegExp | null | undefined;
  return {
    test(text) {
      if (lowered === undefined) {
        const small = inSmallLetters(source);
        lowered = small === null ? null : new RegExp(small, 'u');
      }
      return lowered === null ? pattern.test(text) : lowered.test(lowerOf(text));
    },
  };
}

/** What of a pattern means the same in capitals; an escape or the name of a group is kept as it stands. */
const piece =
  /\\(?:([pP])\{([^}]*)\}|u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|k<[^>]*>|[\s\S])|\(\?<(?![=!])[^>]*>|[^\\(]+|\(/g;
const ofCase = /^(?:Upper(?:case)?|Lu|Lower(?:case)?|Ll|Lt)$/;
const ofCapitals = /^(?:Upper(?:case)?|Lu|Lt)$/;

/** Null for a pattern that asks for what has no case. */
function inSmallLetters(source: string): string | null {
  let isSame = true;
  const small = source.replace(piece, (whole, property?: string, name = '', ...codes: (string | undefined)[]) => {
    if (property === 'P' && ofCase.test(name)) isSame = false;
    // Without regard to case, what is a capital is whatever could be one.
    if (property === 'p' && ofCapitals.test(name)) return '\\p{Ll}';
    const code = codes.slice(0, 3).find((digits) => digits !== undefined);
    if (code !== undefined) {
      const letter = String.fromCodePoint(Number.parseInt(code, 16));
      return letter === letter.toLowerCase() ? whole : letter.toLowerCase();
    }
    return whole.startsWith('\\') || whole.startsWith('(?<') ? whole : whole.toLowerCase();
  });
  return isSame ? small : null;
}
