// What only people decide is out of reach of every door that acts for an agent, whichever way it would come about.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { memoryTools } from '../../src/apps/ai-sdk/memory-tools.ts';
import { MemoryHost } from '../../src/apps/mcp/host.ts';
import { serveOverHttp } from '../../src/apps/mcp/http.ts';
import { memoryTool } from '../../src/apps/memory-tool/memory-tool.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { agentHint } from '../../src/store/guard/agent-door.ts';
import { fsck, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { TestClient } from './mcp/client.ts';

type Call = (
  name: string,
  input: Record<string, unknown>,
) => Promise<{ readonly text: string; readonly isError: boolean }>;

interface Door {
  readonly dir: string;
  /** The memory in the hands of a person. */
  readonly person: Memory;
  readonly call: Call;
  close(): Promise<void>;
}

const expectation = (words: string) => `- recall: tea\n  must: ${words}\n`;

/** A memory with an expectation, which a person changed since. */
async function begun(): Promise<{ dir: string; person: Memory }> {
  const dir = temporaryFolder();
  const person = await openMemory({ dir, create: true });
  await person.write('expect/tea.yaml', expectation('green'));
  await person.write('knowledge/tea.md', '# Tea\n\nGreen.\n');
  await person.commit();
  await person.write('expect/tea.yaml', expectation('black'));
  await person.commit('a person asks for more');
  return { dir, person };
}

const doors: Readonly<Record<string, () => Promise<Door>>> = {
  'the AI SDK': async () => {
    const { dir, person } = await begun();
    const agents = await openMemory({ dir });
    const tools = await memoryTools(agents, { tools: 'all' });
    const call: Call = (name, input) =>
      tools[name]!.execute(input).then(
        (text) => ({ text, isError: false }),
        (error: Error) => ({ text: error.message, isError: true }),
      );
    return { dir, person, call, close: () => agents.close() };
  },
  'the protocol server': async () => {
    const { dir, person } = await begun();
    const host = new MemoryHost({ dir, start: dir, environment: {}, logger: { warn: () => undefined } });
    const server = await serveOverHttp({ host, tools: 'all' }, { port: 0 });
    const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
    const client = await TestClient.over(
      new StreamableHTTPClientTransport(new URL(server.url), { requestInit }),
      'auto',
    );
    const close = async () => {
      await client.close();
      await server.close();
    };
    return { dir, person, call: (name, input) => client.call(name, input), close };
  },
};

/** Files that are there; that no tool makes one is a rule of each door. */
const kept = ['expect/tea.yaml', 'memory.yaml', '.gitattributes', '.gitignore', '.meta.json'];

describe.each(Object.keys(doors))('an agent behind %s', (name) => {
  it('writes, edits, moves and removes no file that people decide or that proves something', async () => {
    const { dir, person, call, close } = await doors[name]!();
    const before = await person.files();
    for (const path of kept) {
      const calls: [string, Record<string, unknown>][] = [
        ['memory_write', { path, text: 'x: 1\n' }],
        ['memory_move', { from: 'knowledge/tea.md', to: path }],
        ['memory_edit', { path, old: '-', new: '+' }],
        ['memory_remove', { path }],
        ['memory_move', { from: path, to: 'knowledge/taken.md' }],
      ];
      for (const [tool, input] of calls) {
        expect([tool, path, await call(tool, input)]).toEqual([
          tool,
          path,
          expect.objectContaining({
            isError: true,
            text: expect.stringMatching(/^(?:INVALID_PATH|AMBIGUOUS|NOT_FOUND|ALREADY_EXISTS)/),
          }),
        ]);
      }
    }
    expect((await call('memory_remove', { path: 'expect', recursive: true })).isError).toBe(true);
    expect(await call('memory_write', { path: 'topics/tea.md', text: '# Tea\n' })).toMatchObject({ isError: false });
    await close();
    expect((await person.files()).filter((path) => path !== 'topics/tea.md')).toEqual(before);
    await person.close();
    if (hasGit) fsck(dir);
  });

  it('takes no change of an expectation back, nor the whole of which it is a part', async () => {
    const { person, call, close } = await doors[name]!();
    for (const input of [{ revision: 'HEAD' }, { revision: 'HEAD', dryRun: true }, { revision: 'HEAD~1' }]) {
      const answer = await call('memory_undo', input);
      expect([input, answer]).toEqual([input, expect.objectContaining({ isError: true })]);
      expect(answer.text).toContain('expect/tea.yaml');
    }
    expect(await person.read('expect/tea.yaml')).toBe(expectation('black'));
    expect(await call('memory_undo', { revision: 'HEAD~1', paths: ['knowledge'] })).toMatchObject({ isError: false });
    expect((await person.undo('HEAD~1')).undone).toHaveLength(1);
    await close();
    await person.close();
  });

  it('commits no expectation that lies in the work tree, which a person does', async () => {
    const { dir, person, call, close } = await doors[name]!();
    mkdirSync(join(dir, 'expect'), { recursive: true });
    writeFileSync(join(dir, 'expect/tea.yaml'), expectation('nothing'));
    writeFileSync(join(dir, 'knowledge/tea.md'), '# Tea\n\nBlack.\n');
    const answer = await call('memory_commit', {});
    expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('expect/tea.yaml') });
    expect(await (await person.at('HEAD')).read('expect/tea.yaml')).toBe(expectation('black'));
    expect(await (await person.at('HEAD')).read('knowledge/tea.md')).toContain('Black');
    expect(readFileSync(join(dir, 'expect/tea.yaml'), 'utf8')).toBe(expectation('nothing'));
    await close();
    await person.commit();
    expect(await (await person.at('HEAD')).read('expect/tea.yaml')).toBe(expectation('nothing'));
    await person.close();
  });

  it('brings in no branch that changes an expectation', async () => {
    const { person, call, close } = await doors[name]!();
    const other = await person.branches.open('other', { create: true });
    await other.write('expect/tea.yaml', expectation('white'));
    await other.write('knowledge/cups.md', '# Cups\n');
    await other.commit();
    await other.close();
    const answer = await call('memory_merge', { theirs: 'other' });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('expect/tea.yaml') });
    expect(await person.read('expect/tea.yaml')).toBe(expectation('black'));
    await person.merge('other', { accept: ['expectations'] });
    expect(await person.read('expect/tea.yaml')).toBe(expectation('white'));
    await close();
    await person.close();
  });
});

it('the memory tool writes no expectation, wherever it is shown', async () => {
  const { person } = await begun();
  for (const folder of ['expect', 'raw', '.memory']) {
    const tool = memoryTool(person, { folder });
    const calls = [
      () => tool.create({ path: '/memories/new.yaml', file_text: 'x' }),
      ...(folder === 'expect'
        ? [
            () => tool.str_replace({ path: '/memories/tea.yaml', old_str: 'black', new_str: 'white' }),
            () => tool.delete({ path: '/memories/tea.yaml' }),
            () => tool.rename({ old_path: '/memories/tea.yaml', new_path: '/memories/other.yaml' }),
          ]
        : []),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'INVALID_PATH' });
  }
  expect(await person.read('expect/tea.yaml')).toBe(expectation('black'));
  expect(agentHint('expect/tea.yaml', 'operation')).toContain('people');
  await person.close();
});
