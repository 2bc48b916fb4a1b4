// The word a misspelt one was probably meant to be.

/**
 * Finds the candidate with the fewest edits from a word, or undefined if even that is more than a third of its letters away.
 *
 * Of dotted names, `limit` also finds `recall.limit`. A word that goes on where the candidate ends, or the other way around, is near, too:
 * `directory` finds `dir`, and `maxTokens` finds `tokens`.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const tail = candidate.slice(candidate.lastIndexOf('.') + 1);
    const distance = Math.min(
      editsBetween(word, candidate),
      editsBetween(word.slice(word.lastIndexOf('.') + 1), tail) + 0.5,
      isLonger(word, candidate) || isLonger(candidate, word) ? 1.5 : Number.POSITIVE_INFINITY,
    );
    if (best === undefined || distance < best.distance) best = { candidate, distance };
  }
  return best !== undefined && best.distance <= Math.max(2, word.length / 3) ? best.candidate : undefined;
}

/** Tells whether a word is another one, of at least three letters, with more before or behind it. */
function isLonger(word: string, other: string): boolean {
  const [long, short] = [word.toLowerCase(), other.toLowerCase()];
  return short.length >= 3 && (long.startsWith(short) || long.endsWith(short));
}

/**
 * Finds the path that was probably meant: one of the same name elsewhere, else the nearest name in the same folder.
 *
 * Looks no further, so that a mistake in a memory of many files is answered at once.
 */
export function nearestPath(path: string, paths: Iterable<string>): string | undefined {
  const split = (whole: string): [folder: string, name: string] => {
    const end = whole.lastIndexOf('/') + 1;
    return [whole.slice(0, end), whole.slice(end)];
  };
  const [folder, name] = split(path);
  const beside = new Map<string, string>();
  const elsewhere: string[] = [];
  for (const candidate of paths) {
    const [otherFolder, otherName] = split(candidate);
    if (otherFolder === folder) beside.set(otherName, candidate);
    else if (otherName === name || otherName === `${name}.md`) elsewhere.push(candidate);
  }
  if (beside.has(`${name}.md`)) return beside.get(`${name}.md`);
  if (elsewhere.length === 1) return elsewhere[0];
  const near = nearestWord(name, [...beside.keys()]);
  return near === undefined ? undefined : beside.get(near);
}

/** Adds to a hint, where there is a candidate, the question whether it was meant. */
export const withGuess = (guess: string | undefined, hint: string): string =>
  guess === undefined ? hint : `Did you mean ${guess}? ${hint}`;

// Levenshtein distance, one row at a time.
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
