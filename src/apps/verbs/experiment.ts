// The verb of experiments: another way to extract, tried on all captures, compared, and adopted or dropped.

import { z } from 'zod';
import { count } from '../../base/count.ts';
import { attempt, defined, MemoryError } from '../../base/errors.ts';
import type * as types from '../../base/types.ts';
import { describeCost, formatComparison, formatProbes, parseProbes } from '../../features/experiment/index.ts';
import type { Memory } from '../../memory/open-memory.ts';
import { pairs, type Style, shortOid } from './style.ts';
import { defineVerb, maybe, optional, several, underway, type VerbContext } from './verb.ts';

const actions = ['list', 'run', 'compare', 'probes', 'adopt', 'drop'] as const;
type Action = (typeof actions)[number];

type Output =
  | { readonly ran: types.ExperimentRunResult }
  | { readonly listed: types.ExperimentListResult }
  | { readonly compared: types.CompareResult }
  | { readonly probes: readonly types.Probe[] }
  | { readonly adopted: types.AdoptResult }
  | { readonly dropped: types.DropExperimentResult };

const namesOf: Readonly<Record<Action, number>> = { run: 1, list: 0, compare: 2, probes: 0, adopt: 1, drop: 1 };

const input = z.strictObject({
  action: z.enum(actions).describe(`what to do: ${actions.join(', ')}`),
  names: several('the name of the experiment; two names to compare, main among them'),
  set: optional(
    z.array(z.string().regex(/^[\w.]+=/, 'is KEY=VALUE')),
    'keys of memory.yaml to change, such as extract.min_confidence=0.9',
  ),
  model: maybe('a language model that reads, as PROVIDER/ID'),
  extractors: several('what reads: rules, model, or parts such as decisions, people, facts; adopt keeps them'),
  parallel: optional(z.number(), 'how many conversations a model reads at once; default: extract.model.parallel'),
  checkpoint: optional(z.number(), 'after how many conversations to commit; default 1000'),
  probes: maybe('the file of probes'),
  category: maybe('where probes are asked; default memory, or all'),
  limit: optional(z.number(), 'how many memories of one side alone to name; default all'),
  count: optional(z.number(), 'how many to make; default 50'),
  seed: optional(z.number(), 'another number picks other turns; default 1'),
});

export const experiment = defineVerb({
  name: 'experiment',
  summary: 'Try another way to extract, and see which is better',
  help:
    'Compares two extractors, or two ways to set one. "run NAME" reads all conversations again, another way, onto a ' +
    'branch of its own, extract/NAME. "compare A B" shows which is better; main is a name, too. "adopt NAME" keeps what ' +
    'was found, and "drop NAME" ends it.',
  input,
  positional: ['action', 'names'],
  actions: {
    list: {
      summary: 'List experiments, and what became of them',
      takes: [],
      example: 'experiment',
      shows: 'experiments, how far each is, and what was dropped',
    },
    run: {
      summary: 'Read all conversations again, another way',
      help:
        'The new branch, extract/NAME, begins without what was extracted before, and with what people kept by hand. Name ' +
        'the other way: extractors, a model, or keys of memory.yaml. What waits is committed first. Otherwise this branch ' +
        'and the work tree stay as they are. A stopped run continues.',
      takes: ['names', 'set', 'model', 'extractors', 'parallel', 'checkpoint'],
      example: 'experiment run strict --set extract.min_confidence=0.9',
    },
    compare: {
      summary: 'Compare what two ways know, cost and find',
      help:
        'Give two experiments, or an experiment and a branch such as main. Both count what was kept by hand, too. Probes ' +
        'are questions with what a hit must have; with them you see what each side finds, and how certain the difference is.',
      takes: ['names', 'probes', 'category', 'limit'],
      example: 'experiment compare main strict --probes probes.yaml',
      shows: 'what both know, what one knows alone, and what each finds',
    },
    probes: {
      summary: 'Make questions from conversations',
      help:
        'Prints a file for "compare --probes". A probe has a question and what a hit must have: finds (words), matches (a ' +
        'pattern) or sources (PATH#TURN). The same conversations, count and seed give the same probes.',
      takes: ['count', 'seed'],
      example: 'experiment probes --count 50 > probes.yaml',
      shows: 'a file of questions, to look through and change',
    },
    adopt: {
      summary: 'Merge an experiment; undo takes it back',
      help: 'One commit brings what the experiment found, and its settings. Edits made here since it began stay.',
      takes: ['names'],
      example: 'experiment adopt strict',
      shows: 'what came, went and changed',
    },
    drop: {
      summary: 'End an experiment, and keep a tag of it',
      help: 'The branch goes. The tag memory/extract/NAME keeps what it was.',
      takes: ['names'],
      example: 'experiment drop strict',
      shows: 'the tag that keeps it',
    },
  },
  flags: { writes: 'now', asks: ({ action }) => action === 'list' },
  example: {
    command: 'experiment run strict --set extract.min_confidence=0.9',
    shows: 'what the other way found; then: git memory experiment compare main strict',
  },
  async run(context, given): Promise<Output> {
    const { action, names = [], count: most, seed } = given;
    if (names.length !== namesOf[action]) throw wrongNames(action);
    const memory = await context.whole();
    const [first = '', second = ''] = names;
    switch (action) {
      case 'run':
        return { ran: await run(context, memory, first, given) };
      case 'list':
        return { listed: await memory.experiments.list() };
      case 'compare':
        return { compared: await compare(context, memory, [first, second], given) };
      case 'probes':
        return { probes: await memory.experiments.probes(defined({ count: most, seed })) };
      case 'adopt':
        return { adopted: await memory.experiments.adopt(first) };
      case 'drop':
        return { dropped: await memory.experiments.drop(first) };
    }
  },
  text(output, style) {
    if ('ran' in output) return describeRun(output.ran, style);
    if ('listed' in output) return describeList(output.listed, style);
    if ('compared' in output) return formatComparison(output.compared).trimEnd();
    if ('probes' in output) return formatProbes(output.probes).trimEnd();
    if ('adopted' in output) return describeAdoption(output.adopted, style);
    const { name, tag, commit } = output.dropped;
    return `${style.good('dropped')}  ${name}  ${style.faint(`kept as ${tag}, ${shortOid(commit)}`)}`;
  },
});

