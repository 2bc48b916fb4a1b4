import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { buildProgram, programEnvironment, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

let folder: string;
let env: Record<string, string>;

beforeAll(buildProgram);

beforeEach(() => {
  folder = temporaryFolder();
  env = programEnvironment({ XDG_CACHE_HOME: path.join(folder, 'cache') });
});

const compiled = (): string => path.join(folder, 'cache', 'git-memory', 'compiled');
/** The file of `git memory model`, and its first line. */
const kept = () => {
  const [own = 'none'] = fs.existsSync(compiled()) ? fs.readdirSync(compiled()) : [];
  const file = path.join(compiled(), own, 'model');
  const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
  const head =
    bytes.length === 0
      ? undefined
      : (JSON.parse(bytes.toString('latin1', 0, bytes.indexOf(10))) as { runs: number; parts: [string, number][] });
  return { file, bytes, head };
};
const ask = async (extra: Record<string, string> = {}) => {
  const { status, stdout, stderr } = await runProgram(folder, ['model', '--json'], { env: { ...env, ...extra } });
  expect({ status, stderr, answer: JSON.parse(stdout) }).toEqual({
    status: 0,
    stderr: '',
    answer: { models: [], runtime: null },
  });
};

it('keeps what was compiled for a verb, for the user alone, and learns from its first runs', async () => {
  for (const runs of [1, 2, 3, 3]) {
    await ask();
    expect(kept().head?.runs).toBe(runs);
  }
  const { file, head } = kept();
  expect(fs.statSync(file).mode & 0o077).toBe(0);
  expect(head!.parts.map(([name]) => name)).toContain('program.js');
  const before = fs.statSync(file).mtimeMs;
  await ask();
  expect(fs.statSync(file).mtimeMs).toBe(before);
});

it('believes no file that is damaged, cut, or writable for others, and writes it anew', async () => {
  await ask();
  const { file, bytes } = kept();
  const flipped = Buffer.from(bytes);
  flipped[flipped.length >> 1]! ^= 1;
  for (const wrong of [flipped, bytes.subarray(0, bytes.length - 7), Buffer.from('{}'), Buffer.alloc(0)]) {
    fs.writeFileSync(file, wrong);
    await ask();
    expect(kept().head?.runs).toBe(1);
  }
  await ask();
  expect(kept().head?.runs).toBe(2);
  fs.chmodSync(file, 0o666);
  await ask();
  expect(kept().head?.runs).toBe(1);
  expect(fs.readdirSync(path.dirname(file))).toEqual(['model']);
});

it('works where nothing can be kept, and where nothing shall be', async () => {
  await ask({ XDG_CACHE_HOME: '/dev/null' });
  await ask({ NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(fs.existsSync(compiled())).toBe(false);
});

it('leaves few folders of other builds', async () => {
  for (const name of ['one', 'two', 'three', 'four']) fs.mkdirSync(path.join(compiled(), name), { recursive: true });
  await ask();
  expect(fs.readdirSync(compiled())).toHaveLength(3);
});
