// Two clones of one memory that go their own ways at random and are merged by native git, with our program as its driver, and by the engine.
//
//   NATIVE_MERGE_MEMORIES=500   so many memories; default 20     NATIVE_MERGE_SEED=n   another history

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MemoryRecord } from '../../../src/base/types/stored-types.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { formatMemory, memoryPath, parseMemory } from '../../../src/store/records/memory-record.ts';
import { fsck, git, hasGit, tryGit } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment, runProgram } from '../../helpers/program.ts';
import { random } from '../../helpers/random.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

const size = Number(process.env.NATIVE_MERGE_MEMORIES ?? 20);
const seed = Number(process.env.NATIVE_MERGE_SEED ?? 1);
const begin = Date.parse('2026-02-16T09:30:00Z');

/** One clone, and what was done in it. */
class Clone {
  readonly folder: string;
  readonly name: string;
  readonly touches = new Map<string, number>();
  readonly removed = new Set<string>();
  readonly edited = new Set<string>();
  /** What a memory was consolidated into. */
  readonly heirs = new Map<string, string>();
  readonly results = new Set<string>();
  readonly clock = { time: begin, now: () => this.clock.time };
  private readonly next: (below: number) => number;

  constructor(folder: string, name: string, next: (below: number) => number) {
    this.folder = folder;
    this.name = name;
    this.next = next;
  }

  open(): Promise<Memory> {
    let count = 0;
    const ids = { next: () => `${this.name}${this.clock.time}${count++}` };
    return openMemory({ dir: this.folder, clock: this.clock, ids, durability: 'fast' });
  }

  private file(place: string): string {
    return path.join(this.folder, place);
  }

  read(id: string): MemoryRecord | null {
    const place = this.file(memoryPath(id));
    return fs.existsSync(place) ? parseMemory(fs.readFileSync(place, 'utf8'), place) : null;
  }

  private write(place: string, text: string): void {
    writeDeep(this.file(place), text);
  }

  /** Touches, edits, removes and consolidates memories at random, in commits of the engine and of native git. */
  async live(ids: readonly string[], rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      this.clock.time += 60_000 + this.next(60_000);
      const there = () => [...ids, ...this.results].filter((id) => this.read(id) !== null);
      const some = (share: number) => there().filter(() => this.next(100) < share);
      const memory = await this.open();
      for (const id of some(15)) {
        await memory.records.touch(id);
        this.touches.set(id, (this.touches.get(id) ?? 0) + 1);
      }
      for (const id of some(3)) {
        await memory.forget(id);
        this.removed.add(id);
      }
      await memory.commit(undefined, { allowRemovals: true });
      for (let group = 0; group < Math.ceil(size / 100); group += 1) await this.consolidate(memory, there());
      await memory.close();
      for (const id of some(5)) {
        const record = this.read(id)!;
        this.write(
          memoryPath(id),
          formatMemory({ ...record, content: `${record.content}, said ${this.name} in ${round}` }),
        );
        this.edited.add(id);
      }
      git(this.folder, 'add', '-A');
      git(this.folder, 'commit', '-q', '--no-verify', '--allow-empty', '-m', `round ${round}`);
    }
  }

  private async consolidate(memory: Memory, there: readonly string[]): Promise<void> {
    const sources = [...new Set([0, 1].map(() => there[this.next(there.length)]!))];
    if (sources.length < 2) return;
    const { items } = await memory.records.consolidate({ ids: sources, likeness: 'words', force: true });
    for (const source of sources) this.heirs.set(source, items[0]!.into);
    this.results.add(items[0]!.into);
  }
}

/** How often a memory that both clones know was used, or what it became: what both counted, where neither let it go. */
function expectedUses(id: string, one: Clone, other: Clone): number | null {
  const gone = [one, other].filter((clone) => clone.removed.has(id) || clone.heirs.has(id));
  if (gone.length > 0) return null;
  return (one.touches.get(id) ?? 0) + (other.touches.get(id) ?? 0);
}

/** What must be counted by a result: what its clone counted, and what the other did with its sources meanwhile. */
function inheritedUses(result: string, own: Clone, other: Clone): number {
  let uses = own.touches.get(result) ?? 0;
  for (const [source, heir] of own.heirs) {
    if (heir !== result) continue;
    const isResult = own.results.has(source);
    uses += isResult ? inheritedUses(source, own, other) : (own.touches.get(source) ?? 0);
    const isGone = other.removed.has(source) || other.heirs.has(source);
    if (!isResult && !isGone) uses += other.touches.get(source) ?? 0;
  }
  return uses;
}

