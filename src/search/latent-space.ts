// What the built-in embedder learns from a view: latent semantic analysis (Deerwester et al. 1990) of its texts. It needs no
// model: words lie close that keep company, within a text or in what is said around it.
//
//   texts ─► terms × texts, weighed by rarity ─► the strongest directions ─► a vector per term; a text is the sum of its terms
//
// The directions are found by subspace iteration from random ones (Halko, Martinsson, Tropp 2011). All of it is a function of the
// texts and their order: the random directions are hashes of the terms.

import { addScaled, dot, normalise } from '../base/vectors.ts';

/** A space of words and texts; the cosine of the angle between two texts says how much they are about the same. */
export interface LatentSpace {
  readonly dimensions: number;
  /** The terms it knows; the place of one is its position. */
  readonly terms: readonly string[];
  /** By position, `dimensions` numbers each: what a term means. */
  readonly vectors: Float32Array;
  /** Gives the vector of a text: the sum of those of its terms, so sums of texts have a meaning, too. Zeros if it knows none. */
  vectorOf(terms: readonly string[]): Float64Array;
  /** Gives the number under which a term is known; −1 for one that is not. */
  positionOf(term: string): number;
  /** Adds to the vector of a text what a term means that occurs so often in it; `position` is that of a known term. */
  add(vector: Float64Array, position: number, count: number): void;
}

const maxDimensions = 32;
/** So many texts have to share a direction, or it says nothing about any but one. */
const textsPerDimension = 4;
/** Of many texts two rounds come near enough; few are done so quickly that they may come nearer. */
const roundsFor = (textCount: number): number => Math.max(2, Math.ceil(1024 / textCount));

