// Servers that lie over HTTP, and sound ones, by our http client and by one that a caller brings, the plain one of isomorphic-git: limits,
// redirects, secrets and the end of an answer are held above whichever it is. What packs hold stands in hostile.test.ts.

import crypto from 'node:crypto';
import fs from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import zlib from 'node:zlib';
import plainClient from 'isomorphic-git/http/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { machineNetwork } from '../../../src/adapters/network.ts';
import type { HttpClient } from '../../../src/base/ports.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { type NewObject, newObject } from '../../../src/store/git/object-codec.ts';
import { formatPack, formatPackEntry } from '../../../src/store/git/pack-format.ts';
import { defaultTransferLimits, flushPacket, formatPacket } from '../../../src/store/git/pkt-line.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { outcomeOfSync } from '../../helpers/sync-outcome.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const served = gitServerForTests();
const clients: [name: string, client: HttpClient][] = [
  ['our client', machineNetwork().http],
  ["a caller's client", plainClient],
];
const limits = { ...defaultTransferLimits, idleMs: 2500, totalMs: 10_000, packBytes: 8 << 20 };

const person = 'Eve <eve@example.org> 1700000000 +0000';
const blob = newObject('blob', Buffer.from('text\n'));
const tree = newObject('tree', Buffer.concat([Buffer.from('100644 a\0'), Buffer.from(blob.oid, 'hex')]));
const commitOf = (message: string) =>
  newObject('commit', Buffer.from(`tree ${tree.oid}\nauthor ${person}\ncommitter ${person}\n\n${message}\n`));
const [good, bad] = [commitOf('hello'), commitOf('another')];
const packOf = (...objects: NewObject[]) => formatPack(objects.map(formatPackEntry)).pack;
const sound = packOf(good, tree, blob);
const torn = Buffer.from(sound);
torn[torn.length - 30]! ^= 0x40;

const beginning = Buffer.concat([formatPacket('# service=git-upload-pack\n'), flushPacket]);
const capabilities = 'side-band-64k ofs-delta symref=HEAD:refs/heads/main agent=x';
const listed = (refs: readonly string[]) =>
  refs.map((ref, position) => formatPacket(position === 0 ? `${ref}\0${capabilities}\n` : `${ref}\n`));
const refsOf = (...refs: string[]) => manyRefs(refs);
const manyRefs = (refs: readonly string[]) => Buffer.concat([beginning, Buffer.concat(listed(refs)), flushPacket]);
const main = ({ oid }: NewObject) => `${oid} refs/heads/main`;

/** An answer by the side band. */
function banded(pack: Buffer): Buffer {
  const parts: Buffer[] = [formatPacket('NAK\n')];
  for (let at = 0; at < pack.length; at += 60_000) {
    parts.push(formatPacket(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])));
  }
  return Buffer.concat([...parts, flushPacket]);
}

/** A blob that says that it has five bytes, and inflates to many. */
function bomb(bytes: number): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x015', 'latin1');
  const body = Buffer.concat([head, zlib.deflateSync(Buffer.alloc(bytes))]);
  return banded(Buffer.concat([body, crypto.createHash('sha1').update(body).digest()]));
}

const packed = zlib.gzipSync(Buffer.alloc(20 << 20, '0000'));

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
type Part = Buffer | Answer;

/** Goes on with the same bytes until the other side has had enough. */
const endless =
  (first: Buffer, more: Buffer): Answer =>
  (response) => {
    const pour = () => {
      while (!response.destroyed && response.write(more));
      if (!response.destroyed) response.once('drain', () => setImmediate(pour));
    };
    response.write(first);
    pour();
  };
const cutAt =
  (bytes: Buffer, part: number): Answer =>
  (response) => {
    response.write(bytes.subarray(0, Math.floor(bytes.length * part)));
    setTimeout(() => response.destroy(), 30);
  };
const silence: Answer = () => undefined;
const redirect =
  (status: number): Answer =>
  (response, { url }) =>
    response.writeHead(status, { location: `${elsewhere}${url}` }).end();

