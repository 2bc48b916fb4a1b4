// A text that whatever matches a pattern must contain, so that texts without it need not be looked at.

/** The characters that mean something in RE2 syntax. */
const special = /[\\^$.|?*+()[\]{}]/;

/**
 * Gives the longest plain text of a pattern outside groups, classes and choices; empty when it has none.
 *
 * `we decided to (ship|wait)` needs `we decided to `. Says nothing about patterns that leave case out of account.
 */
export function requiredText(source: string): string {
  if (source.includes('|')) return '';
  let best = '';
  let text = '';
  const end = () => {
    if (text.length > best.length) best = text;
    text = '';
  };
  for (let place = 0; place < source.length; place++) {
    const character = source[place]!;
    const next = source[place + 1] ?? '';
    if (!special.test(character)) text += character;
    else if (character === '\\' && special.test(next)) {
      text += next;
      place += 1;
    } else if ('+.^$'.includes(character)) end();
    else if ('?*{'.includes(character)) {
      // What it repeats may be absent.
      text = [...text].slice(0, -1).join('');
      end();
      if (character === '{') place = Math.max(place, source.indexOf('}', place));
    } else {
      // A group, a class or an escape of letters: what follows may be part of it.
      break;
    }
  }
  end();
  return best;
}
