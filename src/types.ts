// The shapes that callers of the library see. They may grow keys and never lose them.

import type { ErrorCode } from './errors.ts';
import type { MemoryCategory, MemoryRecord, RelationRecord } from './records/types.ts';

/** A date, an ISO 8601 text, or milliseconds since the Unix epoch. Times go out as ISO 8601 texts. */
export type TimeInput = string | number | Date;

/** Where the memory lives in git; see README, "Placement". */
export type Placement = 'repository' | 'bare' | 'branch' | 'project';

export interface CaptureMessage {
  readonly role: string;
  readonly text: string;
  readonly time?: TimeInput;
  readonly speaker?: string;
}

export type CaptureInput =
  | string
  | { readonly text: string; readonly topic?: string; readonly channel?: string; readonly time?: TimeInput }
  | {
      readonly messages: readonly CaptureMessage[];
      readonly session?: string;
      readonly topic?: string;
      readonly channel?: string;
      readonly model?: string;
      readonly agent?: string;
      readonly tags?: readonly string[];
      readonly started?: TimeInput;
      readonly ended?: TimeInput;
    };

/** A secret that was kept out: `[redacted:kind]` stands where it was. */
export interface Redaction {
  readonly kind: string;
  readonly path: string;
  /** 1-based line of the file. */
  readonly line: number;
  /** 1-based number of the turn within its session; absent in front matter and outside conversations. */
  readonly turn?: number;
}

/** `commit` is null when git's index was busy: the capture is durable in the journal and the next flush commits it. */
export interface CaptureResult {
  readonly path: string;
  readonly session: string;
  readonly turns: number;
  readonly commit: string | null;
  /** Secrets that were redacted; absent when there were none. */
  readonly redacted?: readonly Redaction[];
  /** What was extracted at once; absent unless `auto_extract` is set. */
  readonly extraction?: CaptureExtraction;
}

/** What came of the extraction that follows a capture by itself. */
export interface CaptureExtraction {
  /** Ids of memories. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** Why there is nothing; the capture stands nevertheless. */
  readonly error?: string;
}

export interface RememberInput {
  readonly content: string;
  readonly tags?: readonly string[];
  readonly entities?: readonly string[];
  readonly source?: string;
  readonly context?: string;
  readonly category?: MemoryCategory;
  readonly strength?: number;
  readonly due?: string;
  readonly id?: string;
  /** A short form of your own; made by rule if left out. */
  readonly gist?: string;
}

/** A write that joined the batch: durable now, committed with the next flush. */
export interface WriteResult {
  readonly id?: string;
  readonly path: string;
  readonly pending: boolean;
  /** Secrets that were redacted; absent when there were none. */
  readonly redacted?: readonly Redaction[];
}

/** What a memory was used for, and whether that mattered. */
export interface TouchOptions {
  /** The tags of the work it was used for; few of the memory's own make it a use in another domain. */
  readonly tags?: readonly string[];
  /** Makes it stronger, too. */
  readonly boost?: boolean;
}

export interface TouchAllResult {
  /** In full, each once. */
  readonly ids: readonly string[];
  readonly pending: boolean;
}

export interface RelateOptions {
  /** 0 to 2; default 1. */
  readonly strength?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What became of something to remember. */
export interface RememberResult extends WriteResult {
  /** Another memory says the same: nothing was written but that it was told again. `id` is that of the other. */
  readonly isDuplicate?: true;
  /** Active memories that say nearly the same; `consolidate` makes them one. Absent when there are none. */
  readonly near?: readonly { readonly id: string; readonly content: string; readonly likeness: number }[];
}

export interface CommitResult {
  readonly commits: readonly string[];
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

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
  /** `session`: the turns of a session come as one hit, the best of them. Default: each by itself. */
  readonly group?: 'session';
  /** Finds superseded and archived memories, and archive/, too; default false. */
  readonly includeArchived?: boolean;
  /** Among the hits stand memories that are due for review, up to this share of them; true: `review.blend_ratio` of memory.yaml. */
  readonly review?: boolean | number;
  readonly signal?: AbortSignal;
}

/** How to give every text its vector. */
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
  readonly embedder: string;
  /** How many texts were embedded now, and how many vectors of this embedder are kept in all. */
  readonly embedded: number;
  readonly known: number;
  /** How many of the texts that were asked for have no vector, as time ran out or they must not leave this machine. */
  readonly left: number;
}

