// One branch on its way to a remote, a slice after the other. What breaks off goes on where it was, and no request is too large.
//
//     theirs ◄── slice ◄── slice ◄── tip      the branch of the remote moves with each slice, always forward
//
//     theirs ◄────────────────── tip          where both moved only our merge leads on from theirs: what comes before it waits there
//     base ◄── slice ◄── slice ◄──┘           below refs/git-memory/partial/, which goes when the branch has come

import { commitsBeyond, isBehind } from '../../history/index.ts';
import {
  type Advertisement,
  type Connection,
  isPackRefused,
  type PushReport,
  type RefCommand,
  sendPack,
} from '../../store/git/remote-protocol.ts';
import { refuseToPush } from '../../store/open-texts.ts';
import { checkToSend } from './check-objects.ts';
import type { Exchange } from './exchange.ts';
import { checkLeaving, isKept } from './leaving.ts';
import { isPartial, partialRefs } from './milestones.ts';
import { type PushSlice, sliceBytes, slicesOf } from './push.ts';
import { tagPlan } from './pushed-milestones.ts';

/** What one conversation came to: another has to follow, all is there, the remote moved meanwhile, or it does not want the branch. */
export type PushOutcome = 'further' | 'done' | 'moved' | { readonly refused: string };

/** A push of one tip. What was committed since goes with the next sync. */
export class BranchPush {
  /** Where the branch of the remote is, as far as we know. */
  there: string | null;
  private readonly exchange: Exchange;
  private readonly tip: string;
  private maxBytes = sliceBytes;
  private slices: Iterator<PushSlice, void> | null = null;
  /** Formatted, and not sent before. */
  private next: PushSlice | null = null;
  private done = 0;
  private total = 0;
  /** What leads on from theirs, so does all that comes later. */
  private isForward: boolean;

  constructor(exchange: Exchange, theirs: string | null, tip: string) {
    this.exchange = exchange;
    this.there = theirs;
    this.tip = tip;
    this.isForward = theirs === null;
  }

  /** Sends one slice by a connection. Throws SECRET for a name that holds one, REMOTE_REFUSED, REMOTE_UNAVAILABLE, TOO_LARGE for one that cannot be smaller. */
  async step(connection: Connection): Promise<PushOutcome> {
    const { exchange, tip, there } = this;
    const { advertisement } = connection;
    exchange.options.signal?.throwIfAborted();
    if ((advertisement.refs.get(exchange.store.ref) ?? null) !== there) return 'moved';
    const { push, moves: moved } = tagPlan(exchange, advertisement, tip);
    const tags = [...push, ...moved];
    for (const { ref } of push) exchange.store.checkNewRef(ref);
    if (there === null) exchange.store.checkNewRef(exchange.store.ref);
    if (tip === there && tags.length === 0) return 'done';
    const slice = this.sliceFor(advertisement, moved);
    const isLast = slice.tip === tip;
    const branch = this.branchCommand(slice);
    const partial = branch === null && !isLast ? this.partialCommand(slice, advertisement) : null;
    const moves = [branch ?? partial ?? []].flat();
    const others = isLast ? [...tags, ...this.leftovers(advertisement)] : [];
    let report: PushReport;
    try {
      report = await sendPack(connection, [...moves, ...others], slice.pack);
    } catch (error) {
      if (slice.isSmallest || !isPackRefused(error)) throw error;
      this.plan(Math.floor(Math.min(this.maxBytes, slice.pack.length) / 4));
      return 'further';
    }
    const [refused] = moves.flatMap(({ ref }) => report.get(ref) ?? []);
    if (refused !== undefined && branch !== null) return { refused };
    // A remote that takes no such ref takes the rest at once.
    if (refused !== undefined) this.plan(Number.POSITIVE_INFINITY);
    else await this.arrived(slice, branch !== null);
    if (!isLast) return 'further';
    for (const { ref, from } of tags) {
      if (report.get(ref) !== null) continue;
      exchange.tags[from === null ? 'pushed' : 'moved'].add(ref.replace('refs/tags/', ''));
    }
    return 'done';
  }

  /** Begins the rest anew with slices of another size. */
  private plan(maxBytes: number): void {
    [this.maxBytes, this.slices, this.next] = [maxBytes, null, null];
  }

  private sliceFor({ refs }: Advertisement, moved: readonly RefCommand[]): PushSlice {
    const { exchange, tip } = this;
    const { objects } = exchange.repository;
    if (this.slices === null) {
      const known = [...new Set(refs.values())].filter((oid) => exchange.isCommitHere(oid));
      const commits = commitsBeyond(objects, tip, known);
      this.check(commits);
      this.total = this.done + commits.length;
      exchange.progress('push', this.done, this.total);
      const tags = moved.flatMap(({ to }) => (to !== null && objects.read(to).type === 'tag' ? [to] : []));
      this.slices = slicesOf(objects, tip, commits, this.maxBytes, tags);
    }
    this.next ??= this.slices.next().value!;
    return this.next;
  }

  /** Lets no private text go open (or damaged at the tip), nor what others refuse. Throws PRIVATE_OPEN, PRIVATE_DAMAGED, INVALID_PATH. */
  private check(commits: readonly string[]): void {
    const { exchange, tip } = this;
    const { objects } = exchange.repository;
    refuseToPush(objects, exchange.store.codec, tip, commits);
    checkToSend(objects, tip, commits);
  }

  /** Moves the branch where the slice leads on from it; the last one moves it wherever the remote is to follow. */
  private branchCommand({ tip }: PushSlice): RefCommand | null {
    const { exchange, there } = this;
    const { objects } = exchange.repository;
    if (tip === there) return null;
    // What a remote that follows us had is not here.
    this.isForward ||= there !== null && exchange.isCommitHere(there) && isBehind(objects, there, [tip]);
    if (!this.isForward && tip !== this.tip) return null;
    checkLeaving(exchange, exchange.store.ref, { from: there, to: tip });
    return { ref: exchange.store.ref, from: there, to: tip };
  }

  /** Keeps a slice where no branch is: an earlier one of those refs moves on, or there is one more. */
  private partialCommand({ tip }: PushSlice, advertisement: Advertisement): RefCommand {
    const [earlier] = this.partials(advertisement, (oid) => isKept(this.exchange, oid, tip));
    const [ref, from] = earlier ?? [`${partialRefs}${tip.slice(0, 12)}`, null];
    return { ref, from, to: tip };
  }

  /** What the branch holds needs no ref of its own. What was purged since was on its way, and whoever sent it has it and sends it again. */
  private leftovers(advertisement: Advertisement): RefCommand[] {
    if (!advertisement.capabilities.has('delete-refs')) return [];
    const { exchange } = this;
    const isLeft = (oid: string) => isKept(exchange, oid, this.tip) || exchange.imageOf(oid) !== oid;
    return this.partials(advertisement, isLeft).map(([ref, from]) => ({ ref, from, to: null }));
  }

  private partials({ refs }: Advertisement, isMeant: (oid: string) => boolean): [ref: string, oid: string][] {
    return [...refs].filter(([ref, oid]) => isPartial(ref) && isMeant(oid));
  }

  private async arrived({ tip, commits }: PushSlice, isBranch: boolean): Promise<void> {
    const { exchange } = this;
    this.next = null;
    this.done += commits;
    exchange.pushed += commits;
    exchange.progress('push', this.done, this.total);
    if (!isBranch) return;
    this.there = tip;
    await exchange.store.exclusively(() => exchange.see(tip));
  }
}
