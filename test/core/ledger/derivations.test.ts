// What follows from logs stands in the same commit as the events: whoever writes them, by the engine or by hand, on one branch or on two.

import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changelogEventTypes } from '../../../src/base/types/changelog-types.ts';
import { materialise } from '../../../src/logs/graph.ts';
import { narrate } from '../../../src/logs/narrative.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { formatChangelogEvent } from '../../../src/store/records/changelog.ts';
import { formatGraph } from '../../../src/store/records/graph-file.ts';
import { formatNarrative } from '../../../src/store/records/narrative-file.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { fsck } from '../../helpers/native-git.ts';
import { changelog, changelogText, type Draft, logHead } from '../../logs/changelogs.ts';

const graphPath = '.memory/graph.md';
const contextPath = '.memory/context.md';
const loopsPath = 'ledger/open-loops.json';

/** A memory with a log of no events, and what follows from it. */
async function withProjections() {
  const made = await newTestMemory();
  await made.memory.write('CHANGELOG.md', logHead);
  await made.memory.write(graphPath, '');
  await made.memory.write(contextPath, '');
  await made.memory.commit();
  return made;
}

const expected = (...drafts: Draft[]) => {
  const events = changelog(...drafts);
  const graph = materialise(events);
  return [formatGraph(graph), formatNarrative(narrate(events, graph))];
};
const shown = (memory: Memory) => Promise.all([memory.read(graphPath), memory.read(contextPath)]);
const create = (entity: string): Draft => ({ type: 'create', details: { entity } });

describe('graph and narrative', () => {
  it('are written by the commit that brings an event, whatever is written into them', async () => {
    const { memory } = await withProjections();
    expect(await shown(memory)).toEqual(expected());
    await memory.write('CHANGELOG.md', changelogText(changelog(create('auth'))));
    expect(await memory.read(graphPath)).toContain('| auth | component |');
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect(await shown(memory)).toEqual(expected(create('auth')));
    expect((await memory.log()).commits[0]!.paths).toEqual([contextPath, graphPath, 'CHANGELOG.md'].sort());
    await memory.write(graphPath, 'what somebody thinks');
    await memory.commit();
    expect(await shown(memory)).toEqual(expected(create('auth')));
  });

  it('are not made where they are not', async () => {
    const { memory } = await newTestMemory();
    await memory.write('CHANGELOG.md', changelogText(changelog(create('auth'))));
    await memory.write(contextPath, '');
    await memory.commit();
    expect(await memory.files('.memory/')).toEqual([contextPath]);
  });

  it('follow events that are written by hand; what is written into them by hand goes into history first', async () => {
    const { memory, directory } = await withProjections();
    const [first, second] = changelog(create('auth'), create('web'));
    appendFileSync(join(directory, 'CHANGELOG.md'), formatChangelogEvent(first!));
    appendFileSync(join(directory, graphPath), 'by hand\n');
    await memory.commit();
    expect(await memory.read(graphPath)).toContain('by hand');
    expect(await memory.read(contextPath)).toBe(expected(create('auth'))[1]);
    appendFileSync(join(directory, 'CHANGELOG.md'), formatChangelogEvent(second!));
    await memory.commit();
    expect(await shown(memory)).toEqual(expected(create('auth'), create('web')));
    expect(readFileSync(join(directory, graphPath), 'utf8')).toBe(await memory.read(graphPath));
    fsck(directory);
  });

  it('are those of the merged log after a merge, and of the log before after an undo; a preview says the same', async () => {
    const { memory } = await withProjections();
    const other = await memory.branches.open('explore/other', { create: true });
    await other.write('CHANGELOG.md', changelogText(changelog(create('auth'))));
    await other.commit();
    await memory.write('knowledge/note.md', '# Note\n');
    await memory.commit();
    const preview = await memory.merge('explore/other', { dryRun: true });
    const merged = await memory.merge('explore/other');
    expect(merged.tree).toBe(preview.tree);
    expect(await shown(memory)).toEqual(expected(create('auth')));
    const planned = await memory.undo('HEAD', { dryRun: true });
    const undone = await memory.undo('HEAD');
    expect(undone.tree).toBe(planned.tree);
    expect(await shown(memory)).toEqual(expected());
    await other.close();
  });

  it('kept up event by event are what a rebuild from nothing gives', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const draft = fc.record({
      type: fc.constantFrom(...changelogEventTypes),
      scope: name,
      details: fc.dictionary(
        fc.constantFrom(
          'entity',
          'attribute',
          'to',
          'status',
          'blocked_entity',
          'blocking_entity',
          'resolves',
          'precedes',
        ),
        fc.oneof(name, fc.constantFrom('completed', 'active')),
        { maxKeys: 4 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(draft, { minLength: 1, maxLength: 6 }), async (drafts) => {
        const { memory } = await withProjections();
        for (let count = 1; count <= drafts.length; count++) {
          await memory.write('CHANGELOG.md', changelogText(changelog(...drafts.slice(0, count))));
          await memory.commit();
          expect(await shown(memory)).toEqual(expected(...drafts.slice(0, count)));
        }
        await memory.close();
      }),
      { numRuns: 8 },
    );
  });
});

describe('the list of open commitments', () => {
  it('is in step with the ledger from its first making on, through events, merges and undo', async () => {
    const { memory } = await newTestMemory();
    const loops = async () => JSON.parse(await memory.read(loopsPath)) as string[];
    const first = await memory.ledger.add({ type: 'commitment', content: 'Send the keys' });
    expect(await memory.files('ledger/')).not.toContain(loopsPath);
    await memory.maintenance.run({ tasks: ['ledger'] });
    expect(await loops()).toEqual([first.id]);
    const other = await memory.branches.open('explore/other', { create: true });
    const theirs = await other.ledger.add({
      type: 'commitment',
      content: 'Pay the bill',
      time: '2026-02-14T10:00:00Z',
    });
    await memory.ledger.add({ content: 'Sent', closes: first.id });
    expect(await loops()).toEqual([]);
    await memory.merge('explore/other');
    expect(await loops()).toEqual([theirs.id]);
    await memory.undo('HEAD~1');
    expect(await loops()).toEqual([theirs.id, first.id].sort());
    expect(await memory.ledger.check()).toMatchObject({ ok: true });
    await other.close();
  });
});
