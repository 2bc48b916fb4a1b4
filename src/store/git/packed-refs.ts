// packed-refs: text → refs, strictly. A damaged line is an error and never a ref less.
// Format: https://git-scm.com/docs/git-pack-refs, refs/packed-backend.c

import { MemoryError, succeeds } from '../../base/errors.ts';
import { checkRefName } from '../guard/ref-name.ts';
import { isOid } from './object-codec.ts';

/**
 * Parses `<id> <ref>` lines, each maybe followed by `^<id>` for what an annotated tag means.
 *
 * Refs with names that no ref may have are left out, as git does: nobody can ask for them. Throws REPOSITORY_CORRUPT.
 */
export function parsePackedRefs(text: string, where: string): ReadonlyMap<string, string> {
  const refs = new Map<string, string>();
  const lines = text.split('\n');
  // Every line ends in a line feed; a name that lost its end would be another name.
  if (lines.pop() !== '') throw corrupt(lines.length + 1, where);
  let isAfterRef = false;
  for (const [position, line] of lines.entries()) {
    if (line.startsWith('#') && position === 0) continue;
    if (line.startsWith('^') && isAfterRef && isOid(line.slice(1))) {
      isAfterRef = false;
      continue;
    }
    const oid = line.slice(0, 40);
    const ref = line.slice(41);
    if (!isOid(oid) || line[40] !== ' ' || ref === '' || refs.has(ref)) throw corrupt(position + 1, where);
    // Git writes no such name: two lines have become one, or bytes are damaged.
    if (unwritable.test(ref)) throw corrupt(position + 1, where);
    isAfterRef = true;
    if (isRefName(ref)) refs.set(ref, oid);
  }
  return refs;
}

const unwritable = /[\u0000-\u0020\u007f\ufffd]/;

/** Tells whether a name from a file is one that a ref may have. */
export const isRefName = (ref: string): boolean => succeeds(() => checkRefName(ref));

function corrupt(line: number, where: string): MemoryError {
  return new MemoryError('REPOSITORY_CORRUPT', `line ${line} of packed-refs is damaged`, {
    where,
    hint: 'Nothing was changed; `git memory doctor` shows which refs it can recover',
  });
}
