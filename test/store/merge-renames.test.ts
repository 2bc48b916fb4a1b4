import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { discoverRepository, openRepository } from '../../src/git/repository.ts';
import { planMerge } from '../../src/history/merge.ts';
import { identityCodec } from '../../src/store/codec.ts';
import { git, hasGit, tryGit } from '../helpers/native-git.ts';
import { random } from '../helpers/random.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

type Files = Readonly<Record<string, string>>;
interface Case {
  readonly base: Files;
  readonly ours: Files;
  readonly theirs: Files;
}

/** Ten lines that no other text has. */
function text(name: string, ...changes: readonly (readonly [line: number, to: string])[]): string {
  const lines = Array.from({ length: 10 }, (_, line) => `${name} says in line ${line} what no other text says`);
  for (const [line, to] of changes) lines[line] = to;
  return `${lines.join('\n')}\n`;
}

const cases: Readonly<Record<string, Case>> = {
  'a change follows a rename': {
    base: { a: text('a') },
    ours: { b: text('a') },
    theirs: { a: text('a', [3, 'new']) },
  },
  'a change follows a rename with a change of its own, into a folder': {
    base: { a: text('a'), k: text('k') },
    ours: { a: text('a', [8, 'ours']), k: text('k') },
    theirs: { 'f/b': text('a', [1, 'theirs']), k: text('k') },
  },
  'changes of one place conflict where the file went': {
    base: { a: text('a') },
    ours: { b: text('a', [3, 'ours']) },
    theirs: { a: text('a', [3, 'theirs']) },
  },
  'renamed to two places': {
    base: { a: text('a') },
    ours: { b: text('a', [3, 'ours']) },
    theirs: { c: text('a') },
  },
  'renamed to one place by both': {
    base: { a: text('a') },
    ours: { b: text('a', [3, 'ours']) },
    theirs: { b: text('a', [7, 'theirs']) },
  },
  'two files renamed to one place': {
    base: { a: text('a'), b: text('b') },
    ours: { a: text('a', [1, 'x']), c: text('b') },
    theirs: { b: text('b', [1, 'x']), c: text('a') },
  },
  'renamed and removed': { base: { a: text('a'), k: 'k\n' }, ours: { b: text('a'), k: 'k\n' }, theirs: { k: 'k\n' } },
  'renamed to where the other side added a file': {
    base: { a: text('a') },
    ours: { b: text('a') },
    theirs: { a: text('a', [3, 'theirs']), b: text('other') },
  },
  'renamed over a file that the other side made a folder': {
    base: { a: text('a') },
    ours: { b: text('a') },
    theirs: { a: text('a', [3, 'theirs']), 'b/c': text('c') },
  },
  'a file added to a folder that moved': {
    base: { 'x/a': text('a'), 'x/b': text('b') },
    ours: { 'y/a': text('a'), 'y/b': text('b') },
    theirs: { 'x/a': text('a'), 'x/b': text('b'), 'x/c': text('c') },
  },
  'a file renamed into a folder that moved to the top': {
    base: { 'x/a': text('a'), 'x/b': text('b'), c: text('c') },
    ours: { a: text('a'), b: text('b'), c: text('c', [2, 'ours']) },
    theirs: { 'x/a': text('a'), 'x/b': text('b'), 'x/d': text('c') },
  },
  'less than half alike is no rename': {
    base: { a: text('a') },
    ours: { b: `${text('other')}${text('more')}a says in line 1 what no other text says\n` },
    theirs: { a: text('a', [3, 'theirs']) },
  },
  'an empty file is no rename': {
    base: { a: '', k: 'k\n' },
    ours: { b: '', k: 'k\n' },
    theirs: { a: 'x\n', k: 'k\n' },
  },
};

