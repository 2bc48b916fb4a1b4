// What a history may be that nobody wishes for, and every question asked of it: the answer of native git, or an error that says why.

import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import type { Damage } from '../../src/base/types.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { commitAll, git, hasGit, newRepository, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const open = (dir: string): Promise<Memory> => openMemory({ dir, readOnly: true, anyRepository: true });

/** Two versions of each kind of content, and a word that comes with the second. */
const contents: Readonly<Record<string, readonly [string, string]>> = {
  'plain.txt': ['one\ntwo\nthree\n', 'one\ntwo and marrow\nthree\n'],
  'no-end.txt': ['one\ntwo', 'one\nmarrow\ntwo'],
  'gets-end.txt': ['one\ntwo', 'one\ntwo marrow\n'],
  'loses-end.txt': ['one\ntwo\n', 'one\ntwo marrow'],
  'returns.txt': ['one\r\ntwo\r\n', 'one\r\nmarrow\r\ntwo\r\n'],
  'lone-return.txt': ['one\rtwo\n', 'one\rmarrow\rtwo\n'],
  'separators.txt': ['a\u2028b\u2029c\u0085d\n', 'a\u2028marrow\u2029c\u0085d\n'],
  'binary.bin': ['\0\u0001one\n', '\0\u0001marrow\ntwo\n'],
  'was-empty.txt': ['', 'marrow\n'],
  'gets-empty.txt': ['marrow\n', ''],
  'empty.txt': ['', ''],
  'only-lines.txt': ['\n\n\n', '\n\nmarrow\n\n'],
  'größe ☃.txt': ['eins\n', 'eins\nmarrow\n'],
};

function repository(): string {
  const folder = newRepository();
  for (const turn of [0, 1] as const) {
    for (const [name, versions] of Object.entries(contents)) writeFileSync(join(folder, name), versions[turn]);
    writeFileSync(join(folder, 'turn.txt'), `${turn}\n`);
    commitAll(folder, `turn ${turn}`);
  }
  writeFileSync(join(folder, 'later.txt'), 'later\n');
  commitAll(folder, 'turn 2');
  return folder;
}

const revision = (folder: string, name: string): string => git(folder, 'rev-parse', name).trim();

/** Commit of each line as native git blames them. */
function nativeBlame(folder: string, path: string): string[] {
  const lines = git(folder, 'blame', '--porcelain', 'HEAD', '--', path).split('\n');
  return lines.flatMap((line) => (/^[0-9a-f]{40} \d+ \d+/.test(line) ? [line.slice(0, 40)] : []));
}

describe.skipIf(!hasGit)('contents that are no ordinary text', () => {
  const folder = hasGit ? repository() : '';

  it.each(Object.keys(contents))('are answered as by native git: %s', async (path) => {
    const memory = await open(folder);
    const { lines } = await memory.blame(path);
    expect(lines.map(({ commit }) => commit)).toEqual(nativeBlame(folder, path));
    const { commits } = await memory.log({ path });
    expect(commits.map(({ oid }) => oid)).toEqual(git(folder, 'log', '--format=%H', '--', path).trim().split('\n'));
    const learned = await memory.learned('marrow', { path });
    const native = git(folder, 'log', '--format=%H', '-Smarrow', '--', path);
    expect(learned.commits.map(({ oid }) => `${oid}\n`).join('')).toBe(native);
    const { files } = await memory.diff('HEAD~2..HEAD~1', undefined, { path });
    const index = { GIT_INDEX_FILE: join(temporaryFolder(), 'index') };
    const inIndex = (parameters: string[], input?: string) => {
      const { status, stdout, stderr } = tryGit(folder, parameters, input, index);
      expect([parameters, status, stderr]).toEqual([parameters, 0, '']);
      return stdout;
    };
    inIndex(['read-tree', 'HEAD~2']);
    if (files.length > 0)
      inIndex(['apply', '--cached', '--whitespace=nowarn'], files.map(({ patch }) => patch).join(''));
    expect(inIndex(['ls-files', '-s', path])).toContain(revision(folder, `HEAD~1:${path}`));
    const roots = (await memory.provenance(path)).commits?.map(({ oid }) => oid) ?? [];
    for (const oid of new Set(nativeBlame(folder, path))) expect(roots).toContain(oid);
    await memory.close();
  });

  it('are taken back as native git reverts them', async () => {
    const memory = await open(folder);
    const { tree, conflicts } = await memory.undo('HEAD~1', { dryRun: true });
    expect(conflicts).toEqual([]);
    const clone = join(temporaryFolder(), 'clone');
    git(folder, 'clone', '-q', '.', clone);
    git(clone, 'revert', '--no-edit', 'HEAD~1');
    expect(tree).toBe(revision(clone, 'HEAD^{tree}'));
    await memory.close();
  });
});

