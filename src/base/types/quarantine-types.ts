// Captures of low trust that wait on branches of their own: what each would bring, and what became of it.

import type { AcceptableChange, IncomingFindings } from './branches-types.ts';

/** A conversation that waits. */
export interface QuarantinedCapture {
  readonly path: string;
  readonly session: string;
  readonly topic?: string;
  readonly channel?: string;
  /** Whether it goes on: a session that nobody has ended. */
  readonly isOpen: boolean;
  readonly turns: readonly { readonly role: string; readonly speaker?: string; readonly text: string }[];
}

/** A memory that would come, or come out otherwise. */
export interface QuarantinedMemory {
  readonly id: string;
  readonly path: string;
  readonly change: 'new' | 'changed' | 'gone';
  readonly content: string;
  readonly category?: string;
  readonly confidence?: number;
}

/** One branch of quarantine. */
export interface QuarantineEntry {
  /** `quarantine/…`; the part behind the slash names it as well. */
  readonly name: string;
  /** Its newest commit: what a reviewer has seen. */
  readonly commit: string;
  readonly time: string;
  readonly captures: readonly QuarantinedCapture[];
  readonly memories: readonly QuarantinedMemory[];
  /** What else it would change, such as boxes and attachments. */
  readonly files: readonly string[];
}

/** What lies in quarantine, by name; `dropped` are the tags that keep what was dropped. */
export interface QuarantineListResult {
  readonly quarantined: readonly QuarantineEntry[];
  readonly dropped: readonly { readonly tag: string; readonly commit: string; readonly time: string }[];
}

export interface QuarantineShowResult extends QuarantineEntry {
  /** Paths about which it and the present contradict. */
  readonly conflicts: readonly string[];
  /** Why it would not be let in; left out where nothing speaks against it. */
  readonly refused?: IncomingFindings;
}

export interface AcceptQuarantineOptions {
  /** The commit that was reviewed; CONFLICT when the branch went on since. */
  readonly commit?: string;
  /** What it may change, as for a merge; default: nothing of the kind. */
  readonly accept?: readonly AcceptableChange[];
}

export interface AcceptQuarantineResult {
  readonly name: string;
  /** The merge, which undo takes back; null when everything was here already. */
  readonly commit: string | null;
  readonly captures: number;
  readonly memories: number;
  readonly conflicts: readonly string[];
}

export interface DropQuarantineResult {
  readonly name: string;
  readonly commit: string;
  /** Keeps the evidence: `memory/quarantine/<name>`. */
  readonly tag: string;
}
