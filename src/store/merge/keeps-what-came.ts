// Tells whether the next version of a file still says what one brought. Counts say nothing.

import { isJsonObject, isSameJson, parseJson } from '../../base/canonical-json.ts';
import { orElse } from '../../base/errors.ts';
import { kindOf } from '../records/kind.ts';
import { counterRules } from './memory-record.ts';

/**
 * Tells whether `later` says all that `earlier` brought to `base`; null where there was no file.
 *
 * Records and other JSON are compared field by field. Uses and their times, and numbers in `state/`, are counts and may change; a list may
 * have more items. Any other file is a bag of lines, so that what was moved within it is still there. What is derived says nothing of its
 * own.
 */
export function keepsWhatCame(path: string, base: Buffer | null, earlier: Buffer, later: Buffer): boolean {
  if (kindOf(path) === 'derived') return true;
  const versions = [base ?? Buffer.from('{}'), earlier, later].map((bytes) => jsonOf(path, bytes));
  if (versions.every((version) => version !== undefined))
    return keepsFields(path, '', ...(versions as [unknown, unknown, unknown]));
  const [before, present] = [countsOf(base ?? Buffer.alloc(0)), countsOf(later)];
  // What a box is about, and its title, follow from the memories in it.
  const isMade = (line: string) => kindOf(path) === 'box' && /^(?:topics:|# )/.test(line);
  return [...countsOf(earlier)].every(([line, count]) => {
    return isMade(line) || count <= Math.max(before.get(line) ?? 0, present.get(line) ?? 0);
  });
}

function keepsFields(path: string, key: string, base: unknown, earlier: unknown, later: unknown): boolean {
  if (earlier === null || [base, later].some((value) => isSameJson(earlier, value))) return true;
  if (isJsonObject(earlier) && isJsonObject(later)) {
    const before = isJsonObject(base) ? base : {};
    return Object.keys(earlier).every((name) => keepsFields(path, name, before[name], earlier[name], later[name]));
  }
  if (Array.isArray(earlier) && Array.isArray(later)) {
    const known: readonly unknown[] = [...later, ...(Array.isArray(base) ? base : [])];
    return earlier.every((item) => known.some((other) => isSameJson(item, other)));
  }
  const isCount = path.startsWith('state/') || Object.hasOwn(counterRules, key);
  return isCount && typeof earlier === 'number' && typeof later === 'number';
}

function jsonOf(path: string, bytes: Buffer): unknown {
  // A hand edit may be anything: its lines are compared.
  return path.endsWith('.json') ? orElse(() => parseJson(bytes.toString('utf8'), path), undefined) : undefined;
}

/** How often each line stands there, byte for byte: each byte is one character. The engine itself counts the lines of MEMORY.md. */
function countsOf(bytes: Buffer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of bytes.toString('latin1').split('\n')) {
    if (line !== '' && !/^line_count[ \t]*:/.test(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}
