// Import and export.

import type { Redaction } from './basics-types.ts';
import type { CaptureResult } from './capture-types.ts';

/** Records and notes: a store of JSON lines, fact files (spec 4), a folder of markdown, a folder of any texts as agents keep it. */
export type RecordForm = 'jsonl' | 'facts' | 'markdown' | 'memories';

/** What can be brought in and not written out: a workspace of an OpenClaw-like agent. */
export type WorkspaceForm = 'openclaw';

/** Histories of other programs, one for each file in features/import/forms/, which says what it is. */
export type ConversationForm =
  // Coding agents.
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'qwen'
  | 'opencode'
  | 'cursor'
  | 'copilot'
  | 'copilot-cli'
  | 'cline'
  | 'aider'
  | 'continue'
  | 'goose'
  | 'specstory'
  | 'pi'
  | 'zed'
  // Chats.
  | 'chats'
  | 'whatsapp'
  | 'telegram'
  | 'signal'
  | 'messenger'
  | 'discord'
  | 'slack'
  // Meetings.
  | 'captions'
  | 'talks'
  // Memories and notes of other programs.
  | 'mcp-memory'
  | 'mem0'
  | 'letta'
  | 'beads'
  | 'basic-memory'
  | 'rules'
  // Plain logs in the forms of capture.
  | 'conversations';

export type ImportForm = RecordForm | WorkspaceForm | ConversationForm;

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
  /** Of a folder: only files whose path below it fits this glob. */
  readonly files?: string;
  /** Of clocks without a zone: in which one they stand, such as `Europe/Berlin`; default: `timezone` of memory.yaml. */
  readonly zone?: string;
  /** Of coding agents: only what was worked on in this folder, or below it. */
  readonly project?: string;
  /**
   * Of conversations: keep what a turn shows in part, such as the answer of a tool, and what was made in it, whole as attachments. Default false.
   */
  readonly attachments?: boolean;
  /** Of plain logs: their form, and how long a pause ends a session; default 30. */
  readonly format?: 'auto' | 'transcript' | 'dialogue' | 'text' | 'json' | 'jsonl';
  readonly pauseMinutes?: number;
  /** Of conversations: commits are of the time when each ended, in that order, but none later than this; for a memory that begins with them. @internal */
  readonly asOfThen?: number;
  /** Whether a tag marks the state before; another import of the same run may have set one. Default true. @internal */
  readonly backup?: false;
  readonly dryRun?: boolean;
  /** Of conversations in bytes that were read; of records in files. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly signal?: AbortSignal;
}

/** A history of another program that lies on this machine: what its heads say of it. */
export interface FoundHistory {
  readonly form: ConversationForm;
  /** The program, for people. */
  readonly title: string;
  /** What to import: a folder, and a glob below it. */
  readonly folder: string;
  readonly files: string;
  /** Files of sessions; a database is one. */
  readonly sessions: number;
  readonly bytes: number;
  /** The first and the last day, as far as heads name them. */
  readonly from?: string;
  readonly until?: string;
  /** Folders that were worked in. */
  readonly projects: readonly string[];
  /** What a program knows, and no talk. */
  readonly isKnowledge?: true;
  /** It lies in the folder that is worked in. */
  readonly isOfProject?: true;
}

export interface ExportOptions extends Pick<ImportOptions, 'dryRun' | 'onProgress' | 'signal'> {
  /** Default `jsonl`. */
  readonly as?: RecordForm;
  /** Only what lies below this folder of the memory, for `markdown` and `memories`; default `knowledge`. */
  readonly path?: string;
  /** Replace files that are there and differ; by default nothing is written then. Default false. */
  readonly overwrite?: boolean;
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

/** What was read of conversations: nothing is passed over that is not counted here or named under `left`. */
export interface ImportCounts {
  /** Messages and other entries of the source. */
  readonly entries: number;
  /** Turns that were added, and that were here already. Several entries may be one turn: an answer of a tool stands with its call. */
  readonly turns: number;
  readonly here: number;
  /** Of the turns that were added. */
  readonly characters: number;
  /** What was not taken, by the reason, which completes "n entries …"; with the first places, as `file:line`. */
  readonly leftOut: readonly { readonly why: string; readonly count: number; readonly places: readonly string[] }[];
  /** By which time turns are dated: their own, that of a message beside them, or that of their file. */
  readonly dated: { readonly own: number; readonly near: number; readonly file: number };
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
  /** What was read of conversations, and what became of it; absent for records and notes. */
  readonly read?: ImportCounts;
  /** The transcripts that conversations became; in the order of the source. */
  readonly captures?: readonly CaptureResult[];
  /** Secrets that were kept out; absent when there were none. */
  readonly redacted?: readonly Redaction[];
}
