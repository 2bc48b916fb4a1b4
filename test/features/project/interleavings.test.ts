// Three clones of one project that log, edit, commit, pull, rebase and push in any order, with our hooks in all, some or none of them.
//
//   PROJECT_SEEDS=100   so many interleavings; default 3     PROJECT_FROM=n   begins elsewhere

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatChangelogEvent, parseChangelog, tailOf } from '../../../src/store/records/changelog.ts';
import { fsck, hasGit } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment } from '../../helpers/program.ts';
import { random } from '../../helpers/random.ts';
import { type Clone, clonesOf } from './clones.ts';

const from = Number(process.env.PROJECT_FROM ?? 1);
const seeds = Array.from({ length: Number(process.env.PROJECT_SEEDS ?? 3) }, (_, at) => from + at);
const log = 'CHANGELOG.md';

/** What was said, whoever said it, and the ids that the others have. */
class World {
  readonly said = new Set<string>(['begun']);
  readonly open = new Set<string>();
  readonly done = new Set<string>();
  readonly published = new Map<string, string>();
  readonly hooked = new Set<Clone>();
  readonly trail: string[] = [];
  private count = 0;
  private readonly next: (below: number) => number;

  constructor(next: (below: number) => number) {
    this.next = next;
  }

  async step(clone: Clone): Promise<void> {
    clone.clock.advance({ minutes: this.next(50) });
    this.count += 1;
    const name = `${clone.name} ${this.count}`;
    const steps: [string, () => Promise<unknown>][] = [
      ['event', () => this.event(clone, name)],
      ['event', () => this.event(clone, name)],
      ['by hand', () => this.byHand(clone, name)],
      ['task', () => this.task(clone, name)],
      ['done', () => this.complete(clone)],
      ['code', async () => this.code(clone, name)],
      ['merge', () => this.pull(clone, '--no-rebase')],
      ['rebase', () => this.pull(clone, '--rebase')],
      ['push', () => this.push(clone)],
    ];
    const [what, act] = steps[this.next(steps.length)]!;
    this.trail.push(`${clone.name}: ${what}`);
    await act();
  }

  private async event(clone: Clone, name: string): Promise<void> {
    const refs = [`evt-00${1 + this.next(1)}`];
    await clone.use(async (memory) => {
      const details = { entity: `thing ${this.next(4)}` };
      await memory.project.change({ type: 'create', agent: clone.name, scope: 'x', summary: name, details, refs });
      await memory.commit();
    });
    this.said.add(name);
  }

  private async byHand(clone: Clone, name: string): Promise<void> {
    const text = clone.read(log);
    const { number, last } = tailOf(text);
    const id = `evt-${String(number + 1).padStart(3, '0')}`;
    const written = { id, number: number + 1, time: last!.time, agent: clone.name, scope: 'hand', summary: name };
    clone.write(
      log,
      text +
        formatChangelogEvent({
          ...written,
          type: 'milestone',
          details: [{ key: 'name', value: name }],
          refs: [],
          tags: [],
        }),
    );
    const todo = clone.read('TODO.md');
    if (!todo.includes(`Look at`)) clone.write('TODO.md', `${todo}- [ ] Look at ${id} of ${name}\n`);
    clone.git('commit', '-qam', `${id} by hand`);
    this.said.add(name);
  }

  private async task(clone: Clone, name: string): Promise<void> {
    await clone.task({ add: `Do ${name}.` });
    this.open.add(`Do ${name}.`);
  }

  private async complete(clone: Clone): Promise<void> {
    const tasks = await clone.use(async ({ project }) => (await project.todo()).tasks);
    const own = tasks.filter(({ section, task }) => section !== 'Completed' && task.startsWith(`Do ${clone.name}`));
    if (own.length === 0) return;
    const { task } = own[this.next(own.length)]!;
    await clone.task({ complete: task });
    this.open.delete(task);
    this.done.add(task);
    this.said.add(`Completed: ${task}`);
  }

  private code(clone: Clone, name: string): void {
    fs.writeFileSync(path.join(clone.folder, `${clone.name}.c`), `// ${name}\n`);
    clone.git('add', '-A');
    clone.git('commit', '-qm', name);
  }