type Question = readonly [name: string, ask: (memory: Memory) => Promise<unknown>];

const questions: readonly Question[] = [
  ['blame', (memory) => memory.blame('plain.txt')],
  ['log', (memory) => memory.log()],
  ['log of a file', (memory) => memory.log({ path: 'plain.txt' })],
  ['log that follows', (memory) => memory.log({ path: 'plain.txt', follow: true })],
  ['learned', (memory) => memory.learned('marrow')],
  ['learned by a pattern', (memory) => memory.learned(/marrow/)],
  ['diff', (memory) => memory.diff('HEAD~2', 'HEAD')],
  ['undo', (memory) => memory.undo('HEAD~1', { dryRun: true })],
  ['provenance', (memory) => memory.provenance('plain.txt')],
];

function withoutPaths(answer: unknown): object[] {
  return (answer as { commits: readonly { paths?: unknown }[] }).commits.map(({ paths: _, ...commit }) => commit);
}

/** What a question comes to: its answer, or the code of its error, which must be one of ours. */
async function outcome(memory: Memory, ask: Question[1]): Promise<unknown> {
  try {
    return await ask(memory);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    expect(error.what).not.toBe('');
    return error.code;
  }
}

describe.skipIf(!hasGit)('a repository', () => {
  it.each(questions)('without a commit answers %s with nothing, or says so', async (name, ask) => {
    const folder = newRepository();
    const memory = await open(folder);
    const answer = await outcome(memory, ask);
    if (name.startsWith('log')) expect(answer).toMatchObject({ commits: [] });
    else if (name.startsWith('learned')) expect(answer).toMatchObject({ commits: [] });
    else expect(answer).toBe('NOT_FOUND');
    await memory.close();
  });

  it.each(questions)('that lacks any one object answers %s with what is whole, and names it', async (name, ask) => {
    const folder = repository();
    const whole = await open(folder);
    const right = await ask(whole);
    await whole.close();
    const objects = git(folder, 'rev-list', '--objects', 'HEAD')
      .trim()
      .split('\n')
      .map((line) => line.slice(0, 40));
    let refused = 0;
    for (const oid of objects) {
      rmSync(join(folder, '.git/git-memory'), { recursive: true, force: true });
      const place = join(folder, '.git/objects', oid.slice(0, 2), oid.slice(2));
      const kept = join(folder, '.git/kept');
      renameSync(place, kept);
      try {
        const memory = await open(folder);
        const answer = await outcome(memory, ask);
        if (typeof answer === 'string') {
          expect(answer).toBe('OBJECT_MISSING');
          refused += 1;
        } else {
          const { damaged, ...told } = answer as { damaged?: readonly Damage[]; commits?: readonly object[] };
          if (damaged === undefined) expect(told).toEqual(right);
          else {
            refused += 1;
            expect(damaged.map(({ object }) => object)).toContain(oid);
            expect(damaged.every(({ commit }) => commit !== null)).toBe(true);
            // Never anything that is not so: less, and the files of a commit where its folders cannot be compared.
            if (/^(?:log|learned)/.test(name))
              expect(withoutPaths(right)).toEqual(expect.arrayContaining(withoutPaths(told)));
          }
        }
        await memory.close();
      } catch (error) {
        // The commit that HEAD names is missing: nothing can be opened.
        if (!(error instanceof MemoryError)) throw error;
        expect(error.code).toBe('OBJECT_MISSING');
        refused += 1;
      } finally {
        renameSync(kept, place);
      }
    }
    expect(refused).toBeGreaterThan(1);
  });

  it('whose commits have messages of 5 MB shows them cut, and is written to', async () => {
    const folder = repository();
    const words = join(folder, '.git/words');
    const commit = (message: string) => {
      writeFileSync(words, message);
      writeFileSync(join(folder, 'long.md'), message.slice(0, 9));
      git(folder, 'add', 'long.md');
      git(folder, 'commit', '-q', '-F', '.git/words');
      return revision(folder, 'HEAD');
    };
    const long = commit(`a subject\n\n${'many words '.repeat(500_000)}`);
    const line = commit('é'.repeat(2_600_000));
    git(folder, 'tag', '-a', 'v1', '-F', '.git/words');
    const memory = await open(folder);
    for (const [, ask] of questions) await ask(memory);
    const [newest, older] = (await memory.log()).commits;
    expect([newest!.oid, newest!.subject]).toEqual([line, `${'é'.repeat(200)}… (cut: the message has 5200001 bytes)`]);
    expect([older!.oid, older!.subject]).toEqual([long, 'a subject… (cut: the message has 5500011 bytes)']);
    expect((await memory.blame('long.md')).commits[0]!.subject).toBe(newest!.subject);
    expect((await memory.diff('HEAD~1..v1')).files.map(({ path }) => path)).toEqual(['long.md']);
    expect(await memory.undo('HEAD', { dryRun: true })).toMatchObject({ conflicts: [] });
    await memory.close();
  });

  it('that is shallow says where it ends, and does not take back what it cannot know', async () => {
    const folder = repository();
    const clone = join(temporaryFolder(), 'clone');
    git(folder, 'clone', '-q', '--depth', '2', `file://${folder}`, clone);
    const [tip, end] = [revision(clone, 'HEAD'), revision(clone, 'HEAD~1')];
    const memory = await open(clone);
    expect((await memory.blame('plain.txt')).lines.map(({ commit }) => commit)).toEqual(
      nativeBlame(clone, 'plain.txt'),
    );
    expect((await memory.log()).commits.map(({ oid }) => oid)).toEqual([tip, end]);
    expect(
      (await memory.learned('marrow')).commits.every(({ oid, boundary }) => oid === end && boundary === true),
    ).toBe(true);
    expect((await memory.diff('HEAD~1..HEAD')).files.map(({ path }) => path)).toEqual(['later.txt']);
    await expect(memory.diff('HEAD~2..HEAD')).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
    expect(await memory.undo('HEAD', { dryRun: true })).toMatchObject({ conflicts: [] });
    // Against nothing its whole content would be what it did, and native git would take all of it away.
    for (const target of ['HEAD~1', { from: 'HEAD~1', to: 'HEAD' }]) {
      const undone = memory.undo(target, { dryRun: true });
      await expect(undone).rejects.toMatchObject({ code: 'OBJECT_MISSING', where: end });
    }
    await memory.close();
  });

  const wrong = [
    'no-such',
    'HEAD~9',
    'refs/heads/none',
    '0000000',
    'f'.repeat(40),
    'HEAD:plain.txt',
    '-x',
    '@{9999}',
    'a b',
    ' ',
  ];

  it.each(wrong)('refuses the revision %j wherever one is asked for', async (name) => {
    const folder = repository();
    const memory = await open(folder);
    const asked: readonly ((memory: Memory) => Promise<unknown>)[] = [
      (m) => m.at(name),
      (m) => m.blame('plain.txt', { at: name }),
      (m) => m.diff(name),
      (m) => m.diff('HEAD', name),
      (m) => m.undo(name, { dryRun: true }),
      (m) => m.log({ after: name }),
      (m) => m.learned('marrow', { after: name }),
    ];
    for (const [place, ask] of asked.entries()) {
      const answer = await outcome(memory, ask);
      expect([place, name, answer]).toEqual([
        place,
        name,
        expect.stringMatching(/^(NOT_FOUND|INVALID_\w+|AMBIGUOUS)$/),
      ]);
    }
    expect(readdirSync(join(folder, '.git')).filter((file) => file.endsWith('.lock'))).toEqual([]);
    await memory.close();
  });

  it('is asked who wrote a file in another state, by any name of it', async () => {
    const folder = repository();
    const memory = await open(folder);
    const first = revision(folder, 'HEAD~2');
    for (const at of [first, first.slice(0, 8), 'HEAD~2', 'main~2']) {
      const { commit, lines } = await memory.blame('plain.txt', { at, lines: [2, 2] });
      expect([commit, lines.map(({ line, text }) => [line, text])]).toEqual([first, [[2, 'two']]]);
    }
    await expect(memory.blame('plain.txt', { at: '1999-01-01' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await memory.close();
  });
});
