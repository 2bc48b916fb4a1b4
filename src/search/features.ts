// From a question to candidates with features: one of meaning each, a share of what a perfect document would have.
//
//   question ─► evidence of all documents ─► the best by each kind ─► pairs, expansion, title, speaker, reply, time, role ─► Σ weight · feature

import * as words from '../base/generated/words.ts';
import { firstOf, LargestValues } from '../base/largest-values.ts';
import { anyOf, listed, oneOf } from '../base/words.ts';
import type { TimeSpan } from './asked-time.ts';
import type { PlacedSegment } from './corpus.ts';
import { companyOf, Evidence, gather, gatherLetters, shareOfAsked, stretchesOf } from './evidence.ts';
import type { Layout } from './layout.ts';
import { findTerm, type Postings, termAt, tokenStart } from './postings.ts';
import { type Question, rarity } from './question.ts';
import { type Feature, rankingSettings as settings, weights } from './ranking-settings.ts';
import { flag } from './segment.ts';

/** Candidates of a question; columns by their number. */
export interface Scored {
  readonly slots: Int32Array;
  /** What each feature adds to the score; what is not looked at closely has no place in most of them. */
  readonly parts: Partial<Record<Feature, Float64Array>>;
  readonly total: Float64Array;
  /** The share of the question that the best of them holds. */
  readonly certainty: number;
  /**
   * Gives these with others that were found, of all or of some slots; `isMore` chooses by slot and score. None of the others has more than the
   * least of these.
   */
  readonly more?: (isMore: (slot: number, total: number) => boolean, among?: ArrayLike<number>) => Scored;
}

const whenQuestion = anyOf(words.asksWhen);
const ofPerson = anyOf(words.speakers);
const ofAssistant = new RegExp(`\\b(?:you|your)\\b(?! ${oneOf(listed(words.toldTo))})`, 'i');

const evidence = new Evidence();

/**
 * Chooses what to look at closely, in order, and gives the share of the question that the best holds. Of what was found and is wanted it
 * takes the best by each kind of evidence, with those that tie with the last.
 */
function choose(isWanted: (slot: number) => boolean, hasLetters: boolean): { close: Int32Array; certainty: number } {
  const { own, joint, held, letters, touched, size } = evidence;
  const [byOwn, byJoint, byLetters] = [settings.pool, settings.pool, settings.pool / 2].map(
    (count) => new LargestValues(count),
  ) as [LargestValues, LargestValues, LargestValues];
  let certainty = 0;
  // This is done for each document that has a word of the question.
  const leastOf = ({ least }: LargestValues): number => Math.max(least * (1 - 1e-9), Number.MIN_VALUE);
  let [toReachOwn, toReachJoint, toReach] = [leastOf(byOwn), leastOf(byJoint), 0];
  const good: number[] = [];
  for (let at = 0; at < size; at++) {
    const slot = touched[at]!;
    const nearby = joint[slot]!;
    // What it says itself counts in both.
    if (!hasLetters && nearby < toReach && held[slot]! <= certainty) continue;
    const said = own[slot]!;
    const holds = nearby === 0 ? 0 : Math.max(held[slot]!, nearby);
    if (!(hasLetters || said >= toReachOwn || nearby >= toReachJoint || holds > certainty) || !isWanted(slot)) continue;
    good.push(slot);
    if (said > byOwn.least) {
      byOwn.add(said);
      toReachOwn = leastOf(byOwn);
    }
    if (nearby > byJoint.least) {
      byJoint.add(nearby);
      toReachJoint = leastOf(byJoint);
    }
    if (hasLetters) byLetters.add(letters[slot]!);
    if (holds > certainty) certainty = holds;
    toReach = Math.min(toReachOwn, toReachJoint, certainty);
  }
  const [leastOwn, leastJoint] = [leastOf(byOwn), leastOf(byJoint)];
  const leastLetters = hasLetters ? leastOf(byLetters) : Number.POSITIVE_INFINITY;
  const chosen: number[] = [];
  for (const slot of good) {
    if (!(own[slot]! >= leastOwn || joint[slot]! >= leastJoint || letters[slot]! >= leastLetters)) continue;
    chosen.push(slot);
    evidence.choose(slot);
  }
  return { close: Int32Array.from(chosen).sort(), certainty: Math.min(1, certainty) };
}

