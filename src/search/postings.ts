// The words of a run of documents in typed arrays, as they lie on the disk and as they are searched: nothing is parsed, nothing changes.
//
//   terms      in the order of their UTF-16 units, one string of bytes; term t is what stands from termEnds[t − 1] to termEnds[t]
//   starts     the postings of term t are starts[t] to starts[t + 1]
//   places     row · 4 + field, ascending within a term        counts     how often the term occurs there, 65,535 at most
//   lengths    row · 3 + field → number of different terms
//
// Which terms a document has is known once the postings are turned around, when the first one is asked for its words.

import { editDistance } from './edit-distance.ts';
import { editsAllowed, type LexicalFields, lexicalFieldNames, minPrefixLength } from './lexical-index.ts';

export interface Postings {
  readonly terms: Buffer;
  readonly termEnds: Uint32Array;
  readonly starts: Uint32Array;
  readonly places: Uint32Array;
  readonly counts: Uint16Array;
  readonly lengths: Uint32Array;
}

export const fieldBits = 2;
export const fieldCount = lexicalFieldNames.length;
const maxCount = 65_535;

/** Numbers that come one by one. */
class Growing<Numbers extends Uint32Array | Uint16Array> {
  values: Numbers;
  size = 0;

  constructor(values: Numbers) {
    this.values = values;
  }

