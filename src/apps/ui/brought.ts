// What a copy of the page holds, packed by export.ts and read by the page.

import type { ListResult, LogEntry, ProvenanceResult } from '../../base/types.ts';

/** What `diff` is asked about a day: what changed between the end of the one before and its own. */
export function daySpan(day: string): { readonly from: string; readonly stat: true } {
  const before = new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return { from: `${before}..${day}`, stat: true };
}

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

/** What `config` answers. */
export interface ConfigAnswer {
  readonly keys: readonly { readonly key: string; readonly value?: unknown }[];
}

/** The time zone of a memory, from its configuration. */
export function zoneOf({ keys }: ConfigAnswer): string {
  return String(keys.find(({ key }) => key === 'timezone')?.value ?? 'UTC');
}
