// What agents do with topics: turns, whose decisions at the gate are noted, ratings, new topics, and tuning. All of it joins the batch.

import { MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import type {
  ActivateResult,
  RateTopicResult,
  TopicInput,
  TopicsOptions,
  TuneResult,
  WriteResult,
} from '../../base/types.ts';
import { checkMemoryPath } from '../../store/guard/path.ts';
import { cutFrontMatter, formatFrontMatter } from '../../store/records/front-matter.ts';
import {
  dayOfGateLog,
  decisionId,
  formatDecision,
  formatRating,
  type GateDecision,
  type GateRating,
  gateLogFolder,
  gateLogPath,
  parseGateLog,
} from '../../store/records/gate-log.ts';
import { parseTopic } from '../../store/records/topic-file.ts';
import { setYamlValues } from '../../store/records/yaml.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Activation } from '../context/topics/activate.ts';
import { messageHash } from '../context/topics/gate.ts';
import { countTerms } from '../context/topics/reading.ts';
import { compileTopic, type TopicSet } from '../context/topics/topic-catalog.ts';
import { planTuning } from '../context/topics/tune.ts';
import type { EditPlan, PlannedEdit } from '../write/edits.ts';
import { activationOf, pathOfTopic, resultOf, type TopicQuestion } from './topics.ts';

/** Puts a write into the batch. */
export type BatchWriter = (name: string, plan: EditPlan) => Promise<WriteResult>;

/**
 * Finds the topics of a turn and notes what the gate decided. Where `turns` and `output` tell, it also notes how the topics of the turn
 * before turned out.
 */
export async function activateForTurn(
  question: TopicQuestion,
  message: string,
  options: TopicsOptions,
  write: BatchWriter,
): Promise<ActivateResult> {
  const { snapshot, configuration, now } = question;
  const { set, activation } = await activationOf(question, message, options);
  const result = resultOf(snapshot, set, activation);
  if (!configuration.watchers.log) return { ...result, logged: 0, rated: [] };
  const decisions = decisionsOf(activation, now);
  const rated = ratingsOf(question, set, options);
  const lines = [...decisions.map(formatDecision), ...rated.map(({ rating }) => formatRating(rating))];
  if (lines.length > 0) await write('gate', planLog(dayOf(now, configuration.timezone), lines));
  return {
    ...result,
    logged: decisions.length,
    rated: rated.map(({ name, rating }) => ({ name, wasUseful: rating.wasUseful })),
  };
}

function decisionsOf({ decisions, text }: Activation, time: number): GateDecision[] {
  const hash = messageHash(text);
  return decisions.map(({ topic, tier1, score, route, isOpen, judge }) => {
    const about = { time, messageHash: hash, topic: topic.file.name };
    const rounded = score === null ? null : Number(score.toFixed(4));
    return { ...about, id: decisionId(about), tier1, score: rounded, route, isOpen, judge };
  });
}

/** So many words of a topic, which the message had not, show that the answer took it up. */
const takenUp = 3;
/** An answer with so many words of its own, and none of the topic, shows that it did not. */
const longAnswer = 30;

/** Judges the topics that were let in for the message before by the answer to it. What is unclear stays unknown. */
function ratingsOf(
  { snapshot, configuration, now }: TopicQuestion,
  set: TopicSet,
  { turns = [], output = '' }: TopicsOptions,
): { name: string; rating: GateRating }[] {
  const asked = turns.filter(({ role }) => role === 'user').at(-1)?.text;
  if (asked === undefined || output === '') return [];
  const hash = messageHash(asked);
  const days = [now - dayMs, now].map((time) => dayOf(time, configuration.timezone));
  const { decisions, ratings } = readLog(snapshot, (day) => days.includes(day));
  const known = new Set(ratings.map(({ of }) => of));
  const said = countTerms(output);
  const before = countTerms(asked);
  const own = [...said.keys()].filter((term) => !before.has(term));
  return decisions
    .filter((one) => one.messageHash === hash && one.isOpen && !known.has(one.id))
    .flatMap((one) => {
      const topic = set.topics.find(({ file }) => file.name === one.topic);
      if (topic === undefined) return [];
      const shared = own.filter((term) => topic.profile.terms.has(term)).length;
      if (shared < takenUp && !(shared === 0 && own.length >= longAnswer)) return [];
      const rating: GateRating = { of: one.id, time: now, wasUseful: shared >= takenUp, by: 'output' };
      return [{ name: one.topic, rating }];
    });
}

/** Notes whether a topic was of use: of its last decision, or of all about one message. Throws NOT_FOUND, INVALID_ARGUMENT. */
export async function rateTopic(
  { topics, snapshot, configuration, now }: TopicQuestion,
  name: string,
  wasUseful: boolean,
  message: string | undefined,
  write: BatchWriter,
): Promise<RateTopicResult> {
  const set = await topics.of(snapshot);
  const path = pathOfTopic(set, name);
  const topic = set.topics.find(({ file }) => file.path === path)!.file.name;
  const own = readLog(snapshot).decisions.filter((one) => one.topic === topic);
  const hash = message === undefined ? own.sort((a, b) => a.time - b.time).at(-1)?.messageHash : messageHash(message);
  const rated = own.filter((one) => one.messageHash === hash);
  if (rated.length === 0) {
    throw new MemoryError(
      'NOT_FOUND',
      `no decision about ${topic} is recorded${message === undefined ? '' : ' for that message'}`,
      { where: gateLogFolder, hint: 'Agents record decisions with memory.topics.turn(…) or `git memory topics turn`' },
    );
  }
  // Of several turns with the same words the last one is meant.
  const last = rated.sort((a, b) => a.time - b.time).at(-1)!;
  const line = formatRating({ of: last.id, time: now, wasUseful, by: 'agent' });
  await write('rate', planLog(dayOf(now, configuration.timezone), [line]));
  return { name: topic, wasUseful, rated: 1 };
}

/** Reads the decisions and ratings of days. */
function readLog(
  snapshot: Snapshot,
  isWanted: (day: string) => boolean = () => true,
): { decisions: GateDecision[]; ratings: GateRating[] } {
  const decisions: GateDecision[] = [];
  const ratings: GateRating[] = [];
  for (const [path, oid] of snapshot.list(gateLogFolder)) {
    const day = dayOfGateLog(path);
    if (day === null || !isWanted(day)) continue;
    const parsed = parseGateLog(snapshot.readBlob(oid, path).toString('utf8'));
    decisions.push(...parsed.decisions);
    ratings.push(...parsed.ratings);
  }
  return { decisions, ratings };
}

function planLog(day: string, lines: readonly string[]): EditPlan {
  const path = gateLogPath(day);
  return (snapshot) => ({ path, after: (snapshot.readText(path) ?? '') + lines.join('') });
}

/** So many days of decisions tuning looks at. */
const tuneDays = 90;

/** Proposes what could be better about topics; with `apply` writes the thresholds. */
export async function tuneTopics(
  { topics, snapshot, configuration, now }: TopicQuestion,
  { apply = false }: { readonly apply?: boolean },
  write: BatchWriter,
): Promise<TuneResult> {
  const first = dayOf(now - tuneDays * dayMs, configuration.timezone);
  const { decisions, ratings } = readLog(snapshot, (day) => day >= first);
  const set = await topics.of(snapshot);
  const suggestions = planTuning(set.topics, decisions, ratings);
  const changes = suggestions.flatMap(({ path, to }) => (to === undefined ? [] : [{ path, to }]));
  if (!apply || changes.length === 0) return { suggestions, applied: [] };
  const plan: EditPlan = (present) => {
    const edits = changes.flatMap(({ path, to }): PlannedEdit[] => {
      const text = present.readText(path);
      const after = text === null ? null : withThreshold(text, path, to);
      return after === null ? [] : [{ path, after }];
    });
    const [head, ...rest] = edits;
    if (head !== undefined) return [head, ...rest];
    throw new MemoryError('CONFLICT', 'the topics changed in the meantime', { hint: 'Run tune again' });
  };
  await write('tune', plan);
  return { suggestions, applied: changes.map(({ path }) => path) };
}

function withThreshold(text: string, path: string, threshold: number): string | null {
  const cut = cutFrontMatter(text);
  if (cut === undefined) return null;
  const block = setYamlValues(cut.block, path, [{ keys: ['similarity_threshold'], value: threshold }]);
  return `${cut.opening}${block.endsWith('\n') ? block : `${block}\n`}${cut.closing}${cut.body}`;
}

/** Writes a new topic file. Throws ALREADY_EXISTS, INVALID_PATH, and INVALID_ARGUMENT for what would not wake it. */
export async function newTopic(input: TopicInput, write: BatchWriter): Promise<WriteResult> {
  if (input.name.trim() === '')
    throw new MemoryError('INVALID_ARGUMENT', 'a topic needs a name', { where: 'name', hint: 'Such as email-triage' });
  const name = input.name
    .trim()
    .replace(/^topics\//, '')
    .replace(/\.md$/i, '');
  const path = checkMemoryPath(`topics/${name}.md`);
  const text = formatTopic(name, input);
  const { problems } = await compileTopic(parseTopic(text, path), '');
  if (problems.length > 0)
    throw new MemoryError('INVALID_ARGUMENT', problems[0]!.why, { where: path, hint: 'Nothing was written' });
  return write('topic', (snapshot) => {
    if (snapshot.oidOf(path) === null) return { path, after: text };
    const hint = 'Edit it, or choose another name';
    throw new MemoryError('ALREADY_EXISTS', `${path} is there already`, { where: path, hint });
  });
}

function formatTopic(name: string, input: TopicInput): string {
  const {
    description,
    pattern,
    words,
    activation = 'gated',
    priority = 'medium',
    subscriptions = [],
    instructions,
  } = input;
  const title = oneLine(name.slice(name.lastIndexOf('/') + 1).replace(/[-_]+/g, ' '), 80).replace(
    /(?<!\p{L})\p{L}/gu,
    (letter) => letter.toUpperCase(),
  );
  const own = [
    ...(pattern === undefined ? [] : [{ type: 'pattern', match: pattern, scope: 'input' }]),
    ...(words === undefined || words.length === 0 ? [] : [{ type: 'keywords', words }]),
  ];
  // Without anything else its own name wakes it.
  const triggers =
    own.length > 0 || activation === 'manual' ? own : [{ type: 'keywords', words: [title.toLowerCase()] }];
  const data = {
    type: 'topic',
    ...(description === undefined ? {} : { description: oneLine(description, 500) }),
    triggers,
    ...(subscriptions.length === 0 ? {} : { subscriptions }),
    activation,
    priority,
    max_context_kb: 4,
  };
  return formatFrontMatter(
    data,
    `\n# ${title}\n\n## Instructions\n\n${(instructions ?? 'Say here what to do.').trim()}\n`,
  );
}
