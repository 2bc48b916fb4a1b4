// Remotes that lie: nothing of what they send may change the memory.
//
//   SYNC_FUZZ=n   so many damaged advertisements; default 500

import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MemoryError } from '../../../src/base/errors.ts';
import type { HttpClient, Network } from '../../../src/base/ports.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { type NewObject, newObject } from '../../../src/store/git/object-codec.ts';
import { formatPack, formatPackEntry } from '../../../src/store/git/pack-format.ts';
import { flushPacket, formatPacket } from '../../../src/store/git/pkt-line.ts';
import { random } from '../../helpers/random.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const rounds = Number(process.env.SYNC_FUZZ ?? 500);

/** A server that answers with given bytes. */
function scripted(advertisement: Buffer, pack: Buffer = Buffer.alloc(0)): Network {
  const http: HttpClient = {
    async request({ url, method }) {
      const service = url.includes('receive-pack') ? 'git-receive-pack' : 'git-upload-pack';
      const isFirst = method === 'GET';
      const bytes = isFirst
        ? Buffer.concat([formatPacket(`# service=${service}\n`), flushPacket, advertisement])
        : Buffer.concat([formatPacket('NAK\n'), pack]);
      const type = `application/x-${service}-${isFirst ? 'advertisement' : 'result'}`;
      return {
        url,
        statusCode: 200,
        statusMessage: 'OK',
        headers: { 'content-type': type },
        body: [bytes],
      };
    },
  };
  return {
    http,
    programs: {
      start: () => {
        throw new Error('no program is run');
      },
      variable: () => undefined,
    },
    credentialFor: async () => null,
  };
}

const address = 'https://example.org/memory.git';

async function memoryWith(network: Network, dir = temporaryFolder()): Promise<Memory> {
  return openMemory({ dir, create: true, durability: 'fast', network });
}

/** Every file of a folder with its bytes, but for our own notes of remotes, locks and the configuration that names the remote. */
function everything(folder: string): string {
  const hash = crypto.createHash('sha1');
  for (const name of (fs.readdirSync(folder, { recursive: true }) as string[]).sort()) {
    if (/^\.git\/(?:refs\/git-memory|git-memory\/(?:cache|fetch|lock|tmp)|config$)/.test(name)) continue;
    const place = path.join(folder, name);
    if (fs.lstatSync(place).isFile()) hash.update(`${name}\0`).update(fs.readFileSync(place));
  }
  return hash.digest('hex');
}

const advertised = (tip: string) =>
  Buffer.concat([formatPacket(`${tip} refs/heads/main\0ofs-delta agent=x\n`), flushPacket]);
const person = 'Eve <eve@example.org> 1700000000 +0000';
const commitOf = (tree: string, extra = '') =>
  newObject('commit', Buffer.from(`tree ${tree}\n${extra}author ${person}\ncommitter ${person}\n\nhello\n`));
const entry = (mode: string, name: string, oid: string) =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
const packOf = (...objects: NewObject[]) => formatPack(objects.map(formatPackEntry)).pack;

const blob = newObject('blob', Buffer.from('text\n'));
const treeOf = (...entries: Buffer[]) => newObject('tree', Buffer.concat(entries));
const missing = '1'.repeat(40);

/** Trees that list the next one ten times: 12 objects, and ten thousand million paths. */
function treeBomb(levels: number, width: number): NewObject[] {
  const trees: NewObject[] = [treeOf(entry('100644', 'a', blob.oid))];
  const names = Array.from({ length: width }, (_, position) => `d${position}`).sort();
  for (let level = 0; level < levels; level += 1) {
    const { oid } = trees.at(-1)!;
    trees.push(treeOf(...names.map((name) => entry('40000', name, oid))));
  }
  return [...trees.reverse(), blob];
}

/** A number as packs write it: seven bits a byte, lowest first. */
function sizeOf(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...sizeOf(Math.floor(value / 128))];
}

