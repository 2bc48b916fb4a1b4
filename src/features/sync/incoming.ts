// The first half of a sync: where the remote is, what we lack of it, and whether it may be followed.

import { MemoryError } from '../../base/errors.ts';
import { commitsBeyond, isBehind, mergeBases, purgeBefore, receiptsOf, refusePurged } from '../../history/index.ts';
import type { ObjectDatabase } from '../../store/git/object-database.ts';
import { remoteRefused } from '../../store/git/pkt-line.ts';
import type { Advertisement, Connection } from '../../store/git/remote-protocol.ts';
import { memoryRef } from '../../store/guard/ref-name.ts';
import type { HistorySource } from '../purge/index.ts';
import { type Exchange, nothingOwed } from './exchange.ts';
import { type FetchedPack, fetchObjects } from './fetch.ts';
import { leftBy, refuseLeaving } from './leaving.ts';
import { isMilestone, isPartial } from './milestones.ts';
import { cleanIncoming, type Incoming, owedBetween, refuseOwed, rescue } from './purged.ts';

/** The remote as it was seen: its branch, or null where it has none, and all it told. */
export interface Sight {
  readonly theirs: string | null;
  /** What of it came in: the same, or what it is without what was purged here. */
  readonly comes: string | null;
  readonly advertisement: Advertisement;
}

/** Brings the branch of the remote in; with a dry run nothing stays, and `look` is given what would have come. */
export async function fetchBranch(
  exchange: Exchange,
  look?: (objects: HistorySource, comes: string) => void,
): Promise<Sight> {
  const { repository, store, seen } = exchange;
  exchange.progress('fetch', 0);
  const connection = await exchange.connect('upload-pack');
  try {
    const { advertisement } = connection;
    const theirs = advertisement.refs.get(store.ref) ?? null;
    const last = repository.refs.read(seen);
    if (theirs === null) {
      judgeMissing(exchange, advertisement, last);
      await refuseUnfollowed(exchange, connection);
      return { theirs, comes: null, advertisement };
    }
    const wants = [theirs, ...besides(exchange, advertisement)] as const;
    const missing = wants.filter((oid) => oid !== last && !isWhole(exchange, oid));
    const pack = missing.length === 0 ? null : await receive(exchange, connection, missing, last);
    let comes = theirs;
    try {
      const database = pack?.objects ?? repository.objects;
      if (database.peelToCommit(theirs) !== theirs)
        throw remoteRefused(`names a tag as ${store.ref}, which git never does`);
      judge(exchange, database, last, theirs);
      if (exchange.owed.there.length > 0) {
        const incoming = cleanIncoming(exchange, database, store.tip()!, [...wants]);
        comes = incoming.tip;
        look?.(incoming.objects, comes);
        if (!exchange.isDryRun) await acceptClean(exchange, incoming);
      } else {
        look?.(database, theirs);
        if (!exchange.isDryRun && theirs !== last) await accept(exchange, database, theirs, pack);
      }
    } finally {
      pack?.discard();
    }
    return { theirs, comes, advertisement };
  } finally {
    connection.close();
  }
}

/** An adoption looks at all that the remote serves of this memory beside the branch: it may lead to what was purged. */
function besides({ options }: Exchange, { refs }: Advertisement): string[] {
  if (options.adopt !== true) return [];
  return [...new Set([...refs].filter(([ref]) => isMilestone(ref) || isPartial(ref)).map(([, oid]) => oid))];
}

function receive(
  exchange: Exchange,
  connection: Connection,
  wants: readonly string[],
  last: string | null,
): Promise<FetchedPack> {
  return fetchObjects(exchange.repository, connection, {
    limits: exchange.limits,
    signal: exchange.options.signal,
    wants,
    haves: last === null ? likelyHaves(exchange, connection.advertisement) : [last],
    beyond: commitsBeyond,
    own: exchange.ownTips(),
    onBytes: (bytes) => exchange.progress('fetch', bytes),
  });
}

/** Before the first sync: branches and tags that both sides have. */
function likelyHaves({ repository }: Exchange, { refs }: Advertisement): string[] {
  const own = new Set(repository.refs.list('refs/').map(({ oid }) => oid));
  return [...new Set(refs.values())].filter((oid) => own.has(oid)).slice(0, 256);
}

/** Whether a commit with all behind it is here: a branch or an earlier sync leads to it. */
function isWhole(exchange: Exchange, commit: string): boolean {
  return exchange.isCommitHere(commit) && isBehind(exchange.repository.objects, commit, exchange.ownTips());
}

