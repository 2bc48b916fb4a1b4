import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import git from 'isomorphic-git';
import { describe, expect, it } from 'vitest';
import { ephemeralFileSystem } from '../../../src/adapters/ephemeral.ts';
import { MemoryError } from '../../../src/base/errors.ts';
import type { FileSystem } from '../../../src/base/ports.ts';
import { formatCommit } from '../../../src/store/git/commit-object.ts';
import { Disk } from '../../../src/store/git/disk.ts';
import { type NewObject, newObject } from '../../../src/store/git/object-codec.ts';
import { ObjectDatabase } from '../../../src/store/git/object-database.ts';
import {
  discoverRepository,
  initRepository,
  openRepository,
  type Repository,
} from '../../../src/store/git/repository.ts';
import {
  diffTrees,
  editTree,
  entriesOf,
  formatTree,
  type TreeChange,
  type TreeEntry,
  walkTree,
} from '../../../src/store/git/tree.ts';
import { cutTree } from '../../../src/store/git/tree-bytes.ts';
import { beginCollection } from '../../faults/collector.ts';
import { fsck, hasGit, git as run, tryGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const signature = { name: 'Ana', email: 'ana@example.org', time: 1_700_000_000, zone: '+0000' };

async function makeRepository(fileSystem: FileSystem = fs, directory = temporaryFolder()) {
  initRepository(fileSystem, directory, { bare: true, ref: 'refs/heads/main' });
  return openRepository(fileSystem, discoverRepository(fileSystem, directory)!);
}

function blobs(count: number, seed = 0): NewObject[] {
  return Array.from({ length: count }, (_, i) =>
    newObject('blob', Buffer.from(`text ${seed}-${i} ${'x'.repeat(i * 37)}\n`)),
  );
}

function commitOf(objects: readonly NewObject[], parent: string | null = null) {
  const changes = new Map<string, TreeChange>(
    objects.map((o, i) => [`f/${i % 7}/${i}.md`, { mode: '100644', oid: o.oid }]),
  );
  const { root, trees } = editTree(null, changes, (oid) =>
    entriesOf(cutTree(trees.find((t) => t.oid === oid)!.data, oid)),
  );
  const commit = newObject(
    'commit',
    formatCommit({
      tree: root!,
      parents: parent ? [parent] : [],
      author: signature,
      committer: signature,
      message: 'm\n',
    }),
  );
  return { commit, all: [...objects, ...trees, commit] };
}

/** Commits files in a pack of their own, as the engine does. */
function commitUpon(repository: Repository, tip: string | null, files: readonly NewObject[]) {
  const made = commitOf([...files], tip);
  const release = repository.objects.write(made.all);
  const [from, to] = [tip, made.commit.oid];
  repository.refs.update({ ref: 'refs/heads/main', from, to, reason: 'test', identity: signature });
  release();
  repository.packKeeper.step();
  return made;
}

describe('the object database', () => {
  it.runIf(hasGit)('writes packs and loose objects that native git accepts', async () => {
    const repository = await makeRepository();
    const { commit, all } = commitOf(blobs(40));
    repository.objects.write(all)();
    repository.refs.update({ ref: 'refs/heads/main', from: null, to: commit.oid, reason: 'test', identity: signature });
    repository.objects.write(blobs(1, 9))();
    expect(fsck(repository.gitDirectory)).toBe('');
    for (const object of all) {
      const { stdout } = tryGit(repository.gitDirectory, ['cat-file', object.type, object.oid]);
      if (object.type !== 'tree') expect(stdout).toBe(object.data.toString('utf8'));
    }
    expect(run(repository.gitDirectory, 'ls-tree', '-r', '--name-only', 'main').trim().split('\n')).toHaveLength(40);
  });

  it('reads back what it wrote, also as isomorphic-git sees it, on disk and in memory', async () => {
    for (const fileSystem of [fs, ephemeralFileSystem()]) {
      const directory = fileSystem === fs ? temporaryFolder() : '/memory';
      const repository = await makeRepository(fileSystem, directory);
      const { commit, all } = commitOf(blobs(20));
      repository.objects.write(all)();
      const fresh = new ObjectDatabase(new Disk(fileSystem), `${directory}/objects`);
      for (const object of all) expect(fresh.read(object.oid)).toEqual({ type: object.type, data: object.data });
      const seen = await git.readCommit({ fs: fileSystem as never, gitdir: directory, oid: commit.oid });
      expect(seen.commit.message).toBe('m\n');
    }
  });

  it.runIf(hasGit)('reads deltas of both kinds as native git packs them', async () => {
    const repository = await makeRepository();
    const text = Array.from({ length: 400 }, (_, i) => `line ${i} ${(i * 7919) % 1000}`);
    const objects: NewObject[] = [];
    let parent: string | null = null;
    for (let i = 0; i < 12; i++) {
      text[i * 30] = `changed ${i}`;
      const { commit, all } = commitOf([newObject('blob', Buffer.from(text.join('\n')))], parent);
      objects.push(...all);
      parent = commit.oid;
    }
    repository.objects.write(objects)();
    repository.refs.update({ ref: 'refs/heads/main', from: null, to: parent, reason: 'test', identity: signature });
    for (const extra of [[], ['--no-write-bitmap-index']]) {
      run(repository.gitDirectory, '-c', `repack.useDeltaBaseOffset=${extra.length === 0}`, 'repack', '-a', '-d', '-f');
      const fresh = new ObjectDatabase(new Disk(fs), `${repository.gitDirectory}/objects`);
      for (const object of objects) expect(fresh.read(object.oid).data.equals(object.data)).toBe(true);
    }
  });

  it.runIf(hasGit)('reads large loose objects whose code tables are long', async () => {
    const repository = await makeRepository();
    // Every byte occurs, some more often than others, so that a table of codes for all of them stands at the beginning.
    let state = 1;
    const bytes = Buffer.from(
      Array.from({ length: 60_000 }, () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) ** 3 * 256);
      }),
    );
    const file = path.join(temporaryFolder(), 'large');
    fs.writeFileSync(file, bytes);
    const oid = run(repository.gitDirectory, 'hash-object', '-w', file).trim();
    expect(repository.objects.readBlob(oid).equals(bytes)).toBe(true);
  });

  it('answers a flipped byte in a pack with an error or the right bytes, never with wrong ones', async () => {
    const repository = await makeRepository();
    const { all } = commitOf(blobs(10));
    repository.objects.write(all)();
    const folder = `${repository.gitDirectory}/objects/pack`;
    for (const name of fs.readdirSync(folder)) {
      const file = `${folder}/${name}`;
      const original = fs.readFileSync(file);
      fs.chmodSync(file, 0o644);
      for (let i = 0; i < original.length; i += Math.ceil(original.length / 150)) {
        const damaged = Buffer.from(original);
        damaged[i]! ^= 1 << (i % 8);
        fs.writeFileSync(file, damaged);
        const fresh = new ObjectDatabase(new Disk(fs), `${repository.gitDirectory}/objects`);
        for (const object of all) {
          try {
            expect(fresh.read(object.oid).data.equals(object.data)).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(MemoryError);
          }
        }
      }
      fs.writeFileSync(file, original);
    }
  });

  it.each(['readdirSync', 'openSync', 'lstatSync'] as const)(
    'finds an object whose pack is replaced again and again while it is looked for (at each %s)',
    async (call) => {
      const repository = await makeRepository();
      const { all } = commitOf(blobs(3));
      repository.objects.write(all)();
      const folder = `${repository.gitDirectory}/objects/pack`;
      let moves = 0;
      const replacePack = () => {
        moves += 1;
        for (const name of fs.readdirSync(folder)) {
          fs.renameSync(`${folder}/${name}`, `${folder}/pack-${String(moves).padStart(40, '0')}${path.extname(name)}`);
        }
      };
      const busy = new Proxy<FileSystem>(fs, {
        get: (target, name: keyof FileSystem) =>
          name !== call
            ? target[name]
            : (file: string, ...rest: unknown[]) => {
                const isDue = moves < 12 && file.startsWith(folder);
                if (isDue && call !== 'readdirSync') replacePack();
                const answer = Reflect.apply(target[name] as () => unknown, target, [file, ...rest]);
                if (isDue && call === 'readdirSync') replacePack();
                return answer;
              },
      });
      const objects = new ObjectDatabase(new Disk(busy), `${repository.gitDirectory}/objects`);
      for (const object of all) expect(objects.read(object.oid).data.equals(object.data)).toBe(true);
      expect(moves).toBe(12);
      expect(() => objects.read('0'.repeat(40))).toThrow('is not in this repository');
    },
  );

  it('keeps the number of packs small, and every object readable, while commits pile up', async () => {
    const repository = await makeRepository();
    let tip: string | null = null;
    const written: NewObject[] = [];
    for (let i = 0; i < 120; i++) {
      const { commit, all } = commitUpon(repository, tip, blobs(4, i));
      tip = commit.oid;
      written.push(...all);
    }
    const packs = fs.readdirSync(`${repository.gitDirectory}/objects/pack`);
    expect(packs.filter((name) => name.endsWith('.pack')).length).toBeLessThan(32);
    expect(packs.filter((name) => name.endsWith('.keep') || name.startsWith('tmp_'))).toEqual([]);
    const fresh = new ObjectDatabase(new Disk(fs), `${repository.gitDirectory}/objects`);
    for (const object of written) expect(fresh.read(object.oid).data.equals(object.data)).toBe(true);
    if (hasGit) expect(fsck(repository.gitDirectory)).toBe('');
  });

  it('joins packs that processes of one commit each leave, as one of them has too many', async () => {
    const directory = temporaryFolder();
    await makeRepository(fs, directory);
    let tip: string | null = null;
    const counts: number[] = [];
    for (let i = 0; i < 90; i++) {
      const repository = openRepository(fs, discoverRepository(fs, directory)!);
      tip = commitUpon(repository, tip, blobs(2, i)).commit.oid;
      repository.objects.close();
      const packs = fs.readdirSync(`${repository.gitDirectory}/objects/pack`);
      counts.push(packs.filter((name) => name.endsWith('.pack')).length);
    }
    expect(Math.max(...counts)).toBe(40);
    // Each time all at once: the others leave the packs alone.
    expect(counts.filter((count, at) => at > 0 && count < counts[at - 1]!).length).toBeLessThanOrEqual(3);
  });

  it('stores versions of a growing file and folder as deltas of each other, which native git reads too', async () => {
    const repository = await makeRepository();
    const written: NewObject[] = [];
    const log = [...'abcdefgh'].map((letter) => letter.repeat(120));
    let tip: string | null = null;
    let entries: TreeEntry[] = [];
    for (let i = 0; i < 150; i++) {
      log.push(`line ${i} of a log that only grows`);
      const blob = newObject('blob', Buffer.from(log.join('\n')));
      entries = [...entries, { mode: '100644', name: `${String(i).padStart(4, '0')}.md`, oid: blob.oid }];
      const tree = newObject('tree', formatTree(entries));
      const parents = tip ? [tip] : [];
      const content = { tree: tree.oid, parents, author: signature, committer: signature, message: 'm\n' };
      const commit = newObject('commit', formatCommit(content));
      const release = repository.objects.write([blob, tree, commit]);
      const move = { ref: 'refs/heads/main', from: tip, to: commit.oid, reason: 'test', identity: signature };
      repository.refs.update(move);
      release();
      repository.packKeeper.step();
      tip = commit.oid;
      written.push(blob, tree, commit);
    }
    const fresh = new ObjectDatabase(new Disk(fs), `${repository.gitDirectory}/objects`);
    for (const object of written) expect(fresh.read(object.oid).data.equals(object.data)).toBe(true);
    const { object } = await git.readObject({ fs, gitdir: repository.gitDirectory, oid: written[0]!.oid });
    expect(Buffer.from(object as Uint8Array).equals(written[0]!.data)).toBe(true);
    const bytes = written.reduce((sum, { data }) => sum + data.length, 0);
    const folder = `${repository.gitDirectory}/objects/pack`;
    const stored = fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    expect(stored).toBeLessThan(bytes / 5);
    if (hasGit) expect(fsck(repository.gitDirectory)).toBe('');
  });

  it.runIf(hasGit)('makes a damaged index anew before it writes, though it needs nothing of that pack', async () => {
    const repository = await makeRepository();
    const write = (text: string): NewObject => {
      const blob = newObject('blob', Buffer.from(text));
      repository.objects.write([blob])();
      return blob;
    };
    const first = write('first');
    const folder = `${repository.gitDirectory}/objects/pack`;
    const index = path.join(folder, fs.readdirSync(folder).find((name) => name.endsWith('.idx'))!);
    fs.chmodSync(index, 0o644);
    fs.writeFileSync(index, Buffer.alloc(fs.statSync(index).size));
    const fresh = new ObjectDatabase(new Disk(fs), `${repository.gitDirectory}/objects`);
    fresh.openPacks();
    fresh.write([newObject('blob', Buffer.from('second'))])();
    expect(run(repository.gitDirectory, 'cat-file', '-p', first.oid)).toBe('first');
  });

  it.runIf(hasGit)(
    'joins packs of native git without unfolding their deltas, and leaves a damaged pack alone',
    async () => {
      const repository = await makeRepository();
      const lines = Array.from(
        { length: 400 },
        (_, line) => `line ${line} ${newObject('blob', Buffer.from(`${line}`)).oid}`,
      );
      let tip: string | null = null;
      const written: NewObject[] = [];
      const commitNext = (number: number) => {
        lines.push(`line ${number} of a log that only grows`);
        const { commit, all } = commitOf([newObject('blob', Buffer.from(lines.join('\n')))], tip);
        const move = { ref: 'refs/heads/main', from: tip, to: commit.oid, reason: 'test', identity: signature };
        const release = repository.objects.write(all);
        repository.refs.update(move);
        release();
        tip = commit.oid;
        written.push(...all);
      };
      for (let number = 0; number < 8; number++) commitNext(number);
      run(repository.gitDirectory, 'repack', '-a', '-d', '-q', '--no-write-bitmap-index');
      const folder = `${repository.gitDirectory}/objects/pack`;
      const bytes = () =>
        fs
          .readdirSync(folder)
          .reduce((sum, name) => sum + (name.endsWith('.pack') ? fs.statSync(path.join(folder, name)).size : 0), 0);
      const packed = bytes();
      for (let number = 8; number < 12; number++) commitNext(number);
      const sound = fs.readdirSync(folder);
      commitNext(12);
      const [damaged] = fs.readdirSync(folder).filter((name) => name.endsWith('.pack') && !sound.includes(name));
      const right = fs.readFileSync(path.join(folder, damaged!));
      fs.chmodSync(path.join(folder, damaged!), 0o644);
      fs.writeFileSync(
        path.join(folder, damaged!),
        right.map((byte, position) => (position === 40 ? byte ^ 1 : byte)),
      );
      const again = openRepository(fs, discoverRepository(fs, repository.gitDirectory)!);
      expect(again.packKeeper.joinAll()).toEqual({ merged: 5 });
      fs.writeFileSync(path.join(folder, damaged!), right);
      expect(bytes() - right.length).toBeLessThan(packed * 1.2);
      const fresh = new ObjectDatabase(new Disk(fs), `${repository.gitDirectory}/objects`);
      for (const object of written) expect(fresh.read(object.oid).data.equals(object.data)).toBe(true);
      expect(fsck(repository.gitDirectory)).toBe('');
    },
  );

  it('joins packs piece by piece, however large they are', async () => {
    let largest = 0;
    const watch = (name: 'readSync' | 'writeSync') => ({
      [name]: (...given: unknown[]) => {
        largest = Math.max(largest, (given[1] as Uint8Array).length);
        return (fs[name] as (...all: unknown[]) => number)(...given);
      },
    });
    const repository = await makeRepository({ ...fs, ...watch('readSync'), ...watch('writeSync') });
    const written = Array.from({ length: 8 }, (_, pack) =>
      Array.from({ length: 20 }, (_, number) => {
        const object = newObject('blob', randomBytes(8_000));
        return number > 0 ? object : newObject('blob', Buffer.from(`one beginning ${'-'.repeat(4_000)}${pack}`));
      }),
    );
    for (const objects of written) repository.objects.write(objects)();
    repository.objects.forget();
    largest = 0;
    expect(repository.packKeeper.joinAll()).toEqual({ merged: 8 });
    expect(largest).toBeLessThanOrEqual(64 << 10);
    for (const object of written.flat())
      expect(repository.objects.read(object.oid).data.equals(object.data)).toBe(true);
    if (hasGit) expect(fsck(repository.gitDirectory)).not.toContain('error');
  });

  it('holds what was read of a pack while questions ask for it, and no longer', async () => {
    let readCount = 0;
    const counting = (...given: Parameters<typeof fs.readSync>) => {
      readCount += 1;
      return fs.readSync(...given);
    };
    const repository = await makeRepository({ ...fs, readSync: counting as typeof fs.readSync });
    const objects = blobs(200);
    repository.objects.write(objects)();
    repository.objects.forget();
    const readsOf = (from: number, to: number) => {
      readCount = 0;
      for (const { oid } of objects.slice(from, to)) repository.objects.read(oid);
      return readCount;
    };
    expect(readsOf(0, 100)).toBeGreaterThan(0);
    expect(readsOf(100, 150)).toBe(0);
    repository.objects.write(blobs(1, 1))();
    expect(readsOf(150, 160)).toBe(0);
    for (const seed of [2, 3]) repository.objects.write(blobs(1, seed))();
    expect(readsOf(160, 170)).toBeGreaterThan(0);
  });
});

