// What a text says about code: where it was noted, and how it stands at another commit.

/** Lines of a file, from 1, both inclusive. */
export interface CodeLines {
  readonly from: number;
  readonly to: number;
}

/** A place in code that a text speaks of, noted at one commit and judged at any. */
export interface Citation {
  /** The commit at which it was noted: HEAD then, where the text was not committed yet. */
  readonly commit: string;
  readonly path: string;
  /** The file as it was noted, whether it is in the commit or only became part of one later. */
  readonly blob: string;
  /** Left out where the whole file is meant, and for files that are no text. */
  readonly lines?: CodeLines;
  /** The first 16 hex digits of the SHA-1 of the lines, white space at their ends left out and other white space as one space. */
  readonly fingerprint: string;
}

/**
 * How cited lines stand at a commit, as `git blame --reverse` tells it.
 *
 * - `holds`: each is there, in the same file at the same place, and none was touched on the way
 * - `moved`: each is there, one behind the other, in another place or file
 * - `grown`: each is there, and others were put between them
 * - `changed`: at least one is gone, and other lines are where they were
 * - `gone`: none is there, and no other lines where they were; or the file is gone
 * - `unknown`: the repository cannot tell
 */
export type CitationState = 'holds' | 'moved' | 'grown' | 'changed' | 'gone' | 'unknown';

export interface CitationVerdict {
  readonly state: CitationState;
  /** The commit at which it was judged; `null` where none is checked out. */
  readonly at: string | null;
  /** Where the lines are now, or those that are where they were. */
  readonly path?: string;
  readonly lines?: CodeLines;
  /** The first commit that touched a line, or put one between them. */
  readonly since?: string;
  /** What stands there has the same words, white space aside: a block that was moved or indented anew, or a change that was taken back. */
  readonly sameWords?: true;
  /** What the code says now, where it is `changed` or `grown`; at most 4,000 characters. */
  readonly now?: string;
}

/**
 * Where what was learnt at a commit stands, seen from HEAD.
 *
 * - `here`: HEAD leads back to the commit
 * - `landed`: HEAD has the same change under another id: rebased, cherry-picked, squashed
 * - `elsewhere`: another branch has it
 * - `lost`: no branch has it
 * - `unknown`: the repository cannot tell
 */
export type Standing = 'here' | 'landed' | 'elsewhere' | 'lost' | 'unknown';

/** Where the commit of a session stands that taught something. */
export interface Learnt {
  readonly standing: Standing;
  /** The branch that was checked out then. */
  readonly branch?: string;
}