  push(value: number): void {
    if (this.size === this.values.length) {
      const grown = new (this.values.constructor as new (length: number) => Numbers)(this.size * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.size++] = value;
  }
}

/** Writes a dictionary, and says at which place each of the given terms stands in it. */
function sortTerms(names: readonly string[]): Pick<Postings, 'terms' | 'termEnds'> & { rankOf: Uint32Array } {
  const order = Array.from(names.keys()).sort((one, other) => (names[one]! < names[other]! ? -1 : 1));
  const rankOf = new Uint32Array(names.length);
  const termEnds = new Uint32Array(names.length);
  const parts: string[] = [];
  let end = 0;
  for (const [rank, id] of order.entries()) {
    const name = names[id]!;
    rankOf[id] = rank;
    parts.push(name);
    end += Buffer.byteLength(name);
    termEnds[rank] = end;
  }
  return { terms: Buffer.from(parts.join('')), termEnds, rankOf };
}

/** Indexes documents by their terms, the first as row 0. */
export function buildPostings(documents: readonly LexicalFields<readonly string[]>[]): Postings {
  const idOf = new Map<string, number>();
  const names: string[] = [];
  /** By term: its newest posting, and how many it has. */
  const newest = new Growing(new Uint32Array(256));
  const sizes = new Growing(new Uint32Array(256));
  const ids = new Growing(new Uint32Array(1024));
  const places = new Growing(new Uint32Array(1024));
  const counts = new Growing(new Uint16Array(1024));
  const lengths = new Uint32Array(documents.length * fieldCount);
  for (const [row, document] of documents.entries()) {
    for (let field = 0; field < fieldCount; field++) {
      const place = row * 4 + field;
      for (const term of document[lexicalFieldNames[field]!]) {
        let id = idOf.get(term);
        if (id === undefined) {
          id = names.length;
          idOf.set(term, id);
          names.push(term);
          newest.push(0);
          sizes.push(0);
        }
        const at = newest.values[id]!;
        if (sizes.values[id]! > 0 && places.values[at] === place) {
          if (counts.values[at]! < maxCount) counts.values[at]! += 1;
          continue;
        }
        newest.values[id] = places.size;
        sizes.values[id]! += 1;
        ids.push(id);
        places.push(place);
        counts.push(1);
        lengths[row * fieldCount + field]! += 1;
      }
    }
  }
  const { terms, termEnds, rankOf } = sortTerms(names);
  const { starts, next } = startsOf(names.length, rankOf, sizes.values);
  const sorted = { places: new Uint32Array(places.size), counts: new Uint16Array(places.size) };
  for (let at = 0; at < places.size; at++) {
    const to = next[rankOf[ids.values[at]!]!]!++;
    sorted.places[to] = places.values[at]!;
    sorted.counts[to] = counts.values[at]!;
  }
  return { terms, termEnds, starts, ...sorted, lengths };
}

function startsOf(count: number, rankOf: Uint32Array, sizes: ArrayLike<number>) {
  const starts = new Uint32Array(count + 1);
  for (let id = 0; id < count; id++) starts[rankOf[id]! + 1] = sizes[id]!;
  for (let rank = 0; rank < count; rank++) starts[rank + 1]! += starts[rank]!;
  return { starts, next: starts.slice() };
}

/** Postings of which some documents go on: `rowOf` gives the new row of each, −1 for one that is left out. */
export interface PostingsPart {
  readonly postings: Postings;
  readonly rowOf: Int32Array;
}

/** Puts postings together; new rows have to grow from part to part and within each. `rows` is their number. */
export function joinPostings(parts: readonly PostingsPart[], rows: number): Postings {
  const idOf = new Map<string, number>();
  const names: string[] = [];
  const sizes: number[] = [];
  const idsOfParts = parts.map(({ postings, rowOf }) => {
    const { starts, places } = postings;
    const ids = new Int32Array(postings.termEnds.length).fill(-1);
    for (let term = 0; term < ids.length; term++) {
      let live = 0;
      for (let at = starts[term]!; at < starts[term + 1]!; at++) if (rowOf[places[at]! >>> fieldBits]! >= 0) live += 1;
      if (live === 0) continue;
      const name = termAt(postings, term);
      let id = idOf.get(name);
      if (id === undefined) {
        id = names.length;
        idOf.set(name, id);
        names.push(name);
        sizes.push(0);
      }
      ids[term] = id;
      sizes[id]! += live;
    }
    return ids;
  });
  const { terms, termEnds, rankOf } = sortTerms(names);
  const { starts, next } = startsOf(names.length, rankOf, sizes);
  const places = new Uint32Array(starts[names.length]!);
  const counts = new Uint16Array(places.length);
  const lengths = new Uint32Array(rows * fieldCount);
  for (const [number, { postings: part, rowOf }] of parts.entries()) {
    const ids = idsOfParts[number]!;
    for (let term = 0; term < ids.length; term++) {
      if (ids[term]! < 0) continue;
      const rank = rankOf[ids[term]!]!;
      for (let at = part.starts[term]!; at < part.starts[term + 1]!; at++) {
        const place = part.places[at]!;
        const row = rowOf[place >>> fieldBits]!;
        if (row < 0) continue;
        const to = next[rank]!++;
        places[to] = row * 4 + (place & 3);
        counts[to] = part.counts[at]!;
      }
    }
    for (const [row, to] of rowOf.entries()) {
      if (to < 0) continue;
      for (let field = 0; field < fieldCount; field++) {
        lengths[to * fieldCount + field] = part.lengths[row * fieldCount + field]!;
      }
    }
  }
  return { terms, termEnds, starts, places, counts, lengths };
}

/** Gives the term of a number. */
export function termAt({ terms, termEnds }: Postings, term: number): string {
  return terms.toString('utf8', term === 0 ? 0 : termEnds[term - 1]!, termEnds[term]!);
}

/** Gives the number of the first term that is not before the given one. */
function lowerBound(postings: Postings, wanted: string): number {
  let low = 0;
  let high = postings.termEnds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (termAt(postings, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Gives the number of a term, −1 when nothing holds it. */
export function findTerm(postings: Postings, wanted: string): number {
  const at = lowerBound(postings, wanted);
  return at < postings.termEnds.length && termAt(postings, at) === wanted ? at : -1;
}

/** By term: one bit for each letter it has, and one for all beyond ASCII; a letter that differs changes two bits at most. */
const signatures = new WeakMap<Postings, Uint32Array>();

function signatureOf(bytes: Uint8Array, from: number, to: number): number {
  let bits = 0;
  for (let at = from; at < to; at++) bits |= bytes[at]! < 128 ? 1 << (bytes[at]! & 31) : 1;
  return bits;
}

function signaturesOf(postings: Postings): Uint32Array {
  let known = signatures.get(postings);
  if (known === undefined) {
    const { terms, termEnds } = postings;
    known = termEnds.map((end, term) => signatureOf(terms, term === 0 ? 0 : termEnds[term - 1]!, end));
    signatures.set(postings, known);
  }
  return known;
}

function bitsIn(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Lists the terms that begin with one, or are a few letters away from it; see {@link LexicalIndex.termsLike}. */
export function* termsLike(postings: Postings, wanted: string): Generator<{ term: number; name: string }> {
  const { termEnds } = postings;
  const isPrefix = wanted.length >= minPrefixLength;
  for (let term = isPrefix ? lowerBound(postings, wanted) : termEnds.length; term < termEnds.length; term++) {
    const name = termAt(postings, term);
    if (!name.startsWith(wanted)) break;
    yield { term, name };
  }
  const edits = editsAllowed(wanted);
  if (edits === 0) {
    const term = isPrefix ? -1 : findTerm(postings, wanted);
    if (term >= 0) yield { term, name: wanted };
    return;
  }
  const bytes = Buffer.from(wanted);
  const signature = signatureOf(bytes, 0, bytes.length);
  const known = signaturesOf(postings);
  for (let term = 0; term < termEnds.length; term++) {
    // Most terms are told apart without being decoded: by their letters, and by their length, at most three bytes a letter.
    if (bitsIn(known[term]! ^ signature) > edits * 2) continue;
    const length = termEnds[term]! - (term === 0 ? 0 : termEnds[term - 1]!);
    const widest = (known[term]! & 1) === 0 ? 1 : 3;
    if (length < wanted.length - edits || length > (wanted.length + edits) * widest) continue;
    const name = termAt(postings, term);
    if (!(isPrefix && name.startsWith(wanted)) && editDistance(name, wanted, edits) <= edits) yield { term, name };
  }
}

/** The same by document: those of row r in field f are `starts[r · 4 + f]` to the next start, in the order of terms. */
interface Forward {
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  readonly counts: Uint16Array;
  /** Terms as far as somebody asked for them. */
  readonly names: (string | undefined)[];
}

const forwards = new WeakMap<Postings, Forward>();

/** Turns postings around; done when the first document is asked for its words. */
function forwardOf(postings: Postings): Forward {
  let known = forwards.get(postings);
  if (known === undefined) {
    const { starts: from, places, counts } = postings;
    const starts = new Uint32Array((postings.lengths.length / fieldCount) * 4 + 1);
    for (let at = 0; at < places.length; at++) starts[places[at]! + 1]! += 1;
    for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
    const next = starts.slice();
    known = {
      starts,
      terms: new Uint32Array(places.length),
      counts: new Uint16Array(places.length),
      names: new Array(postings.termEnds.length),
    };
    for (let term = 0; term < postings.termEnds.length; term++) {
      for (let at = from[term]!; at < from[term + 1]!; at++) {
        const to = next[places[at]!]!++;
        known.terms[to] = term;
        known.counts[to] = counts[at]!;
      }
    }
    forwards.set(postings, known);
  }
  return known;
}

/** Visits the different terms of one field of a document by their numbers, in their order. */
export function visitTerms(
  postings: Postings,
  row: number,
  field: number,
  visit: (term: number, count: number) => void,
): void {
  const { starts, terms, counts } = forwardOf(postings);
  for (let at = starts[row * 4 + field]!; at < starts[row * 4 + field + 1]!; at++) visit(terms[at]!, counts[at]!);
}

/** Visits the different terms of two fields of a document, in their order; a term of both comes once, with the sum of its counts. */
export function visitTermsOfTwo(
  postings: Postings,
  row: number,
  [one, other]: readonly [number, number],
  visit: (term: number, count: number) => void,
): void {
  const { starts, terms, counts } = forwardOf(postings);
  let [at, to] = [starts[row * 4 + one]!, starts[row * 4 + one + 1]!];
  let [at2, to2] = [starts[row * 4 + other]!, starts[row * 4 + other + 1]!];
  while (at < to || at2 < to2) {
    const term = Math.min(
      at < to ? terms[at]! : Number.POSITIVE_INFINITY,
      at2 < to2 ? terms[at2]! : Number.POSITIVE_INFINITY,
    );
    let count = 0;
    if (at < to && terms[at] === term) count += counts[at++]!;
    if (at2 < to2 && terms[at2] === term) count += counts[at2++]!;
    visit(term, count);
  }
}

/** Gives the term of a number, and remembers it. */
export function termName(postings: Postings, term: number): string {
  const { names } = forwardOf(postings);
  names[term] ??= termAt(postings, term);
  return names[term];
}

/** Adds the terms of one field of a document, each as often as it occurs, in their order. */
export function pushTerms(into: string[], postings: Postings, row: number, field: number): void {
  visitTerms(postings, row, field, (term, count) => {
    const name = termName(postings, term);
    for (let times = count; times > 0; times--) into.push(name);
  });
}

/** Gives the terms of a document by field. */
export function fieldsOf(postings: Postings, row: number): LexicalFields<readonly string[]> {
  const fields = lexicalFieldNames.map((_, field) => {
    const terms: string[] = [];
    pushTerms(terms, postings, row, field);
    return terms;
  });
  return { text: fields[0]!, title: fields[1]!, tags: fields[2]! };
}
