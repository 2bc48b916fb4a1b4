// The ways to a remote, with the real programs: ssh, credential helpers, redirects, proxies, slow servers, and what the configuration says.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { machineNetwork } from '../../../src/adapters/network.ts';
import type { Network } from '../../../src/base/ports.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const served = gitServerForTests();
const { root } = served;

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const saved = { ...process.env };
const closing: (() => unknown)[] = [];
afterEach(async () => {
  process.env = { ...saved };
  for (const close of closing.splice(0)) await close();
});

const known: Network = { ...machineNetwork(), credentialFor: async () => serverCredential };
async function open(network = known, dir = temporaryFolder()): Promise<Memory> {
  const memory = await openMemory({
    dir,
    create: true,
    durability: 'fast',
    network,
    configuration: { name: 'memory' },
  });
  closing.push(() => memory.close());
  return memory;
}
let made = 0;
function bare(): { folder: string; address: string } {
  made += 1;
  return { folder: bareRepository(path.join(root, `t${made}.git`)), address: `${served.server.origin}/t${made}.git` };
}
const tipOf = (folder: string) => git(folder, 'rev-parse', 'main').trim();
const script = (text: string) => {
  const file = path.join(temporaryFolder(), 'script');
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
};
const linesOf = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : []);

async function serve(answer: http.RequestListener): Promise<string> {
  const made = http.createServer(answer);
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    made.closeAllConnections();
    made.close();
  });
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

test.skipIf(!hasGit)('ssh runs the program of the user, and hands a path with quotes on as it is', async () => {
  const folder = bareRepository(path.join(temporaryFolder(), "it's here!.git"));
  const log = path.join(temporaryFolder(), 'log');
  const program = script(`for last; do :; done\necho "$*" >> ${log}\nexec sh -c "$last"`);
  process.env.GIT_SSH_COMMAND = `${program} -v`;
  const memory = await open();
  await memory.capture('A note.');
  const address = `ssh://ada@example.org:2222${folder.replaceAll(' ', '%20')}`;
  expect(await memory.sync({ remote: address })).toMatchObject({ state: 'synced' });
  expect(tipOf(folder)).toBe(memory.tip);
  const place = folder.replaceAll("'", "'\\''").replaceAll('!', "'\\!'");
  expect(linesOf(log)).toEqual([
    `-v -p 2222 -- ada@example.org git-upload-pack '${place}'`,
    `-v -p 2222 -- ada@example.org git-receive-pack '${place}'`,
  ]);
  process.env.GIT_SSH_COMMAND = script('echo "Permission denied (publickey)." >&2; exit 255');
  expect(await memory.sync()).toMatchObject({ state: 'offline', why: expect.stringContaining('Permission denied') });
});