/** Packs by hand, since nobody of good will writes such ones. */
function packOfEntries(entries: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(entries.length, 8);
  const body = Buffer.concat([head, ...entries]);
  return Buffer.concat([body, crypto.createHash('sha1').update(body).digest()]);
}

function packEntry(type: number, content: Buffer, base: Buffer = Buffer.alloc(0)): Buffer {
  const rest = Math.floor(content.length / 16);
  const first = (type << 4) | (content.length & 15);
  const head = rest === 0 ? [first] : [first | 128, ...sizeOf(rest)];
  return Buffer.concat([Buffer.from(head), base, zlib.deflateSync(content)]);
}

/** Blobs of 60 MB each, of thirty bytes each: a delta copies the same megabyte sixty times, and ends in a byte of its own. */
function deltaBomb(count: number): Buffer {
  const base = Buffer.alloc(1_000_000);
  const name = Buffer.from(newObject('blob', base).oid, 'hex');
  const copy = [0xf0, base.length & 255, (base.length >> 8) & 255, base.length >> 16];
  const copies = Array.from({ length: 60 }, () => copy).flat();
  const deltas = Array.from({ length: count }, (_, position) =>
    packEntry(
      7,
      Buffer.from([
        ...sizeOf(base.length),
        ...sizeOf(60 * base.length + 2),
        ...copies,
        2,
        position & 255,
        position >> 8,
      ]),
      name,
    ),
  );
  return packOfEntries([packEntry(3, base), ...deltas]);
}

const wideTree = (width: number) =>
  newObject(
    'tree',
    Buffer.concat(Array.from({ length: width }, (_, at) => entry('100644', String(at).padStart(6, '0'), blob.oid))),
  );

/** Commits in a line, each of which changes all paths of what is in itself no more than a listing holds. */
function manyTurns(): NewObject[] {
  const [seed, ...trees] = treeBomb(4, 17) as [NewObject, ...NewObject[]];
  const line: NewObject[] = [];
  const turns: NewObject[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const tree = treeOf(entry('40000', `d${String(turn).padStart(3, '0')}`, seed.oid));
    turns.push(tree);
    line.unshift(commitOf(tree.oid, turn === 0 ? '' : `parent ${line[0]!.oid}\n`));
  }
  return [...line, ...turns, seed, ...trees];
}

function tagsOfTags(depth: number): NewObject[] {
  const tags: NewObject[] = [sound[0]!];
  for (let level = 0; level < depth; level += 1) {
    const { type, oid } = tags[0]!;
    tags.unshift(newObject('tag', Buffer.from(`object ${oid}\ntype ${type}\ntag t${level}\ntagger ${person}\n\nx\n`)));
  }
  return [...tags, ...sound.slice(1)];
}

const plain = treeOf(entry('100644', 'a', blob.oid));
const sound: readonly NewObject[] = [commitOf(plain.oid), plain, blob];
const committed = (root: NewObject, ...others: NewObject[]) => [commitOf(root.oid), root, ...others];
const withTrees = (trees: readonly NewObject[]) => [commitOf(trees[0]!.oid), ...trees];
const headOf = (text: string) => {
  const data = sound[0]!.data.toString().replace('\n\n', `\n${text}\n\n`);
  return [newObject('commit', Buffer.from(data)), ...sound.slice(1)];
};

