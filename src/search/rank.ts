// From a question to ranked hits that say why: words, what is said around them, a model's likeness, dates and use, put together.

import { firstOf, LargestValues } from '../base/largest-values.ts';
import { dayMs } from '../base/time.ts';
import { turnsIn } from '../store/records/vitals.ts';
import { daysAskedOf } from './asked-time.ts';
import { type ConfidenceEvidence, confidenceOf, evidenceFor } from './confidence.ts';
import { type Scored, scoreByWords } from './features.ts';
import { filterOf } from './filter.ts';
import { type Folded, firstOfEach, foldSources, type Representative, type Told } from './folding.ts';
import { fuse, recencyOf, worthOf } from './fusion.ts';
import type { Layout } from './layout.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { literalScores } from './literal.ts';
import { type Meanings, meaningsIn, meaningWeight } from './meaning.ts';
import { bestPassage } from './passages.ts';
import { parseQuery } from './query.ts';
import { type Question, questionOf } from './question.ts';
import type { Feature } from './ranking-settings.ts';
import {
  type Likeness,
  type Likenesses,
  maxLimit,
  type RankedHit,
  type RecallOptions,
  recallDefaults,
} from './recall-options.ts';
import type { SearchDocument } from './search-document.ts';
import { flag } from './segment.ts';
import { type Snippet, snippetOf } from './snippet.ts';

/** Drops what is behind six significant digits, which may depend on the order of additions; ranks must not. */
function rounded(value: number): number {
  const size = Math.abs(value);
  // No scale reaches the least numbers, as the recency of what is twenty years old.
  if (!(size > 1e-300 && size < 1e6)) return Number(value.toPrecision(6));
  let scale = 1;
  while (size * scale < 1e5) scale *= 10;
  return Math.round(value * scale) / scale;
}

/** A document with its score; `at` is its place in the list that was scored. */
interface Candidate {
  readonly slot: number;
  readonly at: number;
  readonly score: number;
}

