// The built-in extractor. Scorers say what a turn is worth and what kind of thing it tells (language/). Here is what is kept of it, and how. It
// keeps quotes: whole sentences of a turn as they were said.

import { defined } from '../../base/errors.ts';
import * as words from '../../base/generated/words.ts';
import { once } from '../../base/once-per.ts';
import type { TurnScorer } from '../../base/ports.ts';
import { takeTurns } from '../../base/take-turns.ts';
import { normaliseForHash } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { MemoryCategory, Transcript, Turn } from '../../base/types/stored-types.ts';
import { anyOf } from '../../base/words.ts';
import {
  asks,
  type Category,
  categories,
  leansBack,
  leavesOpen,
  listMark,
  type Scores,
  type Setting,
  saysWhen,
  scoresOf,
  sentencesOf,
  thresholds,
  tierOf,
} from '../../language/index.ts';
import { speakerOf } from '../../store/claims/speaker.ts';
import { dueOf, isOfItsDay, withDueDay } from './due.ts';
import type { ExtractedItem, ExtractionContext, Extractor, ItemPriority } from './extractor.ts';
import { leastInferred, sureFrom } from './importance.ts';
import { labelledOf } from './labels.ts';
import { namesIn } from './names.ts';
import { isSmallTalk } from './small-talk.ts';
import { stepListsIn } from './step-lists.ts';
import { isOwn } from './trust.ts';

/** What the scorers call otherwise; a way of doing something and a limit are a skill and a principle with a tag. */
const recordCategories: Readonly<Partial<Record<Category, MemoryCategory>>> = {
  constraint: 'principle',
  procedure: 'skill',
};
const categoryOf = (category: Category): MemoryCategory => recordCategories[category] ?? (category as MemoryCategory);

/** As sure as anything: somebody wrote down what kind of thing it is, or how much it matters. */
const labelConfidence = 0.97;
const priorityConfidence = 0.98;
/** With fewer terms a label says nothing ("Decision: pending."), and no rule can be read alone ("I don't"). */
const leastTerms = 2;
/** A turn of so many characters is kept whole, unless each of its sentences is worth it alone: cut, it would say less. */
const wholeTurn = 160;
/** A longer sentence is a log or a list. */
const longestSentence = 600;
/** So many sentences before one come with it, where it leans on them. */
const mostBefore = 2;
/** An agent that says so much of what was just said to it repeats. */
const repeated = 0.6;

