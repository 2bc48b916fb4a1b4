import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Embedder,
  ephemeralFileSystem,
  functionEmbedder,
  type Memory,
  MemoryError,
  openMemory,
} from '../../src/index.ts';
import { makeTinyModel } from '../adapters/model-server.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { buildProgram, projectRoot, runProgram } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** Knows that puppies and hounds are dogs. */
const meanings = functionEmbedder({
  name: 'meanings',
  fingerprint: '1',
  dimensions: 2,
  isInstant: true,
  embed: (texts) => texts.map((text) => [/dog|puppy|hound/i.test(text) ? 1 : 0, /car|truck/i.test(text) ? 1 : 0.1]),
});

async function remembering(memory: Memory, ...contents: string[]): Promise<void> {
  for (const content of contents) await memory.remember(content);
  await memory.commit();
}

describe('a memory with an embedder', () => {
  it('finds what shares no word with the question, and says who ranked', async () => {
    const { memory } = await newTestMemory({ embedder: meanings });
    await remembering(memory, 'Ada has a dog', 'Bob drives a truck');
    const { embedder, hits } = await memory.recall('hound');
    expect(embedder).toBe('meanings');
    expect(hits[0]).toMatchObject({ snippet: 'Ada has a dog', parts: { lexical: 0 } });
    const byWords = await memory.recall('hound', { mode: 'lexical' });
    expect(byWords).toMatchObject({ embedder: null, hits: [] });
  });

  it('ranks with the scoring of the spec as search.bm25_weight and vector_weight say, unless the question does', async () => {
    const { memory } = await newTestMemory({ embedder: meanings });
    await remembering(memory, 'the puppy food is in the truck', 'Ada has a dog');
    const first = async (options = {}) =>
      (await memory.recall('puppy', { fusion: 'spec', ...options })).hits[0]!.snippet;
    await memory.configure({ 'search.bm25_weight': 1, 'search.vector_weight': 0 });
    expect(await first()).toBe('the puppy food is in the truck');
    expect(await first({ fusion: 'sum', vectorWeight: 1 })).toBe('Ada has a dog');
    await memory.configure({ 'search.vector_weight': 1, 'search.bm25_weight': 0 });
    expect(await first()).toBe('Ada has a dog');
    await expect(memory.configure({ 'search.vector_weight': 0 })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('answers for the past as it answered then', async () => {
    const { memory, clock } = await newTestMemory({ embedder: meanings });
    await remembering(memory, 'Ada has a dog');
    const then = memory.tip!;
    const before = (await memory.recall('puppy')).hits.map(({ snippet }) => snippet);
    clock.advance({ days: 1 });
    await remembering(memory, 'Eve wants a puppy');
    expect((await memory.recall('puppy')).hits[0]?.snippet).toBe('Eve wants a puppy');
    const view = await memory.at(then);
    expect((await view.recall('puppy')).hits.map(({ snippet }) => snippet)).toEqual(before);
  });

  it('keeps vectors, and gives the same answer without them', async () => {
    const { memory, directory } = await newTestMemory({ embedder: meanings });
    await remembering(memory, 'Ada has a dog', 'Bob drives a truck', 'Cid likes tea');
    await memory.maintenance.reindex();
    const answer = await memory.recall('a puppy or a car');
    await memory.close();
    const cache = path.join(directory, '.git/git-memory/cache/vectors-1');
    // One of the embedder, and one of the table.
    expect(fs.readdirSync(cache)).toHaveLength(2);

    let embedded = 0;
    const counting: Embedder = {
      ...meanings,
      embed: (texts, options) => {
        if (options?.kind !== 'query') embedded += texts.length;
        return meanings.embed(texts, options);
      },
    };
    for (const expected of [0, 3]) {
      embedded = 0;
      const again = await openMemory({ dir: directory, embedder: counting, readOnly: true, clock: { now: Date.now } });
      expect((await again.recall('a puppy or a car')).hits.map(({ path: place }) => place)).toEqual(
        answer.hits.map(({ path: place }) => place),
      );
      expect(embedded).toBeGreaterThanOrEqual(expected);
      if (expected === 0) expect(embedded).toBe(0);
      await again.close();
      fs.rmSync(cache, { recursive: true, force: true });
    }
  });

  it('leaves the rank to the table of the package when it fails, and says why', async () => {
    const broken = { ...meanings, embed: () => Promise.reject(new Error('server on fire')) };
    for (const [embedder, why] of [
      [broken, 'the embedder meanings failed: server on fire'],
      [() => Promise.reject(new MemoryError('EMBEDDER_UNAVAILABLE', 'no such model')), 'no such model'],
    ] as const) {
      const { memory } = await newTestMemory({ embedder });
      await remembering(memory, 'Ada has a dog');
      const result = await memory.recall('dog');
      expect(result).toMatchObject({ embedder: 'english-table', embedderNote: why });
      expect(result.hits[0]?.snippet).toBe('Ada has a dog');
      await memory.close();
    }
  });

  it('waits for reindex where embedding takes its time; until then the table ranks', async () => {
    const { memory } = await newTestMemory({ embedder: { ...meanings, isInstant: false } });
    await remembering(memory, 'Ada has a dog', 'Bob drives a truck');
    const before = await memory.recall('hound');
    expect(before).toMatchObject({ embedder: 'english-table', unembedded: 2 });
    expect(before.embedderNote).toContain('git memory reindex');
    await memory.maintenance.reindex();
    const after = await memory.recall('hound');
    expect(after.embedder).toBe('meanings');
    expect(after).not.toHaveProperty('unembedded');
  });

  it('may be none: then words alone rank', async () => {
    const { memory } = await newTestMemory({ embedder: null });
    await remembering(memory, 'Ada has a dog');
    expect(await memory.recall('dog')).toMatchObject({ embedder: null });
    expect(await memory.maintenance.reindex()).toMatchObject({ embedder: null, embedded: 0 });
  });

  it('writes no vector of a memory that has private paths', async () => {
    const { memory, directory } = await newTestMemory({ embedder: meanings });
    await writeConfiguration(memory, 'version: 1\nprivate:\n  - knowledge/people/**\n');
    await remembering(memory, 'Ada has a dog');
    expect((await memory.recall('puppy')).embedder).toBe('meanings');
    await memory.close();
    expect(fs.existsSync(path.join(directory, '.git/git-memory/cache/vectors-1'))).toBe(false);
  });

  it('embeds everything when asked, and says how far it is', async () => {
    const { memory } = await newTestMemory({ embedder: meanings, fs: ephemeralFileSystem(), dir: '/' });
    await remembering(memory, ...Array.from({ length: 40 }, (_, number) => `Dog number ${number}`));
    const said: string[] = [];
    const onProgress = ({ what, done }: { what: string; done: number }) => said.push(`${what} ${done}`);
    const result = await memory.maintenance.reindex({ onProgress });
    expect(result).toMatchObject({ embedder: 'meanings', embedded: result.known });
    expect(result.known).toBeGreaterThanOrEqual(40);
    expect(said[0]).toBe('Embedding 0');
    expect(await memory.maintenance.reindex()).toEqual({ ...result, embedded: 0, read: 0 });
    await expect(memory.maintenance.reindex({ download: true })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await memory.close();
  });

  it('says in status what ranks and how many texts have no vector, and embeds none for it', async () => {
    const { memory } = await newTestMemory({ embedder: { ...meanings, isInstant: false } });
    await remembering(memory, 'Ada has a dog', 'Bob has a cat');
    const { missing } = (await memory.status()).ranking;
    expect((await memory.status()).ranking).toEqual({ embedder: 'meanings', missing });
    expect(missing).toBeGreaterThanOrEqual(2);
    expect((await memory.maintenance.reindex()).embedded).toBe(missing);
    expect((await memory.status()).ranking).toEqual({ embedder: 'meanings', missing: 0 });
    await memory.close();

    const why = 'no such model';
    const embedder = () => Promise.reject(new MemoryError('EMBEDDER_UNAVAILABLE', why));
    const { memory: other } = await newTestMemory({ embedder });
    expect((await other.status()).ranking).toEqual({ embedder: 'english-table', missing: 0, why });
  });

  it('embeds what changed since a commit, and no longer than it is given', async () => {
    const { memory } = await newTestMemory({ embedder: meanings, fs: ephemeralFileSystem(), dir: '/' });
    const newest = async (): Promise<string> => (await memory.log({ limit: 1 })).commits[0]!.oid;
    await remembering(memory, 'Ada has a dog', 'Bob has a cat');
    const first = await newest();
    await remembering(memory, 'Cleo has a bird');
    expect(await memory.maintenance.reindex({ since: first })).toMatchObject({ embedded: 1, left: 0 });
    expect(await memory.maintenance.reindex({ since: 'HEAD' })).toMatchObject({ embedded: 0, left: 0 });

    const second = await newest();
    await remembering(memory, ...Array.from({ length: 80 }, (_, number) => `Dog number ${number}`));
    const bounded = await memory.maintenance.reindex({ since: second, seconds: 0 });
    expect(bounded.embedded).toBeGreaterThan(0);
    expect(bounded.left).toBeGreaterThan(0);
    expect(bounded.embedded + bounded.left).toBe(80);
    const rest = await memory.maintenance.reindex();
    expect(rest).toMatchObject({ left: 0, known: bounded.known + rest.embedded });
    await expect(memory.maintenance.reindex({ seconds: -1 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.maintenance.reindex({ since: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.close();
  });
});

describe('the program with a model in memory.yaml', () => {
  beforeAll(buildProgram);

  async function setUp(model: string): Promise<string> {
    const { memory, directory } = await newTestMemory({}, `version: 1\nembedder:\n  model: ${model}\n`);
    await remembering(memory, 'merge the git branch', 'walk the dog');
    await memory.close();
    return directory;
  }

  const isInstalled = fs.existsSync(path.join(projectRoot, 'node_modules/@huggingface/transformers'));

  it.skipIf(!isInstalled)('runs it (skipped where @huggingface/transformers is not installed)', async () => {
    const model = makeTinyModel(path.join(temporaryFolder(), 'tiny'));
    const folder = await setUp(model);
    const indexed = await runProgram(folder, ['maintain', 'reindex']);
    expect(indexed).toMatchObject({ status: 0, stderr: '' });
    expect(indexed.stdout).toContain(`transformers:${model} ranks: `);
    const { stdout, stderr } = await runProgram(folder, ['recall', '--json', 'dog']);
    expect(stderr).toBe('');
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ embedder: `transformers:${model}` });
    expect(result.hits[0].snippet).toBe('walk the dog');
    expect(result.hits[0].parts.vector).toBeGreaterThan(0);
  });

  it.skipIf(!isInstalled)('adds it, shows what it changes, and removes it', async () => {
    const { memory, directory: folder } = await newTestMemory();
    await remembering(memory, 'merge the git branch', 'walk the dog');
    await memory.close();
    makeTinyModel(path.join(folder, 'tiny'));
    const env = { ...process.env, XDG_DATA_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder() };
    const run = async (...words: string[]) => {
      const { stdout, stderr, status } = await runProgram(folder, words, { env });
      return { said: stdout.replace(/\s+/g, ' '), stderr, status };
    };
    expect(await run('model', 'try', 'dog')).toMatchObject({ status: 3, said: '' });
    expect((await run('status')).said).toContain('ranks words and english-table');
    // A folder is one also where its name could be an id.
    const added = await run('model', 'add', 'tiny');
    expect(added).toMatchObject({ status: 0, stderr: '' });
    expect(added.said).toContain('added tiny, which ranks from now on; before, no model did');
    expect(added.said).toMatch(/here transformers:tiny ranks in this memory: (\d+) texts, \1 of them embedded now/);
    expect((await run('status')).said).toContain('ranks words and transformers:tiny ');

    const { said: tried } = await run('model', 'try', 'walk', 'the', 'dog');
    expect(tried).toMatch(
      /^By words and english-table 1\. .*walk the dog.* By words and transformers:tiny 1\. .*walk the dog/,
    );
    await run('remember', 'The bird is in the park');
    expect((await run('status')).said).toContain('text has no vector yet: git memory maintain reindex');
    expect((await run('model', 'try', 'bird')).said).toContain('1 text got a vector for this, which stays.');

    // Where there is no memory there is none to prepare.
    const elsewhere = await runProgram(temporaryFolder(), ['model', 'add', 'tiny'], { env });
    expect(elsewhere).toMatchObject({ status: 0, stderr: '' });
    expect(elsewhere.stdout).toContain('Next: `git memory maintain reindex` in a memory');

    const removed = await run('model', 'remove', 'tiny');
    expect(removed.said).toContain('english-table ranks in this memory');
    expect((await run('status')).said).toContain('ranks words and english-table');
  });

  it('leaves the rank to the table where it is missing, and says so', async () => {
    const folder = await setUp('someone/missing');
    const environment = { PATH: process.env.PATH ?? '', HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache') };
    const { stdout, status } = await runProgram(folder, ['recall', 'dog'], { env: environment });
    expect(status).toBe(0);
    expect(stdout).toContain('walk the dog');
    expect(stdout.replace(/\s+/g, ' ')).toContain('Ranked by words and english-table: the model someone/missing');
    const indexed = await runProgram(folder, ['maintain', 'reindex', '--json'], { env: environment });
    expect(indexed.status).toBe(12);
    expect(JSON.parse(indexed.stderr).error).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
  });
});
