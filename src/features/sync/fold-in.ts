// The second half of a sync on this side: the branch comes to hold what the remote has. It follows, merges, or goes over to it.

import { isBehind, mergeBases, mergeCommit } from '../../history/index.ts';
import { flushBefore } from '../../store/flush-before.ts';
import type { ObjectReader } from '../../store/git/object-overlay.ts';
import { rescueRef } from '../../store/git/remotes.ts';
import { asEngine } from '../../store/guard/agent-door.ts';
import { parseMessage } from '../../store/guard/message.ts';
import { adoptTheirs } from './adopt-remote.ts';
import type { Exchange } from './exchange.ts';
import { checkLeaving } from './leaving.ts';
import { followTheirs } from './purged.ts';

/** What is to become of the branch: nothing, since it holds all; or one of the ways to come there. */
export type FoldPlan = 'nothing' | 'follow' | 'merge' | 'adopt';

/** Tells which way it is. `objects` read both sides. */
export function planFold(exchange: Exchange, objects: ObjectReader, ours: string | null, theirs: string): FoldPlan {
  if (ours === theirs) return 'nothing';
  if (ours === null) return 'follow';
  const isNew = exchange.isBeginning(ours);
  if (exchange.options.adopt === true && !isNew && isParted(exchange, objects, ours, theirs)) return 'adopt';
  if (isBehind(objects, ours, [theirs])) return 'follow';
  if (isNew && mergeBases(objects, [ours], [theirs]).length === 0) return 'follow';
  return isBehind(objects, theirs, [ours]) ? 'nothing' : 'merge';
}

/** Whether the ordinary ways would bring back what somebody took away there, or find nothing in common. */
function isParted(exchange: Exchange, objects: ObjectReader, ours: string, theirs: string): boolean {
  return exchange.isRewound || mergeBases(objects, [ours], [theirs]).length === 0;
}

/** Brings the branch to a state that holds what the remote has; false when it moved on meanwhile. */
export async function foldIn(exchange: Exchange, theirs: string): Promise<boolean> {
  const { store, remote } = exchange;
  if (store.tip() === null) return false;
  const isOwed = exchange.owed.here.length > 0;
  const ours = isOwed ? await followTheirs(exchange, theirs) : store.tip()!;
  const plan = planFold(exchange, exchange.repository.objects, ours, theirs);
  if (plan === 'nothing') return true;
  if (plan === 'adopt') return adopt(exchange, ours, theirs);
  if (plan === 'follow') {
    checkLeaving(exchange, store.ref, { from: ours, to: theirs, givenUp: exchange.isBeginning(ours) });
    if (await store.advance(ours, theirs)) return true;
    await flushBefore(store);
    return false;
  }
  exchange.progress('merge', 0);
  // The remote decides who writes to it: what it brings is not the doing of an agent that asks for a sync.
  const merged = await asEngine(() =>
    mergeCommit(store, theirs, `${remote.name}/${exchange.branch}`, true, { isPublished: true }),
  );
  if (merged.commit !== null) exchange.merges.push(merged.commit);
  for (const path of merged.conflicts) exchange.conflicts.add(path);
  return true;
}

async function adopt(exchange: Exchange, ours: string, theirs: string): Promise<boolean> {
  const { store, remote, repository } = exchange;
  const ref = rescueRef(remote.name, store.ref, ours);
  // An adopting side gives up what the remote does not have any more; what is only here is carried over.
  checkLeaving(exchange, store.ref, { from: ours, to: theirs, givenUp: true });
  await store.exclusively(() => exchange.move(ref, repository.refs.read(ref), ours, 'sync: adopted'));
  const adoption = await adoptTheirs(store, ours, theirs, {
    last: exchange.lastCommon,
    isCutOff: exchange.isCutOff,
    remote: remote.name,
    now: exchange.now(),
  });
  if (adoption === null) return false;
  for (const path of adoption.conflicts) exchange.conflicts.add(path);
  for (const oid of [...adoption.carried].reverse()) {
    const { subject } = parseMessage(repository.objects.readCommit(oid).message);
    exchange.carried.set(oid, { from: oid, commit: adoption.tip, subject, filtered: [] });
  }
  [exchange.rescued, exchange.isRewound] = [ref, false];
  return true;
}