type Given = z.output<typeof input>;

function run(context: VerbContext, memory: Memory, name: string, given: Given): Promise<types.ExperimentRunResult> {
  const { set, model, extractors, parallel, checkpoint } = given;
  const config = set === undefined ? undefined : Object.fromEntries(set.map(settingOf));
  const options = defined({ model, extractors, parallel, checkpoint, config });
  return memory.experiments.run(name, { ...options, ...underway(context, 'Replaying') });
}

async function compare(
  context: VerbContext,
  memory: Memory,
  [a, b]: readonly [string, string],
  { probes: file, category, limit }: Given,
): Promise<types.CompareResult> {
  const probes = file === undefined ? undefined : parseProbes(await context.readInput(file), file);
  return memory.experiments.compare(a, b, { ...defined({ category, limit, probes }), ...underway(context, 'Asking') });
}

/** Reads `key=value`; a value that is JSON is that value, any other is a text. */
function settingOf(setting: string): [string, unknown] {
  const at = setting.indexOf('=');
  const text = setting.slice(at + 1);
  return [setting.slice(0, at), attempt(() => JSON.parse(text), text)];
}

function wrongNames(action: Action): MemoryError {
  const wanted = ['no name', 'the name of an experiment', 'two names'][namesOf[action]]!;
  return new MemoryError('INVALID_ARGUMENT', `experiment ${action} takes ${wanted}`, {
    where: 'names',
    hint: '`git memory experiment list` names experiments; `git memory help experiment` shows the rest',
  });
}

function describeRun(result: types.ExperimentRunResult, style: Style): string {
  const { name, branch, total, done, read, created, updated, leftAside, cost, newer } = result;
  const lines = pairs(
    [
      ['branch', `${branch} at ${shortOid(result.commit)}`],
      ['by', `${result.extractor}${settingsOf(result)}`],
      ['read', `${count(read, 'conversation')} now, ${done} of ${total} in all`],
      ['made', `${count(created, 'memory', 'memories')}, ${updated} changed`],
      ['without', leftAside === 0 ? undefined : `the ${leftAside} extracted before`],
      ['cost', cost.calls === 0 ? undefined : describeCost(cost)],
      ['newer', newer === 0 ? undefined : `${count(newer, 'conversation')} came since it began; it does not know them`],
    ],
    style,
  );
  return [...lines, `Compare it: git memory experiment compare main ${name}`].join('\n');
}

function describeList({ experiments, dropped }: types.ExperimentListResult, style: Style): string {
  if (experiments.length + dropped.length === 0) return 'There are no experiments.';
  const width = Math.max(0, ...experiments.map(({ name }) => name.length));
  return [
    ...experiments.map((one) => {
      const made = count(one.created, 'memory', 'memories');
      return `${one.name.padEnd(width)}  ${style.reference(shortOid(one.commit))}  ${standing(one)}, ${made}, ${one.extractor}${settingsOf(one)}`;
    }),
    ...dropped.map(({ tag, commit }) => style.faint(`dropped  ${shortOid(commit)}  ${tag}`)),
  ].join('\n');
}

function standing({ isAdopted, isFinished, done, total }: types.ExperimentState): string {
  if (!isFinished) return `${done} of ${total} read`;
  return isAdopted ? 'adopted' : `finished (${total} read)`;
}

function settingsOf({ config }: types.ExperimentState): string {
  const settings = Object.entries(config).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return settings.length === 0 ? '' : ` with ${settings.join(', ')}`;
}

function describeAdoption(result: types.AdoptResult, style: Style): string {
  const { name, commit, added, removed, changed, conflicts, newer } = result;
  if (commit === null) return `Everything of ${name} is here already.`;
  const lines = [
    `${style.good('adopted')}  ${style.reference(shortOid(commit))}  ${name}: ${count(added, 'memory', 'memories')} came, ${removed} went, ${changed} changed`,
    ...(conflicts.length === 0 ? [] : [`${count(conflicts.length, 'path')} stayed as edited here:`]),
    ...conflicts.map((path) => `  ${path}`),
    ...(newer.length === 0
      ? []
      : [`What was extracted from ${count(newer.length, 'conversation')} that came since stays as it is.`]),
    `Take it back: git memory undo ${shortOid(commit)}`,
  ];
  return lines.join('\n');
}