function judgeMissing(exchange: Exchange, { refs, head }: Advertisement, last: string | null): void {
  const { remote, branch, store } = exchange;
  if (last !== null) {
    exchange.refuse(
      last,
      'the remote has lost its branch',
      `\`git push ${remote.name} ${branch}\` puts it back, if that is what you want`,
    );
  }
  const other = head?.replace('refs/heads/', '');
  if (other === undefined || refs.size === 0 || !exchange.isBeginning(store.tip())) return;
  throw new MemoryError('NOT_FOUND', `the remote has no branch ${branch}; its branch is ${other}`, {
    where: remote.name,
    hint: `Begin the memory with --branch ${other}`,
  });
}

/** Refuses a branch new to a remote whose main branch was purged since ours: what went would be served again. Throws REMOTE_REFUSED. */
async function refuseUnfollowed(exchange: Exchange, connection: Connection): Promise<void> {
  const { refs, head } = connection.advertisement;
  const ours = exchange.store.tip();
  const main = exchange.store.ref.startsWith('refs/heads/memory/') ? memoryRef : head;
  const other = main === null ? undefined : refs.get(main);
  if (ours === null || main === null || other === undefined) return;
  const pack = isWhole(exchange, other) ? null : await receive(exchange, connection, [other], null);
  try {
    const objects = pack?.objects ?? exchange.repository.objects;
    if (purgeBefore(objects, other, commitsBeyond(objects, ours, [other])) === null) return;
  } finally {
    pack?.discard();
  }
  const branch = main.replace('refs/heads/', '');
  throw new MemoryError('REMOTE_REFUSED', `the remote was purged, but ${exchange.branch} is older than that`, {
    where: exchange.remote.name,
    hint: `Nothing was sent. First sync ${branch} with --adopt, which removes purged content from all branches; then repeat this`,
  });
}

/** Judges whether what the remote has may come in. Throws REMOTE_REFUSED for one that is not followed, PURGED for what a purge took. */
function judge(exchange: Exchange, objects: ObjectDatabase, last: string | null, theirs: string): void {
  const { address, name } = exchange.remote;
  const isAdopted = exchange.options.adopt === true;
  const ours = exchange.store.tip();
  const isOurs = ours !== null && !exchange.isBeginning(ours);
  exchange.owed = isOurs ? owedBetween(objects, ours, theirs) : nothingOwed;
  const { here, there } = exchange.owed;
  if (here.length > 0 || there.length > 0) {
    if (isAdopted) return;
    const isFollowed = there.every(({ id }) => receiptsOf(objects, theirs).some((receipt) => receipt.id === id));
    if (there.length > 0 && isFollowed) refusePurged(objects, ours!, commitsBeyond(objects, theirs, [ours!]), name);
    refuseOwed(exchange, exchange.owed);
  }
  if (theirs === last) return;
  const isRewound = last !== null && !isBehind(objects, last, [theirs]);
  if (isAdopted) {
    const { leaving } = exchange.options;
    const left = isRewound && isOurs && leaving !== 'replay' ? leftBy(objects, ours, last, theirs) : undefined;
    if (left !== undefined && leaving === undefined && !exchange.isDryRun) refuseLeaving(name, left);
    exchange.left = left;
    [exchange.lastCommon, exchange.isRewound] = [leaving === 'replay' ? null : last, isRewound];
    return;
  }
  if (isRewound) {
    exchange.refuse(
      last,
      `${address.shown} was rewound: what it had when we last saw it is gone from there`,
      'If that was meant, follow it with --adopt; if not, push what it lost with `git push`',
    );
  }
  if (!isOurs || mergeBases(objects, [ours], [theirs]).length > 0) return;
  exchange.refuse(
    last ?? ours,
    `${address.shown} holds another memory: the two have no commit in common`,
    'Look whether the address is right. --adopt follows it and puts what is here on top, so that nothing is lost. ' +
      'A new machine begins with `git memory init --from ADDRESS`',
  );
}

/** Takes in what a remote has without what was purged here. Where the remote is stays unknown: nothing here leads to that. */
async function acceptClean(exchange: Exchange, { tip, objects, install }: Incoming): Promise<void> {
  exchange.fetched += commitsBeyond(objects, tip, exchange.ownTips()).length;
  await exchange.store.exclusively(() => {
    const release = install();
    rescue(exchange, tip, exchange.store.tip()!);
    release();
  });
}

async function accept(
  exchange: Exchange,
  objects: ObjectDatabase,
  theirs: string,
  pack: FetchedPack | null,
): Promise<void> {
  exchange.fetched += commitsBeyond(objects, theirs, exchange.ownTips()).length;
  await exchange.store.exclusively(() => {
    const release = pack?.install();
    exchange.see(theirs);
    release?.();
  });
}
