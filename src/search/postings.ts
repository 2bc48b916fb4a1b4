// The words of a run of documents in typed arrays, as they lie on the disk and as they are searched. Nothing is parsed, nothing changes.
//
//   terms      in the order of their UTF-16 units, one string of bytes; term t is what stands from termEnds[t − 1] to termEnds[t].
//   slots      a table by hash: number of the term plus one, zero where it is free.
//   starts     the entries of term t are starts[t] to starts[t + 1], one for each document that holds it, by row.
//   rows       the document          counts   how often in its text          marks   title, speaker and context, packed.
//   firsts     where it stands first, in words of the text, and  lasts  last.
//   tokens     the terms of the texts as they were written, by row: those of row r end at tokenEnds[r]; places  where each stands.
//   textLengths, titleLengths, letterLengths    how many terms each has by row, the last in letters in threes.
//
// Letters in threes are terms, too, behind a mark that no word begins with.

import { isLoneSign } from '../base/tokenizer.ts';
import { editDistance } from './edit-distance.ts';

/** The words of a document by field, as search terms; a term stands as often as it occurs. */
export interface DocumentTerms {
  /** Its own words in their order, and where each stands. */
  readonly text: readonly string[];
  readonly places: readonly number[];
  /** What it is called. */
  readonly title: readonly string[];
  /** The name of who speaks. */
  readonly speaker: readonly string[];
  /** Tags, entities, day, and what a memory record says of where it comes from. */
  readonly context: readonly string[];
  /** Letters of its words in threes, where stems are not enough. */
  readonly letters: readonly string[];
}

/** Numbers as narrow as the largest lets them be, where they lie on the disk. */
export type Whole = Uint8Array | Uint16Array | Uint32Array;

/** How many terms the text, the title and the letters of each row have. */
export const lengthNames = ['textLengths', 'titleLengths', 'letterLengths'] as const;

export const numberNames = [
  ...(['termEnds', 'slots', 'starts', 'rows', 'counts', 'marks', 'firsts', 'lasts'] as const),
  ...(['tokens', 'places', 'tokenEnds'] as const),
  ...lengthNames,
] as const;

export interface Postings extends Readonly<Record<(typeof numberNames)[number], Whole>> {
  readonly terms: Buffer;
}

const most16 = 65_535;
/** What stands before letters in threes among the terms. */
export const letterMark = '\u0001';

//   marks     0–3 title, 4–7 speaker, 8–15 context
const titleOnce = 1;
const speakerOnce = 1 << 4;
const contextOnce = 1 << 8;
export const titleIn = (marks: number): number => marks & 15;
export const speakerIn = (marks: number): number => (marks >>> 4) & 15;
export const contextIn = (marks: number): number => marks >>> 8;

/** Adds one to a part of the marks, as far as it has room. */
function marked(marks: number, once: number): number {
  const hasRoom =
    once === titleOnce ? titleIn(marks) < 15 : once === speakerOnce ? speakerIn(marks) < 15 : contextIn(marks) < 255;
  return hasRoom ? marks + once : marks;
}

type Numbers = Uint32Array | Uint16Array;

/** Numbers that come one by one. */
class Growing<Kind extends Numbers> {
  values: Kind;
  size = 0;

  constructor(values: Kind) {
    this.values = values;
  }

