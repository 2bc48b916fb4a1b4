import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transformersPackages } from '../../src/adapters/running-model.ts';
import { turnScorer } from '../../src/adapters/turn-scorer.ts';
import { addModel, listModels, removeModel } from '../../src/adapters/user-models.ts';
import { plainStyle } from '../../src/apps/verbs/style.ts';
import { openMemory } from '../../src/index.ts';
import { Bench, verbNamed } from '../apps/verbs/context.ts';
import { refusal } from '../helpers/error-manners.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { makeTinyModel } from './model-server.ts';

const weights = fileURLToPath(new URL('../../../shared/models/keep', import.meta.url));
const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
const canRun = transformersPackages.every((name) => fs.existsSync(path.join(packages, name)));
const isPresent = canRun && fs.existsSync(weights);

const before = { data: process.env.XDG_DATA_HOME, cache: process.env.XDG_CACHE_HOME };
const set = (name: string, value: string | undefined): void => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  set('XDG_DATA_HOME', path.join(folder, 'data'));
  set('XDG_CACHE_HOME', path.join(folder, 'cache'));
});
afterEach(() => {
  set('XDG_DATA_HOME', before.data);
  set('XDG_CACHE_HOME', before.cache);
});

/** Makes a folder with the names of a scorer's files, and what is given in them. */
function made(name: string, files: Record<string, string>): string {
  const place = path.join(folder, name);
  fs.mkdirSync(place);
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(place, file), text);
  return place;
}

describe.skipIf(!isPresent)('a scorer of turns (skipped, weights not present)', () => {
  it('is added by its folder, judges what is extracted, and is gone when it is removed', async () => {
    const added = await addModel(weights);
    expect(added).toMatchObject({ added: 'keep', before: null, measures: { use: 'keeping', told: 10 } });
    expect(added.models).toMatchObject([{ name: 'keep', use: 'keeping', isDefault: true, licence: 'apache-2.0' }]);

    const memory = await openMemory({ dir: path.join(folder, 'memory'), create: true });
    expect((await memory.status()).keeping).toEqual({ scorer: 'keep' });
    const messages = [
      { role: 'user', text: 'Never deploy on Fridays.' },
      { role: 'agent', text: 'Understood.' },
      { role: 'user', text: 'haha' },
    ];
    await memory.capture({ messages });
    const { extractor, notes, transcripts } = await memory.extract();
    expect(extractor).toMatch(/^rules@\d+\+turns-[0-9a-f]{8}$/);
    expect(notes).toBeUndefined();
    expect(transcripts[0]!.created.map(({ content }) => content)).toEqual(['Never deploy on Fridays.']);
    const commit = (await memory.log({ limit: 1 })).commits[0]!;
    expect(commit.trailers).toContainEqual({ key: 'Extractor', value: extractor });
    await memory.close();

    const bench = new Bench();
    const tried = await bench.run('model', { action: 'try', name: 'Never deploy on Fridays.' });
    await bench.close();
    expect(verbNamed('model').text(tried, plainStyle)).toMatch(/By words and keep\nkept: worth 0\.\d\d, constraint/);
    expect(removeModel('keep').models).toEqual([]);
    const again = await openMemory({ dir: path.join(folder, 'memory') });
    expect((await again.status()).keeping).toEqual({ scorer: null });
    await again.close();
  });

  it('says the same of a turn whatever is asked beside it, and knows its speaker and what it answers', async () => {
    const scorer = await turnScorer(weights);
    const turn = { text: 'Yes, every Friday.', role: 'user' };
    const [alone] = await scorer.score([turn]);
    const [, beside, answer, agents] = await scorer.score([
      { text: 'A long turn that has nothing to do with it. '.repeat(100) },
      turn,
      { ...turn, before: { text: 'Do you want the report each week?' } },
      { ...turn, role: 'agent' },
    ]);
    await scorer.close?.();
    expect(alone).toHaveLength(13);
    expect([...beside!]).toEqual([...alone!]);
    expect([...answer!]).not.toEqual([...alone!]);
    expect([...agents!]).not.toEqual([...alone!]);
  });

  it('leaves the model alone that ranks, and the other way about', async () => {
    await addModel(makeTinyModel(path.join(folder, 'tiny')));
    const { models } = await addModel(weights);
    expect(models.map(({ name, use, isDefault }) => [name, use, isDefault])).toEqual([
      ['keep', 'keeping', true],
      ['tiny', 'search', true],
    ]);
    removeModel('tiny');
    expect(listModels().models).toMatchObject([{ name: 'keep', isDefault: true }]);
  });
});

describe('a folder that holds no whole scorer of turns', () => {
  it('is refused where its vocabulary is none, and nothing of it stays', async () => {
    const files = { 'turns.int8.onnx': 'x' };
    for (const place of [made('without', files), made('other', { ...files, 'vocab.txt': 'no\nmarks\n' })]) {
      const error = await refusal(turnScorer(place));
      expect(error).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE', where: place });
      expect(error.hint).toContain('vocab.txt');
      if (canRun) expect((await refusal(addModel(place))).code).toBe('EMBEDDER_UNAVAILABLE');
      expect(listModels().models).toEqual([]);
    }
  });

  it('is named in the status where it was added and is gone', async () => {
    fs.mkdirSync(path.join(folder, 'data', 'git-memory'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'data', 'git-memory', 'model.json'), '{ "scorer": "gone" }');
    const memory = await openMemory({ dir: path.join(folder, 'memory'), create: true });
    expect((await memory.status()).keeping).toEqual({ scorer: null, why: 'gone is not here' });
    await memory.capture({ messages: [{ role: 'user', text: 'Never deploy on Fridays.' }] });
    const { extractor, notes } = await memory.extract();
    expect(extractor).toMatch(/^rules@\d+$/);
    expect(notes).toEqual([expect.stringContaining('there is no scorer of turns')]);
    await memory.close();
  });

  it.skipIf(!canRun)('is refused with the reason where its weights cannot be read', async () => {
    const place = made('damaged', { 'turns.int8.onnx': 'x', 'vocab.txt': '[CLS]\n[SEP]\n[UNK]\n' });
    const error = await refusal(addModel(place));
    expect(error.code).toBe('EMBEDDER_UNAVAILABLE');
    expect(error.message).toMatch(/cannot be run; @\w+\/transformers@[\d.]+: \S/);
    expect(listModels().models).toEqual([]);
  });
});
