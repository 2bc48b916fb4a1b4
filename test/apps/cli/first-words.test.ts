// What somebody tries first in a terminal: texts that begin with dashes, days as people write them, and the author that git knows.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { buildProgram, programEnvironment, programPath, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

beforeAll(buildProgram);

/** Runs verbs in a new memory one after the other; each has to succeed. */
async function newMemory(env = programEnvironment()) {
  const folder = temporaryFolder();
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runProgram(folder, args, { env });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return stdout;
  };
  await run('init');
  return { folder, run, env };
}

const authorOf = (folder: string) =>
  spawnSync('git', ['log', '-1', '--format=%an <%ae>'], { cwd: folder, encoding: 'utf8' }).stdout.trim();

it('takes a text that begins with a dash as a text, before and behind --', async () => {
  const { folder, run, env } = await newMemory();
  await run('file', 'write', 'knowledge/list.md', '---\nkind: list\n---\n- a\n');
  await run('file', 'edit', 'knowledge/list.md', '- a', '- b');
  await run('file', 'edit', 'knowledge/list.md', '--', '- b', '- c');
  expect(readFileSync(join(folder, 'knowledge/list.md'), 'utf8')).toBe('---\nkind: list\n---\n- c\n');
  const { path } = JSON.parse(await run('remember', '--json', '--tag', '- t', '-5 degrees at night')) as {
    path: string;
  };
  expect(JSON.parse(readFileSync(join(folder, path), 'utf8'))).toMatchObject({
    content: '-5 degrees at night',
    meta: { tags: ['- t'] },
  });
  // A misspelt option is still one.
  for (const wrong of ['--tga', '-x', '--tga=x']) {
    const { status, stderr } = await runProgram(folder, ['remember', 'words', wrong], { env });
    expect([wrong, status]).toEqual([wrong, 2]);
    expect(stderr).toContain('unknown option');
  }
});

it('takes days as people write them, and says the forms where it cannot', async () => {
  const { folder, run, env } = await newMemory();
  const due = async (day: string) => {
    const { path } = JSON.parse(await run('remember', '--json', '--due', day, `Send the form of ${day}`)) as {
      path: string;
    };
    return (JSON.parse(readFileSync(join(folder, path), 'utf8')) as { due: string }).due;
  };
  expect(await due('31.12.2031')).toBe('2031-12-31');
  expect(await due('5 March 2031')).toBe('2031-03-05');
  const friday = new Date(`${await due('next friday')}T00:00:00Z`);
  expect(friday.getUTCDay()).toBe(5);
  expect(friday.getTime()).toBeGreaterThan(Date.now() - 86_400_000);
  await run('log', '--since', 'yesterday', '--until', 'tomorrow');
  await run('recall', '--at', 'tomorrow', 'form');
  await run('remember', '--valid-until', 'in two weeks', 'The key is at the neighbour');
  await run('ledger', 'add', '--type', 'commitment', '--due', 'in 3 days', 'Water the plants');
  for (const [day, hint] of [
    ['some day', /Write 2026-02-16, 16\.2\.2026/],
    ['3/4/2031', /2031-04-03 or 2031-03-04/],
    ['31.2.2031', /31\.2\.2031 is no day/],
  ] as const) {
    const { status, stderr } = await runProgram(folder, ['remember', '--due', day, 'Send it'], { env });
    expect([day, status]).toEqual([day, 2]);
    expect(stderr).toMatch(hint);
  }
});

it('names that author for what is decided on the page, too', async () => {
  const { folder, run, env } = await newMemory(
    programEnvironment({ GIT_AUTHOR_NAME: 'Nora Berg', GIT_AUTHOR_EMAIL: 'nora@example.org' }),
  );
  await run('remember', '--id', 'boat', 'The boat is red');
  spawnSync('git', ['commit', '--amend', '--author', 'Else <else@example.org>', '--no-edit', '-q'], {
    cwd: folder,
    env,
  });
  const child = spawn(process.execPath, [programPath, 'ui', '--no-open', '--port', '0'], { cwd: folder, env });
  try {
    const url = await new Promise<string>((resolve) =>
      child.stdout.once('data', (told) => resolve(String(told).trim())),
    );
    const { origin, hash } = new URL(url);
    const answer = await fetch(`${origin}/api/review`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${hash.replace('#token=', '')}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ action: 'keep', id: 'boat' }),
    });
    expect(answer.status).toBe(200);
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
  }
  expect(authorOf(folder)).toBe('Nora Berg <nora@example.org>');
});

it('names the author that git would name', async () => {
  const home = temporaryFolder();
  const global = join(home, '.gitconfig');
  mkdirSync(join(home, 'more'));
  writeFileSync(global, '[include]\n\tpath = more/who\n[user]\n\tname = Nora Berg\n');
  writeFileSync(join(home, 'more/who'), '[user]\n\temail = nora@example.org\n');
  const { folder, run, env } = await newMemory(programEnvironment({ GIT_CONFIG_GLOBAL: global }));
  expect(authorOf(folder)).toBe('Nora Berg <nora@example.org>');
  spawnSync('git', ['config', 'user.name', 'Here'], { cwd: folder });
  spawnSync('git', ['config', 'user.email', 'here@example.org'], { cwd: folder });
  await run('remember', 'The boat is red');
  expect(authorOf(folder)).toBe('Here <here@example.org>');
  await runProgram(folder, ['remember', 'The boat has two masts'], { env: { ...env, GIT_AUTHOR_NAME: 'Guest' } });
  expect(authorOf(folder)).toBe('Guest <here@example.org>');
  writeFileSync(global, '[user\n');
  const { folder: other } = await newMemory(env);
  expect(authorOf(other)).toBe('git-memory <git-memory@localhost>');
});
