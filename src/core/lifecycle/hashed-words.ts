// Texts as vectors of the words and parts of words they have, to compare them by: signed feature hashing (Weinberger et al. 2009). Texts
// that share words, or words with common parts, lie close. Nothing is known of what words mean, so look-alikes stay apart as far as their
// words do.

import { normalise } from '../../base/vectors.ts';

export const hashedDimensions = 256;
const shortestPart = 3;
const longestPart = 5;
/** What the parts of a word count beside the word. */
const partsWeight = 0.5;

/** FNV-1a of one more letter. */
const hashOn = (hash: number, letter: number): number => Math.imul(hash ^ letter, 0x01000193);

/** The mixing steps of MurmurHash3, so that the low bits of a hash are as good as the high ones. */
function finished(state: number): number {
  let hash = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const wordSeed = 0x811c9dc5;
const partSeed = 0x9747b28c;

/** One term as positions and signed weights; a term is hashed once as long as it is remembered. */
interface TermFeatures {
  readonly positions: Uint16Array;
  readonly weights: Float32Array;
}

const maxKnownTerms = 20_000;
const knownTerms = new Map<string, TermFeatures>();

function featuresOf(term: string): TermFeatures {
  const known = knownTerms.get(term);
  if (known !== undefined) return known;
  const marked = `<${term.slice(0, 32)}>`;
  let size = 1;
  for (let length = shortestPart; length <= longestPart; length++) size += Math.max(0, marked.length - length + 1);
  const features = { positions: new Uint16Array(size), weights: new Float32Array(size) };
  const put = (at: number, hash: number, weight: number): void => {
    features.positions[at] = hash % hashedDimensions;
    features.weights[at] = hash & 0x40000000 ? weight : -weight;
  };
  let ofWord = wordSeed;
  for (let at = 0; at < term.length; at++) ofWord = hashOn(ofWord, term.charCodeAt(at));
  put(0, finished(ofWord), 1);
  const ofPart = partsWeight / Math.sqrt(Math.max(1, size - 1));
  // By where a part begins: the hash of so many of its letters; each part is one that was hashed before, and a letter.
  const states = new Int32Array(marked.length).fill(partSeed);
  let filled = 1;
  for (let length = 1; length <= longestPart; length++) {
    for (let at = 0; at + length <= marked.length; at++) {
      states[at] = hashOn(states[at]!, marked.charCodeAt(at + length - 1));
      if (length >= shortestPart) put(filled++, finished(states[at]!), ofPart);
    }
  }
  if (knownTerms.size >= maxKnownTerms) knownTerms.clear();
  knownTerms.set(term, features);
  return features;
}

/** Makes the vector of a list of search terms. */
export function vectorOfTerms(terms: readonly string[]): Float32Array {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const sums = new Float64Array(hashedDimensions);
  for (const [term, count] of counts) {
    const { positions, weights } = featuresOf(term);
    const often = 1 + Math.log(count);
    for (let at = 0; at < positions.length; at++) sums[positions[at]!]! += often * weights[at]!;
  }
  return Float32Array.from(normalise(sums));
}
