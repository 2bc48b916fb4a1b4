// What becomes of a ledger over time: taken back, folded, archived; its small files follow, and nothing is gone.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';

const segment = 'ledger/2026/02/2026-02-16.jsonl';
const archive = 'ledger/ledger-archive-2026.jsonl';
type Open = Awaited<ReturnType<typeof newTestMemory>>['memory'];
const ids = async (memory: Open, filter = {}) => (await memory.ledger.list(filter)).events.map(({ id }) => id);
const run = async (memory: Open, ...tasks: string[]) => {
  const { runs } = await memory.maintenance.run({ tasks });
  expect(runs.flatMap(({ error }) => error ?? [])).toEqual([]);
  return runs.flatMap(({ result }) => result!.commits);
};

describe('undo of an event', () => {
  it('takes the last of its day away as if it had never been there', async () => {
    const { memory } = await newTestMemory();
    await memory.ledger.add({ content: 'one' });
    const tree = (await memory.at('HEAD')).tree;
    const { commit } = await memory.ledger.add({ content: 'two' });
    await memory.undo(commit!);
    expect((await memory.at('HEAD')).tree).toBe(tree);
    expect((await memory.ledger.add({ content: 'three' })).id).toBe('EVT-20260216-002');
  });

  it('that is no longer the last appends one that supersedes it, and can be undone itself', async () => {
    const { memory } = await newTestMemory();
    const first = await memory.ledger.add({ content: 'one', type: 'decision' });
    const second = await memory.ledger.add({ content: 'instead', type: 'decision', supersedes: first.id });
    await memory.ledger.add({ content: 'later' });
    const before = await memory.read(segment);
    const shown = await memory.undo(second.commit!, { dryRun: true });
    const { commit, tree, conflicts } = await memory.undo(second.commit!);
    expect(conflicts).toEqual([]);
    expect(shown.tree).toBe(tree);
    const text = await memory.read(segment);
    expect(text.startsWith(before)).toBe(true);
    expect(JSON.parse(text.slice(before.length))).toMatchObject({
      id: 'EVT-20260216-004',
      content: 'one',
      supersedes: second.id,
      source: 'undo',
    });
    expect((await memory.ledger.check()).ok).toBe(true);
    await memory.undo(commit!);
    expect(await memory.read(segment)).toBe(before);
    await memory.undo(first.commit!);
    expect((await memory.ledger.list({ superseded: true })).events.at(-1)).toMatchObject({
      tags: ['retracted'],
      supersedes: first.id,
    });
  });
});

it('the small files of the ledger follow it when they are asked to, and stay when nothing came', async () => {
  const { memory, clock, directory } = await newTestMemory();
  const open = await memory.ledger.add({ content: 'send', type: 'commitment' });
  expect(await run(memory, 'ledger')).toHaveLength(1);
  expect(JSON.parse(await memory.read('ledger/open-loops.json'))).toEqual([open.id]);
  expect(JSON.parse(await memory.read('ledger/checkpoint.json'))).toMatchObject({
    last_processed_event_id: open.id,
    last_run_ts: '2026-02-16T09:00:00Z',
    events_processed: 1,
  });
  expect(await run(memory, 'ledger', 'ledger-rebuild')).toEqual([]);
  clock.advance({ hours: 1 });
  await memory.ledger.add({ content: 'sent', closes: open.id });
  // The list is once it is there in the commit of each event; the checkpoint waits for the task.
  expect(JSON.parse(await memory.read('ledger/open-loops.json'))).toEqual([]);
  expect((await memory.ledger.check()).ok).toBe(true);
  expect(await run(memory, 'ledger')).toHaveLength(1);
  expect(await memory.read('ledger/integrity-log.md')).toContain('- 2026-02-16T10:00:00Z: 2 events, whole\n');
  await memory.write('ledger/open-loops.json', '["EVT-20260216-009"]\n');
  expect((await memory.ledger.check()).ok).toBe(true);
  writeFileSync(join(directory, 'ledger/open-loops.json'), '["EVT-20260216-009"]\n');
  await memory.commit();
  expect((await memory.ledger.check()).ok).toBe(false);
  await run(memory, 'ledger-rebuild');
  expect((await memory.ledger.check()).ok).toBe(true);
});

