// A memory without a disk: it lies in memory, comes from a remote, and answers when the remote has what was written.
//
//   DISKLESS_CUTS=n    at so many places the lines of writes are cut; default 6
//   DISKLESS_KILLS=n   so many processes are killed while they write; default 3

import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import plainClient from 'isomorphic-git/http/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ephemeralFileSystem } from '../../../src/adapters/ephemeral.ts';
import { machineNetwork } from '../../../src/adapters/network.ts';
import { MemoryError } from '../../../src/base/errors.ts';
import { type Memory, type OpenOptions, openMemory } from '../../../src/memory/open-memory.ts';
import { type CutLine, openLine } from '../../helpers/cut-line.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { buildProgram, projectRoot } from '../../helpers/program.ts';
import { random } from '../../helpers/random.ts';

const cuts = Number(process.env.DISKLESS_CUTS ?? 6);
const kills = Number(process.env.DISKLESS_KILLS ?? 3);
const served = gitServerForTests();
const network = { ...machineNetwork(), credentialFor: async () => serverCredential };
const opened: Memory[] = [];
let line: CutLine;
beforeAll(buildProgram);
beforeAll(async () => {
  if (hasGit) line = await openLine(served.server.port);
});
afterAll(() => line?.close());
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close().catch(() => memory.dispose());
});

async function open(options: Omit<Partial<OpenOptions>, 'scope'> & { remote: string }): Promise<Memory> {
  const memory = await openMemory({ network, ...options });
  opened.push(memory);
  return memory;
}

function remote(): { bare: string; address: string; byLine: string } {
  const name = `${crypto.randomUUID()}.git`;
  const bare = bareRepository(path.join(served.root, name));
  return { bare, address: `${served.server.origin}/${name}`, byLine: `http://127.0.0.1:${line.port}/${name}` };
}
const tipOf = (bare: string) => git(bare, 'rev-parse', 'main').trim();

