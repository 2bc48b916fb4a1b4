// One file of a small memory is emptied, cut or has one bit wrong, each in turn. Questions are answered whole, or without what is named, or as of
// the last whole commit and saying so. A write is there, or was refused by a code. Doctor mends a branch whose newest commit is damaged.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, MemoryError } from '../../src/base/errors.ts';
import type { Damage } from '../../src/base/types.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { countingIds, ManualClock } from '../helpers/memories.ts';
import { hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { change, cutInHalf, flip, unpack } from '../hostile/template.ts';

const ways: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['emptied', () => Buffer.alloc(0)],
  ['cut', cutInHalf],
  ['with one bit wrong', flip()],
];
/** Files without which nobody knows what to answer, or what was acknowledged: a question that needs them is refused by name. */
const refusing: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(?:\.git\/)?HEAD$/, 'REF_CORRUPT'],
  [/(?:^|\/)config$/, 'REPOSITORY_CORRUPT'],
  [/\.journal$/, 'JOURNAL_CORRUPT'],
];
const contents = ['The boat is moored in Lagos.', 'The sail of the boat is red.', 'The boat has two cabins.'];

const forms = ['loose, with a work tree', 'loose, bare', 'packed, bare'];

/** Makes a memory of three memories in as many commits; where it is loose and bare, the newest one changes memory.yaml. */
async function make(form: string): Promise<string> {
  const dir = temporaryFolder();
  const clock = new ManualClock();
  const isBare = form.endsWith('bare');
  const placement = isBare ? 'bare' : 'repository';
  const memory = await openMemory({ dir, create: true, placement, durability: 'fast', clock, ids: countingIds() });
  for (const [at, content] of contents.entries()) {
    await memory.remember({ id: `boat-${at}`, content });
    await memory.commit();
    clock.advance({ days: 1 });
  }
  if (form === 'loose, bare') await memory.configure({ 'extract.min_confidence': 0.7 });
  await memory.close();
  if (!form.startsWith('loose')) return dir;
  const holder = isBare ? path.join(temporaryFolder(), '.git') : path.join(dir, '.git');
  fs.renameSync(isBare ? dir : holder, holder);
  unpack(path.dirname(holder));
  fs.renameSync(holder, isBare ? dir : holder);
  return dir;
}

/** Lists the files of the repository and, in a work tree, of the memory. */
function filesOf(dir: string): string[] {
  return fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/(?:^|\/)(?:hooks|info)\/|description$/.test(name) && fs.statSync(path.join(dir, name)).size > 0)
    .sort();
}

/** Says which memories are recalled and what is said to be damaged, or the code of a refusal. */
async function ask(dir: string): Promise<{ said: string[]; told: string } | { code: string }> {
  try {
    const memory = await openMemory({ dir, readOnly: true, clock: new ManualClock('2026-03-01T09:00:00Z') });
    const asked = await memory.recall('boat', { limit: 20 }).finally(() => memory.close());
    const { hits, damaged = [] } = asked as typeof asked & { damaged?: readonly Damage[] };
    const said = contents.filter((content) => hits.some(({ snippet }) => snippet.includes(content)));
    return { said, told: damaged.map(({ why, hint }) => `${why}. ${hint}`).join('; ') };
  } catch (error) {
    if (error instanceof MemoryError) return { code: error.code };
    throw error;
  }
}

/** Captures something; says what refused it. */
async function write(dir: string): Promise<MemoryError | null> {
  const clock = new ManualClock('2026-03-01T09:00:00Z');
  try {
    const memory = await openMemory({ dir, lockWaitMs: 50, indexWaitMs: 50, durability: 'fast', clock });
    const { path: file } = await memory.capture({ text: 'A gull sat on the boat.' });
    expect(await memory.read(file)).toContain('A gull');
    await memory.close();
    return null;
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
}

/** One case; gives what is wrong with it, and whether the newest commit was damaged by it. */
async function judge(dir: string, name: string, damage: () => void): Promise<{ wrong: string[]; isTip: boolean }> {
  const wrong: string[] = [];
  damage();
  const asked = await ask(dir);
  const refused = refusing.find(([pattern]) => pattern.test(name))?.[1];
  const isTip = 'told' in asked && asked.told.includes(' is shown as of ');
  if ('code' in asked && asked.code !== refused) wrong.push(`a question is refused: ${asked.code}`);
  if ('said' in asked && asked.said.length < contents.length && asked.told === '')
    wrong.push('something is missing, untold');
  const error = await write(dir);
  if (isTip && error?.hint?.includes('git memory doctor --tip restore') !== true)
    wrong.push(`a write says ${error?.message}`);
  if (!isTip) return { wrong, isTip };
  damage();
  const { findings, isHealthy } = await doctor({ dir, tip: 'restore', lockWaitMs: 50 });
  if (!isHealthy)
    wrong.push(`not mended: ${findings.map(({ code, what, fix }) => `${code} ${what} ${fix}`).join('; ')}`);
  const { commit, ...again } = await doctor({ dir, tip: 'restore' });
  if (!again.isHealthy || again.findings.some(({ isFixed }) => isFixed)) wrong.push('mended twice');
  const isLost = findings.some(({ fix = '' }) => fix.includes('lost, or as it was there'));
  const after = await ask(dir);
  const isWhole = 'said' in after && after.told === '' && (isLost || after.said.length === contents.length);
  if (!isWhole) wrong.push(`after that: ${JSON.stringify(after)}`);
  const checked = [
    ['fsck', '--strict', '--no-reflogs', 'HEAD'],
    ['rev-list', '--objects', 'HEAD'],
  ];
  for (const parameters of hasGit ? checked : []) {
    const { status, stdout, stderr } = tryGit(dir, parameters);
    if (status !== 0) wrong.push(`git ${parameters[0]}: ${stdout}${stderr}`);
  }
  const refusal = await write(dir);
  if (refusal !== null) wrong.push(`a write after that: ${refusal.message} (${commit})`);
  return { wrong, isTip };
}

describe('one file of a memory', () => {
  it.each(forms)(
    'costs no answer, and is named, whatever became of it: %s',
    async (form) => {
      const made = await make(form);
      const dir = path.join(temporaryFolder(), 'case');
      const wrong: string[] = [];
      let tips = 0;
      for (const [at, name] of filesOf(made).entries()) {
        // A file of the newest commit is damaged in every way, another in one.
        for (let turn = at; turn < at + ways.length; turn++) {
          const [way, edit] = ways[turn % ways.length]!;
          const damage = () => {
            fs.rmSync(dir, { recursive: true, force: true });
            fs.cpSync(made, dir, { recursive: true, preserveTimestamps: true });
            change(dir, name, edit);
          };
          const found = await judge(dir, name, damage);
          wrong.push(...found.wrong.map((line) => `${name} ${way}: ${line}`));
          if (!found.isTip) break;
          tips += 1;
        }
      }
      expect(wrong.join('\n')).toBe('');
      expect(tips).toBeGreaterThan(0);
    },
    600_000,
  );
});
