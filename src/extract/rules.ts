// The built-in extractor: sentence by sentence, by rule, without a model. The rules themselves are in rules/, by subject.

import { normaliseForHash } from '../base/text.ts';
import { tokensOf } from '../base/tokenizer.ts';
import type { MemoryCategory, Transcript, Turn } from '../records/types.ts';
import { dueOf } from './due.ts';
import type { ExtractedItem, ExtractionContext, Extractor } from './extractor.ts';
import { type Labelled, labelledOf } from './labels.ts';
import { namesIn } from './names.ts';
import { commitmentRules } from './rules/commitments.ts';
import { correctionRules } from './rules/corrections.ts';
import { decisionRules } from './rules/decisions.ts';
import { eventRules } from './rules/events.ts';
import { factRules } from './rules/facts.ts';
import { peopleRules } from './rules/people.ts';
import { preferenceRules } from './rules/preferences.ts';
import { principleRules } from './rules/principles.ts';
import { inlineProceduresIn, procedureRules, proceduresIn } from './rules/procedures.ts';
import type { Rule } from './rules/rule.ts';
import { isFragment, isQuestion, isSupposed, type Sentence, sentencesOf } from './sentences.ts';

/** Tried in this order, which is the priority of the categories in spec 4: the first that fits names the item. */
const rules: readonly Rule[] = [
  ...correctionRules,
  ...principleRules,
  ...preferenceRules,
  ...commitmentRules,
  ...decisionRules,
  ...peopleRules,
  ...procedureRules,
  ...eventRules,
  ...factRules,
];

const minSentenceLength = 12;
const maxWords = 70;
const doubt =
  /\b(?:i (?:think|guess|believe|suppose|assume|feel like)|we (?:think|believe|guess)|seems?|apparently|probably|looks like|kind of|sort of|it appears)\b/i;
/** Half a tier: what somebody only thinks is implied at best. */
const doubtPenalty = 0.2;
const doubtedRule = 0.8;

/** As sure as anything: somebody wrote down what kind of thing it is. */
const labelConfidence = 0.97;
const minLabelledTerms = 2;
/** "Decision: pending." */
const nothingYet = /^(?:none|open|still open|pending|tbd|not yet|to be \w+|n\/a)\b.{0,12}$/i;

interface Finding {
  readonly category: MemoryCategory;
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly day: string | undefined;
}

/** The day that a text names, counted from when it was said. */
type DayIn = (text: string) => string | undefined;

/** What a rule may ask about where a sentence stands. */
interface Place {
  readonly turn: Turn;
  readonly dayIn: DayIn;
  /** It opens a turn that follows a question. */
  readonly isAnswer: boolean;
}

