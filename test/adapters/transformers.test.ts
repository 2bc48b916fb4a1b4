import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transformersPackages } from '../../src/adapters/running-model.ts';
import { type TransformersOptions, transformersEmbedder } from '../../src/adapters/transformers.ts';
import type { Embedder } from '../../src/base/ports.ts';
import { refusal } from '../helpers/error-manners.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { type Behaviour, makeTinyModel, serveModel } from './model-server.ts';

const modelFolder = makeTinyModel(temporaryFolder());
const repositoryModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

// What is found out about a model is kept in the user's cache, and no test is to know it from another one.
const before = process.env.XDG_CACHE_HOME;
beforeEach(() => {
  process.env.XDG_CACHE_HOME = temporaryFolder();
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
});

const opened: Embedder[] = [];
afterAll(() => Promise.all(opened.map((embedder) => embedder.close?.())));

async function open(options: TransformersOptions): Promise<Embedder> {
  const embedder = await transformersEmbedder(options);
  opened.push(embedder);
  return embedder;
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * other[at]!, 0);
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

describe.each(transformersPackages)('%s', (name) => {
  // `npm install` leaves out optional peers; the project's own lock file has both.
  describe.skipIf(!isInstalled(name))(`runs a real model (skipped where ${name} is not installed)`, () => {
    const options: TransformersOptions = { model: modelFolder, packages: [name] };
    let running: Promise<Embedder> | undefined;
    /** The model as it is, in one process for all that only ask it. */
    const plain = () => {
      running ??= open(options);
      return running;
    };

    it('gives unit vectors in which texts that share words are close', async () => {
      const embedder = await plain();
      expect(embedder).toMatchObject({ name: `transformers:${modelFolder}`, dimensions: 32 });
      const texts = ['merge git branch', 'git branch merge error', 'walk dog park', 'dog park tomorrow'];
      const [merge, branch, walk, dog] = await embedder.embed(texts);
      expect(Math.hypot(...merge!)).toBeCloseTo(1, 5);
      expect(cosine(merge!, branch!)).toBeGreaterThan(cosine(merge!, walk!));
      expect(cosine(walk!, dog!)).toBeGreaterThan(cosine(walk!, branch!));
    });

    it('gives a text the same vector whatever stands beside it, now and in another process', async () => {
      const [one, other] = [await plain(), await open(options)];
      const [alone] = await one.embed(['the git branch']);
      const [, second] = await other.embed(['a much longer text about dogs and birds in the park', 'the git branch']);
      expect([...second!]).toEqual([...alone!]);
      expect(other.fingerprint).toBe(one.fingerprint);
    });

    it('takes any text: empty, long, or of other scripts', async () => {
      const embedder = await plain();
      const texts = ['', 'word '.repeat(2000), 'Größe, 大きさ, 📏\u0000\ud800', '[CLS] [SEP] <|im_start|>'];
      const vectors = await embedder.embed(texts);
      for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(await embedder.embed([])).toEqual([]);
    });

    it('puts the prefix of its kind before a text, and only there', async () => {
      const prefixed = await open({ ...options, prefixes: { query: 'find ' } });
      const [asked] = await prefixed.embed(['the dog'], { kind: 'query' });
      const [kept] = await prefixed.embed(['the dog'], { kind: 'document' });
      const [expectedAsked, expectedKept] = await (await plain()).embed(['find the dog', 'the dog']);
      expect([...asked!]).toEqual([...expectedAsked!]);
      expect([...kept!]).toEqual([...expectedKept!]);
    });

    it('is told apart by all that shapes its vectors, and not by where the model lies', async () => {
      const copy = path.join(temporaryFolder(), 'copy');
      fs.cpSync(modelFolder, copy, { recursive: true });
      const other = makeTinyModel(path.join(temporaryFolder(), 'wide'), '--dimensions', '48');
      const prints = [(await plain()).fingerprint];
      for (const one of [
        { ...options, model: copy },
        { ...options, quantised: false },
        { ...options, prefixes: { query: 'find ' } },
        { ...options, model: other },
      ]) {
        const embedder = await open(one);
        prints.push(embedder.fingerprint);
        await embedder.close?.();
      }
      expect(prints[1]).toBe(prints[0]);
      expect(new Set(prints).size).toBe(4);
    });

    it('gives nearly the same vectors with 8 bits and with 32', async () => {
      const [eight, full] = [await plain(), await open({ ...options, quantised: false })];
      const [[one], [other]] = [await eight.embed(['git merge']), await full.embed(['git merge'])];
      expect(cosine(one!, other!)).toBeGreaterThan(0.999);
      expect([...one!]).not.toEqual([...other!]);
    });

    it('downloads a model once, says how far it is, and needs no network afterwards', async () => {
      const server = await serveModel(modelFolder);
      const cacheFolder = path.join(temporaryFolder(), 'cache', 'models');
      const progress: { done: number; total: number }[] = [];
      const wanted = { packages: [name], model: 'someone/tiny', cacheFolder, host: server.url.slice(0, -1) };
      const downloaded = await open({ ...wanted, download: true, onProgress: (now) => progress.push(now) });
      expect(downloaded.dimensions).toBe(32);
      expect(server.requests).toContain('onnx/model_quantized.onnx');
      const { done, total } = progress.at(-1)!;
      expect(done).toBe(total);
      expect(total).toBeGreaterThan(50_000);

      await server.close();
      const again = await open(wanted);
      expect([...(await again.embed(['git']))[0]!]).toEqual([...(await downloaded.embed(['git']))[0]!]);
      expect(again.fingerprint).toBe((await plain()).fingerprint);
      expect(fs.readdirSync(cacheFolder)).toEqual(['someone']);
    });

    it('adds weights of the other size to a model that is there', async () => {
      const cacheFolder = temporaryFolder();
      const server = await serveModel(modelFolder);
      const wanted = { packages: [name], model: 'tiny', cacheFolder, host: server.url, download: true };
      await open(wanted);
      const full = await open({ ...wanted, quantised: false });
      expect(full.dimensions).toBe(32);
      expect(fs.readdirSync(path.join(cacheFolder, 'tiny', 'onnx')).sort()).toEqual([
        'model.onnx',
        'model_quantized.onnx',
      ]);
    });

    it.each([
      ['is not there', 'nothing there', undefined],
      ['breaks off in the middle', 'half', undefined],
      ['falls silent', 'silence', 'no answer for 2 seconds'],
    ] as [string, Behaviour, string | undefined][])(
      'gives up a download that %s, and leaves nothing behind',
      async (_, behaviour, message) => {
        const server = await serveModel(modelFolder, behaviour);
        const cacheFolder = temporaryFolder();
        const error = await refusal(
          transformersEmbedder({
            packages: [name],
            model: 'someone/tiny',
            cacheFolder,
            host: server.url,
            download: true,
            silenceMs: 2000,
          }),
        );
        expect(error.code).toBe('EMBEDDER_UNAVAILABLE');
        expect(error.message).toContain('someone/tiny cannot be downloaded');
        if (message !== undefined) expect(error.message).toContain(message);
        expect(fs.readdirSync(cacheFolder)).toEqual([]);
      },
    );

    it('gives up at once where there is no network, and when it is told to', async () => {
      const server = await serveModel(modelFolder, 'silence');
      const wanted = { packages: [name], model: 'tiny', cacheFolder: temporaryFolder(), download: true };
      const stop = new AbortController();
      const stopped = transformersEmbedder({ ...wanted, host: server.url, signal: stop.signal });
      setTimeout(() => stop.abort(new Error('enough')), 300);
      await expect(stopped).rejects.toThrow('enough');
      await server.close();
      const error = await refusal(transformersEmbedder({ ...wanted, host: server.url }));
      expect(error.message).toContain('ECONNREFUSED');
    });

    it('says what is wrong with a model that is damaged', async () => {
      const damaged = path.join(temporaryFolder(), 'damaged');
      fs.cpSync(modelFolder, damaged, { recursive: true });
      fs.truncateSync(path.join(damaged, 'onnx', 'model_quantized.onnx'), 1000);
      const error = await refusal(transformersEmbedder({ packages: [name], model: damaged }));
      expect(error.code).toBe('EMBEDDER_UNAVAILABLE');
      expect(error.message).toMatch(/cannot be run; @\w+\/transformers@[\d.]+: \S/);
    });
  });
});

