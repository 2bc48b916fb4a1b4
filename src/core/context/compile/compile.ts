// The context compiler (spec 5 §6): from a message, the session so far, active topics and a state to one text within a budget.
// Pure: what it is given decides every byte. Where the parts come from is the concern of core/handed/context.ts.
// A new part needs its slot in base/types/compiled-types.ts, its tag in data-text.ts, and a place in `counted` of core/write/compiled-use.ts where
// being shown is a use. What always stands is chosen in core/recall/standing.ts.

import { weekdays } from '../../../base/calendar.ts';
import { count } from '../../../base/count.ts';
import { MemoryError } from '../../../base/errors.ts';
import { normaliseForHash, upperFirst } from '../../../base/text.ts';
import type { ContextResult, ContextTurn } from '../../../base/types/compiled-types.ts';
import type { ActiveTopic, Correction } from '../../../base/types/context-types.ts';
import type { JudgedHit, SearchDocument } from '../../../search/index.ts';
import type { Configuration } from '../../../store/records/configuration.ts';
import { coreMemoryPath } from '../../../store/records/kind.ts';
import { asContent } from './data-text.ts';
import type { Meter } from './meter.ts';
import type { EndingStyle, ShownFiles } from './outdated.ts';
import { Part, type Piece, slotOf, textOf, wrapperTokens } from './part.ts';
import { addKnowledge, addLatest, type Spoken } from './recalled-part.ts';
import { changedPieces, type Earlier, leaveHanded, type Now } from './since.ts';
import { activeProjectsKb, activeProjectsPath, addFile, addJournal, identityPieces } from './standing.ts';
import { type FindsLater, type StandingClaim, standingPieces, standingRoom, withLater } from './standing-claims.ts';
import { type Origins, Told } from './told.ts';
import { addHints, addTopics, byUrgency, inText } from './topics-part.ts';
import { windowOf } from './window.ts';

/** Everything that a compiled text depends on. */
export interface CompileInput {
  readonly snapshot: ShownFiles;
  /** Yesterday and today, in the time zone of the memory. */
  readonly days: readonly [yesterday: string, today: string];
  readonly message: string;
  readonly turns: readonly ContextTurn[];
  /** The transcript that the turns are from, if they are. */
  readonly sessionPath?: string;
  readonly topics: readonly ActiveTopic[];
  readonly corrections: readonly Correction[];
  /** Names a memory so that no other of the view has the same beginning. */
  handleOf(id: string): string;
  readonly origins: Origins;
  /** Gives the text of a file as it was written, without the marks of what is over; null where it cannot be read. */
  textOf(path: string): string | null;
  /** What holds whatever is asked. */
  readonly standing: readonly StandingClaim[];
  /** Finds what was said after each of them and is near it. */
  readonly laterOf: FindsLater;
  readonly isMain: boolean;
  readonly system: string;
  readonly budget: number;
  readonly settings: Configuration['context'];
  /** Whether memories are shown by their gists. */
  readonly gistFirst: boolean;
  readonly meter: Meter;
  /** Finds what fits the message, best first, with what of it ended, so many at most; and says whether that probably answers nothing. */
  find(limit: number): { readonly hits: readonly JudgedHit[]; readonly probablyNothing: boolean };
  /** Whether the message asks something. */
  readonly asks: boolean;
  /** Lists what was said last, the newest first. */
  latest(limit: number): readonly JudgedHit[];
  readonly style: EndingStyle;
  readonly spoken: Spoken;
  /** Lists all turns, where they have no more than so many words; undefined where they have more. */
  allTurns(mostWords: number): readonly SearchDocument[] | undefined;
  /** The terms of what {@link find} looks for. */
  readonly terms: readonly string[];
  /** What the agent was handed already, which is left out, and how that is now. */
  readonly since?: { readonly earlier: Earlier; readonly now: Now };
}

export type Compiled = Pick<
  ContextResult,
  'text' | 'tokens' | 'budget' | 'counted' | 'slots' | 'window' | 'activeTopics'
>;

/** Four bytes to a token, as the spec counts: 32 KB are 8,192 tokens. */
const tokensOfKb = (kb: number): number => Math.floor(kb * 256);
/** Slots have the sizes of the configuration in a context of this many tokens, and less in a smaller one. */
const fullSize = 8192;
/** P1 and P2 leave at least half of what they find to what comes after them. */
const leaveHalf = 0.5;
/** In a session topics and knowledge together leave this share of what remains to its turns. */
const shareOfTurns = 0.4;
/** In a session what is found for the message has this share of the whole at most. */
const shareOfKnowledge = 0.1;
/** Turns leave the window in chunks of this share of it. */
const chunk = 0.25;
/** What is found with this score or less is left out. */
const leastScore = 0.05;
/** Where nothing has the words of a question, so many hits that were said last stand there. */
const mostLatest = 16;
/** What was said is handed whole where it takes no more than this share of the budget. */
const fewShare = 1 / 3;
const noHits = { hits: [], probablyNothing: false } as const;
/** Room for less than one hit is none. */
const leastHit = 8;
/** What a hit costs, rather less than more: so many are asked for first, and more when they did not fill the room. */
const usualHit = 24;

