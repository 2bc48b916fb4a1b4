// The last step of a sync: what the remote lacks goes there as one pack, and its branch moves if it still is where we saw it.

import { MemoryError } from '../../errors.ts';
import { type Connection, type RefCommand, sendPack } from '../../git/remote-protocol.ts';
import { commitsBeyond } from '../../history/merge-base.ts';
import { packOf } from '../../sync/push.ts';
import { type Exchange, isBehind } from './exchange.ts';
import type { Sight } from './incoming.ts';
import { hasUnknownMilestones, tagPlan, takeTags } from './milestones.ts';

/** Pushes the branch and its milestones; false when the remote moved since we looked. */
export async function push(exchange: Exchange, { theirs, advertisement }: Sight): Promise<boolean> {
  const tip = exchange.store.tip();
  if (tip === null || (tip === theirs && !hasUnknownMilestones(exchange, advertisement))) return true;
  return pushBy(exchange, await exchange.connect('receive-pack'), theirs, tip);
}

/**
 * Pushes without a fetch before, when the remote is where we last saw it and ours leads on from there: the program that takes a push tells
 * first where the branches are, so that one conversation is enough. False when it takes the ordinary way; nothing was changed then.
 */
export async function pushAtOnce(exchange: Exchange): Promise<boolean> {
  const { repository, store, remote, options, seen } = exchange;
  const [tip, last] = [store.tip(), repository.refs.read(seen)];
  if (tip === null || last === null || tip === last || options.adopt === true) return false;
  // Who pushes elsewhere than he fetches from has to look at both.
  if (remote.pushAddress !== undefined || !exchange.isCommitHere(last)) return false;
  if (!isBehind(repository.objects, last, [tip])) return false;
  let connection: Connection;
  try {
    connection = await exchange.connect('receive-pack');
  } catch (error) {
    // Who may not push may fetch. Where nobody answers, asking again would only take as long again.
    const mayFetch = error instanceof MemoryError && error.code === 'REMOTE_UNAVAILABLE' && !isSilence(error);
    if (mayFetch) return false;
    throw error;
  }
  if (connection.advertisement.refs.get(store.ref) !== last) {
    connection.close();
    return false;
  }
  return pushBy(exchange, connection, last, tip, true);
}

/** Pushes by a connection, which it closes. */
async function pushBy(
  exchange: Exchange,
  connection: Connection,
  theirs: string | null,
  tip: string,
  isFirst = false,
): Promise<boolean> {
  const { repository, store } = exchange;
  const { objects } = repository;
  const { ref } = store;
  const isNew = tip !== theirs;
  try {
    if (isFirst && theirs !== null) await takeTags(exchange, connection.advertisement, theirs);
    const there = connection.advertisement.refs.get(ref) ?? null;
    if (there !== theirs) return loseRound(exchange);
    const tags = tagPlan(exchange, connection.advertisement, tip).push;
    const commands: RefCommand[] = [...(isNew ? [{ ref, from: theirs, to: tip }] : []), ...tags];
    if (commands.length === 0) return true;
    const known = [...new Set(connection.advertisement.refs.values())].filter((oid) => exchange.isCommitHere(oid));
    const commits = commitsBeyond(objects, tip, known);
    exchange.progress('push', 0, commits.length);
    const report = await sendPack(connection, commands, packOf(objects, commits));
    const reason = isNew ? report.get(ref)! : null;
    if (reason !== null) return await judgeRefusal(exchange, theirs, reason);
    for (const { ref: tag } of tags) {
      if (report.get(tag) === null) exchange.tags.pushed.add(tag.replace('refs/tags/', ''));
    }
    if (isNew) {
      exchange.pushed += commits.length;
      await store.exclusively(() => exchange.see(tip));
    }
    exchange.progress('push', commits.length);
    // What was committed meanwhile goes with the next sync.
    return true;
  } finally {
    connection.close();
  }
}

/** Whether nobody answered at all; see git/transport.ts. */
function isSilence({ cause, what }: MemoryError): boolean {
  return cause !== undefined || what === 'the remote does not answer';
}

/** Where pushes go elsewhere than where is fetched from, a branch that stays different was not moved by somebody who was faster. */
function loseRound(exchange: Exchange): false {
  const { address, pushAddress, name } = exchange.remote;
  exchange.lost += 1;
  if (pushAddress === undefined || exchange.lost < maxLostElsewhere) return false;
  throw new MemoryError(
    'REMOTE_REFUSED',
    `${pushAddress.shown} has another branch ${exchange.branch} than ${address.shown}`,
    {
      where: name,
      hint: 'What is here is safe; both addresses of the remote have to name the same repository',
    },
  );
}

const maxLostElsewhere = 10;

/** A ref that did not move and still is where it was did not lose a race: the remote does not want it. */
async function judgeRefusal(exchange: Exchange, theirs: string | null, reason: string): Promise<false> {
  const again = await exchange.connect('receive-pack');
  again.close();
  const isMoved = (again.advertisement.refs.get(exchange.store.ref) ?? null) !== theirs;
  if (isMoved || /lock|fetch first|stale/i.test(reason)) return false;
  throw new MemoryError('REMOTE_REFUSED', `the remote does not take the push: ${reason}`, {
    where: exchange.remote.name,
    hint: 'What is here is safe; look at the rules of the remote. A remote with files of its own needs to be a bare repository',
  });
}