  push(value: number): void {
    if (this.size === this.values.length) {
      const grown = new (this.values.constructor as new (length: number) => Kind)(this.size * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.size++] = value;
  }

  taken(): Kind {
    return this.values.slice(0, this.size) as Kind;
  }
}

/** FNV-1a of the bytes of a term, finished so that its low bits are as good as the high ones. */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Makes a table by hash, at most half full: the number of what is there plus one, zero where it is free. */
export function slotsOf(count: number, hashAt: (number: number) => number): Uint32Array {
  let room = 4;
  while (room < count * 2) room *= 2;
  const slots = new Uint32Array(room);
  for (let number = 0; number < count; number++) {
    let at = hashAt(number) & (room - 1);
    while (slots[at] !== 0) at = (at + 1) & (room - 1);
    slots[at] = number + 1;
  }
  return slots;
}

/** Writes a dictionary, and gives the place of each given term in it. */
function sortTerms(names: readonly string[]): Pick<Postings, 'terms' | 'termEnds' | 'slots'> & { rankOf: Uint32Array } {
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
  const terms = Buffer.from(parts.join(''));
  const slots = slotsOf(names.length, (rank) => hashOf(terms, rank === 0 ? 0 : termEnds[rank - 1]!, termEnds[rank]!));
  return { terms, termEnds, slots, rankOf };
}

/** Indexes documents by their terms, one after the other, the first as row 0. */
export class PostingsBuilder {
  readonly #idOf = new Map<string, number>();
  readonly #idsOf = new WeakMap<readonly string[], readonly number[]>();
  readonly #names: string[] = [];
  /** By term: its newest entry plus one, and how many it has. */
  readonly #newest = new Growing(new Uint32Array(256));
  readonly #sizes = new Growing(new Uint32Array(256));
  readonly #ids = new Growing(new Uint32Array(1024));
  readonly #rows = new Growing(new Uint32Array(1024));
  readonly #counts = new Growing(new Uint16Array(1024));
  readonly #marks = new Growing(new Uint16Array(1024));
  readonly #firsts = new Growing(new Uint16Array(1024));
  readonly #lasts = new Growing(new Uint16Array(1024));
  readonly #tokens = new Growing(new Uint32Array(1024));
  readonly #places = new Growing(new Uint16Array(1024));
  readonly #tokenEnds = new Growing(new Uint32Array(256));
  readonly #lengths = lengthNames.map(() => new Growing(new Uint32Array(256)));

  add({ text, places, title, speaker, context, letters }: DocumentTerms): void {
    const counts = this.#counts;
    for (let number = 0; number < text.length; number++) {
      const at = this.#entryOf(this.#numberOf(text[number]!));
      const place = Math.min(most16, places[number]!);
      if (counts.values[at] === 0) this.#firsts.values[at] = place;
      this.#lasts.values[at] = place;
      if (counts.values[at]! < most16) counts.values[at]! += 1;
      this.#tokens.push(this.#ids.values[at]!);
      this.#places.push(place);
    }
    this.#mark(title, titleOnce);
    this.#mark(speaker, speakerOnce);
    this.#mark(context, contextOnce);
    for (const three of letters) {
      const at = this.#entryOf(this.#numberOf(letterMark + three));
      if (counts.values[at]! < most16) counts.values[at]! += 1;
    }
    for (const [kind, { length }] of [text, title, letters].entries()) this.#lengths[kind]!.push(length);
    this.#tokenEnds.push(this.#tokens.size);
  }

  #mark(terms: readonly string[], once: number): void {
    if (terms.length === 0) return;
    // Documents of a file share them: what was looked up for the one before need not be again.
    let ids = this.#idsOf.get(terms);
    if (ids === undefined) {
      ids = terms.map((term) => this.#numberOf(term));
      this.#idsOf.set(terms, ids);
    }
    for (const id of ids) {
      const at = this.#entryOf(id);
      this.#marks.values[at] = marked(this.#marks.values[at]!, once);
    }
  }

  #numberOf(term: string): number {
    let id = this.#idOf.get(term);
    if (id === undefined) {
      id = this.#names.length;
      this.#idOf.set(term, id);
      this.#names.push(term);
      this.#newest.push(0);
      this.#sizes.push(0);
    }
    return id;
  }

  /** Finds the entry of a term for the document that is added, a new one where it has none. */
  #entryOf(id: number): number {
    const row = this.#tokenEnds.size;
    const at = this.#newest.values[id]!;
    if (at > 0 && this.#rows.values[at - 1] === row) return at - 1;
    this.#ids.push(id);
    this.#rows.push(row);
    this.#counts.push(0);
    this.#marks.push(0);
    this.#firsts.push(0);
    this.#lasts.push(0);
    this.#newest.values[id] = this.#rows.size;
    this.#sizes.values[id]! += 1;
    return this.#rows.size - 1;
  }

