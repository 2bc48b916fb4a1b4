import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeText } from '../../../src/store/merge/text.ts';
import { git, hasGit, tryGit } from '../../helpers/native-git.ts';
import { random } from '../../helpers/random.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

type Sides = readonly [base: string, ours: string, theirs: string];

/** Three versions of a text: lines of few kinds, so that the same ones stand in many places. */
function versions(next: (below: number) => number, kinds: number, length: number): Sides {
  const line = () => (kinds < 100 ? 'abcdefghijklmnopqrstuvwxyz'.charAt(next(kinds)) : `line ${next(kinds)}`);
  const lines = (count: number) => Array.from({ length: count }, line);
  const edited = (before: readonly string[]) => {
    const after = [...before];
    for (let edits = 1 + next(4); edits > 0; edits -= 1) {
      const at = next(after.length + 1);
      const kind = next(3);
      after.splice(at, kind === 0 ? next(3) : kind === 1 ? 0 : 1, ...(kind === 0 ? [] : lines(1 + next(3))));
    }
    return after;
  };
  const text = (all: readonly string[]) => all.join('\n') + (all.length > 0 && next(10) > 0 ? '\n' : '');
  const base = lines(next(length));
  return [text(base), text(edited(base)), text(edited(base))];
}

const hasMergeTree = hasGit && tryGit('.', ['merge-tree', '-h']).stdout.includes('--write-tree');

describe.runIf(hasMergeTree)('git merge', () => {
  test.each([
    { kinds: 2, length: 10, seed: 1 },
    { kinds: 3, length: 25, seed: 2 },
    { kinds: 6, length: 60, seed: 3 },
    { kinds: 26, length: 40, seed: 4 },
    // Every line stands more than 64 times, where the search for rare ones gives up.
    { kinds: 3, length: 500, seed: 5 },
    { kinds: 1000, length: 300, seed: 6 },
  ])('and mergeText agree on $kinds kinds of lines, up to $length of them', ({ kinds, length, seed }) => {
    const next = random(seed);
    const cases = Array.from({ length: 80 }, () => versions(next, kinds, length));
    const folder = temporaryFolder();
    git(folder, 'init', '-q');
    const [base, ours, theirs] = [0, 1, 2].map((side) => {
      rmSync(join(folder, 'files'), { recursive: true, force: true });
      mkdirSync(join(folder, 'files'));
      for (const [number, texts] of cases.entries()) writeFileSync(join(folder, `files/${number}`), texts[side] ?? '');
      git(folder, 'add', '-A');
      return git(folder, 'write-tree').trim();
    }) as [string, string, string];
    const commit = (tree: string, ...parents: string[]) =>
      git(folder, 'commit-tree', tree, '-m', 'x', ...parents.flatMap((parent) => ['-p', parent])).trim();
    const root = commit(base);
    const merge = ['-c', 'merge.renames=false', 'merge-tree', '--write-tree', '--name-only'];
    const { stdout } = tryGit(folder, [...merge, commit(ours, root), commit(theirs, root)]);
    const [tree, ...rest] = stdout.split('\n\n', 1)[0]!.trim().split('\n');
    const conflicts = new Set(rest);
    const contents = tryGit(
      folder,
      ['cat-file', '--batch'],
      cases.map((_, number) => `${tree}:files/${number}\n`).join(''),
    ).stdout;
    let place = 0;
    for (const [number, sides] of cases.entries()) {
      const header = contents.slice(place, contents.indexOf('\n', place));
      const start = place + header.length + 1;
      const size = Number(header.split(' ')[2]);
      place = start + size + 1;
      const merged = mergeText(...sides);
      expect([sides, merged.clean]).toEqual([sides, !conflicts.has(`files/${number}`)]);
      if (merged.clean) expect([sides, merged.text]).toEqual([sides, contents.slice(start, start + size)]);
    }
  });
});