/** Finds what a query speaks of among the documents of a view, best first. */
export function rank(query: string, options: RecallOptions, layout: Layout, lexical: LexicalIndex): RankedHit[] {
  const { limit = 10, mode = 'hybrid', fusion = 'sum', now, timeZone = 'UTC', usesOf } = options;
  const { weights = recallDefaults.weights, recency = recallDefaults.recency, use = recallDefaults.use } = options;
  const parsed = parseQuery(query, timeZone);
  const { columns } = layout.corpus;
  const isWanted = filterOf(parsed, options, layout);
  const isWantedUnit = unitTest(isWanted, layout);
  const question = questionOf(parsed.text, lexical, layout, options.language);
  const found = scoredBy(question, layout, isWantedUnit, isWanted, now);
  const meant =
    found.hasWords && mode !== 'lexical' ? meaningsOf(question, options.likeness, layout, isWantedUnit) : null;
  const vectorWeight =
    meant === null ? 0 : mode === 'vector' ? 1 : weightOf(found, question, meant.leastShare, options);
  const isGrouped = options.group === 'session';
  // Asked for by vectors alone, what has none is not near.
  const nearnessIn = ({ score }: Meanings, slot: number): number =>
    mode === 'vector' ? score[slot]! || 0 : score[slot]!;
  const ageOf = (slot: number): number => Math.max(0, now - columns.freshTimes[slot]!) / dayMs;
  const weigh = (scored: Scored) => {
    // Vectors find by themselves, whatever the words.
    const slots = meant === null ? scored.slots : withOthers(scored.slots, meant.nearest);
    const words = new Float64Array(slots.length);
    words.set(scored.total);
    const pick = (valueAt: (slot: number) => number): Float64Array => {
      const values = new Float64Array(slots.length);
      for (let at = 0; at < values.length; at++) values[at] = valueAt(slots[at]!);
      return values;
    };
    const evidence = {
      words,
      vector: meant === null ? undefined : pick((slot) => nearnessIn(meant, slot)),
      ageDays: pick(ageOf),
      strength: pick((slot) => columns.strengths[slot]!),
      uses: pick((slot) => usesIn(layout, slot, columns.uses[slot]!, usesOf)),
    };
    const fused = fuse(evidence, { strategy: fusion, vectorWeight, weights, recency, use });
    return { scored, slots, evidence, fused };
  };
  const choose = (scored: Scored, sure: number) => {
    const weighed = weigh(scored);
    const { slots, fused } = weighed;
    const shown = slots.length === 0 ? [] : foldedOf(fused.score, slots, layout, limit, isGrouped, sure);
    return shown === undefined ? undefined : { ...weighed, shown };
  };
  let [most, least] = [0, Number.POSITIVE_INFINITY];
  for (const value of found.total) {
    if (value > most) most = value;
    if (value < least) least = value;
  }
  // Whatever its date and use, nothing has more than this.
  const mostOf = (slot: number, total: number): number => {
    const near = meant === null ? Number.NaN : nearnessIn(meant, slot);
    const byMeaning = Number.isNaN(near) ? total / most : Math.max(0, near);
    return ((1 - vectorWeight) * total) / most + vectorWeight * byMeaning;
  };
  /** What was looked at closely, with what else can be among the first so many. */
  const firstOnes = (count: number): Scored => {
    if (found.more === undefined) return found;
    const first = weigh(found).fused.score;
    if (found.slots.length < count) return firstOfMany(count, found.more, first);
    const toReach = thresholdOf(first, count) * (1 - 1e-9);
    const byWords = least / most;
    const isMore = (slot: number, total: number): boolean => mostOf(slot, total) >= toReach && isWantedUnit(slot);
    if (byWords >= toReach) return found.more(isMore);
    if (meant === null) return found;
    // Words bring none of the others so far, and with vectors only the nearest may get there.
    const areNearest = (1 - vectorWeight) * byWords + vectorWeight * meant.least < toReach;
    return found.more(isMore, areNearest ? meant.nearest : undefined);
  };
  /** The same where more are wanted than were looked at closely: each of the others is weighed in its place. */
  const firstOfMany = (count: number, more: NonNullable<Scored['more']>, first: Float64Array): Scored => {
    const best = new LargestValues(count);
    for (let at = 0; at < found.slots.length; at++) best.add(first[at]!);
    return more((slot, total) => {
      const [toReach, whole] = [best.least * (1 - 1e-5) * (1 - 1e-9), mostOf(slot, total)];
      const score = whole < toReach ? whole : whole * worthOf(ageOf(slot), columns.strengths[slot]!, { recency, use });
      if (score < toReach || !isWantedUnit(slot)) return false;
      best.add(score);
      return true;
    });
  };
  // Mostly the first are enough, and what cannot be among them need not be weighed.
  const enough = fusion === 'sum' && !isGrouped && found.slots.length > 0 ? [2 * limit, 8 * limit] : [];
  let chosen: ReturnType<typeof choose>;
  for (const count of enough) chosen ??= choose(firstOnes(count), count);
  const { scored, evidence, fused, shown } = chosen ?? choose(found.more?.(isWantedUnit) ?? found, maxLimit)!;
  // Where little of a query was found, even the best hit is an uncertain one.
  const certainty = Math.max(vectorWeight, scored.certainty);
  const terms = termsOf(question);
  const features = Object.entries(scored.parts);
  const judge = found.hasWords ? evidenceFor(question, layout, meant?.likenesses) : undefined;

  return shown.map(({ item: { item: candidate, count }, also }) => {
    const { slot, at, score } = candidate;
    const age = evidence.ageDays[at]!;
    const strength = evidence.strength[at]!;
    const passage = bestPassage(slot, question, layout, isWanted);
    const says = judge?.([[slot, passage], ...also.map(({ item: { slot: other } }) => [other, other] as const)]);
    return hitOf(layout.document(passage), terms, {
      ...(count === undefined ? {} : { turns: count }),
      ...(also.length === 0
        ? {}
        : {
            also: also.map(({ item }) => ({
              document: layout.document(item.slot),
              score: rounded(item.score * certainty),
            })),
          }),
      // In the place of an event that was found before it.
      score: rounded(also.reduce((highest, { item }) => Math.max(highest, item.score), score) * certainty),
      ...(says === undefined ? {} : { confidence: rounded(confidenceOf(says)) }),
      parts: {
        lexical: rounded(fused.words[at]! * certainty),
        ...featuresAt(features, at, most / certainty),
        ...(Number.isNaN(evidence.vector?.[at] ?? Number.NaN) ? {} : { vector: rounded(fused.vector![at]!) }),
        ...(Number.isNaN(age) ? {} : { recency: rounded(recencyOf(age)) }),
        ...(Number.isNaN(strength) ? {} : { strength: rounded(strength) }),
        ...evidenceParts(says),
      },
    });
  });
}

