// A fingerprint of a text by its runs of three characters, by which texts are compared that are spelt alike: MinHash (Broder 1997).

/** Numbers of one sketch; the likeness of two has a standard error of about 1/√64. */
const sketchSize = 64;
const maxGrams = 4000;
/** Odd multipliers of the 64 hash functions, from one seed. */
const multipliers = Uint32Array.from({ length: sketchSize }, (_, at) => (Math.imul(at + 1, 0x9e3779b1) | 1) >>> 0);
const shifts = Uint32Array.from({ length: sketchSize }, (_, at) => Math.imul(at + 17, 0x85ebca6b) >>> 0);

/** Sketches a text; letter case, punctuation and white space do not matter. */
export function gramSketch(text: string): Uint32Array {
  const sketch = new Uint32Array(sketchSize).fill(0xffffffff);
  const plain = ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
  const seen = new Set<number>();
  for (let at = 0; at + 2 < plain.length && seen.size < maxGrams; at++) {
    let gram = Math.imul(plain.charCodeAt(at), 0x01000193) ^ plain.charCodeAt(at + 1);
    gram = (Math.imul(gram, 0x01000193) ^ plain.charCodeAt(at + 2)) >>> 0;
    if (seen.has(gram)) continue;
    seen.add(gram);
    for (let row = 0; row < sketchSize; row++) {
      let hash = Math.imul(gram ^ shifts[row]!, multipliers[row]!);
      hash = (hash ^ (hash >>> 15)) >>> 0;
      if (hash < sketch[row]!) sketch[row] = hash;
    }
  }
  return sketch;
}

/** Estimates the share of three-character runs that two texts have in common, 0 to 1. */
export function sketchLikeness(one: Uint32Array, other: Uint32Array): number {
  let equal = 0;
  // What has no runs at all is like nothing.
  for (let row = 0; row < sketchSize; row++) if (one[row] === other[row] && one[row] !== 0xffffffff) equal += 1;
  return equal / sketchSize;
}
