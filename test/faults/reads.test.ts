// Sweeps every call that only reads over a failing file system: the right answer or an error, never another answer, never a
// write; and the same memory, asked again, answers rightly.
//
//   FAULT_SEED=n      the same choice again        FAULT_FULL=1           every case
//   FAULT_ONLY=part   cases named so: "blame, cold/EIO once/37/"          FAULT_BUDGET_MS=n   for all together, default 18,000

import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import type { FileSystem } from '../../src/base/ports.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { badManners } from '../helpers/error-manners.ts';
import { failingFileSystem, randomOf } from '../helpers/failing-fs.ts';
import { seed } from '../helpers/long-run.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { type Base, openForTest } from './operations.ts';
import { askDoctor, makeAsked, type Question, questions } from './questions.ts';

const isFull = process.env.FAULT_FULL === '1';
const only = process.env.FAULT_ONLY ?? '';
const budgetMs = Number(process.env.FAULT_BUDGET_MS ?? 18_000);

/** What may go wrong with a call: once, for a while, or for all that reads from then on. */
const faults = {
  'EIO once': { code: 'EIO', lasts: 1 },
  'EMFILE for ten calls': { code: 'EMFILE', lasts: 10 },
  'EACCES once': { code: 'EACCES', lasts: 1 },
  'EIO for good': { code: 'EIO', lasts: Number.POSITIVE_INFINITY },
} as const;

/** `warm`: caches hold what the same question left there. */
const temperatures = ['cold', 'warm'] as const;

let base: Base;
beforeAll(async () => {
  base = await makeAsked(temporaryFolder());
});

const totals = { cases: 0, answers: 0, errors: 0 };
afterAll(() => console.log(`${JSON.stringify(totals)} (FAULT_SEED=${seed})`));

const cacheOf = (folder: string) => path.join(folder, '.git/git-memory/cache');

/** Everything in a folder but what is derived: names, sizes, times. */
function fingerprint(folder: string): string {
  const lines: string[] = [];
  const visit = (directory: string) => {
    for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
      const name = path.join(directory, entry.name);
      if (name === cacheOf(folder)) continue;
      const { ino, size, mtimeMs } = fs.lstatSync(name);
      lines.push(`${name} ${ino} ${entry.isDirectory() ? '' : `${size} ${mtimeMs}`}`);
      if (entry.isDirectory()) visit(name);
    }
  };
  visit(folder);
  return lines.sort().join('\n');
}

function resetCache(folder: string, saved: string | null): void {
  fs.rmSync(cacheOf(folder), { recursive: true, force: true });
  if (saved !== null) fs.cpSync(saved, cacheOf(folder), { recursive: true });
}

const openToAsk = (folder: string, fileSystem: FileSystem = fs as unknown as FileSystem) =>
  openForTest({ dir: folder, readOnly: true, fs: fileSystem });

async function askOnce(question: Question, fileSystem?: FileSystem): Promise<string> {
  const memory = await openToAsk(base.folder, fileSystem);
  try {
    return JSON.stringify(await question(memory, base));
  } finally {
    await memory.close();
  }
}

interface Verdict {
  readonly complaints: readonly string[];
  readonly isError: boolean;
}

/** Asks while one call after another fails, and once more when all is well again. */
async function askUnderFault(
  question: Question,
  right: string,
  fault: (typeof faults)[keyof typeof faults],
  index: number,
): Promise<Verdict> {
  const complaints: string[] = [];
  let isOver = false;
  const failing = failingFileSystem((call) =>
    !isOver && call.index >= index && call.index < index + fault.lasts ? { code: fault.code } : null,
  );
  let memory: Memory | null = null;
  let isError = false;
  try {
    memory = await openToAsk(base.folder, failing.fs);
    const answer = JSON.stringify(await question(memory, base));
    if (answer !== right) complaints.push(`a wrong answer: ${answer.slice(0, 300)} instead of ${right.slice(0, 300)}`);
  } catch (error) {
    isError = true;
    if (error instanceof MemoryError) complaints.push(...badManners(error));
    else complaints.push(`not a MemoryError: ${(error as Error).stack}`);
  }
  isOver = true;
  try {
    memory ??= await openToAsk(base.folder, failing.fs);
    const again = JSON.stringify(await question(memory, base));
    if (again !== right) complaints.push(`asked again, a wrong answer: ${again.slice(0, 300)}`);
    await memory.close();
    if ((await askOnce(question)) !== right) complaints.push('the next process is given a wrong answer');
  } catch (error) {
    complaints.push(`asked again: ${(error as Error).stack}`);
    memory?.dispose();
  }
  return { complaints, isError };
}

