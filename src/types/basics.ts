// What more than one of the public shapes is made of.

/** A date, an ISO 8601 text, or milliseconds since the Unix epoch. Times go out as ISO 8601 texts. */
export type TimeInput = string | number | Date;

/** Where the memory lives in git; see docs/guide-git.md, "Placement". */
export type Placement = 'repository' | 'bare' | 'branch' | 'project';

/** A secret that was kept out: `[redacted:kind]` stands where it was. */
export interface Redaction {
  readonly kind: string;
  readonly path: string;
  /** 1-based line of the file. */
  readonly line: number;
  /** 1-based number of the turn within its session; absent in front matter and outside conversations. */
  readonly turn?: number;
}
