// `git gc --prune=now` beside us, held between what it reads and what it removes: the longest moment of a real one, at any call.

import fs from 'node:fs';
import path from 'node:path';
import { tryGit } from '../helpers/native-git.ts';

/** A collection that has looked and not yet removed anything. */
export interface Collection {
  /** Removes what nothing led to when it looked. */
  finish(): void;
}

/**
 * Looks as `git repack -a -d` and `git prune --expire=now` do (git 2.39, builtin/repack.c and builtin/prune.c):
 *
 *     begin    list packs without .keep · walk refs, logs and index · write all they lead to as a new pack
 *     finish   remove the packs of that list · remove loose objects the walk did not meet, and tmp_* files
 */
export function beginCollection(gitDirectory: string): Collection {
  const objects = path.join(gitDirectory, 'objects');
  const packs = path.join(objects, 'pack');
  const names = new Set(fs.readdirSync(packs));
  const listed = [...names].filter((name) => name.endsWith('.pack')).map((name) => name.slice(0, -5));
  const free = listed.filter((name) => !names.has(`${name}.keep`));
  const roots = ['--all', '--reflog', '--indexed-objects'];
  const reachable = new Set(
    git(gitDirectory, ['rev-list', '--objects', ...roots])
      .split('\n')
      .map((line) => line.slice(0, 40)),
  );
  const base = path.join(packs, '.tmp-collector-pack');
  const made = git(gitDirectory, ['pack-objects', '-q', '--non-empty', '--honor-pack-keep', ...roots, base], '').trim();
  return {
    finish() {
      for (const suffix of made === '' ? [] : ['pack', 'idx']) {
        fs.renameSync(`${base}-${made}.${suffix}`, path.join(packs, `pack-${made}.${suffix}`));
      }
      for (const name of free.filter((one) => one !== `pack-${made}`)) {
        for (const suffix of ['idx', 'pack', 'rev', 'keep']) {
          fs.rmSync(path.join(packs, `${name}.${suffix}`), { force: true });
        }
      }
      for (const fanOut of fs.readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
        const folder = path.join(objects, fanOut);
        for (const name of fs.readdirSync(folder)) {
          if (!reachable.has(fanOut + name)) fs.rmSync(path.join(folder, name));
        }
        if (fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
      }
      for (const folder of [objects, packs]) {
        for (const name of fs.readdirSync(folder)) if (name.startsWith('tmp_')) fs.rmSync(path.join(folder, name));
      }
    },
  };
}

function git(gitDirectory: string, parameters: readonly string[], input?: string): string {
  const { status, stdout, stderr } = tryGit(gitDirectory, ['--git-dir=.', ...parameters], input);
  if (status !== 0) throw new Error(`git ${parameters.join(' ')}: ${stderr}`);
  return stdout;
}
