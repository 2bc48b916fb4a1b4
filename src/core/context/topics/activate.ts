// From a message to the topics that become active: watchers in tiers, then the gate (spec 5 §4 and §5). Writes nothing; what is logged of it
// is decided by who acts.
//
//   message, output, events ──► tier 1: patterns, events ─┐
//                           └─► tier 2: likeness, mood ───┴─► auto: active │ manual: only by name │ gated: table ──► gate

import type {
  ActiveTopic,
  ConsideredTopic,
  ConversationTurn,
  Correction,
  TopicEvent,
  TopicPriority,
  TopicProblem,
  TopicsResult,
} from '../../../base/types.ts';
import type { Configuration } from '../../../store/records/configuration.ts';
import { triggersPath } from '../triggers.ts';
import { askGate, type GateJudge, type GateRoute, leastLikenessOf, routeOf } from './gate.ts';
import { type Reading, readingOf } from './reading.ts';
import type { Likeness } from './similarity.ts';
import type { CompiledTopic, TopicSet, WordTrigger } from './topic-catalog.ts';
import {
  type CronWatcher,
  eventWeight,
  type Sighting,
  type TextWatcher,
  together,
  type WebhookWatcher,
} from './watchers.ts';

/** An event with its times read. */
export type ReadEvent =
  | Extract<TopicEvent, { type: 'webhook' }>
  | { readonly type: 'cron'; readonly since: number; readonly until: number };

/** What is looked at. */
export interface Occasion {
  readonly message: string;
  readonly turns: readonly ConversationTurn[];
  /** Paths. */
  readonly named: ReadonlySet<string>;
  readonly events: readonly ReadEvent[];
  /** What the agent said last; empty for nothing. */
  readonly output: string;
  readonly timeZone: string;
  readonly signal?: AbortSignal;
}

/** What became of a gated topic at the gate or before it, for the log. */
export interface Decision {
  readonly topic: CompiledTopic;
  readonly tier1: boolean;
  readonly score: number | null;
  readonly route: GateRoute;
  readonly isOpen: boolean;
  readonly judge: string | null;
}

export interface Activation extends Omit<TopicsResult, 'commit'> {
  readonly decisions: readonly Decision[];
  /** What the gate was shown. */
  readonly text: string;
}

/** What is known of one topic before it is decided upon. */
interface Candidate {
  readonly topic: CompiledTopic;
  readonly tier1: readonly Sighting[];
  readonly tier2: readonly Sighting[];
  readonly isByEvent: boolean;
  readonly likeness: Likeness;
  /** Null where there are no words to compare. */
  readonly score: number | null;
  readonly confidence: number;
  readonly isNamed: boolean;
}

const ranks: Readonly<Record<TopicPriority, number>> = { low: 1, medium: 2, high: 3, critical: 4 };
const nothingAlike: Likeness = { tfidf: 0, bm25: 0, jaccard: 0, ngram: 0 };
/** How many topics of one message a model is asked about; the rule decides on the others. */
const mostAsked = 5;
/** What the likeness of a topic as a whole adds to what its triggers say; see watchers.ts. */
const likenessFactor = 2;
const mostLikeness = 0.9;

/** Finds the topics of an occasion. */
export async function activate(
  set: TopicSet,
  occasion: Occasion,
  settings: Configuration['watchers'],
  judge: GateJudge,
): Promise<Activation> {
  const payload = occasion.events.flatMap((event) => (event.type === 'webhook' ? (event.text ?? []) : []));
  const text = [occasion.message, ...payload].filter((part) => part.trim() !== '').join('\n\n');
  const input = readingOf(text, set.detectors, earlierThan(occasion.turns));
  const output = occasion.output === '' ? null : readingOf(occasion.output, set.detectors);
  const problems: TopicProblem[] = [];
  const corrections: Correction[] = [];
  const alike = text === '' ? null : set.compare(input);
  const alikeOutput = output === null ? null : set.compare(output);
  const candidates: Candidate[] = [];
  for (const [row, topic] of set.topics.entries()) {
    const likeness = alike?.[row] ?? nothingAlike;
    const candidate = lookAt(topic, occasion, {
      input: text === '' ? null : input,
      output,
      likeness,
      likenessOfOutput: alikeOutput?.[row] ?? nothingAlike,
      threshold: settings.similarityThreshold,
      corrections,
      problems,
    });
    if (candidate !== null) candidates.push(candidate);
  }
  const shown = text === '' ? describeEvents(occasion.events) : text;
  const decided = await decide(candidates, shown, judge, occasion.signal);
  const active = [...decided.flatMap(({ active: one }) => one ?? []), ...calledFor(set.words, input)];
  const considered = decided.map((one) => one.considered);
  return {
    active: active.sort(mostUrgentFirst),
    considered: considered.sort((a, b) =>
      mostUrgentFirst({ ...a, priority: ranks[a.priority] }, { ...b, priority: ranks[b.priority] }),
    ),
    corrections,
    problems,
    decisions: decided.flatMap(({ decision }) => decision ?? []),
    text: shown,
  };
}

