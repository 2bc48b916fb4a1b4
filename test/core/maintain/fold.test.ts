// A memory whose pages stand as earlier versions wrote them: lines of one turn twice, lines of what is gone. One pass folds them.

import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../../src/base/types/stored-types.ts';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { memoriesOfLine, memoryMark, turnsOfLine } from '../../../src/store/records/knowledge-marks.ts';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { formatRelation, newRelation, relationPath } from '../../../src/store/records/relation-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { runHere } from '../../helpers/program.ts';
import { writeDeep } from '../../helpers/temporary.ts';

const turns = [
  'Minutes have one page, and the clock tower is where we meet.',
  'Otto Lindqvist gets 6200 kronor a month.',
  'A ladder that nobody tied is a trap.',
  'The greenhouse has nine panes, and two of them are cracked since the storm.',
];
const said = {
  minutes: 'Minutes have one page.',
  tower: 'The clock tower is where Ines meets the others.',
  pay: 'Otto Lindqvist gets 6200 kronor a month.',
  ladder: 'A ladder that nobody tied is a trap.',
} as const;
type Id = keyof typeof said;
const turnOf: Readonly<Record<Id, number>> = { minutes: 1, tower: 1, pay: 2, ladder: 3 };

const journal = 'knowledge/journal/2026-02-16.md';
const nextJournal = 'knowledge/journal/2026-02-17.md';
const core = 'knowledge/memory/MEMORY.md';
const lessons = 'knowledge/insights/lessons.md';
const own = '- A line of Ines, who met nobody under the clock tower.';
const pageOf = (title: string, lines: readonly string[]) => `## ${title}\n\n${lines.join('\n')}\n`;

/** A conversation and its memories, or some of them. `commit` puts files there as native git does, which follows no rule of ours. */
async function life(change: (id: Id) => Partial<MemoryRecord> | null = () => ({})) {
  const world = await newTestMemory();
  const { memory, clock, directory } = world;
  const { path: raw } = await memory.capture({
    session: 's1',
    messages: turns.map((text) => ({ role: 'user', speaker: 'Ines', text })),
  });
  await memory.commit();
  await memory.store.settle();
  const of = (turn: number, ...ids: string[]) => ` [source: ${raw}#${turn}]${ids.map(memoryMark).join('')}`;
  const line = (id: Id) => `- ${said[id]}${of(turnOf[id], id)}`;
  const commit = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      writeDeep(path.join(directory, name), text);
    }
    git(directory, 'add', '-A');
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'as an earlier version wrote it');
  };
  const records = (Object.keys(said) as Id[]).flatMap((id) => {
    const changed = change(id);
    const now = clock.now();
    const sources = [{ path: raw, turn: turnOf[id] }];
    return changed === null ? [] : [{ ...newMemory({ id, content: said[id], now, sources }), ...changed }];
  });
  commit(Object.fromEntries(records.map((record) => [memoryPath(record.id), formatMemory(record)])));
  return { ...world, raw, of, line, commit };
}

const fold = async (memory: Memory, dryRun = false) =>
  (await memory.maintenance.run({ tasks: ['fold'], dryRun })).runs[0]!.result!;

async function pagesOf(memory: Memory): Promise<Record<string, string | null>> {
  const files = await memory.files('knowledge/');
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await memory.read(file)])));
}

