// What is recorded in the ledger, and what can be asked of it.

import type { LedgerEvent } from '../records/ledger-event.ts';
import type { EventWords } from '../records/new-event.ts';
import type { Redaction, TimeInput } from './basics.ts';

/** Something that happened, was decided, promised or learnt. */
export interface EventInput extends EventWords {
  /** When it was recorded; default now. Decides the day it belongs to. */
  readonly time?: TimeInput;
}

export interface EventResult {
  readonly id: string;
  readonly path: string;
  /** Null when git's index was busy and inside a project: durable in the journal. */
  readonly commit: string | null;
  readonly event: LedgerEvent;
  /** Secrets that were redacted; absent when there were none. */
  readonly redacted?: readonly Redaction[];
}
