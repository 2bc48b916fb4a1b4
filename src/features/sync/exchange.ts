// What the steps of one sync share: both sides, the way to the remote, what came and went so far, and the refs that remember.

import { defined, MemoryError, orElse } from '../../base/errors.ts';
import type { Credential, Network } from '../../base/ports.ts';
import type { CarriedCommit, FileFault, LeftCommits, SyncOptions, SyncResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { passedHooks } from '../../store/git/passed-hooks.ts';
import { defaultTransferLimits, type TransferLimits } from '../../store/git/pkt-line.ts';
import type { Connection, RemoteService } from '../../store/git/remote-protocol.ts';
import { type Remote, rescueRef, seenRef, trackingRef } from '../../store/git/remotes.ts';
import { connect } from '../../store/git/transport.ts';
import { parseMessage } from '../../store/guard/message.ts';
import type { PurgeReceipt } from '../../store/records/purge-receipt.ts';
import type { PurgeDependencies } from '../purge/index.ts';

/** Purges that one side has and the other has not followed. */
export interface Owed {
  /** Receipts of theirs that ours does not follow. */
  readonly here: readonly PurgeReceipt[];
  /** Receipts of ours that theirs does not follow. */
  readonly there: readonly PurgeReceipt[];
}

export const nothingOwed: Owed = { here: [], there: [] };

/** What a sync needs beside the branch. */
export interface SyncScope extends PurgeDependencies {
  readonly network: Network;
  readonly limits?: TransferLimits;
  /** What let us in before, for who syncs again and again. */
  readonly credentials?: Map<string, Credential>;
}

/** One sync of one branch with one remote. */
export class Exchange {
  readonly store: BranchStore;
  readonly remote: Remote;
  readonly options: SyncOptions;
  readonly machine: string;
  /** The ref that tells where the remote was when we last saw it. */
  readonly seen: string;
  readonly limits: TransferLimits;
  private readonly network: Network;
  private readonly credentials: Map<string, Credential>;

  fetched = 0;
  pushed = 0;
  /** Rounds in which the remote was elsewhere than it was a moment before. */
  lost = 0;
  rescued: string | undefined;
  /** What the branch gives up, as the remote did. */
  left: LeftCommits | undefined;
  readonly merges: string[] = [];
  readonly conflicts = new Set<string>();
  /** Files that came otherwise than they should: each costs itself and holds up nothing. */
  faults: readonly FileFault[] = [];
  readonly tags = { fetched: new Set<string>(), pushed: new Set<string>(), moved: new Set<string>() };
  /** Commits that have another id since something was purged, by that id. */
  readonly carried = new Map<string, CarriedCommit>();
  /** What commits and tags of the remote are without what was purged here. */
  readonly images = new Map<string, string>();
  /** Commits that were rewritten on this machine. */
  private rewritten: { readonly version: string; readonly pairs: ReadonlyMap<string, string> } = {
    version: '',
    pairs: new Map(),
  };
  /** Purges that one side has yet to follow. */
  owed: Owed = nothingOwed;
  /** What a purge of this repository needs. */
  readonly purging: PurgeDependencies;
  readonly now: () => number;
  /** What both sides had when we last saw the remote, where it is followed although it went elsewhere. */
  lastCommon: string | null = null;
  isRewound = false;
  /** Ours goes on from a commit that a purge rewrote there, and does not follow it: its changes come along, and not its history. */
  isCutOff = false;

  constructor(scope: SyncScope, remote: Remote, options: SyncOptions) {
    this.store = scope.store;
    this.remote = remote;
    this.options = options;
    this.machine = scope.machine;
    this.purging = scope;
    this.now = scope.now;
    this.network = scope.network;
    this.credentials = scope.credentials ?? new Map();
    this.limits = scope.limits ?? defaultTransferLimits;
    this.seen = seenRef(remote.name, scope.store.ref);
  }

  get repository() {
    return this.store.repository;
  }

  get isDryRun(): boolean {
    return this.options.dryRun === true;
  }

  /** The branch as people call it. */
  get branch(): string {
    return this.store.ref.replace('refs/heads/', '');
  }

  result(outcome: Pick<SyncResult, 'state' | 'why' | 'plan'>): SyncResult {
    const isPush = this.pushed > 0 || this.tags.pushed.size > 0 || this.tags.moved.size > 0;
    const passed = isPush ? passedHooks(this.repository.disk, this.remote) : null;
    return {
      remote: this.remote.name,
      address: this.remote.address.shown,
      branch: this.branch,
      ...outcome,
      fetched: this.fetched,
      pushed: this.pushed,
      commit: this.store.tip(),
      merges: this.merges,
      conflicts: [...this.conflicts].sort(),
      tags: {
        fetched: [...this.tags.fetched].sort(),
        pushed: [...this.tags.pushed].sort(),
        ...(this.tags.moved.size === 0 ? {} : { moved: [...this.tags.moved].sort() }),
      },
      ...(this.carried.size === 0 ? {} : { carried: [...this.carried.values()] }),
      ...(this.faults.length === 0 ? {} : { faults: this.faults }),
      ...(passed === null ? {} : { warnings: [passed] }),
      ...defined({ rescued: this.rescued, left: this.left && { ...this.left, ...defined({ rescued: this.rescued }) } }),
    };
  }

  connect(service: RemoteService): Promise<Connection> {
    const { remote, network, limits, options, credentials } = this;
    const address = service === 'receive-pack' ? (remote.pushAddress ?? remote.address) : remote.address;
    return connect(address, service, { network, limits, credentials, signal: options.signal });
  }

  progress(what: string, done: number, total = done): void {
    this.options.onProgress?.({ what, done, total });
  }

  /** Moves a ref of ours below `refs/git-memory/` or a tag; nobody else writes these but a sync like this one. */
  move(ref: string, from: string | null, to: string, reason: string): boolean {
    const identity = this.repository.objects.readCommit(to).committer;
    return from === to || this.repository.refs.update({ ref, from, to, reason, identity });
  }

  /** Remembers where the remote is, and tells native git as its own fetch and push do. */
  see(tip: string): void {
    const { refs } = this.repository;
    const note = (ref: string) => this.move(ref, refs.read(ref), tip, `sync ${this.remote.name}`);
    note(this.seen);
    const tracking = trackingRef(this.repository, this.remote.name, this.store.ref);
    // It may be locked, and its place taken.
    if (tracking !== null) orElse(() => note(tracking), false);
  }

  /** Keeps what would be lost if the remote were followed, and says why it is not. */
  refuse(kept: string, what: string, hint: string): never {
    const ref = rescueRef(this.remote.name, this.store.ref, kept);
    if (!this.isDryRun && this.repository.refs.read(ref) === null) this.move(ref, null, kept, 'sync: rescued');
    throw new MemoryError('REMOTE_REFUSED', what, {
      where: this.remote.name,
      hint: `Nothing was followed. ${hint}.${this.isDryRun ? '' : ` ${ref} keeps what was there`}`,
    });
  }

  /** What a commit or tag of the remote is here: another one where a purge has rewritten it. */
  imageOf(oid: string): string {
    const { mark } = this.repository;
    const version = mark.version();
    if (version !== this.rewritten.version) this.rewritten = { version, pairs: mark.read() };
    return this.images.get(oid) ?? this.rewritten.pairs.get(oid) ?? oid;
  }

  ownTips(): string[] {
    const { refs } = this.repository;
    return [...refs.list('refs/heads/'), ...refs.list('refs/git-memory/')].map(({ oid }) => oid);
  }

  isCommitHere(oid: string): boolean {
    const { objects } = this.repository;
    return objects.has(oid) && objects.read(oid).type === 'commit';
  }

  /** Whether a branch holds nothing but its own beginning, so that it can follow any memory. */
  isBeginning(tip: string | null): boolean {
    if (tip === null) return true;
    const { parents, message } = this.repository.objects.readCommit(tip);
    return (
      parents.length === 0 &&
      parseMessage(message).trailers.some(({ key, value }) => key === 'Operation' && value === 'init')
    );
  }
}
