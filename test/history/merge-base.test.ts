import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/adapters/node.ts';
import { MemoryError } from '../../src/base/errors.ts';
import type { Commits } from '../../src/history/generations.ts';
import { commitsBeyond, isAncestor, isBehind, mergeBases } from '../../src/history/merge-base.ts';
import { formatCommit } from '../../src/store/git/commit-object.ts';
import { newObject } from '../../src/store/git/object-codec.ts';
import { ObjectOverlay } from '../../src/store/git/object-overlay.ts';
import { discoverRepository, openRepository } from '../../src/store/git/repository.ts';
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
  const tips = git(folder, 'for-each-ref', '--sort=version:refname', '--format=%(objectname)', 'refs/heads/');
  return tips.trim().split('\n');
}

const years = 3 * 365 * 86_400;
const start = 1_790_000_000;

/** Clocks of machines that may be off by three years. */
const clocks: readonly {
  name: string;
  clock: (number: number, next: (below: number) => number) => number;
  isSkewed?: boolean;
}[] = [
  { name: 'with a clock that goes', clock: (number) => start + number * 10, isSkewed: false },
  { name: 'of one second', clock: () => start, isSkewed: false },
  { name: 'with a clock that goes backwards', clock: (number) => start - number * 86_400 },
  { name: 'with clocks that are two days off', clock: (number) => start + number * 60 + (number % 2) * 2 * 86_400 },
  { name: 'with clocks that are years off', clock: (_, next) => start - years + next(2 * years) },
  {
    name: 'with one clock that is years ahead',
    clock: (number) => start + number * 60 + (number % 7 === 3 ? years : 0),
  },
  {
    name: 'with times that no year has',
    clock: (number, next) => [0, 1, start, 99_999_999_999_999][next(4)]! + number,
  },
];

async function objectsOf(folder: string) {
  const { objects } = await openRepository(nodeFileSystem, discoverRepository(nodeFileSystem, folder)!, false);
  return objects;
}

function closure(objects: Commits, ...tips: string[]): Set<string> {
  const reached = new Set(tips);
  for (const oid of reached) for (const parent of objects.readCommit(oid).parents) reached.add(parent);
  return reached;
}

/**
 * Tells by native git, and by walking everything, whether what we answer of pairs of commits is right. Where clocks were wrong `git rev-list`
 * itself may name too many, for it stops by time.
 */
function compare(
  folder: string,
  objects: Commits,
  commits: readonly string[],
  next: (below: number) => number,
  isSkewed = true,
) {
  const pick = () => commits[next(commits.length)]!;
  for (let round = 0; round < 15; round += 1) {
    const [ours, theirs, third] = [pick(), pick(), pick()];
    const lines = (...args: string[]) => tryGit(folder, args).stdout.split('\n').filter(Boolean).sort();
    expect(mergeBases(objects, [ours], [theirs]).sort()).toEqual(lines('merge-base', '--all', ours, theirs));
    expect(isAncestor(objects, ours, theirs)).toBe(isNativeAncestor(folder, ours, theirs));
    expect(isBehind(objects, ours, [theirs, third])).toBe(closure(objects, theirs, third).has(ours));
    const found = commitsBeyond(objects, theirs, [ours, third]);
    const others = closure(objects, ours, third);
    expect(new Set(found)).toEqual(new Set([...closure(objects, theirs)].filter((oid) => !others.has(oid))));
    if (!isSkewed) {
      const range = [theirs, `^${ours}`, `^${third}`];
      expect([...found].sort()).toEqual(lines('rev-list', ...range));
      expect(found.length).toBe(Number(git(folder, 'rev-list', '--count', ...range)));
    }
    const places = new Map(found.map((oid, place) => [oid, place]));
    for (const [oid, place] of places) {
      for (const parent of objects.readCommit(oid).parents) {
        expect(places.get(parent) ?? found.length).toBeGreaterThan(place);
      }
    }
  }
}

