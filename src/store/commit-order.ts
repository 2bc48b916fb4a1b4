// The order of commits on a branch: when one was made, and which number it has.

import type { Repository } from './git/repository.ts';
import { parseMessage } from './guard/message.ts';

/** A parent this far ahead of the clock is not followed: somebody's clock was wrong, and order is by position anyway. */
const maxAheadSeconds = 24 * 3600;
const maxSequenceSearch = 1000;

/**
 * Gives the time of a commit made at `clock` on a parent, in seconds. It is the later of both, unless the parent's clock was more than a
 * day ahead.
 */
export const timeAfter = (clock: number, parent: number): number =>
  parent > clock && parent <= clock + maxAheadSeconds ? parent : clock;

/** Finds the sequence number of a commit: its own, or that of the nearest first-parent ancestor with one. */
export function sequenceOf(repository: Repository, tip: string): number {
  let oid: string | undefined = tip;
  for (let steps = 0; oid !== undefined && steps < maxSequenceSearch; steps++) {
    const commit = repository.objects.readCommit(oid);
    const value = parseMessage(commit.message).trailers.find((trailer) => trailer.key === 'Sequence')?.value;
    if (value !== undefined && /^\d{1,15}$/.test(value)) return Number(value) + steps;
    oid = commit.parents[0];
  }
  return 0;
}
