// Replays of all captures on a branch: the same as extraction would have made, whatever happens in between.

import { describe, expect, it } from 'vitest';
import type { ExtractedItem, Extractor } from '../../../src/core/extract/extractor.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { parseMemory } from '../../../src/store/records/memory-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';

const said = [
  ['We decided to use Redis for the session cache.', 'Anna works on the platform team.'],
  ['I prefer short answers without tables.', 'The build takes nine minutes on the old runner.'],
  ['We decided to use Postgres for the session cache instead of Redis.'],
  ['Nothing much today.'],
  ['I prefer short answers without tables.', 'I will send the report to Anna by Friday.'],
] as const;

async function capture(memory: Memory, conversations: readonly (readonly string[])[] = said, from = 1): Promise<void> {
  for (const [index, texts] of conversations.entries()) {
    const day = String(from + index).padStart(2, '0');
    await memory.capture({
      session: `s${from + index}`,
      topic: `day ${from + index}`,
      messages: texts.map((text, turn) => ({
        role: 'user',
        text,
        time: `2026-01-${day}T09:${String(turn).padStart(2, '0')}:00Z`,
      })),
    });
  }
}

async function filesOf(memory: Memory, at: string, folder: string): Promise<Record<string, string>> {
  const view = await memory.at(at);
  const paths = await view.files(folder);
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await view.read(path)])));
}

/** What `memories/` of a state says, without what only counts and dates uses. */
async function memoriesOf(memory: Memory, at: string) {
  const files = await filesOf(memory, at, 'memories/');
  return Object.entries(files).map(([path, text]) => {
    const { id, content, status, category, sources = [] } = parseMemory(text, path);
    return { id, content, status, category, sources: sources.map((source) => `${source.path}#${source.turn}`) };
  });
}

const sorted = <T extends { id: string }>(records: readonly T[]) => [...records].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Finds every sentence that has a word, and says how often it was asked. */
function finder(word: string): Extractor & { asked: string[] } {
  const asked: string[] = [];
  return {
    name: `finder-${word}`,
    version: '1',
    asked,
    async extract(transcript, { path }) {
      asked.push(path);
      await new Promise((resolve) => setTimeout(resolve, asked.length % 3));
      return transcript.turns.flatMap(({ role, text }, at): ExtractedItem[] =>
        text.includes(word)
          ? [{ category: 'fact', content: text, confidence: 0.9, turns: [at + 1], role, entities: [], tags: [] }]
          : [],
      );
    },
  };
}

/** Extractors that the memories of this file know, by name. */
const own: Record<string, Extractor> = {};
const by = (extractor: Extractor) => {
  own[extractor.name] = extractor;
  return { extractors: [extractor.name] };
};

