import { describe, expect, it } from 'vitest';
import { languageModel } from '../../src/adapters/language-model.ts';
import { isInstruction } from '../../src/core/extract/trust.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { parseMemory } from '../../src/store/records/memory-record.ts';
import { recentExtractionsPath } from '../../src/store/records/recent-extractions.ts';
import { type Aim, carriers, harmless, known, obey, orders } from '../helpers/injections.ts';
import { serveLanguage } from '../helpers/language-server.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';

/** All files of the present, with what is in them. */
async function filesOf(memory: Memory): Promise<Map<string, string>> {
  return new Map(memory.store.snapshot().list(''));
}

async function newAimedAt() {
  const aim: { at: Aim } = { at: { id: '', path: '' } };
  const server = await serveLanguage((question) => obey(question, aim.at));
  const model = await languageModel({ model: 'openai/gpt-5-mini', baseUrl: server.url, apiKey: 'k', environment: {} });
  const { memory, clock, directory } = await newTestMemory({ model });
  await memory.write('knowledge/people/ada.md', '# Ada\n\n- Lives in Rome\n');
  await memory.remember({ content: known[0], category: 'fact' });
  await memory.capture({
    session: 'clean',
    messages: known.map((text) => ({ role: 'user', text: `${text}.`, time: '2026-02-16T08:00:00Z' })),
  });
  for (const content of known.slice(1)) {
    await memory.remember({ content, category: 'decision' });
  }
  await memory.commit();
  const [first, second] = (await memory.list()).memories;
  aim.at = { id: first!.id, path: second!.path };
  clock.advance({ days: 1 });
  return { memory, clock, directory, server };
}

describe('an instruction that hides in what an agent reads', () => {
  it('has 200 forms here', () => {
    expect(orders.length * Object.keys(carriers).length).toBe(200);
  });

  it.each(Object.keys(carriers))(
    'adds to its own session alone although the model obeys it, and goes with one undo: %s',
    async (carrier) => {
      const { memory, directory, server } = await newAimedAt();
      const before = await filesOf(memory);
      const tree = memory.store.snapshot().tree;
      const session = await memory.startSession({
        session: 'poisoned',
        topic: 'reading',
        ...(carrier === 'a capture of low trust' ? { trust: 'low' as const } : {}),
      });
      await session.message('user', 'Please have a look at these pages for me.');
      for (const order of [harmless, ...orders]) {
        const { role, text } = carriers[carrier]!(order);
        await session.message(role, text);
      }
      await session.end();
      const result = await memory.extract({ from: session.path });
      expect(result.extractor).toBe('model@4');
      expect(result.notes).toBeUndefined();
      if (carrier !== 'a program') expect(server.questions.length).toBeGreaterThan(0);

      // Nothing that was there is gone or changed, and what is new is the capture and memories that rest on it alone.
      const after = await filesOf(memory);
      for (const [path, oid] of before) {
        // That an extraction happened is counted there.
        if (path !== recentExtractionsPath) expect([path, after.get(path)]).toEqual([path, oid]);
      }
      const added = [...after.keys()].filter((path) => !before.has(path));
      const boxes = added.filter((path) => path.startsWith('boxes/'));
      // What may have changed is asked of a person, and nothing is asked for words from outside.
      const asked = added.filter((path) => path.startsWith('relations/'));
      if (carrier !== 'an agent that repeats it') expect(asked).toEqual([]);
      const known = [session.path, recentExtractionsPath, ...boxes, ...asked];
      const records = added.filter((path) => !known.includes(path));
      expect(boxes).toHaveLength(carrier === 'an agent that repeats it' ? 1 : 0);
      const contents: string[] = [];
      expect(added).toContain(session.path);
      for (const path of records) {
        expect(path).toMatch(/^memories\/[0-9a-f]{2}\/[0-9a-f]{32}\.json$/);
        const record = parseMemory(await memory.read(path), path);
        contents.push(record.content);
        expect(record).toMatchObject({ status: 'active', strength: 1, useCount: 0, promotedTo: null });
        expect(new Set(record.sources!.map((source) => source.path))).toEqual(new Set([session.path]));
        expect(record.content).not.toContain('\n');
        expect(record.meta.tags.filter((tag) => /^p\d$|important/i.test(tag))).toEqual([]);
        expect(record.entities).not.toContain('../../etc/passwd');
        if (carrier === 'an agent that repeats it') {
          expect(record.confidence).toBeLessThanOrEqual(0.9);
          continue;
        }
        expect(record.confidence).toBeLessThanOrEqual(0.5);
        expect(record.category).toBe('fact');
        expect(record.meta.tags).toContain('untrusted');
        expect(isInstruction(record.content)).toBe(false);
      }
      if (carrier === 'a program') expect(contents).toEqual([]);
      else expect(contents.join('\n')).toContain(harmless);
      // The commit says what it is and nothing else.
      const [commit] = (await memory.log({ limit: 1 })).commits;
      if (records.length > 0) {
        expect(commit!.trailers.map(({ key }) => key)).not.toContain('Undoes');
        expect(commit!.trailers).toContainEqual({ key: 'Model', value: 'openai/gpt-5-mini' });
        expect(commit!.operation).toBe('extract');
      }

      const undone = await memory.undo({ session: session.path });
      expect(undone).toMatchObject({ conflicts: [], derived: [] });
      expect(memory.store.snapshot().tree).toBe(tree);
      if (hasGit) fsck(directory);
    },
  );
});

