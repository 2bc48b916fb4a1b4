// From a question to ranked hits that say why: words, neighbours, sessions, vectors, dates and use, put together.

import { queryTokensOf, tokensOf } from '../base/tokenizer.ts';
import { type AnswerCues, answerFactorOf } from './answer-type.ts';
import { bestOf, type Candidate, maxMoved, pick, poolOf, rounded, slotsOf } from './candidates.ts';
import { companyOf } from './company.ts';
import { filterOf } from './filter.ts';
import { type Folded, firstOfEach, foldSources, type Representative, type Told } from './folding.ts';
import { fuse, recencyOf } from './fusion.ts';
import type { Layout } from './layout.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { parseQuery } from './query.ts';
import { type LikenessOf, maxLimit, type RankedHit, type RecallOptions, recallDefaults } from './recall-options.ts';
import type { SearchDocument } from './search-document.ts';
import { flag, pathOfName } from './segment.ts';
import { type Snippet, snippetOf } from './snippet.ts';
import { scoreLikeness } from './vector-ranking.ts';
import { literalScores, scoreWords } from './word-ranking.ts';

const dayMs = 86_400_000;

/** Finds what a query speaks of among the documents of a view, best first. */
export function rank(query: string, options: RecallOptions, layout: Layout, lexical: LexicalIndex): RankedHit[] {
  const { limit = 10, mode = 'hybrid', fusion = 'sum', now, timeZone = 'UTC', usesOf } = options;
  const { weights = recallDefaults.weights } = options;
  const parsed = parseQuery(query, timeZone);
  const { columns } = layout.corpus;
  const isWanted = filterOf(parsed, options, layout);
  const hasWords = tokensOf(parsed.text).length > 0;
  const terms = queryTokensOf(parsed.text);
  const scores = hasWords ? scoreWords(terms, lexical, layout) : literalScores(parsed.text, terms, layout);

  const factorOf = answerFactorOf(parsed.text);
  const { own, session } = scores;
  if (factorOf !== undefined) {
    for (const slot of scores.slots) own[slot]! *= factorOf(cuesAt(layout, slot), isSpokenAt(layout, slot));
  }

  const { recency = recallDefaults.recency, use = recallDefaults.use } = options;
  const { likenessOf } = options;
  const company =
    hasWords && mode !== 'lexical' && likenessOf === undefined
      ? companyOf(scores.terms, layout, options.spaces)
      : undefined;
  // The built-in embedder knows words only, so it orders what words have found; a model finds by itself.
  const isByVectors =
    hasWords && mode !== 'lexical' && (likenessOf !== undefined || (mode === 'vector' && company !== undefined));
  const wanted = isByVectors ? slotsOf(layout, isWanted) : scores.slots.filter(isWanted);
  if (wanted.length === 0) return [];
  const isByWords = !isByVectors && recency + use <= maxMoved;
  const slots = isByWords
    ? poolOf(
        wanted,
        (slot) => own[slot]!,
        (slot) => session[layout.fileOf[slot]!]!,
      )
    : wanted;

  const likeness = isByVectors && likenessOf !== undefined ? likenessIn(layout, slots, likenessOf) : company?.(slots);
  const evidence = {
    words: pick(slots, (slot) => own[slot]!),
    session: pick(slots, (slot) => session[layout.fileOf[slot]!]!),
    vector: likeness,
    ageDays: pick(slots, (slot) => Math.max(0, now - columns.freshTimes[slot]!) / dayMs),
    strength: pick(slots, (slot) => columns.strengths[slot]!),
    uses: pick(slots, (slot) => usesIn(layout, slot, columns.uses[slot]!, usesOf)),
  };
  const byModel = weights.vectorWeight / (weights.bm25Weight + weights.vectorWeight);
  const usual = likenessOf === undefined ? recallDefaults.builtInWeight : byModel;
  const vectorWeight = mode === 'vector' ? 1 : (options.vectorWeight ?? usual);
  const fused = fuse(evidence, {
    strategy: fusion,
    vectorWeight,
    weights,
    sessionWeight: recallDefaults.sessionWeight,
    recency,
    use,
  });

  // Of a query of which little was found, even the best hit is an uncertain one.
  let certainty = isByVectors ? vectorWeight : 0;
  for (const slot of slots) certainty = Math.max(certainty, scores.coverage[slot]!);

  const shown = shownOf(fused.score, slots, layout, limit, options.group === 'session');
  return shown.map(({ item: { item: candidate, count }, also }) => {
    const { slot, at, score } = candidate;
    const age = evidence.ageDays[at]!;
    const strength = evidence.strength[at]!;
    return hitOf(layout.document(slot), scores.terms, {
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
      score: rounded(also.reduce((most, { item }) => Math.max(most, item.score), score) * certainty),
      parts: {
        lexical: rounded(fused.words[at]! * certainty),
        ...(layout.fileSizes[layout.fileOf[slot]!]! > 1 ? { session: rounded(fused.session[at]!) } : {}),
        ...(fused.vector === undefined ? {} : { vector: rounded(fused.vector[at]!) }),
        ...(Number.isNaN(age) ? {} : { recency: rounded(recencyOf(age)) }),
        ...(Number.isNaN(strength) ? {} : { strength: rounded(strength) }),
      },
    });
  });
}

