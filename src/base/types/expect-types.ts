// Expectations: what a memory must and must not say, as files in it, and how they came out.

import type { TimeInput } from './basics-types.ts';

/** What an expectation asks of a memory. */
export type ExpectedAsk =
  | 'context'
  | 'session_start'
  | 'pack'
  | 'recall'
  | 'list'
  | 'loops'
  | 'boot'
  | 'read'
  | 'forgotten';

/** Which expectations to judge, and how. */
export interface TestOptions {
  /** Only those: by name, or all of a file by its path or its name without `expect/` and `.yaml`. */
  readonly names?: readonly string[];
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/** Where a wrong line comes from. */
export interface ExpectationSource {
  readonly path: string;
  /** Of a memory. */
  readonly id?: string;
  /** The commit that last changed it; null while that is pending. */
  readonly commit: string | null;
  /** The turns it was taken from, or is: `raw/conversations/…md#3`. */
  readonly turns: readonly string[];
}

/** One thing that an expectation asks for and the answer did not keep. */
export interface ExpectationFailure {
  /**
   * What is wrong. `missing`: nothing says it. `forbidden`: something does. `repeated`: it has more lines than one. `apart`: a line lacks what
   * belongs to it. `stale`: it stands as if it still held. `failed`: the question had no answer.
   */
  readonly kind:
    | 'missing'
    | 'forbidden'
    | 'repeated'
    | 'not first'
    | 'order'
    | 'apart'
    | 'stale'
    | 'too long'
    | 'failed';
  /** What was asked for, as the file has it. */
  readonly wanted: string;
  /** The lines that are wrong, or those that stand where it was wanted; at most three. */
  readonly found: readonly string[];
  readonly from?: readonly ExpectationSource[];
}

/** How one expectation came out. */
export interface ExpectationResult {
  readonly name: string;
  /** Its file, and its line there. */
  readonly path: string;
  readonly line: number;
  readonly ask: ExpectedAsk;
  /** What was asked, in words: `context "Where is Ada?", on 2026-03-09`. */
  readonly asked: string;
  readonly holds: boolean;
  readonly failures: readonly ExpectationFailure[];
  /** Why somebody expects it, as the file says. */
  readonly note?: string;
  /** The version of git-memory for which it held in the same state: an upgrade broke it, and no change. */
  readonly since?: string;
}

/** A file of expectations, or one of them, that cannot be used; the others are judged. */
export interface ExpectationProblem {
  /** Of the expectation that cannot be used; absent where the file cannot be read. */
  readonly name?: string;
  readonly path: string;
  readonly line?: number;
  readonly why: string;
  readonly hint?: string;
}

export interface TestResult {
  /** The commit that was judged; null before the first. Pending writes of the present are included. */
  readonly commit: string | null;
  readonly total: number;
  readonly failed: number;
  /** In order of file and line. */
  readonly results: readonly ExpectationResult[];
  readonly problems: readonly ExpectationProblem[];
}

/** What an answer that changed the memory says of its expectations. */
export interface Judged {
  /** Expectations that held before the change and do not hold after it; absent where there are none. */
  readonly broke?: readonly ExpectationResult[];
}

/** Since when an expectation does not hold. */
export interface BisectExpectation {
  /** The name of an expectation. */
  readonly expect: string;
  /** A state in which it held; if left out, one is looked for. */
  readonly good?: TimeInput;
}