/** Two sides that rename, move folders, change, remove and add at random. */
function randomCase(seed: number): Case {
  const next = random(seed);
  const folders = ['', 'x/', 'x/u/', 'y/'];
  let names = 0;
  const name = () => `${folders[next(folders.length)]}${next(3) === 0 ? 'same' : 'f'}${names++}`;
  const base: Record<string, string> = {};
  for (let i = 0; i < 8; i += 1) base[name()] = text(`file ${seed} ${i}`);
  const side = (who: string): Files => {
    const files = { ...base };
    const pick = () => Object.keys(files)[next(Object.keys(files).length)]!;
    const move = (from: string, to: string) => {
      if (from === to || to in files) return;
      files[to] = files[from]!;
      delete files[from];
    };
    for (let step = 0; step < 4; step += 1) {
      const path = pick();
      const kind = next(6);
      if (kind <= 1) move(path, name());
      else if (kind === 2) {
        const [from, to] = [folders[1 + next(3)]!, `${['x', 'y', 'z'][next(3)]!}/`];
        if (!from.startsWith(to) && !to.startsWith(from))
          for (const inside of Object.keys(files)) {
            if (inside.startsWith(from)) move(inside, to + inside.slice(from.length));
          }
      } else if (kind === 3 && Object.keys(files).length > 3) delete files[path];
      else if (kind === 4) files[name()] = text(`${who} ${seed} ${step}`);
      else {
        const lines = files[path]!.split('\n');
        lines[next(10)] = `${who} was here ${next(3)}`;
        files[path] = lines.join('\n');
      }
    }
    return files;
  };
  return { base, ours: side('ours'), theirs: side('theirs') };
}

/** Commits of all cases, made by one `git fast-import`. */
function importCases(folder: string, all: readonly Case[]): void {
  const stream: string[] = [];
  let mark = 0;
  const commit = (branch: string, files: Files, from: number | null): number => {
    mark += 1;
    stream.push(
      `commit refs/heads/${branch}\nmark :${mark}\ncommitter P <p@example.org> ${1_700_000_000 + mark} +0000\n`,
    );
    stream.push(`data 1\nx\n${from === null ? '' : `from :${from}\n`}deleteall\n`);
    for (const [path, content] of Object.entries(files)) {
      stream.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`);
    }
    return mark;
  };
  for (const [number, { base, ours, theirs }] of all.entries()) {
    const root = commit(`base-${number}`, base, null);
    commit(`ours-${number}`, ours, root);
    commit(`theirs-${number}`, theirs, root);
  }
  const { status, stderr } = tryGit(folder, ['fast-import', '--quiet'], stream.join(''));
  if (status !== 0) throw new Error(stderr);
}

const hasMergeTree = hasGit && tryGit('.', ['merge-tree', '-h']).stdout.includes('--write-tree');

describe.runIf(hasMergeTree)('a merge of plain files follows renames as git does', () => {
  function judge(all: readonly (readonly [string, Case])[]): void {
    const folder = temporaryFolder();
    git(folder, 'init', '-q', '--bare');
    importCases(
      folder,
      all.map(([, one]) => one),
    );
    const { objects } = openRepository(fs, discoverRepository(fs, folder)!);
    for (const [number, [name, one]] of all.entries()) {
      const [ours, theirs] = git(folder, 'rev-parse', `ours-${number}`, `theirs-${number}`).trim().split('\n');
      const { status, stdout } = tryGit(folder, ['merge-tree', '--write-tree', '--name-only', ours!, theirs!]);
      const [tree, ...conflicts] = stdout.split('\n\n', 1)[0]!.trim().split('\n');
      const plan = planMerge(objects, ours!, theirs!, { by: 'line', codec: identityCodec });
      // Of a folder that went to several places git says so and names no path; here the files that cannot follow are named.
      const isSplit = stdout.includes('CONFLICT (directory rename split)');
      const found = isSplit ? plan.conflicts.filter((path) => conflicts.includes(path)) : [...plan.conflicts];
      const expected = status === 0 ? { tree, conflicts: [] } : { tree: plan.tree, conflicts };
      expect([name, one, { tree: plan.tree, conflicts: found }]).toEqual([name, one, expected]);
      if (status !== 0) expect([name, one, plan.conflicts.length]).not.toEqual([name, one, 0]);
    }
  }

  test('in each of the ways a rename can meet something', () => judge(Object.entries(cases)));

  test('in histories at random', () => {
    judge(Array.from({ length: 120 }, (_, seed) => [`seed ${seed}`, randomCase(seed)] as const));
  });
});
