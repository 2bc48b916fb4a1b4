// What a sync does where one side was purged and the other was not: neither comes as it is. Theirs is cleaned before it is let in, ours
// where it lies. From then on both are histories like any other, that follow or merge.
//
//     receipts of ours   ──► theirs, in quarantine ──► without what was purged ──► objects, a rescue ref
//     receipts of theirs ──► ours, a purge by their hashes ─────────────────────► a rescue ref

import { MemoryError } from '../../base/errors.ts';
import { once } from '../../base/once-per.ts';
import { commitsBeyond, owedReceipts, purgeBefore, refusePurged } from '../../history/index.ts';
import type { GitObject, NewObject } from '../../store/git/object-codec.ts';
import type { ObjectDatabase } from '../../store/git/object-database.ts';
import type { ObjectReader } from '../../store/git/object-overlay.ts';
import { rescueRef } from '../../store/git/remotes.ts';
import { diffTrees } from '../../store/git/tree.ts';
import { parseMessage } from '../../store/guard/message.ts';
import { type CleanHistory, followPurges, type HistorySource, refuseHolding, withoutPurged } from '../purge/index.ts';
import { type Exchange, nothingOwed, type Owed } from './exchange.ts';

/** Tells which purges either side has yet to follow. */
export function owedBetween(objects: ObjectReader, ours: string, theirs: string): Owed {
  const own = once(() => commitsBeyond(objects, ours, [theirs]));
  const other = once(() => commitsBeyond(objects, theirs, [ours]));
  return {
    here: owedReceipts(objects, theirs, ours, { beyond: other, brought: own }),
    there: owedReceipts(objects, ours, theirs, { beyond: own, brought: other }),
  };
}

/** The history of a remote that may come in. */
export interface Incoming {
  readonly tip: string;
  readonly objects: HistorySource;
  /** Writes what is new; to be called under the repository lock. The function it gives is called when a ref leads to it. */
  install(): () => void;
}

/** Cleans what a remote sent; `tips` are its branch, and what else it serves. Notes for all of them what they are now. Writes nothing. */
export function cleanIncoming(
  exchange: Exchange,
  objects: ObjectDatabase,
  ours: string,
  [theirs, ...others]: readonly [string, ...string[]],
): Incoming {
  const { repository, remote, owed } = exchange;
  const own = commitsBeyond(objects, ours, []);
  const known = new Map(own.map((oid) => [oid, oid]));
  // What we purged ourselves we need not work out again; behind several purges only the end of all is known, and none of the steps.
  const pairs = owed.there.length === 1 ? repository.mark.read() : [];
  for (const [from, to] of pairs) if (exchange.isCommitHere(to)) known.set(from, to);
  const clean = withoutPurged(objects, [theirs, ...others], owed.there, known);
  for (const oid of [theirs, ...others]) exchange.images.set(oid, clean.imageOf(oid));
  const tip = clean.imageOf(theirs);
  const brought = commitsBeyond(clean.objects, tip, exchange.ownTips());
  refusePurged(clean.objects, ours, brought, remote.name);
  const tags = others.map(clean.imageOf).filter((oid) => clean.objects.read(oid).type === 'tag');
  const added = newObjects(clean, [...tags, ...brought], (oid) => repository.objects.has(oid));
  refuseHolding(added, owed.there, remote.name);
  const old = new Map(commitsBeyond(objects, theirs, own).map((oid) => [clean.imageOf(oid), oid]));
  noteCarried(exchange, clean.objects, commitsBeyond(clean.objects, tip, [ours]), (oid) => old.get(oid));
  return { tip, objects: clean.objects, install: () => repository.objects.write(added) };
}

/** Keeps what a side had under a ref of ours, without what was purged, where the other side does not have it all. */
export function rescue(exchange: Exchange, kept: string, other: string): void {
  const { repository, remote, store } = exchange;
  if (commitsBeyond(repository.objects, kept, [other]).length === 0) return;
  const ref = rescueRef(remote.name, store.ref, kept);
  exchange.move(ref, repository.refs.read(ref), kept, 'sync: carried over a purge');
  exchange.rescued = ref;
}

