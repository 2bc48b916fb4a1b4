import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../src/adapters/node.ts';
import { readOnlyFileSystem } from '../../src/adapters/read-only.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { planMemory } from '../../src/memory/plan-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, commitAll, fsck, git, hasGit, newRepository } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

function codeRepository(): string {
  const directory = newRepository();
  git(directory, 'config', 'user.name', 'Person');
  git(directory, 'config', 'user.email', 'person@example.org');
  fs.mkdirSync(path.join(directory, 'src'));
  fs.writeFileSync(path.join(directory, 'src/main.c'), 'int main() { return 0; }\n');
  commitAll(directory, 'code');
  return directory;
}

function filesBelow(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !path.join(entry.parentPath, entry.name).includes('/.git/'))
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort();
}

describe.runIf(hasGit)('a memory', () => {
  it('inside a code repository lives on a branch of its own and touches no branch, index or file of the code', async () => {
    const directory = codeRepository();
    const before = {
      head: git(directory, 'rev-parse', 'HEAD'),
      index: fs.readFileSync(`${directory}/.git/index`),
      files: filesBelow(directory),
    };
    const { memory } = await newTestMemory({ dir: path.join(directory, 'src') });
    expect(memory.placement).toBe('branch');
    expect(memory.branchName).toBe('memory/main');
    await memory.capture('The parser was rewritten because it was slow.');
    await memory.remember('The parser is in src/main.c');
    await memory.extract();
    const session = await memory.startSession({ topic: 'live' });
    await session.message('user', 'hello');
    await session.end();
    await memory.undo((await memory.log({ limit: 1 })).commits[0]!.oid);
    await memory.close();
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(before.head);
    expect(fs.readFileSync(`${directory}/.git/index`).equals(before.index)).toBe(true);
    expect(filesBelow(directory)).toEqual(before.files);
    expect(blemishes(directory)).toBe('');
    const again = await openMemory({ dir: directory });
    expect(again.branchName).toBe('memory/main');
    expect((await again.recall('parser')).hits.length).toBeGreaterThan(0);
    await again.close();
  });

  it('is taken from the one remote that has it, as `git switch` would, and is never another one in a clone', async () => {
    const origin = codeRepository();
    const { memory } = await newTestMemory({ dir: origin, placement: 'branch' });
    await memory.remember('The till closes at nine');
    await memory.close();
    const clone = path.join(temporaryFolder(), 'clone');
    git(origin, 'clone', '-q', origin, clone);
    const refs = () => git(clone, 'for-each-ref', '--format=%(refname)').split('\n');
    const before = refs();
    const reader = await openMemory({ dir: clone, readOnly: true });
    expect((await reader.recall('when does the till close')).hits).toHaveLength(1);
    expect(await reader.branches.list()).toMatchObject([{ name: 'main', isCurrent: true }]);
    await reader.close();
    // In a folder that nobody may write to, a writer is told so, and gets no other memory.
    const refused = await openMemory({ dir: clone, fs: readOnlyFileSystem(nodeFileSystem) }).catch(
      (error) => error.code,
    );
    expect(['IO', 'READ_ONLY']).toContain(refused);
    expect(await planMemory({ dir: clone })).toMatchObject({ branch: 'memory/main', exists: true, files: [] });
    const report = await doctor({ dir: clone });
    expect(report).toMatchObject({
      branch: 'memory/main',
      isHealthy: true,
      commit: git(clone, 'rev-parse', 'origin/memory/main').trim(),
    });
    expect(refs()).toEqual(before);
    // A second remote that has one, too, leaves the choice to a person.
    git(clone, 'remote', 'add', 'fork', origin);
    git(clone, 'fetch', '-q', 'fork');
    const both = {
      code: 'AMBIGUOUS',
      hint: expect.stringContaining('git branch --track memory/main origin/memory/main'),
    };
    await expect(openMemory({ dir: clone, create: true })).rejects.toMatchObject(both);
    expect((await doctor({ dir: clone })).findings).toMatchObject([{ code: 'AMBIGUOUS', fix: both.hint }]);
    git(clone, 'remote', 'remove', 'fork');
    const own = await openMemory({ dir: clone, create: true });
    expect(own.branchName).toBe('memory/main');
    await own.remember('The till opens at ten');
    await own.commit();
    expect(await own.sync()).toMatchObject({ state: 'synced' });
    await own.close();
    expect(git(clone, 'rev-parse', '--abbrev-ref', 'memory/main@{upstream}')).toBe('origin/memory/main\n');
    expect(git(clone, 'rev-parse', 'memory/main')).toBe(git(clone, 'rev-parse', 'origin/memory/main'));
    expect(git(clone, 'status', '--short')).toBe('');
    expect(git(origin, 'rev-parse', 'memory/main')).toBe(git(clone, 'rev-parse', 'memory/main'));
    expect(blemishes(clone)).toBe('');
    // It is taken again where the remote has all of it; what was here alone is not passed over.
    git(clone, 'fetch', '-q');
    for (const isWhole of [true, false]) {
      git(clone, 'branch', '-D', 'memory/main');
      const again = await openMemory({ dir: clone });
      const write = again.remember('Till rolls are in the cellar').then(() => again.commit());
      await (isWhole ? write : expect(write).rejects.toMatchObject({ code: 'BRANCH_LOST' }));
      await again.close();
    }
  });

  it('inside a code repository is found from every folder and work tree of it, and synced alone', async () => {
    const directory = codeRepository();
    git(directory, 'branch', 'feature');
    const linked = path.join(temporaryFolder(), 'linked');
    git(directory, 'worktree', 'add', '-q', linked, 'feature');
    const refs = () => git(directory, 'for-each-ref', '--format=%(refname) %(objectname)').split('\n');
    const index = (folder: string) => git(folder, 'ls-files', '--stage', '--debug');
    const before = {
      refs: refs(),
      indexes: [directory, linked].map(index),
      files: [directory, linked].map(filesBelow),
    };
    const { memory } = await newTestMemory({ dir: directory, placement: 'branch' });
    await memory.write('knowledge/people/ada.md', '# Ada\n\nWrote the parser.\n');
    await memory.commit();
    for (const folder of [linked, path.join(linked, 'src'), path.join(directory, 'src')]) {
      const found = await openMemory({ dir: folder });
      expect(found.branchName).toBe('memory/main');
      await found.remember(`asked from ${path.basename(folder)} of ${path.basename(path.dirname(folder))}`);
      expect((await found.recall('who wrote the parser')).hits[0]).toMatchObject({ path: 'knowledge/people/ada.md' });
      await found.close();
    }
    const remote = temporaryFolder();
    git(remote, 'init', '-q', '--bare');
    git(directory, 'remote', 'add', 'origin', remote);
    expect(await memory.sync()).toMatchObject({ state: 'synced' });
    await memory.close();
    const there = git(remote, 'for-each-ref', '--format=%(refname)').trim().split('\n');
    expect(there.filter((ref) => ref.startsWith('refs/heads/'))).toEqual(['refs/heads/memory/main']);
    // Its own branches, and where the remote stands, beside those of git.
    const others = refs().filter((line) => !/^refs\/(?:heads\/memory|remotes\/origin\/memory|git-memory)\//.test(line));
    expect(others).toEqual(before.refs);
    expect([directory, linked].map(index)).toEqual(before.indexes);
    expect([directory, linked].map(filesBelow)).toEqual(before.files);
    for (const folder of [directory, linked]) expect(git(folder, 'status', '--porcelain')).toBe('');
    expect(fsck(directory)).toBe('');
  });

  it('may be bare', async () => {
    const { memory, directory } = await newTestMemory({ placement: 'bare' });
    await memory.capture('said without a work tree');
    await memory.remember('kept without a work tree');
    await memory.close();
    expect(git(directory, 'rev-parse', '--is-bare-repository').trim()).toBe('true');
    expect(git(directory, 'rev-list', '--count', 'main').trim()).toBe('3');
    expect(fsck(directory)).toBe('');
  });

  it("on the code's own branch commits only when asked, and only its own paths", async () => {
    const directory = codeRepository();
    fs.writeFileSync(path.join(directory, 'src/new.c'), 'int x;\n');
    git(directory, 'add', 'src/new.c');
    const { memory } = await newTestMemory({ dir: directory, placement: 'project' });
    const { commit, path: where } = await memory.capture('Decided in the project itself.');
    expect(commit).toBeNull();
    expect(fs.existsSync(path.join(directory, where))).toBe(true);
    const head = git(directory, 'rev-parse', 'HEAD');
    await memory.close();
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(head);
    const again = await openMemory({ dir: directory });
    expect(again.placement).toBe('project');
    const { commits } = await again.commit();
    expect(commits).toHaveLength(1);
    expect(git(directory, 'show', '--name-only', '--format=', 'HEAD').trim()).toBe(where);
    // Beside it memory.yaml and .meta.json, and nothing of the code.
    expect(await again.status()).toMatchObject({ files: 3, conversations: 1 });
    expect(git(directory, 'ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n').length).toBeGreaterThan(3);
    expect(git(directory, 'diff', '--cached', '--name-only').trim()).toBe('src/new.c');
    await again.close();
  });

  it('is found from a folder below, and a branch of it is opened by name', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/people/ana.md', '# Ana\n');
    await memory.close();
    const below = await openMemory({ dir: path.join(directory, 'knowledge/people') });
    expect(below.directory).toBe(directory);
    git(directory, 'branch', 'extract/trial');
    const branch = await openMemory({ dir: directory, branch: 'extract/trial' });
    await branch.capture('only on the trial branch');
    expect(git(directory, 'status', '--porcelain')).toBe('');
    expect((await below.files('raw/')).length).toBe(0);
    expect((await branch.files('raw/')).length).toBe(1);
    await branch.close();
    await below.close();
  });

  it('works in a linked work tree', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.close();
    const linked = path.join(temporaryFolder(), 'linked');
    git(directory, 'worktree', 'add', '-q', '-b', 'second', linked);
    const second = await openMemory({ dir: linked });
    expect(second.branchName).toBe('second');
    await second.capture('said in the linked work tree');
    await second.close();
    expect(git(linked, 'status', '--porcelain')).toBe('');
    expect(blemishes(directory)).toBe('');
  });
});

it.runIf(hasGit)(
  'a repository that the engine cannot write without harm is refused clearly: SHA-256, reftable, partial clones, unknown extensions',
  async () => {
    const extensions: [string, RegExp][] = [
      ['objectFormat = sha256', /sha256/],
      ['refStorage = reftable', /reftable/],
      ['partialClone = origin', /partial clone/],
      ['somethingNew = true', /somethingnew/],
    ];
    for (const [line, message] of extensions) {
      const { memory, directory } = await newTestMemory();
      await memory.close();
      const config = path.join(directory, '.git/config');
      fs.writeFileSync(
        config,
        `${fs.readFileSync(config, 'utf8').replace('repositoryformatversion = 0', 'repositoryformatversion = 1')}[extensions]\n\t${line}\n`,
      );
      await expect(openMemory({ dir: directory })).rejects.toMatchObject({
        code: 'UNSUPPORTED_REPOSITORY',
        message: expect.stringMatching(message),
      });
    }
  },
);
