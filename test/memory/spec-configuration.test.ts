// The configuration file of the specification: taken over by a new memory, understood in memory.yaml, and true by its effects.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { functionEmbedder } from '../../src/adapters/function-embedder.ts';
import type { TextModel } from '../../src/base/ports.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { type OpenOptions, openMemory } from '../../src/memory/open-memory.ts';
import { planMemory } from '../../src/memory/plan-memory.ts';
import { parseConfiguration } from '../../src/store/records/configuration.ts';
import { ManualClock, newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { commitAll, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** Spec 5 §9.3, as it stands there. */
const verbatim = `# memory-config.yaml

context_compiler:
  token_budget: 8192                    # Target context size
  identity_budget_kb: 17
  memory_budget_kb: 3
  journal_budget_kb: 4
  topic_budget_kb: 6
  
search:
  bm25_weight: 0.4
  vector_weight: 0.6
  embedding_model: text-embedding-3-small
  embedding_dimensions: 1536
  
watchers:
  similarity_threshold: 0.15
  gate_model: haiku
  gate_max_tokens: 1
  
lifecycle:
  commit_interval_minutes: 30
  journal_retention_days: 90
  memory_line_cap: 200
  extraction_trigger: on_session_end     # on_session_end | hourly | manual
  condensation_schedule: "0 23 * * *"    # Daily at 23:00
  pruning_schedule: "0 0 * * 0"          # Weekly Sunday midnight
  
git:
  auto_commit: true
  auto_push: true
  auto_tag_daily: true
  commit_message_model: haiku
`;

/** Each key with another value than its default, the key of memory.yaml, and its value there; an empty key has none. */
const changed: [name: string, value: unknown, key: string, held?: unknown][] = [
  ['context_compiler.token_budget', 4096, 'context.tokens'],
  ['context_compiler.identity_budget_kb', 11, 'context.identity_kb'],
  ['context_compiler.memory_budget_kb', 2, 'context.memory_kb'],
  ['context_compiler.journal_budget_kb', 5, 'context.journal_kb'],
  ['context_compiler.topic_budget_kb', 9, 'context.instructions_kb', 3],
  ['search.bm25_weight', 0.7, 'search.bm25_weight'],
  ['search.vector_weight', 0.3, 'search.vector_weight'],
  ['search.embedding_model', 'text-embedding-3-large', ''],
  ['search.embedding_dimensions', 3072, ''],
  ['watchers.similarity_threshold', 0.4, 'watchers.similarity_threshold'],
  ['watchers.gate_model', 'flash', 'watchers.gate_model'],
  ['watchers.gate_max_tokens', 4, 'watchers.gate_max_tokens'],
  ['lifecycle.commit_interval_minutes', 7, 'flush_minutes'],
  ['lifecycle.journal_retention_days', 20, 'journal.retention_days'],
  ['lifecycle.memory_line_cap', 40, 'memory_md.cap_lines'],
  ['lifecycle.extraction_trigger', 'hourly', 'extract.trigger'],
  ['lifecycle.condensation_schedule', '30 21 * * *', 'schedule.condense'],
  ['lifecycle.pruning_schedule', '0 4 * * 6', 'schedule.prune'],
  ['git.auto_commit', false, 'auto_commit'],
  ['git.auto_push', true, 'auto_push'],
  ['git.auto_tag_daily', false, 'tags.daily'],
  ['git.commit_message_model', 'flash', 'commit_message.model', true],
];

function folderWith(files: Readonly<Record<string, string>>): string {
  const dir = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

async function begunIn(dir: string, clock = new ManualClock(), options: Partial<Omit<OpenOptions, 'scope'>> = {}) {
  const memory = await openMemory({ dir, create: true, durability: 'fast', clock, ...options });
  return { memory, clock, dir };
}

it('is taken over by a new memory, which says what became of it and of the keys that mean nothing', async () => {
  const dir = folderWith({ 'memory-config.yaml': verbatim });
  expect((await planMemory({ dir })).files).toContain('memory.yaml');
  const { memory } = await begunIn(dir);
  const set = (await memory.config()).keys.filter(({ isSet }) => isSet).map(({ key }) => key);
  const keys = changed.flatMap(([, , key]) => (key === '' ? [] : [key]));
  expect(set).toEqual(expect.arrayContaining([...keys, 'context.subscriptions_kb']));
  const { warnings } = await memory.status();
  expect(warnings).toEqual([
    'memory-config.yaml is ignored: memory.yaml has taken its keys over',
    expect.stringContaining('search.embedding_model'),
    expect.stringContaining('search.embedding_dimensions'),
    expect.stringContaining('auto_push has no remote to push to'),
  ]);
  expect((await doctor({ dir })).findings.map(({ what }) => what).join('\n')).toContain(
    'memory-config.yaml is ignored',
  );
  expect(readFileSync(join(dir, 'memory-config.yaml'), 'utf8')).toBe(verbatim);
  await memory.configure({ 'recall.limit': 4, 'context.tokens': 500 });
  expect((await memory.status()).warnings[0]).toBe('memory-config.yaml is ignored: memory.yaml is there too');
  await memory.close();
});

it.each(changed)(
  '%s is understood in memory.yaml, where it is set by either name',
  async (name: string, value: unknown, key: string, held?: unknown) => {
    const [section = '', word = ''] = name.split('.');
    const text = `# mine\n${section}:\n  ${word}: ${JSON.stringify(value)}\n`;
    const { memory } = await newTestMemory();
    await writeConfiguration(memory, text);
    await memory.commit();
    if (key === '') {
      expect((await memory.status()).warnings).toEqual([
        expect.stringContaining(`memory.yaml:3 the key ${name} names a`),
      ]);
      return;
    }
    const entry = async () => (await memory.config(name)).keys[0]!;
    if (name.endsWith('topic_budget_kb')) {
      expect((await memory.config(key)).keys[0]).toMatchObject({ value: held, isSet: true });
      expect((await memory.config('context.subscriptions_kb')).keys[0]).toMatchObject({ value: 6, isSet: true });
      return;
    }
    expect(await entry()).toMatchObject({ key, value: held ?? value, isSet: true });
    await memory.configure({ [key]: undefined });
    expect(await entry()).toMatchObject({ isSet: false });
    await memory.configure({ [name]: held ?? value });
    expect(await entry()).toMatchObject({ key, value: held ?? value, isSet: true });
  },
);

it('names a key that it has not, and what one of its own does not take, at its line', () => {
  expect(() => parseConfiguration('\nlifecycle:\n  memory_line_cap: many\n', 'memory.yaml')).toThrow(
    /memory\.yaml:3 lifecycle\.memory_line_cap: /,
  );
  expect(() => parseConfiguration('lifecycle:\n  memory_lines: 3\n', 'memory.yaml')).toThrow(/unknown key lifecycle/);
});

it('holds by its effects in a folder that has it: budgets, times, tags, extraction at the end of a session', async () => {
  const text = verbatim
    .replace('token_budget: 8192 ', 'token_budget: 300 ')
    .replace('journal_retention_days: 90', 'journal_retention_days: 5')
    .replace('auto_tag_daily: true', 'auto_tag_daily: false')
    .replace('commit_interval_minutes: 30', 'commit_interval_minutes: 90')
    .replace('0 23 * * *', '0 21 * * *')
    .replace('0 0 * * 0', '0 2 * * 6');
  const { memory, clock } = await begunIn(
    folderWith({
      'memory-config.yaml': text,
      'knowledge/journal/2026-02-01.md': '---\ntype: journal\n---\n\n- Old.\n',
    }),
  );
  const { tasks } = await memory.maintenance.schedule();
  const when = (name: string) => tasks.find(({ task }) => task === name)?.when;
  expect([when('condense'), when('memory-md'), when('journals')]).toEqual(['0 21 * * *', '0 2 * * 6', '0 2 * * 6']);
  await memory.capture({
    session: 's1',
    messages: [{ role: 'user', text: 'We decided to move the greenhouse to the south wall before the frost comes.' }],
  });
  expect((await memory.list()).memories.length).toBeGreaterThan(0);
  await memory.write('knowledge/reference/soil.md', '# Soil\n\nClay.\n');
  clock.advance({ minutes: 60 });
  expect((await memory.status()).pending.map(({ path }) => path)).toContain('knowledge/reference/soil.md');
  expect((await memory.context('Where is the greenhouse?')).tokens).toBeLessThanOrEqual(300);
  clock.advance({ days: 2 });
  await memory.maintenance.runDue();
  expect((await memory.snapshots.list()).filter(({ tag }) => tag.startsWith('memory/daily/'))).toEqual([]);
  await expect(memory.read('knowledge/journal/2026-02-01.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await memory.close();
});

type Opened = Awaited<ReturnType<typeof begunIn>>;

const long = (words: number, word: string) => Array.from({ length: words }, (_, at) => `- ${word} ${at}.`).join('\n');

/** What the file with one value changed does in a folder that has it: the same look at two values, which tells them apart. */
interface Effect {
  readonly key: string;
  readonly values: readonly [string, string];
  readonly seen: readonly [unknown, unknown];
  look(opened: Opened): Promise<unknown>;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<Omit<OpenOptions, 'scope'>>;
}

const effect = (
  key: string,
  values: Effect['values'],
  seen: Effect['seen'],
  look: Effect['look'],
  more: Pick<Effect, 'files' | 'options'> = {},
): Effect => ({ key, values, seen, look, ...more });

const asked: { most?: number | undefined } = {};
const answering: TextModel = {
  name: 'told',
  complete: async ({ maxOutputTokens, prompt }) => {
    asked.most = maxOutputTokens;
    return /YES or NO/.test(prompt) ? 'YES' : '{"summary": "soil of the beds"}';
  },
};
const dogs = functionEmbedder({
  name: 'dogs',
  fingerprint: '1',
  dimensions: 2,
  isInstant: true,
  embed: (texts) => texts.map((text) => (/truck/i.test(text) ? [0, 1] : [1, 0.1])),
});
/** How much of a part of a context is there: tokens by the hundred, and what was left out for its length. */
const slot =
  (name: string) =>
  async ({ memory }: Opened) => {
    const { slots } = await memory.context('Where is the hose?');
    const one = slots.find((part) => part.slot === name)!;
    return name === 'identity' ? one.left.length : one.tokens > 700;
  };
const watering = (activation: string) =>
  `---\ntype: topic\nactivation: ${activation}\npriority: high\ntriggers:\n  - type: pattern\n    match: hose\n---\n\n# Watering\n\n${long(120, 'Water the beds before the sun')}\n`;
const best = async ({ memory }: Opened) => {
  await memory.remember('the puppy food is in the truck');
  await memory.remember('Ada has a dog');
  return (await memory.recall('puppy', { fusion: 'spec' })).hits[0]?.snippet;
};
const when =
  (name: string) =>
  async ({ memory }: Opened) =>
    (await memory.maintenance.schedule()).tasks.find(({ task }) => task === name)?.when;
const tagsAfterDays = async ({ memory, clock }: Opened) => {
  await memory.remember('The ferry leaves at nine.');
  clock.advance({ days: 2 });
  await memory.maintenance.runDue();
  return (await memory.snapshots.list()).some(({ tag }) => tag.startsWith('memory/daily/'));
};

const gated = { 'topics/watering.md': watering('gated') };
const effects: Effect[] = [
  effect(
    'context_compiler.token_budget',
    ['8192', '400'],
    [true, false],
    async ({ memory }) => (await memory.context('Where is the hose?')).tokens > 400,
    { files: { 'knowledge/memory/MEMORY.md': `# Core Memory\n\n${long(90, 'The beds need water and lime')}\n` } },
  ),
  effect('context_compiler.identity_budget_kb', ['17', '1'], [0, 1], slot('identity'), {
    files: { 'knowledge/identity/SOUL.md': `# Soul\n\n${long(90, 'I keep the beds')}\n` },
  }),
  effect('context_compiler.memory_budget_kb', ['12', '1'], [true, false], slot('memory'), {
    files: { 'knowledge/memory/MEMORY.md': `# Core Memory\n\n${long(190, 'The beds need water and lime')}\n` },
  }),
  effect('context_compiler.journal_budget_kb', ['12', '1'], [true, false], slot('journal'), {
    files: { 'knowledge/journal/2026-02-16.md': `## 2026-02-16\n\n${long(190, 'The beds had water and lime')}\n` },
  }),
  effect('context_compiler.topic_budget_kb', ['15', '1'], [true, false], slot('topics'), {
    files: { 'topics/watering.md': watering('auto') },
  }),
  effect('search.bm25_weight', ['1', '0'], ['the puppy food is in the truck', 'Ada has a dog'], best, {
    options: { embedder: dogs },
  }),
  effect('search.vector_weight', ['0', '1'], ['the puppy food is in the truck', 'Ada has a dog'], best, {
    options: { embedder: dogs },
  }),
  ...['search.embedding_model', 'search.embedding_dimensions'].map(
    (key): Effect => ({
      key,
      values: ['1536', '3072'],
      // No file of a repository makes a machine talk to a server: it is named, and nothing else.
      seen: [true, true],
      look: async ({ memory }) => {
        const { embedder } = await memory.recall('beds');
        return (
          embedder !== 'text-embedding-3-small' && (await memory.status()).warnings.some((one) => one.includes(key))
        );
      },
    }),
  ),
  effect(
    'watchers.similarity_threshold',
    ['0.05', '0.95'],
    [1, 0],
    async ({ memory }) => (await memory.topics.test('Is there water for the car after lunch?')).active.length,
    {
      files: {
        'topics/watering.md': watering('auto').replace('type: pattern\n    match: hose', 'type: similarity'),
        'topics/accounts.md':
          '---\ntype: topic\nactivation: manual\n---\n\n# Accounts\n\nFile each bill by its month.\n',
      },
    },
  ),
  effect(
    'watchers.gate_model',
    ['haiku', 'flash'],
    ['haiku', 'flash'],
    async ({ memory }) =>
      /the model (\w+)/.exec((await memory.topics.test('Where is the hose?')).considered[0]?.gate?.note ?? '')?.[1],
    { files: gated },
  ),
  effect(
    'watchers.gate_max_tokens',
    ['1', '5'],
    [1, 5],
    async ({ memory }) => {
      await memory.topics.test('Where is the hose?');
      return asked.most;
    },
    { files: gated, options: { model: answering } },
  ),
  effect('lifecycle.commit_interval_minutes', ['30', '90'], [0, 1], async ({ memory, clock }) => {
    await memory.maintenance.runDue();
    await memory.write('knowledge/reference/soil.md', '# Soil\n\nClay.\n');
    clock.advance({ minutes: 60 });
    await memory.maintenance.runDue();
    return (await memory.status()).pending.filter(({ path }) => path.endsWith('soil.md')).length;
  }),
  effect(
    'lifecycle.journal_retention_days',
    ['90', '5'],
    [1, 0],
    async ({ memory }) => {
      await memory.maintenance.run({ tasks: ['journals'] });
      return (await memory.files('knowledge/journal')).length;
    },
    { files: { 'knowledge/journal/2026-02-01.md': '---\ntype: journal\n---\n\n- Old.\n' } },
  ),
  effect('lifecycle.memory_line_cap', ['200', '40'], ['taken', 'TOO_LARGE'], async ({ memory }) =>
    memory.write('knowledge/memory/MEMORY.md', `${long(60, 'A line')}\n`).then(
      () => 'taken',
      ({ code }) => code,
    ),
  ),
  effect('lifecycle.extraction_trigger', ['on_session_end', 'manual'], [true, false], async ({ memory }) => {
    const text = 'We decided to move the greenhouse to the south wall before the frost comes.';
    await memory.capture({ session: 's1', messages: [{ role: 'user', text }] });
    return (await memory.list()).memories.length > 0;
  }),
  effect(
    'lifecycle.condensation_schedule',
    ['"0 23 * * *"', '"30 21 * * *"'],
    ['0 23 * * *', '30 21 * * *'],
    when('condense'),
  ),
  effect('lifecycle.pruning_schedule', ['"0 0 * * 0"', '"0 4 * * 6"'], ['0 0 * * 0', '0 4 * * 6'], when('memory-md')),
  effect('git.auto_commit', ['true', 'false'], [false, true], async ({ memory, clock, dir }) => {
    await memory.close();
    const again = await openMemory({ dir, clock });
    const { commit } = await again.capture('A note.');
    await again.close();
    return commit === null;
  }),
  effect('git.auto_push', ['true', 'false'], [true, false], async ({ memory }) => {
    const bare = temporaryFolder();
    git(bare, 'init', '-q', '--bare', '-b', 'main');
    await memory.sync({ remote: bare });
    await memory.capture('A note.');
    await memory.close();
    return git(bare, 'rev-parse', 'main').trim() === memory.tip;
  }),
  effect('git.auto_tag_daily', ['true', 'false'], [true, false], tagsAfterDays),
  effect(
    'git.commit_message_model',
    ['haiku', 'false'],
    [true, false],
    async ({ memory }) => {
      await memory.commit();
      for (const page of ['soil', 'lime', 'peat', 'sand', 'loam'])
        await memory.write(`knowledge/reference/${page}.md`, `# ${page}\n\nClay.\n`);
      await memory.commit();
      return (await memory.log({ limit: 1 })).commits[0]!.subject.includes('soil of the beds');
    },
    { options: { model: answering } },
  ),
];

it.each(effects)('$key holds by what it changes', async ({ key, values, seen, look, files = {}, options = {} }) => {
  const [, word = ''] = key.split('.');
  const found: unknown[] = [];
  for (const value of values) {
    const text = verbatim.replace(new RegExp(`  ${word}: .*`), `  ${word}: ${value}`);
    expect(text).toContain(`${word}: ${value}`);
    const opened = await begunIn(folderWith({ ...files, 'memory-config.yaml': text }), new ManualClock(), options);
    found.push(await look(opened));
    await opened.memory.close();
  }
  expect(found).toEqual(seen);
});

it('lists an effect of each key', () => {
  expect(effects.map(({ key }) => key).sort()).toEqual(changed.map(([name]) => name).sort());
});

it.skipIf(!hasGit)('stays one memory when memory.yaml goes: the file beside holds, then the defaults', async () => {
  const dir = folderWith({ 'memory-config.yaml': 'lifecycle: {memory_line_cap: 150}\n' });
  const first = await begunIn(dir);
  const { id = '' } = await first.memory.remember({ content: 'The ferry leaves at nine.' });
  await first.memory.close();
  rmSync(join(dir, 'memory.yaml'));
  git(dir, 'commit', '-qam', 'away with it');
  const { memory } = await begunIn(dir);
  expect(await memory.status()).toMatchObject({ branch: 'main', placement: 'repository', memories: 1, warnings: [] });
  expect((await memory.config('memory_md.cap_lines')).keys[0]).toMatchObject({ value: 150 });
  await memory.configure({ 'recall.limit': 5 });
  await memory.commit();
  expect(await memory.read('memory.yaml')).toBe('memory_md:\n  cap_lines: 150\nrecall:\n  limit: 5\n');
  await memory.close();
  git(dir, 'rm', '-q', 'memory.yaml', 'memory-config.yaml');
  git(dir, 'commit', '-qm', 'away with both');
  const last = await begunIn(dir);
  expect((await last.memory.get(id)).content).toBe('The ferry leaves at nine.');
  expect(await last.memory.status()).toMatchObject({ branch: 'main', memories: 1 });
  await last.memory.close();
});

it.skipIf(!hasGit)('committed alone it makes its branch that of the memory', async () => {
  const dir = folderWith({ 'memory-config.yaml': verbatim });
  git(dir, 'init', '-q', '-b', 'main');
  commitAll(dir, 'configuration');
  const { memory } = await begunIn(dir);
  expect(await memory.status()).toMatchObject({ branch: 'main', placement: 'repository' });
  expect((await memory.config('extract.trigger')).keys[0]).toMatchObject({ value: 'on_session_end' });
  await memory.close();
});