interface Looked {
  readonly input: Reading | null;
  readonly output: Reading | null;
  readonly likeness: Likeness;
  readonly likenessOfOutput: Likeness;
  readonly threshold: number;
  readonly corrections: Correction[];
  readonly problems: TopicProblem[];
}

/** Lets all watchers of a topic look; null where none saw anything and nobody named it. */
function lookAt(topic: CompiledTopic, { named, events, timeZone }: Occasion, looked: Looked): Candidate | null {
  const { file } = topic;
  const { likeness, likenessOfOutput, threshold } = looked;
  const isNamed = named.has(file.path);
  const tiers: Record<1 | 2, Sighting[]> = { 1: [], 2: [] };
  let isByEvent = false;
  let isByOutput = false;
  const see = (watcher: TextWatcher, reading: Reading | null, alike: Likeness): Sighting | null => {
    const found = reading === null ? null : watcher.look(reading, { likeness: alike, threshold });
    if (found !== 'costly') return found;
    const line = file.lineOfTrigger(watcher.trigger.index);
    looked.problems.push({ path: file.path, line, why: 'was not looked for: it takes too long on this text' });
    return null;
  };
  for (const watcher of topic.watchers) {
    if (watcher.kind !== 'text') {
      const why = watcher.kind === 'webhook' ? webhookReason(watcher, events) : cronReason(watcher, events, timeZone);
      if (why === null) continue;
      isByEvent = true;
      tiers[1].push({ weight: eventWeight, reason: why });
      continue;
    }
    const seen = watcher.scope === 'output' ? null : see(watcher, looked.input, likeness);
    if (seen !== null) tiers[watcher.tier].push(seen);
    const said = watcher.scope === 'input' ? null : see(watcher, looked.output, likenessOfOutput);
    if (said === null) continue;
    isByOutput = true;
    const reason = `in the output, ${said.reason}`;
    tiers[watcher.tier].push({ ...said, reason });
    if (watcher.hint !== null && (file.activation !== 'manual' || isNamed))
      looked.corrections.push({ path: file.path, name: file.name, hint: watcher.hint, reason });
  }
  if (tiers[1].length + tiers[2].length === 0 && !isNamed) return null;
  const best = isByOutput ? Math.max(likeness.tfidf, likenessOfOutput.tfidf) : likeness.tfidf;
  // The topic as a whole is one more witness, unless a trigger has heard it already.
  const whole = tiers[2].length > 0 ? [] : [{ weight: Math.min(mostLikeness, likenessFactor * best), reason: '' }];
  return {
    topic,
    tier1: tiers[1],
    tier2: tiers[2],
    isByEvent,
    likeness: isByOutput && likenessOfOutput.tfidf > likeness.tfidf ? likenessOfOutput : likeness,
    score: looked.input === null && !isByOutput ? null : best,
    confidence: isNamed ? 1 : together([...tiers[1], ...tiers[2], ...whole]),
    isNamed,
  };
}

interface Decided {
  readonly considered: ConsideredTopic;
  readonly active: ActiveTopic | null;
  readonly decision: Decision | null;
}

/** Decides upon candidates; the gate is asked about all that need it at once, the surest first where there are many. */
async function decide(
  candidates: readonly Candidate[],
  message: string,
  judge: GateJudge,
  signal: AbortSignal | undefined,
): Promise<Decided[]> {
  const routes = new Map(
    candidates
      .filter(({ topic, isNamed }) => topic.file.activation === 'gated' && !isNamed)
      .map((one) => [one, routeOf(one.topic.file, one.tier1.length > 0, one.score)] as const),
  );
  const asked = [...routes].filter(([, route]) => route === 'ask').map(([one]) => one);
  const surest = asked.sort((a, b) => b.confidence - a.confidence || (a.topic.file.path < b.topic.file.path ? -1 : 1));
  const byRule = { ...judge, model: null, note: `more than ${mostAsked} topics asked at once` };
  const verdicts = new Map(
    await Promise.all(
      surest.map(async (one, at) => {
        const question = { file: one.topic.file, oid: one.topic.oid, message, confidence: one.confidence };
        const who = at < mostAsked || judge.model === null ? judge : byRule;
        return [one, await askGate(question, who, signal)] as const;
      }),
    ),
  );
  return candidates.map((one) => {
    const { file } = one.topic;
    const route = routes.get(one);
    const verdict = verdicts.get(one);
    const { by, why } = outcomeOf(one, route, verdict?.isOpen);
    const told = {
      path: file.path,
      name: file.name,
      score: rounded(one.score ?? 0),
      confidence: rounded(one.confidence),
      reasons: [...(one.isNamed ? ['somebody named it'] : []), ...one.tier1, ...one.tier2].map((reason) =>
        typeof reason === 'string' ? reason : reason.reason,
      ),
    };
    const active: ActiveTopic | null =
      by === null
        ? null
        : {
            ...told,
            priority: ranks[file.priority],
            by,
            subscriptions: file.subscriptions,
            maxContextBytes: file.maxContextBytes,
          };
    const { tfidf, bm25, jaccard, ngram } = one.likeness;
    return {
      active,
      considered: {
        ...told,
        activation: file.activation,
        priority: file.priority,
        isActive: active !== null,
        tier1: one.tier1.length > 0,
        scores: { tfidf: rounded(tfidf), bm25: rounded(bm25), jaccard: rounded(jaccard), ngram: rounded(ngram) },
        why,
        ...(verdict === undefined ? {} : { gate: verdict }),
      },
      decision:
        route === undefined
          ? null
          : {
              topic: one.topic,
              tier1: one.tier1.length > 0,
              score: one.score,
              route,
              isOpen: active !== null,
              judge: verdict?.judge ?? null,
            },
    };
  });
}