/** Where a unit's words stand: rows of one segment. */
interface Place {
  readonly postings: Postings;
  /** Number of the first row within the segment, and how many there are. */
  readonly row: number;
  readonly count: number;
}

function placeOf(slot: number, layout: Layout): Place {
  const { corpus } = layout;
  const { segment, first } = corpus.segmentOf(slot);
  const { flags, fileOf } = corpus.columns;
  const count = (flags[slot]! & flag.passage) === 0 ? 1 : corpus.files.at(fileOf[slot]!).count;
  return { postings: segment.postings, row: slot - first, count };
}

/** By segment: numbers of its terms as text, as far as somebody asked. */
const names = new WeakMap<Postings, (string | undefined)[]>();

function nameOf(postings: Postings, term: number): string {
  let known = names.get(postings);
  if (known === undefined) {
    known = new Array(postings.termEnds.length);
    names.set(postings, known);
  }
  known[term] ??= termAt(postings, term);
  return known[term];
}

/** By segment: a mark for each of its terms; zero for all but those that are looked for. */
const marksOf = new WeakMap<Postings, Int16Array>();

/** Marks terms in the segments of a view while something looks for them: the number in the list plus one. */
function withMarks<Result>(lists: readonly (readonly string[])[], layout: Layout, look: () => Result): Result {
  const set: [Int16Array, number][] = [];
  for (const { segment } of layout.corpus.segments) {
    const { postings } = segment;
    let marks = marksOf.get(postings);
    if (marks === undefined) {
      marks = new Int16Array(postings.termEnds.length);
      marksOf.set(postings, marks);
    }
    for (const [number, terms] of lists.entries()) {
      for (const term of terms) {
        const at = findTerm(postings, term);
        if (at < 0) continue;
        marks[at] = number + 1;
        set.push([marks, at]);
      }
    }
  }
  try {
    return look();
  } finally {
    for (const [marks, at] of set) marks[at] = 0;
  }
}

/** By segment: how many units of a view hold each of its terms, as far as somebody asked; −1 where nobody did. */
interface Holdings {
  readonly version: object;
  readonly known: Map<Postings, Int32Array>;
}
let holdings: Holdings | undefined;

function holdingsOf(postings: Postings, { version }: Layout): Int32Array {
  if (holdings?.version !== version) holdings = { version, known: new Map() };
  let known = holdings.known.get(postings);
  if (known === undefined) {
    known = new Int32Array(postings.termEnds.length).fill(-1);
    holdings.known.set(postings, known);
  }
  return known;
}

/** How often a document holds each term of its segment; all zero between two uses. */
let often = new Uint32Array(0);

/** Lists what the best candidates say in other words, with its weight: [term, share] (RM3, Abdul-Jaleel et al. 2004). */
function expansionOf(best: readonly (readonly [Place, number])[], asked: ReadonlySet<string>, layout: Layout) {
  const total = best.reduce((sum, [, good]) => sum + good, 0) || 1;
  const isOne = best.every(([{ postings }]) => postings === best[0]![0].postings);
  // Of one segment the numbers of its terms are as good as their names.
  const model = new Map<number | string, { weight: number; readonly postings: Postings; readonly term: number }>();
  for (const [{ postings, row, count }, good] of best) {
    const { tokens } = postings;
    if (often.length < postings.termEnds.length) often = new Uint32Array(postings.termEnds.length * 2);
    const from = tokenStart(postings, row);
    const to = postings.tokenEnds[row + count - 1]!;
    for (let at = from; at < to; at++) often[tokens[at]!]! += 1;
    for (let at = from; at < to; at++) {
      const term = tokens[at]!;
      const times = often[term]!;
      if (times === 0) continue;
      often[term] = 0;
      const weight = ((good / total) * times) / (times + 1);
      const key = isOne ? term : nameOf(postings, term);
      const known = model.get(key);
      if (known === undefined) model.set(key, { weight, postings, term });
      else known.weight += weight;
    }
  }
  const weighed: [string, number][] = [];
  for (const { weight, postings, term } of model.values()) {
    const name = nameOf(postings, term);
    if (asked.has(name)) continue;
    const holding = keptHolding(name, postings, term, layout);
    if (holding > 1) weighed.push([name, weight * rarity(layout.unitCount, holding)]);
  }
  weighed.sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const chosen = weighed.slice(0, settings.expandBy);
  const mass = chosen.reduce((sum, [, weight]) => sum + weight, 0);
  return chosen.map(([name, weight]) => [name, weight / mass] as const);
}

