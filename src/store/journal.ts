// The journal of one branch: what is acknowledged and not yet in a commit, and which commit is just being made.
// Appended under the repository lock with one sync; a torn end was never acknowledged and is cut off by the next append.

import { defined, MemoryError } from '../base/errors.ts';
import { sha256Hex } from '../base/hash.ts';
import type { StoredBytes } from './codec.ts';
import type { Disk, FileStat } from './git/disk.ts';
import { newObject } from './git/object-codec.ts';
import {
  type CommitMark,
  formatRecord,
  headBytes,
  header,
  headPattern,
  isStillborn,
  type JournalRecord,
  type NewPendingEntry,
  nextRecord,
  type PendingChange,
  type PendingEntry,
  parseRecord,
  type StoredEntry,
} from './journal-records.ts';
import { FoldedNames } from './name-clash.ts';

/** What is pending on a path: the content it will have and its blob id; null bytes mean it will be gone. */
interface PendingFile {
  readonly oid: string | null;
  readonly bytes: StoredBytes | null;
  readonly entry: PendingEntry;
}

/** A file that stands over the one of the commit; `null`: it is gone. */
export type OverlaidFile = Pick<PendingFile, 'oid' | 'bytes'>;

/** Files that are acknowledged and not yet in a commit. */
export interface Overlay {
  readonly files: ReadonlyMap<string, OverlaidFile>;
  /** Tells one overlay from another, together with the commit. */
  readonly version: string;
  /** Of all files here, and maybe of some that no longer are. */
  readonly names: FoldedNames;
}

const lineFeed = 0x0a;
/** With nothing pending, a journal longer than this is removed; a shorter one stays, since a new file costs a sync more. */
const clearBytes = 64 << 10;
/** Done work makes a journal longer than this be rewritten with what is still pending. */
const compactBytes = 4 << 20;

/** What tells beside a journal which of its writes are settled: in commits, or gone. A journal that is cut, or an older copy, does not. */
interface JournalWitness {
  /** Up to which write all are settled; 0 when nobody noted any. */
  settledIn(nonce: string): number;
  settle(nonce: string, sequence: number): void;
  /** Whether these bytes are stored, as those of a write in a commit are. */
  isStored(oid: string): boolean;
}

export class Journal {
  readonly path: string;
  private readonly disk: Disk;
  private readonly witness: JournalWitness | null;
  private nonce: string | null = null;
  private stat: FileStat | null = null;
  /** Bytes that hold whole records. */
  private size = 0;
  private nextSequence = 1;
  private readonly entries = new Map<number, PendingEntry>();
  private files = new Map<string, PendingFile>();
  /** Every version that is pending on a path, by blob id, and every one it took the place of. Any may be in the work tree. */
  private readonly versions = new Map<string, Set<string>>();
  /** Of every path that is pending, or was until its entry was committed. */
  private readonly names = new FoldedNames();
  /** Somebody holds {@link files}: it is copied before it changes. */
  private isShared = false;
  private open: CommitMark | null = null;
  /** Whether something was passed over that may have been a write. */
  isDamaged = false;

  constructor(disk: Disk, path: string, witness: JournalWitness | null = null) {
    this.disk = disk;
    this.path = path;
    this.witness = witness;
  }

  /**
   * Brings memory in step with the file; cheap when nothing changed. Returns whether anything did.
   *
   * Damage is passed over and noted in {@link isDamaged}; whether to go on without it is the caller's to say.
   */
  refresh(): boolean {
    const stat = this.disk.stat(this.path);
    if (stat === null) {
      const wasEmpty = this.nonce === null;
      this.reset();
      return !wasEmpty;
    }
    if (this.stat && stat.ino === this.stat.ino && stat.size === this.stat.size && stat.mtimeNs === this.stat.mtimeNs)
      return false;
    const bytes = this.disk.read(this.path) ?? Buffer.alloc(0);
    const head = bytes.toString('latin1', 0, headBytes);
    const nonce = headPattern.exec(head)?.[1] ?? null;
    if (nonce === null || nonce !== this.nonce || this.size > bytes.length) {
      this.reset();
      // A first write that never finished acknowledged nothing.
      this.isDamaged = nonce === null && !isStillborn(head);
      this.nonce = this.isDamaged ? 'unreadable' : nonce;
      this.size = nonce === null ? 0 : headBytes;
    }
    if (this.nonce !== null) this.parse(bytes);
    this.dropSettled();
    this.stat = stat;
    return true;
  }

