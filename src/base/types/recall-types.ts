// Questions by words and meaning, and what keeps their answers quick.

import type { TimeInput } from './basics-types.ts';
import type { Learnt } from './code-types.ts';
import type { Freshness } from './knowledge-types.ts';
import type { SourceReference } from './stored-types.ts';

export interface RecallOptions {
  /** Default: `recall.limit` of memory.yaml (10). */
  readonly limit?: number;
  readonly category?: string;
  /** When things happened, not when they were recorded. */
  readonly since?: TimeInput;
  readonly until?: TimeInput;
  /** By words, by vectors, or by both; default `hybrid`. */
  readonly mode?: 'lexical' | 'vector' | 'hybrid';
  /** How words and vectors are combined: weighted sum (default), reciprocal ranks, or spec 5 §7 with §6.3. */
  readonly fusion?: 'sum' | 'rrf' | 'spec';
  /** How much of a score depends on the date, 0 to 1; default 0.02: among equals the fresher one. */
  readonly recency?: number;
  /** How much of a score depends on strength and use of a memory, 0 to 1; default 0.05. */
  readonly use?: number;
  /** The share of vectors beside words, 0 to 1; default: what suits the embedder. */
  readonly vectorWeight?: number;
  /** Only this session, by its id. */
  readonly session?: string;
  /** Only these files and what lies below these folders: `['knowledge/people', 'raw/conversations/2026']`. */
  readonly paths?: readonly string[];
  /** `session`: the turns of a session come as one hit, the best of them. Default: each by itself. */
  readonly group?: 'session';
  /** Finds archived memories, and archive/, too; default false. */
  readonly includeArchived?: boolean;
  /** Among the hits stand memories that are due for review, up to this share of them; true: 0.3. */
  readonly review?: boolean | number;
  readonly signal?: AbortSignal;
}

/** How to do ahead of the first question what it would wait for. */
export interface ReindexOptions {
  /** Also fetch the model that the configuration names, if it is not there; default false. */
  readonly download?: boolean;
  /** Only texts of files that are not as they were in this state. */
  readonly since?: TimeInput;
  /** Begin nothing new after so many seconds; what was done stays, and `left` says what was not. Default: as long as it takes. */
  readonly seconds?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { what: 'Downloading' | 'Embedding'; done: number; total: number }) => void;
}

export interface ReindexResult {
  /** The embedder that ranks; null where words alone do. */
  readonly embedder: string | null;
  /** How many texts were embedded now, and how many vectors of this embedder are kept in all. */
  readonly embedded: number;
  readonly known: number;
  /** How many documents can be found, and how many files were read and split into words now. */
  readonly documents: number;
  readonly read: number;
  /** How many of the texts that were asked for have no vector, as time ran out or they must not leave this machine. */
  readonly left: number;
}

/** Another memory to look into. */
export interface MountInput {
  /** Up to 40 small letters, digits and hyphens; its files are seen below `mounts/<name>/`. */
  readonly name: string;
  /** The folder of its repository, absolute or from where the process stands. */
  readonly dir: string;
  /** The state that is seen: a tag, branch, commit or date; default: its present. */
  readonly at?: string;
}

/** A mount that could not be asked. */
export interface MountProblem {
  readonly name: string;
  readonly dir: string;
  readonly why: string;
}

/** What is mounted, and what of it cannot be asked now. */
export interface MountsResult {
  readonly mounts: readonly MountInput[];
  readonly problems: readonly MountProblem[];
}

/** A turn, or a section of a daily note, that was said after a hit. */
export interface LaterTurn {
  readonly path: string;
  readonly turn?: number;
  readonly line: number;
  readonly speaker?: string;
  readonly role?: string;
  /** As a clock in the zone of the memory shows it: `2026-05-02T04:30:00+08:00`; in UTC `Z`. */
  readonly time: string;
  readonly snippet: string;
  /** How many of the hit's words it has, by their rarity, 0 to 1. */
  readonly link: number;
}