function keptHolding(name: string, postings: Postings, term: number, layout: Layout): number {
  const known = holdingsOf(postings, layout);
  if (known[term]! < 0) known[term] = holdingIn(name, layout);
  return known[term]!;
}

/** Tells how many units of a view hold a term, in any field; keeps that for the view that was asked last. */
export function unitsHolding(name: string, layout: Layout): number {
  for (const { segment } of layout.corpus.segments) {
    const term = findTerm(segment.postings, name);
    if (term >= 0) return keptHolding(name, segment.postings, term, layout);
  }
  return 0;
}

/** By view: the segments that are in it as a whole, each row found by itself. */
const wholeIn = new WeakMap<object, Set<Postings>>();

function wholeSegments({ corpus, fileOf, version }: Layout): Set<Postings> {
  let whole = wholeIn.get(version);
  if (whole === undefined) {
    const { units } = corpus.columns;
    const isWhole = ({ first, end }: PlacedSegment): boolean => {
      for (let slot = first; slot < end; slot++) if (units[slot] !== slot || !(fileOf[slot]! >= 0)) return false;
      return true;
    };
    whole = new Set(corpus.segments.filter(isWhole).map(({ segment }) => segment.postings));
    wholeIn.set(version, whole);
  }
  return whole;
}

/** Counts the units of a view that hold a term. */
function holdingIn(name: string, layout: Layout): number {
  const { units } = layout.corpus.columns;
  const { fileOf } = layout;
  const whole = wholeSegments(layout);
  let holding = 0;
  let last = -1;
  for (const { segment, first } of layout.corpus.segments) {
    const { starts, rows } = segment.postings;
    const term = findTerm(segment.postings, name);
    if (term < 0) continue;
    if (whole.has(segment.postings)) {
      holding += starts[term + 1]! - starts[term]!;
      continue;
    }
    for (let at = starts[term]!; at < starts[term + 1]!; at++) {
      const slot = first + rows[at]!;
      const unit = units[slot]!;
      if (unit === last || !(fileOf[slot]! >= 0)) continue;
      last = unit;
      holding += 1;
    }
  }
  return holding;
}

/** The terms of the question in a row, and their places; kept from row to row. */
let hitPlaces = new Int32Array(256);
let hitTerms = new Int32Array(256);

/** Finds where terms of the question stand together: in order and as close as there, or within three words, 1; within eight a half. */
function pairsIn({ postings, row, count }: Place, { pairs }: Question, marks: Int16Array): number {
  const { tokens, places, tokenEnds } = postings;
  let score = 0;
  const best = new Float64Array(pairs.length);
  for (let one = row; one < row + count; one++) {
    let size = 0;
    const from = tokenStart(postings, one);
    const to = tokenEnds[one]!;
    if (hitPlaces.length < to - from) {
      hitPlaces = new Int32Array(2 * (to - from));
      hitTerms = new Int32Array(2 * (to - from));
    }
    for (let at = from; at < to; at++) {
      const mark = marks[tokens[at]!]!;
      if (mark === 0) continue;
      hitPlaces[size] = places[at]!;
      hitTerms[size++] = mark - 1;
    }
    for (let number = 0; number < pairs.length; number++) {
      const { one: first, other, gap } = pairs[number]!;
      for (let x = 0; x + 1 < size && best[number] !== 1; x++) {
        const term = hitTerms[x]!;
        if (term !== first && term !== other) continue;
        const place = hitPlaces[x]!;
        const wanted = term === first ? other : first;
        for (let y = x + 1; y < size && hitPlaces[y]! - place <= 8; y++) {
          if (hitTerms[y] !== wanted) continue;
          const apart = hitPlaces[y]! - place;
          const isAsAsked = term === first && (apart === gap || (gap <= 3 && apart <= 3));
          best[number] = Math.max(best[number]!, isAsAsked ? 1 : 0.5);
        }
      }
    }
  }
  let ideal = 0;
  for (const [number, { share }] of pairs.entries()) {
    ideal += share;
    score += share * best[number]!;
  }
  return ideal === 0 ? 0 : score / ideal;
}

