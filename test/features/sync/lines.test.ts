// Lines that break, stall and talk nonsense, before a real server: a sync over them ends in words, nothing is half done, and the next one over
// a sound line has all.
//
//   SYNC_CUTS=n   at so many places each conversation is cut; default 4

import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { machineNetwork } from '../../../src/adapters/network.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { defaultTransferLimits } from '../../../src/store/git/pkt-line.ts';
import { type Break, type CutLine, openLine } from '../../helpers/cut-line.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { outcomeOfSync } from '../../helpers/sync-outcome.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const cuts = Number(process.env.SYNC_CUTS ?? 4);
const served = gitServerForTests();
const { root } = served;
const network = { ...machineNetwork(), credentialFor: async () => serverCredential };
/** Patience for lines that are silent on purpose; those that talk are quicker by far. */
const limits = { ...defaultTransferLimits, idleMs: 2000, totalMs: 4000 };
/** For those that never say what is waited for. */
const impatient = { ...limits, idleMs: 400, totalMs: 1200 };
const saved = { ...process.env };

let line: CutLine;
beforeAll(async () => {
  if (hasGit) line = await openLine(served.server.port);
});
afterAll(() => line?.close());
const closing: (() => unknown)[] = [];
afterEach(async () => {
  process.env = { ...saved, no_proxy: '127.0.0.1' };
  for (const close of closing.splice(0)) await close();
});

async function machine(): Promise<Memory> {
  const memory = await openMemory({
    dir: temporaryFolder(),
    create: true,
    durability: 'fast',
    network,
    configuration: { name: 'memory' },
  });
  closing.push(() => memory.close());
  return memory;
}

const outcomeOf = (memory: Memory, remote?: string, held = limits) =>
  outcomeOfSync(memory, { network, limits: held }, remote === undefined ? {} : { remote });

const stateOf = ({ directory }: Memory) => [
  git(directory, 'for-each-ref'),
  fs.readdirSync(path.join(directory, '.git/objects/pack')).sort(),
];
const leftOf = ({ directory }: Memory) => {
  const folder = path.join(directory, '.git/git-memory/fetch');
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
};
const failures = ['offline', 'REMOTE_REFUSED', 'REMOTE_UNAVAILABLE'];
let made = 0;

/** Two machines in step, and a way for one of them that can be cut. */
async function pair(addressOf: (name: string) => string) {
  made += 1;
  const name = `lines${made}.git`;
  const bare = bareRepository(path.join(root, name));
  const [a, b] = [await machine(), await machine()];
  await a.capture('The first note.');
  await a.sync({ remote: bare });
  await b.sync({ remote: bare });
  git(b.directory, 'remote', 'set-url', 'origin', addressOf(name));
  return { bare, a, b };
}