/**
 * Compiles a context.
 *
 * ```
 * text     system, identity │ what changed, standing claims, memory, journal, projects │ session │ topics, files │ knowledge │ hints │ message
 * given    P0, message; P1; P2; P3 within its share; P4 what is left
 * ```
 *
 * What changes least stands first. Throws INVALID_ARGUMENT when the budget is smaller than system prompt, identity and message.
 */
export function compile(input: CompileInput): Compiled {
  const { snapshot, meter, budget, settings, turns, since } = input;
  const part = {
    system: new Part('system', 0, null),
    identity: new Part('identity', 0, 'identity'),
    changed: new Part('changed', 1, 'memory'),
    standing: new Part('standing', 1, 'memory'),
    memory: new Part('memory', 1, 'memory'),
    journal: new Part('journal', 1, 'memory'),
    projects: new Part('projects', 1, 'memory'),
    history: new Part('history', 4, 'conversation'),
    topics: new Part('topics', 2, 'topics'),
    subscriptions: new Part('subscriptions', 2, 'files'),
    knowledge: new Part('knowledge', 3, 'recalled'),
    hints: new Part('hints', 2, 'hints'),
    message: new Part('message', 0, 'message'),
  };
  const parts = Object.values(part);

  addFixed(part, input);
  const spent = (): number => spentOn(parts, meter);
  let left = budget - spent();
  if (left < 0) throw tooSmall(part, input);

  // P1. Wrappers count where they may be needed, so that no choice below depends on them.
  const settled = new Map(part.identity.pieces.map(({ source }) => [source, inText]));
  if (!input.isMain) settled.set(coreMemoryPath, 'MEMORY.md is for sessions with the owner alone');
  // What holds whatever is asked comes before anything that may be long, and only there.
  const afterWrapper = left - wrapperTokens('memory', meter);
  const standingClaims = standingPieces(input.standing, {
    room: standingRoom(afterWrapper),
    meter,
    today: input.days[1],
  });
  const { laterOf } = input;
  const beside = withLater(standingClaims, { room: standingRoom(afterWrapper), meter, laterOf });
  part.standing.pieces.push(...beside.pieces);
  part.standing.budget = Math.max(standingRoom(afterWrapper), part.standing.tokens);
  if (standingClaims.left > 0)
    part.standing.left.push({ source: count(standingClaims.left, 'standing claim'), why: 'no room' });
  left -= part.standing.tokens;
  const told = new Told(standingClaims.claims, input.origins);
  for (const { source, words, ids } of beside.later) told.addTurn(source, words, ids);

  const scale = Math.min(1, budget / fullSize);
  const standing = { memory: settings.memoryKb, journal: settings.journalKb, projects: activeProjectsKb };
  const wanted = tokensOfKb(standing.memory + standing.journal + standing.projects) * scale;
  const p1 = Math.max(0, left * leaveHalf - wrapperTokens('memory', meter));
  const roomOf = (kb: number): number => Math.floor(tokensOfKb(kb) * scale * Math.min(1, p1 / Math.max(1, wanted)));
  for (const name of ['memory', 'journal', 'projects'] as const) part[name].budget = roomOf(standing[name]);
  const always = [
    ...(input.isMain
      ? [{ part: part.memory, path: coreMemoryPath, why: 'core memory, in sessions with the owner' }]
      : []),
    { part: part.projects, path: activeProjectsPath, why: 'the projects that are active' },
  ];
  for (const { part: into, path, why } of always) {
    if (!addFile(into, told.filesOf(snapshot), path, { room: into.budget!, meter, why })) continue;
    settled.set(path, inText);
    told.addFile(snapshot, path);
  }
  for (const path of addJournal(part.journal, told.filesOf(snapshot), input.days, part.journal.budget!, meter)) {
    settled.set(path, inText);
    told.addFile(snapshot, path);
  }
  const hasStanding = [part.standing, part.memory, part.journal, part.projects].some(({ pieces }) => pieces.length > 0);
  if (since !== undefined) {
    const { changed, identity, standing, memory, journal, projects } = part;
    for (const one of [identity, standing, memory, journal, projects]) leaveHanded(one, since.earlier, meter);
    const shown = new Set(standing.pieces.flatMap(({ id }) => id ?? []));
    changed.pieces.push(...changedPieces(since.earlier, since.now, shown, meter));
    told.add(changed.pieces.flatMap(({ id }) => id ?? []));
  }
  left -= part.memory.tokens + part.journal.tokens + part.projects.tokens;
  left -= hasStanding ? wrapperTokens('memory', meter) : 0;

  // P2. What topics could have is decided before it is known which are active: the window must not depend on that.
  const mayHaveTopics = input.topics.length > 0 || snapshot.list('topics/').size > 0;
  const inSession = turns.length > 0;
  const most = Math.max(0, left * (inSession ? (1 - shareOfTurns) / 2 : leaveHalf));
  const topicTokens = tokensOfKb(settings.instructionsKb + settings.subscriptionsKb) * scale;
  const p2 = mayHaveTopics ? Math.min(topicTokens, most) : 0;
  const p3 = inSession ? Math.min(shareOfKnowledge * budget, most) : left;
  const enclosing = wrapperTokens('topics', meter) + wrapperTokens('files', meter);
  const instructionsShare = settings.instructionsKb / Math.max(1, settings.instructionsKb + settings.subscriptionsKb);
  const forTopics = Math.max(0, p2 - enclosing);
  part.topics.budget = Math.floor(forTopics * instructionsShare);
  part.subscriptions.budget = Math.floor(forTopics) - part.topics.budget;
  const topics = [...input.topics].sort(byUrgency);
  addTopics(part, topics, {
    snapshot,
    rooms: { instructions: part.topics.budget, subscriptions: part.subscriptions.budget },
    meter,
    settled,
  });
  if (since !== undefined) for (const one of [part.topics, part.subscriptions]) leaveHanded(one, since.earlier, meter);

  // P4 before P3 in the books only: its room depends on neither.
  let evicted = 0;
  if (inSession) {
    const room = Math.floor(left - p2 - p3 - wrapperTokens('conversation', meter));
    part.history.budget = Math.max(0, room);
    const window = windowOf(turns, part.history.budget, chunk, meter);
    part.history.pieces.push(...window.pieces);
    if (since !== undefined) leaveHanded(part.history, since.earlier, meter);
    evicted = window.evicted;
    if (evicted > 0)
      part.history.left.push({ source: evicted === 1 ? 'turn 1' : `turns 1 to ${evicted}`, why: 'the window is full' });
  }

  // Hints are few words that somebody wrote to be heard: they come out of the room of P3.
  part.hints.budget = Math.floor(
    Math.max(0, Math.min(p3, budget - spent()) * leaveHalf - wrapperTokens('hints', meter)),
  );
  addHints(part.hints, input.corrections, part.hints.budget, meter);

  const today = todayPiece(input.days[1], meter);
  const room =
    Math.floor(Math.min(p3 - costOf(part.hints, meter), budget - spent())) -
    wrapperTokens('recalled', meter) -
    today.tokens;
  part.knowledge.budget = Math.max(0, room + today.tokens);
  if (room >= leastHit) {
    const unwanted = {
      files: settled,
      told,
      textOf: input.textOf,
      ...(since === undefined ? {} : { earlier: since.earlier }),
      spoken: new Set(turns.slice(evicted).map(({ text }) => normaliseForHash(text))),
      ...(input.sessionPath === undefined ? {} : { session: { path: input.sessionPath, from: evicted + 1 } }),
    };
    const { terms, style, spoken, handleOf } = input;
    const always = fewTurns(input, Math.min(room, budget * fewShare));
    const verdict = nothingPiece(meter);
    const filling = { room, meter, terms, least: leastScore, unwanted, style, spoken, handleOf, always };
    const how = { ...filling, gistFirst: input.gistFirst };
    for (let limit = Math.ceil(room / usualHit) + 8; ; limit *= 4) {
      const { hits, probablyNothing } = terms.length === 0 ? noHits : input.find(limit);
      // A reader of all that was said sees what is not there.
      const isTold = probablyNothing && input.asks && always.length === 0 && room >= verdict.tokens + leastHit;
      if (hits.length === 0 && always.length === 0) {
        if (terms.length > 0 && input.asks) addLatest(part.knowledge, input.latest(mostLatest), how);
        break;
      }
      const isFull = addKnowledge(part.knowledge, hits, isTold ? { ...how, room: room - verdict.tokens } : how);
      if (isTold && part.knowledge.pieces.length > 0) part.knowledge.pieces.unshift(verdict);
      if (isFull || hits.length < limit) break;
      part.knowledge.pieces.length = 0;
      part.knowledge.left.length = 0;
    }
    if (part.knowledge.pieces.length > 0) part.knowledge.pieces.unshift(today);
  }

  return finished(parts, input, topics, evicted);
}

