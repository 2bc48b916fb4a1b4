// The configuration file of the specification: taken over by a new memory, understood in memory.yaml, and true by its effects.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { planMemory } from '../../src/memory/plan-memory.ts';
import { parseConfiguration } from '../../src/store/records/configuration.ts';
import { ManualClock, newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';
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

async function begunIn(dir: string, clock = new ManualClock()) {
  const memory = await openMemory({ dir, create: true, durability: 'fast', clock });
  return { memory, clock };
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
  git(dir, 'add', '.');
  git(dir, 'commit', '-qm', 'configuration');
  const { memory } = await begunIn(dir);
  expect(await memory.status()).toMatchObject({ branch: 'main', placement: 'repository' });
  expect((await memory.config('extract.trigger')).keys[0]).toMatchObject({ value: 'on_session_end' });
  await memory.close();
});