/** Purges this repository as the receipts of theirs say. Gives the tip of the branch. */
export async function followTheirs(exchange: Exchange, theirs: string): Promise<string> {
  const { store, repository, owed } = exchange;
  const { objects } = repository;
  const moved = await followPurges(exchange.purging, owed.here, commitsBeyond(objects, theirs, []));
  const ours = store.tip()!;
  const own = commitsBeyond(objects, ours, [theirs]);
  // A commit from before the purge that holds nothing of it, as far as anybody here knows. Its history must not go there; what it says may.
  exchange.isCutOff = purgeBefore(objects, theirs, own) !== null;
  if (!exchange.isCutOff) {
    await store.exclusively(() => rescue(exchange, ours, theirs));
    const old = new Map([...moved].map(([from, to]) => [to, from]));
    noteCarried(exchange, objects, own, (oid) => old.get(oid));
  }
  // What we saw of it last was of the history that is gone.
  [exchange.lastCommon, exchange.isRewound, exchange.owed] = [null, exchange.isCutOff, nothingOwed];
  return ours;
}

/** Thinks of {@link followTheirs}: what a dry run tells. */
export function thinkOfFollowing(
  exchange: Exchange,
  objects: HistorySource,
  ours: string,
  theirs: string,
): CleanHistory {
  const known = new Map(commitsBeyond(objects, theirs, []).map((oid) => [oid, oid]));
  return withoutPurged(objects, [ours], exchange.owed.here, known);
}

/** Names commits that have another id since, oldest first, with the files in which a mark stands for what was purged. */
function noteCarried(
  exchange: Exchange,
  objects: ObjectReader,
  commits: readonly string[],
  oldOf: (oid: string) => string | undefined,
): void {
  const marks = [...exchange.owed.here, ...exchange.owed.there].flatMap(({ id, replacement }) => [
    replacement ?? `[purged ${id}]`,
    `purged-${id}`,
  ]);
  for (const oid of [...commits].reverse()) {
    const from = oldOf(oid);
    if (from === undefined || from === oid) continue;
    const { message, tree, parents } = objects.readCommit(oid);
    const before = parents[0] === undefined ? null : objects.readCommit(parents[0]).tree;
    const filtered = diffTrees(before, tree, objects.readTreeBytes).filter(({ path, before: old, after }) => {
      if (after === null || !after.mode.startsWith('100')) return false;
      const marksIn = (version: typeof old) =>
        version?.mode.startsWith('100') ? occurrences(objects.readBlob(version.oid), marks) : 0;
      return marks.some((mark) => path.includes(mark)) || marksIn(after) > marksIn(old);
    });
    const { subject } = parseMessage(message);
    exchange.carried.set(oid, { from, commit: oid, subject, filtered: filtered.map(({ path }) => path) });
  }
}

function occurrences(bytes: Buffer, words: readonly string[]): number {
  const text = bytes.toString('utf8');
  return words.reduce((sum, word) => sum + text.split(word).length - 1, 0);
}

/** Reads tags, and commits with what they hold, that are not here, each object once. */
function newObjects(clean: CleanHistory, tips: readonly string[], isHere: (oid: string) => boolean): NewObject[] {
  const found = new Map<string, NewObject>();
  const add = (oid: string): GitObject | null => {
    if (found.has(oid) || isHere(oid)) return null;
    const object = clean.objects.read(oid);
    found.set(oid, { oid, ...object });
    return object;
  };
  const addTree = (tree: string): void => {
    if (add(tree) === null) return;
    for (const { mode, oid } of clean.objects.readTree(tree)) {
      if (mode === '40000') addTree(oid);
      else if (mode !== '160000') add(oid);
    }
  };
  for (const oid of tips) {
    const { type } = add(oid) ?? {};
    if (type === 'commit') addTree(clean.objects.readCommit(oid).tree);
  }
  return [...found.values()];
}

/** Refuses to bring two histories together if one of them was purged. */
export function refuseOwed(exchange: Exchange, { here, there }: Owed): never {
  const what =
    there.length === 0
      ? 'the remote was purged'
      : here.length === 0
        ? 'this memory was purged and the remote was not'
        : 'this memory and the remote were purged of different things';
  throw new MemoryError('REMOTE_REFUSED', what, {
    where: exchange.remote.name,
    hint: 'Nothing was changed. --adopt joins both sides without content that either has purged, and keeps all else',
  });
}