/** What a server says: to the first question, to the second, and what becomes of the sync. */
type Case = [name: string, outcome: string, refs: Part, answer?: Part];
const cases: Case[] = [
  ['refs without end', 'REMOTE_REFUSED', endless(beginning, listed([main(good)])[0]!)],
  [
    'a pack without end',
    'REMOTE_REFUSED',
    refsOf(main(good)),
    endless(formatPacket('NAK\n'), formatPacket(Buffer.alloc(60_000, 1))),
  ],
  [
    'progress without end',
    'REMOTE_REFUSED',
    refsOf(main(good)),
    endless(formatPacket('NAK\n'), formatPacket(Buffer.alloc(60_000, 2))),
  ],
  ['silence before the refs', 'offline', silence],
  [
    'silence in the pack',
    'offline',
    refsOf(main(good)),
    (response) => response.write(banded(sound).subarray(0, 60)) as unknown as undefined,
  ],
  ['a pack with a damaged checksum', 'REMOTE_REFUSED', refsOf(main(good)), banded(torn)],
  ['no pack at all', 'REMOTE_REFUSED', refsOf(main(good)), Buffer.concat([formatPacket('NAK\n'), flushPacket])],
  [
    'more refs than anybody has',
    'REMOTE_REFUSED',
    manyRefs(Array.from({ length: 100_002 }, (_, number) => `${good.oid} refs/heads/b${number}`)),
  ],
  ['a ref that leads out', 'REMOTE_REFUSED', refsOf(main(good), `${good.oid} refs/heads/../../../../evil`)],
  ['a ref like a lock', 'REMOTE_REFUSED', refsOf(main(good), `${good.oid} refs/heads/a.lock`)],
  ['a ref twice', 'REMOTE_REFUSED', refsOf(main(good), main(bad))],
  ['refs of another protocol', 'REMOTE_REFUSED', Buffer.concat([beginning, formatPacket('version 2\n'), flushPacket])],
  [
    'refs that end on a line',
    'offline',
    Buffer.concat([beginning, ...listed([`${good.oid} refs/heads/a`, main(good)])]),
  ],
  ['its own failure', 'offline', Buffer.concat([beginning, formatPacket('ERR no such repository'), flushPacket])],
  ['the pack from elsewhere', 'offline', refsOf(main(good)), redirect(307)],
  [
    'refs packed as nobody asked',
    'REMOTE_REFUSED',
    (response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(packed);
    },
  ],
  ['a blob of a gigabyte', 'REMOTE_REFUSED', refsOf(main(good)), bomb(1 << 30)],
  [
    'a page',
    'REMOTE_REFUSED',
    (response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<html>');
    },
  ],
  ...[10, 50, 90].flatMap((part): Case[] => [
    [`refs cut at ${part} %`, 'offline', cutAt(refsOf(main(good), `${good.oid} refs/heads/other`), part / 100)],
    [`a pack cut at ${part} %`, 'offline', refsOf(main(good)), cutAt(banded(sound), part / 100)],
  ]),
];

let [refs, answer]: [Part, Part | undefined] = [Buffer.alloc(0), undefined];
let [here, elsewhere] = ['', ''];
/** What the other server was shown. */
const shown: (string | undefined)[] = [];
const servers: http.Server[] = [];

