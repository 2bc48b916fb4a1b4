// The verb of topics: what there is, what a message brings up and why, new ones, and better thresholds.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type * as types from '../../base/types.ts';
import { hang, type Style } from './style.ts';
import { actionOf, defineVerb, filled, flag, maybe, oneOf, optional, several, type VerbContext } from './verb.ts';

const actions = ['list', 'new', 'test', 'turn', 'rate', 'tune'] as const;
type Action = (typeof actions)[number];

const turn = ['text', 'output', 'active', 'webhook', 'cron', 'turns'];

type Output =
  | { readonly listed: types.TopicListResult }
  | { readonly found: types.TopicsResult }
  | { readonly turn: types.ActivateResult }
  | { readonly written: types.WriteResult; readonly isGated?: boolean }
  | { readonly ratedTopic: types.RateTopicResult }
  | { readonly tuned: types.TuneResult };

const input = z.strictObject({
  action: actionOf(actions),
  text: maybe('the message, or the name of the topic'),
  output: optional(z.string(), 'what the agent said last'),
  active: several('topics that somebody asked for, by name'),
  webhook: optional(z.string().regex(/^[^/]+(?:\/.+)?$/, 'is SOURCE or SOURCE/EVENT'), 'an event, as SOURCE/EVENT'),
  cron: maybe('the schedule strikes, at this time or "now"'),
  turns: optional(z.array(z.strictObject({ role: filled, text: z.string() })), 'the conversation before the message'),
  description: maybe('what the topic is about, in a sentence'),
  pattern: maybe('a pattern (RE2) that activates it, such as "email|inbox"'),
  words: several('words that activate it'),
  activation: oneOf(['auto', 'gated', 'manual'], 'gated if left out'),
  priority: oneOf(['low', 'medium', 'high', 'critical'], 'medium if left out'),
  subscribe: several('files it brings along, as paths or globs'),
  instructions: maybe('what the agent is to do, as markdown'),
  useful: oneOf(['yes', 'no'], 'whether the topic helped'),
  message: maybe('the message it was about; the last one if left out'),
  apply: flag('write the thresholds'),
});

export const topics = defineVerb({
  name: 'topics',
  summary: 'Show which topics a message brings up, and why',
  help:
    'A topic is a markdown file in topics/. It says what to do in a situation; its front matter says what activates it. ' +
    '"list" shows all topics and their errors, by line. "new NAME" writes one. "test MESSAGE" shows what a message ' +
    'would activate and why, and writes nothing. --output is the last answer of the agent; --webhook and --cron are ' +
    'events. "turn MESSAGE" does the same for an agent and records the decision. "rate NAME --useful yes" records how ' +
    'that turned out. "tune" proposes better thresholds from these ratings; --apply writes them.',
  input,
  positional: ['action', 'text'],
  words: 'text',
  actions: {
    list: { summary: 'List topics, and what is wrong with them', takes: [], example: 'topics' },
    new: {
      summary: 'Write a topic',
      takes: ['text', 'description', 'pattern', 'words', 'activation', 'priority', 'subscribe', 'instructions'],
      example: 'topics new inbox --word email --instructions "Answer within a day"',
    },
    test: {
      summary: 'Show what a message would bring up, and why',
      takes: turn,
      example: 'topics test "Can you look into my inbox?"',
    },
    turn: {
      summary: 'Bring up topics for an agent, and note decisions',
      takes: turn,
      example: 'topics turn "Can you look into my inbox?" --json',
    },
    rate: {
      summary: 'Say whether a topic was of use',
      takes: ['text', 'useful', 'message'],
      example: 'topics rate inbox --useful yes',
    },
    tune: { summary: 'Propose better thresholds, or write them', takes: ['apply'], example: 'topics tune' },
  },
  usual: [
    'output',
    'active',
    'webhook',
    'cron',
    'description',
    'pattern',
    'words',
    'activation',
    'instructions',
    'useful',
    'message',
    'apply',
  ],
  flags: {
    reads: true,
    writes: 'batch',
    asks: ({ action = 'list', apply }) =>
      action === 'list' || action === 'test' || (action === 'tune' && apply !== true),
  },
  example: {
    command: 'topics test "Can you look into my inbox?"',
    shows: 'which topics would be active and why, and why the others would not',
  },
  async run(context, given): Promise<Output> {
    const { action = 'list', text } = given;
    if (action === 'list') return { listed: await (await context.view()).topics.list() };
    if (action === 'test') return { found: await (await context.view()).topics.test(text ?? '', asked(given)) };
    if (action === 'tune' && !given.apply) return { tuned: await (await acting(context, action)).topics.tune() };
    const memory = await acting(context, action);
    switch (action) {
      case 'turn':
        return { turn: await memory.topics.turn(text ?? '', asked(given)) };
      case 'tune':
        return { tuned: await memory.topics.tune({ apply: true }) };
      case 'rate': {
        if (given.useful === undefined) throw missing('useful', 'Say --useful yes, or --useful no');
        return { ratedTopic: await memory.topics.rate(named(text), given.useful === 'yes', given.message) };
      }
      case 'new': {
        const { subscribe: subscriptions, description, pattern, words, activation, priority, instructions } = given;
        const set = defined({ description, pattern, words, activation, priority, instructions, subscriptions });
        const written = await memory.topics.new({ name: named(text), ...set });
        return { written, isGated: (activation ?? 'gated') === 'gated' && priority !== 'critical' };
      }
    }
  },
  text(output, style) {
    if ('listed' in output) return describeList(output.listed, style);
    if ('found' in output) return describeFound(output.found, style);
    if ('turn' in output) {
      const { logged, rated } = output.turn;
      const noted = [
        ...(logged === 0 ? [] : [`${count(logged, 'decision')} of the gate noted`]),
        ...rated.map(({ name, wasUseful }) => `${name} was ${wasUseful ? 'of use' : 'of no use'}`),
      ];
      return [describeFound(output.turn, style), ...noted.map(style.faint)].join('\n');
    }
    if ('written' in output) {
      const hint = output.isGated
        ? `\nIts gate wants a message that is like its text: say there what it is about, or set \`activation: auto\``
        : '';
      return `${style.good('written')}  ${output.written.path}${hint}`;
    }
    if ('tuned' in output) return describeTuning(output.tuned, style);
    const { name, wasUseful } = output.ratedTopic;
    return `${style.good('noted')}  ${name} was ${wasUseful ? 'of use' : 'of no use'}`;
  },
});

