// `npm start` as a newcomer sees it.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasGit } from './helpers/native-git.ts';
import { buildProgram, projectRoot } from './helpers/program.ts';
import { temporaryFolder } from './helpers/temporary.ts';

beforeAll(buildProgram);

/** A program of Linux that runs another one in a terminal. */
const hasTerminal = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

function runTour(environment: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const result = spawnSync(process.execPath, ['scripts/tour/main.mjs'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder, ...environment },
  });
  return { ...result, folder };
}

let first: ReturnType<typeof runTour> | undefined;
/** The tour as it is told first, for all who look at it. */
function told() {
  first ??= runTour({});
  return first;
}

describe('the tour', () => {
  it.skipIf(!hasGit)('shows everything, holds every promise, and is confirmed by git', () => {
    const { status, stdout, stderr, folder } = told();
    expect(stderr).toBe('');
    expect(status).toBe(0);
    for (const chapter of [
      'Begin',
      'Capture',
      'A live session',
      'Extract',
      'Recall',
      'Where it comes from',
      'On another day',
      'Taking things back',
      'What was done',
      'Proof',
      'Go on',
    ]) {
      expect(stdout).toMatch(new RegExp(`^\\d+\\. ${chapter}$`, 'm'));
    }
    expect(stdout).toContain('ok git fsck --strict');
    expect(stdout).toContain('ok git status --porcelain');
    expect(stdout).not.toContain('\u001b');
    // The folder's name is as long as the machine likes.
    for (const line of stdout.split('\n'))
      if (!line.includes(folder)) expect([...line].length, line).toBeLessThanOrEqual(80);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it.skipIf(!hasTerminal)('ends, in a terminal, with the address of the page on its copy, until Ctrl C', async () => {
    // Without exec, a dash between the two dies of the Ctrl C that the tour lives through.
    const child = spawn('script', ['-qec', `exec ${process.execPath} scripts/tour/main.mjs`, '/dev/null'], {
      cwd: projectRoot,
      env: { ...process.env, SHELL: '/bin/sh', CI: '', TMPDIR: temporaryFolder() },
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stdout.on('data', (part) => {
        said += part;
        const found = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(said);
        if (found !== null) resolve(found[0]);
      });
      child.once('exit', () => reject(new Error(said)));
    });
    const token = new URL(address).hash.slice('#token='.length);
    const answer = await fetch(new URL('/api/first', address), { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    child.stdin.write('\u0003');
    expect(await ended).toBe(0);
  });

  it('tells the same story twice', () => {
    const neutral = (text: string) => text.replace(/git-memory-\S+/g, 'FOLDER').replace(/\b[0-9a-f]{7}\b/g, 'COMMIT');
    expect(neutral(runTour({}).stdout)).toBe(neutral(told().stdout));
  });

  it('needs no git program, and says that nobody else could confirm it', () => {
    const bin = join(temporaryFolder(), 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    const { status, stdout } = runTour({ PATH: bin });
    expect(status).toBe(0);
    expect(stdout).toContain('No git program was found here');
  });
});