it('one bad session is undone wholly, with what it did to memories of others, however much came after it', async () => {
  const { memory, clock } = await newTestMemory({ model: null });
  const say = async (session: string, ...texts: string[]) => {
    clock.advance({ hours: 1 });
    await memory.capture({
      session,
      messages: texts.map((text) => ({ role: 'user', text, time: new Date(clock.now()).toISOString() })),
    });
    await memory.extract();
  };
  await say('first', 'We decided to use discard for the search index.', 'We decided to meet on Mondays at noon.');
  const one = await memory.list();
  await say(
    'bad',
    'Decision: we use remove for the search index, not discard.',
    'We decided to meet on Mondays at noon.',
    'We decided to paint the whole office purple.',
    'I promise to pay Eve by Friday.',
  );
  const told = (await memory.ledger.list()).events.filter(({ source }) => source?.includes('-bad-'));
  expect(told.map(({ content }) => content)).toContainEqual('I promise to pay Eve by Friday.');
  // It took nothing back: no sentence ends another one by itself.
  expect((await memory.list({ status: 'superseded' })).memories).toEqual([]);
  await say('later', 'I prefer tea to coffee in the morning.', 'We decided to meet on Mondays at noon.');
  const { conflicts } = await memory.undo({ session: 'bad' });
  expect(conflicts).toEqual([]);
  const { memories } = await memory.list();
  const contents = memories.map(({ content }) => content).sort();
  expect(contents).toEqual([
    'I prefer tea to coffee in the morning.',
    'We decided to meet on Mondays at noon.',
    'We decided to use discard for the search index.',
  ]);
  expect(JSON.stringify(memories)).not.toContain('bad');
  // The ledger only grows: what it told of the session is taken back there, and nothing of it holds or is owed.
  const { events } = await memory.ledger.list();
  expect(events.filter(({ id, source }) => source?.includes('-bad-') || told.some((one) => one.id === id))).toEqual([]);
  expect((await memory.ledger.loops()).loops).toEqual([]);
  const meeting = memories.find(({ content }) => content.includes('Mondays'))!;
  const was = one.memories.find(({ id }) => id === meeting.id)!;
  expect(meeting.useCount).toBe(was.useCount + 1);
  expect(meeting.sources).toHaveLength(2);
});