describe('an experiment', () => {
  it('with the extractor that was used makes the memories that are there, in one commit for each conversation', async () => {
    const { memory, directory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.remember({ id: 'mine', content: 'The office is in Lisbon.' });
    await memory.extract();
    const [before, status] = [memory.tip!, git(directory, 'status', '--porcelain')];
    const used = (await memory.list()).memories.find(({ content }) => content.includes('Anna works on'))!;
    await memory.records.touch(used.id);
    await memory.commit();
    const tip = memory.tip!;
    const progress: number[] = [];
    const result = await memory.experiments.run('again', { onProgress: ({ done }) => progress.push(done) });
    expect(result).toMatchObject({ name: 'again', branch: 'extract/again', base: tip, total: 5, done: 5, read: 5 });
    expect(result).toMatchObject({
      isFinished: true,
      isAdopted: false,
      newer: 0,
      extractor: expect.stringMatching(/@/),
    });
    expect(result.created).toBeGreaterThan(3);
    expect(progress).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await filesOf(memory, 'extract/again', 'memories/')).toEqual(await filesOf(memory, tip, 'memories/'));
    expect(git(directory, 'rev-parse', 'extract/again^{tree}')).toBe(git(directory, 'rev-parse', `${tip}^{tree}`));
    const sessions = git(directory, 'log', '--format=%(trailers:key=Session,valueonly)', `${tip}..extract/again`);
    expect(sessions.split('\n').filter((line) => line !== '').length).toBe(4);
    expect([memory.tip, git(directory, 'status', '--porcelain'), before !== tip]).toEqual([tip, status, true]);
    expect(fsck(directory)).toBe('');
  });

  it('leaves aside what was extracted, and keeps what was remembered, edited or forgotten', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.remember({ id: 'mine', content: 'The office is in Lisbon.' });
    await memory.extract();
    const { memories } = await memory.list();
    const idOf = (words: string) => memories.find(({ content }) => content.includes(words))!;
    const [anna, report] = [idOf('Anna works on'), idOf('send the report')];
    await memory.edit(anna.path, 'Anna works on the platform team', 'Anna has worked on the platform team for years');
    await memory.forget(report.id, { allowRemovals: true });
    await memory.commit();
    await memory.experiments.run('anna', by(finder('Anna')));
    const made = await memoriesOf(memory, 'extract/anna');
    expect(made.map(({ content }) => content).sort()).toEqual([
      // The turn says nothing but what somebody put otherwise, so nobody reads it anew.
      'Anna has worked on the platform team for years.',
      'The office is in Lisbon.',
    ]);
  });

  it.each([
    { checkpoint: 1000, parallel: 1 },
    { checkpoint: 2, parallel: 4 },
  ])('that is stopped goes on and ends as one that is not: %j', async (options) => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.experiments.run('whole', by(finder('e')));
    for (const stopAt of [1, 3]) {
      const name = `stopped-${stopAt}`;
      const extractor = finder('e');
      const controller = new AbortController();
      const stopped = memory.experiments.run(name, {
        ...options,
        ...by(extractor),
        signal: controller.signal,
        onProgress: ({ done }) => done === stopAt && controller.abort(new Error('enough')),
      });
      await expect(stopped).rejects.toThrow('enough');
      const [left] = (await memory.experiments.list()).experiments.filter((one) => one.name === name);
      expect(left).toMatchObject({ done: stopAt, isFinished: false });
      const again = await memory.experiments.run(name, by(extractor));
      expect(again).toMatchObject({ read: 5 - stopAt, done: 5, isFinished: true });
      expect(await memory.experiments.run(name, by(extractor))).toMatchObject({ read: 0, commits: [] });
      expect(await filesOf(memory, `extract/${name}`, '')).toEqual(await filesOf(memory, 'extract/whole', ''));
    }
  });

  it('reads several conversations at once and asks for each once, whatever their order of answers', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    const [one, four] = [finder('a'), finder('a')];
    await memory.experiments.run('one', { ...by(one), parallel: 1 });
    await memory.experiments.run('four', { ...by(four), parallel: 4 });
    expect(four.asked).toEqual(one.asked);
    expect(await filesOf(memory, 'extract/four', '')).toEqual(await filesOf(memory, 'extract/one', ''));
  });

  it('that fails keeps what was found before, and goes on there', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    const working = finder('e');
    let isBroken = true;
    const extractor: Extractor = {
      ...working,
      extract(transcript, context) {
        if (isBroken && context.path.includes('s4')) throw new Error('the server is down');
        return working.extract(transcript, context);
      },
    };
    await expect(memory.experiments.run('down', by(extractor))).rejects.toMatchObject({ code: 'EXTRACTION_FAILED' });
    expect((await memory.experiments.list()).experiments).toMatchObject([{ name: 'down', done: 3, total: 5 }]);
    isBroken = false;
    expect(await memory.experiments.run('down', by(extractor))).toMatchObject({ read: 2, isFinished: true });
  });

  it('has a configuration of its own, and refuses to go on with another', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.extract();
    const tip = memory.tip;
    const strict = await memory.experiments.run('strict', { config: { 'extract.min_confidence': 0.96 } });
    const loose = await memory.experiments.run('loose');
    expect(strict.created).toBeLessThan(loose.created);
    expect(await (await memory.at('extract/strict')).read('memory.yaml')).toContain('min_confidence: 0.96');
    expect(await memory.read('memory.yaml')).not.toContain('min_confidence');
    const other = memory.experiments.run('strict', { config: { 'extract.min_confidence': 0.5 } });
    await expect(other).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', hint: expect.stringContaining('drop') });
    await expect(memory.experiments.run('strict', by(finder('e')))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const unknown = memory.experiments.run('typo', { config: { 'extract.min_confidense': 0.5 } });
    await expect(unknown).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    expect((await memory.branches.list()).map(({ name }) => name).sort()).toEqual([
      'extract/loose',
      'extract/strict',
      'main',
    ]);
    for (const name of ['', 'a..b', 'a b']) {
      await expect(memory.experiments.run(name)).rejects.toMatchObject({ code: expect.stringMatching(/^INVALID/) });
    }
    await expect(memory.experiments.run('x', { parallel: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(memory.tip).toBe(tip);
  });
});

describe('an experiment that is adopted', () => {
  it('replaces what was extracted in one commit, keeps edits made since, and is undone at once', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.remember({ id: 'mine', content: 'The office is in Lisbon.' });
    await memory.extract();
    await memory.experiments.run('prefer', by(finder('prefer')));
    const { memories } = await memory.list();
    const edited = memories.find(({ content }) => content.includes('nine minutes')) ?? memories[0]!;
    await memory.edit(edited.path, edited.content, `${edited.content} Measured twice.`);
    await memory.remember({ id: 'late', content: 'Remembered while the experiment ran.' });
    await capture(memory, [['We decided to move the archive to Porto.']], 20);
    await memory.extract();
    const before = sorted(await memoriesOf(memory, 'HEAD'));
    const adopted = await memory.experiments.adopt('prefer');
    // The line that tells of the edited memory stays as it does.
    const conflicts = ['knowledge/reference/2026-01.md', edited.path];
    expect(adopted).toMatchObject({ name: 'prefer', commit: memory.tip, added: 1, conflicts });
    const contents = (await memoriesOf(memory, 'HEAD')).map(({ content }) => content).sort();
    expect(contents).toEqual(
      [
        'I prefer short answers without tables.',
        'Remembered while the experiment ran.',
        'The office is in Lisbon.',
        'We decided to move the archive to Porto.',
        `${edited.content} Measured twice.`,
      ].sort(),
    );
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({
      operation: 'adopt',
      subject: 'merge: extract/prefer',
      parents: [expect.any(String), (await memory.at('extract/prefer')).commit],
    });
    expect(await memory.experiments.adopt('prefer')).toMatchObject({ commit: null, added: 0, removed: 0 });
    expect((await memory.experiments.list()).experiments).toMatchObject([
      { name: 'prefer', isAdopted: true, newer: 1 },
    ]);
    expect(await memory.undo(adopted.commit!)).toMatchObject({ conflicts: [], commit: expect.any(String) });
    expect(sorted(await memoriesOf(memory, 'HEAD'))).toEqual(before);
  });

  it('can be taken back and adopted again, as often as one likes, and what was forgotten meanwhile stays so', async () => {
    const { memory, directory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.extract();
    await memory.remember({ id: 'mine', content: 'The office is in Lisbon.' });
    await memory.commit();
    await memory.experiments.run('e', by(finder('e')));
    const isAdopted = async () => (await memory.experiments.list()).experiments[0]!.isAdopted;
    const before = sorted(await memoriesOf(memory, 'HEAD'));
    const first = await memory.experiments.adopt('e');
    const adopted = sorted(await memoriesOf(memory, 'HEAD'));
    expect(adopted).not.toEqual(before);
    let last = first.commit!;
    for (let round = 0; round < 2; round++) {
      expect(await isAdopted()).toBe(true);
      await memory.undo(last);
      expect([sorted(await memoriesOf(memory, 'HEAD')), await isAdopted()]).toEqual([before, false]);
      const again = await memory.experiments.adopt('e');
      expect(again).toMatchObject({ commit: memory.tip, added: first.added, removed: first.removed, conflicts: [] });
      expect(sorted(await memoriesOf(memory, 'HEAD'))).toEqual(adopted);
      last = again.commit!;
    }
    expect(await memory.experiments.adopt('e')).toMatchObject({ commit: null });
    // A redo is an adoption, too.
    await memory.undo(last);
    await memory.undo({ redo: true });
    expect(await isAdopted()).toBe(true);
    expect(await memory.experiments.adopt('e')).toMatchObject({ commit: null });
    // Taken back together with something else, it alone comes again.
    await memory.remember({ id: 'other', content: 'Said besides.' });
    await memory.commit();
    await memory.undo({ from: last, to: 'HEAD' }, { allowRemovals: true });
    expect(sorted(await memoriesOf(memory, 'HEAD'))).toEqual(before);
    await memory.experiments.adopt('e');
    expect(sorted(await memoriesOf(memory, 'HEAD'))).toEqual(adopted);
    const brought = (await memory.list()).memories.find(({ content }) => content.startsWith('The build takes'))!;
    await memory.forget(brought.id, { allowRemovals: true });
    await memory.commit();
    await memory.undo('HEAD~1', { allowRemovals: true });
    await memory.experiments.adopt('e');
    await expect(memory.get(brought.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    if (hasGit) expect([fsck(directory), git(directory, 'status', '--porcelain')]).toEqual(['', '']);
  });

  it('keeps what was extracted from conversations that came since, and names them', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.extract();
    await memory.experiments.run('prefer', by(finder('prefer')));
    // Two say something new, and one the same again.
    await capture(
      memory,
      [
        ['We decided to move the archive to Porto.'],
        ['I prefer short answers without tables.'],
        ['We decided to use Valkey for the session cache instead of Postgres.'],
      ],
      20,
    );
    const { transcripts } = await memory.extract();
    const created = transcripts.flatMap((transcript) => transcript.created);
    expect(created.length).toBeGreaterThanOrEqual(2);
    const updated = await Promise.all(
      transcripts.flatMap((transcript) => transcript.updated).map((id) => memory.get(id)),
    );
    const lines = await memory.read('knowledge/journal/2026-01-20.md').catch(() => null);
    const relations = await memory.files('relations');
    const { newer } = await memory.experiments.adopt('prefer');
    expect(newer).toEqual(transcripts.map(({ path }) => path).sort());
    for (const { id, content } of created) expect(await memory.get(id)).toMatchObject({ content, status: 'active' });
    // What they said of older memories is kept with these.
    expect(updated).toHaveLength(1);
    for (const { id } of updated) expect(await memory.get(id)).toBeDefined();
    expect(await memory.read('knowledge/journal/2026-01-20.md').catch(() => null)).toBe(lines);
    for (const path of relations.filter((one) => one !== '')) {
      const text = await memory.read(path).catch(() => null);
      if (text === null) continue;
      const relation = JSON.parse(text) as { from_memory_id: string; to_memory_id: string };
      for (const id of [relation.from_memory_id, relation.to_memory_id]) expect(await memory.get(id)).toBeDefined();
    }
  });

  it('is undone without being asked twice, also where it brought many', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await memory.remember('The office is in Lisbon.');
    await capture(memory, [Array.from({ length: 30 }, (_, number) => `Sentence number ${number} of the day.`)]);
    await memory.experiments.run('all', by(finder('Sentence')));
    const { commit, added } = await memory.experiments.adopt('all');
    expect(added).toBe(30);
    expect(await memory.undo(commit!)).toMatchObject({ conflicts: [], commit: memory.tip });
    expect((await memory.list()).memories.length).toBe(1);
  });

  it('keeps an edit of a record that it made anew', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.extract();
    const tagged = (await memory.list()).memories[0]!;
    await memory.experiments.run('again');
    const text = await memory.read(tagged.path);
    await memory.write(tagged.path, text.replace('"category": "', '"category": "principle", "was": "'));
    await memory.commit();
    await memory.experiments.adopt('again');
    expect(await memory.get(tagged.id)).toMatchObject({ category: 'principle' });
  });

  it('brings its configuration, and nothing is extracted twice then', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    await memory.extract();
    await memory.experiments.run('strict', { config: { 'extract.min_confidence': 0.96 } });
    await memory.experiments.adopt('strict');
    expect(await memory.read('memory.yaml')).toContain('min_confidence: 0.96');
    expect((await memory.extract()).transcripts.flatMap(({ created }) => created)).toEqual([]);
    // Another one begins without what the first one brought.
    const again = await memory.experiments.run('again');
    const adopted = await memoriesOf(memory, 'HEAD');
    expect(again.leftAside).toBe(adopted.length);
    expect(sorted(await memoriesOf(memory, 'extract/again'))).toEqual(sorted(adopted));
  });

  it('has to be finished, and to be there', async () => {
    const { memory } = await newTestMemory({ extractors: own });
    await capture(memory);
    const controller = new AbortController();
    const onProgress = ({ done }: { done: number }) => done === 2 && controller.abort(new Error('enough'));
    const { signal } = controller;
    await expect(memory.experiments.run('half', { ...by(finder('e')), signal, onProgress })).rejects.toThrow('enough');
    const half = memory.experiments.adopt('half');
    await expect(half).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', hint: expect.stringContaining('run half') });
    await expect(memory.experiments.adopt('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.experiments.drop('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('an experiment that is dropped leaves a tag behind that shows what it was, and its name is free again', async () => {
  const { memory, directory } = await newTestMemory({ extractors: own });
  await capture(memory);
  const first = await memory.experiments.run('tea', by(finder('e')));
  const dropped = await memory.experiments.drop('tea');
  expect(dropped).toEqual({ name: 'tea', commit: first.commit, tag: 'memory/extract/tea' });
  expect(await memory.experiments.list()).toMatchObject({
    experiments: [],
    dropped: [{ tag: 'memory/extract/tea' }],
  });
  expect((await memoriesOf(memory, 'memory/extract/tea')).length).toBe(first.created);
  await memory.experiments.run('tea', by(finder('a')));
  expect((await memory.experiments.drop('tea')).tag).not.toBe(dropped.tag);
  expect(fsck(directory)).toBe('');
});
