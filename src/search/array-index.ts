// The word index on typed arrays: the same answers as MiniSearch in a twentieth of the memory, and many times as fast.
//
//   term → places  [ id · 4 + field, … ]  ascending        counts  [ occurrences, … ]

import { isWithinEdits } from './edit-distance.ts';
import {
  bm25,
  editsAllowed,
  fieldBoosts,
  type LexicalEntry,
  type LexicalIndex,
  lexicalFieldNames,
  minPrefixLength,
} from './lexical-index.ts';

const fieldBits = 2;
const boosts = lexicalFieldNames.map((name) => fieldBoosts[name]);

/** Where a term occurs; the arrays have room for more than `size`. */
interface Postings {
  size: number;
  places: Uint32Array;
  counts: Uint32Array;
  /** How many entries hold the term in each field. */
  readonly inField: number[];
}

function grown<Numbers extends Uint32Array | Float64Array>(old: Numbers, room: number): Numbers {
  const larger = new (old.constructor as new (length: number) => Numbers)(room);
  larger.set(old);
  return larger;
}

/** Finds where a place stands, or would stand. */
function indexOfPlace({ places, size }: Postings, place: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (places[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Makes an index on typed arrays. Ids have to grow from one addition to the next, and stay below 2³⁰. */
export function arrayIndex(): LexicalIndex {
  const postings = new Map<string, Postings>();
  const lengths = lexicalFieldNames.map(() => new Uint32Array(1024));
  const totals = lexicalFieldNames.map(() => 0);
  let size = 0;

  const insert = (term: string, place: number, count: number): void => {
    let known = postings.get(term);
    if (known === undefined) {
      known = { size: 0, places: new Uint32Array(2), counts: new Uint32Array(2), inField: boosts.map(() => 0) };
      postings.set(term, known);
    }
    if (known.size === known.places.length) {
      known.places = grown(known.places, known.size * 2);
      known.counts = grown(known.counts, known.size * 2);
    }
    known.places[known.size] = place;
    known.counts[known.size] = count;
    known.size += 1;
    known.inField[place & 3]! += 1;
  };

  const erase = (term: string, place: number): void => {
    const known = postings.get(term);
    if (known === undefined) return;
    const at = indexOfPlace(known, place);
    if (at === known.size || known.places[at] !== place) return;
    known.places.copyWithin(at, at + 1, known.size);
    known.counts.copyWithin(at, at + 1, known.size);
    known.size -= 1;
    known.inField[place & 3]! -= 1;
    if (known.size === 0) postings.delete(term);
  };

  const addOne = ({ id, terms }: LexicalEntry): void => {
    for (const [field, name] of lexicalFieldNames.entries()) {
      const counts = countsOf(terms[name]);
      if (id >= lengths[field]!.length) lengths[field] = grown(lengths[field]!, Math.max(id + 1, id * 2));
      lengths[field]![id] = counts.size;
      totals[field]! += counts.size;
      for (const [term, count] of counts) insert(term, (id << fieldBits) | field, count);
    }
    size += 1;
  };

  const removeOne = ({ id, terms }: LexicalEntry): void => {
    for (const [field, name] of lexicalFieldNames.entries()) {
      totals[field]! -= lengths[field]![id]!;
      lengths[field]![id] = 0;
      for (const term of new Set(terms[name])) erase(term, (id << fieldBits) | field);
    }
    size -= 1;
  };

  return {
    get size() {
      return size;
    },
    add(entries) {
      for (const entry of entries) addOne(entry);
    },
    remove(entries) {
      for (const entry of entries) removeOne(entry);
    },
    matchesOf(term) {
      const known = postings.get(term);
      if (known === undefined) return { ids: [], scores: [] };
      const { k, b } = bm25;
      const weights = known.inField.map((n, field) => boosts[field]! * Math.log(1 + (size - n + 0.5) / (n + 0.5)));
      const averages = totals.map((total) => total / size);
      const ids = new Uint32Array(known.size);
      const scores = new Float64Array(known.size);
      let found = 0;
      for (let at = 0; at < known.size; at++) {
        const place = known.places[at]!;
        const count = known.counts[at]!;
        const id = place >>> fieldBits;
        const field = place & 3;
        const norm = k * (1 - b + (b * lengths[field]![id]!) / averages[field]!);
        const score = (weights[field]! * (count * (k + 1))) / (count + norm);
        if (found > 0 && ids[found - 1] === id) scores[found - 1]! += score;
        else {
          ids[found] = id;
          scores[found] = score;
          found += 1;
        }
      }
      return { ids: ids.subarray(0, found), scores: scores.subarray(0, found) };
    },
    termsLike(term) {
      const edits = editsAllowed(term);
      const isPrefix = term.length >= minPrefixLength;
      const alike: string[] = [];
      for (const known of postings.keys()) {
        if ((isPrefix && known.startsWith(term)) || isWithinEdits(known, term, edits)) alike.push(known);
      }
      return alike.sort();
    },
  };
}
