// Questions to the past: log, blame, provenance, bisect, learned, diff.

import type { TimeInput } from './basics-types.ts';

export interface LogFilter {
  /** A file or folder. */
  readonly path?: string;
  /** Go on under the older names of a file that was renamed, as `git log --follow` does. */
  readonly follow?: boolean;
  /** A memory, alive or gone. */
  readonly id?: string;
  /** Words of the commit message, without regard to case. */
  readonly text?: string;
  readonly operation?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Commits that were made together, and are taken back as one. */
  readonly run?: string;
  readonly since?: TimeInput;
  readonly until?: TimeInput;
  readonly limit?: number;
  /** Continue after this commit: the `next` of the page before. */
  readonly after?: string;
}

export interface LogEntry {
  readonly oid: string;
  readonly parents: readonly string[];
  readonly time: string;
  /** The `Operation` trailer; null for commits the engine did not make. */
  readonly operation: string | null;
  readonly subject: string;
  readonly author: string;
  readonly trailers: readonly { readonly key: string; readonly value: string }[];
  /** Files in which it differs from its first parent. */
  readonly paths: readonly string[];
  /** True where a shallow clone ends: what came before is not here, so `paths` are all files and nobody knows who changed them. */
  readonly boundary?: true;
}

export interface LogResult {
  readonly commits: readonly LogEntry[];
  readonly next?: string;
}

export interface BlameOptions {
  /** The first and the last line to tell of, from 1; both included. Default: all. */
  readonly lines?: readonly [number, number];
  /** The state to ask, as {@link Memory.at} takes it. Default: the one at hand. */
  readonly at?: TimeInput;
}

/** From which commit each line of a file is. */
export interface BlameResult {
  readonly path: string;
  readonly id?: string;
  /** The commit that was asked. */
  readonly commit: string | null;
  readonly lines: readonly {
    readonly line: number;
    /** `null` while the line waits for its commit. */
    readonly commit: string | null;
    /** Number and path of the line in that commit. */
    readonly originalLine: number;
    readonly originalPath: string;
    /** Without its line feed; a carriage return before it stays. */
    readonly text: string;
  }[];
  /** Of a JSON record: from which commit each value is. Parts of an object have names such as `meta.tags`. */
  readonly fields?: readonly { readonly field: string; readonly value: unknown; readonly commit: string | null }[];
  /** The commits named above, newest first. */
  readonly commits: readonly LogEntry[];
}

/** Where a memory or a line comes from: commits, the turns it was taken from, and the memories it was made of. */
export interface ProvenanceResult {
  readonly path: string;
  readonly id?: string;
  readonly content?: string;
  /** Whether the file is alive in this view. */
  readonly alive: boolean;
  /** The line that was asked about. */
  readonly line?: BlameResult['lines'][number];
  /** Of its file, or of the line; oldest first. At a `boundary` a shallow clone ends: who made the file is not known. */
  readonly commits: readonly (LogEntry & { readonly change: 'added' | 'modified' | 'removed' | 'boundary' })[];
  readonly extractor?: string;
  readonly model?: string;
  /** The agent that wrote it, and the id of the conversation where nobody recorded that. */
  readonly agent?: string;
  readonly session?: string;
  /** Of a memory: where it is from, as was said when it was remembered. */
  readonly source?: string;
  readonly sources: readonly {
    readonly path: string;
    readonly session?: string;
    readonly turn?: number;
    readonly line?: number;
    readonly role?: string;
    readonly speaker?: string;
    readonly time?: string;
    /** The words of that turn. */
    readonly text?: string;
    /** The commit that recorded the capture. */
    readonly commit?: string;
  }[];
  /** The memories it was made of, alive or gone. `origin` is null for one told elsewhere in the answer, and one nobody knows. */
  readonly from?: readonly {
    readonly relation: 'consolidated_from' | 'split_from';
    readonly id: string;
    readonly origin: ProvenanceResult | null;
  }[];
}

export interface BisectOptions {
  /** What the question should find: the id of a memory or the beginning of one, a path, or words of the hit. */
  readonly finds: string;
  /** A state in which it was found; if left out, one is looked for. */
  readonly good?: TimeInput;
  /** Among how many hits; default 10. */
  readonly limit?: number;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

export interface BisectStep {
  readonly oid: string;
  readonly time: string;
  /** The `Operation` trailer; null for commits the engine did not make. */
  readonly operation: string | null;
  readonly subject: string;
}

export interface BisectResult {
  readonly query: string;
  /** Whether the newest commit still finds it; then nothing was lost. */
  readonly found: boolean;
  /** The commit since which it is found no more, and its parent, which found it. Null when no view that was tested found it. */
  readonly lost: BisectStep | null;
  readonly lastFound: BisectStep | null;
  /** How many views were asked, of how many commits. */
  readonly tested: number;
  readonly commits: number;
  /** How often it was lost, as far as the tested views show; more than one means that it came and went. */
  readonly flips: number;
}

/** Fifty commits at most by default. */
export type LearnedOptions = Pick<LogFilter, 'path' | 'since' | 'until' | 'limit' | 'after'>;

/** A commit and a file in which a text came or went. */
export interface LearnedEntry extends BisectStep {
  readonly path: string;
  /** Where the file was before. */
  readonly renamedFrom?: string;
  /** Occurrences in the file before and after. */
  readonly before: number;
  readonly after: number;
  /** The history is cut off here (shallow): what is said to be added may be older. */
  readonly boundary?: boolean;
}

export interface LearnedResult {
  readonly commits: readonly LearnedEntry[];
  readonly next?: string;
}

export interface DiffOptions {
  /** Only this file, or what is below this folder. */
  readonly path?: string;
  /** Lines of context around a change, 0 to 1,000; default 3. */
  readonly context?: number;
  /** Whether to give patches; default true. */
  readonly patch?: boolean;
  /** Whether to show changes word by word, in place of patches; default false. */
  readonly words?: boolean;
}

/** One file in which two states differ; `before` and `after` are null where it is absent. */
export interface DiffFile {
  readonly path: string;
  /** What the file is by its place: memory, conversation, knowledge … */
  readonly kind: string;
  readonly change: 'added' | 'modified' | 'removed';
  readonly before: { readonly mode: string; readonly oid: string } | null;
  readonly after: { readonly mode: string; readonly oid: string } | null;
  /** Its newest version waits in the journal for its commit. */
  readonly pending?: boolean;
  /** Has a NUL near its beginning, or is not UTF-8. */
  readonly binary: boolean;
  /** Lines; 0 for binary files. */
  readonly added: number;
  readonly removed: number;
  /** Of a memory or relation: its fields that differ, as its file names them. */
  readonly fields?: readonly { readonly field: string; readonly before?: unknown; readonly after?: unknown }[];
  /** For `git apply`; the patches of all files, one after the other, are the patch of all. */
  readonly patch?: string;
  /** What changed word by word, as `git diff --word-diff` shows it: `prefers [-tea-]{+coffee+}`; with `words` only. */
  readonly words?: string;
}

export interface DiffResult {
  /** The commits that were compared; null before the first one. What is pending counts as part of the present. */
  readonly from: string | null;
  readonly to: string | null;
  readonly files: readonly DiffFile[];
}
