// Quarantine: what comes in with low trust goes to a branch of its own. Somebody looks at it there, and lets it in or does not.
//
//   capture, session ──► isLowTrust? ──► quarantine/<id>: captures, and what is extracted from them ──┬─► accept: a merge, as one commit
//                            └──► this branch                                                         └─► drop: the tag memory/quarantine/<id>

import { defined, MemoryError } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import type { IdSource } from '../../base/ports.ts';
import { formatSeconds } from '../../base/time.ts';
import type * as types from '../../base/types.ts';
import type { Session } from '../../core/capture/session.ts';
import { isLowTrust, type TrustPolicy } from '../../core/extract/trust.ts';
import {
  type BranchAccess,
  branchRef,
  createTag,
  listBranches,
  listTags,
  mergeBases,
  type OpenBranch,
} from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { diffTrees } from '../../store/git/tree.ts';
import { checkBranchName } from '../../store/guard/ref-name.ts';
import { kindOf } from '../../store/records/kind.ts';
import { parseMemory } from '../../store/records/memory-record.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** A capture alone merges nothing. */
const merging = () => import('../../history/index.ts');

const quarantineFolder = 'quarantine/';

const acceptOperation = 'accept';

/** A branch that takes what is of low trust. */
export interface QuarantineBranch extends OpenBranch {
  startSession(options: types.SessionOptions): Promise<Session>;
}

export interface QuarantineDependencies<Branch extends QuarantineBranch> {
  /** The open branch and its like, as of now. */
  access(): BranchAccess;
  open(name: string, isNew: boolean): Promise<Branch>;
  readonly ids: IdSource;
  /** What `.meta.json` calls this machine. */
  readonly machine: string;
  policy(): TrustPolicy & { readonly quarantine: boolean };
}

/** Sends what is of low trust aside, and answers what lies there. */
export class Quarantine<Branch extends QuarantineBranch> {
  private readonly dependencies: QuarantineDependencies<Branch>;
  /** Branches of sessions that run in this process, by name. */
  private readonly running = new Map<string, Branch>();

  constructor(dependencies: QuarantineDependencies<Branch>) {
    this.dependencies = dependencies;
  }

  /** Tells whether an input goes aside. On a branch of quarantine there is no other; inside a project branches are the code's. */
  takes(input: unknown): boolean {
    if (typeof input !== 'object' || input === null) return false;
    const { scope, store } = this.dependencies.access();
    if (scope.placement === 'project' || isQuarantine(store.ref)) return false;
    const policy = this.dependencies.policy();
    return policy.quarantine && isLowTrust(input, policy);
  }

  /** Captures on a new branch, which the results name. */
  async capture(act: (branch: Branch) => Promise<types.CaptureResult[]>): Promise<types.CaptureResult[]> {
    const name = `${quarantineFolder}${this.dependencies.ids.next()}`;
    const branch = await this.dependencies.open(name, true);
    try {
      return (await act(branch)).map((result) => ({ ...result, branch: name }));
    } finally {
      await branch.close();
    }
  }

  /** Begins a session aside, or goes on with one of that id, after which its branch is called. Null for one that belongs on the open branch. */
  async startSession(options: types.SessionOptions): Promise<Session | null> {
    const { scope, store } = this.dependencies.access();
    if (scope.placement === 'project' || isQuarantine(store.ref)) return null;
    const { session } = options;
    const known = typeof session === 'string' ? `${quarantineFolder}s${sha256Hex(session).slice(0, 24)}` : null;
    const isThere = known !== null && scope.repository.refs.read(branchRef(scope, known)) !== null;
    if (!isThere && !this.takes(options)) return null;
    const name = known ?? `${quarantineFolder}${this.dependencies.ids.next()}`;
    const branch = this.running.get(name) ?? (await this.dependencies.open(name, !isThere));
    this.running.set(name, branch);
    const finish = async () => {
      this.running.delete(name);
      await branch.close();
    };
    try {
      return (await branch.startSession(options)).onEnd(async (result) => {
        await finish();
        return { ...result, branch: name };
      });
    } catch (error) {
      await finish();
      throw error;
    }
  }

  /** Commits what running sessions have said, and lets go of their branches. */
  async close(): Promise<void> {
    for (const [name, branch] of this.running) {
      this.running.delete(name);
      await branch.close();
    }
  }

  /** Lets go without committing anything. */
  dispose(): void {
    for (const branch of this.running.values()) branch.dispose();
    this.running.clear();
  }

  /** Lists what waits, and the tags of what was dropped. */
  async list(): Promise<types.QuarantineListResult> {
    const access = this.dependencies.access();
    const names = listBranches(access.scope).map(({ name }) => name);
    const quarantined: types.QuarantineEntry[] = [];
    for (const name of names.filter((one) => one.startsWith(quarantineFolder)))
      quarantined.push(await this.looking(name, (other) => entryOf(name, access.store, other.store)));
    return { quarantined, dropped: listTags(access.scope.repository, `refs/tags/memory/${quarantineFolder}`) };
  }

  /** Tells what a branch would bring. Throws NOT_FOUND. */
  show(given: string): Promise<types.QuarantineShowResult> {
    const { store } = this.dependencies.access();
    const name = this.find(given);
    return this.looking(name, async (other) => {
      const { previewMerge } = await merging();
      const entry = entryOf(name, store, other.store);
      const { conflicts, refused } = previewMerge(store, store.tip()!, entry.commit, { accept: [] });
      return { ...entry, conflicts, ...defined({ refused }) };
    });
  }

