// The real process of an experiment, killed with SIGKILL at random moments: nothing of the open branch moves, and whoever goes on ends where
// one that was left alone does.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { randomOf } from '../helpers/failing-fs.ts';
import { goingOn, longRunMs, seed } from '../helpers/long-run.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { buildProgram, projectRoot } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

beforeAll(buildProgram);

const replayer = fileURLToPath(new URL('replayer.mjs', import.meta.url));

/** What an experiment must not move: the tip, the files of the work tree, what waits in the journal, and what native git sees. */
function presentOf(directory: string): Record<string, string> {
  const found: Record<string, string> = {
    tip: git(directory, 'rev-parse', 'main'),
    status: git(directory, 'status', '--porcelain'),
  };
  const take = (folder: string, isWanted: (name: string) => boolean): void => {
    if (!existsSync(join(directory, folder))) return;
    for (const entry of readdirSync(join(directory, folder), { recursive: true, withFileTypes: true })) {
      const name = relative(directory, join(entry.parentPath, entry.name));
      if (entry.isFile() && isWanted(name)) found[name] = readFileSync(join(directory, name), 'latin1');
    }
  };
  take('', (name) => !name.startsWith('.git/'));
  take('.git/git-memory/journal', (name) => name.endsWith('main.journal'));
  return found;
}

/** Lets a process replay; kills it a moment after it has read so many conversations. Tells whether it came to its end. */
async function replay(directory: string, kill: { readonly atDone: number; readonly afterMs: number } | null) {
  const args = [replayer, join(projectRoot, 'dist/library/index.js'), directory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  let isDying = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const isFar = kill !== null && said.split('\n').some((line) => line !== '' && Number(line) >= kill.atDone);
    if (!isFar || isDying) return;
    isDying = true;
    setTimeout(() => child.kill('SIGKILL'), kill.afterMs);
  });
  await new Promise<void>((resolve) => child.on('close', () => resolve()));
  return said.endsWith('done\n');
}

const conversations = 12;

/** So many are read between two kills. */
const stride = 5;

it.skipIf(!hasGit)(
  `goes on where it was killed, and nothing of the open branch moves (FAULT_SEED=${seed})`,
  async () => {
    const random = randomOf(seed);
    const { memory, directory: base } = await newTestMemory();
    for (let number = 0; number < conversations; number++) {
      const time = new Date(Date.parse('2026-01-01T09:00:00Z') + number * 3_600_000).toISOString();
      const text = `We decided to paint house number ${number} green. Anna works on the team of street ${number}.`;
      await memory.capture({ session: `s${number}`, messages: [{ role: 'user', text, time }] });
    }
    await memory.extract();
    await memory.close();
    // Where the experiment has begun, something waits for a commit, which is none of its business; beginning commits what waits.
    const begun = join(temporaryFolder(), 'begun');
    cpSync(base, begun, { recursive: true });
    const open = await openMemory({ dir: begun });
    const isOver = AbortSignal.abort();
    await expect(open.experiments.run('killed', { signal: isOver })).rejects.toMatchObject({ name: 'AbortError' });
    await open.remember({ id: 'waits', content: 'Said while the experiment lay idle.' });
    await open.store.settle();
    open.dispose();
    expect(Object.keys(presentOf(begun)).join('\n')).toContain('main.journal');
    expect(presentOf(begun).status).toContain('?? memories/');

    const whole = join(temporaryFolder(), 'whole');
    cpSync(base, whole, { recursive: true });
    expect(await replay(whole, null)).toBe(true);
    expect(presentOf(whole)).toEqual(presentOf(base));
    const treeOf = (directory: string) => git(directory, 'rev-parse', 'extract/killed^{tree}');
    let midway = 0;
    let round = 0;
    for (const goesOn = goingOn(2); goesOn(round); round++) {
      const directory = join(temporaryFolder(), 'killed');
      const from = round % 2 === 0 ? begun : base;
      cpSync(from, directory, { recursive: true });
      const present = presentOf(from);
      for (let isDone = false, next = 0; !isDone; next += stride) {
        const atDone = next + Math.floor(random() * stride);
        isDone = await replay(directory, { atDone, afterMs: Math.floor(random() * 12) });
        expect(presentOf(directory)).toEqual(present);
        const isBegun = git(directory, 'branch', '--list', 'extract/killed') !== '';
        if (isBegun && !isDone) midway += 1;
      }
      expect(treeOf(directory)).toBe(treeOf(whole));
      expect(presentOf(directory)).toEqual(present);
      expect(fsck(directory)).toBe('');
      rmSync(directory, { recursive: true });
    }
    expect(midway).toBeGreaterThan(0);
  },
  longRunMs,
);
