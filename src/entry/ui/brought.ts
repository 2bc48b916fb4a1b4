// What a copy of the page holds, packed by export.ts and read by the page.

import type { ListResult, LogEntry, ProvenanceResult } from '../../types.ts';

/** What a copy holds. */
export interface Brought {
  /** Of verbs, by `["verb",{input}]`. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly log: readonly LogEntry[];
  readonly claims: ListResult['memories'];
  /** Where each claim comes from, its commits by their ids. */
  readonly origins: Readonly<
    Record<
      string,
      Omit<ProvenanceResult, 'commits'> & {
        readonly commits: readonly (readonly [string, ProvenanceResult['commits'][number]['change']])[];
      }
    >
  >;
}
