// Whoever has tools has no shell: no answer names a command, but as something to ask a person for.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { GitMemoryStore } from '../../src/apps/langgraph/memory-store.ts';
import { MemoryHost } from '../../src/apps/mcp/host.ts';
import { referenceTools } from '../../src/apps/mcp/reference.ts';
import { memoryTool } from '../../src/apps/memory-tool/memory-tool.ts';
import { callTool, failureAnswer } from '../../src/apps/tool-answers.ts';
import { inToolWords, type OfferedTools } from '../../src/apps/tool-words.ts';
import { type Tool, toolsOf } from '../../src/apps/tools.ts';
import { MemoryError } from '../../src/base/errors.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** Commands, and options, that stand in a text and are not what a person shall be asked for. */
function commandsIn(answer: unknown): string[] {
  const text = JSON.stringify(answer).replace(
    /[Aa]sk the person to run `[^`]*`|`[^`]*` \(ask the person to run it\)/g,
    '',
  );
  return text.match(/.{0,40}(?:\bgit memory |`(?:git|npm) |(?<!diff |[\w`-])--[a-z]).{0,40}/g) ?? [];
}

const offered: OfferedTools = new Map(
  Object.entries({
    log: { name: 'memory_history', fields: new Set(['path']), takesWords: true },
    'maintain run': { name: 'memory_maintain', fields: new Set<string>(), takesWords: true },
    merge: { name: 'memory_merge', fields: new Set(['into']), takesWords: true },
    sync: { name: 'memory_sync', fields: new Set(['dryRun']), takesWords: false },
  }),
);

it.each([
  ['`git memory log PATH` names it', 'memory_history names it'],
  [
    '`git memory log --path` and `git memory log --at x`',
    'memory_history and `git memory log --at x` (ask the person to run it)',
  ],
  ['`git memory maintain memory-md` moves it', 'memory_maintain moves it'],
  ['`git memory maintain reindex` does', '`git memory maintain reindex` (ask the person to run it) does'],
  ['`git memory merge resolve` does', '`git memory merge resolve` (ask the person to run it) does'],
  ['Merge it with `git memory merge x`', 'Merge it with memory_merge'],
  ['Then `git memory sync`', 'Then memory_sync'],
  ['Give it once: `git memory sync <address>`', 'Give it once: `git memory sync <address>` (ask the person to run it)'],
  ['Run `git memory doctor` to see', 'Ask the person to run `git memory doctor` to see'],
  ['If so, run `git worktree repair`', 'If so, ask the person to run `git worktree repair`'],
])('%s', (text, said) => {
  expect(inToolWords(text, offered)).toBe(said);
  expect(inToolWords(said, offered)).toBe(said);
});

/** Inputs that a model may come up with and that are wrong, or find nothing. */
function inputsOf({ input, entry }: Tool): Record<string, unknown>[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as {
    properties?: Record<string, { enum?: unknown[]; type?: string }>;
    required?: string[];
  };
  const values = ['zzzz', 'no/such.md', '../up', '2019-01-01', 'expect/tea.yaml', 'memory.yaml', '0', 'HEAD~99', '['];
  const base = (value: unknown) =>
    Object.fromEntries(required.map((name) => [name, properties[name]?.enum?.[0] ?? value]));
  const states = entry.kind === 'ask' && 'at' in properties ? values.map((at) => ({ ...base('tea'), at })) : [];
  const single = Object.entries(properties).flatMap(([name, { enum: words, type }]) =>
    (words ?? (type === 'boolean' ? [true] : values)).map((value) => ({ ...base('tea'), [name]: value })),
  );
  return [{}, { bogus: 1 }, ...values.map(base), ...states, ...single];
}

async function answersOf(tools: readonly Tool[], memory: Memory): Promise<{ about: string; found: string[] }[]> {
  const told: { about: string; found: string[] }[] = [];
  const known = new Set<string>();
  for (const tool of tools) {
    for (const input of inputsOf(tool)) {
      const { text, data } = await callTool(tool, async () => memory, input, {}).catch((error: unknown) => {
        expect(error).toBeInstanceOf(MemoryError);
        return failureAnswer(error, tool.tools);
      });
      const found = commandsIn([text, data]).filter((one) => !known.has(one));
      for (const one of found) known.add(one);
      if (found.length > 0) told.push({ about: `${tool.entry.name} ${JSON.stringify(input)}`, found });
    }
  }
  return told;
}

/** Memories in which things are as they should not be. */
const states: Readonly<Record<string, () => Promise<Memory>>> = {
  'a new memory': async () => (await newTestMemory()).memory,
  'a memory with files that cannot be read': async () => {
    const { memory, directory } = await newTestMemory();
    await memory.remember('The ferry leaves at noon');
    await memory.write('topics/tea.md', '# Tea\n');
    await memory.commit();
    writeFileSync(join(directory, 'topics/tea.md'), '---\npriority: [\n---\n');
    writeFileSync(join(directory, 'memories/loose.json'), '{');
    writeFileSync(join(directory, 'TODO.md'), '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n');
    return memory;
  },
};

describe.each(Object.keys(states))('in %s', (name) => {
  it.each(['everyday', 'all'] as const)('the %s tools answer without a command', async (set) => {
    const memory = await states[name]!();
    expect(await answersOf(await toolsOf(set, false), memory)).toEqual([]);
    await memory.close();
  });
});

it('a reader is offered what reads, and told of the rest as of a person', async () => {
  const memory = await states['a new memory']!();
  expect(await answersOf(await toolsOf('everyday', true), memory)).toEqual([]);
  await memory.close();
});

it('what the memory holds is given as it stands', async () => {
  const { memory } = await newTestMemory();
  const words = 'Ada starts each day with `git memory doctor --fix`';
  await memory.remember(words);
  const tool = (await toolsOf('everyday', false)).find(({ entry }) => entry.name === 'memory_search')!;
  expect((await callTool(tool, async () => memory, { query: 'Ada' }, {})).text).toContain(words);
});

it('frameworks that have none of our tools are told whom to ask', async () => {
  const { memory } = await newTestMemory();
  const tool = memoryTool(memory, { folder: 'raw' });
  const refused = await tool.create({ path: '/memories/a.md', file_text: 'x' }).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'INVALID_PATH',
    message: expect.stringContaining('` (ask the person to run it)'),
  });
  const store = new GitMemoryStore(await memory.at('HEAD'));
  const past = await store.put(['a'], 'b', { c: 1 }).catch((error: unknown) => error);
  expect(commandsIn(String(past))).toEqual([]);
  await memory.close();
  const dir = temporaryFolder();
  const host = new MemoryHost({ dir, start: dir, environment: {}, logger: { warn: () => undefined } });
  for (const { run } of referenceTools(host)) {
    const error = await run({ names: 5, query: 5, entities: 5 }, {}).catch((one: unknown) =>
      failureAnswer(one, new Map()),
    );
    expect(commandsIn(error)).toEqual([]);
  }
  await host.close();
});
