// What is known of a piece of code, a command or an error, from the sessions of coding agents.

import type { CitationVerdict } from './code-types.ts';

/** What a target is. */
export type AboutKind = 'path' | 'symbol' | 'command' | 'error';

export interface AboutOptions {
  /** What the target is, where its form leaves that open. Left out, path, command, error and symbol are tried in turn. */
  readonly kind?: AboutKind;
  /** The most tokens of the text; default 400. */
  readonly tokens?: number;
}

/** Something that is known. */
export type AboutFact = SaidFact | FailedFact | CheckedFact;

interface Noted {
  readonly time: string;
  /** The transcript, and the turn within it; the file of a memory that names none. */
  readonly path: string;
  readonly turn?: number;
  /** That it was on a branch whose work is not here: another branch has it, or none does any more. */
  readonly standing?: 'elsewhere' | 'lost';
  readonly branch?: string;
}

/** What a person said when code was changed, or of it by its name, in their words. */
export interface SaidFact extends Noted {
  readonly fact: 'said';
  readonly speaker: string;
  readonly text: string;
  /** How the code stands that was changed then. */
  readonly code?: CitationVerdict;
  /** When that code was edited again, and what became of it, as far as sessions tell. */
  readonly edited?: { readonly time: string; readonly text: string };
}

/** A command that failed, and what was done before it went well. */
export interface FailedFact extends Noted {
  readonly fact: 'failed';
  readonly command: string;
  readonly error: string;
  readonly mended?: {
    readonly time: string;
    /** Files that were edited, and the new text of the last edit. */
    readonly edited: readonly string[];
    readonly text?: string;
    /** Commands that were run. */
    readonly ran: readonly string[];
    /** What a person said in between. */
    readonly said?: string;
  };
}

/** Checks that were run after the code was changed. */
export interface CheckedFact {
  readonly fact: 'checked';
  readonly commands: readonly string[];
}

export interface AboutResult {
  readonly target: string;
  /** Absent where nothing is known. */
  readonly kind?: AboutKind;
  /** Those that the text tells, in its order; empty where nothing is known. */
  readonly facts: readonly AboutFact[];
  /** The same in words; empty where nothing is known. */
  readonly text: string;
  readonly tokens: number;
}
