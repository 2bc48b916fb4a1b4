// Turns operations into commits in memory: apply to the tip, merge where the tip has moved on, check the rules, name objects.
// Writes nothing, so a dry run is this and no more.

import { isUnreadable, MemoryError } from '../base/errors.ts';
import { type ChangeLimits, checkChange } from './change-rules.ts';
import { type Codec, isSamePrivacy, type Privacy, type StoredBytes, secrecyOf, withQuietSubject } from './codec.ts';
import { sequenceOf, timeAfter } from './commit-order.ts';
import { type Consequence, followingChanges } from './consequence.ts';
import { isReplacing } from './damaged-files.ts';
import { type Derivation, deriveFiles, TreeFiles } from './derive.ts';
import { type Commit, formatCommit, type Signature } from './git/commit-object.ts';
import { emptyTreeOid, type NewObject, newObject } from './git/object-codec.ts';
import type { Repository } from './git/repository.ts';
import { editTree, findEntry, type NewTree, type TreeChange } from './git/tree.ts';
import { formatMessage, type Trailer } from './guard/message.ts';
import { checkPath } from './guard/path.ts';
import { checkNoSecret, withoutSecrets } from './guard/secret-filter.ts';
import { checkMemoryCount, checkRemovals } from './memory-quota.ts';
import { laterOf, mergeStored } from './merge-stored.ts';
import type { FileChange, Operation } from './operation.ts';
import { kindOf } from './records/kind.ts';
import { describeChanges } from './runs.ts';

interface BuildContext {
  readonly repository: Repository;
  readonly codec: Codec;
  readonly identity: { readonly name: string; readonly email: string };
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly limits: ChangeLimits;
  /** What follows from the files of a state, and is made anew in the commit that changes them. */
  readonly derivations: readonly Derivation[];
  /** What else has to change with a file, in the same commit. */
  readonly consequence: Consequence;
}

interface StagedFile {
  readonly oid: string | null;
  readonly bytes: StoredBytes | null;
  readonly isExecutable: boolean;
}

/** A file that the new commits leave different from the tip. */
export interface TouchedFile extends StagedFile {
  readonly path: string;
  readonly before: string | null;
  readonly wasExecutable: boolean;
}

export interface Build {
  /** What the last of its states says of private texts. */
  readonly privacy: Privacy;
  readonly commits: readonly string[];
  readonly objects: readonly NewObject[];
  readonly tip: string | null;
  readonly tree: string | null;
  readonly touched: ReadonlyMap<string, TouchedFile>;
  /** Files of the tip that could not be read until an operation brought their very bytes, which are among the objects. */
  readonly repaired: readonly string[];
  /** Paths where an operation that must not be merged met a contradiction: nothing may be written. */
  readonly refused: readonly string[];
  /** Paths where the later of two contradicting changes won. */
  readonly conflicts: readonly string[];
  /** Changes that were left out, by the operation they belong to. */
  readonly skipped: readonly { readonly path: string; readonly why: string; readonly operation: Operation }[];
}

/** A file as one commit changes it, by blob ids. */
interface EffectiveChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Builds one commit per operation on top of `tip`; operations that change nothing make none. Throws what a rule says. */
export function buildCommits(context: BuildContext, tip: string | null, operations: readonly Operation[]): Build {
  const builder = new Builder(context, tip);
  const run = operations.length > 1 ? `${(tip ?? emptyTreeOid).slice(0, 12)}-${builder.sequence + 1}` : null;
  for (const operation of operations) builder.add(operation, operation.run ?? run);
  return builder.result();
}

class Builder {
  sequence: number;
  private readonly context: BuildContext;
  private readonly origin: string | null;
  private tip: string | null;
  private tree: string | null;
  /** What the tree so far says of private texts. */
  private privacy: Privacy;
  private time: number;
  private readonly commits: string[] = [];
  private readonly objects = new Map<string, NewObject>();
  private readonly blobs = new Map<string, StoredBytes>();
  private readonly trees = new Map<string, NewTree>();
  private readonly touched = new Map<string, TouchedFile>();
  private readonly refused: string[] = [];
  private readonly conflicts: string[] = [];
  private readonly repaired: string[] = [];
  private skipped: { path: string; why: string; operation: Operation }[] = [];

