// What a command begins before it answers: what a verb does not need must not slow it without anybody noticing.

import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { begunBy } from '../../helpers/begun.ts';
import { buildProgram, programEnvironment, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/**
 * Thousands of bytes of modules that each command may begin: what it does today and a tenth more. A module is begun when something of it
 * is asked for. A budget that is hit calls for asking later, in the function that needs it; only what every command needs is a reason to raise it.
 */
const budgets: Readonly<Record<string, { readonly args: readonly string[]; readonly kilobytes: number }>> = {
  version: { args: ['--version'], kilobytes: 185 },
  help: { args: ['--help'], kilobytes: 400 },
  recall: { args: ['recall', 'tea'], kilobytes: 730 },
  status: { args: ['status'], kilobytes: 690 },
  remember: { args: ['remember', 'Grace prefers green tea'], kilobytes: 850 },
};

describe('the start of a command', () => {
  const folder = temporaryFolder();
  beforeAll(async () => {
    await buildProgram();
    expect((await runProgram(folder, ['init'])).status).toBe(0);
  });

  it.each(Object.entries(budgets))('begins no more than it needs: %s', (_, { args, kilobytes }) => {
    const begun = begunBy(folder, args).reduce((sum, text) => sum + text.length, 0) / 1000;
    expect(begun).toBeLessThan(kilobytes);
    // A budget far above what is begun would let the next module through.
    expect(begun).toBeGreaterThan(kilobytes * 0.8);
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
