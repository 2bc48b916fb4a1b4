// Gists of real memories: made when a memory comes, made anew when it is edited, given to those that have none, and told of.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/base/token-estimate.ts';
import { bestGistOf, gistOf } from '../../../src/core/lifecycle/gist/gist.ts';
import { gistLineOf } from '../../../src/core/lifecycle/gist/memory-gist.ts';
import { memoryPath } from '../../../src/store/records/memory-record.ts';
import { newTestMemory, writeConfiguration } from '../../helpers/memories.ts';
import { git } from '../../helpers/native-git.ts';

const long =
  'Okay, we have decided to move the archive of the company from Porto to Braga by 2026-11-05, because the office in the old town ' +
  'is closing. The rent of the rooms is 1,250 euros. Somebody from the landlord will call about the keys, and the shelves look as good as they ever did.';
const other = long.replace('Braga', 'Faro');

describe('gists of memories', () => {
  it('come with a new memory, unless one is given, it is short, or memory.yaml says none', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ id: 'long', content: long });
    await memory.remember({ id: 'given', content: long, gist: 'Archive: Porto to Braga.' });
    await memory.remember({ id: 'short', content: 'Ana sings.' });
    expect((await memory.get('long')).gist).toBe(gistOf(long));
    expect((await memory.get('given')).gist).toBe('Archive: Porto to Braga.');
    expect((await memory.get('short')).gist).toBeNull();
    await writeConfiguration(memory, 'gist:\n  level: none\n');
    await memory.remember({ id: 'none', content: long });
    expect((await memory.get('none')).gist).toBeNull();
  });

  it('come with extracted and with consolidated memories', async () => {
    const { memory } = await newTestMemory();
    await memory.capture({
      messages: [{ role: 'user', text: `Decision: ${long.replace('Okay, we have decided to', 'we')}` }],
    });
    const { transcripts } = await memory.extract();
    const extracted = await memory.get(transcripts[0]!.created[0]!.id);
    expect(extracted.gist).toBe(gistOf(extracted.content));
    await memory.remember({ id: 'a', content: long });
    await memory.remember({ id: 'b', content: 'Lena counted the boxes with the man from the shelves yesterday.' });
    const { items } = await memory.records.consolidate({ ids: ['a', 'b'] });
    const merged = await memory.get(items[0]!.into);
    expect(merged.gist).toBe(gistOf(merged.content));
    expect(merged.gist).not.toBeNull();
  });

  it('are made anew when the content is edited, but not when the gist is', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ id: 'long', content: long });
    await memory.edit(memoryPath('long'), `"content": ${JSON.stringify(long)}`, `"content": ${JSON.stringify(other)}`);
    expect((await memory.get('long')).gist).toBe(gistOf(other));
    await memory.edit(memoryPath('long'), `"gist": ${JSON.stringify(gistOf(other))}`, '"gist": "Archive to Faro."');
    expect((await memory.get('long')).gist).toBe('Archive to Faro.');
  });

  it('are made anew for what is edited by hand, and for what native git brought', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.remember({ id: 'long', content: long });
    await memory.commit();
    const file = join(directory, memoryPath('long'));
    writeFileSync(file, readFileSync(file, 'utf8').replace('"content": "Okay, we', '"content": "Well, they'));
    await memory.commit();
    const now = long.replace('Okay, we', 'Well, they');
    expect(await memory.get('long')).toMatchObject({ content: now, gist: gistOf(now) });
    writeFileSync(file, readFileSync(file, 'utf8').replace('"content": "Well, they', '"content": "Now, they'));
    git(directory, 'commit', '-qam', 'by another program');
    expect((await memory.records.gist()).items).toHaveLength(1);
    expect((await memory.get('long')).gist).toBe(gistOf(long.replace('Okay, we', 'Now, they')));
  });

  it('are given to those that have none in one commit, which a dry run only shows and undo takes back', async () => {
    const { memory } = await newTestMemory({}, 'gist:\n  level: none\n');
    for (const id of ['a', 'b', 'old', 'short']) {
      await memory.remember({
        id,
        content: id === 'short' ? 'Ana sings.' : long,
        ...(id === 'b' ? { gist: 'Mine.' } : {}),
      });
    }
    await memory.records.archive('old');
    await writeConfiguration(memory, null);
    await memory.commit();
    const before = (await memory.at('HEAD')).tree;
    const progress: number[] = [];
    const shown = await memory.records.gist({ dryRun: true, onProgress: ({ total }) => progress.push(total) });
    expect(shown.commits).toEqual([]);
    expect((await memory.get('a')).gist).toBeNull();
    expect(progress).toEqual([4]);
    const { items, commits, tokens } = await memory.records.gist();
    expect(items).toEqual(shown.items);
    expect(items.map(({ ids, action }) => [ids[0], action])).toEqual([['a', 'shorten']]);
    expect(items[0]!.why).toMatch(/^saves \d\d % of \d+ tokens$/);
    expect(tokens).toEqual({ full: estimateTokens(long), gists: estimateTokens(gistOf(long)!) });
    expect((await memory.records.gist()).items).toEqual([]);
    await memory.undo(commits[0]!);
    expect((await memory.at('HEAD')).tree).toBe(before);
  });

  it('are made at another level for some memories, or for all', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ id: 'one', content: long, gist: 'Mine.' });
    await memory.remember({ id: 'two', content: other });
    await memory.records.gist({ ids: ['one'], level: 'strong' });
    expect((await memory.get('one')).gist).toBe(bestGistOf(long, 'strong'));
    await memory.records.gist({ all: true, level: 'light' });
    expect((await memory.get('one')).gist).toBe(gistOf(long, 'light'));
    expect((await memory.get('two')).gist).toBe(gistOf(other, 'light'));
    await expect(memory.records.gist({ ids: ['nobody'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are called by the names of spec 1, too, and by no other', async () => {
    const { memory } = await newTestMemory({}, 'gist:\n  level: aggressive\n');
    const text = `${long} ${'We carried the boxes down the narrow stairs, and I was tired and hungry in the end. '.repeat(6)}`;
    await memory.remember({ id: 'long', content: text });
    const { gist } = await memory.get('long');
    expect(gist).toBe(bestGistOf(text, 'strong'));
    expect(gist).not.toBe(gistOf(text));
    expect((await memory.records.gist({ ids: ['long'], level: 'aggressive' })).items).toEqual([]);
    for (const level of ['none', 'tiny', 3, 'toString']) {
      const refused = memory.records.gist({ ids: ['long'], level: level as 'light' });
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
  });

  it('stand before a model with the beginning of the id and the tags, and the whole comes on demand, as a use', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ id: 'a1b2c3d4e5', content: long, tags: ['archive', 'move'] });
    await memory.remember({ id: 'short', content: 'Ana\n sings.' });
    const { hits } = await memory.recall('archive of the company');
    expect(hits[0]!.gist).toBe(`[a1b2c3d4] ${gistOf(long)} (tags: archive, move)`);
    expect(gistLineOf(await memory.get('short'))).toBe('[short] Ana sings.');
    const whole = await memory.records.expand('a1b2');
    expect(whole).toMatchObject({ content: long, useCount: 1 });
  });

  it('let more memories into a small context, the best as a whole; gist.first shows them all so', async () => {
    const { memory } = await newTestMemory();
    const names = [
      'Braga',
      'Faro',
      'Evora',
      'Tomar',
      'Viseu',
      'Sines',
      'Lagos',
      'Leiria',
      'Aveiro',
      'Elvas',
      'Beja',
      'Mafra',
    ];
    for (const name of names) await memory.remember({ content: long.replace('Braga', name) });
    const shown = async (tokens: number) => {
      const { text } = await memory.context('where does the archive of the company move to?', { tokens });
      const count = (what: RegExp): number => text.match(what)?.length ?? 0;
      return { all: count(/archive of the company from/g), whole: count(/shelves look as good/g), text };
    };
    const [small, wide] = [await shown(700), await shown(4000)];
    expect(wide).toMatchObject({ all: 12, whole: 12 });
    expect(small.whole).toBeGreaterThanOrEqual(3);
    expect(small.all).toBeGreaterThan(small.whole + 2);
    await writeConfiguration(memory, 'gist:\n  first: true\n');
    expect(await shown(4000)).toMatchObject({ all: 12, whole: 0 });
  });

  it('count nothing twice in search', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ id: 'with', content: long });
    const [first] = (await memory.recall('archive Braga', { mode: 'lexical' })).hits;
    await writeConfiguration(memory, 'gist:\n  level: none\n');
    await memory.records.gist({ ids: ['with'] });
    expect((await memory.get('with')).gist).toBeNull();
    const [second] = (await memory.recall('archive Braga', { mode: 'lexical' })).hits;
    expect(second!.parts.lexical).toBe(first!.parts.lexical);
  });
});
