// Whatever becomes of the caches, every answer is the one without them: files gone, cut, flipped, of another version, of another
// memory, no files at all, or not to be opened.
//
//   FAULT_SEED=n   the same damages again      FAULT_DAMAGES=n   default 26      FAULT_MINUTES=n   as many as fit

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { functionEmbedder } from '../../src/adapters/function-embedder.ts';
import type { Embedder, FileSystem } from '../../src/base/ports.ts';
import { failingFileSystem, randomOf } from '../helpers/failing-fs.ts';
import { goingOn, longRunMs, seed } from '../helpers/long-run.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { type Base, makeBase, openForTest } from './operations.ts';
import { makeAsked, questions } from './questions.ts';

const damages = Number(process.env.FAULT_DAMAGES ?? 26);

/** Counts letters: enough for vectors to be made, kept, and to rank. */
const letters = (fingerprint: string): Embedder =>
  functionEmbedder({
    name: 'letters',
    fingerprint,
    dimensions: 26,
    isInstant: true,
    embed: (texts) =>
      texts.map((text) => {
        const counts = new Float32Array(26).fill(0.01);
        for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) counts[letter.charCodeAt(0) - 97]! += 1;
        return counts;
      }),
  });

const cacheOf = (folder: string) => path.join(folder, '.git/git-memory/cache');

