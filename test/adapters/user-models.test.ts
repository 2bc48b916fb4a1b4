import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { installRuntime, runtimeVersions } from '../../src/adapters/model-runtime.ts';
import { addModel, listModels, removeModel } from '../../src/adapters/user-models.ts';
import type { ModelMeasures } from '../../src/base/types.ts';
import { openMemory } from '../../src/index.ts';
import { refusal } from '../helpers/error-manners.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { makeTinyModel, serveModel } from './model-server.ts';

const names = [
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'HF_ENDPOINT',
  'PATH',
  'npm_config_registry',
  'npm_config_cache',
] as const;
const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  Object.assign(process.env, { XDG_DATA_HOME: path.join(folder, 'data'), XDG_CACHE_HOME: path.join(folder, 'cache') });
});

afterEach(() => {
  for (const name of names) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

const kept = (): string[] => {
  const data = path.join(folder, 'data', 'git-memory');
  return fs.existsSync(data) ? fs.readdirSync(data).sort() : [];
};

describe('what installs nothing', () => {
  it('lists nothing where nothing was added, and removes nothing', () => {
    expect(listModels()).toEqual({ models: [], runtime: null });
    expect(() => removeModel('tiny')).toThrow('there is no model "tiny" here');
  });

  it.each(['', 'a b', 'a/b/c', 'https://example.org/model', 'x'.repeat(1000)])(
    'refuses a name that is no model',
    async (name) => {
      const error = await refusal(addModel(name));
      expect(error.code).toBe('INVALID_ARGUMENT');
      expect(error.message.length).toBeLessThan(1000);
      expect(kept()).toEqual([]);
    },
  );

  it('says of a folder what it lacks before anything is installed', async () => {
    const half = path.join(folder, 'half');
    fs.mkdirSync(half);
    fs.writeFileSync(path.join(half, 'config.json'), '{}');
    expect(await refusal(addModel(half))).toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      what: 'the folder has no tokenizer.json',
    });
    expect(await refusal(addModel(path.join(folder, 'none')))).toMatchObject({ what: 'there is no such folder' });
    expect(kept()).toEqual([]);
  });

  it('says that there is no npm', async () => {
    process.env.PATH = folder;
    const error = await refusal(installRuntime('@huggingface/transformers'));
    expect(error).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE', where: 'npm' });
    expect(error.message).toContain('there is no npm on the PATH');
    expect(kept()).toEqual([]);
  });

  it('says why npm cannot, and leaves nothing behind', async () => {
    Object.assign(process.env, {
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_cache: path.join(folder, 'npm'),
      npm_config_fetch_retries: '0',
    });
    const error = await refusal(installRuntime('@huggingface/transformers'));
    delete process.env.npm_config_fetch_retries;
    expect(error).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE', where: 'npm' });
    expect(error.message).toContain('127.0.0.1:9');
    expect(kept()).toEqual([]);
  });

  it('knows the versions that the project tries its tests with', () => {
    const manifest = createRequire(import.meta.url)('../../package.json') as {
      devDependencies: Record<string, string>;
    };
    for (const [name, version] of Object.entries(runtimeVersions)) expect(manifest.devDependencies[name]).toBe(version);
  });
});

const isInstalled = fs.existsSync(new URL('../../node_modules/@huggingface/transformers', import.meta.url));

describe.skipIf(!isInstalled)(
  'a package that is there (skipped where @huggingface/transformers is not installed)',
  () => {
    it('runs a model without npm, which is compared with its 32-bit weights', async () => {
      process.env.PATH = folder;
      const tiny = makeTinyModel(path.join(folder, 'tiny'));
      const first = await addModel(tiny);
      expect(first).toMatchObject({ added: 'tiny', before: null, runtime: null });
      expect(first.measures).toMatchObject({ runtime: '@huggingface/transformers@4.3.1', isQuantised: true });
      const { agreement } = first.measures as ModelMeasures;
      expect(agreement!.with).toBe('onnx/model.onnx');
      expect(agreement!.cosine).toBeGreaterThan(0.999);
      expect(kept()).toEqual(['model.json', 'models']);

      // Weights of the other size are none to compare with, nor do they stray.
      const onlyFull = path.join(folder, 'full');
      fs.cpSync(tiny, onlyFull, { recursive: true });
      fs.rmSync(path.join(onlyFull, 'onnx', 'model_quantized.onnx'));
      const second = await addModel(onlyFull);
      expect(second).toMatchObject({ before: 'tiny', measures: { isQuantised: false, agreement: null } });
      fs.rmSync(path.join(tiny, 'onnx', 'model.onnx'));
      expect((await addModel(tiny)).measures).toMatchObject({ isQuantised: true, agreement: null });
    });
  },
);

