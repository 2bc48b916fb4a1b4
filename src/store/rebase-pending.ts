// Puts pending entries upon a tip that has moved on. A person's own commit may hold some, stand beside some, or have taken an id.

import type { BranchParts } from './branch-parts.ts';
import type { Codec, StoredBytes } from './codec.ts';
import type { Derivation } from './derive.ts';
import { withFollowing } from './follow-pending.ts';
import { newObject } from './git/object-codec.ts';
import { type Journal, type Overlay, overlayOf } from './journal.ts';
import type { CommitMark, PendingChange, PendingEntry } from './journal-records.ts';
import { growAgain } from './merge/growth.ts';
import { mayCite } from './merge-logs.ts';
import { laterOf, mergeStored, textOf } from './merge-stored.ts';
import { logFormatOf } from './records/log-readers.ts';
import { replaceSequenceIds } from './records/sequence-id.ts';
import { isMade } from './recovery.ts';
import { takesAway } from './runs.ts';
import { Snapshot } from './snapshot.ts';

type PendingViewParts = Pick<BranchParts, 'repository' | 'codec' | 'journal' | 'derivations'>;

interface RebaseContext {
  readonly codec: Codec;
  readonly derivations: readonly Derivation[];
  /** Every version of a file that may be in the work tree, by blob id. */
  versionsOf(path: string): Iterable<string>;
  readObject(oid: string): StoredBytes | null;
}

/** Tells whether entries were written upon the files that a commit has. Paths that were `seen` are passed over, and noted. */
function isUpon(entries: readonly PendingEntry[], tip: Snapshot, seen: Set<string>): boolean {
  return entries.every(({ changes }) =>
    changes.every(({ path, before }) => {
      if (seen.has(path)) return true;
      seen.add(path);
      return tip.oidOf(path) === before;
    }),
  );
}

/** What is pending, as it is upon a tip that has moved on since it was written. */
interface RebasedPending {
  readonly entries: readonly PendingEntry[];
  readonly overlay: Overlay;
}

/** What the journal holds, as it is upon whichever tip is asked for. Entries that were written upon it are looked at once. */
export class PendingView {
  private readonly parts: PendingViewParts;
  /** The commit, and the journal, whose entries were found to be written upon it. */
  private inStep: {
    readonly upon: string;
    readonly version: string;
    readonly paths: Set<string>;
    last: number;
  } | null = null;
  private rebased: (RebasedPending & { readonly key: string }) | null = null;

  constructor(parts: PendingViewParts) {
    this.parts = parts;
  }

  /** Gives what stands over a tip, `isLive` as for {@link Journal.overlay}; null where nothing is pending. */
  overlayAt(tip: string | null, isLive: boolean): Overlay | null {
    return this.rebasedUpon(tip)?.overlay ?? this.parts.journal.overlay(tip, isLive, this.isBehind(tip));
  }

  /** Gives the entries, oldest first. */
  entriesAt(tip: string | null): readonly PendingEntry[] {
    return this.rebasedUpon(tip)?.entries ?? this.parts.journal.pending();
  }

  /** Null while what is pending was written upon this tip. */
  rebasedUpon(tip: string | null): RebasedPending | null {
    const { repository, codec, journal, derivations } = this.parts;
    const { objects } = repository;
    const isBehind = this.isBehind(tip);
    const overlay = journal.overlay(tip, true, isBehind);
    if (overlay === null) return null;
    const key = `${tip} ${overlay.version}`;
    if (this.inStep?.version === key) return null;
    if (this.rebased?.key === key) return this.rebased;
    const upon = `${tip} ${journal.identity}`;
    const seen = this.inStep?.upon === upon ? this.inStep : { upon, paths: new Set<string>(), last: 0 };
    const pending = journal.pendingAt(tip, isBehind);
    const state = new Snapshot(repository, codec, tip);
    // What was looked at before need not be again: a batch of thousands would be, for each write that joins it.
    const added = pending.filter(({ sequence }) => sequence > seen.last);
    if (isUpon(added, state, seen.paths)) {
      this.inStep = { ...seen, version: key, last: pending.at(-1)?.sequence ?? 0 };
      return null;
    }
    this.inStep = null;
    const entries = rebasePending(pending, state, {
      codec,
      derivations,
      versionsOf: (path) => journal.versionsOf(path),
      readObject: (oid) => (objects.has(oid) ? objects.readBlob(oid) : null),
    });
    this.rebased = { key, entries, overlay: overlayOf(entries, `${overlay.version}@${tip}`) };
    return this.rebased;
  }

  private isBehind(tip: string | null): (mark: CommitMark) => boolean {
    return (mark) => isMade(this.parts.repository, tip, mark);
  }
}

/**
 * Gives entries as they are upon a tip: without what it has already, the others merged with it, as a flush would. A log may call something
 * otherwise than when an entry was written. That entry then does so too, and so do all that were written with it or later.
 */
function rebasePending(
  entries: readonly PendingEntry[],
  tip: Snapshot,
  context: RebaseContext,
): readonly PendingEntry[] {
  const { codec, derivations } = context;
  const rebase = new Rebase(entries, tip, context);
  const rebased = entries.flatMap((entry) => rebase.entry(entry));
  // A file that follows from others is never merged.
  return withFollowing(rebased, tip, derivations, codec);
}