describe('archival', () => {
  async function aged() {
    const { memory, clock, directory } = await newTestMemory({ configuration: {} });
    await writeConfiguration(memory, 'version: 1\nledger: { compact_above: 2 }\n');
    await memory.commit();
    const rule = await memory.ledger.add({ content: 'no budget', type: 'constraint', priority: 'P0' });
    const open = await memory.ledger.add({
      content: 'send the keys',
      type: 'commitment',
      priority: 'P1',
      entity: 'ada',
    });
    const waiting = await memory.ledger.add({ content: 'still open', type: 'commitment', priority: 'P3' });
    const wrong = await memory.ledger.add({ content: 'moves to Porto' });
    clock.advance({ days: 1 });
    const right = await memory.ledger.add({ content: 'moves to Braga', priority: 'P1', supersedes: wrong.id });
    const closing = await memory.ledger.add({ content: 'keys sent', closes: open.id });
    const trifle = await memory.ledger.add({ content: 'it rains', priority: 'P3' });
    clock.advance({ days: 40 });
    return { memory, clock, directory, rule, open, waiting, wrong, right, closing, trifle };
  }

  it('folds what was kept, archives what was corrected or is over, and keeps every word', async () => {
    const { memory, clock, directory, rule, open, waiting, wrong, right, closing, trifle } = await aged();
    const before = await ids(memory, { superseded: true });
    const tree = (await memory.at('HEAD')).tree;
    const [planned] = (await memory.maintenance.run({ tasks: ['ledger-compact'], dryRun: true })).runs;
    expect(planned!.result!.items.map(({ action, why }) => [action, why])).toEqual([
      ['fold', `${open.id}, ${closing.id}: a commitment that was kept`],
      ['archive', `${wrong.id}: superseded by ${right.id}`],
      ['archive', `${trifle.id}: P3, older than 30 days`],
    ]);
    const commits = await run(memory, 'ledger-compact');
    expect(commits).toHaveLength(1);
    const summary = 'EVT-20260329-001';
    expect(await ids(memory, { superseded: true })).toEqual([rule.id, waiting.id, right.id, summary]);
    expect((await memory.ledger.list({ tag: 'summary' })).events[0]).toMatchObject({
      content: 'send the keys — keys sent',
      priority: 'P1',
      status: 'closed',
      entity: 'ada',
      compacts: [open.id, closing.id],
    });
    expect((await ids(memory, { superseded: true, archived: true })).sort()).toEqual([...before, summary].sort());
    expect((await memory.ledger.loops()).loops.map(({ id }) => id)).toEqual([waiting.id]);
    expect((await memory.ledger.check()).checks.flatMap(({ problems }) => problems)).toEqual([]);
    // An archived id is never given again.
    const late = await memory.ledger.add({ content: 'late', time: '2026-02-17T12:00:00Z' });
    expect(late.id).toBe('EVT-20260217-004');
    await memory.undo(late.commit!);
    expect(await run(memory, 'ledger-compact')).toEqual([]);
    await memory.undo(commits[0]!);
    expect((await memory.at('HEAD')).tree).toBe(tree);
    if (hasGit) expect(fsck(directory)).toBe('');
    expect(clock.now()).toBeGreaterThan(0);
  });

  it('by age takes only what is over', async () => {
    const { memory, trifle } = await aged();
    await run(memory, 'ledger-prune');
    expect(
      (await memory.read(archive))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([trifle.id]);
  });

  it('holds against a branch that went on without it', async () => {
    const { memory, clock, trifle, open } = await aged();
    const side = await memory.branches.open('side', { create: true });
    await run(memory, 'ledger-compact');
    clock.advance({ minutes: 1 });
    await side.ledger.add({ content: 'meanwhile', related: [trifle.id] });
    await side.close();
    expect((await memory.merge('side')).conflicts).toEqual([]);
    const all = await ids(memory, { superseded: true });
    expect(all).not.toContain(open.id);
    expect((await memory.ledger.list({ tag: 'summary' })).events).toHaveLength(1);
    expect((await memory.ledger.list()).events.at(-1)!.content).toBe('meanwhile');
    expect((await memory.ledger.check()).checks.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