function asked({ output, active, webhook, cron, turns }: z.output<typeof input>): types.TopicsOptions {
  const events: types.TopicEvent[] = [];
  if (webhook !== undefined) {
    const slash = webhook.indexOf('/');
    const source = slash < 0 ? webhook : webhook.slice(0, slash);
    events.push({ type: 'webhook', source, ...(slash < 0 ? {} : { event: webhook.slice(slash + 1) }) });
  }
  if (cron !== undefined) events.push({ type: 'cron', ...(cron === 'now' ? {} : { time: cron }) });
  return defined({ output, activeTopics: active, turns, events: events.length === 0 ? undefined : events });
}

function acting(context: VerbContext, action: Action) {
  if (context.at === undefined) return context.memory();
  throw new MemoryError('INVALID_ARGUMENT', `topics ${action} works only in the present`, {
    where: 'at',
    hint: 'Leave "at" out, or use list or test',
  });
}

function named(text: string | undefined): string {
  if (text !== undefined) return text;
  throw missing('text', 'Give the name of the topic');
}

function missing(where: string, hint: string): MemoryError {
  return new MemoryError('INVALID_ARGUMENT', `topics needs ${where}`, { where, hint });
}

function describeList({ topics: all, problems }: types.TopicListResult, style: Style): string {
  if (all.length === 0 && problems.length === 0)
    return `There are no topics yet; ${style.command('topics new NAME --word WORD')} writes one.`;
  return [
    ...all.flatMap(({ name, activation, priority, description, triggers }) => [
      `${style.strong(name)}  ${style.faint(`${activation}, ${priority}`)}`,
      ...(description === '' ? [] : hang('', description, style, 4)),
      ...triggers.flatMap((trigger) => hang('', trigger, style, 4).map(style.faint)),
    ]),
    ...describeProblems(problems, style),
  ].join('\n');
}

function describeProblems(problems: readonly types.TopicProblem[], style: Style): string[] {
  return problems.flatMap(({ path, line, why }) =>
    hang('', `${line === undefined ? path : `${path}:${line}`} ${why}`, style, 0, 2).map(style.bad),
  );
}

function describeFound({ considered, active, corrections, problems }: types.TopicsResult, style: Style): string {
  const words = active.filter((topic) => !considered.some(({ path }) => path === topic.path));
  const lines = [
    ...considered.flatMap(({ name, isActive, score, confidence, reasons, why, gate }) => [
      `${isActive ? style.good('active ') : style.faint('no     ')} ${style.strong(name)}  ${style.faint(
        `likeness ${score.toFixed(2)}, confidence ${confidence.toFixed(2)}`,
      )}`,
      ...hang('', reasons.join('; '), style, 8),
      ...hang('', gate === undefined ? why : `${why} (${gate.judge})`, style, 8).map(style.faint),
      ...(gate?.note === undefined ? [] : hang('', gate.note, style, 8).map(style.faint)),
    ]),
    ...words.flatMap(({ name, reasons, subscriptions }) => [
      `${style.good('active ')} ${style.strong(name)}  ${style.faint('recall/triggers.json')}`,
      ...hang('', `${reasons.join('; ')}: ${subscriptions.join(', ')}`, style, 8),
    ]),
    ...corrections.flatMap(({ name, hint, reason }) => [
      ...hang(style.bad('correct'), `${hint}`, style, 8),
      ...hang('', `${name}: ${reason}`, style, 8).map(style.faint),
    ]),
  ];
  return [
    ...(lines.length === 0 ? ['Nothing speaks for any topic.'] : lines),
    ...describeProblems(problems, style),
  ].join('\n');
}

function describeTuning({ suggestions, applied }: types.TuneResult, style: Style): string {
  if (suggestions.length === 0) return 'What is known of the gate asks for no change.';
  return suggestions
    .flatMap(({ name, key, from, to, why, path }) => [
      `${style.strong(name)}  ${key}${from === undefined ? '' : ` ${from} → ${to}`}  ${
        applied.includes(path) && to !== undefined ? style.good('written') : ''
      }`.trimEnd(),
      ...hang('', why, style, 4).map(style.faint),
    ])
    .join('\n');
}
