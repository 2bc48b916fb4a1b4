// The last step of a sync: by which connection the branch and its milestones go, and what a refusal means.

import { MemoryError } from '../../base/errors.ts';
import { isBehind } from '../../history/index.ts';
import type { Connection } from '../../store/git/remote-protocol.ts';
import { BranchPush } from './branch-push.ts';
import type { Exchange } from './exchange.ts';
import type { Sight } from './incoming.ts';
import { hasUnknownMilestones, takeTags } from './pushed-milestones.ts';

/** Pushes the branch and its milestones; false when the remote moved since we looked. */
export async function push(exchange: Exchange, { theirs, advertisement }: Sight): Promise<boolean> {
  const tip = exchange.store.tip();
  if (tip === null || (tip === theirs && !hasUnknownMilestones(exchange, advertisement))) return true;
  return pushBy(exchange, await exchange.connect('receive-pack'), theirs, tip);
}

/** Pushes without a fetch where the remote is as last seen and ours leads on: one conversation is enough. False: nothing changed, sync as ever. */
export async function pushAtOnce(exchange: Exchange): Promise<boolean> {
  const { repository, store, remote, options, seen } = exchange;
  const [tip, last] = [store.tip(), repository.refs.read(seen)];
  if (tip === null || last === null || tip === last || options.adopt === true) return false;
  // A remote that pushes elsewhere than it fetches from needs a look at both.
  if (remote.pushAddress !== undefined || !exchange.isCommitHere(last)) return false;
  if (!isBehind(repository.objects, last, [tip])) return false;
  let connection: Connection;
  try {
    connection = await exchange.connect('receive-pack');
  } catch (error) {
    // A caller that may not push may fetch. Where nobody answers, asking again would only take as long again.
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

async function pushBy(
  exchange: Exchange,
  first: Connection,
  theirs: string | null,
  tip: string,
  isFirst = false,
): Promise<boolean> {
  const work = new BranchPush(exchange, theirs, tip);
  for (let connection = first; ; connection = await exchange.connect('receive-pack')) {
    try {
      if (isFirst && connection === first && theirs !== null)
        await takeTags(exchange, connection.advertisement, theirs);
      const outcome = await work.step(connection);
      if (outcome === 'done') return true;
      if (outcome === 'moved') return loseRound(exchange);
      if (outcome !== 'further') return await judgeRefusal(exchange, work.there, outcome.refused);
    } finally {
      connection.close();
    }
  }
}

/** Whether nobody answered at all; see store/git/transport.ts. */
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
    `${pushAddress.shown} and ${address.shown} have different branches ${exchange.branch}`,
    { where: name, hint: 'Your memory is safe; both addresses of the remote must name the same repository' },
  );
}

const maxLostElsewhere = 10;

/** A ref that did not move and still is where it was did not lose a race: the remote does not want it. */
async function judgeRefusal(exchange: Exchange, theirs: string | null, reason: string): Promise<false> {
  const again = await exchange.connect('receive-pack');
  again.close();
  const isMoved = (again.advertisement.refs.get(exchange.store.ref) ?? null) !== theirs;
  if (isMoved || /lock|fetch first|stale/i.test(reason)) return false;
  throw new MemoryError('REMOTE_REFUSED', `the remote rejected the push: ${reason}`, {
    where: exchange.remote.name,
    hint: 'Your memory is safe; check the rules of the remote. A remote must not have a work tree of its own',
  });
}
