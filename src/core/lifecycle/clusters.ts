// Groups of memories that say the same (spec 1): single linkage, never larger than is good for one memory.

import type { AlikePair } from './likeness.ts';

/** From this likeness on two memories are linked; a chain of links is a cluster (CortexGraph). */
export const linkLikeness = 0.83;
/** From this likeness on one nearly says what the other says. */
export const nearDuplicate = 0.88;
/** A cluster has so many members at most. */
export const mostMembers = 12;
/** From this cohesion on a model or a person is asked whether a cluster becomes one. */
export const askCohesion = 0.75;

/** Members by their numbers, in ascending order, and how alike they are on average. */
export interface Cluster {
  readonly members: readonly number[];
  /** The mean likeness of all pairs, 0 to 1. */
  readonly cohesion: number;
}

/** Joins what is alike into clusters of two to `most` members, the most alike first: single linkage, but for joins that would make one larger. */
export function clustersOf(
  pairs: readonly AlikePair[],
  likenessOf: (one: number, other: number) => number,
  most: number,
): Cluster[] {
  const clusterOf = new Map<number, number[]>();
  const sorted = [...pairs].sort((a, b) => b.likeness - a.likeness || a.one - b.one || a.other - b.other);
  for (const { one, other } of sorted) {
    const left = clusterOf.get(one) ?? [one];
    const right = clusterOf.get(other) ?? [other];
    if (left === right || left.length + right.length > most) continue;
    const joined = [...left, ...right];
    for (const member of joined) clusterOf.set(member, joined);
  }
  return [...new Set(clusterOf.values())]
    .map((members) => members.sort((a, b) => a - b))
    .map((members) => ({ members, cohesion: cohesionOf(members, likenessOf) }))
    .sort((a, b) => a.members[0]! - b.members[0]!);
}

/** Computes the mean likeness of all pairs of some texts; 1 for one alone. */
export function cohesionOf(members: readonly number[], likenessOf: (one: number, other: number) => number): number {
  let sum = 0;
  let count = 0;
  for (let left = 0; left < members.length; left++) {
    for (let right = left + 1; right < members.length; right++, count++) {
      sum += likenessOf(members[left]!, members[right]!);
    }
  }
  return count === 0 ? 1 : sum / count;
}