describe.runIf(hasGit)('lines that an earlier version wrote', () => {
  it('are folded as they would be written now: shown first, in one commit, once, and undo brings them back', async () => {
    const { memory, clock, directory, raw, of, line, commit } = await life();
    commit({
      [journal]: pageOf('2026-02-16', [
        own,
        `- We agreed to meet.${of(1)}`,
        line('tower'),
        line('minutes'),
        `- Two of them are cracked since the storm. [source: ${raw}]`,
        `- What nobody said there. [source: ${raw}]`,
        `- A turn that is not there.${of(9)}`,
      ]),
      [nextJournal]: pageOf('2026-02-17', [line('minutes'), line('pay')]),
      [core]: pageOf('Key Decisions', [`- 2026-02-16: We agreed to meet.${of(1)}`, line('tower'), own]),
      [lessons]: pageOf('Lessons', [`- 2026-02-16: ${said.ladder}${of(3)}`, `- 2026-02-16: Of ladders.${of(3)}`]),
    });
    const before = await pagesOf(memory);
    const shown = await fold(memory, true);
    expect(shown.items.map(({ why }) => why)).toEqual([
      `${journal}: line 4 says what its turn has, line 5 joins line 4, line 6 joins line 4, line 7 names its turn, ` +
        'line 9 goes: its memory or turn is gone; ' +
        `${nextJournal}: line 3 joins line 4 of ${journal}`,
      `${lessons}: line 3 is taken over by the memories of its turn`,
      `${core}: line 3 says what its turn has, line 4 joins line 3`,
    ]);
    expect([shown.commits, await pagesOf(memory)]).toEqual([[], before]);
    const { stdout } = await runHere(directory, ['maintain', 'run', 'fold', '--dry-run']);
    for (const { why } of shown.items) expect(stdout.replace(/\s+/g, ' ')).toContain(why);
    const { findings } = await doctor({ dir: directory, clock });
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'LINES_OLD', what: '9 lines of 4 pages are of an earlier version' }),
    );

    const { commits } = await fold(memory);
    expect(commits).toHaveLength(1);
    const both = `${said.minutes} ${said.tower}${of(1, 'minutes', 'tower')}`;
    expect(await pagesOf(memory)).toEqual({
      [journal]: pageOf('2026-02-16', [
        own,
        `- ${both}`,
        `- Two of them are cracked since the storm.${of(4)}`,
        `- What nobody said there. [source: ${raw}]`,
      ]),
      [nextJournal]: pageOf('2026-02-17', [line('pay')]),
      [core]: pageOf('Key Decisions', [`- 2026-02-16: ${both}`, own]),
      [lessons]: pageOf('Lessons', [
        `- 2026-02-16: ${said.ladder}${of(3, 'ladder')}`,
        `- 2026-02-16: Of ladders.${of(3)}`,
      ]),
    });
    expect(await fold(memory)).toMatchObject({ commits: [], items: [] });
    await memory.undo(commits[0]!);
    expect(await pagesOf(memory)).toEqual(before);
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('go with what is forgotten or gone, and say when it ended or what it became', async () => {
    const until = Date.parse('2026-03-10T12:00:00Z') / 1000;
    const { memory, directory, of, line, commit } = await life((id) => {
      if (id === 'tower') return { status: 'superseded', validUntil: until };
      if (id === 'ladder') return { status: 'superseded' };
      return id === 'pay' ? null : {};
    });
    const heir = newMemory({ id: 'heir', content: 'Otto is paid by the month.', now: until * 1000 });
    const lineage = { id: 'lineage', fromMemoryId: 'heir', toMemoryId: 'pay', relationType: 'consolidated_from' };
    const lines = [line('minutes'), line('tower'), line('pay'), line('ladder'), `- Of panes.${of(4)}`, own];
    commit({
      [memoryPath('heir')]: formatMemory(heir),
      [relationPath('lineage')]: formatRelation(newRelation({ ...lineage, now: until * 1000 })),
      'state/forgotten.json': JSON.stringify({ gone: [`${of(4).slice(10, -1)}`] }),
      [journal]: pageOf('2026-02-16', lines),
      [core]: pageOf('Key Decisions', lines),
      [lessons]: pageOf('Lessons', [`- What a memory said that is gone.${of(3, 'lost')}`]),
    });
    const before = await pagesOf(memory);
    const { commits } = await fold(memory);
    expect(await pagesOf(memory)).toEqual({
      [journal]: pageOf('2026-02-16', [
        `- ${said.minutes} ${said.tower} (until 2026-03-10)${of(1, 'minutes', 'tower')}`,
        `- ${heir.content}${of(2, 'heir')}`,
        `- ${said.ladder} (until 2026-02-16)${of(3, 'ladder')}`,
        own,
      ]),
      [core]: pageOf('Key Decisions', [
        `- ${said.minutes}${of(1, 'minutes')}`,
        `- ${heir.content}${of(2, 'heir')}`,
        own,
      ]),
      [lessons]: '',
    });
    expect(await fold(memory)).toMatchObject({ commits: [] });
    await memory.undo(commits[0]!);
    expect(await pagesOf(memory)).toEqual(before);
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('have a turn once in its journals, name what is there, and leave the rest alone, whatever they were', async () => {
    const ids = Object.keys(said) as Id[];
    const named: readonly (Id | 'lost')[] = [...ids, 'lost'];
    const lines = fc.oneof(
      fc.subarray([...named], { minLength: 1, maxLength: 2 }).map((some) => ({ kind: 'claims', named: some }) as const),
      fc.integer({ min: 1, max: 5 }).map((turn) => ({ kind: 'turn', turn }) as const),
      fc.constantFrom(...turns, 'What nobody said.').map((words) => ({ kind: 'path', words }) as const),
      fc.constant({ kind: 'own' } as const),
    );
    const paths = [journal, nextJournal, core, lessons, `archive/${journal}`];
    const stores = fc.record({
      pages: fc.tuple(...paths.map(() => fc.array(lines, { maxLength: 6 }))),
      fates: fc.tuple(...ids.map(() => fc.constantFrom('stands', 'over', 'over since', 'ends', 'gone'))),
      forgotten: fc.subarray([1, 2, 3, 4]),
    });
    const until = Date.parse('2026-03-10T12:00:00Z') / 1000;
    const changes: Readonly<Record<string, Partial<MemoryRecord> | null>> = {
      stands: {},
      over: { status: 'superseded' },
      'over since': { status: 'superseded', validUntil: until },
      ends: { validUntil: until },
      gone: null,
    };
    await fc.assert(
      fc.asyncProperty(stores, async ({ pages, fates, forgotten }) => {
        const { memory, clock, directory, raw, of, commit } = await life((id) => changes[fates[ids.indexOf(id)]!]!);
        const textOf = (line: (typeof pages)[number][number]) => {
          if (line.kind === 'own') return own;
          if (line.kind === 'turn') return `- Some words.${of(line.turn)}`;
          if (line.kind === 'path') return `- ${line.words} [source: ${raw}]`;
          const [first] = line.named;
          const words = line.named.map((id) => (id === 'lost' ? 'Lost.' : said[id]));
          return `- ${words.join(' ')}${of(first === 'lost' ? 4 : turnOf[first!], ...line.named)}`;
        };
        const written = Object.fromEntries(paths.map((one, at) => [one, pageOf('Lines', pages[at]!.map(textOf))]));
        const turnsForgotten = forgotten.map((turn) => `${raw}#${turn}`);
        commit({ ...written, 'state/forgotten.json': `${JSON.stringify({ former: turnsForgotten })}\n` });
        const shown = await fold(memory, true);
        for (const [one, text] of Object.entries(written)) expect(await memory.read(one)).toBe(text);
        const { items, commits } = await fold(memory);
        expect(items).toEqual(shown.items);
        expect(commits.length).toBe(items.length === 0 ? 0 : 1);
        clock.advance({ days: 2 });
        expect(await fold(memory)).toMatchObject({ items: [] });
        const after = new Map(await Promise.all(paths.map(async (one) => [one, (await memory.read(one))!] as const)));
        const linesOf = (...some: string[]) => some.flatMap((one) => after.get(one)!.split('\n'));
        for (const some of [[journal, nextJournal], [core], [`archive/${journal}`]]) {
          const named = linesOf(...some).flatMap(turnsOfLine);
          expect(new Set(named).size).toBe(named.length);
        }
        for (const [one, text] of after) {
          expect(text.split(own).length, one).toBe(written[one]!.split(own).length);
          for (const line of text.split('\n')) {
            const known = memoriesOfLine(line).map((id) => fates[ids.indexOf(id as Id)]);
            expect(known, line).not.toContain('gone');
            expect(known, line).not.toContain(undefined);
            if (known.some((fate) => fate !== 'stands')) expect(line).toMatch(/\(until 2026-0/);
            const isOver = known.some((fate) => fate?.startsWith('over'));
            if ([core, lessons].includes(one)) expect(isOver, line).toBe(false);
            if (known.length === 0) for (const turn of turnsOfLine(line)) expect(turnsForgotten).not.toContain(turn);
          }
        }
        if (commits.length > 0) await memory.undo(commits[0]!);
        for (const [one, text] of Object.entries(written)) expect(await memory.read(one)).toBe(text);
        await memory.close();
        expect(fsck(directory)).toBe('');
      }),
      { numRuns: 14 },
    );
  });
});
