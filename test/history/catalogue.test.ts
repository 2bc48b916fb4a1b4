import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HistoryCatalogue, historyVersion } from '../../src/history/catalogue.ts';
import { CommitColumns } from '../../src/history/commit-facts.ts';
import { CacheFile } from '../../src/store/cache-file.ts';
import { CommitGraph } from '../../src/store/git/commit-graph.ts';
import { discoverRepository, openRepository, type Repository } from '../../src/store/git/repository.ts';
import { git, hasGit, newRepository, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const open = (directory: string): Repository => openRepository(fs, discoverRepository(fs, directory)!);

/** A history with a merge, a mode change, a file that became a folder, names beyond ASCII, and old modes of files. */
function sampleHistory(): string {
  const directory = newRepository();
  const write = (path: string, text: string) => {
    fs.mkdirSync(`${directory}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true });
    fs.writeFileSync(`${directory}/${path}`, text);
  };
  let time = 1_700_000_000;
  const commit = (message: string) => {
    git(directory, 'add', '-A');
    tryGit(directory, ['-c', 'core.hooksPath=', 'commit', '-q', '--allow-empty', '--date', `${time}`, '-m', message]);
    time += 60;
  };
  write('a.txt', 'one\n');
  write('sub/größe.txt', 'size\n');
  commit('root');
  write('a.txt', 'two\n');
  commit('second\n\nOperation: write');
  git(directory, 'checkout', '-q', '-b', 'side');
  write('side.txt', 'side\n');
  commit('on the side');
  git(directory, 'checkout', '-q', 'main');
  fs.rmSync(`${directory}/a.txt`);
  write('a.txt/inside', 'now a folder\n');
  commit('a folder');
  fs.chmodSync(`${directory}/sub/größe.txt`, 0o755);
  commit('mode');
  git(directory, 'merge', '-q', '--no-ff', '-m', 'joined', 'side');
  commit('nothing');
  return directory;
}

function rawOf(directory: string, oid: string, parent: string): string[] {
  const output = git(directory, 'diff-tree', '-r', '-z', '--no-renames', parent, oid).split('\0').slice(0, -1);
  const lines: string[] = [];
  for (let i = 0; i < output.length; i += 2) lines.push(`${output[i]!.slice(1, -2)} ${output[i + 1]}`);
  return lines.sort();
}

function rawOfChanges(changes: ReturnType<HistoryCatalogue['changesOf']>): string[] {
  const zero = '0'.repeat(40);
  return changes
    .map(
      ({ path, before, after }) =>
        `${before?.mode ?? '000000'} ${after?.mode ?? '000000'} ${before?.oid ?? zero} ${after?.oid ?? zero} ${path}`,
    )
    .sort();
}

function factsOf(catalogue: HistoryCatalogue, oids: readonly string[]) {
  return oids.map((oid) => ({ ...catalogue.of(oid), isBoundary: catalogue.isBoundary(oid) }));
}

describe.skipIf(!hasGit)('the history catalogue', () => {
  it('knows of each commit what native git knows, at once and from the file', () => {
    const directory = sampleHistory();
    const oids = git(directory, 'rev-list', '--all').trim().split('\n');
    const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
    const repository = open(directory);
    const first = new HistoryCatalogue(repository);
    const known = factsOf(first, oids);
    first.save();
    const second = new HistoryCatalogue(repository);
    expect(factsOf(second, oids)).toEqual(known);
    for (const oid of oids) {
      const [parents, tree, time, author] = git(directory, 'log', '-1', '--format=%P|%T|%ct|%an', oid)
        .trim()
        .split('|');
      const facts = second.of(oid);
      expect([facts.parents.join(' '), facts.tree, String(facts.time), facts.author]).toEqual([
        parents,
        tree,
        time,
        author,
      ]);
      for (const [place, parent] of facts.parents.entries()) {
        expect(rawOfChanges(second.changesAgainst(oid, place))).toEqual(rawOf(directory, oid, parent));
      }
      if (facts.parents.length === 0) expect(rawOfChanges(facts.changes)).toEqual(rawOf(directory, oid, emptyTree));
      const number = second.numberOf(oid);
      expect(second.parentsAt(number).map((parent) => second.oidAt(parent))).toEqual(facts.parents);
    }
  });

  it('tells which commits touched a file or a folder, those of the file and those found out later alike', () => {
    const directory = sampleHistory();
    const oids = git(directory, 'rev-list', '--all').trim().split('\n');
    const repository = open(directory);
    const part = new HistoryCatalogue(repository);
    for (const oid of oids.slice(0, 3)) part.of(oid);
    part.save();
    for (const path of ['a.txt', 'sub', 'sub/größe.txt', 'side.txt', 'a', 'absent']) {
      const catalogue = new HistoryCatalogue(repository);
      const touches = catalogue.changesOfPath(path);
      const expected = oids.filter((oid) =>
        catalogue.changesOf(oid).some((change) => change.path === path || change.path.startsWith(`${path}/`)),
      );
      expect(oids.filter((oid) => touches(catalogue.numberOf(oid)))).toEqual(expected);
    }
  });

  it('tells of one path what all changes tell, without looking at other folders', () => {
    const directory = sampleHistory();
    const oids = git(directory, 'rev-list', '--all').trim().split('\n');
    const complete = new HistoryCatalogue(open(directory));
    for (const path of ['a.txt', 'a.txt/inside', 'sub', 'sub/größe.txt', 'side.txt', 'a', 'absent', 'absent/below']) {
      const lean = new HistoryCatalogue(open(directory));
      const [touches, changeAt] = [lean.changesOfPath(path), lean.changesOfFile(path)];
      for (const oid of oids) {
        const changes = complete.changesOf(oid);
        const isTouched = changes.some((change) => change.path === path || change.path.startsWith(`${path}/`));
        expect(touches(lean.numberOf(oid))).toBe(isTouched);
        expect(changeAt(lean.numberOf(oid))).toEqual(changes.find((change) => change.path === path) ?? null);
      }
    }
  });

  it('keeps the changes of commits that were asked for one path only, and leaves out what cannot be read', () => {
    const directory = sampleHistory();
    const oids = git(directory, 'rev-list', '--all').trim().split('\n');
    const first = new HistoryCatalogue(open(directory));
    const touches = first.changesOfPath('a.txt');
    for (const oid of oids) touches(first.numberOf(oid));
    first.save();
    const [payload] = new CacheFile(open(directory), 'history', historyVersion).read();
    expect(new CommitColumns(payload!).count).toBe(oids.length);

    fs.rmSync(`${directory}/.git/git-memory/cache`, { recursive: true });
    const folder = git(directory, 'rev-parse', 'HEAD:sub').trim();
    fs.rmSync(`${directory}/.git/objects/${folder.slice(0, 2)}/${folder.slice(2)}`);
    const second = new HistoryCatalogue(open(directory));
    const isTouched = second.changesOfPath('side.txt');
    expect(oids.filter((oid) => isTouched(second.numberOf(oid)))).toHaveLength(2);
    second.save();
    expect(() => oids.map((oid) => second.changesOf(oid))).toThrow(/is not in this repository/);
  });

  it('answers the same with the commit graph of native git, and with a damaged one', () => {
    const directory = newRepository();
    const lines: string[] = [];
    for (let number = 1; number <= 300; number++) {
      // Beyond 2038, and beyond what 32 bits hold.
      const time = number > 290 ? 5_000_000_000 + number : 1_700_000_000 + number;
      lines.push(`commit refs/heads/${number % 50 === 7 ? `side${number}` : 'main'}`, `mark :${number}`);
      lines.push(`committer Ana <ana@example.org> ${time} +0000`, 'data 3', 'why');
      if (number > 1) lines.push(`from :${number % 50 === 8 ? number - 2 : number - 1}`);
      if (number === 200) lines.push('merge :7', 'merge :57', 'merge :107');
      if (number === 210) lines.push('merge :157');
      lines.push(`M 100644 inline ${number % 3}/file`, 'data 4', String(1000 + number), '');
    }
    tryGit(directory, ['fast-import', '--quiet', '--force'], lines.join('\n'));
    const oids = git(directory, 'rev-list', '--all').trim().split('\n');
    const plain = factsOf(new HistoryCatalogue(open(directory)), oids);
    git(directory, 'commit-graph', 'write', '--reachable');
    const file = `${directory}/.git/objects/info/commit-graph`;
    const whole = fs.readFileSync(file);
    const graph = CommitGraph.open(open(directory).disk, `${directory}/.git/objects`);
    expect(oids.every((oid) => graph?.linksOf(oid) !== null)).toBe(true);
    expect(graph?.linksOf('0'.repeat(40))).toBeNull();
    expect(factsOf(new HistoryCatalogue(open(directory)), oids)).toEqual(plain);
    fs.chmodSync(file, 0o644);
    for (const place of [3, 4, 6, 30, 2000, whole.length - 500, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[place]! ^= 1;
      fs.writeFileSync(file, damaged);
      expect(CommitGraph.open(open(directory).disk, `${directory}/.git/objects`)).toBeNull();
    }
    fs.writeFileSync(file, whole.subarray(0, whole.length >> 1));
    expect(factsOf(new HistoryCatalogue(open(directory)), oids)).toEqual(plain);
  });

  it('answers the same with a chain of commit graphs, and with one that is broken somewhere', () => {
    const directory = newRepository();
    const folder = `${directory}/.git/objects/info/commit-graphs`;
    for (const part of [0, 1, 2]) {
      const lines: string[] = [];
      for (let number = part * 30 + 1; number <= part * 30 + 30; number++) {
        lines.push(`commit refs/heads/${number % 10 === 7 ? `side${number}` : 'main'}`);
        lines.push(`committer Ana <ana@example.org> ${1_700_000_000 + number} +0000`, 'data 3', 'why');
        if (number % 30 === 1 && number > 1) lines.push('from refs/heads/main^0');
        if (number % 10 === 7) lines.push('from refs/heads/main');
        // Parents in the layers below, among them more than two.
        if (number === 75)
          lines.push('merge refs/heads/side7^0', 'merge refs/heads/side37^0', 'merge refs/heads/side67');
        lines.push(`M 100644 inline ${number % 3}/file`, 'data 4', String(1000 + number), '');
      }
      const { status, stderr } = tryGit(directory, ['fast-import', '--quiet', '--force'], lines.join('\n'));
      expect([status, stderr]).toEqual([0, '']);
      git(directory, 'commit-graph', 'write', '--reachable', '--split=no-merge');
    }
    const oids = git(directory, 'rev-list', '--all').trim().split('\n');
    const objects = `${directory}/.git/objects`;
    const graphOf = () => CommitGraph.open(open(directory).disk, objects);
    const known = () => {
      const graph = graphOf();
      return oids.filter((oid) => (graph?.linksOf(oid) ?? null) !== null);
    };
    const links = (oid: string) => {
      const { tree, parents, committer } = open(directory).objects.readCommit(oid);
      return { tree, parents, time: committer.time };
    };
    const chain = fs.readFileSync(`${folder}/commit-graph-chain`, 'utf8');
    expect(chain.trim().split('\n')).toHaveLength(3);
    const graph = graphOf()!;
    for (const oid of oids) expect(graph.linksOf(oid)).toMatchObject(links(oid));
    // What stands on a layer that is wrong is not believed; what lies below is.
    const middle = `${folder}/graph-${chain.split('\n')[1]}.graph`;
    const whole = fs.readFileSync(middle);
    fs.chmodSync(middle, 0o644);
    fs.writeFileSync(middle, Buffer.concat([whole.subarray(0, 900), Buffer.from([1]), whole.subarray(901)]));
    const below = known().length;
    expect(below).toBeGreaterThan(0);
    expect(below).toBeLessThan(oids.length / 2);
    fs.writeFileSync(middle, whole);
    const [first, second, third] = chain.trim().split('\n');
    fs.chmodSync(`${folder}/commit-graph-chain`, 0o644);
    for (const names of [[first, third], [second, third], ['../../../config'], ['']]) {
      fs.writeFileSync(`${folder}/commit-graph-chain`, `${names.join('\n')}\n`);
      expect(known().length).toBe(names[0] === first ? below : 0);
    }
  });

  it('answers the same whatever became of its file', () => {
    const directory = sampleHistory();
    const oids = git(directory, 'rev-list', '--all').trim().split('\n');
    const repository = open(directory);
    const first = new HistoryCatalogue(repository);
    const known = factsOf(first, oids);
    first.save();
    const file = `${repository.ownDirectory}/cache/history`;
    const whole = fs.readFileSync(file);
    const damages: (() => void)[] = [
      () => fs.rmSync(file),
      () => fs.writeFileSync(file, ''),
      () => fs.writeFileSync(file, whole.subarray(0, whole.length / 2)),
      () => fs.writeFileSync(file, Buffer.concat([whole, whole.subarray(0, 100)])),
      () => fs.writeFileSync(file, Buffer.alloc(1000)),
      ...Array.from({ length: 40 }, (_, round) => () => {
        const flipped = Buffer.from(whole);
        flipped[Math.floor((flipped.length * round) / 40)]! ^= 1 << (round % 8);
        fs.writeFileSync(file, flipped);
      }),
    ];
    for (const damage of damages) {
      damage();
      const catalogue = new HistoryCatalogue(repository);
      expect(factsOf(catalogue, oids)).toEqual(known);
      catalogue.save();
      expect(factsOf(new HistoryCatalogue(repository), oids)).toEqual(known);
    }
  });

  it('joins its frames before they are many, and keeps what others appended', () => {
    const directory = newRepository();
    const oids: string[] = [];
    for (let number = 0; number < 80; number++) {
      git(directory, 'commit', '-q', '--allow-empty', '-m', `commit ${number}`);
      oids.push(git(directory, 'rev-parse', 'HEAD').trim());
    }
    const repository = open(directory);
    const [one, other] = [new HistoryCatalogue(repository), new HistoryCatalogue(repository)];
    for (const [number, oid] of oids.entries()) {
      const catalogue = number % 2 === 0 ? one : other;
      catalogue.of(oid);
      catalogue.save();
    }
    const frames = new CacheFile(repository, 'history', historyVersion)
      .read()
      .map((payload) => new CommitColumns(payload));
    expect(frames.length).toBeLessThan(40);
    const kept = frames.flatMap((columns) => Array.from({ length: columns.count }, (_, place) => columns.oidAt(place)));
    expect(kept.sort()).toEqual(oids.sort());
  });

  it('ends where a shallow clone ends, and goes on when the clone is deepened or cut', () => {
    const directory = sampleHistory();
    const clone = `${temporaryFolder()}/clone`;
    git(directory, 'clone', '-q', '--depth', '3', `file://${directory}`, clone);
    const walk = () => {
      const catalogue = new HistoryCatalogue(open(clone));
      const tip = git(clone, 'rev-parse', 'HEAD').trim();
      const numbers = new Set([catalogue.numberOf(tip)]);
      for (const number of numbers) for (const parent of catalogue.parentsAt(number)) numbers.add(parent);
      catalogue.save();
      return [...numbers].map((number) => catalogue.oidAt(number)).sort();
    };
    const all = () => git(clone, 'rev-list', 'HEAD').trim().split('\n').sort();
    expect(walk()).toEqual(all());
    git(clone, 'fetch', '-q', '--unshallow');
    expect(walk()).toEqual(all());
    git(clone, 'fetch', '-q', '--depth', '2');
    expect(all().length).toBeLessThan(8);
    expect(walk()).toEqual(all());
  });
});
