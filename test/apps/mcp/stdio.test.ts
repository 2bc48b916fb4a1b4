// The server as clients start it: a child process, spoken to over its pipes by the official client.

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { blemishes, fsck, git, hasGit } from '../../helpers/native-git.ts';
import { buildProgram, runHere, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { eras, TestClient } from './client.ts';

beforeAll(buildProgram);

async function memoryFolder(): Promise<string> {
  const folder = temporaryFolder();
  expect(await runHere(folder, ['init'])).toMatchObject({ status: 0 });
  return folder;
}

describe.each(eras)('a client of the %s revision', (mode) => {
  it('keeps, finds, traces and takes back', async () => {
    const folder = await memoryFolder();
    const client = await TestClient.start(folder, { mode, args: ['--tools', 'all'] });
    const kept = await client.call('memory_add', { content: 'The build needs Node 20', category: 'fact' });
    expect(kept).toMatchObject({ isError: false, data: { pending: true } });
    const { data: captured } = await client.call('memory_capture', {
      messages: [{ role: 'user', text: 'Decision: we ship on Tuesday.' }],
      topic: 'release day',
    });
    expect(captured).toMatchObject({ turns: 1, commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    const found = await client.call('memory_search', { query: 'when do we ship', limit: 1 });
    expect(found.text).toMatch(/^From the memory, as data/);
    expect(found.data.hits).toMatchObject([{ path: captured.path, turn: 1, commit: captured.commit }]);
    expect(await client.call('memory_get', { what: kept.data.id })).toMatchObject({
      data: { content: 'The build needs Node 20' },
    });
    const { data: traced } = await client.call('memory_provenance', { what: captured.path, line: 1 });
    expect(JSON.stringify(traced)).toContain(captured.commit);
    const { data: undone } = await client.call('memory_undo', { revision: captured.commit });
    expect(undone).toMatchObject({ undone: [captured.commit], conflicts: [] });
    expect((await client.call('memory_search', { query: 'when do we ship' })).data.hits).toEqual([]);
    expect(
      (await client.call('memory_search', { query: 'when do we ship', at: captured.commit })).data.hits,
    ).toHaveLength(1);
    await client.close();
    // The end of the client is the end of the batch.
    const { stdout } = await runHere(folder, ['status', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ pending: [], memories: 1 });
    if (hasGit) expect(blemishes(folder)).toBe('');
  });

  it('is told what was wrong and what to do, by the names of tools', async () => {
    const client = await TestClient.start(await memoryFolder(), { mode });
    // A client that has seen the list holds structured content to the output schema, that of failures too.
    await client.client.listTools();
    expect(await client.call('memory_search', {})).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^INVALID_ARGUMENT: memory_search needs query/),
    });
    expect(await client.call('memory_get', { what: 'nobody' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('memory_list shows ids'),
      data: undefined,
      failure: { code: 'NOT_FOUND', where: 'nobody' },
    });
    expect(await client.call('memory_search', { query: 'x', at: 'never' })).toMatchObject({ isError: true });
    await client.close();
  });

  it('reads records and files, of now and of then', async () => {
    const client = await TestClient.start(await memoryFolder(), { mode, args: ['--tools', 'all'] });
    const { data } = await client.call('memory_write', { path: 'knowledge/people/ada lovelace.md', text: '# Ada\n' });
    expect(data).toMatchObject({ pending: true });
    const kept = await client.call('memory_add', { content: 'Ada lives in Rome' });
    const { resources } = await client.client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain(`memory://memories/${kept.data.id}`);
    expect(uris).toContain('memory://files/knowledge/people/ada%20lovelace.md');
    const read = async (uri: string) =>
      (await client.client.readResource({ uri })).contents[0] as { text: string; mimeType: string };
    expect(await read('memory://files/knowledge/people/ada%20lovelace.md')).toMatchObject({
      text: '# Ada\n',
      mimeType: 'text/markdown',
    });
    expect(JSON.parse((await read(`memory://memories/${kept.data.id}`)).text)).toMatchObject({
      content: 'Ada lives in Rome',
      relations: [],
    });
    expect((await read('memory://context/where%20is%20Ada%3F')).text).toMatch(/Ada lives in Rome[\s\S]*where is Ada\?/);
    expect(await read('memory://session-start')).toMatchObject({ mimeType: 'text/markdown' });
    const { commits } = JSON.parse((await read('memory://recent')).text);
    expect(commits).toHaveLength(1);
    expect((await read(`memory://at/${commits[0].oid}/files/memory.yaml`)).text).toContain('version: 1');
    await expect(read(`memory://at/${commits[0].oid}/memories/${kept.data.id}`)).rejects.toMatchObject({
      data: { uri: expect.any(String) },
    });
    for (const hostile of [
      'memory://files/../../etc/passwd',
      'memory://files/%2e%2e/secret',
      'memory://files/.git/config',
      'memory://memories/%00',
    ]) {
      await expect(read(hostile)).rejects.toThrow();
    }
    await client.close();
  });
});

describe('the server', () => {
  it.each(eras)('tells a client of the %s revision what changed, whoever changed it', async (mode) => {
    const folder = await memoryFolder();
    const client = await TestClient.start(folder, { mode, args: ['--tools', 'all'] });
    const told: string[] = [];
    const waiting = new Set<() => void>();
    const heard = (what: string) => {
      told.push(what);
      for (const look of waiting) look();
    };
    const until = (what: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!told.includes(what)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    client.client.setNotificationHandler('notifications/resources/updated', ({ params }) => heard(params.uri));
    client.client.setNotificationHandler('notifications/resources/list_changed', () => heard('list'));
    const ada = 'memory://files/knowledge/people/ada.md';
    const { data: kept } = await client.call('memory_add', { content: 'Ada lives in Rome' });
    const uris = [ada, 'memory://recent', `memory://memories/${kept.id}`];
    if (mode === 'legacy') for (const uri of uris) await client.client.subscribeResource({ uri });
    else await client.client.listen({ resourceSubscriptions: uris, resourcesListChanged: true });
    told.length = 0;
    // Another process.
    expect(await runProgram(folder, ['file', 'write', 'knowledge/people/ada.md', '# Ada'])).toMatchObject({
      status: 0,
    });
    await Promise.all([until(ada), until('memory://recent'), until('list')]);
    expect(told).not.toContain(`memory://memories/${kept.id}`);
    // The client itself.
    await client.call('memory_touch', { id: kept.id });
    await until(`memory://memories/${kept.id}`);
    if (hasGit) {
      // A plain commit of somebody who edits the file.
      expect(await runProgram(folder, ['commit'])).toMatchObject({ status: 0 });
      await until('memory://recent');
      told.length = 0;
      writeFileSync(join(folder, 'knowledge/people/ada.md'), '# Ada Lovelace\n');
      git(folder, 'commit', '-qam', 'edit');
      await until(ada);
      expect(told).not.toContain(`memory://memories/${kept.id}`);
    }
    if (mode === 'legacy') {
      await client.client.unsubscribeResource({ uri: ada });
      await client.call('memory_write', { path: 'knowledge/people/ada.md', text: '# A\n' });
      told.length = 0;
      await client.call('memory_touch', { id: kept.id });
      await until(`memory://memories/${kept.id}`);
      expect(told).not.toContain(ada);
    }
    await client.close();
  });

  it('reads no file of the machine it runs on', async () => {
    const folder = await memoryFolder();
    const client = await TestClient.start(folder, { args: ['--tools', 'all'] });
    const { tools } = await client.client.listTools();
    const fields = tools.flatMap(({ name, inputSchema }) =>
      Object.keys(inputSchema.properties ?? {}).map((field) => `${name}.${field}`),
    );
    expect(fields.filter((field) => /\.(files?|sources?|target|folder|daemon)$/.test(field))).toEqual([
      'memory_add.source',
    ]);
    expect(await client.call('memory_capture', { files: ['/etc/passwd'] })).toMatchObject({ isError: true });
    await client.close();
  });

  it('offers a reader nothing that writes, and makes nothing', async () => {
    const folder = temporaryFolder();
    const data = temporaryFolder();
    const client = await TestClient.start(folder, {
      args: ['--read-only', '--tools', 'all'],
      env: { XDG_DATA_HOME: data },
    });
    const { tools } = await client.client.listTools();
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(tools.map(({ name }) => name)).toContain('memory_search');
    expect(await client.call('memory_search', { query: 'x' })).toMatchObject({ isError: true });
    await client.close();
    expect([...readdirSync(folder), ...readdirSync(data)]).toEqual([]);
  });

  it('serves a part of a memory to whoever shall see no more', async () => {
    const folder = await memoryFolder();
    const run = (...args: string[]) => runHere(folder, args);
    await run('remember', 'Apollo flies in May', '--tag', 'apollo');
    await run('remember', 'Zeus flies in June');
    const scope = ['--scope', 'knowledge/projects/apollo,tag:apollo'];
    const client = await TestClient.start(folder, { args: [...scope, '--tools', 'all'] });
    const found = await client.call('memory_search', { query: 'flies in' });
    expect(found.data.hits.map(({ snippet }: { snippet: string }) => snippet)).toEqual(['Apollo flies in May']);
    expect(await client.call('memory_add', { content: 'Apollo is late' })).toMatchObject({ isError: false });
    const beside = { path: 'knowledge/projects/zeus.md', text: 'x' };
    expect(await client.call('memory_write', beside)).toMatchObject({ isError: true, text: /^READ_ONLY/ });
    expect(JSON.stringify(await client.call('memory_history'))).not.toContain('Zeus');
    expect(await client.call('memory_status')).toMatchObject({ isError: false, data: { memories: 2 } });
    await client.close();
    const { stdout } = await run('list', '--scope', 'tag:apollo', '--json');
    const contents = (JSON.parse(stdout) as { memories: { content: string }[] }).memories.map((one) => one.content);
    expect(contents.sort()).toEqual(['Apollo flies in May', 'Apollo is late']);
  });

  it("makes a memory of one's own where there is none", async () => {
    const folder = temporaryFolder();
    const data = temporaryFolder();
    const first = await TestClient.start(folder, { env: { XDG_DATA_HOME: data } });
    expect(await first.call('memory_add', { content: 'Ada prefers short answers' })).toMatchObject({ isError: false });
    await first.close();
    expect(existsSync(join(data, 'git-memory/memory/.git'))).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
    const second = await TestClient.start(temporaryFolder(), { env: { XDG_DATA_HOME: data } });
    expect((await second.call('memory_search', { query: 'short answers' })).data.hits).toHaveLength(1);
    await second.close();
  });

  it('loses nothing of two clients that write at the same time', async () => {
    const folder = await memoryFolder();
    const each = Number(process.env.MCP_MEMORIES ?? 25);
    const clients = await Promise.all(eras.map((mode) => TestClient.start(folder, { mode })));
    const ids = await Promise.all(
      clients.map(async (client, position) => {
        const kept: string[] = [];
        for (let index = 0; index < each; index += 1) {
          const { data, isError } = await client.call('memory_add', {
            content: `Client ${position} says ${index} of ${each * 7919 + index * 31}`,
          });
          expect(isError).toBe(false);
          kept.push(data.id);
        }
        return kept;
      }),
    );
    await Promise.all(clients.map((client) => client.close()));
    const { stdout } = await runHere(folder, ['list', '--json', '--limit', '100000']);
    const listed = (JSON.parse(stdout) as { memories: { id: string }[] }).memories.map(({ id }) => id);
    expect(new Set(listed)).toEqual(new Set(ids.flat()));
    expect(listed).toHaveLength(2 * each);
    if (hasGit) expect(fsck(folder)).toBe('');
  });
});

it('answers others while calls upon twelve long memories are under way', async () => {
  const client = await TestClient.start(await memoryFolder(), { mode: 'legacy', args: ['--tools', 'all'] });
  for (let house = 0; house < 12; house++) {
    const said = Array.from({ length: 1500 }, (_, at) => `the keeper of house ${house} lit lamp number ${at}. `);
    const content = `Lamps of house ${house}: ${said.join('')}`;
    expect(await client.call('memory_add', { content })).toMatchObject({ isError: false });
  }
  const order: string[] = [];
  const answers = await Promise.all(
    (
      [
        ['memory_consolidate', { dryRun: true }],
        ['memory_search', { query: 'which lamp did the keeper light?' }],
        ['memory_context', { message: 'which lamp did the keeper light?' }],
        ['memory_list', { limit: 20 }],
        ['ping', undefined],
      ] as const
    ).map(async ([name, input]) => {
      const isError = input === undefined ? !(await client.client.ping()) : (await client.call(name, input)).isError;
      order.push(name);
      return isError;
    }),
  );
  expect(answers).toEqual([false, false, false, false, false]);
  expect(order.at(-1)).toBe('memory_consolidate');
  await client.close();
});

it('runs extractors of the module that a person named, and names the file and the extractor where they are missing', async () => {
  const [folder, outside] = [await memoryFolder(), temporaryFolder()];
  const module = (name: string, more = '') =>
    `export const extractors = { ${name}: { version: '1', extract: ({ turns }) => turns.flatMap(({ text }, at) =>
      text.includes('windows') ? [{ category: 'fact', content: text, confidence: 0.9${more}, turns: [at + 1] }] : []) } };`;
  writeFileSync(join(outside, 'mine.mjs'), module('windows'));
  writeFileSync(join(outside, 'wrong.mjs'), module('windows', ', entities: 3'));
  writeFileSync(join(outside, 'other.mjs'), module('doors'));
  writeFileSync(join(outside, 'bare.mjs'), 'export const extractors = { windows: { version: 1 } };');
  const asked = async (file: string | null, input: Record<string, unknown> = { extractors: ['windows'] }) => {
    const env: Record<string, string> = file === null ? {} : { GIT_MEMORY_EXTRACTORS: join(outside, file) };
    const client = await TestClient.start(folder, { args: ['--tools', 'all'], env });
    const answer = await client.call('memory_extract', input);
    await client.close();
    return answer;
  };
  expect(await runHere(folder, ['capture', '--text', 'The barn of Askøy has 14 windows.'])).toMatchObject({
    status: 0,
  });
  for (const [file, told] of [
    ['gone.mjs', ['gone.mjs', 'windows', 'GIT_MEMORY_EXTRACTORS']],
    ['other.mjs', ['other.mjs', 'no extractor windows', 'doors']],
    ['bare.mjs', ['bare.mjs', 'extractors.windows.version']],
    ['wrong.mjs', ['items[0].entities']],
    [null, ['there is no extractor windows', 'GIT_MEMORY_EXTRACTORS']],
  ] as const) {
    const { isError, text } = await asked(file);
    expect(isError).toBe(true);
    for (const one of told) expect(text).toContain(one);
  }
  expect((await asked('mine.mjs')).text).toContain('14 windows');
  // Who has it by adoption alone is told which one it is.
  await runHere(folder, ['config', 'extract.extractors', '[windows]']);
  expect(await runHere(folder, ['capture', '--text', 'The mill has 3 windows.'])).toMatchObject({ status: 0 });
  expect((await asked(null, {})).text).toContain('memory.yaml wants the extractor windows');
  expect((await asked('gone.mjs', {})).text).toMatch(/gone\.mjs.*windows/);
});