/** One text as positions of terms and their weights, of unit length. */
interface Row {
  readonly terms: Int32Array;
  readonly weights: Float64Array;
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Terms of all texts by numbers, in the order in which they come; how many texts hold each, and how often each text does. */
interface CountedTerms {
  readonly terms: readonly string[];
  readonly holding: readonly number[];
  readonly counted: readonly { readonly numbers: readonly number[]; readonly counts: readonly number[] }[];
}

function countTerms(texts: readonly (readonly string[])[]): CountedTerms {
  const numberOf = new Map<string, number>();
  const holding: number[] = [];
  // By term: the text that was last found to hold it, and where it stands there.
  const lastIn: number[] = [];
  const place: number[] = [];
  const counted = texts.map((text, index) => {
    const numbers: number[] = [];
    const counts: number[] = [];
    for (const term of text) {
      let number = numberOf.get(term);
      if (number === undefined) {
        number = numberOf.size;
        numberOf.set(term, number);
        holding.push(0);
        lastIn.push(-1);
        place.push(0);
      }
      if (lastIn[number] === index) {
        counts[place[number]!]! += 1;
        continue;
      }
      lastIn[number] = index;
      place[number] = numbers.length;
      holding[number]! += 1;
      numbers.push(number);
      counts.push(1);
    }
    return { numbers, counts };
  });
  return { terms: [...numberOf.keys()], holding, counted };
}

/** FNV-1a, finished with the mixing steps of MurmurHash3, so that every bit depends on every letter. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return hash ^ (hash >>> 15);
}

/** Makes the columns of a matrix, given row by row, perpendicular to each other and of unit length, in place (Gram and Schmidt). */
function makeOrthonormal(matrix: Float64Array, columns: number): void {
  const rows = matrix.length / columns;
  const vectors: Float64Array[] = [];
  for (let column = 0; column < columns; column++) {
    const vector = new Float64Array(rows);
    for (let row = 0; row < rows; row++) vector[row] = matrix[row * columns + column]!;
    const before = dot(vector, vector);
    for (const earlier of vectors) addScaled(vector, earlier, -dot(vector, earlier));
    // What depends on the columns before it leaves only the dust of rounding.
    if (dot(vector, vector) > 1e-18 * before) normalise(vector);
    else vector.fill(0);
    vectors.push(vector);
    for (let row = 0; row < rows; row++) matrix[row * columns + column] = vector[row]!;
  }
}

/** Multiplies texts × terms with terms × columns. */
function acrossTerms(rows: readonly Row[], matrix: Float64Array, columns: number): Float64Array {
  const product = new Float64Array(rows.length * columns);
  // Summed in a row of its own, which stays in the cache of the processor.
  const sum = new Float64Array(columns);
  for (let row = 0; row < rows.length; row++) {
    const { terms, weights } = rows[row]!;
    sum.fill(0);
    for (let at = 0; at < terms.length; at++) {
      const from = terms[at]! * columns;
      const weight = weights[at]!;
      for (let column = 0; column < columns; column++) sum[column] = sum[column]! + weight * matrix[from + column]!;
    }
    product.set(sum, row * columns);
  }
  return product;
}

/** Multiplies terms × texts with texts × columns. */
function acrossTexts(rows: readonly Row[], matrix: Float64Array, columns: number, termCount: number): Float64Array {
  const product = new Float64Array(termCount * columns);
  for (let row = 0; row < rows.length; row++) {
    const { terms, weights } = rows[row]!;
    const text = matrix.subarray(row * columns, (row + 1) * columns);
    for (let at = 0; at < terms.length; at++) {
      const to = terms[at]! * columns;
      const weight = weights[at]!;
      for (let column = 0; column < columns; column++)
        product[to + column] = product[to + column]! + weight * text[column]!;
    }
  }
  return product;
}

/**
 * Learns a space from texts, given as lists of search terms in an order that depends on nothing but the texts.
 *
 * It knows the terms that occur in two texts at least, and has 32 dimensions, or a quarter of the number of texts; undefined
 * where that leaves fewer than two.
 */
export function latentSpaceOf(texts: readonly (readonly string[])[]): LatentSpace | undefined {
  const dimensions = Math.min(maxDimensions, Math.floor(texts.length / textsPerDimension));
  if (dimensions < 2) return undefined;
  const { terms: names, holding, counted } = countTerms(texts);
  const positions = new Int32Array(names.length).fill(-1);
  const known: string[] = [];
  const rarities: number[] = [];
  for (const [number, count] of holding.entries()) {
    if (count < 2) continue;
    positions[number] = known.length;
    known.push(names[number]!);
    rarities.push(1 + Math.log((texts.length + 1) / (count + 1)));
  }
  const rows = counted.map(({ numbers, counts }): Row => {
    const terms = new Int32Array(numbers.length);
    const weights = new Float64Array(numbers.length);
    let size = 0;
    for (let at = 0; at < numbers.length; at++) {
      const position = positions[numbers[at]!]!;
      if (position < 0) continue;
      terms[size] = position;
      weights[size++] = (1 + Math.log(counts[at]!)) * rarities[position]!;
    }
    return { terms: terms.subarray(0, size), weights: normalise(weights.subarray(0, size)) };
  });

  let ofTerms: Float64Array = new Float64Array(rarities.length * dimensions);
  for (const [position, term] of known.entries()) {
    const hash = hashOf(term);
    for (let at = 0; at < dimensions; at++) ofTerms[position * dimensions + at] = (hash >>> at) & 1 ? 1 : -1;
  }
  const rounds = roundsFor(texts.length);
  for (let round = 0; round <= rounds; round++) {
    const ofTexts = acrossTerms(rows, ofTerms, dimensions);
    makeOrthonormal(ofTexts, dimensions);
    ofTerms = acrossTexts(rows, ofTexts, dimensions, rarities.length);
  }
  makeOrthonormal(ofTerms, dimensions);
  // Rounded, so that a space that was kept is the one that was learnt.
  const vectors = new Float32Array(ofTerms.length);
  for (let at = 0, term = 0; term < rarities.length; term++) {
    const rarity = rarities[term]!;
    for (const end = at + dimensions; at < end; at++) vectors[at] = ofTerms[at]! * rarity;
  }
  return latentSpace(dimensions, known, vectors);
}

/** Makes a space of what it knows. */
export function latentSpace(dimensions: number, terms: readonly string[], vectors: Float32Array): LatentSpace {
  let positions: Map<string, number> | undefined;
  const positionOf = (term: string): number => {
    positions ??= new Map(terms.map((known, position) => [known, position]));
    return positions.get(term) ?? -1;
  };
  const add = (vector: Float64Array, position: number, count: number): void => {
    const often = 1 + Math.log(count);
    const start = position * dimensions;
    for (let at = 0; at < dimensions; at++) vector[at]! += often * vectors[start + at]!;
  };
  return {
    dimensions,
    terms,
    vectors,
    vectorOf(terms) {
      const vector = new Float64Array(dimensions);
      for (const [term, count] of countsOf(terms)) {
        const position = positionOf(term);
        if (position >= 0) add(vector, position, count);
      }
      return vector;
    },
    positionOf,
    add,
  };
}