/** What costs more than it says, by what would be endless about it: objects of which the first is what the remote names, or a pack. */
const bombs: [string, () => NewObject[] | Buffer][] = [
  ['ten thousand million paths', () => withTrees(treeBomb(10, 10))],
  ['folders twenty thousand deep', () => withTrees(treeBomb(20_000, 1))],
  ['more files than any listing holds', () => committed(wideTree(310_000), blob)],
  ['a folder of more names than fit into one', () => committed(wideTree(400_000), blob)],
  [
    'a commit of eighty thousand parents',
    () => [commitOf(plain.oid, `parent ${missing}\n`.repeat(80_000)), plain, blob],
  ],
  [
    'a message of five megabytes',
    () => [newObject('commit', Buffer.concat([sound[0]!.data, Buffer.alloc(5 << 20, 'a')])), plain, blob],
  ],
  ['lines without end above a message', () => headOf(`x-y ${'a'.repeat(300_000)}`)],
  ['the same many paths by many commits', manyTurns],
  ['a tag as branch', () => tagsOfTags(1)],
  ['tags of tags of tags', () => tagsOfTags(1000)],
  ['deltas that become a hundred gigabytes', () => deltaBomb(2000)],
  [
    'zeros that become gigabytes',
    () => packOfEntries(new Array<Buffer>(10).fill(packEntry(3, Buffer.alloc(63 << 20)))),
  ],
  ['fewer objects than it says', () => Buffer.concat([Buffer.from('PACK\0\0\0\x02'), Buffer.alloc(72, 255)])],
];

/** What a remote sends, by what is wrong with it. */
function hostilePacks(): [string, NewObject, Buffer][] {
  const one = (name: string, tree: NewObject, ...others: NewObject[]): [string, NewObject, Buffer] => {
    const commit = commitOf(tree.oid);
    return [name, commit, packOf(commit, tree, ...others)];
  };
  const fine = treeOf(entry('100644', 'a', blob.oid));
  const sound = packOf(commitOf(fine.oid), fine, blob);
  const torn = Buffer.from(sound);
  torn[sound.length - 30]! ^= 0x40;
  const orphan = commitOf(fine.oid, `parent ${missing}\n`);
  const forged = newObject('commit', Buffer.from(`tree ${fine.oid}\nauthor Eve\ncommitter Eve\n\nx\n`));
  // A change that was taken back: each of the two trees holds what the other one has.
  const more = treeOf(entry('100644', 'a', blob.oid), entry('100644', 'b', newObject('blob', Buffer.from('b\n')).oid));
  const first = commitOf(fine.oid);
  const second = commitOf(more.oid, `parent ${first.oid}\n`);
  const back = commitOf(fine.oid, `parent ${second.oid}\n`);
  const unseen = packOf(first, second, back, fine, more, newObject('blob', Buffer.from('b\n')));
  return [
    ['a blob that only a tree and its return name', back, unseen],
    one('a name that is the git directory', treeOf(entry('40000', '.GIT', fine.oid)), fine, blob),
    one('a name that leads out', treeOf(entry('100644', '..', blob.oid)), blob),
    one('a name with a slash', treeOf(entry('100644', 'a/b', blob.oid)), blob),
    one('a symbolic link', treeOf(entry('120000', 'a', blob.oid)), blob),
    one('a submodule', treeOf(entry('160000', 'a', missing)), blob),
    one('entries out of order', treeOf(entry('100644', 'b', blob.oid), entry('100644', 'a', blob.oid)), blob),
    one('a mode with a zero before it', treeOf(entry('040000', 'a', fine.oid)), fine, blob),
    one('a name that Windows reserves', treeOf(entry('100644', 'aux.md', blob.oid)), blob),
    one(
      '.gitmodules below the root',
      treeOf(entry('40000', 'x', treeOf(entry('100644', '.gitmodules', blob.oid)).oid)),
      treeOf(entry('100644', '.gitmodules', blob.oid)),
      blob,
    ),
    one('a missing blob', fine),
    one('a missing tree', treeOf(entry('40000', 'a', missing))),
    one('a blob where a tree should be', treeOf(entry('40000', 'a', blob.oid)), blob),
    ['a missing parent', orphan, packOf(orphan, fine, blob)],
    ['a commit of bad form', forged, packOf(forged, fine, blob)],
    ['a damaged pack', commitOf(fine.oid), torn],
    ['half a pack', commitOf(fine.oid), sound.subarray(0, sound.length >> 1)],
    ['nothing', commitOf(fine.oid), Buffer.alloc(0)],
    ['another commit than it named', commitOf(fine.oid, `parent ${missing}\n`), sound],
  ];
}