/** Two installs and three loads on a machine that may have other things to do. */
const patienceMs = 600_000;

const npm = spawnSync('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=20000'], { encoding: 'utf8' });

describe.skipIf(npm.status !== 0)('a real npm (skipped where it does not reach its registry)', () => {
  let tiny: string;
  let wide: string;

  beforeAll(() => {
    const models = temporaryFolder();
    tiny = makeTinyModel(path.join(models, 'tiny'));
    wide = makeTinyModel(path.join(models, 'wide'), '--dimensions', '48');
    fs.rmSync(path.join(wide, 'onnx', 'model_quantized.onnx'));
    fs.writeFileSync(path.join(wide, 'README.md'), '---\nlanguage: en\nlicense: apache-2.0\n---\n# Wide\n');
  });

  it(
    'installs, adds a model from a folder, replaces it, forgets the vectors of the old one, and removes all',
    async () => {
      const first = await addModel(tiny, { runtime: '@huggingface/transformers' });
      expect(first).toMatchObject({ added: 'tiny', models: [{ name: 'tiny', isDefault: true, licence: null }] });
      expect(first.measures).toMatchObject({ dimensions: 32 });
      expect(first.runtime).toMatchObject({ name: '@huggingface/transformers', version: '4.3.1' });
      expect(first.runtime!.licences['Apache-2.0']).toContain('@huggingface/transformers 4.3.1');
      expect(first.runtime!.bytes).toBeLessThan(150e6);
      expect(kept()).toEqual(['model.json', 'models', 'transformers']);

      const directory = path.join(folder, 'memory');
      const vectors = path.join(directory, '.git/git-memory/cache/vectors-1');
      const ranked = async (): Promise<string | null> => {
        const memory = await openMemory({ dir: directory });
        const { embedder } = await memory.maintenance.reindex();
        await memory.close();
        return embedder;
      };
      const memory = await openMemory({ dir: directory, create: true });
      await memory.remember('Ada merges the git branch');
      await memory.commit();
      await memory.close();
      expect(await ranked()).toBe('transformers:tiny');
      // The table of the package has a folder of its own.
      const before = fs.readdirSync(vectors);
      expect(before).toHaveLength(2);

      const second = await addModel(wide);
      expect(second.models).toMatchObject([
        { name: 'tiny', isDefault: false },
        { name: 'wide', isDefault: true, licence: 'apache-2.0' },
      ]);
      expect(second.measures).toMatchObject({ dimensions: 48 });
      expect(await ranked()).toBe('transformers:wide');
      const after = fs.readdirSync(vectors);
      expect(after).toHaveLength(2);
      const ofTable = after.filter((name) => before.includes(name));
      expect(ofTable).toHaveLength(1);

      expect(removeModel('wide')).toMatchObject({ removed: 'wide', models: [{ name: 'tiny', isDefault: false }] });
      expect(await ranked()).toBe('english-table');
      expect(fs.readdirSync(vectors)).toEqual(ofTable);
      const { bytes } = removeModel('tiny');
      expect(bytes).toBeGreaterThan(first.runtime!.bytes);
      expect(listModels()).toEqual({ models: [], runtime: null });
      expect(kept()).toEqual(['models']);
    },
    patienceMs,
  );

  it(
    'fetches a model by its id, with either package; and says what to do where its host cannot be reached',
    async () => {
      const server = await serveModel(tiny);
      process.env.HF_ENDPOINT = server.url;
      const added = await addModel('someone/tiny', { runtime: '@xenova/transformers' });
      expect(added).toMatchObject({
        added: 'someone/tiny',
        runtime: { name: '@xenova/transformers', version: '2.17.2' },
      });
      expect(server.requests).toContain('onnx/model_quantized.onnx');
      await server.close();
      // What is here is not fetched again.
      expect(await addModel('someone/tiny')).toMatchObject({ runtime: { name: '@xenova/transformers' } });
      const error = await refusal(addModel('someone/other'));
      expect(error).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE', where: 'someone/other' });
      expect(error.hint).toContain('git memory model add ./FOLDER');
      expect(listModels().models.map(({ name, isDefault }) => [name, isDefault])).toEqual([['someone/tiny', true]]);
    },
    patienceMs,
  );

  it('cut in the middle leaves nothing that is taken for whole', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 700);
    await expect(installRuntime('@huggingface/transformers', { signal: stop.signal })).rejects.toThrow('enough');
    expect(kept()).toEqual([]);
    expect(listModels().runtime).toBeNull();
  });
});
