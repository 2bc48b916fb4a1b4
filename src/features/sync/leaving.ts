// The one rule by which a ref of ours or of a remote may leave where it is. What it led to is behind the commit that takes its place, or is
// carried over there without what was purged. Or the caller gave it up by its name.

import { count } from '../../base/count.ts';
import { MemoryError } from '../../base/errors.ts';
import { formatSeconds } from '../../base/time.ts';
import type { LeftCommits } from '../../base/types.ts';
import { commitsBeyond, isBehind } from '../../history/index.ts';
import type { ObjectReader } from '../../store/git/object-overlay.ts';
import { parseMessage } from '../../store/guard/message.ts';
import type { Exchange } from './exchange.ts';

/** Tells whether all that a commit, or tag, leads to is kept by another commit. A rewriting gives each commit an image, so that of the tip tells for all. */
export function isKept(exchange: Exchange, oid: string, by: string): boolean {
  const image = exchange.imageOf(oid);
  const { objects } = exchange.repository;
  if (!objects.has(image)) return false;
  return isBehind(objects, objects.peelToCommit(image), [by]);
}

/** Passes a move of a ref, and throws REMOTE_REFUSED for one that would leave commits behind. `givenUp`: whoever called named it. */
export function checkLeaving(
  exchange: Exchange,
  ref: string,
  { from, to, givenUp = false }: { readonly from: string | null; readonly to: string; readonly givenUp?: boolean },
): void {
  if (from === null || givenUp || isKept(exchange, from, to)) return;
  const { objects } = exchange.repository;
  const left = exchange.isCommitHere(from)
    ? count(commitsBeyond(objects, from, [to]).length, 'commit')
    : 'commits that are not here';
  throw new MemoryError('REMOTE_REFUSED', `${ref} would leave ${left} behind`, {
    where: exchange.remote.name,
    hint: 'Nothing was moved. Repeat the sync; `git memory doctor` tells what is missing here',
  });
}

const [mostListed, mostNamed] = [50, 5];

/** Lists what leaves a branch that follows a remote: commits of ours that it had when we `last` saw it. Undefined for none. */
export function leftBy(objects: ObjectReader, ours: string, last: string, theirs: string): LeftCommits | undefined {
  const own = new Set(commitsBeyond(objects, ours, [last, theirs]));
  const left = commitsBeyond(objects, ours, [theirs]).filter((oid) => !own.has(oid));
  if (left.length === 0) return undefined;
  const commits = left.slice(0, mostListed).map((commit) => {
    const { committer, message } = objects.readCommit(commit);
    return { commit, day: formatSeconds(committer.time).replace(/T.*/, ''), subject: parseMessage(message).subject };
  });
  return { count: left.length, commits };
}

/** Refuses an adoption in which commits of ours would leave, and nobody said what is to become of them: REMOTE_REFUSED. */
export function refuseLeaving(remote: string, left: LeftCommits): never {
  const named = left.commits
    .slice(0, mostNamed)
    .map(({ commit, day, subject }) => `${commit.slice(0, 12)} ${day} ${subject}`);
  const more = left.count - named.length;
  const list = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  const what = `${count(left.count, 'commit')} of this memory would leave, which the remote has given up: ${list}`;
  throw new MemoryError('REMOTE_REFUSED', what, {
    where: remote,
    hint: 'Nothing was done. --leaving replay puts them upon what the remote has now; --leaving drop lets them go, and a ref keeps them',
    data: { left },
  });
}