  /** Throws JOURNAL_CORRUPT when a part of the file is damaged: what was pending there would silently be missing. */
  checkWhole(): void {
    if (!this.isDamaged) return;
    throw new MemoryError('JOURNAL_CORRUPT', 'a part of the journal is damaged', {
      where: this.path,
      hint: 'Nothing was changed. Open the memory for writing: that saves a copy and continues with the intact writes',
    });
  }

  /** Puts a copy of the file aside, durable when it returns, and gives its path; call under the lock. */
  keepCopy(): string {
    const bytes = this.disk.read(this.path) ?? Buffer.alloc(0);
    const copy = `${this.path}.damaged-${sha256Hex(bytes).slice(0, 12)}`;
    if (!this.disk.exists(copy)) {
      this.disk.writeNew(copy, [bytes], { mode: 0o600 });
      this.disk.syncDirectory(copy.slice(0, copy.lastIndexOf('/')));
    }
    return copy;
  }

  /** Lists copies of damaged journals of this branch. */
  copies(): string[] {
    const end = this.path.lastIndexOf('/');
    const start = `${this.path.slice(end + 1)}.damaged-`;
    const names = this.disk.list(this.path.slice(0, end)).filter((name) => name.startsWith(start));
    return names.map((name) => `${this.path.slice(0, end)}/${name}`);
  }

  /** Pending entries in the order they were written. */
  pending(): PendingEntry[] {
    return [...this.entries.values()];
  }

  /** How many writes are pending. */
  get count(): number {
    return this.entries.size;
  }

  /** Another for each file that was begun anew. */
  get identity(): string | null {
    return this.nonce;
  }

  get bytes(): number {
    return this.size;
  }

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /**
   * Gives what is pending on top of a commit: without what a commit just made, whose end is not yet noted, holds.
   *
   * `isBehind` tells whether a commit leads to that one. What followed needs no journal, and a power cut can take the note of the end back.
   * A `live` overlay is valid until the next change, within one critical section; another one never changes.
   */
  overlay(tip: string | null, live = false, isBehind: (mark: CommitMark) => boolean = () => false): Overlay | null {
    if (this.entries.size === 0) return null;
    const version = `${this.nonce}:${this.size}`;
    if (!this.isOpenAt(tip, isBehind)) {
      this.isShared ||= !live;
      return { files: this.files, version, names: this.names };
    }
    return { ...overlayOf(this.pendingAt(tip, isBehind), `${version}>`), names: this.names };
  }

  /** Gives what is pending beside a commit: without what one just made, whose end is not yet noted, holds. */
  pendingAt(tip: string | null, isBehind: (mark: CommitMark) => boolean = () => false): PendingEntry[] {
    if (!this.isOpenAt(tip, isBehind)) return this.pending();
    const covered = new Set(this.open!.covers);
    return this.pending().filter(({ sequence }) => !covered.has(sequence));
  }

  private isOpenAt(tip: string | null, isBehind: (mark: CommitMark) => boolean): boolean {
    return this.open !== null && (this.open.to === tip || isBehind(this.open));
  }

  /** Gives the versions of a file that may be in the work tree, by blob id. */
  versionsOf(path: string): ReadonlySet<string> {
    return this.versions.get(path) ?? new Set();
  }

  /** Tells whether a blob is one of the pending versions of a file, also of one that a later version replaced. */
  isProjection(path: string, oid: string): boolean {
    return this.versions.get(path)?.has(oid) ?? false;
  }

  /** Tells whether a file has pending versions that may have been put into the work tree. */
  hasProjection(path: string): boolean {
    return this.versions.has(path);
  }

  /** The commit that was begun and neither finished nor forgotten, if any. */
  get openMark(): CommitMark | null {
    return this.open;
  }

  /** Appends entries, durable when it returns. Must be called under the lock, after refresh. */
  append(entries: readonly NewPendingEntry[]): PendingEntry[] {
    const numbered = entries.map((entry, position) => ({ ...entry, sequence: this.nextSequence + position }));
    // One by one: the second of two additions to a file builds on the first.
    const records: JournalRecord[] = [];
    const files = numbered.length > 1 ? new Map(this.files) : this.files;
    for (const entry of numbered) {
      records.push({ t: 'write', entry: toStored(entry, files) });
      if (numbered.length > 1) projectEntry(files, entry);
    }
    this.write(records);
    for (const entry of numbered) this.takeEntry(entry);
    return numbered;
  }

  /** Notes a commit that is about to be made; durable when it returns. */
  mark(mark: CommitMark): void {
    this.write([{ t: 'mark', mark }]);
    this.open = mark;
  }

