// What is recorded in the changelog of a project, and what can be asked of it.

import type { ChangelogEvent } from '../records/changelog.ts';
import type { ChangelogEventType } from '../records/changelog-types.ts';
import type { ChangeWords } from '../records/new-change.ts';
import type { EntryFilter, Redaction, TimeInput } from './basics.ts';
import type { IntegrityProblem } from './ledger.ts';

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
