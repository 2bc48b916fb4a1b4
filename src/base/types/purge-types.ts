// Taking something out of all history for good.

/**
 * What to purge: a text wherever it stands, or a memory by its id. A session goes by its id or path, a file or folder by its path. `times` takes
 * no words out. Commits and tags of before 1970, which git calls corrupt, get the nearest time that it has.
 */
export type PurgeTarget =
  | { readonly text: string }
  | { readonly id: string }
  | { readonly session: string }
  | { readonly path: string }
  | { readonly times: true };

/** How to purge; everything is optional. */
export interface PurgeOptions {
  /** Tell what would be touched, and write nothing. Default false. */
  readonly dryRun?: boolean;
  /** What stands where a text stood, at most 80 letters, digits, spaces and `.,_()[]-`; default `[purged <id>]`. */
  readonly replacement?: string;
  /** Of a memory or session: also memories whose every source goes, and what quotes it word for word. Default false: they are listed. */
  readonly derived?: boolean;
  /** Inside a code repository: rewrite its own branches and tags, too, where they hold it. Default false: refuse. */
  readonly allRefs?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly what: string; readonly done: number; readonly total: number }) => void;
}

/** A ref that was moved, `before` and `after`; null after: it went, since what it said of a remote would no longer be true. */
export interface PurgedRefResult {
  readonly ref: string;
  readonly before: string;
  readonly after: string | null;
}

export interface PurgeResult {
  /** Names the purge: in marks, receipt and commits. */
  readonly id: string;
  /** The commit of the receipt on the open branch; null for a dry run, and where no history held it. */
  readonly commit: string | null;
  /** Path of the receipt in the tree; null where there is none. */
  readonly receipt: string | null;
  /** How many commits have new ids. */
  readonly commits: number;
  /** How many objects went from the packs and folders of git. */
  readonly objects: number;
  /** Files of any time that held it, or went, where they were met first; sorted, as they were called. */
  readonly files: readonly string[];
  /** Commits whose own message or author held it. */
  readonly messages: number;
  readonly refs: readonly PurgedRefResult[];
  /** Acknowledged writes that waited for a commit and held it. */
  readonly pending: number;
  /** Commits and tags that lost a signature, since it was made of other bytes. */
  readonly signed: number;
  /** Of a memory or session: files of the present that name it. */
  readonly derived: readonly string[];
  /** Refs of the code repository that hold it; a dry run names them, and without `allRefs` they keep it from happening. */
  readonly foreign: readonly string[];
  /** What on this machine still holds it, or may. */
  readonly left: readonly { readonly where: string; readonly why: string }[];
  /** What others still hold, and the commands that deal with it. */
  readonly elsewhere: readonly { readonly what: string; readonly commands: readonly string[] }[];
}