/** What somebody reads beside days has to know which day it is. */
export function todayPiece(day: string, meter: Meter): Piece {
  const text = `today: ${day} (${upperFirst(weekdays[new Date(`${day}T12:00:00Z`).getUTCDay()]!)})`;
  return { source: 'today', text, tokens: meter.count(`${text}\n`), why: 'the day from which others are seen' };
}

/** Says that what follows is no answer. */
function nothingPiece(meter: Meter): Piece {
  const text = 'Probably nothing here answers the message. What comes nearest:';
  return { source: 'verdict', text, tokens: meter.count(`${text}\n`), why: 'no hit has enough of the message' };
}

/** Gives all that was said, where it has no more than so many tokens. */
function fewTurns({ allTurns, meter }: CompileInput, most: number): readonly SearchDocument[] {
  const turns = allTurns(Math.floor(most)) ?? [];
  const tokens = turns.reduce((sum, { text }) => sum + meter.count(`${text}\n`), 0);
  return tokens <= most ? turns : [];
}

const costOf = ({ tokens, pieces, tag }: Part, meter: Meter): number =>
  pieces.length === 0 ? 0 : tokens + wrapperTokens(tag, meter);

/** Slots of one tag share their wrapper. */
function spentOn(parts: readonly Part[], meter: Meter): number {
  const tags = new Set(parts.filter(({ pieces }) => pieces.length > 0).map(({ tag }) => tag));
  const wrappers = [...tags].reduce((sum, tag) => sum + wrapperTokens(tag, meter), 0);
  return parts.reduce((sum, { tokens }) => sum + tokens, wrappers);
}