/** What the best documents share says little where even they hold little of the question, as of a long one. */
const trustIn = (certainty: number): number => Math.min(1, certainty / settings.expandHeld) ** 2;

/** Scores the documents of a view that `isWanted` lets through, the best of them by a close look. */
export function scoreByWords(
  question: Question,
  layout: Layout,
  isWanted: (slot: number) => boolean,
  named: TimeSpan | undefined,
): Scored {
  const { found, letters, text } = question;
  gather(evidence, found, layout, letters.length > 0);
  gatherLetters(evidence, letters, layout);
  const { own, joint, held, terms, title, titleTerms, named: isNamed } = evidence;
  const { columns } = layout.corpus;
  const { close, certainty } = choose(isWanted, letters.length > 0);

  const total = new Float64Array(close.length);
  const parts: Partial<Record<Feature, Float64Array>> = {};
  const count = (feature: Feature, worthOf: (slot: number, at: number) => number): void => {
    const part = new Float64Array(close.length);
    for (let at = 0; at < part.length; at++) {
      part[at] = weights[feature] * worthOf(close[at]!, at);
      total[at]! += part[at]!;
    }
    parts[feature] = part;
  };
  count('own', (slot) => own[slot]!);
  count('joint', (slot) => joint[slot]!);
  if (letters.length > 0) count('letters', (slot) => evidence.letters[slot]!);
  const stretches = stretchesOf(close, found, layout);
  count('wide', (_, at) => stretches[at]!);
  const places = Array.from(close, (slot) => placeOf(slot, layout));
  if (question.pairs.length > 0) {
    withMarks(
      found.map(({ terms }) => terms),
      layout,
      () => {
        count('pairs', (slot, at) => {
          if (terms[slot]! < 2) return 0;
          const place = places[at]!;
          return held[slot]! * pairsIn(place, question, marksOf.get(place.postings)!);
        });
      },
    );
  }
  const good = Float64Array.from(close, (slot) => (own[slot]! + joint[slot]!) * held[slot]!);
  const largest = new LargestValues(settings.expandFrom);
  for (let at = 0; at < good.length; at++) largest.add(good[at]!);
  const best: number[] = [];
  for (let at = 0; at < good.length; at++) if (good[at]! > 0 && good[at]! >= largest.least) best.push(at);
  // Among equals their names decide: slots are numbered in the order in which files were read.
  const { fileOf } = columns;
  const nameAt = (at: number): string => layout.corpus.files.at(fileOf[close[at]!]!).name;
  const byName = (one: number, other: number): number =>
    fileOf[close[one]!] === fileOf[close[other]!] ? one - other : nameAt(one) < nameAt(other) ? -1 : 1;
  const first = firstOf(best, (one, other) => good[other]! - good[one]! || byName(one, other), settings.expandFrom);
  const expansion = expansionOf(
    first.map((at) => [places[at]!, good[at]!]),
    new Set([...question.words, ...found.flatMap(({ terms }) => terms)]),
    layout,
  );
  if (expansion.length > 0) {
    const trust = trustIn(certainty);
    withMarks(
      expansion.map(([name]) => [name]),
      layout,
      () => {
        const counts = new Float64Array(expansion.length);
        count('expansion', (slot, at) => {
          const { postings, row, count: rows } = places[at]!;
          const marks = marksOf.get(postings)!;
          const to = postings.tokenEnds[row + rows - 1]!;
          let isThere = false;
          for (let token = tokenStart(postings, row); token < to; token++) {
            const mark = marks[postings.tokens[token]!]!;
            if (mark === 0) continue;
            counts[mark - 1]! += 1;
            isThere = true;
          }
          if (!isThere) return 0;
          const norm = settings.once + columns.textLengths[slot]! / settings.perLength;
          let sum = 0;
          for (let number = 0; number < counts.length; number++) {
            sum += (trust * expansion[number]![1] * counts[number]!) / (counts[number]! + norm);
            counts[number] = 0;
          }
          return sum;
        });
      },
    );
  }
  count('title', (slot) => (title[slot] === 0 ? 0 : (title[slot]! * titleTerms[slot]!) / columns.titleLengths[slot]!));
  count('speaker', (slot) => isNamed[slot]!);
  count('reply', (slot) => {
    const share = shareOfAsked(slot, layout);
    return share === 0 ? 0 : share * evidence.own[slot - 1]!;
  });
  if (whenQuestion.test(text)) {
    count('when', (slot) => ((columns.flags[slot]! & flag.hasTime) === 0 ? 0 : (own[slot]! + joint[slot]!) / 2));
  }
  if (named !== undefined) {
    count('day', (slot) => {
      const time = columns.times[slot]!;
      return time >= named.start && time < named.end ? (own[slot]! + joint[slot]!) / 2 : 0;
    });
  }
  const [asksPerson, asksAssistant] = [ofPerson.test(text), ofAssistant.test(text)];
  if (asksPerson || asksAssistant) {
    const wantedFlags = (asksPerson ? flag.person : 0) | (asksAssistant ? flag.assistant : 0);
    count('voice', (slot) => ((columns.flags[slot]! & wantedFlags) === 0 ? 0 : 1));
  }
  const company = companyOf(close, total, layout);
  count('company', (_, at) => company[at]!);
  const { size, touched } = evidence;
  const scored = { slots: close, parts, total, certainty };
  return {
    ...scored,
    more: (isMore, among = touched.subarray(0, size)) => withMore(scored, among, isMore, letters.length > 0),
  };
}