describe.skipIf(!hasGit)('over HTTP', () => {
  test("git's credential helper is asked once for a whole sync, with the path, and its wrong answer is told", async () => {
    const { folder, address } = bare();
    const log = path.join(temporaryFolder(), 'log');
    const helper = (password: string) =>
      script(`echo "$1 $(tr '\\n' ' ')" >> ${log}\n[ "$1" = get ] && printf 'username=ada\\npassword=${password}\\n'`);
    const config = path.join(temporaryFolder(), 'gitconfig');
    const use = (program: string) =>
      fs.writeFileSync(config, `[credential]\n\thelper = ${program}\n\tuseHttpPath = true\n`);
    use(helper(serverCredential.password));
    process.env.GIT_CONFIG_GLOBAL = config;
    process.env.GIT_CONFIG_NOSYSTEM = '1';
    const memory = await open(machineNetwork());
    await memory.capture('A note.');
    const { refused } = served.server.counts;
    expect(await memory.sync({ remote: address })).toMatchObject({ state: 'synced' });
    expect(tipOf(folder)).toBe(memory.tip);
    expect(served.server.counts.refused - refused).toBe(1);
    expect(linesOf(log)).toEqual([
      `get protocol=http host=127.0.0.1:${served.server.port} path=${path.basename(folder)}`,
    ]);
    use(helper('wrong'));
    expect(await memory.sync()).toMatchObject({ state: 'offline', why: expect.stringContaining('does not let us in') });
  });

  test('a redirect is followed, and what was given for one host is not shown to another', async () => {
    const { folder, address } = bare();
    const shown: unknown[] = [];
    const here = await serve((request, response) => {
      shown.push(request.headers.authorization);
      const location = request.url!.startsWith('/round') ? request.url! : `${served.server.origin}${request.url}`;
      response.writeHead(302, { location }).end();
    });
    const asked: string[] = [];
    const memory = await open({
      ...known,
      credentialFor: async (origin: string) => {
        asked.push(origin);
        return serverCredential;
      },
    });
    await memory.capture('A note.');
    expect(await memory.sync({ remote: address.replace(served.server.origin, here) })).toMatchObject({
      state: 'synced',
    });
    expect(tipOf(folder)).toBe(memory.tip);
    expect(asked).toEqual([served.server.origin]);
    expect(shown.every((value) => value === undefined)).toBe(true);
    const lost = await open();
    await expect(lost.sync({ remote: `${here}/round` })).rejects.toMatchObject({
      code: 'REMOTE_REFUSED',
      what: expect.stringContaining('place to place'),
    });
  });

  /** A proxy that wants a name, passes requests on and opens tunnels, and tells what it was asked for. */
  async function proxy(): Promise<{ address: string; asked: string[] }> {
    const asked: string[] = [];
    const isKnown = ({ headers }: http.IncomingMessage) =>
      headers['proxy-authorization'] === `Basic ${Buffer.from('bo:pass word').toString('base64')}`;
    const made = http.createServer((request, response) => {
      if (!isKnown(request)) return void response.writeHead(407).end();
      asked.push(`${request.method} ${new URL(request.url!).origin}`);
      expect(request.headers['proxy-connection'] ?? 'none').toBe('none');
      const { 'proxy-authorization': _, ...headers } = request.headers;
      const passed = http.request(request.url!, { method: request.method!, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    });
    made.on('connect', (request, socket) => {
      asked.push(`${request.method} ${request.url}`);
      if (!isKnown(request)) return socket.end('HTTP/1.1 407 No\r\n\r\n');
      const [host, port] = request.url!.split(':');
      const there = net.connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Yes\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
      for (const end of [there, socket]) end.on('error', () => [there, socket].map((one) => one.destroy()));
    });
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      made.closeAllConnections();
      made.close();
    });
    return { address: `127.0.0.1:${(made.address() as AddressInfo).port}`, asked };
  }

  test('the proxy that the environment names is taken, and not for hosts that are spared', async () => {
    const { address: by, asked } = await proxy();
    const { folder, address } = bare();
    process.env.no_proxy = 'example.org';
    process.env.http_proxy = `http://bo:pass%20word@${by}`;
    const memory = await open();
    await memory.capture('A note.');
    expect(await memory.sync({ remote: address })).toMatchObject({ state: 'synced' });
    expect(tipOf(folder)).toBe(memory.tip);
    expect(new Set(asked)).toEqual(new Set([`GET ${served.server.origin}`, `POST ${served.server.origin}`]));
    process.env.no_proxy = '127.0.0.1';
    asked.length = 0;
    expect(await memory.sync()).toMatchObject({ state: 'synced' });
    expect(asked).toEqual([]);
    process.env.no_proxy = '';
    process.env.http_proxy = by;
    expect(await memory.sync()).toMatchObject({
      state: 'offline',
      why: expect.stringContaining('the proxy of http_proxy answers with status 407'),
    });
    process.env.http_proxy = 'bo:hidden@127.0.0.1:9';
    const { why } = await memory.sync();
    expect(why).toContain('the proxy of http_proxy cannot be reached');
    expect(why).not.toContain('hidden');
  });

  test.runIf(hasOpenssl)('a server with TLS is reached through a tunnel, and held to its certificate', async () => {
    const { address: by, asked } = await proxy();
    const { folder, address } = bare();
    const [key, certificate] = ['key', 'certificate'].map((name) => path.join(temporaryFolder(), name));
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key!, '-out', certificate!],
    ]);
    expect(made.status, String(made.stderr)).toBe(0);
    const pair = { key: fs.readFileSync(key!), cert: fs.readFileSync(certificate!) };
    const server = https.createServer(pair, (request, response) => {
      const url = new URL(request.url!, served.server.origin);
      const passed = http.request(url, { method: request.method!, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    process.env.no_proxy = '';
    process.env.https_proxy = `http://bo:pass%20word@${by}`;
    const memory = await open();
    await memory.capture('A note.');
    const remote = address.replace(served.server.origin, `https://127.0.0.1:${port}`);
    expect(await memory.sync({ remote })).toMatchObject({ state: 'offline' });
    // Node asks for this variable at each connection.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    expect(await memory.sync()).toMatchObject({ state: 'synced' });
    expect(tipOf(folder)).toBe(memory.tip);
    expect(new Set(asked)).toEqual(new Set([`CONNECT 127.0.0.1:${port}`]));
    expect(asked.length).toBeGreaterThan(3);
  });

  test('a transfer that is aborted half way leaves nothing, and the next sync does it all', async () => {
    const { folder, address } = bare();
    const writer = await open();
    await writer.write('knowledge/reference/long.md', `# Long\n\n${'A line of it.\n'.repeat(500)}`);
    await writer.sync({ remote: address });
    const { port } = new URL(served.server.origin);
    const stop = new AbortController();
    // Stops behind the first bytes of a pack, like a server whose disk or line has died.
    const stalling = await serve((request, response) => {
      const { method, url, headers } = request;
      const further = http.request({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        if (method === 'POST') {
          answer.once('data', (bytes: Buffer) => {
            response.write(bytes.subarray(0, 200));
            setTimeout(() => stop.abort(new Error('enough')), 50);
          });
        } else answer.pipe(response);
      });
      request.pipe(further);
    });
    const memory = await open();
    const before = git(memory.directory, 'for-each-ref');
    const aborted = memory.sync({
      remote: address.replace(served.server.origin, stalling),
      signal: stop.signal,
    });
    await expect(aborted).rejects.toThrow('enough');
    expect(git(memory.directory, 'for-each-ref')).toBe(before);
    expect(fs.readdirSync(path.join(memory.directory, '.git/git-memory/fetch'))).toEqual([]);
    git(memory.directory, 'remote', 'set-url', 'origin', address);
    expect(await memory.sync()).toMatchObject({ state: 'synced', commit: tipOf(folder) });
    expect(fsck(memory.directory)).toBe('');
  });
});

test.skipIf(!hasGit)(
  'the configuration of the repository says what an address means, and where pushes go',
  async () => {
    const [first, second] = [bare(), bare()];
    const memory = await open();
    git(memory.directory, 'config', `url.${served.server.origin}/.insteadOf`, 'team:');
    expect(await memory.sync({ remote: `team:${path.basename(first.folder)}` })).toMatchObject({
      state: 'synced',
      address: first.address,
    });
    expect(tipOf(first.folder)).toBe(memory.tip);
    git(memory.directory, 'config', 'remote.origin.url', first.folder);
    git(memory.directory, 'config', 'remote.origin.pushurl', `team:${path.basename(first.folder)}`);
    await memory.capture('A note.');
    const { welcome } = served.server.counts;
    expect(await memory.sync()).toMatchObject({ state: 'synced', pushed: 1, address: first.folder });
    expect(tipOf(first.folder)).toBe(memory.tip);
    expect(served.server.counts.welcome).toBeGreaterThan(welcome);
    git(memory.directory, 'config', 'remote.origin.pushurl', second.address);
    await memory.capture('Another.');
    await expect(memory.sync()).rejects.toMatchObject({
      code: 'REMOTE_REFUSED',
      what: expect.stringContaining('different branches'),
    });
  },
);

describe.skipIf(!hasGit)('an address', () => {
  test('that nobody was reached at gives way to the next, one that was stays', async () => {
    const memory = await open();
    const urls = () => git(memory.directory, 'config', '--get-all', 'remote.origin.url').trim();
    expect(await memory.sync({ remote: 'http://127.0.0.1:9/mistyped.git' })).toMatchObject({ state: 'offline' });
    const { folder } = bare();
    expect(await memory.sync({ remote: folder })).toMatchObject({ state: 'synced' });
    expect(urls()).toBe(folder);
    await expect(memory.sync({ remote: bare().folder })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(urls()).toBe(folder);
  });

  test('that somebody wrote more about stays, tried or not', async () => {
    const memory = await open();
    expect(await memory.sync({ remote: 'http://127.0.0.1:9/mistyped.git' })).toMatchObject({ state: 'offline' });
    git(memory.directory, 'config', 'remote.origin.pushurl', 'elsewhere');
    await expect(memory.sync({ remote: bare().folder })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  });
});

test.skipIf(!hasGit)(
  'a dry run counts what would come, go and be disputed, and writes nothing here or there',
  async () => {
    const { folder, address } = bare();
    const [a, b] = [await open(), await open()];
    await a.write('knowledge/reference/one.md', '# One\n\nIt is one.\n');
    await a.sync({ remote: address });
    expect(await b.sync({ remote: address, dryRun: true })).toMatchObject({
      state: 'planned',
      plan: 'follow',
      pushed: 0,
    });
    expect(git(b.directory, 'remote')).toBe('');
    await b.sync({ remote: address });
    await a.edit('knowledge/reference/one.md', 'It is one', 'It is two');
    await a.sync();
    await b.edit('knowledge/reference/one.md', 'It is one', 'It is three');
    await b.commit();
    const before = [git(b.directory, 'for-each-ref'), git(b.directory, 'count-objects', '-v'), tipOf(folder)];
    const planned = await b.sync({ dryRun: true });
    expect(planned).toMatchObject({ state: 'planned', plan: 'merge', fetched: 1, pushed: 2, merges: [] });
    expect([git(b.directory, 'for-each-ref'), git(b.directory, 'count-objects', '-v'), tipOf(folder)]).toEqual(before);
    const done = await b.sync();
    expect(done).toMatchObject({ fetched: planned.fetched, pushed: planned.pushed, conflicts: planned.conflicts });
    expect(planned.conflicts).toHaveLength(1);
  },
);

describe.skipIf(!hasGit)('a memory', () => {
  test('that is a shallow clone fetches and pushes as a whole one does', async () => {
    const folder = bareRepository(path.join(temporaryFolder(), 'x.git'));
    const a = await open();
    for (const word of ['one', 'two', 'three']) await a.capture(`We spoke of ${word}.`);
    await a.sync({ remote: folder });
    const clone = path.join(temporaryFolder(), 'clone');
    git('/', 'clone', '--quiet', '--depth=1', `file://${folder}`, clone);
    const b = await open(known, clone);
    await b.write('knowledge/reference/b.md', '# B\n');
    await a.write('knowledge/reference/a.md', '# A\n');
    await a.sync();
    expect(await b.sync()).toMatchObject({ state: 'synced', fetched: 1, pushed: 2, conflicts: [] });
    expect(tipOf(folder)).toBe(b.tip);
    await a.sync();
    expect(a.tip).toBe(b.tip);
    expect([fsck(folder), fsck(clone)]).toEqual(['', '']);
  });
});