/** What the confidence is made of. */
const evidenceParts = (says: Partial<ConfidenceEvidence> = {}): Partial<ConfidenceEvidence> =>
  Object.fromEntries(Object.entries(says).map(([name, value]) => [name, rounded(value)]));

/** What an index found; for a question of signs and stop words, what the texts hold letter by letter. */
function scoredBy(
  question: Question,
  layout: Layout,
  isWantedUnit: (slot: number) => boolean,
  isWanted: (slot: number) => boolean,
  now: number,
): Scored & { readonly hasWords: boolean } {
  if (question.found.length > 0 || question.letters.length > 0) {
    const scored = scoreByWords(question, layout, isWantedUnit, daysAskedOf(question.text, now));
    return { ...scored, hasWords: true };
  }
  if (question.hasWords) {
    const none = new Float64Array(0);
    return { slots: new Int32Array(0), parts: {}, total: none, certainty: 0, hasWords: true };
  }
  const { slots, score } = literalScores(question.text, layout, isWanted);
  return { slots, parts: {}, total: score, certainty: 1, hasWords: false };
}

/** Tells of a unit whether any document of it is wanted. */
function unitTest(isWanted: (slot: number) => boolean, layout: Layout): (slot: number) => boolean {
  const { flags, fileOf } = layout.corpus.columns;
  return (slot) => {
    if (isWanted(slot)) return true;
    if ((flags[slot]! & flag.passage) === 0 || layout.fileOf[slot]! < 0) return false;
    const { first, count } = layout.corpus.files.at(fileOf[slot]!);
    for (let other = first; other < first + count; other++) if (isWanted(other)) return true;
    return false;
  };
}

/** What vectors say of a question in a language that they understand. */
function meaningsOf(
  { language }: Question,
  likeness: Likeness | undefined,
  layout: Layout,
  isWantedUnit: (slot: number) => boolean,
): (Meanings & Pick<Likeness, 'leastShare'> & { readonly likenesses: Likenesses }) | null {
  if (likeness === undefined || !likeness.understands(language)) return null;
  const likenesses = likeness.ofQuestion(layout);
  return { ...meaningsIn(layout, likenesses, isWantedUnit), leastShare: likeness.leastShare, likenesses };
}

/** What vectors weigh beside words. */
function weightOf(
  { certainty }: Scored,
  { words }: Question,
  leastShare: number,
  { fusion = 'sum', vectorWeight, weights = recallDefaults.weights }: RecallOptions,
): number {
  if (vectorWeight !== undefined) return vectorWeight;
  if (fusion === 'sum') return meaningWeight(leastShare, certainty, words.length);
  return weights.vectorWeight / (weights.bm25Weight + weights.vectorWeight);
}

/** Adds what vectors found behind what words found. */
function withOthers(found: Int32Array, nearest: readonly number[]): Int32Array {
  const others = new Set(nearest);
  for (const slot of found) others.delete(slot);
  return others.size === 0 ? found : Int32Array.from([...found, ...others]);
}

const termsOf = ({ found, words }: Question): readonly string[] => [
  ...new Set(found.length > 0 ? found.flatMap(({ terms }) => terms) : words),
];

/** What each feature adds to what words say, each as a share of the best. */
function featuresAt(parts: readonly (readonly [string, Float64Array])[], at: number, most: number): FeatureShares {
  const shares: Record<string, number> = {};
  for (const [name, part] of parts) {
    const value = part[at] ?? 0;
    if (value > 0 && most > 0) shares[name] = rounded(value / most);
  }
  return shares;
}
type FeatureShares = Partial<Record<Feature, number>>;

type HitParts = Omit<RankedHit, 'document' | 'snippet' | 'highlights' | 'line'>;

/** A hit whose snippet is looked for when it is read: a caller that packs hundreds of hits shows most of them whole. */
class FoundHit implements RankedHit {
  readonly document: SearchDocument;
  readonly score: number;
  readonly parts: RankedHit['parts'];
  declare readonly confidence?: number;
  declare readonly turns?: number;
  declare readonly also?: NonNullable<RankedHit['also']>;
  readonly #terms: readonly string[];
  #snippet: Snippet | undefined;

  constructor(document: SearchDocument, terms: readonly string[], { score, confidence, parts, turns, also }: HitParts) {
    this.document = document;
    this.score = score;
    this.parts = parts;
    if (confidence !== undefined) this.confidence = confidence;
    if (turns !== undefined) this.turns = turns;
    if (also !== undefined) this.also = also;
    this.#terms = terms;
  }

