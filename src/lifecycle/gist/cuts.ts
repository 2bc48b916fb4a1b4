// What a gist may leave out: fillers, and whole clauses and sentences on which nothing that stays depends.
//
//   text     [S1] [S2 ── "It …" leans on S1] [S3] [S4] [S5 ── "But …"]
//   threads  └── S1 S2 ──────────────────┘   └S3┘ └── S4 S5 ────────┘      a thread goes as a whole, or from its end
//
// Nothing goes from within a clause but fillers, so what a clause says, of whom, how often and under which condition, stands or goes together.

import { once } from '../../base/once-per.ts';
import { isStopWord } from '../../base/tokenizer.ts';
import { bareFillers, idleSentences, isOpener, setApart } from './fillers.ts';
import type { Sentence, Word } from './words.ts';

/** A run of words that may go. */
export interface Cut {
  readonly sentence: number;
  readonly from: number;
  /** Behind the last word. */
  readonly to: number;
}

/** Sentences that go together. */
export interface Thread {
  readonly from: number;
  /** Behind the last sentence. */
  readonly to: number;
  /** 0: says nothing that a gist should keep; 1: denies, limits or sets a condition; 2: holds a number, a name or code. */
  readonly tier: 0 | 1 | 2;
  /** How much is lost with it, by word: the less it says of what others speak of, and the less it decides, the lower. */
  readonly cost: number;
}

const isMark = ({ core }: Word): boolean => /^[-–—.…]*$/.test(core);
const endsClause = ({ trail }: Word): boolean => /[,;:.!?…)]/.test(trail);

/** Lists the fillers of a text. */
export function fillersOf(sentences: readonly Sentence[]): Cut[] {
  return sentences.flatMap(({ words }, sentence) =>
    fillersIn(words).map(([from, to]): Cut => ({ sentence, from, to })),
  );
}

const saidBy = (words: readonly Word[]): string =>
  words.flatMap((word) => (isMark(word) ? [] : [word.lower])).join(' ');

function fillersIn(words: readonly Word[]): [from: number, to: number][] {
  if (idleSentences.has(saidBy(words))) return [[0, words.length]];
  const found: [number, number][] = [];
  let open = 0;
  while (open < words.length - 1 && isOpener(words[open]!.lower) && words[open]!.trail === ',') open += 1;
  if (open > 0) found.push([0, open]);
  const add = (phrase: readonly string[], at: number, isApart: boolean): void => {
    const end = at + phrase.length;
    if (end > words.length || !phrase.every((lower, step) => words[at + step]!.lower === lower)) return;
    if (words.slice(at, end - 1).some(({ trail }) => trail !== '')) return;
    if (words.slice(at, end).some(({ hold, isAnchor }) => hold === 'never' || isAnchor)) return;
    const previous = words[at - 1];
    if (isApart) {
      const isOpen = previous === undefined || endsClause(previous) || isMark(previous);
      if (!isOpen || !endsClause(words[end - 1]!) || end - at === words.length) return;
    } else if (
      previous !== undefined &&
      (previous.hold === 'sentence' || /^(?:how|what|as|than|do|did|so)$/.test(previous.lower))
    ) {
      return;
    }
    found.push([at, end]);
  };
  words.forEach((_, at) => {
    for (const phrase of bareFillers) add(phrase, at, false);
    for (const phrase of setApart) add(phrase, at, true);
  });
  return found;
}

/** Finds for each word, when it is first asked for, the next one like this from there on; -1 for none. */
function nextOf(words: readonly Word[], isLike: (word: Word, at: number) => boolean): () => Int32Array {
  return once(() => {
    const next = new Int32Array(words.length);
    for (let at = words.length - 1, found = -1; at >= 0; at--) {
      if (isLike(words[at]!, at)) found = at;
      next[at] = found;
    }
    return next;
  });
}

/** Begin a clause that gives a reason, or tells more of what was said. */
const trailing = new Set('because since as which who whose where'.split(' '));

/**
 * Lists clauses that close a sentence with a reason or more of the same, and remarks in brackets. None of them holds a number, a name or a word
 * that turns a meaning, and the next sentence does not lean on it.
 */
