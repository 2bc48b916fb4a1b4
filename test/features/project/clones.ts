// Clones of one code repository, each with its person: native git pulls and pushes, and the program is run as people run it.

import fs from 'node:fs';
import path from 'node:path';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { countingIds, ManualClock } from '../../helpers/memories.ts';
import { git, tryGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** One clone. What native git runs in it are the hooks and the driver of that clone. */
export class Clone {
  readonly name: string;
  readonly folder: string;
  readonly clock: ManualClock;
  private readonly environment: Readonly<Record<string, string>>;

  constructor(home: string, name: string, clock: ManualClock, environment: Readonly<Record<string, string>>) {
    [this.name, this.folder, this.clock] = [name, path.join(home, name), clock];
    this.environment = { ...environment, GIT_EDITOR: 'true' };
  }

  /** Runs git as this person would, at the time of the clock. */
  try(...words: string[]) {
    const date = `${Math.floor(this.clock.now() / 1000)} +0000`;
    const who = [`user.name=${this.name}`, `user.email=${this.name}@example.org`].flatMap((one) => ['-c', one]);
    const environment = { ...this.environment, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return tryGit(this.folder, [...who, ...words], undefined, environment);
  }

  git(...words: string[]): string {
    const { status, stdout, stderr } = this.try(...words);
    if (status !== 0) throw new Error(`${this.name}: git ${words.join(' ')} failed: ${stderr}${stdout}`);
    return stdout;
  }

  async use<T>(act: (memory: Memory) => Promise<T>): Promise<T> {
    const ids = countingIds(`${this.name}${this.clock.now()}`);
    const memory = await openMemory({ dir: this.folder, clock: this.clock, ids, durability: 'fast' });
    try {
      return await act(memory);
    } finally {
      await memory.close();
    }
  }

  install(): Promise<unknown> {
    return this.use((memory) => memory.git.installHooks());
  }

  /** Records an event, and commits it. */
  event(summary: string, entity: string, type: 'create' | 'modify' = 'create'): Promise<string> {
    return this.use(async (memory) => {
      const details = { entity };
      const { id } = await memory.project.change({ type, agent: this.name, scope: entity, summary, details });
      await memory.commit();
      return id;
    });
  }

  task(change: { add: string } | { complete: string }): Promise<void> {
    return this.use(async (memory) => {
      await memory.project.task(change);
      await memory.commit();
    });
  }

  /** Pulls, and does what git or the program asks for where it stops. */
  async pull(way: '--no-rebase' | '--rebase'): Promise<{ readonly stops: number; readonly said: string }> {
    let { status, stdout, stderr } = this.try('pull', '-q', way, '--no-edit');
    const said = stdout + stderr;
    let stops = 0;
    for (; status !== 0; stops += 1) {
      if (stops > 50) throw new Error(`${this.name}: the pull does not end: ${stdout}${stderr}`);
      const { remaining } = await this.use((memory) => memory.git.resolveMerge());
      if (remaining.length > 0) throw new Error(`${this.name}: ${JSON.stringify(remaining)}`);
      const isRebase = fs.existsSync(path.join(this.folder, '.git/rebase-merge'));
      ({ status, stdout, stderr } = this.try(...(isRebase ? ['rebase', '--continue'] : ['commit', '--no-edit'])));
    }
    return { stops, said };
  }

  read(file: string): string {
    return fs.readFileSync(path.join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    fs.writeFileSync(path.join(this.folder, file), text);
  }

  /** Each event of the log with its id, in the order of the file. */
  events(): Promise<string[]> {
    return this.use(async ({ project }) => {
      const { events } = await project.changes({ archived: true, superseded: true });
      return events.map(({ id, summary }) => `${id} ${summary}`);
    });
  }
}

/** Makes a project with a log in a bare repository, and clones of it. */
export async function clonesOf(
  names: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Clone[]> {
  const home = temporaryFolder();
  const clock = new ManualClock();
  git(home, 'init', '-q', '--bare', '-b', 'main', 'hub.git');
  const clones = names.map((name) => new Clone(home, name, clock, environment));
  const [first, ...others] = clones as [Clone, ...Clone[]];
  git(home, 'clone', '-q', 'hub.git', first.name);
  first.git('switch', '-q', '-c', 'main');
  first.write('main.c', 'int main(void) { return 0; }\n');
  first.git('add', '-A');
  first.git('commit', '-qm', 'code');
  const options = { dir: first.folder, create: true, placement: 'project', durability: 'fast', clock } as const;
  const memory = await openMemory({ ...options, ids: countingIds('first') });
  await memory.project.deploy(5);
  await memory.commit();
  await memory.close();
  await first.event('begun', 'all');
  first.git('push', '-qu', 'origin', 'main');
  for (const { name } of others) git(home, 'clone', '-q', 'hub.git', name);
  return clones;
}