describe('beside a collection with --prune=now that looked before the ref moved', () => {
  const move = (oid: string) => ({ ref: 'refs/heads/main', from: null, to: oid, reason: 'test', identity: signature });
  const expectWhole = (directory: string, all: readonly NewObject[]) => {
    expect(fsck(directory)).toBe('');
    const fresh = new ObjectDatabase(new Disk(fs), `${directory}/objects`);
    for (const object of all) expect(fresh.read(object.oid).data.equals(object.data)).toBe(true);
  };

  it.runIf(hasGit)('a commit that is all there is to write stays', async () => {
    const repository = await makeRepository();
    const { commit, all } = commitOf(blobs(3));
    repository.objects.write(all)();
    repository.refs.update(move(commit.oid));
    const parents = [commit.oid];
    const tree = all.find((object) => object.type === 'tree' && commit.data.includes(object.oid))!.oid;
    const content = { tree, parents, author: signature, committer: signature, message: 'next\n' };
    const next = newObject('commit', formatCommit(content));
    const release = repository.objects.write([next]);
    const collection = beginCollection(repository.gitDirectory);
    repository.refs.update({ ...move(next.oid), from: commit.oid });
    release();
    collection.finish();
    expectWhole(repository.gitDirectory, [...all, next]);
  });

  it.runIf(hasGit)('objects that were written before in vain stay', async () => {
    const repository = await makeRepository();
    const { commit, all } = commitOf(blobs(3));
    repository.objects.write(all)();
    const collection = beginCollection(repository.gitDirectory);
    const release = repository.objects.write(all);
    repository.refs.update(move(commit.oid));
    release();
    collection.finish();
    expectWhole(repository.gitDirectory, all);
  });
});

