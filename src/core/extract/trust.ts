// Whose words an item rests on, and what they may become. Text from tools, pages and quotations is data: it may tell what is, and never
// what to do. What an extractor claims about its sources counts for nothing; the transcript says who spoke.

import { defined } from '../../base/errors.ts';
import { fenceReader } from '../../base/fenced-blocks.ts';
import * as words from '../../base/generated/words.ts';
import { mailIn, quotationsIn } from '../../base/quotations.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { MemoryCategory, MemoryRecord, Transcript, Turn } from '../../base/types/stored-types.ts';
import { anyOf, listed, oneOf } from '../../base/words.ts';
import { type Category, categories, scoresOf, type TextKind } from '../../language/index.ts';
import { untrustedTag } from '../lifecycle/quoted.ts';
import type { ExtractedItem, TrustLevel } from './extractor.ts';
import { labelledOf } from './labels.ts';

/** What memory.yaml says about trust. */
export interface TrustPolicy {
  /** Channels whose captures are of low trust, in lower case. */
  readonly lowChannels: readonly string[];
}

/** What memory.yaml says unless it says something else. */
export const defaultTrust: TrustPolicy = { lowChannels: ['web', 'feed'] };

/** No item is surer than this, by who said it. */
const mostConfidence: Readonly<Record<TrustLevel, number>> = { person: 1, agent: 0.9, outside: 0.5 };

const outsideRoles = /^(?:tool|function|web|page|search|browser|document|file|retriev\w*|api|plugin|mcp|observation)$/i;
const outsideFlags = /^(?:tool|web|page|document|file|import(?:ed)?|quote[ds]?|external|untrusted|retrieved)\b/i;

/** What words from outside may become: what there is, who belongs to whom, what happened. */
const tellable: ReadonlySet<MemoryCategory> = new Set<MemoryCategory>(['fact', 'entity', 'relationship', 'moment']);

/** Wording that tells somebody what to do, or what is wanted: an instruction is one under any category. */
const instructing = anyOf(words.instructing);
/** A page that says "we", "you" or "the user" speaks to somebody; what it tells of the world needs no such word. */
const addressing = anyOf(words.addressing);
const imperative = new RegExp(`^[-*•\\d.)\\s]*${oneOf(listed(words.imperatives))}\\b`, 'i');

/** Tells whether a sentence says what to do, rather than what is. English; a doubt counts as an instruction. */
export const isInstruction = (content: string): boolean =>
  instructing.test(content) || addressing.test(content) || imperative.test(content);

/** What somebody wants of others is his to say: an agent that reports it without him has it from anywhere. */
const wishes: ReadonlySet<MemoryCategory> = new Set<MemoryCategory>(['preference', 'principle']);

/** Words that speak to a program and not of the subject: tags of importance and of never forgetting are a person's to give. */
const reservedTags =
  /^(?:p[0-3]|important|critical|urgent|security|identity|budget|legal|health|principle|policy|rule|preference|decision|pinned?)$/i;

/** Tells whether a turn is nobody's words: what memory said of itself would feed it with itself, and programs are instructed by programs. */
export const isUnheard = ({ role, flag }: Pick<Turn, 'role' | 'flag'>): boolean =>
  role === 'system' || role === 'developer' || flag === 'memory';

/** Tells how far the speaker of a turn is believed, quotations apart. */
export function trustOfTurn(transcript: Transcript, turn: Turn, policy: TrustPolicy = defaultTrust): TrustLevel {
  if (isLowTrust(transcript, policy) || outsideRoles.test(turn.role)) return 'outside';
  if (turn.flag !== undefined && outsideFlags.test(turn.flag)) return 'outside';
  return turn.role === 'agent' || turn.role === 'assistant' ? 'agent' : 'person';
}

/** Tells whether a capture as a whole is of low trust: it says so itself, or its channel does. */
export const isLowTrust = ({ trust, channel }: Pick<Transcript, 'trust' | 'channel'>, policy: TrustPolicy): boolean =>
  trust === 'low' || (channel !== undefined && policy.lowChannels.includes(channel.toLowerCase()));

/**
 * Cuts a turn into what its speaker says himself and what he quotes: tool lines, quotations, code, pasted mails. Of a quotation in his own
 * sentence its marks stay with him: `He said "…" and left.`
 */
export function partsOf(text: string): { readonly own: string; readonly quoted: string } {
  const own: string[] = [];
  const quoted: string[] = [];
  const mail = mailIn(text);
  let from = 0;
  let said = '';
  for (const { start, end } of quotationsIn(mail === -1 ? text : text.slice(0, mail))) {
    said += `${text.slice(from, start + 1)}…`;
    quoted.push(text.slice(start + 1, end - 1));
    from = end - 1;
  }
  said += text.slice(from, mail === -1 ? undefined : mail);
  const placeOf = fenceReader();
  for (const line of said.split('\n')) {
    if (placeOf(line) !== null) quoted.push(line);
    else if (/^\s{0,3}>/.test(line)) quoted.push(line.replace(/^\s*>\s?/, ''));
    else own.push(line);
  }
  if (mail !== -1) quoted.push(text.slice(mail));
  return { own: own.join('\n').trim(), quoted: quoted.join('\n').trim() };
}