  finish(): Postings {
    const { rankOf, ...dictionary } = sortTerms(this.#names);
    const { starts, next } = startsOf(this.#names.length, rankOf, this.#sizes.values);
    const size = this.#rows.size;
    const [ids, rows, counts] = [this.#ids.values, this.#rows.values, this.#counts.values];
    const [marks, firsts, lasts] = [this.#marks.values, this.#firsts.values, this.#lasts.values];
    const sorted = emptyEntries(size);
    for (let at = 0; at < size; at++) {
      const to = next[rankOf[ids[at]!]!]!++;
      sorted.rows[to] = rows[at]!;
      sorted.counts[to] = counts[at]!;
      sorted.marks[to] = marks[at]!;
      sorted.firsts[to] = firsts[at]!;
      sorted.lasts[to] = lasts[at]!;
    }
    const [textLengths, titleLengths, letterLengths] = this.#lengths.map((lengths) => lengths.taken());
    return {
      ...dictionary,
      starts,
      ...sorted,
      tokens: this.#tokens.taken().map((id) => rankOf[id]!),
      places: this.#places.taken(),
      tokenEnds: this.#tokenEnds.taken(),
      ...{ textLengths: textLengths!, titleLengths: titleLengths!, letterLengths: letterLengths! },
    };
  }
}

/** Indexes documents at once; see {@link PostingsBuilder}. */
export function buildPostings(documents: readonly DocumentTerms[]): Postings {
  const builder = new PostingsBuilder();
  for (const document of documents) builder.add(document);
  return builder.finish();
}

function emptyEntries(size: number) {
  return {
    rows: new Uint32Array(size),
    counts: new Uint16Array(size),
    marks: new Uint16Array(size),
    firsts: new Uint16Array(size),
    lasts: new Uint16Array(size),
  };
}

function startsOf(count: number, rankOf: Uint32Array, sizes: ArrayLike<number>) {
  const starts = new Uint32Array(count + 1);
  for (let id = 0; id < count; id++) starts[rankOf[id]! + 1] = sizes[id]!;
  for (let rank = 0; rank < count; rank++) starts[rank + 1]! += starts[rank]!;
  return { starts, next: starts.slice() };
}

/** Postings to be joined: `rowOf` gives the new row of each document, −1 for one that is left out. */
export interface PostingsPart {
  readonly postings: Postings;
  readonly rowOf: Int32Array;
}

/** Puts postings together; new rows have to grow from part to part and within each. `rowCount` is their number. */
export function joinPostings(parts: readonly PostingsPart[], rowCount: number): Postings {
  const idOf = new Map<string, number>();
  const names: string[] = [];
  const sizes: number[] = [];
  const idsOfParts = parts.map(({ postings, rowOf }) => {
    const { starts, rows } = postings;
    const ids = new Int32Array(postings.termEnds.length).fill(-1);
    for (let term = 0; term < ids.length; term++) {
      let live = 0;
      for (let at = starts[term]!; at < starts[term + 1]!; at++) if (rowOf[rows[at]!]! >= 0) live += 1;
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
  const { rankOf, ...dictionary } = sortTerms(names);
  const { starts, next } = startsOf(names.length, rankOf, sizes);
  const entries = emptyEntries(starts[names.length]!);
  const lengthsOf = () => new Uint32Array(rowCount);
  const lengths = { textLengths: lengthsOf(), titleLengths: lengthsOf(), letterLengths: lengthsOf() };
  const tokenEnds = new Uint32Array(rowCount);
  let room = 0;
  for (const { postings, rowOf } of parts) {
    for (const [row, to] of rowOf.entries()) {
      if (to < 0) continue;
      room += postings.tokenEnds[row]! - tokenStart(postings, row);
      tokenEnds[to] = room;
    }
  }
  const tokens = new Uint32Array(room);
  const places = new Uint16Array(room);
  for (const [number, { postings: part, rowOf }] of parts.entries()) {
    const ids = idsOfParts[number]!;
    for (let term = 0; term < ids.length; term++) {
      if (ids[term]! < 0) continue;
      const rank = rankOf[ids[term]!]!;
      for (let at = part.starts[term]!; at < part.starts[term + 1]!; at++) {
        const row = rowOf[part.rows[at]!]!;
        if (row < 0) continue;
        const to = next[rank]!++;
        entries.rows[to] = row;
        for (const name of ['counts', 'marks', 'firsts', 'lasts'] as const) entries[name][to] = part[name][at]!;
      }
    }
    for (const [row, to] of rowOf.entries()) {
      if (to < 0) continue;
      for (const name of lengthNames) lengths[name][to] = part[name][row]!;
      const from = tokenStart(part, row);
      const count = part.tokenEnds[row]! - from;
      const at = tokenEnds[to]! - count;
      for (let token = 0; token < count; token++) tokens[at + token] = rankOf[ids[part.tokens[from + token]!]!]!;
      places.set(part.places.subarray(from, from + count), at);
    }
  }
  return { ...dictionary, starts, ...entries, ...lengths, tokens, places, tokenEnds };
}

/** Says where the terms of a document begin among `tokens`. */
export function tokenStart({ tokenEnds }: Postings, row: number): number {
  return row === 0 ? 0 : tokenEnds[row - 1]!;
}

/** Gives the term of a number. */
export function termAt({ terms, termEnds }: Postings, term: number): string {
  return terms.toString('utf8', term === 0 ? 0 : termEnds[term - 1]!, termEnds[term]!);
}

/** Gives the number of a term, −1 when nothing holds it. */
export function findTerm({ terms, termEnds, slots }: Postings, wanted: string): number {
  const bytes = Buffer.from(wanted);
  const last = slots.length - 1;
  for (let at = hashOf(bytes, 0, bytes.length) & last; slots[at] !== 0; at = (at + 1) & last) {
    const term = slots[at]! - 1;
    const from = term === 0 ? 0 : termEnds[term - 1]!;
    if (termEnds[term]! - from === bytes.length && terms.compare(bytes, 0, bytes.length, from, termEnds[term]!) === 0)
      return term;
  }
  return -1;
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

/** Says how many letters may differ between a term and what was meant: none below four letters, one below eight, else two. */
export function editsAllowed(term: string): number {
  return term.length < 4 ? 0 : term.length < 8 ? 1 : 2;
}

/** The shortest term that may be the beginning of another. */
export const minPrefixLength = 4;

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
    known = Uint32Array.from(termEnds, (end, term) => signatureOf(terms, term === 0 ? 0 : termEnds[term - 1]!, end));
    signatures.set(postings, known);
  }
  return known;
}

function bitsIn(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Lists the terms that a sign is in. No character's bytes are among those of others, so a place among the bytes is one in a term. */
function* termsHolding(postings: Postings, sign: string): Generator<{ term: number; name: string }> {
  const { terms, termEnds } = postings;
  for (let at = terms.indexOf(sign), term = 0; at >= 0; at = terms.indexOf(sign, termEnds[term]!)) {
    while (termEnds[term]! <= at) term += 1;
    const name = termAt(postings, term);
    if (!name.startsWith(letterMark)) yield { term, name };
  }
}

/** Lists the terms that begin with one, or are a few letters away from it; see {@link LexicalIndex.termsLike}. */
export function* termsLike(postings: Postings, wanted: string): Generator<{ term: number; name: string }> {
  const { termEnds } = postings;
  if (isLoneSign(wanted)) {
    yield* termsHolding(postings, wanted);
    return;
  }
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
    // Letters and length rule out most terms without decoding them; a letter has at most three bytes.
    if (bitsIn(known[term]! ^ signature) > edits * 2) continue;
    const length = termEnds[term]! - (term === 0 ? 0 : termEnds[term - 1]!);
    const widest = (known[term]! & 1) === 0 ? 1 : 3;
    if (length < wanted.length - edits || length > (wanted.length + edits) * widest) continue;
    const name = termAt(postings, term);
    if (name.startsWith(letterMark)) continue;
    if (!(isPrefix && name.startsWith(wanted)) && editDistance(name, wanted, edits) <= edits) yield { term, name };
  }
}