  constructor(context: BuildContext, tip: string | null) {
    const { objects } = context.repository;
    this.context = context;
    this.tip = tip;
    const commit = tip === null ? null : objects.readCommit(tip);
    this.tree = commit?.tree ?? null;
    this.origin = this.tree;
    this.privacy = context.codec.privacyOf(this.filesWith());
    this.sequence = tip === null ? 0 : sequenceOf(context.repository, tip);
    this.time = Math.floor(context.now / 1000);
    if (commit !== null) this.followClockOf(commit);
  }

  private followClockOf({ committer }: Commit): void {
    this.time = Math.max(this.time, timeAfter(Math.floor(this.context.now / 1000), committer.time));
  }

  result(): Build {
    const { privacy, commits, tip, tree, repaired, refused, conflicts, skipped } = this;
    const isTouched = (file: TouchedFile) => file.oid !== file.before || file.isExecutable !== file.wasExecutable;
    const touched = new Map([...this.touched].filter(([, file]) => isTouched(file)));
    const objects = [...this.objects.values()];
    return {
      ...{ privacy, commits, objects, tip, tree, touched, repaired, refused, conflicts },
      // An operation that is built again without some of its changes finds the others as it did before.
      skipped: [...new Map(skipped.map((skip) => [`${skip.path}\0${skip.why}`, skip])).values()],
    };
  }

  add(given: Operation, run: string | null): void {
    const operation = withQuietSubject(given, this.privacy);
    const edits = new Map<string, TreeChange>();
    const effective: EffectiveChange[] = [];
    const conflicts: string[] = [];
    const staged = new Map<string, StagedFile>();
    for (const asked of operation.changes) {
      const change = this.encoded(operation, asked);
      if (change === null) continue;
      const earlier = staged.get(change.path);
      const current = earlier ?? this.entryOf(change.path);
      const result = this.apply(operation, change, current.oid, conflicts);
      if (result === null) continue;
      const isExecutable = change.mode === undefined ? current.isExecutable : change.mode === '100755';
      const isChanged = result.oid !== current.oid || isExecutable !== current.isExecutable;
      if (isChanged && !this.isAllowed(operation, change, current.oid, result.bytes)) continue;
      // An earlier version of the engine's own that a rule keeps out waits for nothing: this one has taken its place.
      this.skipped = this.skipped.filter((skip) => skip.path !== change.path || skip.operation.isHandEdit === true);
      if (!isChanged) {
        this.repair(change.path, result);
        continue;
      }
      staged.set(change.path, { ...result, isExecutable });
      if (result.bytes && result.oid) this.blobs.set(result.oid, result.bytes);
    }
    if (operation.onConflict === 'refuse' && conflicts.length > 0) {
      this.refused.push(...conflicts);
      return;
    }
    this.stageConsequences(operation, staged);
    this.stageDerived(operation, staged);
    const privacy = this.stagePrivate(operation, staged);
    if (privacy === null) {
      this.add({ ...operation, changes: operation.changes.filter(({ path }) => !isConfiguration(path)) }, run);
      return;
    }
    for (const [path, file] of staged) {
      const { oid: before, isExecutable } = this.entryOf(path);
      if (before === file.oid && (file.oid === null || isExecutable === file.isExecutable)) continue;
      effective.push({ path, before, after: file.oid });
      edits.set(path, file.oid === null ? null : { mode: file.isExecutable ? '100755' : '100644', oid: file.oid });
    }
    if (effective.length === 0 && operation.parents === undefined && !operation.mayBeEmpty) return;
    const emptied = this.emptiedBy(operation, effective);
    if (emptied !== null) {
      const isKept = ({ path, after }: FileChange) => after !== null || !path.startsWith(`${emptied}/`);
      this.add({ ...operation, changes: operation.changes.filter(isKept) }, run);
      return;
    }
    const { root, trees, left } = this.place(operation, edits);
    if (left.size > 0) {
      this.add({ ...operation, changes: operation.changes.filter(({ path }) => !left.has(path)) }, run);
      return;
    }
    this.conflicts.push(...conflicts);
    for (const tree of trees) this.keepTree(tree);
    if (root === null) this.keepTree({ ...newObject('tree', Buffer.alloc(0)), entries: [] });
    for (const [path, file] of staged) {
      if (file.oid && file.bytes) this.keep({ oid: file.oid, type: 'blob', data: file.bytes });
      const entry = findEntry(this.origin, path, this.context.repository.objects.readTree);
      const origin = entry?.mode === '40000' ? null : entry;
      const before = this.touched.get(path)?.before ?? origin?.oid ?? null;
      this.touched.set(path, { path, before, ...file, wasExecutable: origin?.mode === '100755' });
    }
    this.tree = root ?? emptyTreeOid;
    this.privacy = privacy;
    this.commit(operation, effective, conflicts, run);
  }