export function clausesOf(sentences: readonly Sentence[]): Cut[] {
  return sentences.flatMap(({ words }, sentence) => {
    const cuts: Cut[] = [];
    const next = sentences[sentence + 1];
    const closing = nextOf(words, ({ trail }) => trail.includes(')'));
    const ending = nextOf(words, ({ trail }, at) => /[;.!?…]/.test(trail) || at === words.length - 1);
    for (let at = 1; at < words.length; at++) {
      const isBracket = words[at]!.lead.includes('(');
      const isTail = trailing.has(words[at]!.lower) && /^[)"”]?,$/.test(words[at - 1]!.trail);
      if (!isBracket && !isTail) continue;
      const end = (isBracket ? closing : ending)()[at]!;
      const run = words.slice(at, end + 1);
      if (end < at || run.length < 3) continue;
      const first = isTail ? 1 : 0;
      if (
        run[0]!.hold === 'never' ||
        !run.slice(first).every(({ hold, isAnchor }) => hold === 'free' && (isBracket || !isAnchor))
      )
        continue;
      // Behind a comma the main clause may go on.
      if (isTail && (at < 3 || run.slice(0, -1).some(({ trail }) => trail.includes(',')))) continue;
      if (isTail && next !== undefined && leans(next, sentences[sentence]!)) continue;
      cuts.push({ sentence, from: at, to: end + 1 });
      break;
    }
    return cuts;
  });
}

/** Stand for something that was named before them. */
const pronouns = new Set(
  `it its it's they their them they're this that these those he his him he's she her hers she's both either neither such one ones
  other others another latter former none rest there`.split(/\s+/),
);
/** Join a sentence to the one before it. */
const joining = new Set(
  `and but or nor so yet then later otherwise instead too also however therefore thereby still again now meanwhile afterwards else
  same except`.split(/\s+/),
);

/** A step, or a line of code: without it the others are another procedure, another program. */
const isStep = ([first]: readonly Word[]): boolean =>
  (/^\d{1,3}$/.test(first?.core ?? '') && first!.trail === ')') || (first?.core.startsWith('`') ?? false);
const announces = ({ words, end }: Sentence): boolean => end === ':' || (words.at(-1)?.trail.endsWith(':') ?? false);
const auxiliary = /^(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|not|so)$|n't$/;

/** Tells whether a sentence cannot be understood, or says something else, without the one before it. */
function leans({ words, end }: Sentence, before: Sentence): boolean {
  // What was supposed is supposed of what follows, too; steps, items and code belong to what stands before them, and all to their heading.
  const isSupposed = /^(?:if|suppose|imagine|assume)$/.test(before.words[0]?.lower ?? '');
  const { lower: opening, trail } = words[0]!;
  // "Really made me think" lacks its subject.
  const isFragment =
    (/ly$/.test(opening) && trail === '') ||
    words.length < 4 ||
    /^(?:maybe|perhaps|like|especially|because|which|such|for)$/.test(words[0]!.lower);
  if (isSupposed || isFragment || announces(before) || end === ';') return true;
  const clause = words.findIndex((word, at) => endsClause(word) && at >= 3);
  const head = words.slice(0, clause < 0 ? words.length : clause + 1);
  // A verb, or an "if", may stand before a pronoun that means something of an earlier sentence; behind two words it has its own.
  let named = 0;
  for (const word of head) {
    if (joining.has(word.lower) || (named < 2 && pronouns.has(word.lower))) return true;
    // "Dogs do." says what of a verb that stands elsewhere.
    if (endsClause(word) && auxiliary.test(word.lower)) return true;
    if (!isStop(word) && !isMark(word) && !word.lower.endsWith('ever')) named += 1;
  }
  return /^(?:this|that|these|those|it|them|one|ones|there|then|so|him|her|both)$/.test(words.at(-1)?.lower ?? '');
}

