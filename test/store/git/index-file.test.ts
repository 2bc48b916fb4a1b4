import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Disk } from '../../../src/store/git/disk.ts';
import { IndexFile, readIndex } from '../../../src/store/git/index-file.ts';
import { hashObject } from '../../../src/store/git/object-codec.ts';
import { git, hasGit, newRepository } from '../../helpers/native-git.ts';
import { writeDeep } from '../../helpers/temporary.ts';

function repositoryWith(files: Record<string, string>) {
  const directory = newRepository();
  for (const [name, text] of Object.entries(files)) {
    writeDeep(path.join(directory, name), text);
  }
  git(directory, 'add', '-A');
  return directory;
}

describe.runIf(hasGit)('the git index', () => {
  const files = {
    'a.md': 'a',
    'b/c.md': 'c',
    'b.md': 'b',
    [`long/${'n'.repeat(250)}/${'m'.repeat(250)}.md`]: 'l',
    'ä.md': 'ae',
  };

  it('is written back byte for byte when nothing changes', () => {
    const directory = repositoryWith(files);
    const bytes = fs.readFileSync(`${directory}/.git/index`);
    const index = IndexFile.parse(bytes, 'index');
    const written = Buffer.concat(index.with(new Map()).format());
    expect(written.subarray(0, written.length - 20).equals(bytes.subarray(0, written.length - 20))).toBe(true);
    expect([...index.entries()].map((entry) => entry.path).sort()).toEqual(Object.keys(files).sort());
  });

  it('takes additions, changes and removals the way native git would, and keeps what else is staged', () => {
    const directory = repositoryWith(files);
    const disk = new Disk(fs);
    const { index } = readIndex(disk, `${directory}/.git/index`);
    const stat = (name: string) => disk.stat(path.join(directory, name));
    fs.writeFileSync(`${directory}/b.md`, 'changed');
    fs.writeFileSync(`${directory}/z.md`, 'new');
    fs.rmSync(`${directory}/a.md`);
    const entry = (name: string, text: string) =>
      [name, { oid: hashObject('blob', Buffer.from(text)), isExecutable: false, stat: stat(name) }] as const;
    git(directory, 'hash-object', '-w', 'b.md', 'z.md');
    const next = index.with(new Map([entry('b.md', 'changed'), entry('z.md', 'new'), ['a.md', null]]));
    fs.writeFileSync(`${directory}/.git/index`, Buffer.concat(next.format()));
    const staged = git(directory, 'ls-files', '-z').split('\0').filter(Boolean).sort();
    expect(staged).toEqual([...Object.keys(files).filter((name) => name !== 'a.md'), 'z.md'].sort());
    expect(git(directory, 'diff', '--name-only')).toBe('');
    expect(next.find('z.md')).toMatchObject({ path: 'z.md' });
    expect(next.find('a.md')).toBeNull();
  });

  it('refuses version 4, split indexes and damage, and names a way out', () => {
    const directory = repositoryWith(files);
    const where = `${directory}/.git/index`;
    git(directory, 'update-index', '--index-version', '4');
    expect(() => IndexFile.parse(fs.readFileSync(where), where)).toThrow(/version 4.*--index-version 2/);
    git(directory, 'update-index', '--index-version', '2');
    const bytes = fs.readFileSync(where);
    bytes[40]! ^= 1;
    expect(() => IndexFile.parse(bytes, where)).toThrow(/damaged/);
    git(directory, 'update-index', '--split-index');
    expect(() => IndexFile.parse(fs.readFileSync(where), where)).toThrow(/split/);
  });
});
