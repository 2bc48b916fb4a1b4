// Postings turned around: which terms a document has, made when the first one is asked for its words.

import { type LexicalFields, lexicalFieldNames } from './lexical-index.ts';
import { fieldCount, type Postings, termAt } from './postings.ts';

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
