// The one rule by which a ref of ours or of a remote may leave where it is. What it led to is behind the commit that takes its place, or is
// carried over there without what was purged. Or the caller gave it up by its name.

import { count } from '../base/count.ts';
import { MemoryError } from '../errors.ts';
import { commitsBeyond, isBehind } from '../history/merge-base.ts';
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
