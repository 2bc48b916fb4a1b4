// Purge in repositories that are more than one folder with one branch: what is rewritten, what is told of, and what is refused.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, commitAll, fsck, git, hasGit, newRepository, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder, writeDeep } from '../helpers/temporary.ts';
import { tracesOf } from '../helpers/traces.ts';

const secret = 'the blue heron sleeps by the weir';
const traces = ['blue heron', 'blue-heron'];

/** A memory that was told it, closed. */
async function told(): Promise<string> {
  const { memory, directory } = await newTestMemory({ configuration: { timezone: 'UTC' } });
  await memory.capture('Braga is calm in May.');
  await memory.write('knowledge/people/ana.md', `# Ana\n\n- knows that ${secret}\n- lawyer\n`);
  await memory.close();
  return directory;
}

async function refusalOf(directory: string): Promise<{ code: string; message: string }> {
  const memory = await openMemory({ dir: directory });
  const before = git(directory, 'for-each-ref') + git(directory, 'count-objects', '-v');
  const error = await memory.purge({ text: secret }).catch((refused) => refused);
  await memory.close();
  expect(git(directory, 'for-each-ref') + git(directory, 'count-objects', '-v')).toBe(before);
  return error;
}

describe.skipIf(!hasGit)('a purge', () => {
  it('follows every work tree of the repository, from whichever it was asked for', async () => {
    const directory = await told();
    const linked = path.join(temporaryFolder(), 'linked');
    git(directory, 'worktree', 'add', '-q', '-b', 'explore/side', linked);
    fs.appendFileSync(path.join(linked, 'knowledge/people/ana.md'), `- told the side that ${secret}\n`);
    git(linked, 'commit', '-qam', `side: ${secret}`);
    fs.writeFileSync(path.join(directory, 'knowledge/people/rui.md'), '# Rui\n\n- by hand\n');
    const memory = await openMemory({ dir: linked });
    const result = await memory.purge({ text: secret });
    await memory.close();
    expect(result.left).toEqual([]);
    expect(result.refs.map(({ ref }) => ref).sort()).toEqual(['refs/heads/explore/side', 'refs/heads/main']);
    for (const tree of [directory, linked]) {
      expect(tracesOf(tree, traces)).toEqual([]);
      expect(fs.readFileSync(path.join(tree, 'knowledge/people/ana.md'), 'utf8')).toContain('[purged');
    }
    expect(git(linked, 'status', '--porcelain')).toBe('');
    expect(git(directory, 'status', '--porcelain')).toBe('?? knowledge/people/rui.md\n');
    expect(fsck(directory)).toBe('');
  });

  it('drops the signatures of what it rewrites, says so before and after, and leaves those of what came before', async () => {
    const directory = await told();
    const signature = ['-----BEGIN PGP SIGNATURE-----', '', 'iQFakedButShapedLikeOne', '-----END PGP SIGNATURE-----'];
    const sign = (commit: string) => {
      const text = git(directory, 'cat-file', 'commit', commit);
      const at = text.indexOf('\n\n');
      const signed = `${text.slice(0, at)}\ngpgsig ${signature.join('\n ')}${text.slice(at)}`;
      return tryGit(directory, ['hash-object', '-t', 'commit', '-w', '--stdin'], signed).stdout.trim();
    };
    const commits = git(directory, 'rev-list', '--reverse', 'main').trim().split('\n');
    const early = sign(commits.at(-2)!);
    git(directory, 'update-ref', 'refs/heads/early', early);
    git(directory, 'update-ref', 'refs/heads/late', sign('main'));
    const tag = (name: string, target: string) => {
      const head = `object ${git(directory, 'rev-parse', target).trim()}\ntype commit\ntag ${name}\n`;
      const body = `tagger P <p@example.org> 1771234200 +0000\n\nrelease\n${signature.join('\n')}\n`;
      const oid = tryGit(directory, ['hash-object', '-t', 'tag', '-w', '--stdin'], head + body).stdout.trim();
      git(directory, 'update-ref', `refs/tags/${name}`, oid);
      return oid;
    };
    const earlyTag = tag('v1', 'early');
    tag('v2', 'late');
    const memory = await openMemory({ dir: directory });
    expect((await memory.purge({ text: secret }, { dryRun: true })).signed).toBe(2);
    const { signed, receipt } = await memory.purge({ text: secret });
    expect(signed).toBe(2);
    expect(JSON.parse(await memory.read(receipt!)).counts).toMatchObject({ signatures: 2 });
    await memory.close();
    expect(git(directory, 'rev-parse', 'early', 'v1')).toBe(`${early}\n${earlyTag}\n`);
    expect(git(directory, 'cat-file', 'commit', 'early')).toContain('gpgsig');
    expect(git(directory, 'cat-file', 'commit', 'late')).not.toContain('gpgsig');
    expect(git(directory, 'cat-file', 'tag', 'v2')).toMatch(/\n\nrelease\n$/);
    expect(tracesOf(directory, traces)).toEqual([]);
    expect(fsck(directory)).toBe('');
  });

  it('tells what Git LFS and submodules keep, with the commands, and does not touch them', async () => {
    const directory = await told();
    const keep = (bytes: string) => {
      const id = createHash('sha256').update(bytes).digest('hex');
      const file = path.join(directory, '.git/lfs/objects', id.slice(0, 2), id.slice(2, 4), id);
      writeDeep(file, bytes);
      return { id, file };
    };
    const [gone, holding, other] = [keep('a picture'), keep(`large, and ${secret}`), keep('something else')];
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${gone.id}\nsize 9\n`;
    fs.mkdirSync(path.join(directory, 'raw/artifacts'), { recursive: true });
    fs.writeFileSync(path.join(directory, 'raw/artifacts/heron.png'), pointer);
    const sub = newRepository();
    git(sub, 'commit', '-q', '--allow-empty', '-m', 'first');
    git(directory, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'vendor/library');
    commitAll(directory, 'a picture and a library');
    const link = git(directory, 'rev-parse', 'HEAD:vendor/library');
    const memory = await openMemory({ dir: directory });
    const byPath = await memory.purge({ path: 'raw/artifacts/heron.png' });
    const places = ({ left }: typeof byPath) => left.map(({ where }) => fs.realpathSync(where)).sort();
    const module = fs.realpathSync(path.join(directory, '.git/modules/vendor/library'));
    expect(places(byPath)).toEqual([fs.realpathSync(gone.file), module].sort());
    expect(byPath.left.map(({ why }) => why).join()).toContain(`rm '`);
    expect(byPath.elsewhere.map(({ what }) => what).join()).toContain(gone.id);
    const byText = await memory.purge({ text: secret });
    expect(places(byText)).toEqual([fs.realpathSync(holding.file), module].sort());
    await memory.close();
    for (const { file } of [gone, holding, other]) expect(fs.existsSync(file)).toBe(true);
    expect(git(directory, 'rev-parse', 'HEAD:vendor/library')).toBe(link);
    expect(blemishes(directory)).toBe('');
  });

  it('refuses, and changes nothing, where a part of history is elsewhere or somebody is in the middle of something', async () => {
    const directory = await told();
    const copyOf = () => {
      const copy = temporaryFolder();
      fs.cpSync(directory, copy, { recursive: true });
      return copy;
    };
    const cases: [string, RegExp, (copy: string) => string | undefined][] = [
      ['UNSUPPORTED_REPOSITORY', /replace/, (copy) => void git(copy, 'replace', 'HEAD', 'HEAD~1')],
      ['UNSUPPORTED_REPOSITORY', /grafts/, (copy) => fs.writeFileSync(`${copy}/.git/info/grafts`, '') as undefined],
      [
        'UNSUPPORTED_REPOSITORY',
        /--unshallow/,
        (copy) => {
          const clone = path.join(temporaryFolder(), 'clone');
          git(copy, 'clone', '-q', '--depth', '1', `file://${copy}`, clone);
          return clone;
        },
      ],
      [
        'UNSUPPORTED_REPOSITORY',
        /repack -a -d/,
        (copy) => {
          const clone = path.join(temporaryFolder(), 'clone');
          git(copy, 'clone', '-q', '--shared', copy, clone);
          return clone;
        },
      ],
      [
        'CONFLICT',
        /restore --staged/,
        (copy) => {
          fs.writeFileSync(`${copy}/staged.md`, secret);
          git(copy, 'add', 'staged.md');
          return undefined;
        },
      ],
      ['CONFLICT', /git branch -m/, (copy) => void git(copy, 'branch', secret.replaceAll(' ', '-'))],
      [
        'CONFLICT',
        /Check a branch out/,
        (copy) => void git(copy, 'worktree', 'add', '-q', '--detach', path.join(temporaryFolder(), 'linked')),
      ],
      [
        'CONFLICT',
        /worktree prune/,
        (copy) => {
          const linked = path.join(temporaryFolder(), 'linked');
          git(copy, 'worktree', 'add', '-q', '-b', 'explore/side', linked);
          fs.renameSync(linked, `${linked}-away`);
          return undefined;
        },
      ],
      [
        'CONFLICT',
        /refs of its own/,
        (copy) => {
          const linked = path.join(temporaryFolder(), 'linked');
          git(copy, 'worktree', 'add', '-q', '-b', 'explore/side', linked);
          git(linked, 'update-ref', 'refs/worktree/mine', 'HEAD');
          return undefined;
        },
      ],
    ];
    for (const [code, message, arrange] of cases) {
      const copy = copyOf();
      const where = arrange(copy) ?? copy;
      expect(await refusalOf(where)).toMatchObject({ code, message: expect.stringMatching(message) });
    }
    // A rename does not lead from one file system to another.
    if (fs.statSync(os.tmpdir()).dev === fs.statSync(directory).dev) return;
    const away = fs.mkdtempSync(path.join(os.tmpdir(), 'git-memory-test-'));
    try {
      git(directory, 'worktree', 'add', '-q', '-b', 'explore/side', `${away}/linked`);
      expect(await refusalOf(directory)).toMatchObject({ code: 'UNSUPPORTED_REPOSITORY' });
    } finally {
      fs.rmSync(away, { recursive: true, force: true });
    }
  });
});