/** Adds what was not looked at closely: it comes behind all that was. */
function withMore(
  { slots: close, parts, total: ofClose, certainty }: Scored,
  among: ArrayLike<number>,
  isMore: (slot: number, total: number) => boolean,
  hasLetters: boolean,
): Scored {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < ofClose.length; at++) least = Math.min(least, ofClose[at]!);
  const features = ['own', 'joint', ...(hasLetters ? (['letters'] as const) : [])] as const;
  const { own, joint, letters } = evidence;
  const rest: number[] = [];
  for (let at = 0; at < among.length; at++) {
    const slot = among[at]!;
    if (!evidence.isLeft(slot)) continue;
    let total = weights.own * own[slot]! + weights.joint * joint[slot]!;
    if (hasLetters) total += weights.letters * letters[slot]!;
    if (isMore(slot, Math.min(total, least))) rest.push(slot);
  }
  if (rest.length === 0) return { slots: close, parts, total: ofClose, certainty };
  const longer = <Numbers extends Int32Array | Float64Array>(start: Numbers): Numbers => {
    const both = new (start.constructor as new (length: number) => Numbers)(start.length + rest.length);
    both.set(start);
    return both;
  };
  const total = longer(ofClose);
  const all = { ...parts };
  for (const feature of features) {
    const [part, worth] = [longer(parts[feature]!), evidence[feature]];
    for (let at = close.length; at < part.length; at++) {
      part[at] = weights[feature] * worth[rest[at - close.length]!]!;
      total[at]! += part[at]!;
    }
    all[feature] = part;
  }
  for (let at = close.length; at < total.length; at++) total[at] = Math.min(total[at]!, least);
  const slots = longer(close);
  slots.set(rest, close.length);
  return { slots, parts: all, total, certainty };
}
