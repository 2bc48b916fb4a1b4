import { describe, expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/adapters/node.ts';
import { discoverRepository, openRepository } from '../../src/git/repository.ts';
import { commitsBeyond, isAncestor, mergeBases } from '../../src/history/merge-base.ts';
import { git, hasGit, tryGit } from '../helpers/native-git.ts';
import { random } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** Makes a history of random merges, by one fast-import; `clock` gives each commit its second. */
function history(
  folder: string,
  next: (below: number) => number,
  count: number,
  clock: (number: number) => number,
): string[] {
  git(folder, 'init', '-q', '--bare');
  const stream = Array.from({ length: count }, (_, number) => {
    const parents = new Set(
      Array.from({ length: number === 0 ? 0 : 1 + next(3) }, () => Math.max(0, number - 1 - next(8))),
    );
    const [first, ...others] = [...parents];
    return [
      `commit refs/heads/c${number}`,
      `mark :${number + 1}`,
      `committer P <p@example.org> ${clock(number)} +0000`,
      'data 1\nx',
      ...(first === undefined ? [] : [`from :${first + 1}`]),
      ...others.map((parent) => `merge :${parent + 1}`),
      '',
    ].join('\n');
  }).join('\n');
  tryGit(folder, ['fast-import', '--quiet'], stream);
  return Array.from({ length: count }, (_, number) => git(folder, 'rev-parse', `c${number}`).trim());
}

function closure(objects: Parameters<typeof mergeBases>[0], tip: string): Set<string> {
  const reached = new Set([tip]);
  for (const oid of reached) for (const parent of objects.readCommit(oid).parents) reached.add(parent);
  return reached;
}

describe.runIf(hasGit)('common ancestors', () => {
  test.each([
    { name: 'with a clock that goes', clock: (number: number) => 1_000 + number * 10, isSkewed: false },
    { name: 'of one second', clock: () => 1_000, isSkewed: false },
    { name: 'with clocks that were wrong', clock: (number: number) => 1_000 + ((number * 7919) % 500), isSkewed: true },
  ])('$name are those of native git', async ({ clock, isSkewed }) => {
    const folder = temporaryFolder();
    const next = random(7);
    const commits = history(folder, next, 60, clock);
    const { objects } = await openRepository(nodeFileSystem, discoverRepository(nodeFileSystem, folder)!, false);
    for (let round = 0; round < 60; round += 1) {
      const [ours, theirs] = [commits[next(60)]!, commits[next(60)]!];
      const native = tryGit(folder, ['merge-base', '--all', ours, theirs]).stdout.trim().split('\n').sort();
      expect(mergeBases(objects, [ours], [theirs]).sort()).toEqual(native);
      expect(isAncestor(objects, ours, theirs)).toBe(
        tryGit(folder, ['merge-base', '--is-ancestor', ours, theirs]).status === 0,
      );
      const reached = closure(objects, ours);
      const beyond = [...closure(objects, theirs)].filter((oid) => !reached.has(oid)).sort();
      const found = commitsBeyond(objects, theirs, [ours]).sort();
      // A wrong clock may name more than is, which is safe, and never less.
      if (isSkewed) expect(found).toEqual(expect.arrayContaining(beyond));
      else expect(found).toEqual(beyond);
    }
    objects.close();
  });
});
