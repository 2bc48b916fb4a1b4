// The ledger: what is recorded there, and what can be asked of it.

import type { EntryFilter, Redaction, TimeInput } from './basics-types.ts';
import type { CaptureExtraction } from './capture-types.ts';

/** Something that happened, was decided, promised or learnt. */
export interface EventInput extends EventWords {
  /** When it was recorded; default now. Decides the day it belongs to. */
  readonly time?: TimeInput;
}

export interface EventResult {
  readonly id: string;
  readonly path: string;
  /** Null when git's index was busy and inside a project: durable in the journal. */
  readonly commit: string | null;
  readonly event: LedgerEvent;
  /** Secrets that were redacted; absent when there were none. */
  readonly redacted?: readonly Redaction[];
}

export interface EventFilter extends EntryFilter {
  readonly type?: EventType;
  readonly priority?: Priority;
  readonly entity?: string;
  readonly tag?: string;
}

/** An event, where it stands, and what became of it. */
export interface ListedEvent extends LedgerEvent {
  readonly path: string;
  readonly line: number;
  /** Id of the event that took its place. */
  readonly supersededBy?: string;
  readonly archived?: true;
}

export interface EventsResult {
  /** Oldest first. */
  readonly events: readonly ListedEvent[];
  /** Lines that are no events. */
  readonly damaged: readonly IntegrityProblem[];
}

export interface LoopsResult {
  /** The next to be due first, then what is past from the last day on. */
  readonly loops: readonly (LedgerEvent & {
    /** The speaker, where a conversation has its words. */
    readonly speaker?: string;
    /** What was said right before it, by whom, where its own words leave open what is promised. */
    readonly before?: string;
    readonly path: string;
    readonly line: number;
    /** When it was first promised, and how many days ago that is. */
    readonly since: string;
    readonly ageDays: number;
    /** Its day is over. */
    readonly overdue: boolean;
    /** Others have to act. */
    readonly waiting: boolean;
    /** Commitments that name it and tell how it stands, the last one last; the day it is due is theirs where they name one. */
    readonly updates?: readonly Pick<LedgerEvent, 'id' | 'ts' | 'content'>[];
  })[];
}

export interface IntegrityProblem {
  readonly path: string;
  readonly line?: number;
  readonly id?: string;
  readonly why: string;
}

/** One check of a log: fine where it has no problems. */
export interface IntegrityCheck {
  readonly name: string;
  readonly problems: readonly IntegrityProblem[];
}

export interface IntegrityResult {
  readonly ok: boolean;
  readonly events: number;
  readonly archived: number;
  /** Events of the changelog, and what of it was archived. */
  readonly changes: number;
  readonly archivedChanges: number;
  /** How many events of P0 and P1 hold, where they are more than `ledger.compact_above`: no compaction makes them fewer. */
  readonly permanent?: number;
  readonly checks: readonly IntegrityCheck[];
}

export interface PackOptions {
  /** The day it is for, `2026-11-22`; default today, in the time zone of the memory. */
  readonly day?: string;
}

/** One page of what matters, and why each line is on it. */
export interface PackResult {
  readonly day: string;
  /** The page, as markdown. */
  readonly text: string;
  readonly words: number;
  /** False when what must never be missing is too long for the page. */
  readonly ok: boolean;
  readonly lines: readonly {
    readonly section: 'p0' | 'mantra' | 'commitments' | 'waiting' | 'focus' | 'context' | 'procedures' | 'accounts';
    readonly text: string;
    readonly why: string;
    /** Ids of the events it tells. */
    readonly events: readonly string[];
    readonly path?: string;
  }[];
  /** What did not fit, by section. */
  readonly left: readonly { readonly section: string; readonly count: number }[];
}

/** Something for today's note; at least one of both. */
export interface NoteInput {
  readonly text?: string;
  /** What matters of it; stands under `## Priority Extracts`. */
  readonly extracts?: readonly { readonly priority: Priority; readonly text: string }[];
}

export interface NoteResult {
  readonly path: string;
  /** Null when git's index was busy and inside a project: durable in the journal. */
  readonly commit: string | null;
  /** Secrets that were redacted, by the line of what was appended; absent when there were none. */
  readonly redacted?: readonly Redaction[];
  /** What was extracted from it at once; absent unless `auto_extract` or `extract.trigger` ask for that. */
  readonly extraction?: CaptureExtraction;
}

/** The kinds of events in the ledger (spec 3). */
export const eventTypes = [
  'fact',
  'decision',
  'preference',
  'commitment',
  'constraint',
  'procedure',
  'relationship',
] as const;

export type EventType = (typeof eventTypes)[number];

/** P0 and P1 stay; P2 is put aside after 90 days and P3 after 30. */
export const priorities = ['P0', 'P1', 'P2', 'P3'] as const;

export type Priority = (typeof priorities)[number];

/** What happened, was decided, promised or learnt; never changed once it is written. */
export interface LedgerEvent {
  /** When it was recorded, ISO 8601 with the offset of the memory's time zone. */
  readonly ts: string;
  /** `EVT-YYYYMMDD-NNN`. */
  readonly id: string;
  readonly type: EventType;
  readonly priority: Priority;
  readonly content: string;
  /** The one it is about, in snake_case. */
  readonly entity?: string;
  readonly tags?: readonly string[];
  /** Where it was learnt: a path, or `live`. */
  readonly source: string;
  readonly session?: string;
  readonly agent?: string;
  /** Ids of events it belongs with. */
  readonly related?: readonly string[];
  /** Id of the event that it corrects and takes the place of. */
  readonly supersedes?: string;
  /** Of a commitment. */
  readonly status?: 'open' | 'closed';
  /** The day by which something is to be done. */
  readonly due?: string;
  /** Id of the memory that says the same. */
  readonly memory?: string;
  /** Ids of archived events that it sums up. */
  readonly compacts?: readonly string[];
  /** Keys that this version does not know. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

/**
 * What a caller says of something that happened, was decided, promised or learnt. By default it is a `fact` of `P2` that was learnt `live`,
 * and a commitment is `open`. Where something is closed, it is a `commitment` of the priority of what is closed.
 */
export interface EventWords extends Partial<Omit<LedgerEvent, 'id' | 'ts' | 'content' | 'compacts' | 'unknown'>> {
  readonly content: string;
  /** Id of the commitment that is fulfilled: short for a closed commitment related to it. */
  readonly closes?: string;
}
