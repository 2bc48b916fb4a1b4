import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, commitAll, fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { random } from '../helpers/random.ts';

type TestMemory = Awaited<ReturnType<typeof newTestMemory>>;

async function treeOf(memory: TestMemory['memory']) {
  return (await memory.at(memory.tip!)).tree;
}

describe('undo', () => {
  it('restores the exact tree, and undo of the undo brings it back', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.remember('kept');
    await memory.commit();
    const before = await treeOf(memory);
    await memory.write('knowledge/people/ana.md', '# Ana\n');
    await memory.remember('wrong');
    const [commit] = (await memory.commit()).commits;
    const after = await treeOf(memory);
    const undone = await memory.undo(commit!);
    expect(undone).toMatchObject({ undone: [commit], conflicts: [], tree: before });
    expect(await treeOf(memory)).toBe(before);
    const redone = await memory.undo(undone.commit!);
    expect(redone.tree).toBe(after);
    if (hasGit) expect(blemishes(directory)).toBe('');
  });

  it.runIf(hasGit)('brings an event back as it was, where somebody changed it past the rules', async () => {
    const { memory, directory } = await newTestMemory();
    for (const content of ['one', 'two', 'three']) await memory.ledger.add({ content });
    const segment = join(directory, 'ledger/2026/02/2026-02-16.jsonl');
    const text = readFileSync(segment, 'utf8');
    writeFileSync(segment, text.replace('"two"', '"other"'));
    git(directory, 'commit', '-qam', 'by hand', '--no-verify');
    await memory.undo('HEAD');
    expect(readFileSync(segment, 'utf8')).toBe(text);
  });

  it.runIf(hasGit)('and a merge bring back what a person keeps beside the layout, and write over nothing', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/a.md', '# A\n');
    await memory.commit();
    const put = (name: string, text: string) => {
      mkdirSync(join(directory, '.obsidian'), { recursive: true });
      writeFileSync(join(directory, name), text);
    };
    put('.obsidian/app.json', '{"theme":"obsidian"}\n');
    commitAll(directory, 'settings of the vault');
    const before = git(directory, 'rev-parse', 'HEAD^{tree}').trim();
    const undone = await memory.undo('HEAD');
    expect(git(directory, 'ls-files')).not.toContain('app.json');
    expect((await memory.undo(undone.commit!)).tree).toBe(before);
    expect(git(directory, 'status', '--porcelain')).toBe('');

    git(directory, 'switch', '-qc', 'side');
    put('.obsidian/graph.json', '{}\n');
    put('.obsidian/workspace.json', '{"from":"side"}\n');
    commitAll(directory, 'more settings');
    git(directory, 'switch', '-q', 'main');
    put('.obsidian/workspace.json', '{"mine":true}\n');
    await memory.remember('meanwhile');
    await memory.commit();
    expect(await memory.merge('side')).toMatchObject({ conflicts: [] });
    expect(git(directory, 'ls-files', '.obsidian').trim().split('\n')).toHaveLength(3);
    expect(readFileSync(join(directory, '.obsidian/workspace.json'), 'utf8')).toBe('{"mine":true}\n');
    expect(git(directory, 'status', '--porcelain')).toBe(' M .obsidian/workspace.json\n');
    expect(fsck(directory)).toBe('');
  });

  it('keeps what happened since, also to the same file', async () => {
    const { memory } = await newTestMemory();
    await memory.write('knowledge/list.md', '# List\n\n- one\n');
    await memory.commit();
    await memory.edit('knowledge/list.md', '- one\n', '- one\n- two\n');
    const [commit] = (await memory.commit()).commits;
    await memory.edit('knowledge/list.md', '- two\n', '- two\n- three\n');
    for (let i = 0; i < 50; i++) await memory.remember(`later ${i}`);
    await memory.commit();
    const { conflicts } = await memory.undo(commit!);
    expect(conflicts).toEqual([]);
    expect(await memory.read('knowledge/list.md')).toBe('# List\n\n- one\n- three\n');
    expect((await memory.list()).memories).toHaveLength(50);
  });

  it.each<[string, unknown, string]>([
    ['no field', {}, 'what'],
    ['a misspelt field', { sesion: 'x' }, 'sesion'],
    ['a field that is undefined', { session: undefined }, 'what'],
    ['a field that is no text', { session: 5 }, 'session'],
    ['an empty field', { run: ' ' }, 'run'],
    ['two fields', { session: 'x', run: 'y' }, 'run'],
    ['a known field and an unknown one', { session: 'x', until_: '2026' }, 'until_'],
    ['half a range', { from: 'HEAD' }, 'to'],
    ['the other half of a range', { to: 'HEAD' }, 'from'],
    ['a flag that is false', { redo: false }, 'redo'],
    ['only a time', { since: 'yesterday' }, 'since'],
    ['a list', ['HEAD'], 'what'],
    ['a number', 5, 'what'],
  ])('refuses %s instead of taking back all history', async (_, what, where) => {
    const { memory } = await newTestMemory();
    await memory.write('knowledge/people/ana.md', '# Ana\n');
    await memory.commit();
    const before = memory.tip;
    const paths = ['knowledge/people/ana.md'];
    for (const options of [{ paths }, { paths, dryRun: true }]) {
      await expect(memory.undo(what as never, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', where });
    }
    expect(memory.tip).toBe(before);
  });

  it('takes a target whose other fields are undefined', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ content: 'the office', agent: 'scout' });
    await memory.commit();
    const target = { agent: 'scout', since: undefined, session: undefined };
    expect((await memory.undo(target as never)).undone).toHaveLength(1);
  });

  it('of an agent takes back what it did, or what it did on a day', async () => {
    const { memory, clock } = await newTestMemory();
    const said = async (agent: string, content: string) => {
      await memory.remember({ content, agent });
      await memory.commit();
    };
    await said('scout', 'the old office');
    clock.advance({ days: 1 });
    await said('clerk', 'the lunch');
    await said('scout', 'the new office');
    clock.advance({ days: 1 });
    await said('scout', 'the budget');
    const left = async () => (await memory.list()).memories.map(({ content }) => content).sort();
    const yesterday = { agent: 'scout', since: 'yesterday', until: 'yesterday' };
    const looked = await memory.undo(yesterday, { dryRun: true });
    expect(looked).toMatchObject({ subjects: ['memory: remember "the new office"'], times: ['2026-02-17T09:00:00Z'] });
    await memory.undo(yesterday);
    expect(await left()).toEqual(['the budget', 'the lunch', 'the old office']);
    await expect(memory.undo(yesterday)).rejects.toMatchObject({ code: 'NOT_FOUND', where: 'agent' });
    await expect(memory.undo({ agent: 'scout', since: 'someday' })).rejects.toMatchObject({ code: 'INVALID_DATE' });
    await expect(memory.undo({ session: 'x', since: 'yesterday' } as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await memory.undo({ agent: 'scout' });
    expect(await left()).toEqual(['the lunch']);
  });

  it('of a memory that was touched since takes it away all the same', async () => {
    const { memory, clock } = await newTestMemory();
    const { id } = await memory.remember('a mistake');
    const [commit] = (await memory.commit()).commits;
    clock.advance({ days: 1 });
    await memory.records.touch(id!);
    expect(await memory.undo(commit!)).toMatchObject({ conflicts: [] });
    await expect(memory.get(id!)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('names the conflicting paths and changes nothing where the same words changed since', async () => {
    const { memory } = await newTestMemory();
    await memory.write('knowledge/a.md', 'alpha\nbeta\n');
    await memory.commit();
    await memory.write('knowledge/a.md', 'alpha\ngamma\n');
    await memory.remember('beside it');
    const [commit] = (await memory.commit()).commits;
    await memory.write('knowledge/a.md', 'alpha\ndelta\n');
    await memory.commit();
    const tip = memory.tip;
    const result = await memory.undo(commit!);
    expect(result).toEqual({
      undone: [],
      subjects: [],
      times: [],
      commit: null,
      tree: null,
      conflicts: ['knowledge/a.md'],
      derived: [],
    });
    expect(memory.tip).toBe(tip);
    const part = await memory.undo(commit!, { paths: [(await memory.list()).memories[0]!.path] });
    expect(part.conflicts).toEqual([]);
    expect((await memory.list()).memories).toEqual([]);
    expect(await memory.read('knowledge/a.md')).toBe('alpha\ndelta\n');
  });

  it('of a capture lists what was derived from it; of its session takes both back', async () => {
    const { memory } = await newTestMemory();
    const { session, commit } = await memory.capture({
      messages: [
        { role: 'user', text: 'We decided to use git. I prefer tabs over spaces.', time: '2026-02-16T10:00:00Z' },
      ],
    });
    const { transcripts } = await memory.extract();
    expect(transcripts[0]!.created.length).toBeGreaterThan(0);
    const alone = await memory.undo(commit!);
    expect(alone.derived).toHaveLength(transcripts[0]!.created.length);
    await memory.undo(alone.commit!);
    const both = await memory.undo({ session });
    expect(both.undone).toHaveLength(2);
    expect(await memory.files('memories/')).toEqual([]);
    expect(await memory.files('raw/')).toEqual([]);
    await expect(memory.undo({ session })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows with dryRun what it would do, as if the tip were elsewhere', async () => {
    const { memory } = await newTestMemory();
    await memory.write('knowledge/a.md', 'one\n');
    const [first] = (await memory.commit()).commits;
    const before = (await memory.at(`${first}~1`)).tree;
    await memory.write('knowledge/b.md', 'two\n');
    await memory.commit();
    const tip = memory.tip;
    const preview = await memory.undo(first!, { onto: first!, dryRun: true });
    expect(preview).toMatchObject({ conflicts: [], tree: before, commit: null });
    expect(memory.tip).toBe(tip);
  });

  const told = 'We decided to keep the archive in Lisbon. I prefer tabs over spaces.';
  const operations: Record<string, (on: TestMemory) => Promise<unknown>> = {
    capture: ({ memory }) => memory.capture({ messages: [{ role: 'user', text: told, time: '2026-02-16T10:00:00Z' }] }),
    'a note': ({ memory }) => memory.capture('a note of the day'),
    'a session': async ({ memory }) => {
      const session = await memory.startSession({ topic: 'talk' });
      await session.message('user', told);
      await session.message('agent', 'Noted.');
      await session.end();
    },
    remember: ({ memory }) => memory.remember('one more'),
    touch: ({ memory }) => memory.records.touch('first'),
    archive: ({ memory }) => memory.records.archive('first'),
    forget: ({ memory }) => memory.forget('first'),
    write: ({ memory }) => memory.write('knowledge/people/new.md', '# New\n\n- here\n'),
    edit: ({ memory }) => memory.edit('knowledge/people/ana.md', 'Porto', 'Braga'),
    remove: ({ memory }) => memory.remove('knowledge/people/ana.md'),
    extract: ({ memory }) => memory.extract(),
    'a hand edit': async ({ directory }) =>
      appendFileSync(join(directory, 'knowledge/people/ana.md'), '- plays chess\n'),
    merge: async ({ memory }) => {
      const side = await memory.branches.open('side', { create: true });
      await side.remember('on the side');
      await side.close();
      await memory.edit('knowledge/people/ana.md', 'Porto', 'Braga');
      await memory.merge('side');
    },
    'a merge with a dispute': async ({ memory, clock }) => {
      const side = await memory.branches.open('side', { create: true });
      await side.write('knowledge/plain.txt', 'alpha\ngamma\n');
      await side.close();
      clock.advance({ minutes: 1 });
      await memory.write('knowledge/plain.txt', 'alpha\ndelta\n');
      expect((await memory.merge('side')).conflicts).toEqual(['knowledge/plain.txt']);
    },
    undo: ({ memory }) => memory.undo('HEAD'),
  };

  it.each(Object.keys(operations))('of %s restores the exact tree, and redo brings it back', async (name) => {
    const made = await newTestMemory();
    const { memory, directory, clock } = made;
    await memory.capture({ messages: [{ role: 'user', text: told, time: '2026-02-16T09:00:00Z' }] });
    await memory.remember({ id: 'first', content: 'kept' });
    await memory.write('knowledge/people/ana.md', '# Ana\n\n- lives in Porto\n');
    await memory.write('knowledge/plain.txt', 'alpha\nbeta\n');
    await memory.commit();
    clock.advance({ hours: 1 });
    const [tip, before] = [memory.tip!, await treeOf(memory)];
    await operations[name]!(made);
    await memory.commit();
    const after = await treeOf(memory);
    expect(after).not.toBe(before);
    // Some are one commit, some several: all since the tip are taken back as a range.
    const since: string[] = [];
    for (let oid = memory.tip!; oid !== tip; oid = (await memory.at(`${oid}~1`)).commit) since.push(oid);
    const undone = await memory.undo({ from: since.at(-1)!, to: since[0]! });
    expect(undone).toMatchObject({ undone: since, conflicts: [], tree: before });
    const redone = await memory.undo(undone.commit!);
    expect([redone.conflicts, redone.tree]).toEqual([[], after]);
    await memory.close();
    if (hasGit) expect(blemishes(directory)).toBe('');
  });

  it.runIf(hasGit)(
    'after fifty later operations gives the tree that git revert gives, or its conflicts',
    async () => {
      const { memory, directory } = await newTestMemory();
      const next = random(5);
      const files = ['a', 'b', 'c'].map((name) => `knowledge/${name}.txt`);
      for (const file of files) {
        await memory.write(file, Array.from({ length: 60 }, (_, line) => `line ${line}\n`).join(''));
      }
      await memory.commit();
      const commits: string[] = [];
      for (let count = 0; count < 70; count += 1) {
        const file = files[next(3)]!;
        const lines = (await memory.read(file)).split('\n');
        lines.splice(next(lines.length - 1), next(3), `changed ${count}`);
        await memory.write(file, lines.join('\n'));
        if (next(3) === 0) await memory.remember(`beside ${count}`);
        commits.push((await memory.commit()).commits[0]!);
      }
      const tip = memory.tip!;
      const outcomes = { same: 0, refused: 0 };
      for (const commit of commits.filter((_, at) => at < 20 && at % 2 === 0)) {
        const preview = await memory.undo(commit, { dryRun: true });
        git(directory, 'read-tree', tip);
        const reverted = tryGit(directory, ['revert', '--no-edit', commit]);
        if (reverted.status === 0) {
          expect(preview).toMatchObject({ conflicts: [], tree: git(directory, 'rev-parse', 'HEAD^{tree}').trim() });
          outcomes.same += 1;
        } else {
          const native = git(directory, 'diff', '--name-only', '--diff-filter=U').trim().split('\n');
          expect(preview.conflicts).toEqual(native);
          git(directory, 'revert', '--abort');
          outcomes.refused += 1;
        }
        git(directory, 'reset', '-q', '--hard', tip);
      }
      expect(outcomes.same).toBeGreaterThan(3);
      expect(outcomes.refused).toBeGreaterThan(0);
    },
    600_000,
  );

  it('of an agent, an extractor or a folder takes back what it made, and nothing else', async () => {
    const { memory } = await newTestMemory();
    await memory.capture({ agent: 'ada', messages: [{ role: 'user', text: told, time: '2026-02-16T09:00:00Z' }] });
    await memory.remember('by hand');
    await memory.commit();
    const before = await treeOf(memory);
    await memory.extract();
    const extracted = await treeOf(memory);
    expect(await memory.undo({ extractor: 'rules' })).toMatchObject({ conflicts: [], tree: before });
    await expect(memory.undo({ extractor: 'rules' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await memory.undo({ redo: true })).tree).toBe(extracted);
    // What was brought back can be taken back again.
    expect(await memory.undo({ extractor: 'rules' })).toMatchObject({ conflicts: [], tree: before });
    await memory.undo({ agent: 'ada' });
    expect(await memory.files('raw/conversations/')).toEqual([]);
    await memory.write('knowledge/people/a.md', '# A\n');
    await memory.write('knowledge/projects/b.md', '# B\n');
    await memory.commit();
    expect(await memory.undo('HEAD', { paths: ['knowledge/people/'] })).toMatchObject({ conflicts: [] });
    expect(await memory.files('knowledge/')).toEqual(['knowledge/projects/b.md']);
  });
});
