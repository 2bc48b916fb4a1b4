// Large pushes over a real server whose line breaks, that takes little at once, or where somebody else is faster half way.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { machineNetwork } from '../../../src/adapters/network.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const served = gitServerForTests();
const { root } = served;
const mebi = 1 << 20;
const network = { ...machineNetwork(), credentialFor: async () => serverCredential };

/** What stands between us and the server: what went through, and what it does to pushes. */
const line = {
  origin: '',
  bytes: 0,
  pushes: 0,
  /** Breaks when so many bytes of pushes went through. */
  breaksAt: Number.POSITIVE_INFINITY,
  maxBody: Number.POSITIVE_INFINITY,
  before: async (_push: number): Promise<void> => undefined,
};
const reset = { breaksAt: line.breaksAt, maxBody: line.maxBody, before: line.before };
const begin = () => Object.assign(line, reset, { bytes: 0, pushes: 0 });

const between = http.createServer(async (request, response) => {
  const { method, url, headers } = request;
  const isPush = method === 'POST' && url!.endsWith('/git-receive-pack');
  if (isPush) {
    line.pushes += 1;
    await line.before(line.pushes);
    if (Number(headers['content-length']) > line.maxBody) {
      request.resume();
      request.on('end', () => response.writeHead(413).end());
      return;
    }
  }
  const further = http.request(
    { port: served.server.port, host: '127.0.0.1', method, path: url, headers },
    (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    },
  );
  further.on('error', () => response.destroy());
  request.on('data', (bytes: Buffer) => {
    if (isPush) line.bytes += bytes.length;
    if (line.bytes > line.breaksAt) {
      further.destroy();
      request.destroy();
    } else further.write(bytes);
  });
  request.on('end', () => further.end());
});
beforeAll(async () => {
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  line.origin = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
});
afterAll(() => {
  between.closeAllConnections();
  between.close();
});

const open: Memory[] = [];
afterEach(async () => {
  begin();
  for (const memory of open.splice(0)) await memory.close();
});

async function machine(): Promise<Memory> {
  const memory = await openMemory({
    dir: temporaryFolder(),
    create: true,
    placement: 'bare',
    durability: 'fast',
    network,
  });
  open.push(memory);
  return memory;
}

/** Lets native git commit so many artifacts of half a MiB, which no pack makes smaller. */
function commitMuch(memory: Memory, name: string, count: number): void {
  const parts: (string | Buffer)[] = [];
  for (let number = 0; number < count; number += 1) {
    const bytes = randomBytes(mebi / 2);
    const from = number === 0 ? 'from refs/heads/main^0\n' : '';
    parts.push(
      `commit refs/heads/main\ncommitter Ada <ada@example.org> ${Math.floor(Date.now() / 1000)} +0000\ndata 1\nx\n`,
    );
    parts.push(`${from}M 100644 inline raw/artifacts/${name}-${number}.bin\ndata ${bytes.length}\n`, bytes, '\n');
  }
  const input = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const { status, stderr } = spawnSync('git', ['-C', memory.directory, 'fast-import', '--quiet'], { input });
  if (status !== 0) throw new Error(stderr.toString());
}

let made = 0;
function remote(): { bare: string; address: string; direct: string } {
  made += 1;
  const bare = bareRepository(path.join(root, `slices${made}.git`));
  // Every push stays a pack, so that their sizes tell what came.
  git(bare, 'config', 'receive.unpackLimit', '1');
  return { bare, address: `${line.origin}/slices${made}.git`, direct: `${served.server.origin}/slices${made}.git` };
}
const refsOf = (bare: string) => git(bare, 'for-each-ref', '--format=%(refname)').trim().split('\n');
const countOf = (folder: string, what: string) => Number(git(folder, 'rev-list', '--count', what));

