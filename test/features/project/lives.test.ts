// Seven weeks of a project with two people, by a clock of our own, once with our hooks and once without: what each reads before work is true.

import { beforeAll, describe, expect, it } from 'vitest';
import { fsck, hasGit } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment } from '../../helpers/program.ts';
import { random } from '../../helpers/random.ts';
import { type Clone, clonesOf } from './clones.ts';

const weeks = Number(process.env.PROJECT_WEEKS ?? 7);

/** What is true, whoever did it: events by the minute in which they happened, and tasks. */
interface Truth {
  readonly events: Map<string, string>;
  readonly tasks: Map<string, 'active' | 'completed'>;
}

/** One day of a person: something is done, now and then a task is begun or completed, and at the end both come together. */
async function day(clone: Clone, number: number, next: (below: number) => number, truth: Truth): Promise<void> {
  const record = (summary: string) => {
    truth.events.set(summary, new Date(clone.clock.now()).toISOString().slice(0, 16).replace('T', ' '));
  };
  const name = `${clone.name}-${number}`;
  const about = (task: string, status: 'active' | 'completed') => {
    const details = { entity: task, type: 'task', status };
    const type = truth.tasks.has(task) ? 'modify' : 'create';
    const summary = `${status} ${task} by ${name}`;
    truth.tasks.set(task, status);
    record(summary);
    return { type, agent: clone.name, scope: 'tasks', summary, details } as const;
  };
  await clone.use(async ({ project, commit }) => {
    await project.change({
      type: 'fix',
      agent: clone.name,
      scope: 'code',
      summary: `mended ${name}`,
      details: { entity: 'code' },
    });
    record(`mended ${name}`);
    clone.clock.advance({ minutes: 5 });
    const task = `${clone.name} task ${Math.floor(number / 5)}`;
    const status = number % 5 === 0 ? 'active' : number % 5 === 3 && next(2) === 0 ? 'completed' : null;
    if (status !== null) await project.change(about(task, status));
    await commit();
  });
}

async function expectTruth(clone: Clone, { events, tasks }: Truth): Promise<void> {
  await clone.use(async ({ project }) => {
    const { text } = await project.boot();
    const recent = [...text.matchAll(/^- (\S+ \S+) — (.*) — (evt-\d+)$/gm)];
    const lines = recent.flatMap(([, time, summary, id]) =>
      summary!.startsWith('Archived ') ? [] : { time: time!, summary: summary!, id },
    );
    expect(lines.length).toBeGreaterThanOrEqual(Math.min(20, events.size) - (recent.length - lines.length));
    const newest = [...events].sort(([, a], [, b]) => (a < b ? 1 : -1));
    // The recent ones of both, newest first, each with its minute, and no other.
    expect(lines.map(({ time }) => time)).toEqual([...lines.map(({ time }) => time)].sort().reverse());
    expect(new Set(lines.map(({ summary }) => summary)).size).toBe(lines.length);
    for (const { time, summary } of lines) expect([summary, time]).toEqual([summary, events.get(summary)]);
    const oldest = lines.at(-1)?.time ?? '';
    expect(lines.map(({ summary }) => summary).sort()).toEqual(
      expect.arrayContaining(
        newest
          .filter(([, time]) => time > oldest)
          .map(([summary]) => summary)
          .sort(),
      ),
    );
    const all = (await project.changes({ archived: true, superseded: true })).events.filter(
      ({ type }) => type !== 'archive',
    );
    expect(all.map(({ summary }) => summary).sort()).toEqual([...events.keys()].sort());
    const { nodes, problems } = await project.graph();
    expect(problems).toEqual([]);
    const known = new Map(nodes.filter(({ type }) => type === 'task').map(({ name, status }) => [name, status]));
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(tasks));
    for (const [task, status] of tasks) expect(text.includes(`| ${task} | task | ${status} |`)).toBe(true);
  });
}

describe.runIf(hasGit)('seven weeks of two people', () => {
  let environment: Record<string, string>;
  beforeAll(async () => {
    await buildProgram();
    environment = programEnvironment();
  }, 240_000);

  it.each(['with hooks', 'without hooks'])(
    '%s read what is true',
    async (way) => {
      const next = random(7);
      const clones = await clonesOf(['ana', 'rui'], environment);
      if (way === 'with hooks') for (const clone of clones) await clone.install();
      const truth: Truth = { events: new Map([['begun', '2026-02-16 09:00']]), tasks: new Map() };
      for (let number = 0; number < weeks * 7; number += 1) {
        const isWeekend = number % 7 > 4;
        for (const clone of isWeekend ? [] : clones) {
          // Each comes at a time of its own, and not every day.
          clone.clock.advance({ minutes: 30 + next(200) });
          if (next(5) > 0) await day(clone, number, next, truth);
          if (next(3) === 0) await clone.pull(next(2) === 0 ? '--rebase' : '--no-rebase');
          clone.try('push', '-q');
        }
        clones[0]!.clock.set(new Date(Date.parse('2026-02-17T07:00:00Z') + number * 86_400_000).toISOString());
        if (number % 7 !== 4) continue;
        // Of this one a scheduler keeps the log short.
        await clones[0]!.use(async ({ maintenance, commit }) => {
          const { runs } = await maintenance.runDue();
          expect(runs.filter(({ state }) => state === 'failed')).toEqual([]);
          await commit();
        });
        for (const clone of [...clones, clones[0]!]) {
          await clone.pull('--no-rebase');
          clone.git('push', '-q');
        }
        for (const clone of clones) await expectTruth(clone, truth);
      }
      for (const clone of clones) {
        const { events } = await clone.use(({ project }) => project.changes({ archived: true, superseded: true }));
        const isAside = ({ archived }: { archived?: true }) => archived === true;
        expect(events.filter((event) => !isAside(event)).length).toBeLessThanOrEqual(51);
        expect(events.filter(isAside).length).toBeGreaterThanOrEqual(25);
      }
      for (const clone of clones) expect([clone.git('status', '--porcelain'), fsck(clone.folder)]).toEqual(['', '']);
    },
    900_000,
  );
});
