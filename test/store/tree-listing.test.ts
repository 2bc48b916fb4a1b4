// Listings that follow trees: the same files in the same order as a walk tells, whatever was listed or kept before.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { discoverRepository } from '../../src/store/git/discovery.ts';
import { openRepository } from '../../src/store/git/repository.ts';
import { walkTree } from '../../src/store/git/tree.ts';
import { TreeListings } from '../../src/store/tree-listing.ts';
import { hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const git = (folder: string, args: readonly string[], input?: string): string => {
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', input });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
};

/** Trees of native git: 80 folders of files, then changes of every kind, a way back, and another history. */
function trees(folder: string): string[] {
  git(folder, ['init', '-q', '--bare']);
  const commit = (lines: readonly string[], from?: string): string => {
    const head = ['commit refs/heads/main', 'committer A <a@example.org> 1700000000 +0000', 'data 1', 'x'];
    git(
      folder,
      ['fast-import', '--quiet', '--force'],
      [...head, ...(from ? [`from ${from}`] : []), ...lines, ''].join('\n'),
    );
    return git(folder, ['rev-parse', 'main^{tree}']);
  };
  const file = (path: string, text: string, mode = '100644') =>
    `M ${mode} inline ${path}\ndata ${text.length}\n${text}`;
  const shards = Array.from({ length: 80 }, (_, at) => `memories/${(at + 16).toString(16)}`);
  const first = commit(shards.flatMap((shard) => [file(`${shard}/b.json`, shard), file(`${shard}/d.json`, 'same')]));
  const changes = [
    [file(`${shards[3]}/a.json`, 'new'), file(`${shards[3]}/c.json`, 'between'), file('zz.md', 'last')],
    [`D ${shards[7]}/b.json`, `D ${shards[8]}`, file(`${shards[9]}/b.json`, 'other')],
    // A folder where a file was and a file where a folder was, names around the slash, a link, a mode, letters beyond the basic ones.
    [
      `D ${shards[10]}`,
      file(shards[10]!, 'a file'),
      `D zz.md`,
      file('zz.md/in.md', 'a folder'),
      file('zz.md-', 'near'),
    ],
    [file('link', 'zz.md-', '120000'), file(`${shards[11]}/b.json`, 'other', '120000'), file('run', 'x', '100755')],
    [
      file('memories/\u{1F600}.json', '1'.repeat(3)),
      file('memories/\uFFFD.json', 'two'),
      file('"memories/\\n.json"', 'line'),
    ],
    shards.slice(20).map((shard) => `D ${shard}/d.json`),
  ];
  return [first, ...changes.map((lines) => commit(lines, 'refs/heads/main^0')), first];
}

describe.skipIf(!hasGit)('listings of trees', () => {
  it('are those of a walk, in its order, from whatever tree and file they follow', () => {
    const folder = temporaryFolder();
    const all = trees(folder);
    const open = () => openRepository(fs as never, discoverRepository(fs as never, folder)!);
    const walked = (root: string, at: string) => {
      const { readTree } = open().objects;
      const tree = at === '' ? root : readTree(root).find(({ name }) => name === at)!.oid;
      const files = [...walkTree(tree, readTree, at === '' ? '' : `${at}/`)].filter(({ mode }) =>
        mode.startsWith('100'),
      );
      return { tree, files: files.map(({ path, oid }) => [path, oid]) };
    };
    const kept = `${folder}/git-memory/cache/listing`;
    for (const at of ['', 'memories']) {
      const one = new TreeListings(open());
      for (const root of all) {
        const { tree, files } = walked(root, at);
        expect([...one.filesOf(at, tree)]).toEqual(files);
        // Another process begins with what was kept of some state before.
        expect([...new TreeListings(open()).filesOf(at, tree)]).toEqual(files);
      }
    }
    const { files } = walked(all[3]!, '');
    const bytes = fs.readFileSync(kept);
    expect(bytes.length).toBeGreaterThan(80 * 20);
    fs.writeFileSync(kept, Buffer.concat([bytes.subarray(0, 40), Buffer.from([bytes[40]! ^ 1]), bytes.subarray(41)]));
    expect([...new TreeListings(open()).filesOf('', all[3]!)]).toEqual(files);
    // What was kept names a tree that is gone.
    const other = temporaryFolder();
    const others = trees(other);
    git(other, ['update-ref', 'refs/heads/main', git(other, ['commit-tree', '-m', 'x', others[3]!])]);
    new TreeListings(openRepository(fs as never, discoverRepository(fs as never, other)!)).filesOf('', others[6]!);
    git(other, ['reflog', 'expire', '--expire=now', '--all']);
    git(other, ['-c', 'gc.pruneExpire=now', 'gc', '-q', '--prune=now']);
    expect(spawnSync('git', ['-C', other, 'cat-file', '-e', others[6]!]).status).not.toBe(0);
    const later = new TreeListings(openRepository(fs as never, discoverRepository(fs as never, other)!));
    expect([...later.filesOf('', others[3]!)]).toEqual(files);
  });

  it('read few trees in a process that begins, and none of those that did not change', () => {
    const folder = temporaryFolder();
    const all = trees(folder);
    const reads = (root: string): number => {
      const repository = openRepository(fs as never, discoverRepository(fs as never, folder)!);
      const asked = new Set<string>();
      const watch = (read: (oid: string) => unknown) => ({
        value: (oid: string) => {
          asked.add(oid);
          return read(oid);
        },
      });
      const { readTree, readTreeBytes } = repository.objects;
      const watched = Object.create(repository.objects, {
        readTree: watch(readTree),
        readTreeBytes: watch(readTreeBytes),
      });
      new TreeListings({ ...repository, objects: watched }).filesOf('', root);
      return asked.size;
    };
    expect(reads(all[0]!)).toBe(82);
    expect(reads(all[0]!)).toBe(0);
    // Both roots, both memories/, both of the shard.
    expect(reads(all[1]!)).toBe(6);
  });
});
