// From a question to candidates with features: one of meaning each, a share of what a perfect document would have.
//
//   question ─► evidence of all documents ─► the best by each kind ─► pairs, expansion, title, speaker, reply, time, role ─► Σ weight · feature

import { LargestValues } from '../base/largest-values.ts';
import { Evidence, gather, gatherLetters, replyTo, stretchesOf } from './evidence.ts';
import type { Layout } from './layout.ts';
import type { TimeSpan } from './named-time.ts';
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
}

const whenQuestion =
  /\bwhen\b|\b(?:what|which) (?:day|date|month|year|time|week)|\bhow long\b|\bsince when\b|\b(?:wann|quand|cuándo|quando|wanneer|när|hvornår|når)\b/i;
const ofPerson = /\b(?:i|my|me|mine|i['’]m|i['’]ve)\b/i;
const ofAssistant = /\b(?:you|your)\b(?! (?:list|walk|tell|explain|help|show|give|summarize|provide|describe))/i;

const evidence = new Evidence();

/** Chooses the best of some slots by a score; those that tie with the last are all chosen. */
function bestBy(scores: Float64Array, slots: Int32Array, count: number, chosen: Set<number>): void {
  if (slots.length <= count) {
    for (const slot of slots) if (scores[slot]! > 0) chosen.add(slot);
    return;
  }
  const largest = new LargestValues(count);
  for (let at = 0; at < slots.length; at++) largest.add(scores[slots[at]!]!);
  const least = Math.max(largest.least * (1 - 1e-9), Number.MIN_VALUE);
  for (let at = 0; at < slots.length; at++) if (scores[slots[at]!]! >= least) chosen.add(slots[at]!);
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
  const count = (flags[slot]! & flag.passage) === 0 ? 1 : corpus.files[fileOf[slot]!]!.count;
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

/** Lists what the best candidates say in other words, with its weight: [term, share] (RM3, Abdul-Jaleel et al. 2004). */
function expansionOf(best: readonly (readonly [Place, number])[], asked: ReadonlySet<string>, layout: Layout) {
  const model = new Map<string, number>();
  const total = best.reduce((sum, [, good]) => sum + good, 0) || 1;
  for (const [{ postings, row, count }, good] of best) {
    const counts = new Map<number, number>();
    const from = tokenStart(postings, row);
    const to = postings.tokenEnds[row + count - 1]!;
    for (let at = from; at < to; at++) counts.set(postings.tokens[at]!, (counts.get(postings.tokens[at]!) ?? 0) + 1);
    for (const [term, often] of counts) {
      const name = nameOf(postings, term);
      if (!asked.has(name)) model.set(name, (model.get(name) ?? 0) + ((good / total) * often) / (often + 1));
    }
  }
  const weighed: [string, number][] = [];
  for (const [name, weight] of model) {
    const holding = holdingIn(name, layout);
    if (holding > 1) weighed.push([name, weight * rarity(layout.unitCount, holding)]);
  }
  weighed.sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const chosen = weighed.slice(0, settings.expandBy);
  const mass = chosen.reduce((sum, [, weight]) => sum + weight, 0);
  return chosen.map(([name, weight]) => [name, weight / mass] as const);
}

/** Counts the units of a view that hold a term. */
function holdingIn(name: string, layout: Layout): number {
  const { units } = layout.corpus.columns;
  let holding = 0;
  let last = -1;
  for (const { segment, first } of layout.corpus.segments) {
    const { postings } = segment;
    const term = findTerm(postings, name);
    if (term < 0) continue;
    for (let at = postings.starts[term]!; at < postings.starts[term + 1]!; at++) {
      const slot = first + postings.rows[at]!;
      const unit = units[slot]!;
      if (unit === last || !(layout.fileOf[slot]! >= 0)) continue;
      last = unit;
      holding += 1;
    }
  }
  return holding;
}

/** Finds where terms of the question stand together: in order and as close as there, or within three words, 1; within eight a half. */
function pairsIn({ postings, row, count }: Place, { pairs }: Question, marks: Int16Array): number {
  let score = 0;
  const best = new Float64Array(pairs.length);
  for (let one = row; one < row + count; one++) {
    const hits: [place: number, term: number][] = [];
    for (let at = tokenStart(postings, one); at < postings.tokenEnds[one]!; at++) {
      const mark = marks[postings.tokens[at]!]!;
      if (mark > 0) hits.push([postings.places[at]!, mark - 1]);
    }
    for (const [number, { one: first, other, gap }] of pairs.entries()) {
      if (best[number] === 1) continue;
      for (let x = 0; x < hits.length; x++) {
        const [place, term] = hits[x]!;
        if (term !== first && term !== other) continue;
        for (let y = x + 1; y < hits.length && hits[y]![0] - place <= 8; y++) {
          const [next, nextTerm] = hits[y]!;
          const isPair = term === first ? nextTerm === other : nextTerm === first;
          const isAsAsked = term === first && (next - place === gap || (gap <= 3 && next - place <= 3));
          if (isPair) best[number] = Math.max(best[number]!, isAsAsked ? 1 : 0.5);
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

/** Scores the documents of a view that `isWanted` lets through. */
export function scoreByWords(
  question: Question,
  layout: Layout,
  isWanted: (slot: number) => boolean,
  named: TimeSpan | undefined,
): Scored {
  const { found, letters, text } = question;
  gather(evidence, found, layout);
  gatherLetters(evidence, letters, layout);
  const { own, joint, held, title, titleTerms, named: isNamed } = evidence;
  const { columns } = layout.corpus;
  const wanted = evidence.touched.subarray(0, evidence.size).filter(isWanted);
  const chosen = new Set<number>();
  bestBy(own, wanted, settings.pool, chosen);
  bestBy(joint, wanted, settings.pool, chosen);
  if (letters.length > 0) bestBy(evidence.letters, wanted, settings.pool / 2, chosen);
  const close = Int32Array.from(chosen).sort();
  // What is not looked at closely comes behind all that is.
  const rest = wanted.filter((slot) => !chosen.has(slot));
  const slots = new Int32Array(close.length + rest.length);
  slots.set(close);
  slots.set(rest, close.length);

  const total = new Float64Array(slots.length);
  const parts: Partial<Record<Feature, Float64Array>> = {};
  const count = (feature: Feature, worthOf: (slot: number, at: number) => number, size = close.length): void => {
    const part = new Float64Array(size);
    for (let at = 0; at < size; at++) {
      part[at] = weights[feature] * worthOf(slots[at]!, at);
      total[at]! += part[at]!;
    }
    parts[feature] = part;
  };
  count('own', (slot) => own[slot]!, slots.length);
  count('joint', (slot) => joint[slot]!, slots.length);
  if (letters.length > 0) count('letters', (slot) => evidence.letters[slot]!, slots.length);
  const stretches = stretchesOf(close, found, layout);
  count('wide', (_, at) => stretches[at]!);
  const places = Array.from(close, (slot) => placeOf(slot, layout));
  if (question.pairs.length > 0) {
    withMarks(
      found.map(({ terms }) => terms),
      layout,
      () => {
        count('pairs', (slot, at) => {
          const place = places[at]!;
          return held[slot]! * pairsIn(place, question, marksOf.get(place.postings)!);
        });
      },
    );
  }
  const good = (at: number): number => (own[close[at]!]! + joint[close[at]!]!) * held[close[at]!]!;
  const best = Array.from(close.keys())
    .filter((at) => good(at) > 0)
    .sort((one, other) => good(other) - good(one) || close[one]! - close[other]!)
    .slice(0, settings.expandFrom);
  const expansion = expansionOf(
    best.map((at) => [places[at]!, good(at)]),
    new Set([...question.words, ...found.flatMap(({ terms }) => terms)]),
    layout,
  );
  if (expansion.length > 0) {
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
            sum += (expansion[number]![1] * counts[number]!) / (counts[number]! + norm);
            counts[number] = 0;
          }
          return sum;
        });
      },
    );
  }
  count('title', (slot) => (title[slot] === 0 ? 0 : (title[slot]! * titleTerms[slot]!) / columns.titleLengths[slot]!));
  count('speaker', (slot) => isNamed[slot]!);
  count('reply', (slot) => replyTo(slot, evidence, layout));
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
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < close.length; at++) least = Math.min(least, total[at]!);
  for (let at = close.length; at < slots.length; at++) total[at] = Math.min(total[at]!, least);
  let certainty = 0;
  for (const slot of slots)
    certainty = Math.max(certainty, Math.min(1, joint[slot]! > 0 ? Math.max(held[slot]!, joint[slot]!) : 0));
  return { slots, parts, total, certainty };
}
