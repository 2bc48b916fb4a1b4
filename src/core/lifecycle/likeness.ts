// Which texts are alike, among many: all pairs above a threshold, without looking at every pair twice. Groups of them are single linkage
// (spec 1), never larger than is good for one memory.

import { keptIn } from '../../base/once-per.ts';
import { takeTurns } from '../../base/take-turns.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { PassOptions } from '../../base/types.ts';
import { dot } from '../../base/vectors.ts';
import { VectorTable } from '../../search/index.ts';

/** Two texts by their numbers, the lower first, and how alike they are: 0 to 1. */
export interface AlikePair {
  readonly one: number;
  readonly other: number;
  readonly likeness: number;
}

/** Tells how alike texts are that it was made for. */
export interface Likeness {
  /** What it is measured by: the name of an embedder, or `words`. */
  readonly by: string;
  /** Lists all pairs of at least this likeness. */
  pairs(threshold: number, options?: PairOptions): Promise<AlikePair[]>;
  of(one: number, other: number): number;
}

export type PairOptions = Pick<PassOptions, 'signal' | 'onProgress'>;

/** Rounding to a byte per dimension moves a cosine by less than this; the vectors as given decide. */
const rounding = 0.02;
/** How far it is, is said after so many rows. */
const stride = 256;

/** Compares by the cosine of vectors of unit length; a text without one is compared by its words. All rows are scanned, in integers. */
export function cosineLikeness(
  by: string,
  vectors: readonly (Float32Array | null)[],
  texts: readonly string[],
): Likeness {
  const words = wordLikeness(texts);
  const of = (one: number, other: number): number => {
    const [a, b] = [vectors[one], vectors[other]];
    return a && b ? Math.max(0, Math.min(1, dot(a, b))) : words.of(one, other);
  };
  return {
    by,
    of,
    async pairs(threshold, options = {}) {
      const rows = vectors.flatMap((vector, at) => (vector === null ? [] : [at]));
      const found: AlikePair[] = [];
      if (rows.length > 0) {
        const table = new VectorTable(vectors[rows[0]!]!.length);
        for (const at of rows) table.add(vectors[at]!);
        const pause = pausing(options, rows.length);
        for (const [row, one] of rows.entries()) {
          await pause(row);
          const query = vectors[one]!;
          const matches = table.search(query, {
            limit: rows.length,
            minScore: threshold - rounding,
            isWanted: (other) => other > row,
          });
          for (const match of matches) {
            const other = rows[match.row]!;
            const likeness = of(one, other);
            if (likeness >= threshold) found.push({ one, other, likeness });
          }
        }
      }
      if (rows.length < texts.length) {
        const pairs = await words.pairs(threshold, options);
        found.push(...pairs.filter(({ one, other }) => vectors[one] === null || vectors[other] === null));
      }
      return found;
    },
  };
}

/** Lists the words by which texts are compared: in lower case, longer than two letters, each once (CortexGraph). */
export const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).filter((word) => word.length > 2));

/** Compares by the words two texts share: their number by that of all words of both (Jaccard). */
export function wordLikeness(texts: readonly string[]): Likeness {
  const sets: (ReadonlySet<string> | undefined)[] = [];
  const setOf = (at: number): ReadonlySet<string> => {
    sets[at] ??= wordsOf(texts[at]!);
    return sets[at];
  };
  const ofSets = (one: ReadonlySet<string>, other: ReadonlySet<string>, shared: number): number =>
    shared === 0 ? 0 : shared / (one.size + other.size - shared);
  const of = (one: number, other: number): number =>
    ofSets(setOf(one), setOf(other), sharedTerms(setOf(one), setOf(other)));
  return {
    by: 'words',
    of,
    async pairs(threshold, options = {}) {
      const all = texts.map((_, at) => setOf(at));
      const sharing = await sharingPairs(all, (size) => Math.ceil(threshold * size - 1e-9), options);
      return sharing
        .map(({ one, other, shared }) => ({ one, other, likeness: ofSets(all[one]!, all[other]!, shared) }))
        .filter(({ likeness }) => likeness >= threshold);
    },
  };
}

