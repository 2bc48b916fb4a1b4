// The changelog of a project: what is recorded there, and what can be asked of it.

import type { EntryFilter, Redaction, TimeInput } from './basics-types.ts';
import type { IntegrityProblem } from './ledger-types.ts';

/** Something that was done, decided or met in a project. */
export interface ChangeInput extends ChangeWords {
  /** When it happened; default now, and never before the last event of the changelog. */
  readonly time?: TimeInput;
}

export interface ChangeResult {
  readonly id: string;
  readonly path: string;
  /** Null when git's index was busy and inside a project: durable in the journal. */
  readonly commit: string | null;
  readonly event: ChangelogEvent;
  /** Secrets that were redacted; absent when there were none. */
  readonly redacted?: readonly Redaction[];
}

export interface ChangeFilter extends EntryFilter {
  readonly type?: ChangelogEventType;
  readonly agent?: string;
  /** Words of the scope, letter case apart. */
  readonly scope?: string;
  readonly tag?: string;
}

/** An event, where it stands, and what became of it. */
export interface ListedChange extends ChangelogEvent {
  readonly path: string;
  /** Id of the event that took its place. */
  readonly supersededBy?: string;
  readonly archived?: true;
}

export interface ChangesResult {
  /** Oldest first. */
  readonly events: readonly ListedChange[];
  /** Lines that belong to no event and should. */
  readonly damaged: readonly IntegrityProblem[];
  /** What differs from the form and was read all the same. */
  readonly bent: readonly IntegrityProblem[];
  /** Files that are shown as somebody edited them in the work tree, and no commit has yet; absent where there are none. */
  readonly edited?: readonly string[];
}

/** The kinds of events in the changelog of a project (spec 2). */
export const changelogEventTypes = [
  'decision',
  'create',
  'modify',
  'delete',
  'test',
  'fix',
  'dependency',
  'blocker',
  'milestone',
  'escalation',
  'handoff',
  'archive',
] as const;

/** `archive` is written by archival alone. */
export type ChangelogEventType = (typeof changelogEventTypes)[number];

/** One detail of an event. */
export interface ChangelogDetail {
  /** Empty for an item of a file written by hand that names none. */
  readonly key: string;
  readonly value: string;
}

/** One thing that was done, decided or met in a project; never changed once it is written. */
export interface ChangelogEvent {
  /** `evt-001`. */
  readonly id: string;
  /** From 1. */
  readonly number: number;
  /** `YYYY-MM-DD HH:MM` in the time zone of the memory. */
  readonly time: string;
  /** Name of the one who did it; empty where a file written by hand does not say. */
  readonly agent: string;
  readonly type: ChangelogEventType;
  /** The area it affects; empty where a file written by hand does not say, and so is the summary. */
  readonly scope: string;
  readonly summary: string;
  /** In the order of the file; a key may come twice. */
  readonly details: readonly ChangelogDetail[];
  /** Ids of events that led to it. */
  readonly refs: readonly string[];
  readonly tags: readonly string[];
  /** 1-based line of its heading; 0 for one that is in no file yet. */
  readonly line: number;
}

/** What a caller says of something that was done in a project. */
export interface ChangeWords {
  readonly type: Exclude<ChangelogEventType, 'archive'>;
  /** The area it affects. */
  readonly scope: string;
  /** One line that makes sense by itself. */
  readonly summary: string;
  /** What the type asks for, and whatever else is worth a line; lists are joined by commas. */
  readonly details?: Readonly<Record<string, string | number | readonly string[]>>;
  /** Ids of events that led to it. */
  readonly refs?: readonly string[];
  readonly tags?: readonly string[];
  /** Name of the one who did it; default the author of commits. */
  readonly agent?: string;
  /** Id of the event that it takes the place of. */
  readonly supersedes?: string;
}
