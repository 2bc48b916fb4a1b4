// What a write is told of memories that say the same already.

import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const first = 'The archive moves to Braga because the office in Porto closes.';
const nearly = 'The archive moves to Braga because the office in Porto closes soon.';

describe('remember', () => {
  it('takes what is due on a day for a promise, unless it is said to be something else', async () => {
    const { memory } = await newTestMemory();
    expect(await memory.remember({ content: 'Send Ole the papers', due: '2026-03-01' })).toMatchObject({
      category: 'commitment',
    });
    await memory.remember({ content: 'The lease ends', due: '2026-04-01', category: 'fact' });
    await memory.commit();
    expect((await memory.ledger.loops()).loops.map(({ content }) => content)).toEqual(['Send Ole the papers']);
  });

  it('writes nothing twice: what is told again is used, and gets the tags and source', async () => {
    const { memory, clock } = await newTestMemory();
    const { id } = await memory.remember({ content: first, tags: ['a'], source: 'talk' });
    clock.advance({ days: 1 });
    const again = await memory.remember({
      content: 'the archive moves to Braga, because the office in Porto closes',
      tags: ['b'],
      source: 'mail',
    });
    expect(again).toMatchObject({ id, isDuplicate: true, pending: true });
    const { memories } = await memory.list();
    expect(memories).toHaveLength(1);
    expect(memories[0]).toMatchObject({
      content: first,
      useCount: 1,
      lastUsed: Math.floor(clock.now() / 1000),
      meta: { tags: ['a', 'b'], source: 'talk; mail' },
    });
  });

  it('is told the same by a process that writes one memory and by one that goes on', async () => {
    const { memory, directory, clock } = await newTestMemory();
    const texts = [
      first,
      'Der Schlüssel des Archivs liegt bei Ole im Büro am Hafen',
      '档案馆的钥匙在奥莱的办公室里',
      'Paint the shed',
    ];
    for (const content of texts) await memory.remember({ content, category: 'fact' });
    await memory.commit();
    const other = 'Bread is baked on Mondays in Lund.';
    const asked = [
      nearly,
      'Der Schlüssel des Archivs liegt bei Ole im Büro am Hafen.',
      '档案馆的钥匙在奥莱的办公室',
      'Painted sheds',
    ];
    for (const content of asked) {
      const told = async (before: readonly string[]) => {
        const copy = temporaryFolder();
        cpSync(directory, copy, { recursive: true });
        const again = await openMemory({ dir: copy, clock });
        for (const one of before) await again.remember({ content: one, category: 'fact' });
        const { isDuplicate, near } = await again.remember({ content, category: 'fact' });
        await again.close();
        return { isDuplicate, near: near?.map((one) => one.content) };
      };
      const alone = await told([]);
      expect(await told([other])).toEqual(alone);
      if (content === nearly) expect(alone.near).toEqual([first]);
    }
  });

  it('keeps what is nearly the same, and names what it is near to', async () => {
    const { memory } = await newTestMemory();
    const { id } = await memory.remember(first);
    const { id: other, near, isDuplicate } = await memory.remember(nearly);
    expect(isDuplicate).toBeUndefined();
    expect(near).toMatchObject([{ id, content: first }]);
    expect(near![0]!.likeness).toBeGreaterThan(0.88);
    expect(other).not.toBe(id);
    expect((await memory.remember('Ana sings.')).near).toBeUndefined();
    expect((await memory.remember(first.replace('Braga', 'Faro'))).near).toBeUndefined();
  });

  it('writes the same words under an id of their own, of another kind, or for another day', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ id: 'one', content: first, category: 'fact' });
    expect((await memory.remember({ id: 'two', content: first, category: 'fact' })).isDuplicate).toBeUndefined();
    expect((await memory.remember({ content: first, category: 'decision' })).isDuplicate).toBe(undefined);
    expect((await memory.remember({ content: first, due: '2026-03-01' })).isDuplicate).toBeUndefined();
    expect((await memory.list()).memories).toHaveLength(4);
  });

  it('confirms a guess, which then stays', async () => {
    const { memory } = await newTestMemory();
    const { id, path } = await memory.remember(first);
    const text = await memory.read(path);
    await memory.write(
      path,
      text.replace(
        '"cross_domain_count": 0',
        '"cross_domain_count": 0,\n  "confidence": 0.3,\n  "confidence_tier": "speculative",\n  "expires_at": 1900000000',
      ),
    );
    await memory.remember(first);
    const confirmed = await memory.get(id!);
    expect(confirmed).toMatchObject({ confidence: 0.95, confidenceTier: 'explicit', useCount: 1 });
    expect(confirmed.expiresAt).toBeUndefined();
  });

  it('follows what is forgotten, put aside, edited, undone and written by others', async () => {
    const { memory, directory } = await newTestMemory();
    const { id } = await memory.remember(first);
    await memory.forget(id!);
    const second = await memory.remember(first);
    expect(second.isDuplicate).toBeUndefined();
    await memory.records.archive(second.id!);
    const third = await memory.remember(first);
    expect(third.isDuplicate).toBeUndefined();
    await memory.commit();
    await memory.edit(third.path, 'Braga', 'Faro');
    const fourth = await memory.remember(first);
    expect(fourth.isDuplicate).toBeUndefined();
    const { commits } = await memory.commit();
    for (const commit of [...commits].reverse()) await memory.undo(commit);
    expect((await memory.remember(first)).id).toBe(third.id);
    const elsewhere = await openMemory({ dir: directory, durability: 'fast' });
    await elsewhere.remember({ id: 'theirs', content: 'Rui plays the cello.' });
    await elsewhere.close();
    expect((await memory.remember('Rui plays the cello')).id).toBe('theirs');
  });
});
