// Expectations of a memory: judged in the present, the past and after a change, with where a wrong line comes from.

import { describe, expect, it } from 'vitest';
import { checkStagedIn } from '../../src/memory/staged.ts';
import { CacheFile } from '../../src/store/cache-file.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

async function withExpectations(text: string, name = 'first') {
  const made = await newTestMemory();
  await made.memory.remember({ id: 'label', content: 'Never ship a sample without a label', category: 'principle' });
  await made.memory.remember({ id: 'lisbon', content: 'Omar lives in Lisbon' });
  await made.memory.write(`expect/${name}.yaml`, text);
  await made.memory.commit();
  return made;
}

describe('the expectations of a memory', () => {
  it('are put to every question there is', async () => {
    const { memory, clock } = await withExpectations(`
the label is in every context:
  context: Draft a note for the interns
  must: label
  once: without a label
and at the beginning of a session:
  session_start: true
  must: label
  tokens: 2000
it is found:
  recall: where does Omar live
  first: Lisbon
it is listed:
  list: principle
  must: label
  must_not: Omar
the promise is due:
  loops: true
  must: the report
pack:
  pack: true
  must_not: Gutenberg
the configuration is there:
  read: expect
  must: the configuration is there
nobody speaks of the printer:
  forgotten: Gutenberg
somebody speaks of Omar:
  forgotten: Omar lives
`);
    await memory.ledger.add({ type: 'commitment', content: 'Send the report', due: '2026-12-24' });
    const { total, failed, results, problems } = await memory.test();
    expect(problems).toEqual([]);
    expect(results.filter(({ holds }) => !holds).map(({ name }) => name)).toEqual(['somebody speaks of Omar']);
    expect({ total, failed }).toEqual({ total: 9, failed: 1 });
    expect(results[0]).toMatchObject({ path: 'expect/first.yaml', line: 2, ask: 'context', holds: true });
    await expect(memory.test({ names: ['it is lsted'] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('it is listed'),
    });
    expect((await memory.test({ names: ['pack', 'it is found'] })).total).toBe(2);
    expect((await memory.test({ names: ['first'] })).total).toBe(9);
    clock.advance({ days: 1 });
  });

  it('name the commit and the turn of a wrong line', async () => {
    const { memory } = await withExpectations('Omar moved:\n  context: where does Omar live\n  must_not: Porto\n');
    const { path } = await memory.capture({
      session: 's1',
      messages: [
        { role: 'user', speaker: 'Ruth', text: 'Good morning.' },
        { role: 'user', speaker: 'Ruth', text: 'Omar lives in Porto now.' },
      ],
    });
    const [failure] = (await memory.test()).results[0]!.failures;
    expect(failure).toMatchObject({ kind: 'forbidden', wanted: 'Porto' });
    expect(failure!.found[0]).toContain('Omar lives in Porto');
    expect(failure!.from![0]).toMatchObject({ path, turns: [`${path}#2`], commit: memory.tip });
  });

  it('judge the past by what is expected today, on the day that they name', async () => {
    const { memory, clock } = await withExpectations(
      'Omar moved:\n  recall: where does Omar live\n  must_not: Lisbon\nthen:\n  session_start: true\n  on: 2027-03-09\n  must: "2027"\nbefore:\n  recall: where does Omar live\n  as_of: HEAD~1\n  must: Lisbon\n',
    );
    const then = memory.tip!;
    clock.advance({ days: 2 });
    await memory.forget('lisbon');
    await memory.commit();
    const failing = async (state: Pick<typeof memory, 'test'>) =>
      (await state.test()).results.filter(({ holds }) => !holds).map(({ name }) => name);
    expect(await failing(await memory.at(then))).toContain('Omar moved');
    expect(await failing(memory)).not.toContain('Omar moved');
    expect((await (await memory.at(then)).test()).commit).toBe(then);
    expect((await memory.test({ names: ['before'] })).failed).toBe(0);
  });

  it('that cannot be asked fail and keep no other from being asked', async () => {
    const { memory } = await withExpectations(
      'no day:\n  pack: true\n  on: 2026-02-31\n  must: x\nno such state:\n  pack: true\n  as_of: nowhere\n  must: x\nfine:\n  list: true\n  must: Omar\n',
    );
    const { results } = await memory.test();
    expect(results.map(({ holds }) => holds)).toEqual([false, false, true]);
    expect(results[0]!.failures[0]).toMatchObject({ kind: 'failed' });
  });
});

describe('a change', () => {
  it('names what it broke, and not what failed before', async () => {
    const { memory } = await withExpectations(
      'Omar is known:\n  list: true\n  must: Omar\nnobody knows Berta:\n  list: true\n  must: Berta\n',
    );
    await memory.forget('lisbon');
    await memory.commit();
    await memory.undo('HEAD');
    const { broke } = await memory.undo('HEAD');
    expect(broke?.map(({ name }) => name)).toEqual(['Omar is known']);
  });

  it('that is merged names the expectations which it broke', async () => {
    const { memory } = await withExpectations('Omar is known:\n  list: true\n  must: Omar\n');
    const other = await memory.branches.open('other', { create: true });
    await other.forget('lisbon');
    await other.commit();
    await other.close();
    const { broke } = await memory.merge('other', { accept: ['records'] });
    expect(broke?.map(({ name }) => name)).toEqual(['Omar is known']);
    expect(broke![0]!.failures[0]).toMatchObject({ kind: 'missing', wanted: 'Omar' });
    const { broke: again } = await memory.undo('HEAD');
    expect(again).toBeUndefined();
    expect((await memory.test()).failed).toBe(0);
  });
});

describe('a mistake', () => {
  it('that is taken back leaves expectations that it stays away', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ id: 'omar', content: 'Omar lives in Lisbon' });
    await memory.write('knowledge/people/omar.md', '# Omar\n\nHe plays the oboe.\n');
    const { commits } = await memory.commit();
    const { expectations } = await memory.undo(commits.at(-1)!, { expect: true });
    expect(expectations).toMatch(/^expect\/undo-of-[0-9a-f]{7}\.yaml$/);
    const { results, problems, failed } = await memory.test();
    expect(problems).toEqual([]);
    expect(failed).toBe(0);
    expect(results.map(({ name }) => name)).toEqual(
      commits.length === 1 ? expect.arrayContaining(['"Omar lives in Lisbon" stays away']) : expect.anything(),
    );
    await memory.remember({ content: 'Omar lives in Lisbon' });
    await memory.write('knowledge/people/omar.md', '# Omar\n\nHe plays the oboe.\n');
    expect((await memory.test()).failed).toBe(results.length);
    expect((await memory.undo('HEAD', { expect: true, dryRun: true })).expectations).toBeUndefined();
  });

  it('is found by the expectation that it broke', async () => {
    const { memory, clock } = await withExpectations('Omar is known:\n  list: true\n  must: Omar\n');
    const commit = async (words: string) => {
      clock.advance({ hours: 1 });
      await memory.remember({ content: words });
      return (await memory.commit()).commits.at(-1)!;
    };
    await commit('The lift is old');
    await memory.forget('lisbon');
    const lost = (await memory.commit()).commits.at(-1)!;
    for (const words of ['Doors are green', 'Ceilings are high', 'Windows face south']) await commit(words);
    const result = await memory.bisect({ expect: 'Omar is known' });
    expect(result).toMatchObject({ query: 'Omar is known', found: false, flips: 1 });
    expect(result.lost?.oid).toBe(lost);
    await expect(memory.bisect({ expect: 'Omar is knwn' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that is staged is named before it is committed', async () => {
    const { memory, directory } = await withExpectations('Omar is known:\n  list: true\n  must: Omar\n');
    if (!hasGit) return;
    const { path } = await memory.get('lisbon');
    git(directory, 'rm', '-q', path);
    expect((await memory.git.checkStaged()).broke?.map(({ name }) => name)).toEqual(['Omar is known']);
    const report = await checkStagedIn({ dir: directory });
    expect(report).toMatchObject({ violations: [], broke: [{ name: 'Omar is known' }] });
    git(directory, 'reset', '-q', '--hard');
    expect((await checkStagedIn({ dir: directory })).broke).toBeUndefined();
  });
});

it('an upgrade is named where it broke an expectation, and no change did', async () => {
  const { memory } = await withExpectations('Omar is in Porto:\n  list: true\n  must: Porto\n');
  await memory.test();
  // What an earlier version noted, for which it held.
  const place = { disk: memory.store.repository.disk, ownDirectory: memory.store.repository.ownDirectory };
  const noted = { version: '0.0.9', commit: memory.tip, time: Date.parse('2026-02-16'), held: ['Omar is in Porto'] };
  new CacheFile(place, 'expectations', 1).replace([Buffer.from(JSON.stringify(noted))]);
  const { broke } = await memory.maintenance.run();
  expect(broke).toMatchObject([{ name: 'Omar is in Porto', since: '0.0.9' }]);
  await memory.remember({ content: 'Omar has a house in Porto' });
  await memory.commit();
  expect((await memory.test()).failed).toBe(0);
  expect((await memory.maintenance.run()).broke).toBeUndefined();
});