describe('a remote that sends', () => {
  test.each(hostilePacks())('%s is refused, and the memory is as it was', async (_, commit, pack) => {
    const memory = await memoryWith(scripted(advertised(commit.oid), pack));
    await memory.capture('A note.');
    const before = everything(memory.directory);
    await expect(memory.sync({ remote: address, adopt: true })).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    expect(everything(memory.directory)).toBe(before);
    expect(fs.readdirSync(path.join(memory.directory, '.git/git-memory/fetch'))).toEqual([]);
    await memory.close();
  });

  test.each(bombs)('%s is refused in bounded time, and nothing is taken in', async (name, make) => {
    const made = make();
    const [tip, pack] = Buffer.isBuffer(made) ? [missing, made] : [made[0]!.oid, packOf(...made)];
    const network = scripted(advertised(tip), pack);
    const memory = await memoryWith(network);
    await memory.capture('A note.');
    const before = everything(memory.directory);
    await expect(memory.sync({ remote: address, adopt: true })).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    expect(everything(memory.directory)).toBe(before);
    expect(fs.readdirSync(path.join(memory.directory, '.git/git-memory/fetch'))).toEqual([]);
    await memory.close();
    // As `init --from` does, which looks at what came by the same eyes: of objects and of a pack once.
    if (!['tags of tags of tags', 'fewer objects than it says'].includes(name)) return;
    const copy = await memoryWith(network);
    const { tip: beginning } = copy;
    await expect(copy.sync({ remote: address })).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    expect(copy.tip).toBe(beginning);
    await copy.close();
  });

  test('refs that are damaged in any way changes nothing', async () => {
    const next = random(7);
    const tip = 'a'.repeat(40);
    const names = [
      'refs/heads/main',
      'refs/heads/../../x',
      'refs/heads/main',
      'HEAD',
      '-o',
      'refs/tags/memory/milestone/x',
      'refs/heads/a.lock',
      'refs/heads/\u202e',
    ];
    const lines = () =>
      Array.from({ length: 1 + next(5) }, (_, position) => {
        const oid = next(4) === 0 ? tip.slice(next(40)) : tip;
        return `${oid} ${names[next(names.length)]}${position === 0 && next(5) > 0 ? '\0ofs-delta' : ''}\n`;
      });
    const folder = temporaryFolder();
    let network = scripted(Buffer.alloc(0));
    const memory = await memoryWith(
      { ...network, http: { request: (request) => network.http.request(request) } },
      folder,
    );
    await memory.capture('A note.');
    const before = everything(folder);
    const outcomes = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      const bytes = Buffer.concat([
        ...lines().map((line) => formatPacket(line)),
        ...(next(6) > 0 ? [flushPacket] : []),
      ]);
      for (let flips = next(4); flips > 0; flips -= 1) bytes[next(bytes.length)] = next(256);
      network = scripted(bytes.subarray(0, next(8) === 0 ? next(bytes.length) : bytes.length), Buffer.from('x'));
      const outcome = await memory.sync({ remote: address }).then(
        ({ state }) => state,
        (error: unknown) => (error instanceof MemoryError ? error.code : String(error)),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect([...outcomes.keys()].sort()).toEqual(['REMOTE_REFUSED', 'offline']);
    expect(everything(folder)).toBe(before);
    await memory.close();
  });
});

test.each([
  'ext::sh -c id',
  '-oProxyCommand=id',
  'ssh://-oProxyCommand=id/x',
  'ftp://example.org/x',
  'https://ada:secret@example.org/x',
  'host:-x',
  'https://example.org/x?y=z',
  'a\nb',
  '',
])('the address %j is refused before anything is asked', async (remote) => {
  const memory = await memoryWith(scripted(Buffer.alloc(0)));
  const answer = await memory.sync({ remote }).catch((error: unknown) => error);
  expect(answer).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(String(answer)).not.toContain('secret');
  await memory.close();
});
