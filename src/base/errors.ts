// The one error class of the engine, the table of its codes, and other values in the place of what is missing. Messages are for people and may
// change; codes are promised.

/**
 * Lists every error code with what it means.
 *
 * A caller may branch on these; `entry/` maps each to an exit code. Codes are only ever added.
 */
export const errorCodes = {
  INVALID_ARGUMENT: 'an argument of a public function is missing, of the wrong type or out of range',
  INVALID_PATH: 'a path leaves the repository, is reserved, or has a form git or a file system cannot hold',
  INVALID_REF: 'a branch, tag or ref name breaks git check-ref-format or the layout of the memory repository',
  INVALID_MESSAGE: 'a commit message, subject or trailer cannot be written safely',
  INVALID_DATE: 'a date or time cannot be read',
  INVALID_RECORD: 'a file does not have the format its place in the layout asks for',
  INVALID_CONFIG: 'memory.yaml has an unknown key or a value out of range',
  SECRET: 'a text holds a secret, and it could not be redacted or must not be',
  MASS_REMOVAL: 'a commit would remove so many memories that it has to be asked for in so many words',
  UNACCEPTED: 'a branch that others wrote changes what has to be accepted by its word',
  QUOTA: 'a limit of memory.yaml on how much is kept or waits is reached',
  TOO_LARGE: 'an input or an object is above its size limit',
  NOT_A_REPOSITORY: 'the folder is not inside a git repository',
  NOT_A_MEMORY: 'the repository holds no memory on the branch that was asked for',
  ALREADY_EXISTS: 'something of that name is already there',
  NOT_FOUND: 'no file, record, ref or commit of that name',
  AMBIGUOUS: 'an abbreviated id or name fits more than one thing',
  READ_ONLY: 'the memory was opened read only, or is a view of the past',
  CLOSED: 'the memory or session has been closed',
  IMMUTABLE: 'a change rule forbids the change: captures and logs only grow',
  CONFLICT: 'the change and what happened since contradict each other',
  LOCKED: 'another process holds a lock for longer than the time-out',
  REF_MOVED: 'a ref moved away while an operation was at work, more often than the engine retries',
  REF_CORRUPT: 'a ref file or HEAD holds something that is not a ref',
  BRANCH_LOST: 'a branch is not where it was last seen, and nothing tells that somebody moved it away',
  OBJECT_MISSING: 'a git object is not in the repository',
  OBJECT_CORRUPT: 'a git object does not match its id',
  PRIVATE_KEY_MISSING:
    'a private text cannot be read or written here: its key is not on this machine, or none is named',
  PRIVATE_OPEN:
    'a private text would lie open: it stands unencrypted in a commit, or was to go to a place that is not private',
  PRIVATE_DAMAGED: 'a private text was changed or cut since it was encrypted',
  JOURNAL_CORRUPT: 'the journal holds a damaged entry',
  INDEX_UNSUPPORTED: 'the git index has a format the engine does not write',
  UNSUPPORTED_REPOSITORY: 'the repository uses a format, extension or arrangement the engine does not support',
  UNTRUSTED_REPOSITORY: 'the repository belongs to another user',
  REPOSITORY_CORRUPT: 'a file of the git directory, such as config or packed-refs, is damaged',
  UNSAFE_FILE: 'a link, pipe or device stands where the engine reads or writes a file or folder of its own',
  EXTRACTION_FAILED: 'an extractor failed or returned something that is not a change set',
  EMBEDDER_UNAVAILABLE:
    'an embedder or scorer of turns cannot be had: its package, model or server is missing, or cannot be loaded here',
  EMBEDDING_FAILED: 'an embedder or scorer of turns failed, or returned something that is not one vector per text',
  MODEL_UNAVAILABLE:
    'a language model cannot be asked: its package, key or server is missing, refuses, or stays too busy',
  MODEL_FAILED: 'a language model refused one request, or gave an answer that cannot be used',
  PURGED: 'a purge rewrote the history since this was opened or planned, or what was asked for is gone with it',
  REMOTE_UNAVAILABLE: 'a remote repository cannot be reached, does not answer, or does not let us in',
  REMOTE_REFUSED:
    'what a remote repository holds or says is not followed: rewound, unrelated, purged, damaged or hostile',
  UNMET: 'an expectation of the memory does not hold',
  IO: 'the file system refused a read or write',
} as const;