  /** Has an object written again that the tip names and nobody can read: whoever writes the same content brings it back. */
  private repair(path: string, { oid, bytes }: Pick<StagedFile, 'oid' | 'bytes'>): void {
    const { objects } = this.context.repository;
    if (oid === null || bytes === null || this.objects.has(oid) || objects.isWhole(oid)) return;
    this.repaired.push(path);
    this.keep({ oid, type: 'blob', data: bytes });
  }

  /** Changes what has to change with the staged files. */
  private stageConsequences(operation: Operation, staged: Map<string, StagedFile>): void {
    const { consequence, codec } = this.context;
    const paths = [...staged.keys()];
    if (consequence.mayWrite(paths).length === 0) return;
    const change = { operation, paths, before: this.filesWith(), after: this.filesWith(staged) };
    for (const { path, after } of followingChanges(consequence, change, codec, this.privacy))
      this.stageFile(staged, path, after);
  }

  /** Makes anew what follows from the staged files; what a person wrote by hand goes into history as it is. */
  private stageDerived(operation: Operation, staged: Map<string, StagedFile>): void {
    const { codec, derivations } = this.context;
    const files = this.filesWith(staged);
    const keeps = (path: string) => operation.isHandEdit === true && staged.has(path);
    for (const { path, bytes } of deriveFiles(derivations, files, [...staged.keys()], codec, keeps))
      this.stageFile(staged, path, bytes);
  }

  /** Stages a version that nobody asked for, in the mode that the file has. */
  private stageFile(staged: Map<string, StagedFile>, path: string, bytes: StoredBytes | null): void {
    const oid = bytes && newObject('blob', bytes).oid;
    if (oid !== null) this.blobs.set(oid, bytes!);
    staged.set(path, { oid, bytes, isExecutable: (staged.get(path) ?? this.entryOf(path)).isExecutable });
  }

  /** The files of the tree so far, with what is staged by now on top. */
  private filesWith(staged: ReadonlyMap<string, StagedFile> = new Map()): TreeFiles {
    const objects = { readTree: this.readTree, readBlob: (oid: string) => this.readBlob(oid) };
    const changed = new Map([...staged].map(([path, { oid }]) => [path, oid]));
    return new TreeFiles(this.tree, objects, this.context.codec, changed);
  }

  /** Gives a change as it is stored; null for a hand edit that cannot be, which is reported. */
  private encoded(operation: Operation, change: FileChange): FileChange | null {
    const { path, after } = change;
    if (after === null) return change;
    try {
      const bytes = this.context.codec.encode(path, after, this.privacy);
      return bytes === after ? change : { ...change, after: bytes };
    } catch (error) {
      if (!(error instanceof MemoryError) || !operation.isHandEdit) throw error;
      this.skipped.push({ path, why: error.message, operation });
      return null;
    }
  }

  /**
   * Where the configuration makes other texts private, or puts them under another key, the same commit stores them so. In no commit is a
   * text open whose path its own configuration calls private.
   *
   * Gives what holds from now on; null for a hand edit that cannot be followed, which is reported.
   */
  private stagePrivate(operation: Operation, staged: Map<string, StagedFile>): Privacy | null {
    if (![...staged.keys()].some(isConfiguration)) return this.privacy;
    const { codec } = this.context;
    const files = this.filesWith(staged);
    const privacy = codec.privacyOf(files);
    if (isSamePrivacy(privacy, this.privacy)) return privacy;
    try {
      for (const [path, stored] of files.list('')) {
        if (!privacy.isPrivate(path) && !this.privacy.isPrivate(path)) continue;
        const present = this.readBlob(stored);
        // One that was damaged stays as it is, and holds up none of the others.
        if (codec.faultOf(present) === 'damaged') continue;
        const bytes = codec.encode(path, present, privacy);
        if (newObject('blob', bytes).oid === stored) continue;
        // What was kept for nobody but who has the key is judged before everybody reads it.
        const isText = !bytes.subarray(0, 8000).includes(0);
        if (secrecyOf(present, bytes) === 'opened' && isText)
          checkNoSecret(null, bytes.toString('utf8'), path, this.context.limits.secrets);
        this.stageFile(staged, path, bytes);
      }
      return privacy;
    } catch (error) {
      if (!(error instanceof MemoryError) || !operation.isHandEdit) throw error;
      for (const path of staged.keys()) {
        if (isConfiguration(path)) this.skipped.push({ path, why: error.message, operation });
      }
      return null;
    }
  }

