// Patch ids beside native git: of each commit of odd histories, and of all that lies between two.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../src/adapters/node.ts';
import { patchesOf } from '../../src/history/patch-id.ts';
import { discoverRepository, openRepository } from '../../src/store/git/repository.ts';
import { runApart } from '../helpers/attendant.ts';
import { git, hasGit, newRepository } from '../helpers/native-git.ts';
import { writeDeep } from '../helpers/temporary.ts';

const repositoryIn = (dir: string) => openRepository(nodeFileSystem, discoverRepository(nodeFileSystem, dir)!, false);

/** Gives the patch id that native git has for what is between two trees; null for nothing. */
function native(dir: string, from: string, to: string): string | null {
  const input = runApart('git', ['-C', dir, 'diff-tree', '-p', '--full-index', '--no-renames', from, to]).stdout;
  return runApart('git', ['patch-id', '--stable'], { input }).stdout.toString().split(' ')[0] || null;
}

describe.skipIf(!hasGit)('the patch id of a commit', () => {
  it('is that of git patch-id --stable, whatever kind of file it changes', () => {
    const dir = newRepository();
    const write = (name: string, content: string | Buffer) => {
      writeDeep(path.join(dir, name), content);
    };
    const commits: string[] = [];
    const commit = () => {
      git(dir, 'add', '-A');
      git(dir, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'x', '--allow-empty');
      commits.push(git(dir, 'rev-parse', 'HEAD').trim());
    };
    const lines = (count: number, word = 'line') =>
      Array.from({ length: count }, (_, n) => `  ${word} ${n}\n`).join('');
    write('a.txt', lines(40));
    commit();
    write('a.txt', lines(40).replace('line 7\n', 'line seven\n').replace('line 30\n', ''));
    write('deep/er/b c.txt', 'one\ntwo');
    commit();
    write('deep/er/b c.txt', 'one\ntwo\nthree');
    write('größe "x".txt', 'ümlaut\n');
    write('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    commit();
    write('image.bin', Buffer.from([0, 1, 2, 3]));
    write('latin.txt', Buffer.from('caf\xe9\nth\xe9\n', 'latin1'));
    write('zzz.txt', lines(3));
    commit();
    write('image.bin', Buffer.from([0, 1, 2, 4]));
    write('crlf.txt', 'a\r\nb\r\n');
    write('aaa.txt', 'first\n');
    commit();
    write('crlf.txt', 'a\nb\n');
    write('empty.txt', '');
    fs.chmodSync(path.join(dir, 'a.txt'), 0o755);
    write('next.txt', '-- looks like a head\n@@ not a hunk\n\\ no marker\n');
    commit();
    fs.rmSync(path.join(dir, 'next.txt'));
    fs.symlinkSync('a.txt', path.join(dir, 'next.txt'));
    fs.renameSync(path.join(dir, 'zzz.txt'), path.join(dir, 'renamed.txt'));
    commit();
    commit();
    const patches = patchesOf(repositoryIn(dir));
    for (let at = 1; at < commits.length; at++) {
      expect(patches.of(commits[at]!), `commit ${at}`).toBe(native(dir, commits[at - 1]!, commits[at]!));
      expect(patches.between(commits[0]!, commits[at]!), `all up to ${at}`).toBe(
        native(dir, commits[0]!, commits[at]!),
      );
    }
    // A later process knows them.
    patches.save();
    expect(patchesOf(repositoryIn(dir)).of(commits[3]!)).toBe(patches.of(commits[3]!));
  });
});