describe.skipIf(!isInstalled('@xenova/transformers'))('@xenova/transformers with a sharp that cannot be loaded', () => {
  it('runs models that are here; a download is refused with the reason, and our own process lives', async () => {
    const modules = path.join(temporaryFolder(), 'node_modules');
    const real = path.join(repositoryModules, '@xenova', 'transformers');
    const copy = path.join(modules, '@xenova', 'transformers');
    fs.mkdirSync(copy, { recursive: true });
    fs.cpSync(path.join(real, 'src'), path.join(copy, 'src'), { recursive: true });
    fs.copyFileSync(path.join(real, 'package.json'), path.join(copy, 'package.json'));
    for (const name of ['onnxruntime-node', 'onnxruntime-web']) {
      fs.symlinkSync(path.join(repositoryModules, name), path.join(modules, name));
    }
    fs.mkdirSync(path.join(modules, '@huggingface'));
    const jinja = [path.join(real, 'node_modules'), repositoryModules]
      .map((folder) => path.join(folder, '@huggingface', 'jinja'))
      .find((folder) => fs.existsSync(folder));
    fs.symlinkSync(jinja!, path.join(modules, '@huggingface', 'jinja'));
    fs.mkdirSync(path.join(modules, 'sharp'));
    fs.writeFileSync(
      path.join(modules, 'sharp', 'index.js'),
      `throw new Error('Something went wrong installing the "sharp" module');`,
    );
    const wanted = { packages: ['@xenova/transformers'], resolveFrom: path.dirname(modules) };
    const embedder = await open({ ...wanted, model: modelFolder });
    expect((await embedder.embed(['git']))[0]).toHaveLength(32);
    const server = await serveModel(modelFolder);
    const cacheFolder = temporaryFolder();
    const error = await refusal(
      transformersEmbedder({ ...wanted, model: 'someone/tiny', cacheFolder, host: server.url, download: true }),
    );
    await server.close();
    expect(error.code).toBe('EMBEDDER_UNAVAILABLE');
    expect(error.message).toContain('Something went wrong installing the "sharp" module');
  });
});