  /** Throws what a limit on the number of files says. Of a hand edit that takes too many away it gives the folder; null where none is. */
  private emptiedBy(operation: Operation, changes: readonly EffectiveChange[]): string | null {
    const { limits } = this.context;
    if (operation.isJudged) return null;
    const mostAdded = operation.isHandEdit ? 0 : changes.filter(({ before }) => before === null).length;
    checkMemoryCount(this.tree, this.readTree, mostAdded, () => changes, limits);
    try {
      if (!operation.mayRemoveMany) checkRemovals(this.tree, this.readTree, changes, limits);
      return null;
    } catch (error) {
      if (!(error instanceof MemoryError) || error.where === undefined || !operation.isHandEdit) throw error;
      this.skipped.push({ path: error.where, why: error.message, operation });
      return error.where;
    }
  }

  /**
   * Puts files into the tree. Gives those that have no place in it, reported, where the operation goes on without them. What was
   * acknowledged, or written by hand, must not hold up all the rest. Histories that come together may bring twins.
   */
  private place(operation: Operation, edits: ReadonlyMap<string, TreeChange>) {
    const left = new Set<string>();
    const options = { allowTwins: operation.parents !== undefined };
    try {
      return { ...editTree(this.tree, edits, this.readTree, options), left };
    } catch (error) {
      if (!isMisplaced(error) || operation.onConflict === 'refuse' || operation.parents !== undefined) throw error;
    }
    // One by one, so that the last of those that exclude each other is the one that stays away.
    const placed = new Map([...edits].filter(([, change]) => change === null));
    for (const [path, change] of edits) {
      if (change === null) continue;
      try {
        editTree(this.tree, new Map(placed).set(path, change), this.readTree, options);
        placed.set(path, change);
      } catch (error) {
        if (!isMisplaced(error)) throw error;
        left.add(path);
        this.skipped.push({ path, why: error.message, operation });
      }
    }
    return { root: this.tree, trees: [], left };
  }

  private commit(
    operation: Operation,
    effective: readonly EffectiveChange[],
    conflicts: readonly string[],
    run: string | null,
  ): void {
    const { identity, now, repository } = this.context;
    this.sequence += 1;
    if (operation.isOfThen) this.time = Math.max(this.time, Math.floor((operation.time ?? now) / 1000));
    for (const parent of operation.parents ?? []) this.followClockOf(repository.objects.readCommit(parent));
    const trailers: Trailer[] = [
      { key: 'Operation', value: operation.name },
      ...operation.trailers,
      ...conflicts.map((path) => ({ key: 'Conflict', value: path }) as const),
      { key: 'Sequence', value: String(this.sequence) },
      ...(run === null ? [] : [{ key: 'Run', value: run } as const]),
    ];
    const subject = `${operation.kind}: ${operation.subject ?? describeChanges(effective)}`;
    const clean = (line: string) => withoutSecrets(line, this.context.limits.secrets);
    const message = formatMessage({
      subject: clean(subject),
      trailers: trailers.map(({ key, value }) => ({ key, value: clean(value) })),
      ...(operation.body ? { body: clean(operation.body) } : {}),
    });
    const signature = (ms: number): Signature => ({ ...identity, time: Math.floor(ms / 1000), zone: '+0000' });
    const commit = newObject(
      'commit',
      formatCommit({
        tree: this.tree!,
        parents: [...(this.tip === null ? [] : [this.tip]), ...(operation.parents ?? [])],
        author: signature(operation.time ?? now),
        committer: signature(this.time * 1000),
        message,
      }),
    );
    this.keep(commit);
    this.tip = commit.oid;
    this.commits.push(commit.oid);
  }