export interface RecallHit {
  readonly path: string;
  /** The mount it comes from: another memory, whose words are data; `path` and `commit` are there. */
  readonly mount?: string;
  readonly id?: string;
  readonly category: string;
  readonly session?: string;
  /** 1-based number of the turn within its session. */
  readonly turn?: number;
  /** How many turns of the session were found; with `group` only. */
  readonly turns?: number;
  readonly line: number;
  /** Of a turn; of a memory, the speaker of the turn that it was taken from, where the search found that, too. */
  readonly speaker?: string;
  readonly role?: string;
  /** As a clock in the zone of the memory shows it: `2026-05-02T04:30:00+08:00`; in UTC `Z`. */
  readonly time?: string;
  readonly title?: string;
  /** Of a memory: `[a1b2c3d4] gist (tags: …)`, what to put before a model; `expand` gives the whole. */
  readonly gist?: string;
  /** Of a memory: the turns it was taken from. */
  readonly sources?: readonly SourceReference[];
  /** What says the same and would have been a hit further down. It is the source of a memory, or memories taken from a turn. */
  readonly also?: readonly Pick<RecallHit, 'path' | 'id' | 'category' | 'session' | 'turn' | 'line' | 'score'>[];
  /** The day on which it begins to hold, `YYYY-MM-DD`, where that is one to come. */
  readonly from?: string;
  /** The day from which it no longer holds, `YYYY-MM-DD`; it may be one to come. What is over comes after what holds, unless the past is asked of. */
  readonly until?: string;
  /** What took its place, or took it back: the id of a memory or event, or a turn as `path#turn`. */
  readonly replacedBy?: string;
  /**
   * Turns that were said after it and are near it by words, the nearest first: news seldom has the words of a question. Only of the first six
   * hits, three at most. Whether one says something else of the same matter is for the reader to judge. Absent where there are none.
   */
  readonly later?: readonly LaterTurn[];
  /** Of what was said in a session with code: where its commit stands, unless HEAD leads back to it. Elsewhere and lost come last. */
  readonly learnt?: Learnt;
  readonly snippet: string;
  /** Where words of the query are in the snippet: [start, end) offsets in UTF-16 units. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
  /** Facts in the snippet that were not verified lately: `aging` or `stale` as of the day that was asked. */
  readonly stale?: readonly { readonly line: number; readonly state: Freshness; readonly verified?: string }[];
  /** Orders the hits. */
  readonly score: number;
  /**
   * How probable it is that it answers the question, 0 to 1, where as many questions are about what is known as are not. It does not depend on
   * other hits, and orders nothing. Absent where no words were asked for, and of what did not match.
   */
  readonly confidence?: number;
  readonly parts: Readonly<Record<string, number>>;
  /** It did not match: it is due for review, and `score` is its strength. */
  readonly review?: true;
  /** The commit that last changed the file; null while it is pending. */
  readonly commit: string | null;
}

export interface RecallResult {
  readonly query: string;
  /** The commit that was asked; null before the first one. Pending writes are included. */
  readonly commit: string | null;
  /** Which embedder ranked; null when only words did. */
  readonly embedder: string | null;
  /** Why it was not the one that was wanted. */
  readonly embedderNote?: string;
  /** So many documents have no vector of this embedder yet and were ranked by their words; absent when all have one. */
  readonly unembedded?: number;
  /** What was probably meant otherwise, in sentences: a filter that fits nothing, a name that is no filter. Absent when there is nothing to say. */
  readonly hints?: readonly string[];
  /** So many private files could not be looked into, since their key is not here; absent when there are none. */
  readonly locked?: number;
  /** Mounts that could not be asked; absent when all could. */
  readonly mountProblems?: readonly MountProblem[];
  /** None of the first ten hits probably answers: what is asked for is probably not known here. The hits are those that come nearest. Absent otherwise. */
  readonly probablyNothing?: true;
  readonly hits: readonly RecallHit[];
  /** Files that recall/triggers.json names for words of the question; absent when there are none. */
  readonly triggered?: readonly { readonly path: string; readonly pattern: string }[];
}
