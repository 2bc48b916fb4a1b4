// The milestones of both sides in one sync: which are to be made here, and which are to go.

import type { Advertisement } from '../../git/remote-protocol.ts';
import { isBehind } from '../../history/merge-base.ts';
import { isMilestone, type LocalTag, planTags, type TagPlan } from '../../sync/milestones.ts';
import type { Exchange } from './exchange.ts';

/** Plans the exchange of tags with what the remote told; only those behind `tip` count. */
export function tagPlan(exchange: Exchange, { refs }: Advertisement, tip: string): TagPlan {
  const { objects } = exchange.repository;
  const theirs = new Map([...refs].filter(([ref]) => isMilestone(ref)));
  const names = { machine: exchange.machine, remote: exchange.remote.name };
  const isBehindTip = (oid: string) => exchange.isCommitHere(oid) && isBehind(objects, oid, [tip]);
  return planTags(localMilestones(exchange), theirs, names, isBehindTip);
}

/** Makes the milestones of the remote here. */
export async function takeTags(exchange: Exchange, advertisement: Advertisement, theirs: string): Promise<void> {
  for (const { ref, oid } of tagPlan(exchange, advertisement, theirs).fetch) {
    const isMade = await exchange.store.exclusively(() =>
      exchange.move(ref, null, oid, `sync ${exchange.remote.name}`),
    );
    if (isMade) exchange.tags.fetched.add(ref.replace('refs/tags/', ''));
  }
}

/** Whether there are milestones here that the remote may lack. */
export function hasUnknownMilestones(exchange: Exchange, { refs }: Advertisement): boolean {
  const known = new Set([...refs].filter(([ref]) => isMilestone(ref)).map(([, oid]) => oid));
  return localMilestones(exchange).some(({ oid }) => !known.has(oid));
}

function localMilestones({ repository: { refs, objects } }: Exchange): LocalTag[] {
  return refs
    .list('refs/tags/')
    .filter(({ ref }) => isMilestone(ref))
    .map(({ ref, oid }) => ({ ref, oid, commit: objects.peelToCommit(oid) }));
}
