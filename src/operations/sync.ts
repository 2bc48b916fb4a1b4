// Brings a branch in step with a remote: fetch, look, fold in, push; again where somebody else was faster.
//
//     remote tip ── last seen tip an ancestor? same epoch? something in common? ── no ──► refused, a ref keeps what would be lost
//        │ yes
//        ├─ behind ours ──────────────────────┐
//        ├─ ahead of ours ──► the branch follows
//        └─ both moved ─────► one merge ──────┴──► push (if it still is where we saw it) ── lost ──► from the beginning

import { MemoryError } from '../errors.ts';
import type { ObjectReader } from '../git/object-overlay.ts';
import { defaultTransferLimits, type TransferLimits } from '../git/pkt-line.ts';
import { type Advertisement, type RefCommand, sendPack } from '../git/remote-protocol.ts';
import { connect } from '../git/transport.ts';
import { parseMessage } from '../guard/message.ts';
import { commitsBeyond, mergeBases } from '../history/merge-base.ts';
import type { Network } from '../ports.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { epochOf } from '../sync/epoch.ts';
import { type FetchedPack, fetchObjects } from '../sync/fetch.ts';
import { noteSync } from '../sync/last-sync.ts';
import { isMilestone, type LocalTag, planTags } from '../sync/milestones.ts';
import { refusePurged } from '../sync/purged-history.ts';
import { packOf } from '../sync/push.ts';
import { addRemote, findRemote, type Remote, rescueRef, seenRef } from '../sync/remotes.ts';
import type { Placement, SyncOptions, SyncResult } from '../types.ts';
import { adoptTheirs } from './adopt-remote.ts';
import { refuseInProject } from './branches.ts';
import { flushBefore } from './flush-before.ts';
import { mergeCommit } from './merge.ts';

/** What a sync needs beside the branch. */
export interface SyncScope {
  readonly store: BranchStore;
  readonly placement: Placement;
  readonly network: Network;
  /** Stands behind the name of a milestone that another machine has taken. */
  readonly machine: string;
  readonly now: () => number;
  readonly limits?: TransferLimits;
}

/** Rounds that may be lost against other writers; each waits longer, by chance, up to the second number. */
const maxRounds = 60;
const longestPauseMs = 2000;

/**
 * Syncs the branch of a store. Conflicts never stop it; what could not be reached is told and not thrown.
 *
 * Throws REMOTE_REFUSED for a remote that was rewound, is unrelated, was purged, or sends what is not taken: nothing is followed then, and
 * at most a ref of ours below `refs/git-memory/` is new. Also NOT_FOUND, AMBIGUOUS, ALREADY_EXISTS and INVALID_ARGUMENT for the remote,
 * REF_MOVED when others were faster each time, LOCKED, and the reason of an abort.
 */
export async function syncBranch(scope: SyncScope, options: SyncOptions = {}): Promise<SyncResult> {
  refuseInProject(scope, 'git pull and git push');
  const { store } = scope;
  const remote = findRemote(store.repository, options.remote);
  const sync = new Sync(scope, remote, options);
  await flushBefore(store);
  // Also when nobody answers: the next sync needs no address.
  if (remote.isNew) await store.exclusively(() => addRemote(store.repository, remote));
  try {
    await sync.run();
    return sync.result({ state: 'synced' });
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'REMOTE_UNAVAILABLE') throw error;
    return sync.result({ state: 'offline', why: `${error.what}${error.hint === undefined ? '' : `. ${error.hint}`}` });
  }
}

class Sync {
  private readonly scope: SyncScope;
  private readonly store: BranchStore;
  private readonly remote: Remote;
  private readonly options: SyncOptions;
  private readonly seen: string;
  private fetched = 0;
  private pushed = 0;
  private rescued: string | undefined;
  private readonly merges: string[] = [];
  private readonly conflicts = new Set<string>();
  private readonly tags = { fetched: new Set<string>(), pushed: new Set<string>() };

  constructor(scope: SyncScope, remote: Remote, options: SyncOptions) {
    this.scope = scope;
    this.store = scope.store;
    this.remote = remote;
    this.options = options;
    this.seen = seenRef(remote.name, scope.store.ref);
  }

  result(outcome: Pick<SyncResult, 'state' | 'why'>): SyncResult {
    return {
      remote: this.remote.name,
      address: this.remote.address.shown,
      branch: this.store.ref.replace('refs/heads/', ''),
      ...outcome,
      fetched: this.fetched,
      pushed: this.pushed,
      commit: this.store.tip(),
      merges: this.merges,
      conflicts: [...this.conflicts].sort(),
      tags: { fetched: [...this.tags.fetched].sort(), pushed: [...this.tags.pushed].sort() },
      ...(this.rescued === undefined ? {} : { rescued: this.rescued }),
    };
  }

