// What doctor finds: codes, how bad each is, and the record of one. Nothing here looks at a repository.

import type { ErrorCode } from '../../base/errors.ts';

export type Severity = 'error' | 'warning' | 'note';

/**
 * Lists what doctor can find beside the codes of errors, how bad it is, and what it means.
 *
 * `error`: something is lost, or the memory cannot be used. `warning`: nothing is lost, and it should be seen to. `note`: good to
 * know. Codes are only ever added.
 */
export const findingCodes = {
  TIP_DAMAGED: [
    'error',
    'the newest commit of the branch cannot be read; the last whole one is shown, and nothing is written',
  ],
  REF_LOST: ['error', 'a branch has lost its file; its log says where it was'],
  REF_NAME: ['warning', 'a file among the refs has a name that no ref may have; nobody can reach it'],
  HEAD_UNBORN: ['warning', 'HEAD names a branch that is not there, and there are others'],
  REF_DANGLING: ['warning', 'a ref names an object that is not there'],
  PACK_UNREADABLE: ['error', 'a pack cannot be read, or has no index'],
  COPY_DAMAGED: ['warning', 'a copy of an object is damaged; another one is whole, or nothing leads to it'],
  PARTLY_CHECKED: ['note', 'the history is longer than what was looked at; --all looks at everything'],
  LOCK_HELD: ['warning', 'a lock is held by a process that lives, or that nobody here can see'],
  LOCK_LEFT: ['warning', 'a lock file was left behind'],
  TEMPORARY_LEFT: ['warning', 'temporary files were left behind'],
  OPERATION_UNFINISHED: ['warning', 'a commit was begun and neither finished nor taken back'],
  JOURNAL_PUT_ASIDE: ['warning', 'a journal was damaged once; a copy of it was put aside'],
  JOURNAL_UNKNOWN: ['warning', 'a file among the journals belongs to no branch'],
  PENDING: ['note', 'writes wait for the next commit'],
  INDEX_DAMAGED: ['error', "git's index is damaged"],
  HAND_EDIT: ['note', 'files were changed by hand; the next commit takes them in'],
  KEPT_FILE: ['warning', 'a file that the engine keeps was changed; the next commit puts it back'],
  FILE_TORN: ['warning', 'a file of the work tree is only the beginning of what was committed'],
  FILE_MISSING: ['warning', 'files are gone from the work tree, and nothing proves that somebody took them away'],
  FILE_LEFT_OUT: ['warning', 'a file of the work tree cannot enter the memory'],
  WORK_TREE_GONE: ['warning', 'a linked work tree is not where it was'],
  ALTERNATE: ['note', 'objects are borrowed from another repository'],
  ALTERNATE_GONE: ['warning', 'a repository that objects are borrowed from is not there'],
  SHALLOW: ['note', 'the history is cut: this is a shallow clone'],
  REPLACED: ['note', 'native git shows other objects in place of some; the engine shows what was recorded'],
  CONFIG_UNKNOWN: ['note', 'memory.yaml has a key of a newer or an earlier version, which has no effect'],
  INVALID_RECORD: ['warning', 'a file does not have the format its place in the layout asks for; it is passed over'],
  EVENT_CHANGED: ['warning', 'an event of a log is another one than it was, or is gone; history has the first'],
  CAPTURE_CHANGED: ['warning', 'a capture is another one than it was, or is gone; history has the first'],
  CONFIG_RUNS: ['note', 'the configuration names programs that native git runs; the engine runs none'],
  MERGE_DRIVER: ['warning', 'the files of the memory name a merge driver that native git does not know here'],
  INSTALLATION: ['warning', 'a part of git-memory itself is missing; what needs it, such as a hook, does nothing'],
  HOOKS_MISSING: ['note', 'the hooks of git-memory are not there: native git does not keep the rules of the memory'],
  HOOKS_OLD: ['warning', 'a hook of git-memory is of another version, or calls a program that moved'],
  MERGE_UNFINISHED: ['note', 'native git has stopped at a merge'],
  NOT_SYNCED: ['note', 'the memory has a remote, and is ahead of it, behind it, or was never in step with it'],
  FETCH_LEFT: ['warning', 'a sync was stopped while it fetched; what had come was never looked at'],
  RESCUED: ['note', 'a ref keeps what a sync or a purge would have lost'],
  CACHE_LARGE: ['note', 'what is derived takes much more room than the memory'],
  HOOKS: ['note', 'hooks that native git runs; the engine runs none'],
  HOOKS_PASSED: ['warning', 'the remote is a folder with hooks that would judge a push; a sync does not run them'],
  FOLDER_OPEN: ['warning', 'any user of this machine may put files into a folder of the repository'],
  MOUNT_SILENT: ['warning', 'a mounted memory cannot be asked; the others answer'],
  EMBEDDER_MISSING: ['warning', 'the model that memory.yaml names cannot be used here; the table of the package ranks'],
  MODEL_MISSING: ['warning', 'the language model that is to read cannot be used here; the rules read'],
  MODEL_NOT_ASKED: ['note', 'memory.yaml says something of a language model that is not followed'],
  LEDGER: [
    'warning',
    'the ledger is not whole: a line, an id or a reference; lines never change, what is derived is made anew',
  ],
  UNFINISHED_MERGE: ['warning', 'a file has the lines by which git marks a conflict; nothing of it is quoted'],
  TRIGGER_EMPTY: ['note', 'recall/triggers.json calls for a file that is not there'],
  LINK_DANGLING: ['note', 'a note links to a note that is not there'],
  LINES_OLD: ['note', 'pages have lines that earlier versions wrote twice, or whose memory or turn is gone'],
  CHECKPOINT_OLD: ['note', 'events came since the ledger was looked at last'],
  CLOCK_AHEAD: ['warning', 'the newest commit lies in the future'],
  TIME_ODD: ['warning', 'a commit has a time that no clock shows; it is shown, and no order depends on it'],
  TIME_REFUSED: ['error', 'commits have a time that git calls corrupt, so that no remote takes them'],
} as const satisfies Record<string, readonly [Severity, string]>;

export type FindingCode = keyof typeof findingCodes | ErrorCode;

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** A path, ref or object. */
  readonly where: string;
  /** What is the matter, in a sentence without a full stop. */
  readonly what: string;
  /** What mends it, or, when `isFixed`, what was done. */
  readonly fix?: string;
  readonly isFixed: boolean;
}
