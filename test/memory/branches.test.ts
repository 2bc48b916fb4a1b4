import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, fsck, git, hasGit, newRepository } from '../helpers/native-git.ts';

const placements = ['repository', 'bare'] as const;

describe.each(placements)('a branch (%s)', (placement) => {
  it('is begun from the present, goes its own way, and is merged: both sides stay', async () => {
    const { memory, clock, directory } = await newTestMemory({ placement });
    const { id } = await memory.remember('Ada likes tea');
    await memory.write('knowledge/people/ada.md', '# Ada\n\n- likes tea\n');
    const explore = await memory.branches.open('explore/coffee', { create: true });
    clock.advance({ minutes: 1 });
    await explore.edit('knowledge/people/ada.md', '- likes tea\n', '- likes tea\n- tried coffee\n');
    await explore.records.touch(id!);
    clock.advance({ minutes: 1 });
    await memory.edit('knowledge/people/ada.md', '- likes tea\n', '- likes tea\n- lives in Rome\n');
    await memory.records.touch(id!);
    expect(await memory.read('knowledge/people/ada.md')).not.toContain('coffee');
    // What waits on either branch is merged too: it was acknowledged.
    const merged = await memory.merge('explore/coffee');
    expect(merged).toMatchObject({ conflicts: [], bases: [expect.any(String)] });
    expect(await memory.read('knowledge/people/ada.md')).toBe(
      '# Ada\n\n- likes tea\n- tried coffee\n- lives in Rome\n',
    );
    expect((await memory.get(id!)).useCount).toBe(2);
    const { commits } = await memory.log({ limit: 1 });
    expect(commits[0]).toMatchObject({ oid: merged.commit, operation: 'merge', subject: 'merge: explore/coffee' });
    expect(commits[0]!.parents).toHaveLength(2);
    expect(await memory.merge('explore/coffee')).toMatchObject({ commit: null, tree: merged.tree, conflicts: [] });
    await explore.close();
    await memory.close();
    if (hasGit) {
      expect(fsck(directory)).toBe('');
      if (placement === 'repository') expect(git(directory, 'status', '--porcelain')).toBe('');
    }
  });
});

