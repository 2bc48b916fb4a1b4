// The milestones of both sides in one sync: which are to be made here, and which are to go.

import { isBehind } from '../../history/index.ts';
import type { Advertisement, RefCommand } from '../../store/git/remote-protocol.ts';
import type { Exchange } from './exchange.ts';
import { isKept } from './leaving.ts';
import { isMilestone, type LocalTag, planTags, type TagPlan } from './milestones.ts';

/** The exchange of tags, and those of the remote that led to what was purged: the one case in which a tag moves. */
export interface TagExchange extends TagPlan {
  readonly moves: readonly RefCommand[];
}

/** Plans the exchange of tags with what the remote told; only those behind `tip` count. */
export function tagPlan(exchange: Exchange, { refs }: Advertisement, tip: string): TagExchange {
  const { objects } = exchange.repository;
  const present = [...refs].filter(([ref]) => isMilestone(ref));
  const theirs = new Map(present.map(([ref, oid]) => [ref, exchange.imageOf(oid)]));
  const moves = present.flatMap(([ref, from]) => {
    const to = theirs.get(ref)!;
    return to === from || !isKept(exchange, from, tip) ? [] : [{ ref, from, to }];
  });
  const names = { machine: exchange.machine, remote: exchange.remote.name };
  const isBehindTip = (oid: string) => exchange.isCommitHere(oid) && isBehind(objects, oid, [tip]);
  return { ...planTags(localMilestones(exchange), theirs, names, isBehindTip), moves };
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
  if ([...known].some((oid) => exchange.imageOf(oid) !== oid)) return true;
  return localMilestones(exchange).some(({ oid }) => !known.has(oid));
}

function localMilestones({ repository: { refs, objects } }: Exchange): LocalTag[] {
  return refs
    .list('refs/tags/')
    .filter(({ ref }) => isMilestone(ref))
    .map(({ ref, oid }) => ({ ref, oid, commit: objects.peelToCommit(oid) }));
}