function outcomeOf(
  { topic: { file }, tier1, isNamed, isByEvent, score }: Candidate,
  route: GateRoute | undefined,
  isOpen: boolean | undefined,
): { by: ActiveTopic['by'] | null; why: string } {
  if (isNamed) return { by: 'manual', why: 'it was asked for by its name' };
  if (file.activation === 'manual') return { by: null, why: 'only its name wakes it' };
  const found = isByEvent ? 'event' : tier1.length > 0 ? 'pattern' : 'similarity';
  if (route === undefined) return { by: found, why: 'it needs no gate' };
  if (route === 'ask')
    return isOpen ? { by: 'gate', why: 'the gate let it in' } : { by: null, why: 'the gate kept it out' };
  const told = `a likeness of ${(score ?? 0).toFixed(2)}, and ${leastLikenessOf(file)} are needed`;
  if (route === 'drop') return { by: null, why: `${file.priority} priority and ${told}` };
  if (file.priority === 'critical') return { by: found, why: 'of critical priority, it needs no gate' };
  return { by: found, why: 'it is sure enough to need no gate' };
}

function calledFor(words: readonly WordTrigger[], reading: Reading): ActiveTopic[] {
  return words.flatMap(({ name, load, look }) => {
    const seen = look(reading, { likeness: nothingAlike, threshold: 1 });
    if (seen === null || seen === 'costly') return [];
    const { weight, reason } = seen;
    return [
      {
        path: triggersPath,
        name,
        priority: ranks.medium,
        by: 'pattern',
        score: 0,
        confidence: rounded(weight),
        reasons: [reason],
        subscriptions: load,
        maxContextBytes: null,
      } satisfies ActiveTopic,
    ];
  });
}

function webhookReason({ source, event }: WebhookWatcher, events: readonly ReadEvent[]): string | null {
  const found = events.find(
    (one) => one.type === 'webhook' && one.source === source && (event === null || one.event === event),
  );
  return found?.type === 'webhook' ? `the webhook ${[found.source, found.event].filter(Boolean).join(' ')} came` : null;
}

function cronReason(watcher: CronWatcher, events: readonly ReadEvent[], timeZone: string): string | null {
  const isDue = events.some((one) => one.type === 'cron' && watcher.isDue(one.since, one.until, timeZone));
  return isDue ? `its schedule ${watcher.schedule} struck` : null;
}

/** What a gate is shown where nobody said anything. */
function describeEvents(events: readonly ReadEvent[]): string {
  return events
    .map((event) =>
      event.type === 'webhook'
        ? `(webhook ${event.source} ${event.event ?? ''})`.replace(' )', ')')
        : '(a schedule struck)',
    )
    .join(' ');
}

/** Splits the conversation before a message: what the same side said, and what tools were called for since it last spoke. */
function earlierThan(turns: readonly ConversationTurn[]): { earlier: string[]; beside: string } {
  const isUser = ({ role }: ConversationTurn): boolean => role === 'user';
  const last = turns.map(isUser).lastIndexOf(true);
  return {
    earlier: turns.filter(isUser).map(({ text }) => text),
    beside: turns
      .slice(last + 1)
      .flatMap(({ role, text }) =>
        role === 'tool' ? text : text.split('\n').filter((line) => /^> \[tool:/.test(line)),
      )
      .join('\n'),
  };
}

type Ranked = Pick<ActiveTopic, 'priority' | 'confidence' | 'path' | 'name'>;

function mostUrgentFirst(a: Ranked, b: Ranked): number {
  const [one, other] = [`${a.path} ${a.name}`, `${b.path} ${b.name}`];
  return b.priority - a.priority || b.confidence - a.confidence || (one < other ? -1 : one > other ? 1 : 0);
}

const rounded = (share: number): number => Number(share.toFixed(4));
