// Which texts are alike, among many: all pairs above a threshold, without looking at every pair twice; and groups of them (spec 1): single
// linkage, never larger than is good for one memory.

import { takeTurns } from '../../base/take-turns.ts';
import { tokensOf } from '../../base/tokenizer.ts';
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

export interface PairOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

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
export function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).filter((word) => word.length > 2));
}

/** Compares by the words two texts share: their number by that of all words of both (Jaccard). */
export function wordLikeness(texts: readonly string[]): Likeness {
  const sets: (ReadonlySet<string> | undefined)[] = [];
  const setOf = (at: number): ReadonlySet<string> => {
    sets[at] ??= wordsOf(texts[at]!);
    return sets[at];
  };
  const of = (one: number, other: number): number => jaccard(setOf(one), setOf(other));
  return {
    by: 'words',
    of,
    async pairs(threshold, options = {}) {
      const frequency = new Map<string, number>();
      for (let at = 0; at < texts.length; at++) {
        for (const word of setOf(at)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
      }
      // Prefix filtering (Chaudhuri et al. 2006): two sets as alike as that share one of the rarest words of each.
      const holders = new Map<string, number[]>();
      const found: AlikePair[] = [];
      const pause = pausing(options, texts.length);
      for (let at = 0; at < texts.length; at++) {
        await pause(at);
        const set = setOf(at);
        const rarest = [...set].sort((a, b) => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1));
        const prefix = rarest.slice(0, set.size - Math.ceil(threshold * set.size - 1e-9) + 1);
        const candidates = new Set<number>();
        for (const word of prefix) {
          const known = holders.get(word);
          if (known === undefined) holders.set(word, [at]);
          else {
            for (const one of known) candidates.add(one);
            known.push(at);
          }
        }
        for (const one of candidates) {
          const likeness = of(one, at);
          if (likeness >= threshold) found.push({ one, other: at, likeness });
        }
      }
      return found;
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
  const sets = texts.map((text) => new Set(tokensOf(text)));
  const holders = new Map<string, number[]>();
  sets.forEach((set, at) => {
    if (set.size > mostTerms) return;
    for (const term of set) {
      const known = holders.get(term);
      if (known === undefined) holders.set(term, [at]);
      else known.push(at);
    }
  });
  const found: { one: number; other: number }[] = [];
  const pause = pausing(options, texts.length);
  for (const [at, set] of sets.entries()) {
    await pause(at);
    const least = Math.max(leastShared, Math.ceil(share * set.size - 1e-9));
    if (set.size < least || set.size > mostTerms) continue;
    // Of so many terms, whichever are shared, one of the rarest is.
    const rarest = [...set].sort((a, b) => holders.get(a)!.length - holders.get(b)!.length || (a < b ? -1 : 1));
    const candidates = new Set(rarest.slice(0, set.size - least + 1).flatMap((term) => holders.get(term)!));
    for (const other of candidates) {
      const theirs = sets[other]!;
      // The shorter one looks for the longer; of two that are as long, the first.
      if (theirs.size < set.size || (theirs.size === set.size && other <= at)) continue;
      let shared = 0;
      for (const term of set) if (theirs.has(term)) shared += 1;
      if (shared >= least) found.push({ one: Math.min(at, other), other: Math.max(at, other) });
    }
  }
  return found.sort((a, b) => a.one - b.one || a.other - b.other);
}

function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared / (one.size + other.size - shared);
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
