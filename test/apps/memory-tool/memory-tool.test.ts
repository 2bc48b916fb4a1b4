// Anthropic's memory tool: word for word what the SDK's own file handler answers, and beyond it history, undo and refusals.

import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type MemoryToolCommand, memoryTool } from '../../../src/apps/memory-tool/memory-tool.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { fsck, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const opened: Memory[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((memory) => memory.close()));
});

async function open(): Promise<Memory> {
  const memory = await openMemory({ dir: temporaryFolder(), create: true });
  opened.push(memory);
  return memory;
}

type Answer = { readonly text: string } | { readonly failure: string };

async function answerOf(run: () => unknown): Promise<Answer> {
  try {
    return { text: mask(String(await run())) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Folders have the size that a file system gives them. */
function mask(text: string): string {
  return text
    .replace(/^[\d.]+[BKMG]\t(.*\/)$/gm, 'folder\t$1')
    .replace(/^(Here're the files .*\n)[\d.]+[BKMG]\t/, '$1folder\t');
}

const file = fc.constantFrom(
  'a.md',
  'b.txt',
  'notes/a.md',
  'notes/deep/c.md',
  'notes/deep/down/d.md',
  'notes',
  'other/x',
  '.hidden',
  'node_modules/y',
);
const path = fc.oneof(
  { weight: 8, arbitrary: file.map((name) => `/memories/${name}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/memories', '/memories/', '/etc/passwd', '/memories/../x', '/memories/none'),
  },
);
const line = fc.constantFrom('one', 'two', 'three $& four', 'überall', '');
const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));
const command: fc.Arbitrary<MemoryToolCommand> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ command: fc.constant('create' as const), path, file_text: text }) },
  { weight: 2, arbitrary: fc.record({ command: fc.constant('view' as const), path }) },
  fc.record({
    command: fc.constant('view' as const),
    path,
    view_range: fc.tuple(fc.integer({ min: -1, max: 6 }), fc.integer({ min: -1, max: 6 })),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      command: fc.constant('str_replace' as const),
      path,
      old_str: fc.constantFrom('one', 'two', 'three $& four', 'nothing'),
      new_str: line,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      command: fc.constant('insert' as const),
      path,
      insert_line: fc.integer({ min: -1, max: 6 }),
      insert_text: text,
    }),
  },
  fc.record({ command: fc.constant('delete' as const), path }),
  { weight: 2, arbitrary: fc.record({ command: fc.constant('rename' as const), old_path: path, new_path: path }) },
);

/** Git keeps no empty folder, so neither does the other side. */
function pruneEmpty(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    pruneEmpty(join(folder, entry.name));
    if (readdirSync(join(folder, entry.name)).length === 0) rmdirSync(join(folder, entry.name));
  }
}

/** What the handler of the SDK says in words of its own; anything else is an error of the file system. */
const worded = /^(The path|The file|File |No replacement|Invalid `insert_line`|Cannot |The destination|Path )/;

describe('the memory tool', () => {
  it('answers as the file handler of the SDK does, command by command', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 20 }), async (commands) => {
        const memory = await open();
        const ours = memoryTool(memory);
        const base = temporaryFolder();
        mkdirSync(join(base, 'memories'));
        const theirs = await BetaLocalFilesystemMemoryTool.init(base);
        for (const one of commands) {
          const expected = await answerOf(() => theirs[one.command](one as never));
          pruneEmpty(join(base, 'memories'));
          const actual = await answerOf(() => ours.execute(one));
          if ('failure' in expected && !worded.test(expected.failure)) expect(actual).toHaveProperty('failure');
          else expect([one, actual]).toEqual([one, expected]);
        }
        if (hasGit) expect(fsck(opened[0]!.directory)).toBe('');
        await opened.pop()!.close();
      }),
      { numRuns: Number(process.env.MEMORY_TOOL_RUNS ?? 15) },
    );
  });

  it('is what the helper of the SDK takes', async () => {
    const tool = betaMemoryTool(memoryTool(await open()));
    expect(await tool.run({ command: 'create', path: '/memories/a.md', file_text: '# A\n' })).toBe(
      'File created successfully at: /memories/a.md',
    );
    expect(await tool.run({ command: 'view', path: '/memories/a.md' })).toContain('     1\t# A');
  });

  it('makes each command a commit that can be taken back, and what it wrote is found', async () => {
    const memory = await open();
    const tool = memoryTool(memory);
    await tool.execute({
      command: 'create',
      path: '/memories/people/ada.md',
      file_text: '# Ada\n\n- Lives in Paris\n',
    });
    await tool.execute({ command: 'str_replace', path: '/memories/people/ada.md', old_str: 'Paris', new_str: 'Rome' });
    await tool.execute({ command: 'rename', old_path: '/memories/people', new_path: '/memories/friends' });
    const { commits } = await memory.log({ limit: 3 });
    expect(commits.map(({ paths }) => paths.length)).toEqual([2, 1, 1]);
    expect((await memory.recall('who lives in Rome')).hits[0]).toMatchObject({ path: 'knowledge/friends/ada.md' });
    await memory.undo(commits[0]!.oid);
    await memory.undo(commits[1]!.oid);
    expect(await tool.execute({ command: 'view', path: '/memories/people/ada.md' })).toContain('Paris');
    expect((await memory.status()).pending).toEqual([]);
  });

  it('replaces a passage of several lines, once and only when it is clear which', async () => {
    const tool = memoryTool(await open());
    await tool.create({ path: '/memories/a.md', file_text: 'one\ntwo\nthree\none two one\n' });
    expect(await tool.str_replace({ path: '/memories/a.md', old_str: 'two\nthree', new_str: '2\n3' })).toBe(
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n' +
        '     1\tone\n     2\t2\n     3\t3\n     4\tone two one',
    );
    await expect(tool.str_replace({ path: '/memories/a.md', old_str: 'one', new_str: 'x' })).rejects.toThrow(
      'in lines: 1, 4.',
    );
  });

  it('loses no change of several that edit one file at once', async () => {
    const memory = await open();
    const tool = memoryTool(memory);
    await tool.create({ path: '/memories/list.md', file_text: '# List\n' });
    await Promise.all(
      [1, 2, 3, 4].map((number) =>
        tool.insert({ path: '/memories/list.md', insert_line: 1, insert_text: `- ${number}` }),
      ),
    );
    expect((await memory.read('knowledge/list.md')).split('\n').sort()).toEqual([
      '',
      '# List',
      '- 1',
      '- 2',
      '- 3',
      '- 4',
    ]);
  });

  it.each([
    '/memoriesX/a.md',
    '/memories/../../etc/passwd',
    '/memories/.git/hooks/pre-commit',
    '/memories/.GIT/config',
    '/memories/git~1/config',
    '/memories/.g\u200cit/config',
    '/memories/a\\..\\b',
    '/memories/a\u0000b',
    '/memories/con.md',
    '/memories/.gitattributes',
    'memories/a.md',
    '',
  ])('refuses %j whole', async (hostile) => {
    const memory = await open();
    const tool = memoryTool(memory);
    const { commit } = await memory.status();
    await expect(tool.create({ path: hostile, file_text: 'x' })).rejects.toThrow();
    await expect(tool.rename({ old_path: '/memories', new_path: hostile })).rejects.toThrow();
    expect(await memory.status()).toMatchObject({ commit, pending: [] });
  });

  it('keeps secrets out', async () => {
    const memory = await open();
    const tool = memoryTool(memory);
    await tool.create({ path: '/memories/keys.md', file_text: `token: ghp_${'a1B2'.repeat(9)}\n` });
    expect(await tool.view({ path: '/memories/keys.md' })).toContain('[redacted:');
  });
});