  async run(): Promise<void> {
    for (let round = 0; round < maxRounds; round += 1) {
      this.options.signal?.throwIfAborted();
      if (round > 0) await this.pause(round);
      const theirs = await this.fetch();
      if (theirs !== null && !(await this.foldIn(theirs))) continue;
      if (await this.push(theirs)) {
        await this.store.exclusively(() =>
          noteSync(this.repository, this.remote.name, this.store.ref, this.scope.now()),
        );
        return;
      }
    }
    throw new MemoryError(
      'REF_MOVED',
      `others pushed to ${this.remote.address.shown} during each of ${maxRounds} attempts`,
      {
        where: this.remote.name,
        hint: 'Nothing is lost; repeat the call later',
      },
    );
  }

  private get repository() {
    return this.store.repository;
  }

  private async pause(round: number): Promise<void> {
    const most = Math.min(longestPauseMs, 20 * 2 ** Math.min(round, 10));
    const { signal } = this.options;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.random() * most);
      signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    });
    signal?.throwIfAborted();
  }

  private connect(service: 'upload-pack' | 'receive-pack') {
    const { network, limits = defaultTransferLimits } = this.scope;
    return connect(this.remote.address, service, { network, limits, signal: this.options.signal });
  }

  private progress(what: string, done: number, total = done): void {
    this.options.onProgress?.({ what, done, total });
  }

  // ── fetch ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Brings the branch of the remote and its milestones in, and gives where it is; null where the remote has no such branch. */
  private async fetch(): Promise<string | null> {
    const { refs, objects } = this.repository;
    const { ref } = this.store;
    this.progress('fetch', 0);
    const connection = await this.connect('upload-pack');
    try {
      const { advertisement } = connection;
      const theirs = advertisement.refs.get(ref) ?? null;
      const last = refs.read(this.seen);
      if (theirs === null) {
        this.judgeMissing(advertisement, last);
        return null;
      }
      if (theirs === last) {
        await this.takeTags(advertisement, theirs);
        return theirs;
      }
      if (this.isWhole(theirs)) await this.accept(objects, last, theirs, null);
      else {
        const pack = await fetchObjects(this.repository, connection, {
          limits: this.scope.limits ?? defaultTransferLimits,
          signal: this.options.signal,
          wants: [theirs],
          haves: last === null ? this.likelyHaves(advertisement) : [last],
          beyond: commitsBeyond,
          own: this.ownTips(),
          onBytes: (bytes) => this.progress('fetch', bytes),
        });
        try {
          await this.accept(pack.objects, last, theirs, pack);
        } finally {
          pack.discard();
        }
      }
      await this.takeTags(advertisement, theirs);
      return theirs;
    } finally {
      connection.close();
    }
  }

  private ownTips(): string[] {
    return [...this.repository.refs.list('refs/heads/'), ...this.repository.refs.list('refs/git-memory/')].map(
      ({ oid }) => oid,
    );
  }

  /** Before the first sync: branches and tags that both sides have. */
  private likelyHaves({ refs }: Advertisement): string[] {
    const own = new Set(this.repository.refs.list('refs/').map(({ oid }) => oid));
    return [...new Set(refs.values())].filter((oid) => own.has(oid)).slice(0, 256);
  }

  /** Whether a commit with all behind it is here: a branch or an earlier sync leads to it. */
  private isWhole(commit: string): boolean {
    const { objects } = this.repository;
    return (
      objects.has(commit) && objects.read(commit).type === 'commit' && this.isBehind(objects, commit, this.ownTips())
    );
  }

  private isBehind(objects: Pick<ObjectReader, 'readCommit'>, commit: string, tips: readonly string[]): boolean {
    return commitsBeyond(objects, commit, tips).length === 0;
  }

  private judgeMissing({ refs, head }: Advertisement, last: string | null): void {
    const name = this.store.ref.replace('refs/heads/', '');
    if (last !== null) {
      this.refuse(
        last,
        'the remote has lost its branch',
        `\`git push ${this.remote.name} ${name}\` puts it back, if that is what you want`,
      );
    }
    const other = head?.replace('refs/heads/', '');
    if (other === undefined || refs.size === 0 || !this.isBeginning(this.store.tip())) return;
    throw new MemoryError('NOT_FOUND', `the remote has no branch ${name}; its branch is ${other}`, {
      where: this.remote.name,
      hint: `Begin the memory with --branch ${other}`,
    });
  }

  /** Whether a branch holds nothing but its own beginning, so that it can follow any memory. */
  private isBeginning(tip: string | null): boolean {
    if (tip === null) return true;
    const { parents, message } = this.repository.objects.readCommit(tip);
    return (
      parents.length === 0 &&
      parseMessage(message).trailers.some(({ key, value }) => key === 'Operation' && value === 'init')
    );
  }

  /** Judges where the remote is, and if it may be followed, takes the pack in and remembers. */
  private async accept(
    objects: FetchedPack['objects'],
    last: string | null,
    theirs: string,
    pack: FetchedPack | null,
  ): Promise<void> {
    const isAdopted = this.options.adopt === true;
    const { address } = this.remote;
    const present = this.store.tip();
    if (present !== null && !this.isBeginning(present)) {
      this.isTheirsOlder = epochOf(objects, present) > epochOf(objects, theirs);
      // Ours is what the remote follows: nothing of what was purged comes here, not even as objects that nothing leads to.
      if (isAdopted && this.isTheirsOlder) return;
      if (!this.isTheirsOlder) {
        refusePurged(objects, present, commitsBeyond(objects, theirs, [present]), this.remote.name);
      }
    }
    const isRewound = last !== null && !this.isBehind(objects, last, [theirs]);
    if (isAdopted) [this.lastCommon, this.isRewound] = [last, isRewound];
    else if (isRewound) {
      this.refuse(
        last,
        `${address.shown} was rewound: what it had when we last saw it is gone from there`,
        'If that was meant, follow it with --adopt; if not, push what it lost with `git push`',
      );
    }
    const ours = this.store.tip();
    if (ours !== null && !this.isBeginning(ours) && !isAdopted) {
      const [here, there] = [epochOf(objects, ours), epochOf(objects, theirs)];
      if (here !== there) {
        const [what, how] =
          here < there
            ? ['the remote was purged', 'Follow it with --adopt: what is only here comes along']
            : ['this memory was purged and the remote was not', 'With --adopt the remote follows it'];
        this.refuse(last ?? ours, what, how);
      }
      if (mergeBases(objects, [ours], [theirs]).length === 0) {
        this.refuse(
          last ?? ours,
          `${address.shown} holds another memory: the two have nothing in common`,
          'Look whether the address is right; with --adopt this memory becomes that one, with what is here on top',
        );
      }
    }
    this.fetched += commitsBeyond(objects, theirs, [...this.ownTips()]).length;
    await this.store.exclusively(() => {
      const release = pack?.install();
      this.move(this.seen, this.repository.refs.read(this.seen), theirs, `sync ${this.remote.name}`);
      release?.();
    });
  }

  /** Keeps what would be lost if the remote were followed, and says why it is not. */
  private refuse(kept: string, what: string, hint: string): never {
    const ref = rescueRef(this.remote.name, this.store.ref, kept);
    if (this.repository.refs.read(ref) === null) this.move(ref, null, kept, 'sync: rescued');
    throw new MemoryError('REMOTE_REFUSED', what, {
      where: this.remote.name,
      hint: `Nothing was followed. ${hint}. ${ref} keeps what was there`,
    });
  }

  /** Moves a ref of ours below `refs/git-memory/`; nobody else writes these but a sync like this one. */
  private move(ref: string, from: string | null, to: string, reason: string): boolean {
    const identity = this.repository.objects.readCommit(to).committer;
    return from === to || this.repository.refs.update({ ref, from, to, reason, identity });
  }

  // ── fold in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Brings the branch to a state that holds what the remote has; false when it moved on meanwhile. */
  private async foldIn(theirs: string): Promise<boolean> {
    const { objects } = this.repository;
    const ours = this.store.tip();
    if (ours === null || ours === theirs) return ours !== null;
    if (this.isTheirsOlder) return true;
    if (this.options.adopt === true && this.needsAdoption(ours, theirs)) return this.adopt(ours, theirs);
    const isOursBehind = this.isBehind(objects, ours, [theirs]);
    if (isOursBehind || (this.isBeginning(ours) && mergeBases(objects, [ours], [theirs]).length === 0)) {
      if (await this.store.advance(ours, theirs)) return true;
      await flushBefore(this.store);
      return false;
    }
    if (this.isBehind(objects, theirs, [ours])) return true;
    this.progress('merge', 0);
    const merged = await mergeCommit(
      this.store,
      theirs,
      `${this.remote.name}/${this.store.ref.replace('refs/heads/', '')}`,
      true,
    );
    if (merged.commit !== null) this.merges.push(merged.commit);
    for (const path of merged.conflicts) this.conflicts.add(path);
    return true;
  }

  /** What both sides had when we last saw the remote, where it is followed although it went elsewhere. */
  private lastCommon: string | null = null;
  private isRewound = false;
  /** The remote was purged less often than this memory, and is to follow it. */
  private isTheirsOlder = false;

  /** Whether the ordinary ways would bring back what is gone, or find nothing in common. */
  private needsAdoption(ours: string, theirs: string): boolean {
    const { objects } = this.repository;
    if (this.isBeginning(ours)) return false;
    if (this.isRewound) return true;
    return epochOf(objects, ours) !== epochOf(objects, theirs) || mergeBases(objects, [ours], [theirs]).length === 0;
  }

  private async adopt(ours: string, theirs: string): Promise<boolean> {
    const { objects } = this.repository;
    // The one that was purged more often is the one to follow.
    if (epochOf(objects, ours) > epochOf(objects, theirs)) return true;
    const ref = rescueRef(this.remote.name, this.store.ref, ours);
    await this.store.exclusively(() => this.move(ref, this.repository.refs.read(ref), ours, 'sync: adopted'));
    const commit = await adoptTheirs(this.store, ours, theirs, this.lastCommon, this.remote.name);
    if (commit === null) return false;
    [this.rescued, this.isRewound] = [ref, false];
    return true;
  }

  // ── push ────────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Pushes the branch and its milestones; false when the remote moved since we looked. */
  private async push(theirs: string | null): Promise<boolean> {
    const { objects } = this.repository;
    const { ref } = this.store;
    const tip = this.store.tip();
    const isNew = tip !== null && tip !== theirs;
    const early = this.pushableTags(tip);
    if (!isNew && early.length === 0) return true;
    if (tip === null) return true;
    const connection = await this.connect('receive-pack');
    try {
      const there = connection.advertisement.refs.get(ref) ?? null;
      if (there !== theirs) return false;
      const tags = this.tagPlan(connection.advertisement, tip).push;
      const commands: RefCommand[] = [...(isNew ? [{ ref, from: theirs, to: tip }] : []), ...tags];
      if (commands.length === 0) return true;
      const known = [...new Set(connection.advertisement.refs.values())].filter((oid) => this.isCommitHere(oid));
      const commits = commitsBeyond(objects, tip, known);
      this.progress('push', 0, commits.length);
      const report = await sendPack(connection, commands, packOf(objects, commits));
      const reason = isNew ? report.get(ref)! : null;
      if (reason !== null) return await this.judgeRefusal(theirs, reason);
      for (const { ref: tag } of tags)
        if (report.get(tag) === null) this.tags.pushed.add(tag.replace('refs/tags/', ''));
      if (isNew) {
        this.pushed += commits.length;
        await this.store.exclusively(() =>
          this.move(this.seen, this.repository.refs.read(this.seen), tip, `sync ${this.remote.name}`),
        );
      }
      this.progress('push', commits.length);
      // What was committed meanwhile goes with the next sync.
      return true;
    } finally {
      connection.close();
    }
  }

  /** A ref that did not move and still is where it was did not lose a race: the remote does not want it. */
  private async judgeRefusal(theirs: string | null, reason: string): Promise<false> {
    const again = await this.connect('receive-pack');
    again.close();
    const isMoved = (again.advertisement.refs.get(this.store.ref) ?? null) !== theirs;
    if (isMoved || /lock|fetch first|stale/i.test(reason)) return false;
    throw new MemoryError('REMOTE_REFUSED', `the remote does not take the push: ${reason}`, {
      where: this.remote.name,
      hint: 'What is here is safe; look at the rules of the remote. A remote with files of its own needs to be a bare repository',
    });
  }

  private isCommitHere(oid: string): boolean {
    const { objects } = this.repository;
    return objects.has(oid) && objects.read(oid).type === 'commit';
  }

  // ── milestones ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private localTags(): LocalTag[] {
    const { refs, objects } = this.repository;
    return refs
      .list('refs/tags/')
      .filter(({ ref }) => isMilestone(ref))
      .map(({ ref, oid }) => ({ ref, oid, commit: objects.peelToCommit(oid) }));
  }

  private pushableTags(tip: string | null): LocalTag[] {
    if (tip === null || this.knownTags === null) return [];
    const known = this.knownTags;
    return this.localTags().filter(({ oid }) => ![...known.values()].includes(oid));
  }

  /** The milestones of the remote, as it told them last. */
  private knownTags: ReadonlyMap<string, string> | null = new Map();

  private tagPlan({ refs }: Advertisement, tip: string) {
    const { objects } = this.repository;
    this.knownTags = new Map([...refs].filter(([ref]) => isMilestone(ref)));
    const names = { machine: this.scope.machine, remote: this.remote.name };
    const isBehindTip = (oid: string) => this.isCommitHere(oid) && this.isBehind(objects, oid, [tip]);
    return planTags(this.localTags(), this.knownTags, names, isBehindTip);
  }

  private async takeTags(advertisement: Advertisement, theirs: string): Promise<void> {
    // Its milestones are of a history that is not let in.
    if (this.isTheirsOlder) return;
    const { fetch } = this.tagPlan(advertisement, theirs);
    for (const { ref, oid } of fetch) {
      const isMade = await this.store.exclusively(() => this.move(ref, null, oid, `sync ${this.remote.name}`));
      if (isMade) this.tags.fetched.add(ref.replace('refs/tags/', ''));
    }
  }
}
