// What a gist may leave out, and in which order: each cut is a run of words of one sentence and what losing it costs.

import { isStopWord } from '../../base/tokenizer.ts';
import {
  articles,
  bareOpeners,
  clauseOpeners,
  commonWords,
  copulas,
  determiners,
  idleSentences,
  interjections,
  isOpener,
  leading,
  ownSubjects,
  participles,
  perfects,
  pronouns,
  sayings,
  solidAdverbs,
  vague,
  weighty,
  wordingsByFirst,
} from './wording.ts';
import type { Sentence, Word } from './words.ts';

/** A run of words that may go. */
export interface Cut {
  readonly sentence: number;
  readonly from: number;
  /** Behind the last word. */
  readonly to: number;
  /** The lower goes first; equal ones go together. */
  readonly cost: number;
}

/** What cuts cost; what lies between is the same kind of loss, graded. */
export const costs = {
  filler: 1,
  hedge: 2,
  article: 3,
  scaffold: 4,
  aside: 5,
  copula: 6,
  subject: 7,
  determiner: 8,
  adverb: 9,
  idleSentence: 10,
  link: 11,
  /** From here on only strong gists go. */
  functionWord: 20,
  sentence: 30,
  clause: 40,
  word: 28,
} as const;

const isFree = (word: Word | undefined): boolean => word !== undefined && word.hold === 'free' && !word.isAnchor;
const isStop = ({ lower }: Word): boolean => isStopWord(lower.includes("'") ? lower.replaceAll("'", '') : lower);
const isMark = ({ core }: Word): boolean => /^[-–—.…]*$/.test(core);
const endsClause = (word: Word | undefined): boolean =>
  word === undefined || /[,;:.!?…)]/.test(word.trail) || isMark(word);

/** Lists all cuts of a text, in no promised order; they may overlap. */
export function cutsOf(sentences: readonly Sentence[]): Cut[] {
  const cuts: Cut[] = [];
  const weigh = weightsOf(sentences);
  sentences.forEach((sentence, at) => {
    const add = (from: number, to: number, cost: number): void => {
      cuts.push({ sentence: at, from, to, cost });
    };
    const { words } = sentence;
    addOpeners(words, add);
    addWordings(words, add);
    addRepeats(words, add);
    addInterjections(words, add);
    words.forEach((word, index) => {
      if (isFree(word)) addWord(words, index, add);
    });
    addAsides(words, add);
    const weight = weigh(sentence);
    if (canGo(words))
      add(0, words.length, weight.isIdle ? costs.idleSentence : costs.sentence + Math.min(9, weight.info));
    addClauses(words, add);
    words.forEach((word, index) => {
      if (!isFree(word) || !commonWords.has(word.lower) || weighty.has(word.lower)) return;
      // A word behind a number may be its unit.
      if (words[index - 1]?.hold !== 'never') add(index, index + 1, costs.word);
    });
  });
  return cuts;
}

type Add = (from: number, to: number, cost: number) => void;

function addOpeners(words: readonly Word[], add: Add): void {
  const said = words.flatMap((word) => (isMark(word) ? [] : [word.lower])).join(' ');
  if (idleSentences.has(said) && words.every(({ hold }) => hold !== 'never')) add(0, words.length, costs.filler);
  let at = 0;
  while (at < words.length - 1) {
    const { lower, trail } = words[at]!;
    const isEmpty = isMark(words[at]!) || (isOpener(lower) && (trail !== '' || bareOpeners.has(lower)));
    if (!isEmpty || !isFree(words[at])) break;
    at += 1;
  }
  if (at > 0) add(0, at, costs.filler);
}

/** What is said twice in a row, a word or up to three, also over a dash: "off of - off of". */
function addRepeats(words: readonly Word[], add: Add): void {
  for (let at = 0; at < words.length; at++) {
    for (let length = 3; length > 0; length--) {
      const isOverDash = /^[-–—]+$/.test(words[at + length]?.core ?? '');
      const again = at + length + (isOverDash ? 1 : 0);
      if (again + length > words.length) continue;
      const run = words.slice(at, at + length);
      const isSame = run.every(
        ({ lower, trail }, step) => lower === words[again + step]!.lower && /^[,-]?$/.test(trail) && lower !== '',
      );
      if (!isSame || !words.slice(at, again).every((word) => word.hold !== 'never' && !word.isAnchor)) continue;
      add(at, again, costs.filler);
      break;
    }
  }
}