function filesOf(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Asks everything of one memory, each question after the other, as a long-lived process does. */
async function askAll(folder: string, base: Base, fileSystem?: FileSystem): Promise<Map<string, string>> {
  const memory = await openForTest({
    dir: folder,
    readOnly: true,
    embedder: letters('1'),
    ...(fileSystem && { fs: fileSystem }),
  });
  const answers = new Map<string, string>();
  for (const [name, question] of Object.entries(questions)) {
    answers.set(name, JSON.stringify(await question(memory, base)));
  }
  await memory.close();
  return answers;
}

type Random = () => number;
const pick = (random: Random, below: number) => Math.floor(random() * below);
const garbage = (random: Random, length: number) => Buffer.from(Array.from({ length }, () => pick(random, 256)));

/** What may become of one file; `others` are the other cache files, and those of another memory. */
const fileDamages: Readonly<Record<string, (file: string, random: Random, others: readonly string[]) => void>> = {
  gone: (file) => fs.rmSync(file),
  empty: (file) => fs.truncateSync(file, 0),
  cut: (file, random) => fs.truncateSync(file, pick(random, fs.statSync(file).size)),
  'garbage instead': (file, random) => fs.writeFileSync(file, garbage(random, 1 + pick(random, 5000))),
  'garbage behind': (file, random) => fs.appendFileSync(file, garbage(random, 1 + pick(random, 500))),
  'bytes flipped': (file, random) => {
    const bytes = fs.readFileSync(file);
    for (let count = 1 + pick(random, 3); count > 0; count--)
      bytes[pick(random, bytes.length)]! ^= 1 + pick(random, 255);
    fs.writeFileSync(file, bytes);
  },
  'a piece lost': (file, random) => {
    const bytes = fs.readFileSync(file);
    const start = pick(random, bytes.length);
    const rest = bytes.subarray(start + 1 + pick(random, bytes.length - start));
    fs.writeFileSync(file, Buffer.concat([bytes.subarray(0, start), rest]));
  },
  'twice in a row': (file) => fs.appendFileSync(file, fs.readFileSync(file)),
  'another version': (file) => {
    const bytes = fs.readFileSync(file);
    // Where formats say their version: the checksum of a frame, or a number near the beginning.
    for (let position = 4; position < Math.min(16, bytes.length); position++) bytes[position]! += 1;
    fs.writeFileSync(file, bytes);
  },
  'the content of another': (file, random, others) => fs.copyFileSync(others[pick(random, others.length)]!, file),
  'a folder instead': (file) => {
    fs.rmSync(file);
    fs.mkdirSync(file);
  },
  'a link to another': (file, random, others) => {
    fs.rmSync(file);
    fs.symlinkSync(others[pick(random, others.length)]!, file);
  },
};

describe(`caches that are damaged (FAULT_SEED=${seed})`, () => {
  let base: Base;
  let right: Map<string, string>;
  let full: string;
  let foreign: readonly string[];

  beforeAll(async () => {
    base = await makeAsked(temporaryFolder());
    right = await askAll(base.folder, base);
    // What an extractor found nothing in is noted too.
    const memory = await openForTest({ dir: base.folder, embedder: letters('1') });
    await memory.extract();
    await memory.maintenance.reindex();
    memory.dispose();
    right = await askAll(base.folder, base);
    full = temporaryFolder();
    fs.cpSync(cacheOf(base.folder), full, { recursive: true });
    const other = await makeBase(temporaryFolder(), 'many packs', 'repository');
    const stranger = await openForTest({ dir: other.folder, embedder: letters('1') });
    await stranger.log();
    await stranger.learned('Porto');
    await stranger.blame('knowledge/people/ana.md');
    await stranger.maintenance.reindex();
    await stranger.close();
    foreign = filesOf(cacheOf(other.folder));
  });

  const reset = () => {
    fs.rmSync(cacheOf(base.folder), { recursive: true, force: true });
    fs.cpSync(full, cacheOf(base.folder), { recursive: true });
  };

  const expectRight = async (what: string, fileSystem?: FileSystem) => {
    const answers = await askAll(base.folder, base, fileSystem).catch((error: Error) => {
      throw new Error(what, { cause: error });
    });
    for (const [name, answer] of answers)
      expect(`${what}: ${name} ${answer}`).toBe(`${what}: ${name} ${right.get(name)}`);
  };

  it('are all there to be damaged', () => {
    const names = filesOf(full).map((file) => path.relative(full, file));
    for (const kind of [/^barren/, /^history/, /^hunks/, /^text/, /^vectors/]) {
      expect(names.filter((name) => kind.test(name)).length, `${kind} among ${names}`).toBeGreaterThan(0);
    }
    expect(foreign.length).toBeGreaterThan(2);
  });

  it(
    'change no answer, to whoever asks first and to whoever asks next',
    async () => {
      const random = randomOf(seed);
      const hasMore = goingOn(damages);
      const kinds = Object.keys(fileDamages);
      for (let round = 0; hasMore(round); round++) {
        reset();
        const files = filesOf(cacheOf(base.folder));
        const done: string[] = [];
        // One file after the other, each way in turn, and now and then several at once.
        for (let count = random() < 0.3 ? 1 + pick(random, files.length) : 1; count > 0; count--) {
          const file = files[(round + count) % files.length]!;
          const kind =
            kinds[(Math.floor(round / files.length) + count * 7 + pick(random, kinds.length)) % kinds.length]!;
          if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) continue;
          const others = [...foreign, ...filesOf(full)];
          fileDamages[kind]!(file, random, others);
          done.push(`${path.relative(cacheOf(base.folder), file)} ${kind}`);
        }
        await expectRight(`round ${round}, ${done.join(', ')}`);
        if (round % 4 === 0) await expectRight(`after round ${round}, ${done.join(', ')}`);
      }
    },
    longRunMs + damages * 5_000,
  );

  it('change no answer when there is no folder, or that of another memory', async () => {
    fs.rmSync(cacheOf(base.folder), { recursive: true });
    await expectRight('no caches');
    fs.rmSync(cacheOf(base.folder), { recursive: true });
    fs.cpSync(path.dirname(foreign.find((file) => path.basename(file) === 'history')!), cacheOf(base.folder), {
      recursive: true,
    });
    await expectRight('the caches of another memory');
  });

  it.each(['EACCES', 'EROFS', 'EIO', 'ENOSPC'])(
    'change no answer when the disk answers %s to all of them',
    async (code) => {
      for (const what of ['everything', 'writing'] as const) {
        reset();
        const isCache = (file: string) => file.includes('/git-memory/cache/');
        const writing = /^(?:write|mkdir|rename|link|unlink|ftruncate|fsync)/;
        const refusing = failingFileSystem(({ operation, path: file }) =>
          isCache(file) && (what === 'everything' || writing.test(operation)) ? { code } : null,
        );
        await expectRight(`${code} to ${what}`, refusing.fs);
        fs.rmSync(cacheOf(base.folder), { recursive: true });
        await expectRight(`${code} to ${what}, without caches`, refusing.fs);
      }
    },
  );
});