export interface RecallHit {
  readonly path: string;
  readonly id?: string;
  readonly category: string;
  readonly session?: string;
  /** 1-based number of the turn within its session. */
  readonly turn?: number;
  /** How many turns of the session were found; with `group` only. */
  readonly turns?: number;
  readonly line: number;
  readonly speaker?: string;
  readonly role?: string;
  readonly time?: string;
  readonly title?: string;
  /** Of a memory: `[a1b2c3d4] gist (tags: …)`, what to put before a model; `expand` gives the whole. */
  readonly gist?: string;
  readonly snippet: string;
  /** Where words of the query stand in the snippet: [start, end) offsets in UTF-16 units. */
  readonly highlights: readonly (readonly [start: number, end: number])[];
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
  /** It did not match: it is due for review, and `score` is its strength. */
  readonly review?: true;
  /** The commit that last changed the file; null while it is pending. */
  readonly commit: string | null;
}

export interface DueOptions {
  /** How many at most; default: `review.due_limit` of memory.yaml (50). */
  readonly limit?: number;
  /** All that is weak, weakest first, and not only what is worth coming back to; default false. */
  readonly weak?: boolean;
}

/** Memories to come back to. */
export interface DueResult {
  /** The most worthwhile first. */
  readonly memories: readonly (MemoryRecord & {
    readonly path: string;
    /** Strength at the view's time. */
    readonly score: number;
    /** How much a review is worth, 0 to 1. */
    readonly priority: number;
    readonly urgency: 'high' | 'medium' | 'low';
    /** What fits it: use it, let it be forgotten, merge it with others, or keep it as knowledge. */
    readonly action: 'reinforce' | 'collect' | 'consolidate' | 'promote';
  })[];
  /** How many active memories are about to be forgotten: their score is below `decay.urgent`. */
  readonly urgent: number;
}

export interface RelationsResult {
  readonly relations: readonly (RelationRecord & { readonly path: string })[];
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
  readonly hits: readonly RecallHit[];
}

export interface ListFilter {
  readonly tag?: string;
  readonly category?: string;
  readonly entity?: string;
  readonly status?: string;
  readonly session?: string;
  readonly limit?: number;
}

export interface ListResult {
  /** Strongest first. `score` is the strength at the view's time. */
  readonly memories: readonly (MemoryRecord & { readonly path: string; readonly score: number })[];
}

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

export interface LearnedOptions {
  /** Only this file, or what is below this folder. */
  readonly path?: string;
  /** When it was committed. */
  readonly since?: TimeInput;
  readonly until?: TimeInput;
  /** How many commits at most; default 50. */
  readonly limit?: number;
  /** Continue after this commit: the `next` of the page before. */
  readonly after?: string;
}

/** A commit and a file in which a text came or went. */
export interface LearnedEntry {
  readonly oid: string;
  readonly time: string;
  /** The `Operation` trailer; null for commits the engine did not make. */
  readonly operation: string | null;
  readonly subject: string;
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
}

export interface DiffResult {
  /** The commits that were compared; null before the first one. What is pending counts as part of the present. */
  readonly from: string | null;
  readonly to: string | null;
  readonly files: readonly DiffFile[];
}

export type UndoTarget =
  | string
  | { readonly session: string }
  | { readonly run: string }
  | { readonly extractor: string }
  | { readonly agent: string }
  /** The newest undo that stands is taken back. */
  | { readonly redo: true }
  | { readonly from: string; readonly to: string };

export interface UndoOptions {
  /** Take back only these paths. */
  readonly paths?: readonly string[];
  /** With `dryRun`: as if the tip were there. */
  readonly onto?: string;
  readonly dryRun?: boolean;
  /** Take back even what would remove a large part of the memories at once. */
  readonly allowRemovals?: boolean;
}

/** `conflicts` not empty means: nothing was changed. */
export interface UndoResult {
  readonly undone: readonly string[];
  readonly commit: string | null;
  readonly tree: string | null;
  readonly conflicts: readonly string[];
  /** What was derived from a capture that was taken back, and stays. */
  readonly derived: readonly string[];
}

export interface MergeOptions {
  /** Merge into this branch instead of the one that is open; with `dryRun` any commit. */
  readonly into?: string;
  readonly dryRun?: boolean;
  /** Let it take away more memories at once than `limits.removed_share` says. */
  readonly allowRemovals?: boolean;
}

