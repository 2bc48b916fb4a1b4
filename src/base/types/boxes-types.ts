// Questions about memory boxes, and their answers.

import type { MemoryCategory } from './stored-types.ts';

export interface BoxFilter {
  /** The day it was begun, `2026-02-16`. */
  readonly day?: string;
  /** One of its topics, letter case apart. */
  readonly topic?: string;
  /** The trace it is on: the boxes about a subject that comes back. */
  readonly trace?: string;
  readonly status?: 'open' | 'sealed';
  /** Id of a memory that is in it, or the beginning of the id. */
  readonly memory?: string;
  /** How many at most, the newest. */
  readonly limit?: number;
}

/** A box without its memories. */
export interface ListedBox {
  readonly id: string;
  readonly path: string;
  readonly day: string;
  readonly status: 'open' | 'sealed';
  /** Why it was sealed: another topic, a pause, or it was full. */
  readonly reason?: 'topic' | 'pause' | 'full';
  /** Present once it is sealed. */
  readonly traceId?: string;
  readonly topics: readonly string[];
  /** ISO 8601: when its first memory was said, and when it was sealed. */
  readonly started: string;
  readonly sealed?: string;
  /** How many memories it holds. */
  readonly count: number;
}

export interface BoxesResult {
  /** Oldest first. */
  readonly boxes: readonly ListedBox[];
}

/** One box as a whole. */
export interface BoxResult extends ListedBox {
  readonly memories: readonly {
    readonly id: string;
    /** ISO 8601: when it was said. */
    readonly time: string;
    readonly category?: MemoryCategory;
    /** The beginning of its words. */
    readonly words: string;
    /** `path#turn`. */
    readonly source?: string;
    /** What became of the memory; `gone` where it is not there any more. */
    readonly state: 'active' | 'promoted' | 'archived' | 'superseded' | 'schema' | 'gone';
  }[];
  /** What somebody wrote beside the list. */
  readonly notes: string;
  /** The other boxes on its trace, oldest first. */
  readonly trace: readonly ListedBox[];
}