function fits(rule: Rule, text: string, { turn, dayIn, isAnswer }: Place, asks: boolean): Finding | undefined {
  if (asks && rule.mayAsk !== true) return undefined;
  if (isAnswer && rule.isNoAnswer === true) return undefined;
  if (rule.role !== undefined && rule.role !== turn.role) return undefined;
  if (rule.personOnly === true && turn.role === 'agent' && turn.speaker === undefined) return undefined;
  const match = rule.pattern.exec(text);
  if (match === null || rule.unless?.test(text) === true) return undefined;
  const lead = text.slice(0, match.index);
  if (rule.mayBeSupposed !== true && isSupposed(lead)) return undefined;
  // Inside quotation marks somebody else speaks.
  if ((lead.match(/["“”]/g)?.length ?? 0) % 2 === 1) return undefined;
  const due = match.groups?.due;
  const day = due === undefined ? dayIn(text) : dayIn(due);
  if (rule.needsDay === true && day === undefined) return undefined;
  const isDoubtful = doubt.test(lead) && rule.category !== 'preference';
  // Two doubts are too many: about what was meant, and whether it is so. Nobody is held to what he thinks he will do.
  if (isDoubtful && (rule.confidence <= doubtedRule || rule.category === 'commitment')) return undefined;
  return {
    category: rule.category,
    confidence: isDoubtful ? rule.confidence - doubtPenalty : rule.confidence,
    tags: rule.tags ?? [],
    day,
  };
}

function findingOf(text: string, place: Place): Finding | undefined {
  const asks = isQuestion(text);
  let terms: number | undefined;
  for (const rule of rules) {
    const finding = fits(rule, text, place, asks);
    if (finding === undefined) continue;
    terms ??= new Set(tokensOf(text)).size;
    if (terms >= (rule.minTerms ?? 3)) return finding;
  }
  return undefined;
}

function labelledFinding({ category, tags, words }: Labelled, dayIn: DayIn): Finding | undefined {
  if (isQuestion(words) || nothingYet.test(words)) return undefined;
  if (new Set(tokensOf(words)).size < minLabelledTerms) return undefined;
  return { category, confidence: labelConfidence, tags, day: dayIn(words) };
}

const hashtag = /(?<![\p{L}\p{N}_/#&])#(\p{L}[\p{L}\p{N}_-]{1,40})/gu;

/** Rules are written with straight apostrophes. */
const straight = (text: string): string => text.replace(/[‘’ʼ]/g, "'");

function itemOf(
  sentence: Sentence,
  turn: Turn,
  number: number,
  isAnswer: boolean,
  context: ExtractionContext,
): ExtractedItem | undefined {
  const { priority } = sentence;
  if (priority === undefined) {
    if (sentence.text.length < minSentenceLength || sentence.text.split(' ').length > maxWords) return undefined;
    if (isFragment(sentence.text)) return undefined;
  }
  const dayIn: DayIn = (words) => dueOf(words, turn.time, context.timeZone);
  const label = labelledOf(sentence.text);
  const text = label?.words ?? sentence.text;
  let finding =
    label === undefined ? findingOf(straight(text), { turn, dayIn, isAnswer }) : labelledFinding(label, dayIn);
  if (priority !== undefined) {
    // Somebody marked it as worth keeping; the rules only say what kind of thing it is.
    finding = { category: 'fact', tags: [], day: dayIn(text), ...finding, confidence: 0.98 };
  }
  if (finding === undefined || finding.confidence < (context.minConfidence ?? 0.4)) return undefined;
  const isPersonal = /\b(?:I|[Mm]y|[Mm]e)\b/.test(text);
  const due = finding.category === 'commitment' || priority !== undefined ? finding.day : undefined;
  return {
    category: finding.category,
    content: text,
    confidence: Math.round(finding.confidence * 100) / 100,
    turns: [number],
    role: turn.role,
    // "I" of a sentence is known only from who said it.
    entities: [
      ...new Set([...(isPersonal && turn.speaker !== undefined ? [turn.speaker] : []), ...namesIn(text)]),
    ].slice(0, 8),
    tags: [
      ...new Set([
        ...finding.tags,
        ...(priority === undefined ? [] : [priority]),
        ...(due === undefined ? [] : ['deadline']),
        ...[...text.matchAll(hashtag)].map((match) => match[1]!.toLowerCase()),
      ]),
    ],
    ...(due === undefined ? {} : { due }),
    ...(priority === undefined ? {} : { priority }),
  };
}

const isOfPerson = ({ role, speaker }: Turn): boolean => role !== 'agent' || speaker !== undefined;

/** Lists of steps that a person wrote; a program's are general advice. */
function stepsIn(turn: Turn, number: number): ExtractedItem[] {
  if (!isOfPerson(turn)) return [];
  const inline = inlineProceduresIn(turn.text).map(({ words }) => words);
  return [...proceduresIn(turn.text), ...inline].map((content) => ({
    category: 'fact',
    content,
    confidence: 0.85,
    turns: [number],
    role: turn.role,
    entities: namesIn(content),
    tags: ['procedure'],
  }));
}

function extract(transcript: Transcript, context: ExtractionContext): ExtractedItem[] {
  const items: ExtractedItem[] = [];
  const seen = new Set<string>();
  for (const [index, turn] of transcript.turns.entries()) {
    // Turns that report what memory did would feed it with itself; instructions of a program are nobody's words.
    if (turn.flag !== undefined || turn.role === 'system' || turn.role === 'tool') continue;
    const isAnswer = /\?["”'’)\s]*$/.test(transcript.turns[index - 1]?.text ?? '');
    const found = stepsIn(turn, index + 1);
    const spans = isOfPerson(turn) ? inlineProceduresIn(turn.text).map(({ span }) => normaliseForHash(span)) : [];
    for (const [place, sentence] of sentencesOf(turn.text).entries()) {
      const words = normaliseForHash(sentence.text);
      if (sentence.priority === undefined && spans.some((span) => span.includes(words))) continue;
      const item = itemOf(sentence, turn, index + 1, isAnswer && place === 0, context);
      if (item !== undefined) found.push(item);
    }
    for (const item of found) {
      const words = normaliseForHash(item.content);
      if (words === '' || seen.has(words)) continue;
      seen.add(words);
      items.push(item);
    }
  }
  const { maxItems = 200 } = context;
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

/**
 * Finds decisions, commitments, preferences, corrections, principles, facts, people and events by rule.
 *
 * Works on single sentences of English prose; takes time in proportion to the text. Each item is a sentence of one turn,
 * as it was said but for filler words and labels ("Decision: …") at its start; a label decides the category. A list of steps is one item, and so are steps told in a row.
 * Questions, suppositions, quotations, code and tool lines are left out, for a wrong memory costs more than a missing one. Lines such as `- [P0] …` are always taken (Priority Extracts, spec 3 layer 1).
 */
export const ruleExtractor = { name: 'rules', version: '3', extract } satisfies Extractor;