  async pull(clone: Clone, way: '--no-rebase' | '--rebase'): Promise<void> {
    const { stops } = await clone.pull(way);
    if (this.hooked.has(clone)) expect(stops).toBe(0);
    await this.judge(clone);
  }

  async push(clone: Clone): Promise<boolean> {
    const isTaken = clone.try('push', '-q').status === 0;
    if (!isTaken) return false;
    for (const { id, summary } of eventsIn(clone)) {
      expect([summary, id]).toEqual([summary, this.published.get(summary) ?? id]);
      this.published.set(summary, id);
    }
    for (const summary of this.published.keys())
      expect(eventsIn(clone).map((event) => event.summary)).toContain(summary);
    return true;
  }

  /** What holds after each pull. */
  async judge(clone: Clone): Promise<void> {
    expect(clone.git('status', '--porcelain')).toBe('');
    expect(clone.try('grep', '-lE', '^(<<<<<<<|>>>>>>>)').stdout).toBe('');
    const events = eventsIn(clone);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => `evt-${String(at + 1).padStart(3, '0')}`));
    expect(new Set(events.map(({ summary }) => summary)).size).toBe(events.length);
    for (const { id, summary } of events) expect([summary, id]).toEqual([summary, this.published.get(summary) ?? id]);
    await clone.use(async ({ project }) => {
      const { graph, context, problems } = await project.graph();
      if (this.hooked.has(clone)) expect([graph, context, problems]).toEqual(['fresh', 'fresh', []]);
      expect((await project.todo()).problems).toEqual([]);
    });
  }

  async settle(clones: readonly Clone[]): Promise<void> {
    for (const clone of [...clones, ...clones]) {
      await this.pull(clone, '--no-rebase');
      expect(await this.push(clone)).toBe(true);
    }
    for (const clone of clones) {
      await this.pull(clone, '--no-rebase');
      expect(new Set(eventsIn(clone).map(({ summary }) => summary))).toEqual(this.said);
      const { tasks } = await clone.use(({ project }) => project.todo());
      const named = tasks.filter(({ task }) => task.startsWith('Do '));
      const sorted = (section: boolean) =>
        named
          .filter((one) => (one.section === 'Completed') === section)
          .map(({ task }) => task)
          .sort();
      expect([sorted(false), sorted(true)]).toEqual([[...this.open].sort(), [...this.done].sort()]);
      // Who completed a task, and who wrote down to look at an event, still names that event.
      const names = new Map(eventsIn(clone).map(({ id, summary }) => [id, summary]));
      for (const { task, events } of named) if (events[0]) expect(names.get(events[0])).toBe(`Completed: ${task}`);
      for (const [, id, summary] of clone.read('TODO.md').matchAll(/Look at (\S+) of (.*)$/gm))
        expect([id, names.get(id!)]).toEqual([id, summary]);
      expect(fsck(clone.folder)).toBe('');
    }
    expect(new Set(clones.map((clone) => clone.git('rev-parse', 'HEAD^{tree}'))).size).toBe(1);
  }
}

function eventsIn(clone: Clone) {
  return parseChangelog(clone.read(log), log).flatMap((piece) => (piece.kind === 'entry' ? piece.value : []));
}

describe.runIf(hasGit)('three clones of a project', () => {
  let environment: Record<string, string>;
  beforeAll(async () => {
    await buildProgram();
    environment = programEnvironment();
  }, 240_000);

  it.each(seeds)(
    'lose no event, change no published id and stay clean, interleaving %i',
    async (seed) => {
      const next = random(seed);
      const world = new World(next);
      const clones = await clonesOf(['ana', 'rui', 'eve'], environment);
      for (const clone of clones.slice(0, [3, 0, 1, 2][seed % 4])) {
        await clone.install();
        world.hooked.add(clone);
      }
      try {
        for (let count = 0; count < 14; count += 1) await world.step(clones[next(clones.length)]!);
        await world.settle(clones);
      } catch (error) {
        throw new Error(`${world.hooked.size} with hooks; ${world.trail.join(', ')}`, { cause: error });
      }
    },
    600_000,
  );
});
