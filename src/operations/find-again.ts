// Whether the hits of a question hold what it should find, and which commits may have brought or lost it.

import type { Repository } from '../git/repository.ts';
import { learnedOf } from '../history/learned.ts';
import { logOf } from '../history/log.ts';
import { memoryPath } from '../records/memory-record.ts';
import type { RecallHit } from '../types.ts';

/** A shorter text is more likely a word than the beginning of an id. */
const minIdLength = 6;

/** Brings a text into the form in which it is compared: case and white space do not count. */
function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/**
 * Tells whether a hit is what was looked for: by its path, by its id or the beginning of one, or by words that stand in what it found.
 *
 * `read` gives the whole file of a hit in its view.
 */
export async function holds(
  hits: readonly RecallHit[],
  wanted: string,
  read: (path: string) => Promise<string>,
): Promise<boolean> {
  const isName = (id: string) => id === wanted || (wanted.length >= minIdLength && id.startsWith(wanted));
  if (hits.some((hit) => hit.path === wanted || (hit.id !== undefined && isName(hit.id)))) return true;
  const words = folded(wanted);
  for (const hit of hits) {
    if (folded(hit.snippet).includes(words) || folded(sectionAt(await read(hit.path), hit.line)).includes(words))
      return true;
  }
  return false;
}

/** The text from a line to the next heading: a section, or a turn. Of a record, which has none, it is all. */
function sectionAt(text: string, line: number): string {
  const lines = text.split('\n').slice(line - 1);
  const end = lines.findIndex((candidate, index) => index > 0 && candidate.startsWith('#'));
  return lines.slice(0, end < 0 ? lines.length : end).join('\n');
}

/** Lists commits that touched what is wanted, newest first: of the file of that path or id, or in which the text came or went. */
export function touchesOf(repository: Repository, tip: string, wanted: string, limit: number): string[] {
  const isName = /^[\w./-]+$/.test(wanted);
  for (const path of isName ? [wanted, memoryPath(wanted)] : []) {
    const { commits } = logOf(repository, tip, { path, limit });
    if (commits.length > 0) return commits.map(({ oid }) => oid);
  }
  const { commits } = learnedOf(repository, tip, { what: wanted, limit });
  return [...new Set(commits.map(({ oid }) => oid))];
}
