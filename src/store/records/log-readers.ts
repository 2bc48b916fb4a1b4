// The formats of append-only logs: a new log is one line here.

import { changelogPaths, checkAddedChanges, isEventLog, logOffset, parseChangelog } from './changelog.ts';
import { kindOf } from './kind.ts';
import { checkAddedEvents, grownBy, parseLedger } from './ledger-segment.ts';
import type { LogReader } from './log.ts';

/** One kind of append-only log. */
export interface LogFormat {
  /** What messages call it. */
  readonly name: string;
  readonly read: LogReader;
  /** Tells whether a text at a path of the log is one: a project may have a changelog of another kind. */
  isLog(text: string, path: string): boolean;
  /** The offset from which a text only grows; what stands before it is a preamble. */
  startOf(text: string, path: string): number;
  /** Gives what a text, from that offset on, grew by; null where it did anything else. */
  grownBy(before: string, after: string, path: string): string | null;
  /** Checks what is appended by hand; throws INVALID_RECORD with path, line and reason. */
  checkAdded(before: string, added: string, path: string): void;
}

const ledger: LogFormat = {
  name: 'ledger',
  read: parseLedger,
  isLog: () => true,
  startOf: () => 0,
  grownBy,
  checkAdded: checkAddedEvents,
};

const changelog: LogFormat = {
  name: 'changelog',
  read: parseChangelog,
  isLog: isEventLog,
  startOf: logOffset,
  grownBy: (before, after) => (after.startsWith(before) ? after.slice(before.length) : null),
  checkAdded: checkAddedChanges,
};

/** Gives the format of the log that a path belongs to; null for every other path. */
export function logFormatOf(path: string): LogFormat | null {
  const kind = kindOf(path);
  return kind === 'ledger' ? ledger : kind === 'changelog' ? changelog : null;
}

/** Gives the reader of a log's file; null for every other path, and where none of the versions of a file is a log. */
export function logReaderOf(path: string, ...versions: readonly (string | null)[]): LogReader | null {
  const format = logFormatOf(path);
  if (format === null) return null;
  const isLog = versions.length === 0 || versions.some((text) => text !== null && format.isLog(text, path));
  return isLog ? format.read : null;
}

/** Lists where the logs of a state lie, or may lie. */
export const logPathsIn = (files: { list(prefix: string): ReadonlyMap<string, string> }): string[] => [
  ...[...files.list('ledger/').keys()].filter((path) => logFormatOf(path) !== null),
  ...changelogPaths,
];