const isStop = ({ lower }: Word): boolean => isStopWord(lower.replaceAll("'", ''));
/** Six letters are stem enough: "release", "released" and "releases" are one subject. */
const termOf = ({ lower }: Word): string => lower.replace(/'s$/, '').slice(0, 6);
const termsOf = ({ words }: Sentence): Set<string> =>
  new Set(words.flatMap((word) => (isStop(word) || isMark(word) ? [] : [termOf(word)])));
const namesOf = ({ words }: Sentence): Set<string> =>
  new Set(words.flatMap((word) => (word.hold === 'never' && /\p{L}/u.test(word.core) ? [termOf(word)] : [])));

/** Denies, limits, or sets a condition. */
const limiting =
  /^(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|unless|except|only|until|if|instead|rather|although|though|however|but)$|n't$/;

const stress = new Set(
  `decide decided decision agree agreed prefer prefers preferred must always important remember promise promised deadline due
  required requires need needs want wants will shall should fix fixed broken failed problem solution`.split(/\s+/),
);

/** Of a procedure no step may be missing. */
const procedure = /^(?:recipe|procedure|instructions|checklist|steps?|ingredients)$/;

/** An end of a thread has at most so many sentences: of a thread of thousands each end would be looked through. */
const mostOfEnd = 32;

/** Lists where the ends of a thread begin, from the last on, and where all of it does. */
function beginnings(first: number, to: number): number[] {
  if (first >= to) return [];
  const shortest = Array.from({ length: Math.min(mostOfEnd, to - first) }, (_, at) => to - 1 - at);
  return shortest.at(-1) === first ? shortest : [...shortest, first];
}

/**
 * Lists the threads of a text that may go, and ends of threads: never its first sentence. What denies, limits or sets a condition goes only
 * with all that it speaks of. It goes with its whole thread, when no other sentence has a word of it.
 */
export function threadsOf(sentences: readonly Sentence[]): Thread[] {
  if (sentences.some(({ words }) => words.some(({ lower }) => procedure.test(lower)))) return [];
  const terms = sentences.map(termsOf);
  const starts = sentences.flatMap((sentence, at) => (at === 0 || !leans(sentence, sentences[at - 1]!) ? [at] : []));
  const turns = sentences.map(({ words }) => isStep(words) || words.some(({ lower }) => limiting.test(lower)));
  const firm = sentences.map(({ words }) => words.some(({ hold }) => hold === 'never'));
  const opening = sentences.findIndex(({ words }) => !idleSentences.has(saidBy(words)));
  const limits = limitsOf(sentences, terms);
  const found: Thread[] = [];
  starts.forEach((start, at) => {
    const to = starts[at + 1] ?? sentences.length;
    for (const from of beginnings(Math.max(opening + 1, start), to)) {
      // What was announced must follow.
      if (from > start && announces(sentences[from - 1]!)) continue;
      const inside = sentences.slice(from, to);
      if (inside.some(({ words }) => !isWhole(words))) continue;
      const isLimit = inside.some((_, step) => turns[from + step] && limits(from + step, from, to));
      if (isLimit || (from > start && turns.slice(from, to).includes(true))) continue;
      const own = new Set(terms.slice(from, to).flatMap((each) => [...each]));
      const size = inside.reduce((sum, { words }) => sum + words.length, 0);
      const stressed = inside.reduce(
        (sum, { words }) => sum + words.filter(({ lower }) => stress.has(lower)).length,
        0,
      );
      const kept = inside.reduce((sum, { words }) => sum + words.filter(({ hold }) => hold !== 'free').length, 0);
      found.push({
        from,
        to,
        tier: firm.slice(from, to).includes(true) ? 2 : turns.slice(from, to).includes(true) ? 1 : 0,
        cost: (own.size + 2 * stressed + 2 * kept) / size,
      });
    }
  });
  return found;
}

/** So many sentences that share a word are looked at; where there are more, a sentence is taken to limit one of them, and stays. */
const mostLookedAt = 200;

/** Tells whether a sentence may limit what one outside of a run says: they share a name, or a third of its words. */
function limitsOf(
  sentences: readonly Sentence[],
  terms: readonly ReadonlySet<string>[],
): (sentence: number, from: number, to: number) => boolean {
  const holders = new Map<string, number[]>();
  terms.forEach((each, at) => {
    for (const term of each) {
      const known = holders.get(term);
      if (known === undefined) holders.set(term, [at]);
      else known.push(at);
    }
  });
  return (sentence, from, to) => {
    const own = terms[sentence]!;
    const names = namesOf(sentences[sentence]!);
    const holdersOf = (term: string): readonly number[] => holders.get(term)!;
    for (const term of own) {
      // In their order: the first or the last one is outside where any is.
      if (names.has(term) && (holdersOf(term)[0]! < from || holdersOf(term).at(-1)! >= to)) return true;
    }
    const least = Math.ceil(own.size / 3);
    // Of so many terms, whichever a third is, one of the rarest is among them.
    const rarest = [...own].sort((a, b) => holdersOf(a).length - holdersOf(b).length).slice(0, own.size - least + 1);
    const seen = new Set<number>();
    const isLimited = (other: number): boolean => {
      if (seen.has(other)) return false;
      seen.add(other);
      let shared = 0;
      for (const term of own) if (terms[other]!.has(term)) shared += 1;
      return shared >= least || seen.size > mostLookedAt;
    };
    for (const list of rarest.map(holdersOf)) {
      for (let at = 0; at < list.length && list[at]! < from; at++) if (isLimited(list[at]!)) return true;
      for (let at = list.length - 1; at >= 0 && list[at]! >= to; at--) if (isLimited(list[at]!)) return true;
    }
    return false;
  };
}

/** A quotation or bracket that begins or ends elsewhere would be torn. */
function isWhole(words: readonly Word[]): boolean {
  const signs = words.map(({ lead, trail }) => lead + trail).join('');
  const count = (sign: RegExp): number => signs.match(sign)?.length ?? 0;
  return count(/"/g) % 2 === 0 && count(/[([{“«]/g) === count(/[)\]}”»]/g);
}
