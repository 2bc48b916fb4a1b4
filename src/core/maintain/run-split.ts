// Splitting with all it takes: parts as callers give them, without secrets, and the runner.

import type { SplitCandidates, SplitOptions, SplitPartInput, SplitResult } from '../../base/types.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type SplitItem, type SplitPart, splitCandidateOf, splitting } from '../lifecycle/split.ts';
import { type RunPorts, runPass } from '../write/run-pass.ts';

/** Puts parts in the place of a memory; see {@link splitting}. */
export function splitMemory(
  ports: RunPorts,
  id: string,
  parts: readonly (string | SplitPartInput)[] | undefined,
  filter: SecretFilter,
  options: SplitOptions,
): Promise<SplitResult> {
  const given = parts?.map((part): SplitPart => (typeof part === 'string' ? { content: part } : part));
  const wanted = { id, ...(given === undefined ? {} : { parts: filter.passAll(given, 'the parts') }) };
  return runPass<typeof wanted, SplitItem>(ports, splitting, wanted, options);
}

/** Lists the memories that could be several, the longest first. */
export function findSplitCandidates(catalog: MemoryCatalog, snapshot: Snapshot): SplitCandidates {
  const candidates = catalog.stored(snapshot).flatMap(({ record }) => {
    const found = record.status === 'active' ? splitCandidateOf(record) : undefined;
    return found === undefined ? [] : [{ ...found, content: record.content }];
  });
  return { candidates: candidates.sort((a, b) => b.content.length - a.content.length || (a.id < b.id ? -1 : 1)) };
}