/** Makes a hit of a document; its snippet is looked for when it is read, as who packs hundreds of hits shows most of them whole. */
export function hitOf(
  document: SearchDocument,
  terms: readonly string[],
  rest: Omit<RankedHit, 'document' | 'snippet' | 'highlights' | 'line'>,
): RankedHit {
  let found: Snippet | undefined;
  const snippet = (): Snippet => {
    found ??= snippetOf(document.text, terms);
    return found;
  };
  return {
    ...rest,
    document,
    get snippet() {
      return snippet().text;
    },
    get highlights() {
      return snippet().highlights;
    },
    get line() {
      return document.textLine === undefined ? document.line : document.textLine + snippet().line;
    },
  };
}

/** How often a document was used: as it counts itself, else as its file was; NaN where nobody counts. */
function usesIn(layout: Layout, slot: number, own: number, usesOf: RecallOptions['usesOf']): number {
  if (usesOf === undefined || !Number.isNaN(own)) return own;
  return usesOf.get(pathOfName(layout.corpus.files[layout.fileOf[slot]!]!.name)) ?? own;
}

/** Chooses what is shown: a session once where that is asked for, and nothing that says what another hit says. */
function shownOf(
  scores: Float64Array,
  slots: Int32Array,
  layout: Layout,
  limit: number,
  isGrouped: boolean,
): Folded<Representative<Candidate>>[] {
  const sessionAt = ({ slot }: Candidate): number | undefined =>
    isGrouped && isSpokenAt(layout, slot) ? layout.fileOf[slot] : undefined;
  const { flags } = layout.corpus.columns;
  // Some more than asked for, since some may say the same; mostly there is none.
  for (let size = isGrouped ? maxLimit : Math.min(maxLimit, 2 * limit); ; size = Math.min(maxLimit, size * 4)) {
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
  const sources = record?.sources ?? [];
  const memory = record === undefined ? {} : { memory: record.id };
  return {
    ...memory,
    sources: sources.flatMap((source) => (source.turn === undefined ? [] : [`${source.path}#${source.turn}`])),
  };
}

function isSpokenAt({ corpus }: Layout, slot: number): boolean {
  return (corpus.columns.flags[slot]! & flag.spoken) !== 0;
}

function cuesAt({ corpus: { columns } }: Layout, slot: number): AnswerCues {
  const flags = columns.flags[slot]!;
  return {
    asks: (flags & flag.asks) !== 0,
    hasTime: (flags & flag.hasTime) !== 0,
    hasNumber: (flags & flag.hasNumber) !== 0,
    substance: columns.substances[slot]!,
  };
}

/** Gives the likeness of documents and those around them, from where nothing is alike. */
function likenessIn(layout: Layout, slots: Int32Array, likenessOf: LikenessOf): Float64Array {
  const likeness = scoreLikeness(slots, layout, likenessOf);
  // Models find everything a little alike; only what goes beyond that says something.
  const least = likeness.reduce((smaller, value) => Math.min(smaller, value), Number.POSITIVE_INFINITY);
  return likeness.map((value) => value - least);
}
