// The registry of extractors: chosen by name for one call, in memory.yaml, or for an experiment.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ExtractedItem, type Memory, type OwnExtractors, openMemory } from '../../src/index.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { runHere } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const time = '2026-02-16T08:00:00Z';
const said = [
  'Decision: we paint the boathouse of Askøy green.',
  'Torunn is my sister.',
  'Lesson learned: tarred rope rots when it is stored wet.',
  'The boathouse of Askøy has 14 windows.',
];
const talk = (memory: Memory, session: string, texts: readonly string[] = said) =>
  memory.capture({ session, messages: texts.map((text) => ({ role: 'user', text, time })) });

/** Keeps whole turns with a word. */
const keeping = (word: string): OwnExtractors[string] => ({
  version: '7',
  extract: ({ turns }) =>
    turns.flatMap(({ role, text }, at): ExtractedItem[] =>
      text.includes(word)
        ? [{ category: 'fact', content: text, confidence: 0.9, turns: [at + 1], role, entities: [], tags: [] }]
        : [],
    ),
});
const contentOf = async (memory: Memory) => (await memory.list()).memories.map(({ content }) => content).sort();

describe('an extractor that is chosen by name', () => {
  it('is one of the six of the rules: each keeps its part, and together they keep all', async () => {
    const kept = new Map<string, readonly string[]>();
    const names = ['decisions', 'lessons', 'people', 'procedures', 'facts', 'journal'];
    for (const name of [...names, 'rules']) {
      const { memory } = await newTestMemory();
      await talk(memory, 'one');
      const { extractor } = await memory.extract({ extractors: [name] });
      expect(extractor).toMatch(name === 'rules' ? /^rules@\d+$/ : new RegExp(`^rules/${name}@\\d+$`));
      kept.set(name, await contentOf(memory));
      await memory.close();
    }
    expect(kept.get('decisions')).toEqual([said[0]]);
    expect(kept.get('people')).toEqual([said[1]]);
    expect(kept.get('lessons')).toEqual([expect.stringContaining('rots')]);
    expect(kept.get('facts')!.join()).toContain('14 windows');
    expect([...new Set(names.flatMap((name) => kept.get(name)!))].sort()).toEqual(kept.get('rules'));
  });

  it('reads what it has not read, whoever else did, and makes nothing twice', async () => {
    const { memory } = await newTestMemory();
    await talk(memory, 'one');
    await memory.extract({ extractors: ['people'] });
    expect(await contentOf(memory)).toEqual([said[1]]);
    expect(await memory.extract({ extractors: ['people'] })).toMatchObject({ transcripts: [] });
    await memory.extract();
    const all = await contentOf(memory);
    expect(all).toContain(said[0]);
    expect(all.filter((one) => one === said[1])).toHaveLength(1);
  });

  it('may be a program of its own, in memory.yaml, with auto_extract and in an experiment that is adopted', async () => {
    const { memory } = await newTestMemory({ extractors: { windows: keeping('windows'), sisters: keeping('sister') } });
    await talk(memory, 'one');
    const ran = await memory.experiments.run('mine', { extractors: ['windows'] });
    expect(ran).toMatchObject({ extractor: 'windows@7', created: 1, config: { 'extract.extractors': ['windows'] } });
    await memory.experiments.adopt('mine');
    expect(await contentOf(memory)).toEqual([said[3]]);
    // It stays in use.
    await talk(memory, 'two', ['The mill has 3 windows.', 'We decided to sell the mill.']);
    expect(await memory.extract()).toMatchObject({ extractor: 'windows@7', transcripts: [{ created: [{}] }] });
    await writeConfiguration(memory, 'version: 1\nauto_extract: true\nextract: { extractors: [sisters, windows] }\n');
    const { extraction } = await talk(memory, 'three', ['Her sister is late.', 'The barn has 5 windows.', 'It rains.']);
    expect(extraction!.created).toHaveLength(2);
  });

  it('is named with what there is when there is none, and nothing is read or begun', async () => {
    const { memory } = await newTestMemory({ extractors: { mine: keeping('e') } });
    await talk(memory, 'one');
    const hint = expect.stringMatching(/decisions.*There are rules, model, .*journal, mine/);
    await expect(memory.extract({ extractors: ['decision'] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      hint,
    });
    await expect(memory.experiments.run('x', { extractors: ['decision'] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect((await memory.branches.list()).map(({ name }) => name)).toEqual(['main']);
    await writeConfiguration(memory, 'version: 1\nextract: { extractors: [decision] }\n');
    await expect(memory.extract()).rejects.toMatchObject({ code: 'INVALID_CONFIG', hint });
    expect(await contentOf(memory)).toEqual([]);
  });

  it('has a name that is free, a version and a function', async () => {
    const dir = temporaryFolder();
    const open = (extractors: unknown) => openMemory({ dir, create: true, extractors: extractors as OwnExtractors });
    for (const bad of [{ rules: keeping('a') }, { 'a b': keeping('a') }, { a: { version: '1' } }, { a: null }]) {
      await expect(open(bad)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it('is the model where that is named, and ends without one', async () => {
    const { memory } = await newTestMemory({ model: null });
    await talk(memory, 'one');
    await expect(memory.extract({ extractors: ['model'] })).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    const model = { name: 'test/one', isRemote: false, complete: async () => '{"items":[]}' };
    const read = await memory.extract({ extractors: ['model', 'rules'], model });
    expect(read.extractor).toMatch(/^model\+rules@\d+\+\d+$/);
    expect(await contentOf(memory)).toContain(said[0]);
  });
});

it('what was read and gave nothing is counted and named', async () => {
  const { memory } = await newTestMemory();
  for (let at = 0; at < 7; at++) await talk(memory, `dull${at}`, ['ok', 'hm']);
  await talk(memory, 'rich');
  const { barren } = await memory.extract();
  expect(barren).toMatchObject({ conversations: 7 });
  expect(barren!.paths).toHaveLength(5);
  expect(barren!.paths[0]).toContain('dull');
});

/** The command line in a folder, with something of the environment beside. */
const runIn =
  (folder: string) =>
  async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const before = { ...process.env };
    Object.assign(process.env, { GIT_CONFIG_GLOBAL: '/dev/null' }, environment);
    try {
      return await runHere(folder, args);
    } finally {
      process.env = before;
    }
  };

it('a model that was named and cannot be had ends a program with 12, with nothing read', async () => {
  const folder = temporaryFolder();
  const run = runIn(folder);
  expect((await run(['init'])).status).toBe(0);
  expect((await run(['capture', '--text', said[0]!])).status).toBe(0);
  for (const result of [
    await run(['extract', '--model', 'openai/gpt-5-mini']),
    await run(['extract'], { GIT_MEMORY_MODEL: 'openai/gpt-5-mini' }),
    await run(['extract', '--extractor', 'model']),
    await run(['experiment', 'run', 'x', '--model', 'openai/gpt-5-mini']),
  ]) {
    expect(result).toMatchObject({ status: 12, stdout: '' });
  }
  expect((await run(['experiment', 'list'])).stdout).toContain('no experiments');
  expect((await run(['list', '--json'])).stdout).not.toContain('boathouse');
  // Without one, or with none, the rules read.
  expect((await run(['extract', '--model', 'none'])).stdout).toContain('boathouse');
});

describe('a module of extractors that a person names', () => {
  const module = (word: string) => `export const extractors = { ${word}: { version: '1', extract: ({ turns }) =>
    turns.flatMap(({ text }, at) => text.includes('${word}') ? [{ category: 'fact', content: text, confidence: 0.9, turns: [at + 1] }] : []) } };`;

  it('is read from outside of the memory alone, by option, environment and git config, and only where it is chosen', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const run = runIn(folder);
    await run(['init']);
    for (const [name, word] of [
      ['mine.mjs', 'windows'],
      ['other.mjs', 'sister'],
    ] as const)
      writeFileSync(join(outside, name), module(word));
    writeFileSync(
      join(outside, 'bad.mjs'),
      'export const extractors = { bad: { version: "1", extract: () => [{ content: "x", category: "fact", turns: [1] }] } };',
    );
    writeFileSync(join(outside, 'broken.mjs'), 'throw new Error("it ran");');
    writeFileSync(join(folder, 'held.mjs'), module('windows'));
    writeFileSync(join(outside, 'talk.json'), JSON.stringify(said.map((text) => ({ role: 'user', text, time }))));
    await run(['capture', join(outside, 'talk.json')]);
    const extract = (name: string, more: readonly string[], environment = {}) =>
      run(['extract', '--json', '--extractor', name, ...more], environment);
    // Nobody named it, or what was named is none of the person's.
    expect((await extract('windows', [])).stderr).toContain('there is no extractor windows');
    const held = await extract('windows', ['--extractors-from', join(folder, 'held.mjs')]);
    expect(held.stderr).toContain('lies in the repository of the memory');
    const wrong = JSON.parse((await extract('bad', ['--extractors-from', join(outside, 'bad.mjs')])).stderr);
    expect(JSON.stringify(wrong)).toContain('items[0].confidence');
    // What is not chosen does not run.
    expect((await run(['extract', '--extractors-from', join(outside, 'broken.mjs')])).status).toBe(0);
    const config = join(outside, 'gitconfig');
    writeFileSync(config, `[git-memory]\n\textractors = ${join(outside, 'other.mjs')}\n`);
    for (const result of [
      await extract('windows', ['--extractors-from', join(outside, 'mine.mjs')]),
      await extract('windows', ['--dry-run'], { GIT_MEMORY_EXTRACTORS: join(outside, 'mine.mjs') }),
      await extract('sister', [], { GIT_CONFIG_GLOBAL: config }),
    ])
      expect(result.stderr).toBe('');
    expect((await run(['list'])).stdout).toContain('14 windows');
    await run(['config', 'extract.extractors', '[windows]']);
    const lacking = await run(['extract']);
    expect(lacking.stderr).toContain('memory.yaml wants the extractor windows');
    expect(lacking.stderr).toContain('GIT_MEMORY_EXTRACTORS');
  });
});