class Rebase {
  private readonly tip: Snapshot;
  private readonly context: RebaseContext;
  private readonly files = new Map<string, { oid: string | null; bytes: StoredBytes | null }>();
  /** Versions as they were written, by blob id. */
  private readonly written = new Map<string, StoredBytes>();
  private readonly names = new Map<string, string>();
  /** Changes of files that the tip has otherwise than when they were written. */
  private readonly moved = new Map<string, PendingChange[]>();
  /** Changes of a file that the tip holds, as it holds that very version. */
  private readonly held = new Set<PendingChange>();
  /** Changes up to a version that the tip holds, where it says nothing of an earlier one. They are made again, each upon the one before. */
  private readonly again = new Set<PendingChange>();

  constructor(entries: readonly PendingEntry[], tip: Snapshot, context: RebaseContext) {
    this.tip = tip;
    this.context = context;
    for (const { changes } of entries) {
      for (const change of changes) {
        const group = this.moved.get(change.path) ?? [];
        this.moved.set(change.path, [...group, change]);
      }
    }
    for (const [path, group] of this.moved) {
      const oid = tip.oidOf(path);
      if (group[0]!.before === oid) this.moved.delete(path);
      else this.hold(path, group.slice(0, group.findLastIndex(({ after }) => oidOf(after) === oid) + 1));
    }
  }

  /** Somebody else committed what the last of these changes came to, and with it only what that still says of the others. */
  private hold(path: string, changes: readonly PendingChange[]): void {
    const last = changes.at(-1);
    if (last === undefined) return;
    const [{ before }] = changes as [PendingChange];
    const base = () => (before === null ? null : this.context.readObject(before));
    const isLost = ({ after }: PendingChange) =>
      takesAway(path, { base, bytes: after }, last.after, this.context.codec);
    const lost = changes.filter(isLost);
    for (const change of changes) this.held.add(change);
    for (const change of lost.length === 0 ? [] : [...lost, last]) {
      this.held.delete(change);
      this.again.add(change);
    }
  }

  entry(entry: PendingEntry): PendingEntry[] {
    const changes = entry.changes.flatMap((change) => this.change(change) ?? []);
    if (changes.length === 0 && entry.changes.length > 0) return [];
    const subject = entry.subject === undefined ? {} : { subject: this.renamed(entry.subject) };
    return [{ ...entry, ...subject, changes }];
  }

  private change(change: PendingChange): PendingChange | null {
    const { path, before } = change;
    if (change.after !== null) this.written.set(oidOf(change.after)!, change.after);
    if (this.held.has(change)) return null;
    const present = this.files.get(path) ?? this.stored(path);
    const after = this.withNames(path, change.after);
    const wanted = oidOf(after);
    if (present.oid === wanted) return null;
    const isExact = present.oid === before || this.again.has(change);
    const result = isExact ? { oid: wanted, bytes: after } : this.merged(change, after, present.bytes);
    if (result.oid === present.oid) return null;
    this.files.set(path, result);
    const isAsWritten = after === change.after && !this.moved.has(path);
    const stood = isAsWritten ? {} : { stood: [...this.context.versionsOf(path)] };
    return { ...change, before: present.oid, after: result.bytes, ...stood };
  }

  private stored(path: string): { oid: string | null; bytes: StoredBytes | null } {
    const oid = this.tip.oidOf(path);
    return { oid, bytes: oid === null ? null : this.tip.readStored(oid, path) };
  }

  private merged({ path, before }: PendingChange, theirs: StoredBytes | null, ours: StoredBytes | null) {
    const { codec } = this.context;
    const own = before === null ? null : this.written.get(before);
    const base =
      before === null ? null : own === undefined ? this.context.readObject(before) : this.withNames(path, own);
    const merged = mergeStored(path, { base, ours, theirs }, codec, this.tip.privacy);
    this.noteNames(path, base, ours, theirs);
    return merged.conflicts.length === 0 ? merged : laterOf(merged, theirs);
  }

  private noteNames(path: string, ...sides: readonly (StoredBytes | null)[]): void {
    if (logFormatOf(path) === null) return;
    const [base, ours, theirs] = sides.map((stored) => stored && textOf(this.context.codec, path, stored));
    if (ours == null || theirs == null || base === undefined) return;
    for (const [from, to] of growAgain(path, base, ours, theirs)?.names ?? []) this.names.set(from, to);
  }

  /** A log is named anew when it is merged, entry by entry. */
  private withNames(path: string, bytes: StoredBytes | null): StoredBytes | null {
    if (bytes === null || this.names.size === 0 || logFormatOf(path) !== null || !mayCite(path)) return bytes;
    const text = textOf(this.context.codec, path, bytes);
    const renamed = text === undefined ? undefined : this.renamed(text);
    return renamed === text ? bytes : this.context.codec.encode(path, Buffer.from(renamed!), this.tip.privacy);
  }

  private renamed(text: string): string {
    return replaceSequenceIds(text, (id) => this.names.get(id) ?? id);
  }
}

const oidOf = (bytes: StoredBytes | null): string | null => (bytes === null ? null : newObject('blob', bytes).oid);