/** `- [P0] …`, also in bold or with a box to tick (Priority Extracts, spec 3 layer 1). */
const priorityMark = /^\s*(?:[-*+]|\d{1,3}[.)])?\s*(?:\[[ xX]\]\s*)?(?:\*\*)?\[(P[0-3])\](?:\*\*)?[\s:–—-]*/;
/** Code keeps every sign. */
const emphasis =
  /(`[^`]+`)|\*\*|__|(?<![\p{Alpha}\d])[*_](?=[\p{Alpha}\d])|(?<=[\p{Alpha}\d.!?])[*_](?![\p{Alpha}\d])/gu;
const hashtag = /(?<![\p{Alpha}\d_/#&])#(\p{Alpha}[\p{Alpha}\d_-]{1,40})/gu;
const plainOf = (text: string): string => text.replace(emphasis, '$1').replace(/\s+/g, ' ').trim();

interface Finding {
  readonly content: string;
  readonly category: MemoryCategory;
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly priority?: ItemPriority;
  readonly isMinor?: true;
  /** How likely it holds until it is taken back. */
  readonly standing?: number;
}

/** Whose words these are, and when. */
interface Place {
  readonly turn: Turn;
  readonly number: number;
  readonly speaker: string;
  readonly timeZone: string | undefined;
  /** Whether it may answer a question. */
  readonly isAnswer: boolean;
  /** From which probability on it stands. */
  readonly leastStanding: number;
}

/** What is owed, liked or mastered is so of who says it. */
const ofSpeaker: ReadonlySet<MemoryCategory> = new Set(['commitment', 'preference', 'skill']);

/** Said of its day only, such a thing is a moment, and of little importance. It ends by nothing: that day is its own. */
const mayBeOfItsDay: ReadonlySet<MemoryCategory> = new Set(['fact', 'preference', 'principle', 'skill', 'correction']);

/** In characters: a shorter answer cannot be read alone, and what is longer is no rule. */
const leastRule = 20;
const mostRule = 400;

/** Gives how likely a finding holds until it is taken back; undefined where that is not sure, or its words cannot be read alone. */
function standingIn({ content, category, isMinor, standing = 0 }: Finding, { isAnswer, leastStanding }: Place) {
  const words = content.trim();
  const isReadable =
    new Set(tokensOf(words)).size >= leastTerms &&
    !leansBack(words) &&
    !asks(words) &&
    !(isAnswer && words.length < leastRule);
  const mayHold = isMinor === undefined && category !== 'commitment' && standing >= leastStanding;
  return mayHold && isReadable && words.length <= mostRule ? Math.round(standing * 100) / 100 : undefined;
}

function itemOf(finding: Finding, place: Place): ExtractedItem {
  const { turn, number, speaker, timeZone } = place;
  const { content, tags, priority } = finding;
  const isMoment =
    priority === undefined && mayBeOfItsDay.has(finding.category) && isOfItsDay(content, turn.time, timeZone);
  const category = isMoment ? 'moment' : finding.category;
  const { confidence, due } = asPromise(finding, turn, timeZone);
  const own = ofSpeaker.has(category) && turn.speaker !== undefined ? [turn.speaker] : [];
  const marks = [...(priority === undefined ? [] : [priority]), ...(due === undefined ? [] : ['deadline'])];
  const said = [...content.matchAll(hashtag)].map((match) => match[1]!.toLowerCase());
  return {
    category,
    content,
    subject: speaker,
    confidence: Math.round(confidence * 100) / 100,
    turns: [number],
    role: turn.role,
    entities: [...new Set([...own, ...namesIn(content)])].slice(0, 8),
    tags: [...new Set([...tags, ...marks, ...said])],
    ...defined({ due, priority, standingConfidence: isMoment ? undefined : standingIn(finding, place) }),
    ...(isMoment || finding.isMinor ? { isMinor: true } : {}),
  };
}

/** The likeliest category of a record, with the sum of what is one here and two for the scorers. */
function recordCategoryIn({ shares }: Scores): [category: MemoryCategory, probability: number] {
  const sums = new Map<MemoryCategory, number>();
  for (const [at, share] of shares.entries()) {
    const category = categoryOf(categories[at]!);
    sums.set(category, (sums.get(category) ?? 0) + share);
  }
  return [...sums].reduce((best, one) => (one[1] > best[1] ? one : best));
}

/** What the scorers say of a text that is kept. A category that is a guess is inferred, and no more. */
function readAs(content: string, scores: Scores): Finding {
  const [category, probability] = recordCategoryIn(scores);
  const isWay = category === 'skill' && scores.category === 'procedure';
  const confidence = Math.max(leastInferred, probability);
  return { content, category, confidence, tags: isWay ? ['procedure'] : [], standing: scores.standing };
}

/** From this share on a promise is one that has a day to come and says I, we, me or us. Of the sets 68 of 91 such turns are. */
const datedFrom = 0.6;
const isPersonal = anyOf(`${words.selves}, ${words.recipients}`);
/** From this share on it is kept whatever it is worth. Of 18,000 turns of the sets one is so for nothing. */
const surelyPromised = 0.9;

/** Tells whether a turn is nothing but a promise with a day, which somebody may wait for. */
const isDatedPromise = (text: string, { category, categoryProbability }: Scores): boolean =>
  category === 'commitment' && categoryProbability >= surelyPromised && isPersonal.test(text) && saysWhen(text);

/**
 * Finds the day by which a promise is due, from that on which it was said; one that has passed is none. Of several sentences the last that names
 * a day is the promise, and the others say of what. It is as sure as that sentence is alone, and with its day in full: "within two weeks" is
 * one as "by March 18" is.
 */
function asPromise(
  { content, category, confidence, priority }: Pick<Finding, 'content' | 'category' | 'confidence' | 'priority'>,
  { time, role = 'user', speaker }: Pick<Turn, 'time'> & Partial<Turn>,
  timeZone = 'UTC',
): { readonly confidence: number; readonly due?: string } {
  if (category !== 'commitment' && priority === undefined) return { confidence };
  const dated = sentencesOf(content).map((sentence) => ({ sentence, due: dueOf(sentence, time, timeZone) }));
  const { sentence = content, due } = dated.findLast((one) => one.due !== undefined) ?? {};
  const today = dayOf(time, timeZone);
  if (due === undefined || due < today) return { confidence };
  if (category !== 'commitment' || confidence >= sureFrom || due === today) return { confidence, due };
  const [read, share] = recordCategoryIn(scoresOf(withDueDay(sentence, time, timeZone), { role, speaker }));
  if (read !== category) return { confidence, due };
  const isDated = Math.max(confidence, share) >= datedFrom && isPersonal.test(sentence);
  return { confidence: Math.max(confidence, share, isDated ? sureFrom : 0), due };
}

/** Gives a promise that surely is one and has its day, as sure as it is; undefined for anything else. */
function promiseIn(finding: Finding, turn: Turn, timeZone: string | undefined): Finding | undefined {
  const { confidence, due } = asPromise(finding, turn, timeZone);
  const isSure = finding.category === 'commitment' && confidence >= sureFrom && due !== undefined;
  return isSure ? { ...finding, confidence } : undefined;
}

/** A sentence with a label before it, which says what kind of thing follows. */
function labelledIn(sentence: string): Finding | undefined {
  const label = labelledOf(plainOf(sentence));
  if (label === undefined || /\?["”'’)\s]*$/.test(label.words)) return undefined;
  if (new Set(tokensOf(label.words)).size < leastTerms) return undefined;
  return { content: sentence, category: label.category, confidence: labelConfidence, tags: label.tags };
}

/** Splits off what somebody marked with a priority: it is always kept. */
function marked(text: string): {
  readonly marks: readonly { readonly content: string; readonly priority: ItemPriority }[];
  readonly rest: string;
} {
  const marks: { content: string; priority: ItemPriority }[] = [];
  const rest = text.split('\n').map((line) => {
    const mark = priorityMark.exec(line);
    const content = mark === null ? '' : line.slice(mark[0].length).replace(/\s+/g, ' ').trim();
    if (mark === null || content === '') return line;
    marks.push({ content, priority: mark[1] as ItemPriority });
    return '';
  });
  return { marks, rest: rest.join('\n') };
}

/** Lines with a label begin a paragraph, whatever the line above ends with. */
const parted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (labelledOf(plainOf(line.replace(listMark, ''))) === undefined ? line : `\n${line}`))
    .join('\n');

/** A text to be scored, where it stands. */
interface Asked {
  readonly text: string;
  readonly setting: Setting;
}

/** Gives what of a turn is worth keeping; asks for scores on the way, of several texts at a time. */
type Finder = Generator<readonly Asked[], readonly Finding[], readonly Scores[]>;

function* findingsIn(turn: Turn, setting: Setting, isSeen: boolean, timeZone?: string): Finder {
  const { text } = turn;
  const { marks, rest } = marked(text);
  const found: Finding[] = [];
  for (const { content, priority } of marks) {
    const read = labelledIn(content) ?? readAs(content, (yield [{ text: content, setting: {} }])[0]!);
    found.push({ ...read, confidence: priorityConfidence, priority });
  }
  const prose = sentencesOf(parted(rest));
  const labelled = prose.map(labelledIn);
  found.push(...labelled.filter((one) => one !== undefined));
  const sentences = prose.filter((sentence, at) => labelled[at] === undefined && sentence.length <= longestSentence);
  if (sentences.length === 0) return found;
  // What has a label is judged by it, and the rest of the turn by itself.
  const judged = sentences.length === prose.length ? rest : sentences.join(' ');
  const whole = (yield [{ text: judged, setting }])[0]!;
  const worth = tierOf(judged, whole.worth, isSeen);
  const tier = worth === 'left' && isDatedPromise(judged, whole) ? 'minor' : worth;
  if (tier === 'left' || (worth !== 'left' && isSmallTalk(judged, whole))) return found;
  const { keep, low } = thresholds(isSeen) as Readonly<Record<'keep' | 'low', number>>;
  const minor = tier === 'kept' ? {} : { isMinor: true as const };
  const steps = stepListsIn(rest);
  const scoresOfSteps = steps.length === 0 ? [] : yield steps.map((content) => ({ text: content, setting }));
  const lists = steps.filter((_, at) => scoresOfSteps[at]!.worth >= low);
  for (const content of lists)
    found.push({ content, category: 'skill', confidence: sureFrom, tags: ['procedure'], ...minor });
  const told = sentences.filter((sentence) => !steps.some((content) => content.includes(sentence)));
  const { before, ...own } = setting;
  const isShort = judged.trim().length <= wholeTurn && told.length === sentences.length;
  const scores =
    told.length < 2 ? [] : yield told.map((one) => ({ text: one, setting: one === prose[0] ? setting : own }));
  const promises = scores.map((one, at) => promiseIn(readAs(told[at]!, one), turn, timeZone));
  if (told.length === 1 || (isShort && scores.some(({ worth }) => worth < keep))) {
    const quote = readAs(told.join(' '), whole);
    const promise = promises.find((one) => one !== undefined) ?? quote;
    // What is surely something else, too, is said beside it.
    const quotes = isOneKind(promise, quote) ? [{ ...promise, content: quote.content }] : [quote, promise];
    return [...found, ...quotes.map((one) => ({ ...one, ...minor }))];
  }
  // Of a turn that is worth it something is kept, though no sentence says it alone.
  const best = Math.max(...scores.map(({ worth }) => worth));
  const said = once(() => normaliseForHash(text));
  const places = new Map(prose.map((sentence, at) => [sentence, at]));
  const quotes: { readonly finding: Finding; readonly last: number }[] = [];
  for (const [at, sentence] of told.entries()) {
    // "Noted." says nothing alone, whatever it is scored.
    const promise = promises[at];
    if ((promise === undefined && scores[at]!.worth < Math.min(keep, best)) || !sentence.trim().includes(' ')) continue;
    const finding = promise ?? readAs(sentence, scores[at]!);
    const last = places.get(sentence)!;
    const first = firstOf(last, prose, isShort);
    const before = quotes.at(-1);
    const content = prose.slice(first, last + 1).join(' ');
    if (first === last || !said().includes(normaliseForHash(content))) {
      quotes.push({ finding, last });
      continue;
    }
    // Both are one quote, as what the surer of them is; two only where both are sure to be different things.
    const isOne = before?.last === last - 1 && isOneKind(before.finding, finding);
    const surer = isOne && before.finding.confidence > finding.confidence ? before.finding : finding;
    const quote = isOne ? `${before.finding.content} ${sentence}` : content;
    quotes.splice(isOne ? -1 : quotes.length, 1, { finding: { ...surer, content: quote }, last });
  }
  return [...found, ...quotes.map(({ finding }) => ({ ...finding, ...minor }))];
}

const isOneKind = (one: Finding, other: Finding): boolean =>
  one.category === other.category || Math.min(one.confidence, other.confidence) < sureFrom;

/** In a short turn a sentence of fewer terms says little without the one before: "No stairs! I may never leave." */
const fewestAlone = 3;

/** Finds with which sentence a quote begins, so that it can be read alone: it has to say what it is about. */
function firstOf(last: number, sentences: readonly string[], isShort: boolean): number {
  let first = last;
  const isBrief = isShort && new Set(tokensOf(sentences[last]!)).size < fewestAlone;
  const leans = (at: number): boolean =>
    leansBack(sentences[at]!) || (at === last && (isBrief || leavesOpen(sentences[at]!)));
  while (first > 0 && last - first < mostBefore && leans(first)) {
    if (sentences[first - 1]!.length > longestSentence) break;
    first -= 1;
  }
  return first;
}

/** Tells of an agent's sentences whether they only say again what was said to it; a number that is new is news. */
function repetitionOf(before: string): (text: string) => boolean {
  const said = new Set(tokensOf(before));
  return (text) => {
    const words = [...new Set(tokensOf(text))];
    const shared = words.filter((word) => said.has(word)).length;
    const isNew = (text.match(/\d+/g) ?? []).some((number) => !before.includes(number));
    return words.length > 0 && !isNew && shared / words.length >= repeated;
  };
}

/** What is handed out whatever a conversation is about, or takes the place of something. */
const standing: ReadonlySet<MemoryCategory> = new Set([
  'principle',
  'preference',
  'correction',
  'commitment',
  'decision',
]);

/**
 * Tells what a sentence is that somebody asks to keep: a rule, a preference, a correction, a decision, or a promise with its due day.
 *
 * Undefined where the scorers are not sure, for what quotes somebody else, for anything else, and for several sentences. `time` is in
 * milliseconds since the Unix epoch.
 */
export function standingOf(
  text: string,
  time: number,
  timeZone?: string,
): { readonly category: MemoryCategory; readonly due?: string } | undefined {
  if (sentencesOf(text).length !== 1 || text.length > longestSentence) return undefined;
  const found = labelledIn(text) ?? readAs(text, scoresOf(text));
  const { confidence, due } = asPromise(found, { time }, timeZone);
  if (confidence < sureFrom || !standing.has(found.category) || !isOwn(text, found.category)) return undefined;
  return { category: found.category, ...defined({ due }) };
}

/** Where a turn stands, for the scorers. */
function settingOf({ role, speaker }: Turn, before: Turn | undefined): Setting {
  return { role, speaker, ...(before === undefined ? {} : { before: { role: before.role, text: before.text } }) };
}

/** Begins to look for what is worth keeping in each turn of a transcript; undefined for a turn that is not looked into. */
function findersOf({ turns }: Transcript, isSeen: boolean, { timeZone }: ExtractionContext): (Finder | undefined)[] {
  // Turns that report what memory did would feed it with itself; instructions of a program are nobody's words.
  return turns.map((turn, at) =>
    turn.flag !== undefined || turn.role === 'system' || turn.role === 'tool'
      ? undefined
      : findingsIn(turn, settingOf(turn, turns[at - 1]), isSeen, timeZone),
  );
}

function itemsOf(
  { turns }: Transcript,
  found: readonly (readonly Finding[])[],
  { owner, timeZone, minConfidence = 0, maxItems = 200 }: ExtractionContext,
  isSeen: boolean,
): ExtractedItem[] {
  const items: ExtractedItem[] = [];
  const seen = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1];
    const place: Place = {
      turn,
      number: index + 1,
      speaker: speakerOf(turn, owner),
      timeZone,
      isAnswer: before !== undefined && asks(before.text),
      leastStanding: thresholds(isSeen).standing!,
    };
    const repeats = turn.role === 'agent' && before !== undefined ? repetitionOf(before.text) : () => false;
    for (const finding of found[index] ?? []) {
      const words = normaliseForHash(finding.content);
      if (words === '' || seen.has(words) || finding.confidence < minConfidence) continue;
      if (finding.priority === undefined && repeats(finding.content)) continue;
      seen.add(words);
      items.push(itemOf(finding, place));
    }
  }
  if (items.length <= maxItems) return items;
  const surest = new Set(
    items
      .map((item, order) => ({ item, order }))
      .sort((one, other) => other.item.confidence - one.item.confidence || one.order - other.order)
      .slice(0, maxItems)
      .map(({ item }) => item),
  );
  return items.filter((item) => surest.has(item));
}

/** Reads a transcript with scores that are waited for: those that all turns ask for next are asked for together. */
async function readAside(
  transcript: Transcript,
  context: ExtractionContext,
  isSeen: boolean,
  score: (asked: readonly Asked[]) => Promise<readonly Scores[]>,
): Promise<ExtractedItem[]> {
  const rest = takeTurns();
  const found: (readonly Finding[])[] = [];
  let open: { readonly at: number; readonly finder: Finder; readonly asked: readonly Asked[] }[] = [];
  const step = async (at: number, finder: Finder, scores: readonly Scores[]): Promise<typeof open> => {
    const { done, value } = finder.next(scores);
    await rest();
    context.signal?.throwIfAborted();
    if (done !== true) return [{ at, finder, asked: value }];
    found[at] = value;
    return [];
  };
  for (const [at, finder] of findersOf(transcript, isSeen, context).entries())
    if (finder !== undefined) open.push(...(await step(at, finder, [])));
  while (open.length > 0) {
    const scores = await score(open.flatMap(({ asked }) => asked));
    const next: typeof open = [];
    let from = 0;
    for (const { at, finder, asked } of open) {
      next.push(...(await step(at, finder, scores.slice(from, from + asked.length))));
      from += asked.length;
    }
    open = next;
  }
  return itemsOf(transcript, found, context, isSeen);
}

/**
 * Finds what is worth keeping without a language model. Trained scorers say what a turn is worth, what kind of thing it tells, and whether that
 * holds until it is taken back.
 *
 * A turn that is worth less than `keep` is kept as of little importance, one below `low` stays in raw/ alone. Each item is one or more whole
 * sentences of a turn as they were said. A short turn is kept whole, of a longer one the best; what opens with a pronoun has the sentence
 * before it. Its subject is who says it; it has no statement and no attribute. A label ("Decision: …") decides the category, and a list of
 * steps is one item. Quotations and code are left out. Lines such as `- [P0] …` are always taken (Priority Extracts, spec 3 layer 1).
 */
export const ruleExtractor = {
  name: 'rules',
  version: '9',
  extract(transcript: Transcript, context: ExtractionContext): ExtractedItem[] {
    const found = findersOf(transcript, false, context).map((finder) => {
      if (finder === undefined) return [];
      let step = finder.next([]);
      while (step.done !== true) step = finder.next(step.value.map(({ text, setting }) => scoresOf(text, setting)));
      return step.value;
    });
    return itemsOf(transcript, found, context, false);
  },
} satisfies Extractor;

/** Scores texts one by one, and lets others in between: a turn may be a log of a megabyte. */
async function scoredPatiently(
  asked: readonly Asked[],
  signal: AbortSignal | undefined,
  seen: readonly ArrayLike<number>[] = [],
): Promise<readonly Scores[]> {
  const rest = takeTurns();
  const scores: Scores[] = [];
  for (const [at, { text, setting }] of asked.entries()) {
    scores.push(scoresOf(text, setting, seen[at]));
    await rest();
    signal?.throwIfAborted();
  }
  return scores;
}

/** Reads the same, and lets others in between. */
export const patientRules = {
  ...ruleExtractor,
  extract: (transcript: Transcript, context: ExtractionContext): Promise<ExtractedItem[]> =>
    readAside(transcript, context, false, (asked) => scoredPatiently(asked, context.signal)),
} satisfies Extractor;

/** Reads with a scorer of turns beside the scorers of words, patiently too. Its version names the scorer. Throws as it does. */
export const rulesWith = (scorer: TurnScorer): Extractor => ({
  ...ruleExtractor,
  version: `${ruleExtractor.version}+${scorer.fingerprint}`,
  extract: (transcript, context) =>
    readAside(transcript, context, true, async (asked) => {
      const texts = asked.map(({ text, setting: { role, before } }) => ({ text, ...defined({ role, before }) }));
      const seen = await scorer.score(texts, defined({ signal: context.signal }));
      return scoredPatiently(asked, context.signal, seen);
    }),
});