  private apply(
    operation: Operation,
    change: { path: string; before: string | null; after: StoredBytes | null },
    current: string | null,
    conflicts: string[],
  ): { oid: string | null; bytes: StoredBytes | null } | null {
    const { path, before, after } = change;
    const wanted = after === null ? null : newObject('blob', after).oid;
    // A later change may be based on these bytes although a merge kept them out of every tree.
    if (after !== null) this.blobs.set(wanted!, after);
    if (current === before || current === wanted) return { oid: wanted, bytes: after };
    const base = before === null ? null : this.readBase(before);
    const ours = current === null ? null : this.readBlob(current);
    const merged = mergeStored(path, { base, ours, theirs: after }, this.context.codec, this.privacy);
    if (merged.conflicts.length === 0) return merged;
    conflicts.push(path);
    if (operation.onConflict === 'later') return laterOf(merged, after);
    if (operation.onConflict === 'drop')
      this.skipped.push({ path, why: 'it changed in the meantime in a way that contradicts', operation });
    return null;
  }

  private isAllowed(
    operation: Operation,
    change: FileChange,
    before: string | null,
    after: StoredBytes | null,
  ): boolean {
    const { codec, limits } = this.context;
    const { path } = change;
    if (operation.bringsBack) {
      // Also beside the layout: what a person keeps there with git (the settings of a vault, a README) comes and goes with its commits.
      if (before === null) checkPath(path);
      return true;
    }
    const isFormatted = change.isFormatted === true && after === change.after;
    // Without its key a text is judged by its place alone.
    const plain = (bytes: StoredBytes | null): Buffer | null => {
      if (bytes === null || !codec.canDecode(bytes)) return bytes;
      try {
        return codec.decode(path, bytes);
      } catch (error) {
        // A merge may bring one that was damaged elsewhere, and a damaged one may be written anew.
        const isPassed = error instanceof MemoryError && isUnreadable(error) && (isKnown(operation) || bytes !== after);
        if (isPassed) return bytes;
        throw error;
      }
    };
    try {
      const isLost = before !== null && isReplacing(path, () => this.readBlob(before));
      const old = before === null || isLost ? null : this.readBlob(before);
      checkChange(
        { path, before: plain(old), after: plain(after) },
        {
          limits,
          isFormatted,
          isKnown: isKnown(operation),
          mayRemoveCaptures: operation.mayRemoveCaptures ?? false,
          mayBeLong: operation.mayBeLong ?? false,
          mayBeUnfinished: operation.isHandEdit === true || operation.mayBeLong === true,
          secrecy: secrecyOf(old, after),
        },
      );
      return true;
    } catch (error) {
      if (!(error instanceof MemoryError) || (!operation.isHandEdit && operation.onConflict === 'refuse')) throw error;
      this.skipped.push({ path, why: error.message, operation });
      return false;
    }
  }

  private entryOf(path: string): { oid: string | null; isExecutable: boolean } {
    const entry = findEntry(this.tree, path, this.readTree);
    if (!entry || entry.mode === '40000') return { oid: null, isExecutable: false };
    if (entry.mode !== '100644' && entry.mode !== '100755')
      throw new MemoryError('INVALID_PATH', 'a symbolic link or submodule is in the place of a file', { where: path });
    return { oid: entry.oid, isExecutable: entry.mode === '100755' };
  }

  private readonly readTree = (oid: string) =>
    this.trees.get(oid)?.entries ?? this.context.repository.objects.readTree(oid);

  private readBlob(oid: string): StoredBytes {
    return this.blobs.get(oid) ?? this.context.repository.objects.readBlob(oid);
  }

  /** A version that was pending and never committed may be gone; the merge then has no common ground. */
  private readBase(oid: string): StoredBytes | null {
    return this.blobs.get(oid) ?? (this.context.repository.objects.has(oid) ? this.readBlob(oid) : null);
  }

  private keep(object: NewObject): void {
    this.objects.set(object.oid, object);
  }

  private keepTree(tree: NewTree): void {
    this.keep(tree);
    this.trees.set(tree.oid, tree);
  }
}

const isConfiguration = (path: string): boolean => kindOf(path) === 'configuration';

const isMisplaced = (error: unknown): error is MemoryError =>
  error instanceof MemoryError && error.code === 'INVALID_PATH';

/** Undo and merges bring back or together what is in history. */
const isKnown = ({ kind }: Operation): boolean => kind === 'undo' || kind === 'merge';