describe.runIf(hasGit)('two clones of a memory', () => {
  let environment: Record<string, string>;
  beforeAll(async () => {
    await buildProgram();
    environment = programEnvironment();
  }, 240_000);

  async function twoClones(ids: readonly string[]): Promise<[Clone, Clone, string]> {
    const home = temporaryFolder();
    const next = random(seed);
    const first = new Clone(`${home}/first`, 'a', next);
    const memory = await openMemory({ dir: first.folder, create: true, clock: first.clock, durability: 'fast' });
    for (const id of ids)
      await memory.remember({ id, content: `What is known of ${id} and nothing else.`, tags: ['t'] });
    await memory.write('knowledge/reading list.md', '# Reading list\n\n- one\n- two\n');
    await memory.commit();
    await memory.close();
    git(home, 'clone', '-q', 'first', 'second');
    const second = new Clone(`${home}/second`, 'b', next);
    const other = await second.open();
    await other.git.installHooks();
    await other.close();
    return [first, second, home];
  }

  /** A copy of one clone that has the other's commits, and the name of those. */
  function meeting(home: string, own: Clone, other: Clone, name: string): string {
    fs.cpSync(own.folder, `${home}/${name}`, { recursive: true });
    git(`${home}/${name}`, 'fetch', '-q', other.folder, 'main:refs/heads/theirs');
    return `${home}/${name}`;
  }

  const treeOf = (folder: string) => git(folder, 'rev-parse', 'HEAD^{tree}').trim();
  const native = (folder: string, ...parameters: string[]) => tryGit(folder, parameters, undefined, environment);

  test('that touched, edited, removed and consolidated the same memories become one, by the engine and by native git', async () => {
    const ids = Array.from({ length: size }, (_, number) => `memory-${number}`);
    const [first, second, home] = await twoClones(ids);
    await first.live(ids, 3);
    await second.live(ids, 3);

    const trees = new Set<string>();
    for (const [own, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const folder = meeting(home, own, other, `engine-${own.name}`);
      const memory = await openMemory({ dir: folder, clock: { now: () => begin + 9e6 }, durability: 'fast' });
      await memory.merge('theirs', { allowRemovals: true, accept: ['records'] });
      await memory.close();
      trees.add(treeOf(folder));
    }
    expect([...trees]).toHaveLength(1);

    const merged = new Clone(`${home}/engine-a`, 'merged', random(0));
    for (const id of ids) {
      const uses = expectedUses(id, first, second);
      if (uses !== null) expect([id, merged.read(id)?.useCount]).toEqual([id, uses]);
    }
    for (const [own, other] of [
      [first, second],
      [second, first],
    ] as const) {
      for (const result of new Set(own.heirs.values())) {
        if (own.removed.has(result) || own.heirs.has(result)) continue;
        expect([result, merged.read(result)?.useCount]).toEqual([result, inheritedUses(result, own, other)]);
      }
    }

    for (const [own, other, renames] of [
      [first, second, 'false'],
      [second, first, 'true'],
    ] as const) {
      const folder = meeting(home, own, other, `native-${own.name}-${renames}`);
      git(folder, 'config', 'merge.renames', renames);
      const { status, stderr } = native(folder, 'merge', '-q', '--no-edit', 'theirs');
      expect([status <= 1, stderr.includes('fatal')]).toEqual([true, false]);
      expect(tryGit(folder, ['grep', '-l', '-E', '^(<<<<<<<|=======|>>>>>>>)']).stdout).toBe('');
      if (status === 1) {
        const planned = await runProgram(folder, ['merge', 'resolve', '--dry-run', '--json'], { env: environment });
        const resolved = await runProgram(folder, ['merge', 'resolve', '--json'], { env: environment });
        expect([resolved.status, resolved.stderr]).toEqual([0, '']);
        expect(JSON.parse(resolved.stdout)).toEqual(JSON.parse(planned.stdout));
        expect(JSON.parse(resolved.stdout).remaining).toEqual([]);
        expect(git(folder, 'ls-files', '-u')).toBe('');
        git(folder, 'commit', '-q', '--no-verify', '--no-edit');
      }
      trees.add(treeOf(folder));
      expect(git(folder, 'status', '--porcelain')).toBe('');
      expect(fsck(folder)).toBe('');
    }
    expect([...trees]).toHaveLength(1);
  }, 3_600_000);

  const list = 'knowledge/reading list.md';
  const append = (folder: string, item: string) => {
    const text = fs.readFileSync(`${folder}/${list}`, 'utf8');
    fs.writeFileSync(`${folder}/${list}`, `${text}- ${item}\n`);
  };
  const items = (folder: string) =>
    fs
      .readFileSync(`${folder}/${list}`, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  const save = (folder: string, name: string) => git(folder, 'commit', '-q', '--no-verify', '-am', name);

  test('merge a list item by item in a rebase, a cherry-pick and a stash, also where git finds no program on its path', async () => {
    const [first, second, home] = await twoClones(['one']);
    append(first.folder, 'theirs');
    save(first.folder, 'theirs');
    for (const [way, steps] of Object.entries({
      rebase: [['rebase', 'theirs']],
      'cherry-pick': [['cherry-pick', 'theirs']],
      stash: [['stash'], ['reset', '-q', '--hard', 'theirs'], ['stash', 'pop']],
    })) {
      const folder = meeting(home, second, first, way);
      append(folder, 'ours');
      if (way !== 'stash') save(folder, 'ours');
      // Without the program of the tests, git has this installation by its path.
      const bare = { ...environment, PATH: '/usr/bin:/bin' };
      for (const step of steps) {
        const person = ['-c', 'user.name=P', '-c', 'user.email=p@example.org'];
        const { status, stderr } = tryGit(
          folder,
          [...person, ...step],
          undefined,
          way === 'rebase' ? bare : environment,
        );
        expect([way, status, stderr]).toEqual([way, 0, way === 'rebase' ? expect.any(String) : '']);
      }
      expect([way, items(folder).sort()]).toEqual([way, ['# Reading list', '- one', '- ours', '- theirs', '- two']]);
    }
  }, 600_000);

  test('stop a rebase at what one removed and the other edited, until it is resolved; what was edited by hand stays', async () => {
    const [first, second, home] = await twoClones(['one', 'two']);
    for (const id of ['one', 'two']) fs.rmSync(path.join(first.folder, memoryPath(id)));
    save(first.folder, 'theirs');
    const folder = meeting(home, second, first, 'stopped');
    const own = new Clone(folder, 'own', random(1));
    for (const id of ['one', 'two']) {
      const edited = formatMemory({ ...own.read(id)!, content: 'edited' });
      fs.writeFileSync(path.join(folder, memoryPath(id)), edited);
    }
    save(folder, 'ours');
    const person = { ...environment, GIT_COMMITTER_NAME: 'P', GIT_COMMITTER_EMAIL: 'p@example.org' };
    expect(tryGit(folder, ['rebase', 'theirs'], undefined, person).status).toBe(1);
    fs.writeFileSync(path.join(folder, memoryPath('two')), 'by hand');
    const stopped = await runProgram(folder, ['merge', 'resolve', '--json'], { env: environment });
    expect(stopped.status).toBe(5);
    expect(JSON.parse(stopped.stdout)).toMatchObject({
      resolved: [{ path: memoryPath('one'), outcome: 'merged' }],
      conflicts: [memoryPath('one')],
      remaining: [{ path: memoryPath('two'), why: expect.stringContaining('edited by hand') }],
      tree: null,
    });
    expect(fs.readFileSync(path.join(folder, memoryPath('two')), 'utf8')).toBe('by hand');
    fs.writeFileSync(path.join(folder, memoryPath('two')), formatMemory({ ...own.read('one')!, id: 'two' }));
    git(folder, 'add', memoryPath('two'));
    expect(git(folder, 'ls-files', '-u')).toBe('');
    const nothing = await runProgram(folder, ['merge', 'resolve', '--json'], { env: environment });
    expect([nothing.status, JSON.parse(nothing.stderr).error.code]).toEqual([3, 'NOT_FOUND']);
    expect(tryGit(folder, ['-c', 'core.editor=true', 'rebase', '--continue'], undefined, person).status).toBe(0);
    expect(own.read('one')?.content).toBe('edited');
    expect(fsck(folder)).toBe('');
  }, 600_000);
});
