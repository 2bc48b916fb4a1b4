// The one judge of whether a text is a merge that nobody finished. Hand edits, the hook, merges, searches and contexts
// ask it.

import { MemoryError } from '../../base/errors.ts';
import { fenceReader } from '../../base/fenced-blocks.ts';
import { kindOf } from './kind.ts';

/**
 * Tells whether a text holds both sides of a conflict as native git writes it down. Lines begin with `<<<<<<< `,
 * `=======` and `>>>>>>> `, in that order; the style diff3 has `||||||| ` between them. All are longer where the attribute
 * `conflict-marker-size` says so.
 *
 * One of these lines alone may be the underline of a heading, or a quotation. Within a code fence a conflict is an
 * example, unless `fenced` says that it counts: at a path that git itself calls unmerged.
 */
export function holdsMarkers(text: string, fenced: 'counts' | 'is an example' = 'is an example'): boolean {
  // Nearly no text has them, and each file that is searched or shown is asked.
  if (!text.includes('<<<<<<< ') || !text.includes('>>>>>>> ')) return false;
  const placeOf = fenceReader();
  // Of the conflict that has begun: how long its lines are, and whether its second side has begun, too.
  let [size, isParted] = [0, false];
  for (const line of text.split('\n')) {
    if (isParted && line.startsWith(`${'>'.repeat(size)} `)) return true;
    if (size > 0 && line.replace('\r', '') === '='.repeat(size)) isParted = true;
    // Within a conflict a fence may begin on one side and end on the other.
    const isExample = size === 0 && placeOf(line) !== null && fenced === 'is an example';
    const begun = isExample ? undefined : /^(<{7,}) /.exec(line)?.[1];
    if (begun !== undefined) [size, isParted] = [begun.length, false];
  }
  return false;
}

/**
 * Tells whether nothing of a file may be quoted: somebody committed it before the merge was finished. What was said may
 * hold any words, and each line of a log stands for itself.
 */
export const isUnfinished = (path: string, text: string): boolean => !isHeard(path) && holdsMarkers(text);

const isHeard = (path: string): boolean => ['conversation', 'daily', 'artifact', 'ledger'].includes(kindOf(path));

/** Tells whether a path is looked through for unfinished merges. A record with such lines is damaged, and told so. */
export const isLookedThrough = (path: string): boolean =>
  !['memory', 'relation'].includes(kindOf(path)) && !isHeard(path);

/** Says what is wrong with such a file, and how it is mended. */
export function unfinishedMerge(path: string): MemoryError {
  return new MemoryError('INVALID_RECORD', `${path} has the lines by which git marks a conflict`, {
    where: path,
    hint: 'Take them out with the side that is wrong. An example stands between the lines of a code fence',
  });
}