describe.skipIf(!hasGit)('a large push', () => {
  test('that breaks off goes on where it was, at the cost of one slice', async () => {
    const { bare, address } = remote();
    const memory = await machine();
    await memory.sync({ remote: address });
    commitMuch(memory, 'a', 18);
    const shown: number[] = [];
    line.breaksAt = 6 * mebi;
    const broken = await memory.sync({ onProgress: ({ what, total }) => void (what === 'push' && shown.push(total)) });
    expect(broken).toMatchObject({ state: 'offline' });
    expect(new Set(shown)).toEqual(new Set([18]));
    expect(broken.pushed).toBeGreaterThan(5);
    expect(countOf(memory.directory, 'HEAD') - countOf(bare, 'main')).toBe(18 - broken.pushed);
    expect(fsck(bare)).toBe('');
    const lost = line.bytes;
    begin();
    expect(await memory.sync()).toMatchObject({ state: 'synced', pushed: 18 - broken.pushed });
    expect(git(bare, 'rev-parse', 'main').trim()).toBe(memory.tip);
    expect(refsOf(bare)).toEqual(['refs/heads/main']);
    const packs = Number(/size-pack: (\d+)/.exec(git(bare, 'count-objects', '-v'))![1]) * 1024;
    expect(packs).toBeGreaterThan(8 * mebi);
    expect(lost + line.bytes - packs).toBeLessThan(4 * mebi);
  }, 180_000);

  test('over a server that takes little at once arrives, and a commit that is larger is named', async () => {
    const { bare, address } = remote();
    const memory = await machine();
    line.maxBody = mebi;
    commitMuch(memory, 'a', 6);
    expect(await memory.sync({ remote: address })).toMatchObject({ state: 'synced' });
    git(bare, 'config', 'receive.maxInputSize', '700000');
    commitMuch(memory, 'b', 4);
    expect(await memory.sync()).toMatchObject({ state: 'synced', pushed: 4 });
    expect(git(bare, 'rev-parse', 'main').trim()).toBe(memory.tip);
    line.maxBody = 100_000;
    await memory.capture('Small.');
    commitMuch(memory, 'c', 1);
    await expect(memory.sync()).rejects.toMatchObject({
      code: 'TOO_LARGE',
      hint: expect.stringContaining('client_max_body_size'),
    });
    expect(countOf(memory.directory, 'HEAD') - countOf(bare, 'main')).toBe(1);
  }, 180_000);

  test('of a branch that both moved keeps what arrived out of sight until the merge does', async () => {
    const { bare, address, direct } = remote();
    const [a, b] = [await machine(), await machine()];
    await a.sync({ remote: address });
    await b.sync({ remote: direct });
    commitMuch(a, 'a', 16);
    await b.write('knowledge/reference/b.md', '# B\n');
    await b.sync();
    line.breaksAt = 6 * mebi;
    const broken = await a.sync();
    expect(broken).toMatchObject({ state: 'offline' });
    expect(git(bare, 'rev-parse', 'main').trim()).toBe(b.tip);
    expect(refsOf(bare)).toEqual([
      expect.stringMatching(/^refs\/git-memory\/partial\/[0-9a-f]{12}$/),
      'refs/heads/main',
    ]);
    begin();
    expect(await a.sync()).toMatchObject({ state: 'synced', pushed: 17 - broken.pushed });
    expect(line.bytes).toBeLessThan(((18 - broken.pushed) * mebi) / 2);
    expect(refsOf(bare)).toEqual(['refs/heads/main']);
    await b.sync();
    expect(b.tip).toBe(a.tip);
    expect(fsck(bare)).toBe('');
  }, 180_000);

  test('that loses the race half way, or is cancelled, ends whole', async () => {
    const { bare, address, direct } = remote();
    const [a, b] = [await machine(), await machine()];
    await a.sync({ remote: address });
    await b.sync({ remote: direct });
    commitMuch(a, 'a', 16);
    begin();
    const stop = new AbortController();
    const onProgress = ({ what, done }: { what: string; done: number }) => {
      if (what === 'push' && done > 0) stop.abort(new Error('enough'));
    };
    await expect(a.sync({ signal: stop.signal, onProgress })).rejects.toThrow('enough');
    expect(line.pushes).toBe(1);
    begin();
    line.before = async (push) => {
      if (push !== 2) return;
      await b.write('knowledge/reference/b.md', '# B\n');
      await b.sync();
    };
    const { state, merges } = await a.sync();
    expect([state, merges.length]).toEqual(['synced', 1]);
    expect(countOf(bare, 'main')).toBe(countOf(a.directory, 'HEAD'));
    expect(refsOf(bare)).toEqual(['refs/heads/main']);
    await b.sync();
    expect([b.tip, fsck(bare)]).toEqual([a.tip, '']);
  }, 180_000);
});