describe.skipIf(!hasGit)('a sync over a line that is cut', () => {
  test.each([
    ['reset', 'a connection'],
    ['end', 'a connection'],
    ['garbage', 'a connection'],
    ['end', 'a proxy'],
    ['reset', 'a proxy'],
  ] as [Break, string][])('by a %s of %s ends in words, and the next one has all', async (how, what) => {
    const isProxied = what === 'a proxy';
    const { bare, a, b } = await pair(
      (name) => `http://127.0.0.1:${isProxied ? served.server.port : line.port}/${name}`,
    );
    const throughProxy = () => {
      if (isProxied) [process.env.http_proxy, process.env.no_proxy] = [`http://127.0.0.1:${line.port}`, ''];
    };
    const both = async (turn: number) => {
      await a.capture(`A note of a, ${turn}: ${'words '.repeat(200)}`);
      await a.sync();
      await b.capture(`A note of b, ${turn}.`);
    };
    await both(-1);
    throughProxy();
    line.cut(Number.POSITIVE_INFINITY, how);
    expect(await outcomeOf(b)).toBe('synced');
    const whole = line.passed;
    for (let turn = 0; turn < cuts; turn += 1) {
      await both(turn);
      const before = stateOf(b);
      const [tip, seen] = [b.tip, git(b.directory, 'for-each-ref', 'refs/git-memory/remotes')];
      line.cut(Math.floor(((turn + 0.5) * whole) / cuts), how);
      const outcome = await outcomeOf(b);
      expect([...failures, 'synced']).toContain(outcome);
      expect(leftOf(b)).toEqual([]);
      // What came in whole before the line broke may stay; half of it never does.
      if (git(b.directory, 'for-each-ref', 'refs/git-memory/remotes') === seen && b.tip === tip) {
        expect(stateOf(b)).toEqual(before);
      }
      expect(fsck(b.directory)).toBe('');
      line.cut(Number.POSITIVE_INFINITY, how);
      expect(await outcomeOf(b)).toBe('synced');
      expect(git(bare, 'rev-parse', 'main').trim()).toBe(b.tip);
      await a.sync();
      expect(await a.files()).toEqual(await b.files());
    }
    expect((await b.files('raw/')).length).toBe(3 + 2 * cuts);
    expect(fsck(bare)).toBe('');
  });

  test('in silence is given up, wherever it falls silent', async () => {
    const { bare, a, b } = await pair((name) => `http://127.0.0.1:${line.port}/${name}`);
    await a.capture('Another note.');
    await a.sync();
    const before = stateOf(b);
    for (const after of [0, 60, 700]) {
      line.cut(after, 'stall');
      expect(await outcomeOf(b, undefined, impatient)).toBe('offline');
      expect(stateOf(b)).toEqual(before);
      expect(leftOf(b)).toEqual([]);
    }
    line.cut(Number.POSITIVE_INFINITY, 'end');
    expect(await outcomeOf(b)).toBe('synced');
    expect(git(bare, 'rev-parse', 'main').trim()).toBe(b.tip);
  });

  test('by an ssh program that dies half way ends in words, and the next one has all', async () => {
    const { bare, a, b } = await pair((name) => `ssh://example.org${root}/${name}`);
    const program = path.join(temporaryFolder(), 'ssh');
    const dieAfter = (bytes: number | null) => {
      // Byte by byte, since whatever else cuts a stream holds it back first.
      const end = bytes === null ? '' : ` | dd bs=1 count=${bytes} status=none\nexit 255`;
      fs.writeFileSync(program, `#!/bin/sh\nfor last; do :; done\nsh -c "$last"${end}\n`, { mode: 0o755 });
    };
    process.env.GIT_SSH_COMMAND = program;
    for (const bytes of [0, 3, 40, 400, 1000]) {
      await a.capture(`A note before ${bytes}: ${'words '.repeat(200)}`);
      await a.sync();
      await b.capture(`A note of b before ${bytes}.`);
      dieAfter(bytes);
      expect([...failures, 'synced']).toContain(await outcomeOf(b));
      expect(leftOf(b)).toEqual([]);
      dieAfter(null);
      expect(await outcomeOf(b)).toBe('synced');
      expect(git(bare, 'rev-parse', 'main').trim()).toBe(b.tip);
      expect(fsck(b.directory)).toBe('');
    }
  });
});

/** A server of one answer, whatever it is asked; null: none. */
async function answering(answer: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/x-git-upload-pack-advertisement\r\n';
test.each<[string, (socket: net.Socket) => void, string?]>([
  ['says nothing', () => undefined],
  [
    'says a byte now and then',
    (socket) => {
      socket.write(`${head}\r\n`);
      const timer = setInterval(() => socket.write('0'), 200);
      socket.on('close', () => clearInterval(timer));
    },
  ],
  ['closes at once', (socket) => socket.end()],
  ['resets at once', (socket) => socket.resetAndDestroy()],
  ['speaks no HTTP', (socket) => socket.end('\u0000\u0001 what?\r\n\r\n')],
  ['sends chunks of no size', (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\nzz\r\nxxxx\r\n`)],
  [
    'promises more than it sends',
    (socket) => socket.end(`${head}content-length: 500\r\n\r\n001e# service=git-upload-pack\n0000`),
  ],
  [
    'calls a body compressed that is none',
    (socket) => socket.end(`${head}content-encoding: gzip\r\n\r\nno gzip at all`),
  ],
  ['is another program with a certificate of none', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), 'https'],
  [
    'sends us round in a circle',
    (socket) =>
      socket.end(
        'HTTP/1.1 302 Found\r\nlocation: /x.git/info/refs?service=git-upload-pack\r\ncontent-length: 0\r\n\r\n',
      ),
  ],
  [
    'sends us to no address',
    (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: http://[\r\ncontent-length: 0\r\n\r\n'),
  ],
])('a server that %s is told of in words, directly and by a proxy', async (_, answer, scheme = 'http') => {
  const port = await answering(answer);
  const memory = await machine();
  await memory.capture('A note.');
  const { tip } = memory;
  process.env.no_proxy = '127.0.0.1';
  expect(failures).toContain(await outcomeOf(memory, `${scheme}://127.0.0.1:${port}/x.git`, impatient));
  process.env.no_proxy = '';
  process.env[`${scheme}_proxy`] = `http://127.0.0.1:${port}`;
  expect(failures).toContain(await outcomeOf(memory, undefined, impatient));
  expect(memory.tip).toBe(tip);
  expect(leftOf(memory)).toEqual([]);
});
