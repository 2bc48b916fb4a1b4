import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';

async function treeOf(memory: Awaited<ReturnType<typeof newTestMemory>>['memory']) {
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
    if (hasGit) {
      expect(git(directory, 'status', '--porcelain')).toBe('');
      expect(fsck(directory)).toBe('');
    }
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

  it('of a memory that was touched since takes it away all the same', async () => {
    const { memory, clock } = await newTestMemory();
    const { id } = await memory.remember('a mistake');
    const [commit] = (await memory.commit()).commits;
    clock.advance({ days: 1 });
    await memory.touch(id!);
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
    expect(result).toEqual({ undone: [], commit: null, tree: null, conflicts: ['knowledge/a.md'], derived: [] });
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

  it.runIf(hasGit)('gives the tree that git revert gives', async () => {
    const { memory, directory } = await newTestMemory();
    for (let i = 0; i < 6; i++) {
      await memory.write(
        `knowledge/${i % 3}.txt`,
        Array.from({ length: 20 }, (_, k) => `line ${k} of ${k === i * 3 ? i : 0}`).join('\n'),
      );
      await memory.commit();
    }
    const commits = (await memory.log({ limit: 6 })).commits.map((commit) => commit.oid);
    for (const commit of commits) {
      const result = await memory.undo(commit, { dryRun: true });
      const copy = git(directory, 'rev-parse', 'HEAD').trim();
      const reverted = tryGit(directory, ['-c', 'user.name=x', '-c', 'user.email=x@x', 'revert', '--no-edit', commit]);
      if (reverted.status === 0) expect(result.tree).toBe(git(directory, 'rev-parse', 'HEAD^{tree}').trim());
      else {
        expect(result.conflicts.length).toBeGreaterThan(0);
        git(directory, 'revert', '--abort');
      }
      git(directory, 'reset', '-q', '--hard', copy);
    }
  });
});