  /**
   * Notes that a marked commit was made (`applied`) or will not be; its entries are pending no more in the first case.
   *
   * Not synced: a recovery that does not find this line finds out by looking at the ref.
   */
  done(id: string, applied: boolean): void {
    this.write([{ t: 'done', id, applied }], false);
    this.take({ t: 'done', id, applied });
    if (applied && this.nonce !== null) this.witness?.settle(this.nonce, this.settledSequence);
    if (this.entries.size === 0 && this.size > clearBytes) this.clear();
    else if (this.size > compactBytes) this.compact();
  }

  /** Entries are settled in any order, where a rule keeps one out; up to this one all are. */
  private get settledSequence(): number {
    let first = this.nextSequence;
    for (const sequence of this.entries.keys()) first = Math.min(first, sequence);
    return first - 1;
  }

  /** Drops what the note of the branch tells to be settled, where this file has lost the line that says so. */
  private dropSettled(): void {
    const settled = this.nonce === null ? 0 : (this.witness?.settledIn(this.nonce) ?? 0);
    this.nextSequence = Math.max(this.nextSequence, settled + 1);
    const isStored = ({ after }: PendingChange) =>
      after === null || this.witness!.isStored(newObject('blob', after).oid);
    const dropped = this.pending().filter(({ sequence, changes }) => sequence <= settled && changes.every(isStored));
    if (dropped.length > 0) this.dropEntries(dropped.map(({ sequence }) => sequence));
  }

  private dropEntries(sequences: readonly number[]): void {
    for (const sequence of sequences) this.entries.delete(sequence);
    this.files = new Map();
    this.isShared = false;
    this.versions.clear();
    this.names.clear();
    for (const entry of this.entries.values()) this.projectNoted(entry);
  }

  private clear(): void {
    this.disk.remove(this.path);
    this.reset();
  }

  /** Rewrites the file with what is pending; call under the lock, with no mark open. */
  compact(): void {
    this.replace(this.pending());
  }

  /** Writes other entries in the place of all that are pending, durable when it returns; call under the lock, with no mark open. */
  replace(entries: readonly PendingEntry[]): void {
    const temporary = this.disk.temporaryName(`${this.path}.`);
    this.disk.writeNew(temporary, this.formatted(entries), { mode: 0o600 });
    this.disk.rename(temporary, this.path);
    this.disk.syncDirectory(this.path.slice(0, this.path.lastIndexOf('/')));
    this.stat = null;
    this.refresh();
  }

  /** Formats a journal that holds these entries and nothing else. */
  formatted(entries: readonly PendingEntry[]): Buffer[] {
    const files = new Map<string, PendingFile>();
    const lines = entries.map((entry) => {
      const line = formatRecord({ t: 'write', entry: toStored(entry, files) });
      projectEntry(files, entry);
      return line;
    });
    return [Buffer.from(`${header}${this.newNonce()}\n`), ...lines];
  }

  private newNonce(): string {
    return sha256Hex(this.disk.temporaryName(`${Math.random()}`)).slice(0, 16);
  }

  private write(records: readonly JournalRecord[], sync = this.disk.sync): void {
    const { fs } = this.disk;
    const folder = this.path.slice(0, this.path.lastIndexOf('/'));
    const isNew = this.nonce === null;
    if (isNew) {
      this.disk.makeDirectory(folder);
      // A first write that never finished; anything else was repaired before.
      this.disk.remove(this.path);
    }
    const nonce = this.nonce ?? this.newNonce();
    const head = isNew ? [Buffer.from(`${header}${nonce}\n`)] : [];
    const bytes = Buffer.concat([...head, ...records.map(formatRecord)]);
    const descriptor = isNew ? fs.openSync(this.path, 'wx', 0o600) : this.disk.openFile(this.path, 'r+');
    let isComplete = false;
    try {
      // Cuts off what a crash left behind the last whole record.
      if (!isNew) fs.ftruncateSync(descriptor, this.size);
      let offset = 0;
      while (offset < bytes.length)
        offset += fs.writeSync(descriptor, bytes, offset, bytes.length - offset, this.size + offset);
      if (sync) fs.fsyncSync(descriptor);
      isComplete = true;
    } finally {
      if (!isComplete) {
        try {
          if (isNew) this.disk.removeQuietly(this.path);
          else fs.ftruncateSync(descriptor, this.size);
        } catch {
          // What stays behind the last whole record is cut off by the next append.
        }
        this.stat = null;
      }
      fs.closeSync(descriptor);
    }
    if (isNew && sync) this.disk.syncDirectory(folder);
    this.nonce = nonce;
    this.size += bytes.length;
    try {
      this.stat = this.disk.stat(this.path);
    } catch {
      // The records are written, so the caller must go on; the next look at the file reads it again.
      this.stat = null;
    }
  }

