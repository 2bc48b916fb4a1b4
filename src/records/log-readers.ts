// Which files are append-only logs, and how each is cut into entries: a new log is one line here.

import { kindOf } from './kind.ts';
import { parseLedger } from './ledger-segment.ts';
import type { LogReader } from './log.ts';

/** Gives the reader of a log's file; null for every other path. */
export function logReaderOf(path: string): LogReader | null {
  return kindOf(path) === 'ledger' ? parseLedger : null;
}
