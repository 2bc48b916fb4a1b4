// Questions about knowledge files: what they claim, since when, what contradicts, who links to whom.

export interface KnowledgeOptions {
  /** Only this file, or all below this folder. */
  readonly path?: string;
  /** Only what is about this entity, in any spelling. */
  readonly entity?: string;
  /** Only facts in these states; default `stale`, `aging` and `undated`: what somebody should look at. */
  readonly states?: readonly Freshness[];
  /** The day that ages count to, `2026-11-22`; default today, in the time zone of the memory. */
  readonly day?: string;
}

/** A line of a knowledge file that claims something, and how far it can be relied on. */
export interface ListedFact {
  readonly path: string;
  /** 1-based line of the file. */
  readonly line: number;
  /** In snake_case, as the ledger names it. */
  readonly entity: string;
  readonly heading: string;
  /** Without marks and links. */
  readonly text: string;
  readonly state: Freshness;
  /** When it was last said to be true, and how many days ago that is. */
  readonly verified?: string;
  readonly ageDays?: number;
  readonly sources: readonly string[];
  /** Why it is in that state. */
  readonly why: string;
}

/** One side of a contradiction: a line of a file, or the file of a memory that no line tells. */
export interface ConflictSide {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Of the memory, or of a line in dispute. */
  readonly id: string;
}

/** Two claims about one entity that are both open and cannot both hold, as whoever gave them said; somebody has to decide. */
export interface KnowledgeConflict {
  readonly entity: string;
  /** The newer one, and the older one. */
  readonly sides: readonly [ConflictSide, ConflictSide];
}

export interface KnowledgeResult {
  readonly day: string;
  /** How many facts are in each state, of all that were asked. */
  readonly counts: Readonly<Record<Freshness, number>>;
  /** The oldest first. */
  readonly facts: readonly ListedFact[];
  readonly conflicts: readonly KnowledgeConflict[];
  /** Files whose front matter cannot be read. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
}

export interface BacklinksResult {
  readonly path: string;
  /** Lines of other files that link to it, as Obsidian or as markdown does. */
  readonly links: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  /** Lines that name it without a link. */
  readonly mentions: readonly { readonly path: string; readonly line: number; readonly text: string }[];
}

export interface VerifyOptions {
  /** Words of the one line that is confirmed. */
  readonly text?: string;
  /** Its 1-based number. */
  readonly line?: number;
  /** The day on which it was true, `2026-11-22`; default today. It replaces the day that the line names. */
  readonly day?: string;
}

export interface VerifyResult {
  readonly path: string;
  /** Whether it still waits for its commit; false also when nothing was to be written. */
  readonly pending: boolean;
  readonly day: string;
  /** The lines that were confirmed; 1-based. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
  /** The lines named that day already, and nothing was written. */
  readonly unchanged?: true;
}

/**
 * Says how old what a line claims is.
 *
 * | state     | last said to be true                    | in the recall pack                          |
 * |-----------|-----------------------------------------|---------------------------------------------|
 * | `fresh`   | less than 30 days ago                   | as it is                                    |
 * | `aging`   | 30 to 60 days ago                       | flagged                                     |
 * | `stale`   | more than 60 days ago                   | left out, unless its entity matters today   |
 * | `undated` | nobody said when                        | as stale                                    |
 * | `lasting` | preferences, relations, rules: no decay | as it is                                    |
 */
export type Freshness = 'fresh' | 'aging' | 'stale' | 'undated' | 'lasting';