describe.runIf(hasGit)('ancestry', () => {
  test.each(clocks)('$name is that of native git', async ({ clock, isSkewed }) => {
    const folder = temporaryFolder();
    const next = random(7);
    const commits = history(folder, next, 60, (number) => clock(number, next));
    const objects = await objectsOf(folder);
    compare(folder, objects, commits, next, isSkewed);
    objects.close();
  });

  test('is the same from the file of generations, from the commit graph of native git, and on top of a store', async () => {
    const folder = temporaryFolder();
    const next = random(11);
    const commits = history(folder, next, 400, () => start - years + next(2 * years));
    const file = join(folder, 'git-memory/cache/generations');
    for (const before of [
      () => {},
      () => expect(existsSync(file)).toBe(true),
      () => appendFileSync(file, 'torn'),
      () => rmSync(file),
      () => git(folder, 'commit-graph', 'write', '--reachable'),
      () => rmSync(file, { force: true }),
    ]) {
      before();
      const objects = await objectsOf(folder);
      compare(folder, objects, commits, next);
      compare(folder, new ObjectOverlay(objects), commits, next);
      objects.close();
    }
  });

  test('costs one walk of the history, ever', async () => {
    const folder = temporaryFolder();
    const commits = history(folder, random(12), 600, (number) => start - number);
    const asked = async () => {
      const objects = await objectsOf(folder);
      const read = new Set<string>();
      const spy = new Proxy(objects, {
        get: (target, key) => {
          if (key === 'linksOf') return (oid: string) => [read.add(oid), target.linksOf(oid)][1];
          return Reflect.get(target, key, target);
        },
      });
      expect(isBehind(spy, commits[598]!, [commits[599]!])).toBe(
        isNativeAncestor(folder, commits[598]!, commits[599]!),
      );
      objects.close();
      return read.size;
    };
    expect(await asked()).toBeGreaterThan(400);
    // What one more commit brings is found out again.
    expect(await asked()).toBeLessThan(5);
  });

  test('of what lies on top of a repository leaves no facts in it', async () => {
    const folder = temporaryFolder();
    history(folder, random(13), 10, (number) => start + number);
    const objects = await objectsOf(folder);
    const overlay = new ObjectOverlay(objects);
    let tip = git(folder, 'rev-parse', 'c9').trim();
    for (let number = 0; number < 300; number += 1) {
      const data = formatCommit({
        ...objects.readCommit(git(folder, 'rev-parse', 'c0').trim()),
        parents: [tip],
        message: `${number}`,
      });
      const made = newObject('commit', data);
      overlay.add(made);
      tip = made.oid;
    }
    expect(commitsBeyond(overlay, tip, [git(folder, 'rev-parse', 'c9').trim()])).toHaveLength(300);
    expect(existsSync(join(folder, 'git-memory/cache/generations'))).toBe(false);
    objects.close();
  });

  test('ends where a shallow clone ends, and is whole when the rest has come', async () => {
    const source = temporaryFolder();
    const next = random(14);
    history(source, next, 300, () => start - years + next(2 * years));
    const folder = temporaryFolder();
    git(folder, 'clone', '-q', '--bare', '--depth', '12', '--branch', 'c299', `file://${source}`, 'clone');
    const clone = join(folder, 'clone');
    const commits = () => git(clone, 'rev-list', 'c299').trim().split('\n');
    const cut = await objectsOf(clone);
    compare(clone, cut, commits(), next);
    cut.close();
    git(clone, 'fetch', '-q', '--unshallow', 'origin', 'c299');
    const whole = await objectsOf(clone);
    compare(clone, whole, commits(), next);
    whole.close();
  });

  test('of other commits does not suffer from one that is damaged', async () => {
    const folder = temporaryFolder();
    const commits = history(folder, random(15), 300, (number) => start + number);
    const objects = await objectsOf(folder);
    const broken = commits[5]!;
    const hidden = {
      readCommit: (oid: string) => {
        if (oid === broken) throw new MemoryError('OBJECT_CORRUPT', 'damaged', { where: oid });
        return objects.readCommit(oid);
      },
    };
    const [tip, before] = [commits[299]!, objects.readCommit(commits[299]!).parents[0]!];
    expect(isBehind(hidden, before, [tip])).toBe(true);
    expect(commitsBeyond(hidden, tip, [before])).toEqual(commitsBeyond(objects, tip, [before]));
    objects.close();
  });
});

function isNativeAncestor(folder: string, ancestor: string, descendant: string): boolean {
  return tryGit(folder, ['merge-base', '--is-ancestor', ancestor, descendant]).status === 0;
}