/** Names one kind of failure; see {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;

/** Describes a failure: what happened, where, and what to do next. */
export interface ErrorDetails {
  /** The path, ref, id, key or argument concerned. */
  readonly where?: string;
  /** What the caller can do about it; a sentence without a full stop. Never a destructive command. */
  readonly hint?: string;
  /** The same for programs, where words do not do; as JSON. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * Is thrown by every public function that cannot do what it was asked; nothing was written unless the message says so.
 *
 * `message` reads `<what> (<where>): <hint>`; `code` is stable.
 */
export class MemoryError extends Error {
  /** What kind of failure it is; promised not to change. */
  readonly code: ErrorCode;
  /** What happened, to what. */
  readonly what: string;
  /** The argument, key, path or line that is meant. */
  readonly where: string | undefined;
  /** What to do next. */
  readonly hint: string | undefined;
  /** What it is about, for programs; `sync` says on which of its errors. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, said: string, details: ErrorDetails = {}) {
    const [what, where, hint] = [cut(said), details.where && cut(details.where), details.hint && cut(details.hint)];
    const place = where === undefined || what.includes(where) ? '' : ` (${where})`;
    super(`${what}${place}${hint === undefined ? '' : `. ${hint}`}`, { cause: details.cause });
    this.name = 'MemoryError';
    this.code = code;
    this.what = what;
    this.where = where;
    this.hint = hint;
    this.data = details.data;
  }

  /** Gives the form in which the command line prints it with `--json`. */
  toJSON(): { error: { code: ErrorCode; what: string; where?: string; hint?: string; data?: object } } {
    return {
      error: {
        code: this.code,
        what: this.what,
        ...(this.where === undefined ? {} : { where: this.where }),
        ...(this.hint === undefined ? {} : { hint: this.hint }),
        ...(this.data === undefined ? {} : { data: this.data }),
      },
    };
  }
}

/** What somebody gave may be quoted, and be megabytes; whatever the engine itself names is shorter than this. */
const cut = (text: string): string => (text.length <= 4_096 ? text : `${text.slice(0, 4_096)}…`);

/** Why a private text cannot be given: its key is not here, or it was damaged. */
export const unreadable = ['PRIVATE_KEY_MISSING', 'PRIVATE_DAMAGED'] as const;

/** Tells whether a private text could not be given. */
export const isUnreadable = ({ code }: MemoryError): boolean => unreadable.some((one) => one === code);

/** Tells whether a thrown value is a file system error of one of those codes, such as `ENOENT`; of any when none is given. */
export function isSystemError(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  if (codes.length > 0) return codes.includes(code);
  // A file system in memory names the path and no call.
  return code !== '' && (syscall !== undefined || (path !== undefined && /^E[A-Z\d]+$/.test(code)));
}

/** Gives what a function gives, or `otherwise` where it throws a MemoryError, or an error of one of the codes that are named. */
export function orElse<Value, Other>(
  read: () => Value,
  otherwise: Other,
  ...codes: readonly (ErrorCode | SystemCode)[]
): Value | Other {
  try {
    return read();
  } catch (error) {
    const isMeant =
      codes.length === 0
        ? error instanceof MemoryError
        : codes.some((code) => code === (error as { code?: unknown }).code);
    if (isMeant && error instanceof Error) return otherwise;
    throw error;
  }
}

/** What a file system answers, such as `ENOENT`. */
type SystemCode = 'EACCES' | 'EEXIST' | 'EISDIR' | 'ENAMETOOLONG' | 'ENOENT' | 'ENOTDIR';

/** Does something, and tells whether it could: not where it throws what {@link orElse} has another value for. */
export const succeeds = (act: () => unknown, ...codes: readonly (ErrorCode | SystemCode)[]): boolean =>
  orElse(() => [act()], null, ...codes) !== null;

/** Gives what a function gives, or `otherwise` where it throws whatever. */
export function attempt<Value, Other>(read: () => Value, otherwise: Other): Value | Other {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Gives the fields of an object that are not undefined, so that an absent option stays absent where it is handed on. */
export function defined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  const given: Partial<Fields> = {};
  for (const name of Object.keys(fields) as (keyof Fields)[]) {
    // Assigning to that name would set something else than a field.
    if (fields[name] !== undefined && name !== '__proto__') given[name] = fields[name];
  }
  return given as { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
}