/** `commit` is null where there was nothing to merge, and for a dry run. */
export interface MergeResult {
  readonly commit: string | null;
  /** The tree after it; null for a dry run that ends in conflicts where there is no memory to settle them. */
  readonly tree: string | null;
  /** Where the histories parted, newest first. */
  readonly bases: readonly string[];
  /** Paths changed on both sides in ways that contradict. The later change stands; the other one is in the record or in history. */
  readonly conflicts: readonly string[];
}

/** What finishing a merge of native git did, or with `dryRun` would do. */
export interface ResolveResult {
  /** Paths that were settled as `git memory merge` settles them, sorted. */
  readonly resolved: readonly {
    readonly path: string;
    /** The file stands as it is now in the work tree, or is gone. */
    readonly outcome: 'merged' | 'removed';
  }[];
  /** Of these and others, what both sides changed in ways that contradict; one side stands, the other is in the record or in history. */
  readonly conflicts: readonly string[];
  /** Paths that were left alone. */
  readonly remaining: readonly { readonly path: string; readonly why: string }[];
  /** The tree that a commit would have now; null while something is not merged. */
  readonly tree: string | null;
}

export interface BranchEntry {
  readonly name: string;
  readonly commit: string;
  readonly time: string;
  readonly isCurrent: boolean;
  /** Operations that it has and the open branch has not, and the other way round. */
  readonly ahead: number;
  readonly behind: number;
  /** For experiments (`explore/…`): a week after the last operation. */
  readonly expires?: string;
  readonly isExpired?: boolean;
}

export interface BranchComparison {
  /** The tip of the other branch. */
  readonly commit: string;
  readonly bases: readonly string[];
  /** Commits that it has and we have not, newest first. */
  readonly ahead: readonly string[];
  readonly behind: readonly string[];
  /** What those commits changed. */
  readonly paths: readonly string[];
  /** Paths on which a merge would have to decide. */
  readonly conflicts: readonly string[];
}

export interface DropResult {
  readonly name: string;
  readonly commit: string;
  /** Commits that nothing else leads to, so that only their ids find them, and only until git collects them. */
  readonly unmerged: readonly string[];
}

export interface ExpireResult {
  readonly dropped: readonly DropResult[];
  /** Expired and kept, since something is on them alone. */
  readonly kept: readonly { readonly name: string; readonly unmerged: number }[];
}

export interface ExtractOptions {
  /** Path, session id, or several; default: every transcript that this extractor has not seen. */
  readonly from?: string | readonly string[];
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  readonly signal?: AbortSignal;
}

export interface ExtractResult {
  readonly extractor: string;
  readonly transcripts: readonly {
    readonly path: string;
    readonly commit: string | null;
    readonly created: readonly {
      readonly id: string;
      readonly path: string;
      readonly category?: string;
      readonly content: string;
    }[];
    readonly updated: readonly string[];
    readonly skipped: readonly { readonly content: string; readonly why: string }[];
  }[];
}