function addFixed(
  part: { readonly system: Part; readonly identity: Part; readonly message: Part },
  input: CompileInput,
): void {
  const { system, message, snapshot, meter, settings } = input;
  const own = (into: Part, text: string, why: string): void => {
    if (text === '') return;
    into.pieces.push({ source: into.slot, text, tokens: meter.count(`${text}\n\n`), why });
  };
  own(part.system, system.trim(), 'the system prompt: always');
  part.identity.pieces.push(...identityPieces(snapshot, meter));
  part.identity.budget = tokensOfKb(settings.identityKb);
  if (part.identity.tokens > part.identity.budget) {
    const over = {
      source: 'knowledge/identity/',
      why: `longer than context.identity_kb (${settings.identityKb}), and never cut`,
    };
    part.identity.left.push(over);
  }
  own(part.message, asContent(message), 'the message');
}

function tooSmall(
  part: { readonly system: Part; readonly identity: Part; readonly message: Part },
  input: CompileInput,
): MemoryError {
  const { meter, budget } = input;
  const [system, identity, message] = [part.system, part.identity, part.message].map((one) => costOf(one, meter));
  const told = [
    ...(system! > 0 ? [`the system prompt ${system}`] : []),
    ...(identity! > 0 ? [`knowledge/identity ${identity}`] : []),
    `the message ${message}`,
  ].join(', ');
  return new MemoryError(
    'INVALID_ARGUMENT',
    `${budget} tokens are too few for the parts that every context has: ${told}`,
    {
      where: 'tokens',
      hint: `Allow ${system! + identity! + message!} tokens or more, or shorten these`,
    },
  );
}

/** Puts the parts together. A tokenizer need not be additive, so the whole is counted, and what gives way first does, until it fits. */
function finished(parts: Part[], input: CompileInput, topics: readonly ActiveTopic[], evicted: number): Compiled {
  const { meter, budget, turns } = input;
  let shownFrom = evicted;
  let text = textOf(parts);
  let tokens = meter.count(text);
  while (tokens > budget) {
    const yielding = [...parts]
      .sort((a, b) => yieldOrder(b) - yieldOrder(a))
      .find(({ priority, pieces }) => priority > 0 && pieces.length > 0);
    if (yielding === undefined) throw tooSmall(Object.fromEntries(parts.map((one) => [one.slot, one])) as never, input);
    if (yielding.slot === 'history') {
      // The note on what is not shown goes with the oldest turn; the next one says it anew.
      yielding.pieces.shift();
      shownFrom = (yielding.pieces.find(({ turn }) => turn !== undefined)?.turn ?? turns.length + 1) - 1;
    } else {
      const gone = yielding.pieces.pop()!;
      yielding.left.push({ source: gone.source, why: 'no room' });
    }
    text = textOf(parts);
    tokens = meter.count(text);
  }
  return {
    text,
    tokens,
    budget,
    counted: meter.isExact ? 'exact' : 'estimated',
    activeTopics: topics,
    window: { turns: turns.length, shown: turns.length - shownFrom, evicted: shownFrom },
    slots: parts.map((one) => slotOf(one, costOf(one, meter))),
  };
}

/** P3 gives way before P4 here: its last hit says least. */
const yieldOrder = ({ slot, priority }: Part): number => (slot === 'knowledge' ? 5 : priority);
