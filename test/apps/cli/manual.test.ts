// The manual page as man reads it, and as git shows it for `git memory --help`.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandsOf } from '../../../src/apps/cli/commands.ts';
import { hiddenVerbs } from '../../../src/apps/verbs/groups.ts';
import { loadVerbs } from '../../../src/apps/verbs/index.ts';
import { hasGit } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment, projectRoot } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const verbs = await loadVerbs();
const packaged = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { man: string[] };
// npm links the pages of a list only.
const page = join(projectRoot, packaged.man[0]!);
const hasMan = spawnSync('man', ['--version']).status === 0;

beforeAll(buildProgram);

describe('the manual page', () => {
  it('is in the package, in a list, where npm finds it', () => {
    expect(packaged.man).toEqual(['./dist/git-memory.1.gz']);
  });

  it('has every verb with its summary, fields and example, and nothing that a formatter would take for a request', () => {
    const text = gunzipSync(readFileSync(page)).toString('utf8');
    const plain = text.replaceAll('\\-', '-').replaceAll('\\&', '').replaceAll('\\e', '\\');
    for (const verb of verbs.flatMap(commandsOf).filter(({ name }) => !hiddenVerbs.includes(name))) {
      const from = plain.search(new RegExp(`^\\.SS git memory ${verb.name}( |$)`, 'm'));
      expect(from, verb.name).toBeGreaterThan(0);
      const section = plain.slice(from, plain.indexOf('\n.S', from + 1));
      expect(section).toContain(`${verb.summary}.`);
      expect(section).toContain(verb.example.command);
      for (const name of verb.positional) expect(section).toContain(name);
    }
    const requests = new Set([...text.matchAll(/^[.'](\S*)/gm)].map((match) => match[1]));
    expect([...requests].sort()).toEqual(['B', 'BR', 'I', 'PP', 'RE', 'RS', 'SH', 'SS', 'TH', 'TP', '\\"', 'fi', 'nf']);
    for (const line of text.split('\n')) expect(line).not.toMatch(/[^\u0000-\u007f]/);
  });

  it.skipIf(!hasMan)('is read by man without a warning, and fits 80 columns', () => {
    const env = { ...process.env, MANWIDTH: '80', LC_ALL: 'C.UTF-8' };
    const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-P', 'cat', '-l', page], {
      encoding: 'utf8',
      env,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('git memory recall <query...>');
    expect(stdout).toContain('EXIT STATUS');
    // A command of an example is one line, however long.
    const prose = stdout.split('\n').filter((line) => !/^ +git memory /.test(line));
    for (const line of prose) expect([...line].length, line).toBeLessThanOrEqual(80);
  });

  it.skipIf(!hasGit || !hasMan)('is what git shows for git memory --help', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'man/man1'), { recursive: true });
    copyFileSync(page, join(folder, 'man/man1/git-memory.1.gz'));
    const env = programEnvironment({ MANPATH: join(folder, 'man'), MANPAGER: 'cat', LC_ALL: 'C.UTF-8' });
    const { status, stdout } = spawnSync('git', ['memory', '--help'], { cwd: folder, env, encoding: 'utf8' });
    expect(status).toBe(0);
    expect(stdout).toContain('git-memory - a memory for AI agents');
  });
});