/** From this share on the words around a quotation say what it is to their speaker. */
const ofFrame = 0.5;
/** What only the words around a quotation can make a speaker's own, by what the scorers call such words. */
const framed: Readonly<Partial<Record<MemoryCategory, readonly Category[]>>> = {
  preference: ['preference'],
  decision: ['decision', 'commitment'],
  commitment: ['decision', 'commitment'],
};

/**
 * Tells whether words that quote are their speaker's own wish, rule, decision or promise. A label or his own words around the quotation say so:
 * "We decided: “…”", and not "The landlord wrote: “…”". What quotes nothing is his own.
 */
export function isOwn(content: string, category: MemoryCategory): boolean {
  const { own, quoted } = partsOf(content);
  if (quoted === '' || tellable.has(category) || labelledOf(own)?.category === category) return true;
  const { shares } = scoresOf(own);
  return (framed[category] ?? []).reduce((sum, one) => sum + shares[categories.indexOf(one)]!, 0) >= ofFrame;
}

/** The words of what a speaker says himself, and of what he quotes. */
interface SaidWords {
  readonly own: ReadonlySet<string>;
  readonly quoted: ReadonlySet<string>;
}

/** Makes what tells whether an item rests on what its turn quotes: more of its words stand there than in what the speaker says himself. */
function quotations(): (content: string, turn: Turn) => boolean {
  // All items of a turn ask, and it may be long.
  const known = new Map<Turn, SaidWords | null>();
  const wordsOf = ({ text }: Turn): SaidWords | null => {
    const { own, quoted } = partsOf(text);
    if (quoted === '') return null;
    return { own: new Set(tokensOf(own)), quoted: new Set(tokensOf(quoted)) };
  };
  return (content, turn) => {
    const said = known.has(turn) ? known.get(turn)! : wordsOf(turn);
    known.set(turn, said);
    if (said === null) return false;
    const words = [...new Set(tokensOf(content))];
    const shareIn = (there: ReadonlySet<string>): number => words.filter((word) => there.has(word)).length;
    return shareIn(said.quoted) > shareIn(said.own);
  };
}

/** Tells how far a turn is believed that says some words again: what it quotes or hands on is not its speaker's. */
export function trustOfWords(
  transcript: Transcript,
  turn: Turn,
  words: string,
  policy: TrustPolicy = defaultTrust,
): TrustLevel {
  const trust = trustOfTurn(transcript, turn, policy);
  return isUnheard(turn) || isHandedOn(turn, trust) || quotations()(words, turn) ? 'outside' : trust;
}

/** What became of the items of one conversation. */
export interface Admission {
  readonly items: readonly ExtractedItem[];
  readonly dropped: readonly { readonly content: string; readonly why: string }[];
}

/**
 * Lets in what an extractor found, as far as those who said it are believed.
 *
 * - an item whose main turn does not exist, or is nobody's words, is dropped; other turns like that are left out
 * - who spoke is read off the transcript, and no item is surer than {@link mostConfidence} of that level
 * - words from outside become facts, entities, relationships and moments only, and none of them if it reads as an instruction. They give no
 *   priority, no due day and no tag of importance
 * - so do words that a speaker quotes: what would be his wish, rule, decision or promise is a fact. Orders stay with their quotation marks alone
 * - an agent tells preferences and principles only together with a turn of a person
 */