describe(`reading over a failing file system (FAULT_SEED=${seed})`, () => {
  const rows = temperatures.flatMap((temperature) =>
    Object.keys(questions).map((name) => ({ name, temperature, title: `${name}, ${temperature}` })),
  );
  const chosen = rows.filter(({ title }) => title.includes(only.split('/')[0]!));

  it.each(chosen)(
    'is right or says why not: $title',
    async ({ name, temperature, title }) => {
      const question = questions[name]!;
      resetCache(base.folder, null);
      const right = await askOnce(question);
      const saved = temperature === 'warm' && fs.existsSync(cacheOf(base.folder)) ? temporaryFolder() : null;
      if (saved !== null) fs.cpSync(cacheOf(base.folder), saved, { recursive: true });
      resetCache(base.folder, saved);
      const recorder = failingFileSystem(() => null);
      expect(await askOnce(question, recorder.fs)).toBe(right);
      const before = fingerprint(base.folder);
      const cases = recorder.calls
        .flatMap(({ index }) => Object.entries(faults).map(([kind, fault]) => ({ kind, fault, index })))
        .filter(({ kind, index }) => `${title}/${kind}/${index}/`.includes(only));
      const random = randomOf(seed + title.length);
      const deadline = performance.now() + budgetMs / chosen.length;
      const failures: string[] = [];
      for (const { kind, fault, index } of isFull ? cases : inAnyOrder(cases, random)) {
        if (!isFull && performance.now() > deadline) break;
        resetCache(base.folder, saved);
        const { complaints, isError } = await askUnderFault(question, right, fault, index);
        totals.cases += 1;
        totals[isError ? 'errors' : 'answers'] += 1;
        const call = recorder.calls[index]!;
        for (const complaint of complaints) {
          failures.push(`${title}/${kind}/${index}/ at ${call.operation} ${call.path}\n    ${complaint}`);
        }
        if (fingerprint(base.folder) !== before) failures.push(`${title}/${kind}/${index}/ wrote something`);
        if (failures.length > 5) break;
      }
      expect(failures.join('\n')).toBe('');
      expect(recorder.calls.length).toBeGreaterThan(10);
    },
    isFull ? 3_600_000 : 60_000 + budgetMs,
  );

  it('leaves the doctor no other choice: the same report, or one that is not healthy, or an error', async () => {
    const { folder } = base;
    const right = await askDoctor(folder);
    expect(right.isHealthy).toBe(true);
    const recorder = failingFileSystem(() => null);
    expect((await askDoctor(folder, recorder.fs)).report).toBe(right.report);
    const before = fingerprint(folder);
    const random = randomOf(seed);
    const cases = inAnyOrder(
      recorder.calls.map(({ index }) => index),
      random,
    );
    const deadline = performance.now() + budgetMs / 6;
    for (const index of cases) {
      if (!isFull && performance.now() > deadline) break;
      const failing = failingFileSystem((call) => (call.index === index ? { code: 'EIO' } : null));
      const told = await askDoctor(folder, failing.fs).catch((error: unknown) => {
        if (error instanceof MemoryError) return null;
        throw error;
      });
      if (told?.isHealthy) expect({ index, report: told.report }).toEqual({ index, report: right.report });
      expect(fingerprint(folder)).toBe(before);
    }
    expect((await askDoctor(folder)).report).toBe(right.report);
  });
});

function inAnyOrder<T>(given: readonly T[], random: () => number): T[] {
  return given
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