  private parse(bytes: Buffer): void {
    let position = this.size;
    while (position < bytes.length) {
      const parsed = parseRecord(bytes, position);
      if (parsed) {
        if (!this.take(parsed.record)) this.isDamaged = true;
        position = parsed.end;
        this.size = position;
        continue;
      }
      // A torn end was never acknowledged. A line that is finished, or has whole records behind it, was.
      const next = nextRecord(bytes, position);
      if (next >= 0 || bytes[bytes.length - 1] === lineFeed) this.isDamaged = true;
      if (next < 0) break;
      position = next;
    }
  }

  private unshare(): void {
    if (!this.isShared) return;
    this.files = new Map(this.files);
    this.isShared = false;
  }

  private takeEntry(entry: PendingEntry): void {
    this.unshare();
    this.entries.set(entry.sequence, entry);
    this.nextSequence = Math.max(this.nextSequence, entry.sequence + 1);
    this.projectNoted(entry);
  }

  private projectNoted(entry: PendingEntry): void {
    for (const { path } of entry.changes) if (!this.files.has(path)) this.names.add(path);
    projectEntry(this.files, entry);
    this.noteVersions(entry);
  }

  private noteVersions(entry: PendingEntry): void {
    for (const { path, stood = [] } of entry.changes) {
      const oid = this.files.get(path)?.oid;
      const versions = oid == null ? stood : [oid, ...stood];
      if (versions.length === 0) continue;
      const known = this.versions.get(path);
      if (known) for (const version of versions) known.add(version);
      else this.versions.set(path, new Set(versions));
    }
  }

  /** Returns false for an addition to a file whose beginning is damaged. */
  private take(record: JournalRecord): boolean {
    if (record.t === 'write') {
      const entry = this.fromStored(record.entry);
      if (entry === null) return false;
      this.takeEntry(entry);
    } else if (record.t === 'mark') this.open = record.mark;
    else if (this.open?.id === record.id) {
      if (record.applied) this.dropEntries(this.open.covers);
      this.open = null;
    }
    return true;
  }

  private fromStored(stored: StoredEntry): PendingEntry | null {
    const changes: PendingChange[] = [];
    for (const { path, before, text, base64, append, stood } of stored.changes) {
      const also = defined({ stood });
      const bytes =
        text === undefined ? (base64 === undefined ? null : Buffer.from(base64, 'base64')) : Buffer.from(text);
      if (bytes === null || !append) {
        changes.push({ path, before, after: bytes, ...also });
        continue;
      }
      const previous = this.files.get(path);
      if (previous?.bytes == null || previous.oid !== before) return null;
      changes.push({ path, before, after: Buffer.concat([previous.bytes, bytes]), ...also });
    }
    return { ...stored, changes };
  }

  private reset(): void {
    this.nonce = null;
    this.stat = null;
    this.size = 0;
    this.nextSequence = 1;
    this.entries.clear();
    this.versions.clear();
    this.names.clear();
    this.files = new Map();
    this.isShared = false;
    this.open = null;
    this.isDamaged = false;
  }
}

/** A turn of an open session is stored as what it adds, or a long session would be written over and over. */
function toStored(entry: PendingEntry, files: ReadonlyMap<string, PendingFile>): StoredEntry {
  return {
    ...entry,
    changes: entry.changes.map(({ path, before, after, stood }) => {
      const also = defined({ stood });
      if (after === null) return { path, before, ...also };
      const previous = files.get(path);
      const isGrowth =
        previous?.bytes != null &&
        previous.oid === before &&
        after.length > previous.bytes.length &&
        after.compare(previous.bytes, 0, previous.bytes.length, 0, previous.bytes.length) === 0;
      const bytes = isGrowth ? after.subarray(previous!.bytes!.length) : after;
      const text = bytes.toString('utf8');
      const content = Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString('base64') };
      return { path, before, ...content, ...(isGrowth ? { append: true as const } : {}), ...also };
    }),
  };
}

/** What entries leave on top of a commit. */
export function overlayOf(entries: readonly PendingEntry[], version: string): Overlay {
  const files = new Map<string, PendingFile>();
  for (const entry of entries) projectEntry(files, entry);
  const names = new FoldedNames();
  for (const path of files.keys()) names.add(path);
  return { files, version, names };
}

function projectEntry(files: Map<string, PendingFile>, entry: PendingEntry): void {
  for (const change of entry.changes) {
    const oid = change.after === null ? null : newObject('blob', change.after).oid;
    files.set(change.path, { oid, bytes: change.after, entry });
  }
}