/** Installs packages of that source in a folder of their own. */
function install(packages: Record<string, string>): TransformersOptions {
  const folder = temporaryFolder();
  for (const [name, source] of Object.entries(packages)) {
    const place = path.join(folder, 'node_modules', name);
    fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(path.join(place, 'package.json'), '{ "version": "1.2.3", "type": "module", "main": "main.js" }');
    fs.writeFileSync(path.join(place, 'main.js'), source);
  }
  return { model: modelFolder, packages: Object.keys(packages), resolveFrom: folder };
}

const working = `
  export const env = {};
  export const pipeline = async () => async ([text]) => {
    if (text === 'die') process.abort();
    if (text === 'throw') throw new Error('no more');
    if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, 20));
    if (text === 'hang') await new Promise(() => setInterval(() => {}, 1000));
    return { data: Float32Array.of(text.length, 1) };
  };
  console.log('printed to standard output');
`;

describe('a package', () => {
  it.each([
    [
      'dies past every catch',
      `setImmediate(() => { throw new Error('sharp is broken'); }); await new Promise(() => {});`,
    ],
    ['aborts', 'process.abort();'],
    ['ends its process', 'process.exit(0);'],
    ['throws', `throw new Error('wrong platform');`],
    ['exports something else', 'export const other = 1;'],
    ['never comes to an end', 'setInterval(() => {}, 1000); await new Promise(() => {});'],
  ])('that %s is left for the next one', async (_, source) => {
    const embedder = await open({ ...install({ broken: source, working }), silenceMs: 6000 });
    expect(JSON.parse(embedder.fingerprint)).toMatchObject({ runtime: 'working@1.2.3' });
    expect([...(await embedder.embed(['abc']))[0]!]).toEqual([3, 1]);
  });

  it('that cannot be used is named with its reason, and so are the others', async () => {
    const wanted = install({ one: `throw new Error('wrong platform');`, two: 'process.exit(3);' });
    const error = await refusal(transformersEmbedder(wanted));
    expect(error.code).toBe('EMBEDDER_UNAVAILABLE');
    expect(error.message).toContain('one@1.2.3: wrong platform; two@1.2.3: the process ended with exit code 3');
  });

  it('that is not installed is asked for', async () => {
    const error = await refusal(transformersEmbedder({ model: modelFolder, resolveFrom: temporaryFolder() }));
    expect(error.code).toBe('EMBEDDER_UNAVAILABLE');
    expect(error.message).toContain('@huggingface/transformers and @xenova/transformers are not installed');
    expect(error.message).toContain('npm install @huggingface/transformers');
  });
});

