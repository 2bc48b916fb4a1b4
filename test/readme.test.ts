// The README's examples, run as they stand there, and its lists, compared with the program.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadVerbs } from '../src/verbs/index.ts';
import { hasGit } from './helpers/native-git.ts';
import { buildProgram, programEnvironment, projectRoot } from './helpers/program.ts';
import { temporaryFolder } from './helpers/temporary.ts';

const verbs = await loadVerbs();

beforeAll(buildProgram);

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');

/** Gives the fenced blocks of one language, in order. */
function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((match) => match[1]!);
}

describe('the README', () => {
  it.skipIf(!hasGit)('shows commands that work, one after the other', () => {
    const script = blocks('sh').join('\n');
    expect(blocks('sh').length).toBeGreaterThan(3);
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'readme.sh'), script);
    const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', 'readme.sh'], {
      cwd: folder,
      env: programEnvironment(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('we ship on Tuesday');
    expect(stdout).toMatch(/commitment .*\(due 2026-11-05\)/);
    expect(stdout).toContain('- Lives in Paris');
    expect(stdout).toContain('nothing to commit, working tree clean');
    expect(stdout).toContain('memory/main');
    expect(readFileSync(join(folder, 'notes/knowledge/people/ada.md'), 'utf8')).toMatch(
      /^# Ada\n\n- Lives in Rome \[verified: \d{4}-\d\d-\d\d\]\n- Speaks Italian\n$/,
    );
  });

  it('shows a program that works', () => {
    const [program] = blocks('js');
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(projectRoot, join(folder, 'node_modules/git-memory'));
    writeFileSync(join(folder, 'example.mjs'), program!);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^We ship on Tuesday.* [0-9a-f]{40}\nDecision: we ship on Tuesday, because Monday is a holiday\.\n/,
    );
  });

  it('opens with the two commands, and both are scripts', () => {
    const [first] = blocks('text');
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect([...first!.matchAll(/^npm (\w+)/gm)].map((match) => match[1])).toEqual(['start', 'test']);
    expect(scripts).toMatchObject({ start: expect.any(String), test: expect.any(String) });
  });

  it('lists exactly the verbs there are', () => {
    const table = readme.slice(readme.indexOf('| verb |'), readme.indexOf('`git memory help <verb>`'));
    const named = [...table.matchAll(/^\| ((?:`[\w-]+` ?)+)\|/gm)].flatMap((row) =>
      [...row[1]!.matchAll(/`([\w-]+)`/g)].map((match) => match[1]),
    );
    // The server is a front end like the command line itself, and no verb.
    expect(named.sort()).toEqual([...verbs.map(({ name }) => name), 'mcp'].sort());
  });

  it('links to files that exist', () => {
    for (const [, target] of readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(existsSync(join(projectRoot, target!)), target).toBe(true);
    }
  });
});
