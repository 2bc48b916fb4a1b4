// Questions about topics: which a message brings up, and what topics there are. They write nothing.

import { MemoryError, orElse } from '../../base/errors.ts';
import type { TextModel, TokenUsage } from '../../base/ports.ts';
import type {
  TopicEntry,
  TopicEvent,
  TopicListResult,
  TopicProblem,
  TopicsOptions,
  TopicsResult,
} from '../../base/types.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { nearestWord } from '../../store/records/nearest-word.ts';
import { type Trigger, topicName } from '../../store/records/topic-file.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type Activation, activate, type ReadEvent } from '../context/topics/activate.ts';
import type { GateJudge } from '../context/topics/gate.ts';
import type { CompiledTopic, TopicCatalog, TopicSet } from '../context/topics/topic-catalog.ts';
import { triggersPath } from '../context/triggers.ts';
import { timeOf } from '../recall/asked-times.ts';

/** The model of the gate; null with a note where it is not the one that was wanted. */
export interface GateModel {
  readonly model: TextModel | null;
  readonly note?: string;
}

export interface TopicQuestion {
  readonly topics: TopicCatalog;
  readonly snapshot: Snapshot;
  readonly configuration: Configuration;
  /** Milliseconds since the Unix epoch: what schedules are held against. */
  readonly now: number;
  gateModel(configuration: Configuration): Promise<GateModel>;
  /** Notes what a question to it took. */
  spend(usage: TokenUsage): Promise<void>;
}

const maxTurns = 10_000;
/** How long a model may take at the gate. */
export const gateWaitMs = 2000;
const minuteMs = 60_000;

/** Finds the topics that a message, an output and events bring up. Throws INVALID_ARGUMENT, INVALID_DATE, TOO_LARGE, and NOT_FOUND for a name. */
export async function topicsOf(
  question: TopicQuestion,
  message: string,
  options: TopicsOptions = {},
): Promise<TopicsResult> {
  const { set, activation } = await activationOf(question, message, options);
  return resultOf(question.snapshot, set, activation);
}

/** What {@link topicsOf} is made of, for who notes what the gate decided. */
export async function activationOf(
  question: TopicQuestion,
  message: string,
  options: TopicsOptions,
): Promise<{ set: TopicSet; activation: Activation }> {
  const { configuration, snapshot, topics } = question;
  const { watchers, timezone: timeZone } = configuration;
  const given = checkOptions(options);
  const set = await topics.of(snapshot);
  const named = new Set(given.activeTopics.map((name) => pathOfTopic(set, name)));
  const events = given.events.map((event) => readEvent(event, question.now, timeZone));
  const { signal } = options;
  const { model, note } = await question.gateModel(configuration);
  const judge: GateJudge = {
    model,
    spend: (usage) => question.spend(usage),
    ...(note === undefined ? {} : { note }),
    cache: topics.gateAnswers,
    maxTokens: watchers.gateMaxTokens,
    waitMs: gateWaitMs,
  };
  const occasion = { message, turns: given.turns, named, events, output: given.output, timeZone };
  const activation = await activate(set, signal === undefined ? occasion : { ...occasion, signal }, watchers, judge);
  return { set, activation };
}

/** Puts an activation into the shape of an answer; files of recall/triggers.json that are not there are left out. */
export function resultOf(
  snapshot: Snapshot,
  set: TopicSet,
  { active, considered, corrections, problems }: Activation,
): TopicsResult {
  const there = active.map((topic) =>
    topic.path === triggersPath
      ? { ...topic, subscriptions: topic.subscriptions.filter((path) => isThere(snapshot, path)) }
      : topic,
  );
  return {
    commit: snapshot.commit,
    active: there.filter(({ path, subscriptions }) => path !== triggersPath || subscriptions.length > 0),
    considered,
    corrections,
    problems: [...set.problems, ...problems],
  };
}

/** Lists the topics of a state, and what is wrong with them. */
export async function listTopics({
  topics,
  snapshot,
}: Pick<TopicQuestion, 'topics' | 'snapshot'>): Promise<TopicListResult> {
  const set = await topics.of(snapshot);
  const missing: readonly TopicProblem[] = set.topics.flatMap(({ file }) =>
    file.subscriptions
      .filter((path) => !/[*?[{]/.test(path) && !isThere(snapshot, path))
      .map((path) => ({ path: file.path, why: `subscribes to ${path}, which is not there` })),
  );
  const problems = [...set.problems, ...missing].sort(
    (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0),
  );
  return { topics: set.topics.map((topic) => entryOf(topic, problems)), problems };
}

function entryOf({ file }: CompiledTopic, problems: TopicListResult['problems']): TopicEntry {
  const { path, name, description, activation, priority, subscriptions, maxContextBytes, triggers } = file;
  return {
    path,
    name,
    description,
    activation,
    priority,
    triggers: triggers.map(describeTrigger),
    subscriptions,
    maxContextBytes,
    problems: problems.filter((problem) => problem.path === path).length,
  };
}

function describeTrigger(trigger: Trigger): string {
  const { type, index: _, ...rest } = trigger;
  const scope = 'scope' in rest && rest.scope !== 'input' ? ` (${rest.scope})` : '';
  const said = Object.entries(rest)
    .filter(([key]) => !['scope', 'correction_hint'].includes(key))
    .map(([, value]) => (Array.isArray(value) ? value.join(', ') : String(value)));
  return `${[type, ...said].join(' ')}${scope}`;
}

/** Finds a topic by its name or path. Throws NOT_FOUND. */
export function pathOfTopic({ topics }: TopicSet, name: string): string {
  const found = topics.find(({ file }) => file.path === name || file.name === name);
  if (found !== undefined) return found.file.path;
  const meant = nearestWord(
    topicName(name),
    topics.map(({ file }) => file.name),
  );
  throw new MemoryError('NOT_FOUND', `there is no topic ${JSON.stringify(name.slice(0, 100))}`, {
    where: 'activeTopics',
    hint: meant === undefined ? '`git memory topics` lists them' : `Did you mean ${meant}`,
  });
}

const isThere = (snapshot: Snapshot, path: string): boolean => orElse(() => snapshot.oidOf(path) !== null, false);

type GivenOptions = Required<Pick<TopicsOptions, 'turns' | 'activeTopics' | 'events' | 'output'>>;

function checkOptions(options: TopicsOptions): GivenOptions {
  const { turns = [], activeTopics = [], events = [], output = '' } = options;
  const isNameless = events.some((event) => event.type === 'webhook' && event.source === '');
  if (isNameless) throw wrong('events', 'a webhook needs its source');
  return { turns: turns.slice(-maxTurns), activeTopics, events, output };
}

function readEvent(event: TopicEvent, now: number, timeZone: string): ReadEvent {
  if (event.type === 'webhook') return event;
  const moment = { now, timeZone };
  const until = timeOf(event.time, 'time', moment, false) ?? now;
  const since = timeOf(event.since, 'since', moment, false) ?? until - minuteMs;
  if (since > until) throw wrong('since', 'must not lie behind time');
  return { type: 'cron', since, until };
}

const wrong = (where: string, rule: string): MemoryError =>
  new MemoryError('INVALID_ARGUMENT', `${where} ${rule}`, { where });
