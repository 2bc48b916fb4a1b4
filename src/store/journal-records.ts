// The bytes of a journal: a first line with a nonce, then records that each carry their length and checksum.
//
//   git-memory-journal 1 <nonce>\n
//   <bytes> <checksum> <json>\n        one record each: write · mark · done

import { sha256Hex } from '../base/hash.ts';
import type { StoredBytes } from './codec.ts';
import { isOid } from './git/object-codec.ts';
import { checkPath } from './guard/path.ts';
import type { Operation } from './operation.ts';

/** A pending change: the whole stored content, or bytes to append to what was there. */
export interface PendingChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: StoredBytes | null;
  /** Other versions, by blob id, that may be in the work tree in its place: what a person typed, and what was pending before. */
  readonly stood?: readonly string[];
}

/** A write that waits for its commit. Neighbours with the same `run` become one commit. */
export interface PendingEntry
  extends Pick<Operation, 'kind' | 'name' | 'subject' | 'trailers' | 'isHandEdit' | 'mayRemoveMany' | 'mayBeLong'> {
  readonly sequence: number;
  /** Same session, agent and kind. */
  readonly run: string;
  readonly changes: readonly PendingChange[];
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** An archival: it moves lines out of a log into its archive. */
  readonly mayRemoveLines?: boolean;
}

export type NewPendingEntry = Omit<PendingEntry, 'sequence'>;

/** Notes, before a ref moves, which entries the new commit holds, so that a recovery can tell whether they are pending. */
export interface CommitMark {
  readonly id: string;
  readonly from: string | null;
  readonly to: string;
  /** The pending entries that the commit holds. */
  readonly covers: readonly number[];
}

export type JournalRecord =
  | { t: 'write'; entry: StoredEntry }
  | { t: 'mark'; mark: CommitMark }
  | { t: 'done'; id: string; applied: boolean };

export interface StoredEntry extends Omit<PendingEntry, 'changes'> {
  changes: {
    path: string;
    before: string | null;
    text?: string;
    base64?: string;
    append?: true;
    stood?: readonly string[];
  }[];
}

export const header = 'git-memory-journal 1 ';
export const headPattern = /^git-memory-journal 1 ([0-9a-f]{16})\n$/;
export const headBytes = header.length + 17;
export function formatRecord(record: JournalRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  return Buffer.concat([Buffer.from(`${json.length} ${sha256Hex(json).slice(0, 16)} `), json, Buffer.from('\n')]);
}

export function parseRecord(bytes: Buffer, position: number): { record: JournalRecord; end: number } | null {
  const head = /^(\d{1,10}) ([0-9a-f]{16}) /.exec(bytes.toString('latin1', position, position + 30));
  if (!head) return null;
  const start = position + head[0].length;
  const end = start + Number(head[1]);
  // The checksum says that all of it is there, whatever became of the line end.
  if (end >= bytes.length) return null;
  const json = bytes.subarray(start, end);
  if (sha256Hex(json).slice(0, 16) !== head[2]) return null;
  const record = readRecord(json.toString('utf8'));
  return record && { record, end: end + 1 };
}

/**
 * Reads what a checksum vouches for: that it was not damaged, not that we wrote it.
 *
 * A journal may have come with a repository from elsewhere, so that its paths are judged like those of any caller. `null` when it is no
 * record of ours.
 */
function readRecord(json: string): JournalRecord | null {
  try {
    const record = JSON.parse(json) as JournalRecord;
    if (record.t === 'write') return isEntry(record.entry) ? record : null;
    if (record.t === 'mark') return isMark(record.mark) ? record : null;
    return record.t === 'done' && typeof record.id === 'string' ? record : null;
  } catch {
    // Not JSON, or a path that no file of ours has.
    return null;
  }
}

function isEntry(entry: StoredEntry): boolean {
  return (
    Number.isSafeInteger(entry.sequence) &&
    [entry.run, entry.kind, entry.name].every((text) => typeof text === 'string') &&
    Number.isFinite(entry.time) &&
    Array.isArray(entry.trailers) &&
    entry.trailers.every(({ key, value }) => typeof key === 'string' && typeof value === 'string') &&
    entry.changes.every(
      ({ path, before, text, base64, stood = [] }) =>
        checkPath(path) === path &&
        (before === null || isOid(before)) &&
        stood.every(isOid) &&
        [text, base64].every((content) => content === undefined || typeof content === 'string'),
    )
  );
}

function isMark(mark: CommitMark): boolean {
  return (
    [mark.id, mark.to, mark.from ?? ''].every((text) => typeof text === 'string') &&
    mark.covers.every((sequence) => Number.isSafeInteger(sequence))
  );
}

/** Finds the next whole record behind damage, wherever it begins: the line end before it may be what is damaged. */
export function nextRecord(bytes: Buffer, from: number): number {
  for (const match of bytes
    .toString('latin1')
    .slice(from)
    .matchAll(/\d{1,10} [0-9a-f]{16} /g)) {
    if (match.index > 0 && parseRecord(bytes, from + match.index)) return from + match.index;
  }
  return -1;
}

/** Tells whether a file is the beginning of what a first write puts there, and no more than its first line. */
export const isStillborn = (head: string): boolean =>
  head.length < headBytes && header.startsWith(head.slice(0, header.length));