describe.skipIf(!hasGit)('a memory without a disk', () => {
  test('begins in an empty remote when it may, and every write that was answered is there', async () => {
    const { bare, address } = remote();
    await expect(open({ remote: address })).rejects.toMatchObject({ code: 'NOT_A_MEMORY', where: 'remote' });
    const memory = await open({ remote: address, create: true, http: plainClient });
    expect(tipOf(bare)).toBe(memory.tip);
    const answers: Record<string, () => Promise<object>> = {
      remember: () => memory.remember('Ana likes green tea'),
      write: () => memory.write('knowledge/reference/tea.md', '# Tea\n\n- Green tea is brewed at 80 degrees.\n'),
      edit: () => memory.edit('knowledge/reference/tea.md', '80', '75'),
      capture: () => memory.capture('user: We decided that the budget is 40,000 euros.\nassistant: Noted.'),
      extract: () => memory.extract(),
      event: () => memory.ledger.add({ type: 'decision', content: 'The budget is 40,000 euros' }),
      note: () => memory.note('It rains.'),
      configure: () => memory.configure({ 'decay.half_life_days': 7 }),
      snapshot: () => memory.snapshots.create('first'),
    };
    for (const [name, write] of Object.entries(answers)) {
      const answer = await write().catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`);
      });
      expect([name, tipOf(bare)]).toEqual([name, memory.tip]);
      expect([name, 'pending' in answer && answer.pending]).toEqual([name, false]);
      expect([name, (await memory.status()).pending]).toEqual([name, []]);
    }
    expect(git(bare, 'tag').trim()).toContain('first');
    const session = await memory.startSession();
    await session.message('user', 'Where do we meet?');
    expect(git(bare, 'show', `main:${session.path}`)).toContain('Where do we meet?');
    await session.message('agent', 'In Rome.');
    await session.end();
    const { hits } = await memory.recall('what does Ana like');
    expect(hits[0]?.snippet).toContain('tea');
    const undone = await memory.undo((await memory.log()).commits[0]!.oid);
    expect(undone.commit).toBe(tipOf(bare));
    const again = await open({ remote: address });
    expect(again.tip).toBe(memory.tip);
    expect(await again.files()).toEqual(await memory.files());
    expect(fsck(bare)).toBe('');
  });

  test('of which two are open come in step by writing, and calls at one time share their pushes', async () => {
    const { bare, address } = remote();
    const [a, b] = [await open({ remote: address, create: true }), await open({ remote: address })];
    const { welcome } = served.server.counts;
    const facts = Array.from({ length: 12 }, (_, number) => `Room ${number} has ${number * 3} chairs`);
    const answers = await Promise.all(facts.map((fact, number) => (number % 2 === 0 ? a : b).remember(fact)));
    expect(answers.every(({ pending }) => !pending)).toBe(true);
    expect(served.server.counts.welcome - welcome).toBeLessThan(facts.length * 3);
    const files = git(bare, 'ls-tree', '-r', '--name-only', 'main');
    for (const { path: where } of answers) expect(files).toContain(where);
    const branch = await b.branches.open('explore/other', { create: true });
    opened.push(branch);
    const { path: other } = await branch.remember('Only here');
    expect(git(bare, 'ls-tree', '-r', '--name-only', 'explore/other')).toContain(other);
  });

  test('with `sync` answers at once, and lasts with the next sync; what is there already is opened as it is', async () => {
    const { bare, address } = remote();
    const fs = ephemeralFileSystem();
    const memory = await open({ remote: address, create: true, acknowledge: 'sync', fs });
    const before = tipOf(bare);
    expect(await memory.remember('Ana likes green tea')).toMatchObject({ pending: true });
    expect(tipOf(bare)).toBe(before);
    const same = await open({ remote: address, fs });
    expect((await same.recall('tea')).hits).toHaveLength(1);
    expect(await memory.sync()).toMatchObject({ state: 'synced', pushed: 1 });
    expect(tipOf(bare)).toBe(memory.tip);
    await expect(open({ remote: address, acknowledge: 'soon' as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      where: 'acknowledge',
    });
    await expect(openMemory({ dir: '/', fs, acknowledge: 'push' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(openMemory({} as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', where: 'dir' });
    await expect(open({ remote: 'http://127.0.0.1:1/x.git' })).rejects.toMatchObject({ code: 'REMOTE_UNAVAILABLE' });
  });

  test('whose line is cut before the push says so, and nothing that it acknowledged is missing', async () => {
    const { address, byLine } = remote();
    line.cut(Number.POSITIVE_INFINITY, 'reset');
    const memory = await open({ remote: byLine, create: true });
    const next = random(11);
    const [acknowledged, failed]: [string[], string[]] = [[], []];
    const remember = (text: string) =>
      memory.remember(text).then(
        ({ id, pending }) => {
          expect(pending).toBe(false);
          acknowledged.push(id!);
        },
        (error: unknown) => {
          expect(error).toBeInstanceOf(MemoryError);
          expect(String(error)).toMatch(/does not have what was written/);
          expect((error as MemoryError).hint).toContain('the next push may deliver it');
          failed.push(text);
        },
      );
    line.cut(Number.POSITIVE_INFINITY, 'reset');
    await remember('The first fact');
    const whole = line.passed;
    for (let turn = 0; turn < cuts; turn += 1) {
      line.cut(next(whole), (['reset', 'end', 'garbage'] as const)[turn % 3]!);
      await Promise.all([remember(`Fact ${turn} is cut`), remember(`Another fact ${turn} is cut as well`)]);
      line.cut(Number.POSITIVE_INFINITY, 'reset');
      if (turn % 2 === 0) await remember(`Fact ${turn} is whole`);
      const there = await open({ remote: address });
      for (const id of acknowledged) expect((await there.get(id)).id).toBe(id);
    }
    expect(failed.length).toBeGreaterThan(0);
    await remember('The last fact');
    const there = await open({ remote: address });
    // What failed came with a later push.
    const known = new Set((await there.list()).memories.map(({ content }) => content));
    for (const text of failed) expect(known).toContain(text);
  });

  test('that is killed while it writes has lost nothing that it acknowledged', async () => {
    const { bare, address } = remote();
    await open({ remote: address, create: true });
    const library = pathToFileURL(path.join(projectRoot, 'dist/library/index.js')).href;
    const program = `
      import { openMemory } from ${JSON.stringify(library)};
      const memory = await openMemory({ remote: ${JSON.stringify(address)} });
      for (let number = 0; ; number += 1) {
        const { id } = await memory.remember(process.pid + ' says ' + number);
        process.stdout.write(id + '\\n');
      }`;
    const { username, password } = serverCredential;
    const credentials = address.replace('//', `//${encodeURIComponent(username)}:${encodeURIComponent(password)}@`);
    const next = random(5);
    const acknowledged: string[] = [];
    for (let turn = 0; turn < kills; turn += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, no_proxy: '127.0.0.1', GIT_MEMORY_CREDENTIALS: credentials },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.split('\n').length > 2) setTimeout(() => child.kill('SIGKILL'), next(150));
      });
      await once(child, 'close');
      acknowledged.push(...said.split('\n').slice(0, -1));
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(2 * kills);
    const there = await open({ remote: address });
    for (const id of acknowledged) expect((await there.get(id)).id).toBe(id);
    expect(fsck(bare)).toBe('');
  });
});