describe('merge', () => {
  it('settles what contradicts for the later side, keeps the other, and names the path', async () => {
    const { memory, clock } = await newTestMemory();
    const { id, path } = await memory.remember('the meeting is on Monday');
    await memory.write('knowledge/plan.md', '# Plan\n\nWe go on Monday.\n');
    await memory.commit();
    const other = await memory.branches.open('other', { create: true });
    const say = async (who: typeof memory, day: string) => {
      clock.advance({ hours: 1 });
      const text = await who.read(path);
      await who.write(path, text.replace(/Monday/, day));
      await who.write('knowledge/plan.md', `# Plan\n\nWe go on ${day}.\n`);
      await who.commit();
    };
    await say(memory, 'Tuesday');
    await say(other, 'Friday');
    const preview = await memory.merge('other', { accept: ['records'], dryRun: true });
    const merged = await memory.merge('other', { accept: ['records'] });
    expect(merged.conflicts).toEqual(['knowledge/plan.md', path]);
    expect(preview).toEqual({ ...merged, commit: null });
    expect(await memory.read('knowledge/plan.md')).toBe('# Plan\n\nWe go on Friday.\n');
    expect(await memory.get(id!)).toMatchObject({
      content: 'the meeting is on Friday',
      alternatives: [{ field: 'content', value: 'the meeting is on Tuesday' }],
    });
    const { commits } = await memory.log({ limit: 1 });
    expect(commits[0]!.trailers.filter(({ key }) => key === 'Conflict').map(({ value }) => value)).toEqual(
      merged.conflicts,
    );
    // The other way round gives the same.
    await other.merge(memory.branchName, { accept: ['records'] });
    expect((await other.at('HEAD')).tree).toBe(merged.tree);
    await other.close();
  });

  it('can be undone, redone, and done through a branch that is not open', async () => {
    const { memory } = await newTestMemory();
    await memory.remember('before');
    await memory.commit();
    const before = (await memory.at('HEAD')).tree;
    const other = await memory.branches.open('explore/more', { create: true });
    await other.remember('on the side');
    await other.close();
    const merged = await memory.merge('explore/more');
    const undone = await memory.undo(merged.commit!);
    expect(undone.tree).toBe(before);
    expect((await memory.undo({ redo: true })).tree).toBe(merged.tree);
    await expect(memory.undo({ redo: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.remember('on main');
    expect(await memory.merge('main', { into: 'explore/more' })).toMatchObject({ conflicts: [] });
    expect((await (await memory.branches.open('explore/more')).list()).memories).toHaveLength(3);
  });

  it('counts once what was merged in both directions', async () => {
    const { memory, clock } = await newTestMemory();
    const { id } = await memory.remember('counted');
    await memory.commit();
    const other = await memory.branches.open('other', { create: true });
    const touch = async (who: typeof memory) => {
      clock.advance({ minutes: 1 });
      await who.records.touch(id!);
      await who.commit();
    };
    await touch(memory);
    await touch(other);
    const [mine, theirs] = [memory.tip!, other.tip!];
    await memory.merge(theirs);
    await other.merge(mine);
    await touch(memory);
    await touch(other);
    expect((await memory.merge('other')).bases).toHaveLength(2);
    expect((await memory.get(id!)).useCount).toBe(4);
    await other.close();
  });

  it('refuses what has no common beginning, and what is not there', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.remember('x');
    await memory.commit();
    await expect(memory.merge('nowhere')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.merge('main', { into: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    if (!hasGit) return;
    const stranger = git(directory, 'commit-tree', '-m', 'other', 'HEAD^{tree}').trim();
    const tip = memory.tip;
    await expect(memory.merge(stranger)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(memory.tip).toBe(tip);
  });
});

describe('branches', () => {
  it('are listed and compared, and end only when nothing is lost', async () => {
    const { memory } = await newTestMemory();
    await memory.remember('on both');
    const side = await memory.branches.open('side', { create: true });
    await expect(memory.branches.open('side', { create: true })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    const { path } = await side.remember('on the side');
    await expect(memory.branches.drop('side')).rejects.toMatchObject({ code: 'CONFLICT' });
    await side.commit();
    expect(await memory.branches.list()).toMatchObject([
      { name: 'main', isCurrent: true, ahead: 0, behind: 0 },
      { name: 'side', isCurrent: false, ahead: 1, behind: 0, commit: side.tip },
    ]);
    expect(await memory.branches.compare('side')).toMatchObject({
      ahead: [side.tip],
      behind: [],
      bases: [memory.tip],
      paths: [path],
      conflicts: [],
    });
    await expect(memory.branches.drop('side')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(memory.branches.drop('main')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const tip = side.tip!;
    await side.close();
    expect(await memory.branches.drop('side', { force: true })).toEqual({ name: 'side', commit: tip, unmerged: [tip] });
    expect((await memory.branches.list()).map(({ name }) => name)).toEqual(['main']);
    // Its id still brings it back.
    await (await memory.branches.open('back', { create: true, from: tip })).close();
    await memory.merge('back');
    expect(await memory.branches.drop('back')).toMatchObject({ unmerged: [] });
  });

  it('for experiments expire a week after their last operation, but keep what is on them alone', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.remember('on both');
    for (const name of ['explore/empty', 'explore/work', 'explore/young', 'kept']) {
      const branch = await memory.branches.open(name, { create: true });
      if (name === 'explore/work') await branch.remember('worth keeping');
      await branch.close();
    }
    clock.advance({ days: 6 });
    const young = await memory.branches.open('explore/young');
    await young.remember('later');
    await young.close();
    clock.advance({ days: 1 });
    expect((await memory.branches.list()).filter(({ isExpired }) => isExpired).map(({ name }) => name)).toEqual([
      'explore/empty',
      'explore/work',
    ]);
    expect(await memory.branches.expire()).toMatchObject({
      dropped: [{ name: 'explore/empty', unmerged: [] }],
      kept: [{ name: 'explore/work', unmerged: 1 }],
    });
    expect((await memory.branches.list()).map(({ name }) => name)).toEqual([
      'explore/work',
      'explore/young',
      'kept',
      'main',
    ]);
  });

  it.runIf(hasGit)('of a memory inside a code repository stay under memory/ and leave the code alone', async () => {
    const code = newRepository();
    git(code, 'commit', '-q', '--allow-empty', '-m', 'some code');
    const { memory } = await newTestMemory({ dir: code, placement: 'branch' });
    await memory.remember('inside');
    const side = await memory.branches.open('explore/x', { create: true });
    expect(side.branchName).toBe('memory/explore/x');
    await side.remember('aside');
    await side.close();
    expect((await memory.branches.list()).map(({ name }) => name)).toEqual(['explore/x', 'main']);
    expect(await memory.merge('explore/x')).toMatchObject({ conflicts: [] });
    await expect(memory.merge('refs/heads/main')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await memory.branches.drop('explore/x')).toMatchObject({ unmerged: [] });
    await memory.close();
    expect(blemishes(code)).toBe('');
  });

  it.runIf(hasGit)('are left to git inside a project', async () => {
    const code = newRepository();
    git(code, 'commit', '-q', '--allow-empty', '-m', 'some code');
    const { memory } = await newTestMemory({ dir: code, placement: 'project' });
    await expect(memory.branches.open('explore/x', { create: true })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(memory.merge('main')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(git(code, 'branch', '--list').trim()).toBe('* main');
  });
});