async function listen(handle: http.RequestListener): Promise<string> {
  const server = http.createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  here = await listen((request, response) => {
    request.resume();
    // Each question has a connection of its own: none is asked on one that the case before broke.
    response.shouldKeepAlive = false;
    if (request.headers.authorization === undefined) return void response.writeHead(401).end();
    const kind = request.method === 'GET' ? 'advertisement' : 'result';
    response.setHeader('content-type', `application/x-git-upload-pack-${kind}`);
    const part = (request.method === 'GET' ? refs : answer) ?? banded(sound);
    if (typeof part === 'function') part(response, request);
    else response.end(part);
  });
  elsewhere = await listen((request, response) => {
    shown.push(request.headers.authorization);
    request.resume();
    response.writeHead(404).end();
  });
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Every file of a folder with its bytes, but for our locks and the configuration that names the remote. */
function everything(folder: string): string[] {
  return (fs.readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => !/^\.git\/(?:git-memory\/(?:cache|lock|tmp)|config$)/.test(name))
    .filter((name) => fs.lstatSync(path.join(folder, name)).isFile())
    .map(
      (name) =>
        `${name} ${crypto
          .createHash('sha1')
          .update(fs.readFileSync(path.join(folder, name)))
          .digest('hex')}`,
    )
    .sort();
}

describe.each(clients)('by %s', (_, client) => {
  const credentialFor = async (origin: string) => (origin === here ? serverCredential : null);
  const network = { ...machineNetwork(), http: client, credentialFor };
  const begin = () => openMemory({ dir: temporaryFolder(), create: true, durability: 'fast', network });
  let memory: Awaited<ReturnType<typeof begin>>;
  let before: string[];
  beforeAll(async () => {
    memory = await begin();
    before = everything(memory.directory);
  });
  afterAll(() => memory.close());

  /** Who waits for a silent one waits for nothing else. */
  const sync = (idleMs = limits.idleMs) =>
    outcomeOfSync(memory, { network, limits: { ...limits, idleMs } }, { remote: `${here}/x.git`, adopt: true });

  test.each(cases)('a server that sends %s is told of (%s), and nothing of it lands', async (...one) => {
    [, , refs, answer] = one;
    expect(await sync(one[0].startsWith('silence') ? 400 : undefined)).toBe(one[1]);
    expect(everything(memory.directory)).toEqual(before);
    expect(shown).toEqual([]);
  });

  test('one that sends us elsewhere gets us there without the secret, whatever the repository says of proxies', async () => {
    refs = redirect(302);
    expect(await sync()).toBe('offline');
    expect(shown.splice(0)).toEqual([undefined]);
    fs.appendFileSync(path.join(memory.directory, '.git/config'), `[http]\n\tcorsProxy = ${elsewhere}\n`);
    refs = silence;
    expect(await sync(400)).toBe('offline');
    expect(shown).toEqual([]);
    expect(everything(memory.directory)).toEqual(before);
  });

  test('what is sound is taken, also with a name for HEAD that leads nowhere', async () => {
    const text = refsOf(main(good), `${good.oid} HEAD`).toString('latin1');
    refs = Buffer.from(text.replace('HEAD:refs/heads/main', 'HEAD:refs/../../aaaa'), 'latin1');
    answer = undefined;
    // It is fetched and followed; the push behind it finds nobody to take it.
    await sync();
    expect(memory.tip).toBe(good.oid);
    expect(fsck(memory.directory)).toBe('');
  });

  test.skipIf(!hasGit)('two clones come in step over a real server', async () => {
    const name = `${crypto.randomUUID()}.git`;
    const bare = bareRepository(path.join(served.root, name));
    const known = { ...machineNetwork(), credentialFor: async () => serverCredential };
    const join = () =>
      openMemory({
        dir: temporaryFolder(),
        create: true,
        durability: 'fast',
        network: known,
        http: client,
        configuration: { name: 'memory' },
      });
    const [a, b] = [await join(), await join()];
    const remote = `${served.server.origin}/${name}`;
    await a.remember('Ana likes green tea');
    expect(await a.sync({ remote })).toMatchObject({ state: 'synced', pushed: 2 });
    expect(await b.sync({ remote })).toMatchObject({ state: 'synced' });
    await Promise.all([a.remember('Ben lives in Rome'), b.capture('user: We meet on Monday.')]);
    await a.sync();
    await b.sync();
    await a.sync();
    expect([a.tip, b.tip]).toEqual([git(bare, 'rev-parse', 'main').trim(), a.tip]);
    expect((await b.recall('where does Ben live')).hits[0]?.snippet).toContain('Rome');
    expect(fsck(bare)).toBe('');
    for (const one of [a, b]) await one.close();
  });
});