/** Two texts are near when one has so much of what the other is about, and more than one word of it. A model judges what has less. */
const nearShare = 0.6;
const judgedShare = 0.45;
const leastShared = 2;
/** A longer text is about several things. */
const mostTerms = 40;

/** Lists pairs of texts that share most terms of the shorter one, or a good part where a model judges them: near, whatever vectors say. */
export async function nearPairs(
  texts: readonly string[],
  { isJudged = false, ...options }: PairOptions & { readonly isJudged?: boolean } = {},
): Promise<{ readonly one: number; readonly other: number }[]> {
  const share = isJudged ? judgedShare : nearShare;
  const sets = texts
    .map((text) => new Set(tokensOf(text)))
    .map((set) => (set.size > mostTerms ? new Set<string>() : set));
  const least = (size: number) => Math.max(leastShared, Math.ceil(share * size - 1e-9));
  return (await sharingPairs(sets, least, options)).map(({ one, other }) => ({ one, other }));
}

/**
 * Lists pairs of sets that share so many terms as `leastOf` says of the size of the smaller one. Whichever are shared, one of the rarest is:
 * prefix filtering (Chaudhuri et al. 2006).
 */
async function sharingPairs(
  sets: readonly ReadonlySet<string>[],
  leastOf: (size: number) => number,
  options: PairOptions,
): Promise<{ readonly one: number; readonly other: number; readonly shared: number }[]> {
  const holders = new Map<string, number[]>();
  for (const [at, set] of sets.entries()) {
    for (const term of set) keptIn(holders, term, () => []).push(at);
  }
  const found: { one: number; other: number; shared: number }[] = [];
  const pause = pausing(options, sets.length);
  for (const [at, set] of sets.entries()) {
    await pause(at);
    const least = leastOf(set.size);
    if (set.size < least) continue;
    const rarest = [...set].sort((a, b) => holders.get(a)!.length - holders.get(b)!.length || (a < b ? -1 : 1));
    for (const other of new Set(rarest.slice(0, set.size - least + 1).flatMap((term) => holders.get(term)!))) {
      const theirs = sets[other]!;
      // The smaller one looks for the larger; of two that are as large, the first.
      if (theirs.size < set.size || (theirs.size === set.size && other <= at)) continue;
      const shared = sharedTerms(set, theirs);
      if (shared >= least) found.push({ one: Math.min(at, other), other: Math.max(at, other), shared });
    }
  }
  return found.sort((a, b) => a.one - b.one || a.other - b.other);
}

/** Counts the terms of one set that another has. */
export function sharedTerms(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of one) if (other.has(term)) shared += 1;
  return shared;
}

/** Makes what each row awaits: others may work now and then, however long a row takes, and a signal is heard. */
function pausing({ signal, onProgress }: PairOptions, total: number): (done: number) => Promise<void> | undefined {
  const turn = takeTurns();
  return (done) => {
    if (done % stride === 0) onProgress?.({ done, total });
    const others = turn();
    if (others !== undefined || done === 0) signal?.throwIfAborted();
    return others;
  };
}

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

/** Makes one cluster of the first `count` texts. */
export function clusterOfAll(count: number, likenessOf: (one: number, other: number) => number): Cluster {
  const members = Array.from({ length: count }, (_, at) => at);
  return { members, cohesion: cohesionOf(members, likenessOf) };
}

/** Computes the mean likeness of all pairs of some texts; 1 for one alone. */
export function cohesionOf(members: readonly number[], likenessOf: (one: number, other: number) => number): number {
  let sum = 0;
  let count = 0;
  for (let left = 0; left < members.length; left++) {
    for (let right = left + 1; right < members.length; right++, count++)
      sum += likenessOf(members[left]!, members[right]!);
  }
  return count === 0 ? 1 : sum / count;
}