/** How a pass over the records runs. */
export interface PassOptions {
  /** Plan and show; nothing is written. */
  readonly dryRun?: boolean;
  /** Take away more memories at once than `limits.removed_share` says. */
  readonly force?: boolean;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/** What a pass did or, with `dryRun`, would do. */
export interface PassResult<Item extends object = object> {
  readonly pass: string;
  /** Empty when nothing was to be done, with `dryRun`, and inside a project, where it waits for a commit. */
  readonly commits: readonly string[];
  /** The tree after it; null when it waits in the journal or would be refused. */
  readonly tree: string | null;
  readonly items: readonly (Omit<Item, 'changes'> & {
    readonly action: string;
    /** The memories it is about. */
    readonly ids: readonly string[];
    readonly why: string;
    readonly paths: readonly string[];
  })[];
  /** What was looked at and left alone, where the reason is worth telling. */
  readonly left: readonly { readonly id: string; readonly why: string }[];
  /** What was planned and not done, since its files changed in the meantime. */
  readonly dropped: readonly { readonly action: string; readonly ids: readonly string[]; readonly why: string }[];
  /** With `dryRun`: why it would not be done without `force`. */
  readonly refused?: string;
}

/** What to consolidate; without `ids`, whatever is alike. */
export interface ConsolidateMemoriesOptions extends PassOptions {
  /** Exactly these become one. */
  readonly ids?: readonly string[];
  /** Also merge what a model or a person would be asked about; default false. */
  readonly uncertain?: boolean;
  /** By what texts are compared: the embedder's vectors (default), or the words they share. */
  readonly likeness?: 'vectors' | 'words';
}

/** What one of the memories says that another is split into; tags and entities are those of the whole if left out. */
export interface SplitPartInput {
  readonly content: string;
  readonly tags?: readonly string[];
  readonly entities?: readonly string[];
}

export type SplitOptions = Pick<PassOptions, 'dryRun' | 'signal'>;

/** What became of a memory that was split. */
export type SplitResult = PassResult<{
  /** The memory that left. */
  readonly from: string;
  readonly parts: readonly { readonly id: string; readonly content: string }[];
}>;

/** Memories that could be several, with what speaks for it and the parts that their ideas make. */
export interface SplitCandidates {
  readonly candidates: readonly {
    readonly id: string;
    readonly content: string;
    readonly reasons: readonly string[];
    readonly parts: readonly Required<SplitPartInput>[];
  }[];
}

/** Which memories become knowledge; without `ids`, those that are strong enough. */
export interface PromoteOptions extends PassOptions {
  readonly ids?: readonly string[];
}

export type PromoteResult = PassResult<{
  /** The knowledge file. */
  readonly to: string;
  readonly content: string;
}>;

/** Of which promoted memories to make a schema; without `ids`, of each cluster that has none. */
export interface SchemaOptions extends PassOptions {
  readonly ids?: readonly string[];
}

export type SchemaResult = PassResult<{
  /** The schema. */
  readonly into: string;
  readonly content: string;
  readonly sources: readonly { readonly id: string; readonly content: string }[];
  readonly cohesion: number;
}>;

/** The schemas of a bundle, and the ids it names that are none. `line` is what to put before a model. */
export interface BundleResult {
  readonly name: string;
  readonly schemas: readonly (MemoryRecord & { readonly path: string; readonly line: string })[];
  readonly missing: readonly string[];
}

/** Which gists to make; without `ids` and `all`, those that are missing. */
export interface GistOptions extends PassOptions {
  readonly ids?: readonly string[];
  /** How much is left out; default: `gist.level` of memory.yaml. */
  readonly level?: 'light' | 'moderate' | 'strong';
  /** Make all anew, also those that other tools made. */
  readonly all?: boolean;
}

/** The gists that were made; `gist` is null where the content is as short as it can be. */
export interface GistResult
  extends PassResult<{
    readonly gist: string | null;
    readonly tokens: { readonly full: number; readonly gist: number };
  }> {
  /** Of all items together, as a model would count them, roughly. */
  readonly tokens: { readonly full: number; readonly gists: number };
}

/** What became of memories that say the same. */
export interface ConsolidateResult
  extends PassResult<{
    /** The memory that was made. */
    readonly into: string;
    readonly sources: readonly { readonly id: string; readonly content: string }[];
    readonly content: string;
    /** The mean likeness of all pairs, 0 to 1. */
    readonly cohesion: number;
    /** `rule`, or the model that put the words together. */
    readonly by: string;
  }> {
  /** The embedder, or `words`. */
  readonly comparedBy: string;
  /** Why it was not the embedder that was wanted. */
  readonly comparedNote?: string;
  /** Clusters that were left for a person to judge. */
  readonly open: readonly {
    readonly ids: readonly string[];
    readonly contents: readonly string[];
    readonly cohesion: number;
    readonly why: string;
  }[];
}

/** Records and notes: a store of JSON lines, fact files (spec 4), a folder of markdown, a folder of any texts as agents keep it. */
export type RecordForm = 'jsonl' | 'facts' | 'markdown' | 'memories';

/** Plain logs in the forms of capture, session files of Claude Code, account exports of ChatGPT and Claude, a Slack workspace. */
export type ConversationForm = 'conversations' | 'claude-code' | 'chats' | 'slack';

export type ImportForm = RecordForm | ConversationForm;

export interface ImportOptions {
  /** What the source is; found out when left out. */
  readonly as?: ImportForm;
  /** A folder below `knowledge/` for notes that have no place of their own; default: one in `knowledge/reference/` called as the source. */
  readonly into?: string;
  /** Take what is another than here; by default it is left and named. Default false. */
  readonly overwrite?: boolean;
  /** Keep when memories were last used; by default that is now, or decay would forget old ones at once. Default false. */
  readonly keepLastUsed?: boolean;
  /** Of conversations: what they are about, and where they took place, if they do not say it themselves. */
  readonly topic?: string;
  readonly channel?: string;
  /** Of plain logs: their form, and how long a pause ends a session; default 30. */
  readonly format?: 'auto' | 'transcript' | 'dialogue' | 'text' | 'json' | 'jsonl';
  readonly pauseMinutes?: number;
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

export interface ExportOptions {
  /** Default `jsonl`. */
  readonly as?: RecordForm;
  /** Only what lies below this folder of the memory, for `markdown` and `memories`; default `knowledge`. */
  readonly path?: string;
  /** Replace files that are there and differ; by default nothing is written then. Default false. */
  readonly overwrite?: boolean;
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/** What an export wrote or, with `dryRun`, would write. */
export interface ExportResult {
  readonly form: RecordForm;
  /** The folder, as an absolute path. */
  readonly target: string;
  /** The commit that was exported; null before the first one. */
  readonly commit: string | null;
  /** Paths below the target, in order. `same`: it was there already, byte for byte. */
  readonly files: readonly { readonly path: string; readonly action: 'write' | 'replace' | 'same' }[];
  /** Memories and relations, or notes, that the files hold. */
  readonly records: number;
  /** What could not be exported, and why. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** A place in what was imported, and what is to be said of it. */
export interface ImportNote {
  readonly source: string;
  /** 1-based line. */
  readonly line?: number;
  readonly why: string;
}

/** What an import did or, with `dryRun`, would do. */
export interface ImportResult {
  readonly form: ImportForm;
  /** Whether the form was found out and not named. */
  readonly isDetected: boolean;
  /** The name of the file or folder. */
  readonly source: string;
  /** The tag of the state before; null when nothing was changed, and with `dryRun`. */
  readonly backup: string | null;
  /** Empty when there was nothing to do, with `dryRun`, and inside a project, where it waits for a commit. */
  readonly commits: readonly string[];
  readonly added: number;
  readonly changed: number;
  /** What was here already. */
  readonly unchanged: number;
  readonly items: readonly { readonly path: string; readonly action: 'add' | 'change'; readonly source: string }[];
  /** What was not taken, and why: damaged lines, what is another here, what is no text. */
  readonly left: readonly ImportNote[];
  /** What was taken, and is to be known of it. */
  readonly notes: readonly ImportNote[];
  /** The transcripts that conversations became; in the order of the source. */
  readonly captures?: readonly CaptureResult[];
  /** Secrets that were kept out; absent when there were none. */
  readonly redacted?: readonly Redaction[];
}

export interface MaintainOptions extends Omit<PassOptions, 'onProgress'> {
  /** Run these, due or not; default: all that are due. */
  readonly tasks?: readonly string[];
  readonly onProgress?: (progress: { readonly what: string; readonly done: number; readonly total: number }) => void;
}

/** What maintenance did, task by task. */
export interface MaintainResult {
  readonly machine: string;
  /** The one machine that maintains this memory; null when any may. */
  readonly designated: string | null;
  readonly runs: readonly {
    readonly task: string;
    /** `planned` in a dry run; `elsewhere` when another machine is to do it. */
    readonly state: 'done' | 'planned' | 'not due' | 'elsewhere' | 'failed';
    /** When it last ran, and when it is due next. */
    readonly last?: string;
    readonly next?: string;
    /** Why it was not done, or would not be. */
    readonly why?: string;
    /** What it failed with. */
    readonly error?: {
      readonly code: ErrorCode;
      readonly what: string;
      readonly where?: string;
      readonly hint?: string;
    };
    readonly result?: PassResult;
  }[];
}

export interface SnapshotResult {
  /** Maybe another one than was asked for: the last daily or weekly one if nothing changed since, or with the machine behind a taken name. */
  readonly tag: string;
  readonly commit: string;
  readonly isNew: boolean;
}

export interface StatusResult {
  readonly directory: string;
  readonly placement: Placement;
  readonly branch: string;
  readonly commit: string | null;
  readonly time: string | null;
  readonly files: number;
  readonly memories: number;
  readonly conversations: number;
  readonly pending: readonly { readonly path: string; readonly operation: string }[];
  /** What people changed in the work tree and no commit has yet; `why` it will not get into the next one. */
  readonly edited: readonly { readonly path: string; readonly why?: string }[];
  readonly openSessions: readonly string[];
  readonly warnings: readonly string[];
}