  get snippet(): string {
    return this.#shown().text;
  }

  get highlights(): RankedHit['highlights'] {
    return this.#shown().highlights;
  }

  get line(): number {
    const { textLine, line } = this.document;
    return textLine === undefined ? line : textLine + this.#shown().line;
  }

  #shown(): Snippet {
    const { text, language } = this.document;
    this.#snippet ??= snippetOf(text, this.#terms, undefined, language);
    return this.#snippet;
  }
}

/** Makes a hit of a document. */
export function hitOf(document: SearchDocument, terms: readonly string[], parts: HitParts): RankedHit {
  return new FoundHit(document, terms, parts);
}

/** How often a document was used: as it counts itself, else as its file was; NaN where nobody counts. */
function usesIn(layout: Layout, slot: number, own: number, usesOf: RecallOptions['usesOf']): number {
  if (usesOf === undefined || !Number.isNaN(own)) return own;
  return usesOf.get(layout.corpus.files.at(layout.fileOf[slot]!).path) ?? own;
}

/** Finds the value that `count` others reach, or nearly: numbers that differ in their last digits are equal. */
function thresholdOf(values: Float64Array, count: number): number {
  const largest = new LargestValues(count);
  for (let at = 0; at < values.length; at++) largest.add(values[at]!);
  return largest.least * (1 - 1e-5);
}

/** Orders documents of equal score: the newest first, then by place. */
export function before({ corpus }: Layout, one: number, other: number): number {
  const { times, fileOf } = corpus.columns;
  const [time, otherTime] = [times[one]!, times[other]!];
  const isBefore = (one: number, other: number): boolean => one > other || (!Number.isNaN(one) && Number.isNaN(other));
  if (isBefore(time, otherTime) || isBefore(otherTime, time)) return isBefore(time, otherTime) ? -1 : 1;
  const { path } = corpus.files.at(fileOf[one]!);
  const { path: otherPath } = corpus.files.at(fileOf[other]!);
  if (path !== otherPath) return path < otherPath ? -1 : 1;
  return corpus.lineOf(one) - corpus.lineOf(other);
}

/** Gives the best candidates, sorted by score, then date and place. Of many with the least score only the first few are sorted. */
function bestOf(scores: Float64Array, slots: Int32Array, layout: Layout, limit: number): Candidate[] {
  const threshold = thresholdOf(scores, limit);
  const candidates: Candidate[] = [];
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! >= threshold) candidates.push({ slot: slots[at]!, at, score: rounded(scores[at]!) });
  }
  const compare = (one: Candidate, other: Candidate) => other.score - one.score || before(layout, one.slot, other.slot);
  return firstOf(candidates, compare, limit);
}

/**
 * Chooses what is shown: a session once where that is asked for, and nothing that says what another hit says. Undefined where more than the
 * first `sure` would have to be looked at.
 */
function foldedOf(
  scores: Float64Array,
  slots: Int32Array,
  layout: Layout,
  limit: number,
  isGrouped: boolean,
  sure: number,
): Folded<Representative<Candidate>>[] | undefined {
  const { flags } = layout.corpus.columns;
  const sessionAt = ({ slot }: Candidate): number | undefined =>
    isGrouped && (flags[slot]! & flag.spoken) !== 0 ? layout.fileOf[slot] : undefined;
  // Some more than asked for, since some may say the same; mostly there is none.
  for (let size = isGrouped ? maxLimit : Math.min(maxLimit, 2 * limit); ; size = Math.min(maxLimit, size * 4)) {
    if (size > sure) return undefined;
    const best = bestOf(scores, slots, layout, size);
    const ranked = firstOfEach(best, sessionAt);
    if (!ranked.some(({ item: { slot } }) => (flags[slot]! & flag.retold) !== 0))
      return ranked.slice(0, limit).map((item) => ({ item, also: [] }));
    const folded = foldSources(ranked, ({ item: { slot } }) => toldBy(layout.document(slot)), limit);
    if (folded.length === limit || best.length < size || size === maxLimit) return folded;
  }
}

function toldBy({ path, turn, record, tells }: SearchDocument): Told {
  if (turn !== undefined) return { turn: `${path}#${turn}` };
  if (tells !== undefined) {
    return { memory: tells.memory, isEvent: true, ...(tells.source === undefined ? {} : { sources: [tells.source] }) };
  }
  return record === undefined ? {} : { memory: record.id, sources: turnsIn(record) };
}