describe('trees', () => {
  it.runIf(hasGit)('are the trees native git makes of the same files', async () => {
    const directory = temporaryFolder();
    run(directory, 'init', '-q', '-b', 'main');
    const names = ['a', 'a.b', 'a-b/x', 'a/b', 'ab', 'ä/ö', '日本/語.md', '\u{1F600}/x', '￿'].filter(
      (name) => name !== 'a',
    );
    for (const name of names) {
      fs.mkdirSync(path.join(directory, path.dirname(name)), { recursive: true });
      fs.writeFileSync(path.join(directory, name), name);
    }
    run(directory, 'add', '-A');
    const expected = run(directory, 'write-tree').trim();
    const changes = new Map<string, TreeChange>(
      names.map((name) => [name, { mode: '100644', oid: newObject('blob', Buffer.from(name)).oid }]),
    );
    expect(editTree(null, changes, () => []).root).toBe(expected);
  });

  it('lose emptied folders, refuse twins by case, and a file where a folder is', () => {
    const store = new Map<string, NewObject>();
    const read = (oid: string) => entriesOf(cutTree(store.get(oid)!.data, oid));
    const apply = (root: string | null, changes: [string, TreeChange][]) => {
      const result = editTree(root, new Map(changes), read);
      for (const tree of result.trees) store.set(tree.oid, tree);
      return result.root;
    };
    const file = { mode: '100644', oid: 'a'.repeat(40) } as const;
    const one = apply(null, [['knowledge/people/ana.md', file]]);
    const two = apply(one, [['knowledge/people/ben.md', file]]);
    expect([...walkTree(two, read)].map(({ path: p }) => p)).toEqual([
      'knowledge/people/ana.md',
      'knowledge/people/ben.md',
    ]);
    expect(apply(two, [['knowledge/people/ben.md', null]])).toBe(one);
    expect(apply(one, [['knowledge/people/ana.md', null]])).toBeNull();
    expect(() => apply(one, [['knowledge/people/Ana.md', file]])).toThrow(/are one name where case is ignored/);
    expect(() => apply(one, [['knowledge/people', file]])).toThrow(/is a directory/);
    expect(() => apply(one, [['knowledge/people/ana.md/x', file]])).toThrow(/is a file/);
    expect(diffTrees(one, two, (oid) => cutTree(store.get(oid)!.data, oid))).toEqual([
      { path: 'knowledge/people/ben.md', before: null, after: { mode: '100644', oid: file.oid } },
    ]);
  });
});
