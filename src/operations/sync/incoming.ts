// The first half of a sync: where the remote is, what we lack of it, and whether it may be followed.

import { MemoryError } from '../../errors.ts';
import type { Advertisement, Connection } from '../../git/remote-protocol.ts';
import { commitsBeyond, isBehind, mergeBases } from '../../history/merge-base.ts';
import { epochOf } from '../../sync/epoch.ts';
import { type FetchedPack, fetchObjects } from '../../sync/fetch.ts';
import { refusePurged } from '../../sync/purged-history.ts';
import type { Exchange } from './exchange.ts';
import { takeTags } from './milestones.ts';

/** The remote as it was seen: its branch, or null where it has none, and all it told. */
export interface Sight {
  readonly theirs: string | null;
  readonly advertisement: Advertisement;
}

/** Brings the branch of the remote and its milestones in; with a dry run nothing stays, and `look` is given what would have come. */
export async function fetchBranch(
  exchange: Exchange,
  look?: (objects: FetchedPack['objects'], theirs: string) => void,
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
      return { theirs, advertisement };
    }
    const pack =
      theirs === last || isWhole(exchange, theirs) ? null : await receive(exchange, connection, theirs, last);
    try {
      const objects = pack?.objects ?? repository.objects;
      const isTaken = theirs !== last && judge(exchange, objects, last, theirs);
      look?.(objects, theirs);
      if (isTaken && !exchange.isDryRun) await accept(exchange, objects, theirs, pack);
    } finally {
      pack?.discard();
    }
    // The milestones of a remote that is to follow are of a history that is not let in.
    if (!exchange.isDryRun && !exchange.isTheirsOlder) await takeTags(exchange, advertisement, theirs);
    return { theirs, advertisement };
  } finally {
    connection.close();
  }
}

function receive(
  exchange: Exchange,
  connection: Connection,
  theirs: string,
  last: string | null,
): Promise<FetchedPack> {
  return fetchObjects(exchange.repository, connection, {
    limits: exchange.limits,
    signal: exchange.options.signal,
    wants: [theirs],
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

/** Tells whether what the remote has comes in. Throws REMOTE_REFUSED for one that may not be followed, PURGED for what a purge took. */
function judge(exchange: Exchange, objects: FetchedPack['objects'], last: string | null, theirs: string): boolean {
  const { address, name } = exchange.remote;
  const isAdopted = exchange.options.adopt === true;
  const ours = exchange.store.tip();
  const isOurs = ours !== null && !exchange.isBeginning(ours);
  if (isOurs) {
    exchange.isTheirsOlder = epochOf(objects, ours) > epochOf(objects, theirs);
    // Ours is what the remote follows: nothing of what was purged comes here, not even as objects that nothing leads to.
    if (isAdopted && exchange.isTheirsOlder) return false;
    if (!exchange.isTheirsOlder) refusePurged(objects, ours, commitsBeyond(objects, theirs, [ours]), name);
  }
  const isRewound = last !== null && !isBehind(objects, last, [theirs]);
  if (isAdopted) {
    [exchange.lastCommon, exchange.isRewound] = [last, isRewound];
    return true;
  }
  if (isRewound) {
    exchange.refuse(
      last,
      `${address.shown} was rewound: what it had when we last saw it is gone from there`,
      'If that was meant, follow it with --adopt; if not, push what it lost with `git push`',
    );
  }
  if (!isOurs) return true;
  const [here, there] = [epochOf(objects, ours), epochOf(objects, theirs)];
  if (here < there) {
    exchange.refuse(last ?? ours, 'the remote was purged', 'Follow it with --adopt: what is only here comes along');
  }
  if (here > there) {
    exchange.refuse(
      last ?? ours,
      'this memory was purged and the remote was not',
      'With --adopt the remote follows it',
    );
  }
  if (mergeBases(objects, [ours], [theirs]).length === 0) {
    exchange.refuse(
      last ?? ours,
      `${address.shown} holds another memory: the two have nothing in common`,
      'Look whether the address is right; with --adopt this memory becomes that one, with what is here on top',
    );
  }
  return true;
}

/** Takes the pack in and remembers where the remote is. */
async function accept(
  exchange: Exchange,
  objects: FetchedPack['objects'],
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
