// Globs over paths with forward slashes, matched without regular expressions, so that no pattern is slow.

const wild = /[*?]/;

/** Tells whether a text is a glob and not simply a path. */
export const isGlob = (pattern: string): boolean => wild.test(pattern);

/** Gives the folder above the first wild part: all that can match lies below it. Empty, or ending in a slash. */
export function folderOfGlob(pattern: string): string {
  const at = pattern.search(wild);
  return pattern.slice(0, pattern.lastIndexOf('/', at < 0 ? pattern.length : at) + 1);
}

/**
 * Matches a path: `*` is any number of characters but slashes, `?` one of them, and `**` as a whole part any number of parts.
 *
 * ```
 * knowledge/people/*.md      knowledge/people/ada.md
 * knowledge/**               knowledge/a/b.md
 * ```
 */
export const matchesGlob = (pattern: string, path: string): boolean =>
  matchesParts(pattern.split('/'), path.split('/'));

function matchesParts(patterns: readonly string[], parts: readonly string[]): boolean {
  return walk(
    patterns.length,
    parts.length,
    (at) => patterns[at] === '**',
    (at, other) => matchesPart(patterns[at]!, parts[other]!),
  );
}

function matchesPart(pattern: string, part: string): boolean {
  return walk(
    pattern.length,
    part.length,
    (at) => pattern[at] === '*',
    (at, other) => pattern[at] === '?' || pattern[at] === part[other],
  );
}

/** Matches greedily and goes back to the last star alone: at most the product of both lengths in steps. */
function walk(
  length: number,
  size: number,
  isStar: (at: number) => boolean,
  fits: (at: number, other: number) => boolean,
): boolean {
  let at = 0;
  let other = 0;
  let star = -1;
  let resume = 0;
  while (other < size) {
    if (at < length && isStar(at)) {
      star = at;
      resume = other;
      at += 1;
    } else if (at < length && fits(at, other)) {
      at += 1;
      other += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      other = resume;
    } else return false;
  }
  while (at < length && isStar(at)) at += 1;
  return at === length;
}