/** "You know", "like" and others that stand between commas. */
function addInterjections(words: readonly Word[], add: Add): void {
  for (let at = 0; at < words.length; at++) {
    for (const length of [1, 2]) {
      const run = words.slice(at, at + length);
      if (run.length < length || !run.every(isFree) || run.at(-1)!.trail !== ',') continue;
      const isApart = at === 0 || isMark(words[at - 1]!) || /[,;]$/.test(words[at - 1]!.trail);
      if (!isApart || run.slice(0, -1).some(({ trail }) => trail !== '')) continue;
      if (interjections.has(run.map(({ lower }) => lower).join(' '))) add(at, at + length, costs.filler);
    }
  }
}

function addWordings(words: readonly Word[], add: Add): void {
  for (let at = 0; at < words.length; at++) {
    for (const { words: phrase, cost } of wordingsByFirst.get(words[at]!.lower) ?? []) {
      const end = at + phrase.length;
      if (end > words.length || !phrase.every((lower, step) => words[at + step]!.lower === lower)) continue;
      const run = words.slice(at, end);
      if (
        run.some((word, step) => word.hold === 'never' || word.isAnchor || (step < run.length - 1 && word.trail !== ''))
      )
        continue;
      // "What I think", "than I believe" and "how very": these hold on to what stands before them.
      if (
        cost === costs.hedge &&
        at > 0 &&
        /^(?:what|how|than|as|do|so|why|did|don't|didn't)$/.test(words[at - 1]!.lower)
      )
        continue;
      // What is told of ("there is") needs something that follows; a sentence does not end in "which is".
      if (
        cost >= costs.scaffold &&
        phrase.length > 1 &&
        /^(?:there|here|which|who|that)/.test(phrase[0]!) &&
        endsClause(run.at(-1))
      )
        continue;
      add(at, end, cost);
      break;
    }
  }
}

function addWord(words: readonly Word[], at: number, add: Add): void {
  const { lower, core, trail } = words[at]!;
  const previous = words[at - 1];
  const next = words[at + 1];
  if (isMark(words[at]!)) {
    // Dots stand for what was not heard; a dash between two names or numbers may stand for something.
    const isGap = /^[.…]+$/.test(core + trail);
    if (isGap || (previous?.hold !== 'never' && next?.hold !== 'never'))
      add(at, at + 1, isGap ? costs.hedge : costs.scaffold);
    return;
  }
  if (endsClause(words[at]) && !articles.has(lower)) {
    if (isAdverb(lower)) add(at, at + 1, costs.adverb);
    if (isStop(words[at]!)) add(at, at + 1, costs.functionWord + 5);
    return;
  }
  if (articles.has(lower)) add(at, at + 1, costs.article);
  else if (copulas.has(lower) && !pronouns.has(previous?.lower ?? '')) add(at, at + 1, costs.copula);
  else if (perfects.has(lower) && isParticiple(next?.lower ?? '') && isFree(next)) {
    add(at, next!.lower === 'been' && !endsClause(next) ? at + 2 : at + 1, costs.copula);
  } else if (lower === 'that' && previous !== undefined && sayings.has(previous.lower)) add(at, at + 1, costs.scaffold);
  else if (ownSubjects.has(lower) && opensClause(previous) && next?.lower !== 'mean') {
    add(at, /^(?:am|are|was|were)$/.test(next?.lower ?? '') && !endsClause(next) ? at + 2 : at + 1, costs.subject);
  } else if (determiners.has(lower) && next !== undefined && !isStop(next)) add(at, at + 1, costs.determiner);
  else if (lower === 'even' && !/^(?:if|though|when)$/.test(next?.lower ?? '')) add(at, at + 1, costs.adverb);
  else if (isAdverb(lower) || vague.has(lower)) add(at, at + 1, costs.adverb);
  else if (lower === 'and' && /[,;]$/.test(previous?.trail ?? '')) add(at, at + 1, costs.link);
  else if (lower === 'to' && leading.has(previous?.lower ?? '')) add(at, at + 1, costs.link);
  else if (/^(?:for|to|with)$/.test(lower) && /^(?:you|us|me)$/.test(next?.lower ?? '') && endsClause(words[at + 1])) {
    add(at, at + 2, costs.link);
  }
  if (!isStop(words[at]!)) return;
  // "From 5 to 7", "by Friday": what stands before a number or a name says what it is.
  add(at, at + 1, next?.hold === 'never' ? costs.functionWord + 5 : costs.functionWord);
}

