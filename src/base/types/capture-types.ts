// Captures: they go into raw/, and the result says what became of them.

import type { Redaction, TimeInput } from './basics-types.ts';

/** A file that comes with a message: its bytes, or where it lies on this machine. */
export type Attachment =
  | {
      /** What people call it; no path is made of it. */
      readonly name: string;
      readonly bytes: Uint8Array;
    }
  | {
      /** An ordinary file; a link is not followed. */
      readonly path: string;
      /** Default: the last part of the path. */
      readonly name?: string;
    };

export interface CaptureMessage {
  readonly role: string;
  readonly text: string;
  readonly time?: TimeInput;
  readonly speaker?: string;
  readonly attachments?: readonly Attachment[];
}

export type CaptureInput =
  | string
  | {
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      readonly topic?: string;
      readonly channel?: string;
      readonly time?: TimeInput;
      readonly trust?: 'low';
    }
  | (SessionOptions & { readonly messages: readonly CaptureMessage[]; readonly ended?: TimeInput });

/** Says how a session begins; everything has a default. */
export interface SessionOptions {
  readonly session?: string;
  readonly channel?: string;
  readonly model?: string;
  readonly topic?: string;
  readonly agent?: string;
  readonly tags?: readonly string[];
  /** That the words may be anybody's; what is taken from them is data and nobody's wish. */
  readonly trust?: 'low';
  readonly started?: TimeInput;
}

/** `commit` is null when git's index was busy: the capture is durable in the journal and the next flush commits it. */
export interface CaptureResult {
  readonly path: string;
  readonly session: string;
  readonly turns: number;
  /** It has several lines, and they are no turns of a conversation in any form that is known: it was kept as one text. */
  readonly isOneText?: true;
  readonly commit: string | null;
  /** The branch of quarantine it went to, since it is of low trust and `trust.quarantine` is set. */
  readonly branch?: string;
  /** Secrets that were redacted; absent when there were none. */
  readonly redacted?: readonly Redaction[];
  /** Paths of the files that came with it; absent when there were none. */
  readonly attachments?: readonly string[];
  /** What was extracted at once; absent unless `auto_extract` is set, or an hour is over with `extract.trigger: hourly`. */
  readonly extraction?: CaptureExtraction;
}

/** What came of the extraction that follows a capture by itself. */
export interface CaptureExtraction {
  /** Ids of memories. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** What went otherwise than wanted, such as a model that could not be asked. */
  readonly notes?: readonly string[];
  /** Why there is nothing; the capture stands nevertheless. */
  readonly error?: string;
}

/** What hands attachments to git-lfs; `commit` is null where all was there already. */
export interface LfsResult {
  readonly commit: string | null;
  /** The lines of `.gitattributes`. */
  readonly lines: readonly string[];
}