  /** Merges a branch into the open one in one commit, and ends it. Throws NOT_FOUND, as merges do, CONFLICT while a session goes on or it moved on. */
  async accept(given: string, options: types.AcceptQuarantineOptions = {}): Promise<types.AcceptQuarantineResult> {
    const access = this.dependencies.access();
    const name = this.find(given);
    const { captures, memories, conflicts, commit } = await this.looking(name, async (other) => {
      const entry = entryOf(name, access.store, other.store);
      refuseOpen(entry);
      if (options.commit !== undefined && options.commit !== entry.commit) {
        throw new MemoryError('CONFLICT', `${name} has changed since you looked at it`, {
          where: entry.commit,
          hint: `Look again: \`git memory quarantine show ${name}\``,
        });
      }
      // What was acknowledged there is a part of it.
      await other.commit();
      const { mergeCommit } = await merging();
      const { accept = [] } = options;
      const merged = await mergeCommit(access.store, other.store.tip()!, name, false, { as: acceptOperation, accept });
      return { ...merged, captures: entry.captures.length, memories: entry.memories.length };
    });
    await (await merging()).dropNamed(access, name, false);
    return { name, commit, captures, memories, conflicts };
  }

  /** Ends a branch, kept by a tag, and lets nothing in. Throws NOT_FOUND, and CONFLICT while a session goes on there, unless `force` is set. */
  async drop(given: string, options: { force?: boolean } = {}): Promise<types.DropQuarantineResult> {
    const access = this.dependencies.access();
    const name = this.find(given);
    const commit = await this.looking(name, async (other) => {
      if (!options.force) refuseOpen(entryOf(name, access.store, other.store));
      await other.commit();
      return other.store.tip()!;
    });
    this.running.get(name)?.dispose();
    this.running.delete(name);
    const { tag } = await createTag(access.store, `memory/${name}`, commit, this.dependencies.machine);
    await (await merging()).dropNamed(access, name, false);
    return { name, commit, tag };
  }

  /** Gives the whole name of a branch that is there. Throws NOT_FOUND, INVALID_ARGUMENT, INVALID_REF. */
  private find(given: string): string {
    if (typeof given !== 'string' || given === '') {
      throw new MemoryError('INVALID_ARGUMENT', 'the name of a conversation in quarantine is missing', {
        where: 'name',
      });
    }
    const { scope } = this.dependencies.access();
    const name = checkBranchName(given.startsWith(quarantineFolder) ? given : `${quarantineFolder}${given}`);
    if (scope.repository.refs.read(branchRef(scope, name)) !== null) return name;
    throw new MemoryError('NOT_FOUND', `there is no ${name}`, {
      where: given,
      hint: '`git memory quarantine` lists what waits',
    });
  }

  private async looking<T>(name: string, act: (branch: OpenBranch) => T | Promise<T>): Promise<T> {
    const running = this.running.get(name);
    if (running !== undefined) return act(running);
    const other = await this.dependencies.access().open(name);
    try {
      return await act(other);
    } finally {
      other.dispose();
    }
  }
}

function isQuarantine(ref: string): boolean {
  return /^refs\/heads\/(?:memory\/)?quarantine\//.test(ref);
}

function refuseOpen({ captures }: types.QuarantineEntry): void {
  const open = captures.find(({ isOpen }) => isOpen);
  if (open === undefined) return;
  throw new MemoryError('CONFLICT', 'a session is open there', {
    where: open.path,
    hint: `End it first. If its program is gone, start the session again by its id, ${open.session}`,
  });
}

/** Reads off two snapshots what the second has that the state where both parted has not. */
function entryOf(name: string, ours: BranchStore, theirs: BranchStore): types.QuarantineEntry {
  const { objects } = theirs.repository;
  const commit = theirs.tip()!;
  const [base] = mergeBases(objects, [ours.tip()!], [commit]);
  const before = ours.at(base ?? commit);
  const after = theirs.snapshot();
  const paths = new Set(diffTrees(before.tree, after.tree, objects.readTreeBytes).map(({ path }) => path));
  for (const path of after.overlay?.files.keys() ?? []) paths.add(path);
  const captures: types.QuarantinedCapture[] = [];
  const memories: types.QuarantinedMemory[] = [];
  const files: string[] = [];
  for (const path of [...paths].sort()) {
    if (kindOf(path) === 'conversation' && after.oidOf(path) !== null) captures.push(captureAt(after, path));
    else if (kindOf(path) === 'memory') memories.push(memoryAt(before, after, path));
    else files.push(path);
  }
  const time = formatSeconds(objects.readCommit(commit).committer.time);
  return { name, commit, time, captures, memories, files };
}

function captureAt(snapshot: Snapshot, path: string): types.QuarantinedCapture {
  const { sessionId, topic, channel, ended, turns } = parseTranscript(snapshot.readText(path)!, path);
  return {
    path,
    session: sessionId,
    ...defined({ topic, channel }),
    isOpen: ended === undefined,
    turns: turns.map(({ role, speaker, text }) => ({ role, ...defined({ speaker }), text })),
  };
}

function memoryAt(before: Snapshot, after: Snapshot, path: string): types.QuarantinedMemory {
  const [was, is] = [before.readText(path), after.readText(path)];
  const { id, content, category, confidence } = parseMemory((is ?? was)!, path);
  return {
    id,
    path,
    change: is === null ? 'gone' : was === null ? 'new' : 'changed',
    content,
    ...defined({ category, confidence }),
  };
}
