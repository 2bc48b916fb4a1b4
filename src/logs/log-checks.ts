// What can be wrong with the ids of any append-only log.

import { compareSequenceIds, formatSequenceId, parseSequenceId } from '../records/sequence-id.ts';
import type { IntegrityProblem } from '../types.ts';
import type { StoredEntry } from './log-catalog.ts';

const mostMissing = 20;

/** Finds ids that were given twice. */
export function duplicates(entries: readonly StoredEntry[]): IntegrityProblem[] {
  const first = new Map<string, StoredEntry>();
  return entries.flatMap((entry) => {
    const { path, line, id } = entry;
    const other = first.get(id);
    if (other === undefined) first.set(id, entry);
    return other === undefined ? [] : [{ path, line, id, why: `the id is that of ${other.path}:${other.line}, too` }];
  });
}

/** Finds the ids of one series that are missing below the highest; what is archived is not missing. */
export function missingIds(
  entries: readonly StoredEntry[],
  taken: { has(id: string): boolean } = new Set(entries.map(({ id }) => id)),
): IntegrityProblem[] {
  const [first] = entries;
  if (first === undefined) return [];
  const { series } = parseSequenceId(first.id)!;
  const last = entries.reduce((a, b) => (compareSequenceIds(a.id, b.id) > 0 ? a : b));
  const missing: string[] = [];
  for (let number = 1; number < parseSequenceId(last.id)!.number && missing.length < mostMissing; number++) {
    const id = formatSequenceId({ series, number });
    if (!taken.has(id)) missing.push(id);
  }
  return missing.length === 0
    ? []
    : [{ path: last.path, why: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing` }];
}

/** Finds ids that entries name and that no entry has, or that are their own; `log` is what it is called. */
export function lostNames(
  entries: readonly StoredEntry[],
  known: ReadonlySet<string>,
  log: string,
): IntegrityProblem[] {
  return entries.flatMap(({ path, line, id, names = [] }) =>
    names.flatMap((name) => {
      if (name === id) return [{ path, line, id, why: 'it refers to itself' }];
      return known.has(name) ? [] : [{ path, line, id, why: `it refers to ${name}, which is not in the ${log}` }];
    }),
  );
}
