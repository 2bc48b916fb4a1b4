// The built-in extractor: sentence by sentence, by rule, without a model. The rules themselves are in rules/, by subject.

import { normaliseForHash } from '../base/text.ts';
import { tokensOf } from '../base/tokenizer.ts';
import type { MemoryCategory, Transcript, Turn } from '../records/types.ts';
import { dueOf } from './due.ts';
import type { ExtractedItem, ExtractionContext, Extractor } from './extractor.ts';
import { namesIn } from './names.ts';
import { commitmentRules } from './rules/commitments.ts';
import { correctionRules } from './rules/corrections.ts';
import { decisionRules } from './rules/decisions.ts';
import { eventRules } from './rules/events.ts';
import { factRules } from './rules/facts.ts';
import { peopleRules } from './rules/people.ts';
import { preferenceRules } from './rules/preferences.ts';
import { principleRules } from './rules/principles.ts';
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
  ...eventRules,
  ...factRules,
];

const minSentenceLength = 12;
const maxWords = 70;
const doubt =
  /\b(?:i (?:think|guess|believe|suppose|assume|feel like)|we (?:think|believe|guess)|seems?|apparently|probably|looks like|kind of|sort of|it appears)\b/i;
/** Half a tier: what somebody only thinks is implied at best. */
const doubtPenalty = 0.2;

interface Finding {
  readonly category: MemoryCategory;
  readonly confidence: number;
  readonly tags: readonly string[];
}

function fits(rule: Rule, text: string, turn: Turn, day: string | undefined, asks: boolean): Finding | undefined {
  if (asks && rule.mayAsk !== true) return undefined;
  if (rule.role !== undefined && rule.role !== turn.role) return undefined;
  if (rule.personOnly === true && turn.role === 'agent' && turn.speaker === undefined) return undefined;
  if (rule.needsDay === true && day === undefined) return undefined;
  const match = rule.pattern.exec(text);
  if (match === null || rule.unless?.test(text) === true) return undefined;
  const lead = text.slice(0, match.index);
  if (rule.mayBeSupposed !== true && isSupposed(lead)) return undefined;
  // Inside quotation marks somebody else speaks.
  if ((lead.match(/["“”]/g)?.length ?? 0) % 2 === 1) return undefined;
  const isDoubtful = doubt.test(lead) && rule.category !== 'preference';
  return {
    category: rule.category,
    confidence: isDoubtful ? rule.confidence - doubtPenalty : rule.confidence,
    tags: rule.tags ?? [],
  };
}

function findingOf(text: string, turn: Turn, day: string | undefined): Finding | undefined {
  const asks = isQuestion(text);
  let terms: number | undefined;
  for (const rule of rules) {
    const finding = fits(rule, text, turn, day, asks);
    if (finding === undefined) continue;
    terms ??= new Set(tokensOf(text)).size;
    if (terms >= (rule.minTerms ?? 3)) return finding;
  }
  return undefined;
}

const hashtag = /(?<![\p{L}\p{N}_/#&])#(\p{L}[\p{L}\p{N}_-]{1,40})/gu;

/** Rules are written with straight apostrophes. */
const straight = (text: string): string => text.replace(/[‘’ʼ]/g, "'");

function itemOf(sentence: Sentence, turn: Turn, number: number, context: ExtractionContext): ExtractedItem | undefined {
  const { text, priority } = sentence;
  const day = dueOf(text, turn.time, context.timeZone);
  let finding: Finding | undefined;
  if (priority === undefined) {
    if (text.length < minSentenceLength || text.split(' ').length > maxWords) return undefined;
    if (isFragment(text)) return undefined;
    finding = findingOf(straight(text), turn, day);
  } else {
    // Somebody marked it as worth keeping; the rules only say what kind of thing it is.
    finding = { category: 'fact', tags: [], ...findingOf(straight(text), turn, day), confidence: 0.98 };
  }
  if (finding === undefined || finding.confidence < (context.minConfidence ?? 0.4)) return undefined;
  const isPersonal = /\b(?:I|[Mm]y|[Mm]e)\b/.test(text);
  const due = finding.category === 'commitment' || priority !== undefined ? day : undefined;
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

function extract(transcript: Transcript, context: ExtractionContext): ExtractedItem[] {
  const items: ExtractedItem[] = [];
  const seen = new Set<string>();
  for (const [index, turn] of transcript.turns.entries()) {
    // Turns that report what memory did would feed it with itself; instructions of a program are nobody's words.
    if (turn.flag !== undefined || turn.role === 'system' || turn.role === 'tool') continue;
    for (const sentence of sentencesOf(turn.text)) {
      const item = itemOf(sentence, turn, index + 1, context);
      if (item === undefined) continue;
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
 * as it was said but for filler words at its start. Questions, suppositions, quotations, code and tool lines are left out, for a wrong memory
 * costs more than a missing one. Lines such as `- [P0] …` are always taken (Priority Extracts, spec 3 layer 1).
 */
export const ruleExtractor = { name: 'rules', version: '1', extract } satisfies Extractor;