export function admit(
  items: readonly ExtractedItem[],
  transcript: Transcript,
  policy: TrustPolicy = defaultTrust,
): Admission {
  const admitted: ExtractedItem[] = [];
  const dropped: { content: string; why: string }[] = [];
  const isQuoted = quotations();
  /** Lets an item in, or tells why not. */
  const take = (item: ExtractedItem): string | undefined => {
    const [main, ...others] = item.turns;
    const turn = main === undefined ? undefined : transcript.turns[main - 1];
    if (turn === undefined) return `the conversation has no turn ${main}`;
    if (isUnheard(turn))
      return `turn ${main} is ${turn.flag === 'memory' ? 'what memory said of itself' : 'an instruction of a program'}`;
    const heard = others.filter((number) => {
      const other = transcript.turns[number - 1];
      return other !== undefined && !isUnheard(other);
    });
    const spoken = trustOfTurn(transcript, turn, policy);
    const isShown = partsOf(item.content).quoted !== '';
    const isWithin = isQuoted(item.content, turn);
    const isQuotation = isOthers(item, turn, { spoken, isShown, isQuoted: isWithin });
    const trust = isQuotation ? 'outside' : spoken;
    const { priority, due, replaces, doubts, statement, standingConfidence, ...rest } = item;
    // What a speaker only hands on ends nothing: at most somebody is asked.
    const own = isHandedOn(turn, trust) ? { doubts: [...(replaces ?? []), ...(doubts ?? [])] } : { doubts };
    const changes = {
      ...(replaces === undefined ? {} : { replaces: isHandedOn(turn, trust) ? [] : replaces }),
      ...defined(own),
    };
    const judged: ExtractedItem = {
      ...rest,
      ...defined({ statement: isQuotation && isInstruction(statement ?? '') ? undefined : statement }),
      category: isQuotation && spoken !== 'outside' && !tellable.has(item.category) ? 'fact' : item.category,
      turns: [main!, ...heard],
      role: isQuotation && !outsideRoles.test(turn.role) ? 'quoted' : turn.role,
      trust,
      confidence: Number.isFinite(item.confidence) ? Math.min(item.confidence, mostConfidence[trust]) : item.confidence,
    };
    if (trust === 'agent' && wishes.has(item.category) && turn.speaker === undefined) {
      if (!isBacked(heard, transcript, policy)) return `an agent alone tells no ${item.category}`;
    }
    if (trust !== 'outside') {
      const isRule = standingConfidence !== undefined && trust === 'person' && mayRule(turn);
      const given = { priority, due, standingConfidence: isRule ? standingConfidence : undefined };
      admitted.push({ ...judged, ...changes, ...defined(given) });
      return undefined;
    }
    if (!tellable.has(judged.category)) return `words from outside become no ${item.category}`;
    const isHeard = spoken === 'outside' || (isWithin && !isShown);
    if (isHeard && (isInstruction(item.content) || isInstruction(statement ?? '')))
      return 'words from outside that tell what to do are not kept';
    const tags = item.tags.filter((tag) => !reservedTags.test(tag) && tag !== 'deadline');
    const { isStanding: _, ...told } = judged;
    admitted.push({ ...told, tags: [...tags, untrustedTag], ...(replaces === undefined ? {} : { replaces: [] }) });
    return undefined;
  };
  for (const item of items) {
    const why = take(item);
    if (why !== undefined) dropped.push({ content: item.content, why });
  }
  return { items: admitted, dropped };
}

/**
 * Tells whether an item of a person or an agent says what somebody else does. It quotes, or is a wish, rule, decision or promise of a turn that
 * surely was handed on. A label or a priority in it is the speaker's.
 */
function isOthers(
  { content, category, priority }: ExtractedItem,
  turn: Turn,
  { spoken, isShown, isQuoted }: { readonly spoken: TrustLevel; readonly isShown: boolean; readonly isQuoted: boolean },
): boolean {
  if (isShown) return priority === undefined && (tellable.has(category) ? isQuoted : !isOwn(content, category));
  const isGiven = priority !== undefined || tellable.has(category) || labelledOf(content)?.category === category;
  return isQuoted || (spoken === 'person' && !isGiven && isHandedOn(turn, spoken));
}

/** Kinds of text that are not said but handed on, by the scorers of language/. */
const handedOn: ReadonlySet<TextKind> = new Set(['pasted', 'program', 'quoted']);

/** From this probability on: of 487 turns of six writers that change something, 2 look handed on, and 104 of 114 that are. */
const surelyHandedOn = 0.6;

/** Tells whether a turn hands on what somebody or something else says, so that nothing ends by it. */
function isHandedOn({ text, role }: Turn, trust: TrustLevel): boolean {
  if (trust === 'outside') return true;
  // A block of code below what somebody says is not how he says it.
  const { kind, kindProbability } = scoresOf(partsOf(text).own || text, { role });
  return handedOn.has(kind) && kindProbability >= surelyHandedOn;
}

/** Tells whether what a turn says may hold as a rule of its speaker: he neither hands it on nor quotes it. */
export const mayRule = (turn: Turn): boolean =>
  !isHandedOn(turn, 'person') && (isOwn(turn.text, 'principle') || isOwn(turn.text, 'preference'));

/** Whether one of some turns is a person's. */
const isBacked = (turns: readonly number[], transcript: Transcript, policy: TrustPolicy): boolean =>
  turns.some((number) => trustOfTurn(transcript, transcript.turns[number - 1]!, policy) === 'person');

const ranks: Readonly<Record<TrustLevel, number>> = { person: 2, agent: 1, outside: 0 };

/** Tells how far the words of a record are believed, by the best of its sources; what was kept by hand is a person's. */
export function trustOfRecord({ sources = [], meta }: Pick<MemoryRecord, 'sources' | 'meta'>): TrustLevel {
  if (meta.tags.includes(untrustedTag)) return 'outside';
  const levels = sources.map(({ role = 'user' }): TrustLevel => {
    if (role === 'quoted' || outsideRoles.test(role)) return 'outside';
    return role === 'agent' || role === 'assistant' ? 'agent' : 'person';
  });
  return levels.sort((a, b) => ranks[b] - ranks[a])[0] ?? 'person';
}

/** Tells whether words of one level may touch what words of another level say: confirm it, add to it, take it back. */
export const mayTouch = (trust: TrustLevel, other: TrustLevel): boolean =>
  trust !== 'outside' && ranks[trust] >= ranks[other];