describe('an embedder whose process dies', () => {
  it('says so, and goes on in a new one', async () => {
    const embedder = await open(install({ working }));
    const error = await refusal(embedder.embed(['a', 'die', 'b']));
    expect(error.code).toBe('EMBEDDING_FAILED');
    expect(error.message).toContain('the process ended by SIGABRT');
    expect([...(await embedder.embed(['abcd']))[0]!]).toEqual([4, 1]);
  });

  it('keeps it where only a text failed', async () => {
    const embedder = await open(install({ working }));
    const calls = [embedder.embed(['throw']), embedder.embed(['ab'])];
    expect((await refusal(calls[0]!)).message).toContain('failed: no more');
    expect([...(await calls[1]!)[0]!]).toEqual([2, 1]);
  });

  it('does not wait for ever', async () => {
    const embedder = await open({ ...install({ working }), silenceMs: 4000 });
    expect((await refusal(embedder.embed(['hang']))).message).toContain('no answer for 4 seconds');
    expect([...(await embedder.embed(['abc']))[0]!]).toEqual([3, 1]);
  });

  it('answers a question before the texts that wait', async () => {
    const embedder = await open(install({ working }));
    const order: string[] = [];
    const texts = embedder.embed(Array.from({ length: 30 }, () => 'slow')).then(() => order.push('texts'));
    const question = embedder.embed(['why'], { kind: 'query' }).then(() => order.push('question'));
    await Promise.all([texts, question]);
    expect(order).toEqual(['question', 'texts']);
  });

  it('answers after close that it was closed', async () => {
    const embedder = await open(install({ working }));
    await embedder.close?.();
    expect((await refusal(embedder.embed(['abc']))).code).toBe('CLOSED');
  });
});

describe('a model that has run here', () => {
  it('is not started before there is a text, and tells when it cannot be any more', async () => {
    const options = install({ working });
    const first = await open(options);
    fs.writeFileSync(path.join(options.resolveFrom!, 'node_modules/working/main.js'), `throw new Error('worn out');`);
    const second = await open(options);
    expect(second).toMatchObject({ fingerprint: first.fingerprint, dimensions: 2 });
    const [error, again] = await Promise.all([refusal(second.embed(['a'])), refusal(second.embed(['b']))]);
    expect(error).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
    expect(error.message).toContain('cannot be run; working@1.2.3: worn out');
    expect(again.message).toBe(error.message);
    // By now it is known no more.
    expect((await refusal(transformersEmbedder(options))).message).toContain('worn out');
  });

  it('is read again once it was changed', async () => {
    const model = path.join(temporaryFolder(), 'changing');
    fs.cpSync(modelFolder, model, { recursive: true });
    const options = { ...install({ working }), model };
    const { fingerprint } = await open(options);
    expect((await open(options)).fingerprint).toBe(fingerprint);
    const weights = path.join(model, 'onnx', 'model_quantized.onnx');
    const { atime, mtime } = fs.statSync(weights);
    fs.writeFileSync(weights, fs.readFileSync(weights).reverse());
    fs.utimesSync(weights, atime, mtime);
    expect((await open(options)).fingerprint).not.toBe(fingerprint);
  });
});

describe('a model', () => {
  it('that is nowhere is asked for, without a look at the network', async () => {
    const server = await serveModel(modelFolder);
    const cacheFolder = temporaryFolder();
    const wanted = { ...install({ working }), model: 'someone/tiny', cacheFolder, host: server.url };
    const error = await refusal(transformersEmbedder(wanted));
    expect(error.code).toBe('EMBEDDER_UNAVAILABLE');
    expect(error.message).toContain(`the model someone/tiny is not in ${path.join(cacheFolder, 'someone', 'tiny')}`);
    expect(server.requests).toEqual([]);
    const folder = await refusal(transformersEmbedder({ ...wanted, model: cacheFolder, download: true }));
    expect(folder.message).toContain('has no config.json');
  });

  it.each(['', '../up', 'a/b/c', 'a/../b', 'a b', '-x', 'a/.b', 'https://example.org/model'])(
    'named %j is refused',
    async (model) => {
      const isPath = model.startsWith('..');
      const error = await refusal(transformersEmbedder({ ...install({ working }), model }));
      expect(error.code).toBe(isPath ? 'EMBEDDER_UNAVAILABLE' : 'INVALID_ARGUMENT');
    },
  );
});
