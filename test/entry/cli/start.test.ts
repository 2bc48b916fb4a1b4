// What a command loads before it answers: a new static import must not slow every command without anybody noticing.

import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram, programEnvironment, programPath, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/**
 * Thousands of bytes that each command may load of the program: what it does today and a tenth more. A budget that is hit calls for an
 * import() where the new code is needed; only what every command needs is a reason to raise it.
 */
const budgets: Readonly<Record<string, { readonly args: readonly string[]; readonly kilobytes: number }>> = {
  version: { args: ['--version'], kilobytes: 250 },
  help: { args: ['--help'], kilobytes: 620 },
  recall: { args: ['recall', 'tea'], kilobytes: 1525 },
  status: { args: ['status'], kilobytes: 1535 },
  remember: { args: ['remember', 'Grace prefers green tea'], kilobytes: 1525 },
};

/** The files of the program that a run loads, as V8 tells at its end. */
async function loadedBy(folder: string, args: readonly string[]): Promise<string[]> {
  const told = temporaryFolder();
  // Code that was compiled before is no file of the program.
  const cache = temporaryFolder();
  const env = programEnvironment({ NODE_V8_COVERAGE: told, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache });
  const { status, stderr } = await runProgram(folder, args, { env });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const { result } = JSON.parse(fs.readFileSync(path.join(told, fs.readdirSync(told)[0]!), 'utf8'));
  const files = (result as { url: string }[]).map(({ url }) => url).filter((url) => url.startsWith('file:'));
  return files.map((url) => fileURLToPath(url)).filter((file) => file.startsWith(path.dirname(programPath)));
}

describe('the start of a command', () => {
  const folder = temporaryFolder();
  beforeAll(async () => {
    await buildProgram();
    expect((await runProgram(folder, ['init'])).status).toBe(0);
  });

  it.each(Object.entries(budgets))('loads no more than it needs: %s', async (_, { args, kilobytes }) => {
    const files = await loadedBy(folder, args);
    const loaded = files.reduce((sum, file) => sum + fs.statSync(file).size, 0) / 1000;
    expect(files.map((file) => path.basename(file))).toContain('main.js');
    expect(loaded).toBeLessThan(kilobytes);
    // A budget far above what is loaded would let the next import through.
    expect(loaded).toBeGreaterThan(kilobytes * 0.8);
  });

  it.skipIf(!('enableCompileCache' in module))('keeps what was compiled in a folder of the user', async () => {
    const cache = temporaryFolder();
    const env = programEnvironment({ XDG_CACHE_HOME: cache, LOCALAPPDATA: cache, HOME: cache });
    expect(await runProgram(folder, ['recall', 'tea'], { env })).toMatchObject({ status: 0, stderr: '' });
    const kept = fs.readdirSync(cache, { recursive: true, encoding: 'utf8' });
    const place = path.join('git-memory', 'compiled');
    expect(kept.filter((name) => name.includes(`${place}${path.sep}`)).length).toBeGreaterThan(3);
  });

  it('does without such a folder where none can be made', async () => {
    const file = path.join(temporaryFolder(), 'file');
    fs.writeFileSync(file, '');
    const { HOME: _, ...env } = programEnvironment({ XDG_CACHE_HOME: file, LOCALAPPDATA: file });
    expect(await runProgram(folder, ['recall', 'tea'], { env })).toMatchObject({ status: 0, stderr: '' });
    expect(fs.readFileSync(file, 'utf8')).toBe('');
  });
});
