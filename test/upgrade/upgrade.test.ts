// A store that an earlier version wrote, opened by this one. `storage-2.bundle` was made by the program of 2026-11-23: memories of each kind,
// conversations and what rules took from them, knowledge, boxes, ledger, log of a project, a snapshot, a branch, an undo and a night.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { ManualClock } from '../helpers/memories.ts';
import { blemishes, git } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const here = import.meta.dirname;
const { answers } = JSON.parse(readFileSync(join(here, 'storage-2.json'), 'utf8')) as {
  answers: readonly (readonly [question: string, firstAnswer: string])[];
};

/** Questions that this version answers otherwise first, by the reason. */
const movedBecause: Readonly<Record<string, readonly string[]>> = {
  'answers that share as many words come in another order': ['drives second one', 'do you need'],
  'a passage of a conversation begins and ends at other turns': ['promise phone', 'keep ordered'],
  'a page or box that only repeats claims gives its place to one of them': [
    'promise order satellite',
    'phone 20 January',
    'order satellite phone',
    'who or what has to do with phone satellite?',
    'keep satellite phone',
    'ordered 20 January',
    'satellite phone ordered',
    'who or what has to do with ordered phone?',
  ],
  'words such as "need" and "march" weigh less': [
    'who or what has to do with need you?',
    'who or what has to do with march 3?',
  ],
};
const moved = new Set(Object.values(movedBecause).flat());

/** Makes a work tree of the old store, with all its branches and tags. */
function oldStore(): string {
  const folder = temporaryFolder();
  git(folder, 'clone', '-q', '-b', 'main', join(here, 'storage-2.bundle'), 'store');
  const store = join(folder, 'store');
  git(store, 'branch', '-q', 'try', 'origin/try');
  git(store, 'remote', 'remove', 'origin');
  return store;
}

const clock = () => new ManualClock('2026-12-01T12:00:00Z');
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

describe('a store of storage version 2', () => {
  let store: string;
  beforeAll(() => {
    store = oldStore();
  });

  it('is read whole', async () => {
    const memory = await openMemory({ dir: store, readOnly: true, clock: clock() });
    const { memories } = await memory.list();
    expect(memories).toHaveLength(21);
    expect(new Set(memories.map(({ category }) => category))).toEqual(
      new Set([
        ...['fact', 'decision', 'preference', 'commitment', 'principle', 'correction', 'relationship', 'entity'],
        ...['moment', 'skill'],
      ]),
    );
    const greta = memories.find(({ content }) => content.startsWith('Greta lives'))!;
    expect(await memory.provenance(greta.id)).toBeDefined();
    expect(await memory.read('knowledge/equipment/winch.md')).toContain('replaced in 2026');
    expect((await memory.ledger.loops()).loops.map(({ content }) => content)).toContain(
      'Deliver the ash slice to Bergen university',
    );
    expect((await memory.ledger.list()).events.map(({ content }) => content)).toContain(
      'The drill stops at 150 metres',
    );
    expect((await memory.project.changes()).events.map(({ id }) => id)).toEqual(['evt-001', 'evt-002']);
    expect((await memory.knowledge.boxes()).boxes).toHaveLength(2);
    expect((await memory.snapshots.list()).map(({ tag }) => tag)).toContain('memory/milestone/before-branch');
    const { commits } = await memory.log({ limit: 100 });
    expect(commits.length).toBeGreaterThan(35);
    const before = await (await memory.at('memory/milestone/before-branch')).list();
    expect(before.memories.length).toBeGreaterThan(15);
    await memory.close();
    const tried = await openMemory({ dir: store, branch: 'try', readOnly: true, clock: clock() });
    expect((await tried.list()).memories.map(({ content }) => content)).toContain(
      'The second core begins at the east flank',
    );
    await tried.close();
  });

  it('answers 200 questions as the version did that wrote it, but for those that are listed with a reason', async () => {
    expect(answers).toHaveLength(200);
    const memory = await openMemory({ dir: store, readOnly: true, embedder: null, clock: clock() });
    const others: string[] = [];
    for (const [question, firstAnswer] of answers) {
      const { hits } = await memory.recall(question, { limit: 5 });
      const said = new Set(wordsOf(hits[0]?.snippet ?? ''));
      const saysIt = wordsOf(firstAnswer).every((word) => said.has(word));
      if (!saysIt) others.push(question);
    }
    await memory.close();
    expect(others.filter((question) => !moved.has(question))).toEqual([]);
    // No reason outlives its questions.
    expect([...moved].filter((question) => !answers.some(([asked]) => asked === question))).toEqual([]);
  });

  it('is written to, tidied up and taken back, and native git finds it sound', async () => {
    const folder = oldStore();
    const memory = await openMemory({ dir: folder, clock: clock() });
    const known = (await memory.list()).memories.map(({ content }) => content);
    await memory.remember({ content: 'The third sledge came from Narvik', category: 'fact' });
    await memory.commit();
    await memory.maintenance.night();
    const { memories } = await memory.list({ limit: 100 });
    const now = memories.map(({ content }) => content);
    expect(known.filter((content) => !now.includes(content))).toEqual([]);
    const { commits } = await memory.log({ limit: 100 });
    const edit = commits.find(({ subject }) => subject.includes('winch.md changed'))!;
    await memory.undo(edit.oid);
    expect(await memory.read('knowledge/equipment/winch.md')).toContain('replaced in 2025');
    await memory.close();
    expect(blemishes(folder)).toBe('');
  });

  it('is refused to be written, with advice, where its storage is of a version to come', async () => {
    const folder = oldStore();
    const file = join(folder, '.meta.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"storage_version": 2', '"storage_version": 99'));
    git(folder, 'commit', '-qam', 'a version to come');
    const tip = git(folder, 'rev-parse', 'HEAD');
    const attempt = async () => {
      const memory = await openMemory({ dir: folder, clock: clock() });
      await memory.remember({ content: 'The third sledge came from Narvik' }).finally(() => memory.close());
    };
    await expect(attempt()).rejects.toMatchObject({ code: 'UNSUPPORTED_REPOSITORY', hint: expect.stringMatching(/./) });
    expect(git(folder, 'rev-parse', 'HEAD')).toBe(tip);
  });
});