const isParticiple = (lower: string): boolean => /[a-z]{2}ed$/.test(lower) || participles.has(lower);
const isAdverb = (lower: string): boolean => /[a-z]{3}ly$/.test(lower) && !solidAdverbs.has(lower);
const opensClause = (previous: Word | undefined): boolean =>
  previous === undefined || /[,;:]/.test(previous.trail) || clauseOpeners.has(previous.lower) || previous.core === '';

/** Brackets, pairs of dashes, and relative clauses between commas, when they hold no name and no number. */
function addAsides(words: readonly Word[], add: Add): void {
  for (let at = 0; at < words.length; at++) {
    if (words[at]!.lead.includes('(')) {
      const end = words.findIndex((word, index) => index >= at && word.trail.includes(')'));
      if (end >= 0 && words.slice(at, end + 1).every(({ hold }) => hold === 'free')) add(at, end + 1, costs.aside);
    }
    const isRelative = /^(?:which|who|whose|where)$/.test(words[at]!.lower) && /,$/.test(words[at - 1]?.trail ?? '');
    if (!isRelative) continue;
    const end = words.findIndex((word, index) => index > at && endsClause(word));
    const run = end < 0 ? words.slice(at) : words.slice(at, end + 1);
    if (run.length > 2 && run.length <= 14 && run.every(isFree)) add(at, at + run.length, costs.aside);
  }
}

/** Parts between commas and other marks. */
function addClauses(words: readonly Word[], add: Add): void {
  let from = 0;
  for (let at = 0; at < words.length; at++) {
    if (!endsClause(words[at])) continue;
    const run = words.slice(from, at + 1);
    if ((from > 0 || at < words.length - 1) && run.every((word) => isFree(word))) {
      const content = run.filter((word) => !isStop(word) && !commonWords.has(word.lower)).length;
      add(from, at + 1, costs.clause + Math.min(9, content));
    }
    from = at + 1;
  }
}

function canGo(words: readonly Word[]): boolean {
  if (words.some(({ hold }) => hold === 'never')) return false;
  // A quotation or bracket that begins or ends elsewhere would be torn.
  const signs = words.map(({ lead, trail }) => lead + trail).join('');
  const count = (sign: RegExp): number => signs.match(sign)?.length ?? 0;
  return count(/"/g) % 2 === 0 && count(/[([{“«]/g) === count(/[)\]}”»]/g);
}

interface Weights {
  /** How much a sentence tells that others do not, and whether it is hardly more than a gesture. */
  readonly info: number;
  readonly isIdle: boolean;
}

/**
 * Weighs sentences by their words: a common word counts little, one that other sentences hold, too, more (the text is about it),
 * and a sentence that decides, asks or gives a reason most.
 */
function weightsOf(sentences: readonly Sentence[]): (sentence: Sentence) => Weights {
  const holders = new Map<string, number>();
  const termsOf = new Map<Sentence, readonly (readonly [Word, string])[]>();
  for (const sentence of sentences) {
    const terms = sentence.words.flatMap((word) => {
      // Six letters are stem enough: "release", "released" and "releases" are one subject.
      return isStop(word) || isMark(word) ? [] : [[word, word.lower.slice(0, 6)] as const];
    });
    termsOf.set(sentence, terms);
    for (const term of new Set(terms.map(([, term]) => term))) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  const weightOf = (word: Word, term: string): number =>
    commonWords.has(word.lower) ? 0.3 : 1 + 0.5 * Math.min(3, (holders.get(term) ?? 1) - 1);
  return (sentence) => {
    const terms = termsOf.get(sentence)!;
    const sum = terms.reduce((total, [word, term]) => total + weightOf(word, term), 0);
    const stress = sentence.words.filter(({ lower }) => weighty.has(lower)).length;
    const info = sum + 2 * stress;
    return { info: info / 2, isIdle: info < 1.5 };
  };
}
