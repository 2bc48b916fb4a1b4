// The deck of a review: what waits for a person, what a verdict does, and that what was judged stays judged, also across branches and undo.

import { expect, it } from 'vitest';
import type { ReviewCard, ReviewReason } from '../../src/base/types.ts';
import type { Memory } from '../../src/memory/memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { waiting } from '../helpers/waiting.ts';

const about = ({ why, id, other }: ReviewCard) => [why, id, ...(other === undefined ? [] : [other.id])];
async function deck(memory: Memory, ...only: ReviewReason[]) {
  return (await memory.review(only.length === 0 ? {} : { only })).cards.map(about);
}
const commits = async (memory: Memory) => (await memory.log({ limit: 1000 })).commits;

it('names what waits, why, and the turn it comes from', async () => {
  const { memory } = await waiting();
  const { cards, counts, precision, judged } = await memory.review();
  expect(cards.filter(({ why }) => why !== 'extracted').map(about)).toEqual([
    ['low_trust', expect.stringMatching(/^quarantine\//)],
    ['contradicts', 'tea', 'coffee'],
    ['contradicts', 'code2', 'code1'],
    ['double', 'van2', 'van1'],
    ['fades', 'fading'],
  ]);
  expect(counts).toEqual({
    low_trust: 1,
    unfinished: 0,
    disputed: 0,
    contradicts: 2,
    double: 1,
    unmerged: 0,
    extracted: cards.length - 5,
    fades: 1,
  });
  expect(cards.map(({ because }) => because)).toEqual([
    'waits in quarantine',
    'is said to contradict what was known',
    'says otherwise of the same',
    'says nearly what was known',
    ...Array.from({ length: counts.extracted }, () =>
      expect.stringMatching(/^found by rules@\d+ on 2026-02-26, sure to 0\.\d\d$/),
    ),
    expect.stringMatching(/^fades to 0\.\d\d, last used on 2026-02-16$/),
  ]);
  expect(cards[0]!.sources[0]).toMatchObject({ text: 'Nora keeps the keys of the boathouse.' });
  const lamp = cards.find(({ content }) => content.includes('lamp'))!;
  expect(lamp).toMatchObject({ extractor: expect.stringMatching(/^rules@/), subject: 'Ada' });
  expect(lamp.sources[0]).toMatchObject({
    speaker: 'Ada',
    turn: 2,
    text: 'Decision: lend no bike without a lamp.',
  });
  expect([precision, judged]).toEqual([[], 0]);
  expect((await memory.review({ limit: 2 })).cards).toHaveLength(2);
  expect((await memory.review({ only: ['fades'] })).cards.map(({ id }) => id)).toEqual(['fading']);
  expect((await memory.review({ since: '2026-03-01' })).counts.extracted).toBe(0);
  await memory.close();
});

it('makes one commit of each verdict, by whoever gave it, and asks no more about what was judged', async () => {
  const { memory } = await waiting();
  const first = await deck(memory, 'extracted');
  const [kept, worded, closed, forgotten] = first.map(([, id]) => id!);
  const before = (await commits(memory)).length;
  await memory.records.touch('tea');
  const results = [
    await memory.verdict('keep', kept!),
    await memory.verdict('edit', worded!, { content: 'Ada has a sister, Nora, in Bergen.' }),
    await memory.verdict('close', 'code1', { other: 'code2' }),
    await memory.verdict('merge', 'van2', { other: 'van1' }),
    await memory.verdict('keep', 'coffee', { other: 'tea' }),
    await memory.verdict('keep', 'fading'),
  ];
  const log = await commits(memory);
  // What waited for a commit is in one of its own.
  expect(log).toHaveLength(before + 1 + results.length);
  expect(results.map(({ commit }) => commit)).toEqual(
    log
      .slice(0, results.length)
      .map(({ oid }) => oid)
      .reverse(),
  );
  const said = log.flatMap(({ trailers }) => trailers.filter(({ key }) => key === 'Verdict').map(({ value }) => value));
  expect(said.reverse()).toEqual([
    `keep ${kept}`,
    `edit ${worded}`,
    'close code1 code2',
    'merge van2 van1',
    'keep coffee tea',
    'keep fading',
  ]);
  expect(new Set(log.slice(0, 6).map(({ author }) => author)).size).toBe(1);
  expect(await memory.get('code1')).toMatchObject({ status: 'superseded', replacedBy: 'code2' });
  expect(await memory.get(worded!)).toMatchObject({ status: 'superseded', replacedBy: results[1]!.into });
  expect((await memory.get(results[3]!.into!)).content).toBe('The blue van is parked behind the workshop at night');
  expect((await memory.get('fading')).strength).toBeGreaterThan(1);
  expect(await deck(memory)).toEqual([
    first[2] === undefined ? [] : ['low_trust', expect.anything()],
    ...first.slice(2),
  ]);
  if (closed !== undefined) await memory.verdict('close', closed);
  if (forgotten !== undefined) await memory.verdict('forget', forgotten);
  const { precision } = await memory.review();
  const judged = Math.min(first.length, 4);
  expect(precision).toEqual([
    { extractor: expect.stringMatching(/^rules@/), judged, kept: judged - (forgotten === undefined ? 1 : 2) },
  ]);
  await memory.close();
});

it('asks again where a verdict was taken back, the last one first', async () => {
  const { memory } = await waiting();
  const before = await deck(memory);
  await memory.verdict('forget', 'van2');
  await memory.verdict('close', 'tea');
  expect(await deck(memory, 'contradicts', 'double')).toEqual([['contradicts', 'code2', 'code1']]);
  expect((await memory.get('tea')).replacedBy).toBeUndefined();
  await memory.undo({ verdict: true });
  expect(await memory.get('tea')).toMatchObject({ status: 'active' });
  const { undone } = await memory.undo({ verdict: true });
  expect(undone).toHaveLength(1);
  expect(await deck(memory)).toEqual(before);
  await expect(memory.undo({ verdict: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await memory.undo({ redo: true });
  expect(await deck(memory, 'double')).toEqual([]);
  expect((await memory.review()).judged).toBe(1);
  await memory.close();
});

it('takes a verdict back although others were given since', async () => {
  const { memory } = await waiting();
  const { commit } = await memory.verdict('forget', 'van2');
  await memory.verdict('forget', 'code1');
  await memory.verdict('keep', 'coffee', { other: 'tea' });
  expect(await memory.undo(commit!)).toMatchObject({ undone: [commit], conflicts: [] });
  expect(await deck(memory, 'contradicts', 'double')).toEqual([['double', 'van2', 'van1']]);
  await expect(memory.get('code1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await memory.close();
});

it('knows what was judged on another branch once that is merged', async () => {
  const { memory, directory, clock } = await waiting();
  const [[, id]] = (await deck(memory, 'extracted')) as [[string, string]];
  await (await memory.branches.open('elsewhere', { create: true })).close();
  const other = await openMemory({ dir: directory, branch: 'elsewhere', clock });
  await other.verdict('keep', 'coffee', { other: 'tea' });
  await other.verdict('forget', id);
  await other.close();
  await memory.verdict('keep', 'van2', { other: 'van1' });
  await memory.merge('elsewhere', { accept: ['records'] });
  expect(await deck(memory, 'contradicts', 'double')).toEqual([['contradicts', 'code2', 'code1']]);
  const { precision, judged } = await memory.review();
  expect([precision, judged]).toEqual([[{ extractor: expect.stringMatching(/^rules@/), kept: 0, judged: 1 }], 3]);
  await memory.close();
});

it('answers bad input by name, and writes nothing', async () => {
  const { memory } = await waiting();
  const tip = memory.tip;
  for (const [call, where] of [
    [() => memory.verdict('praise' as 'keep', 'tea'), 'verdict'],
    [() => memory.verdict('keep', ''), 'id'],
    [() => memory.verdict('merge', 'tea'), 'other'],
    [() => memory.verdict('keep', 'tea', { other: 'tea' }), 'other'],
    [() => memory.verdict('forget', 'tea', { other: 'coffee' }), 'other'],
    [() => memory.verdict('edit', 'tea', { content: ' ' }), 'content'],
    [() => memory.verdict('keep', 'tea', { content: 'x' }), 'content'],
    [() => memory.review({ limit: 0 }), 'limit'],
    [() => memory.review({ only: ['boredom' as 'fades'] }), 'only.0'],
  ] as const) {
    await expect(call()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', where });
  }
  await expect(memory.verdict('keep', 'nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(memory.verdict('keep', 'quarantine/x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(memory.tip).toBe(tip);
  await memory.verdict('close', 'tea');
  await expect(memory.verdict('close', 'tea')).rejects.toMatchObject({ code: 'CONFLICT' });
  await memory.close();
});
