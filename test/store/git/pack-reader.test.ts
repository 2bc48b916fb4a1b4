// Packs as a process meets them that lives long: one after the other, by the hundred thousand.

import fs from 'node:fs';
import { expect, it } from 'vitest';
import { Disk } from '../../../src/store/git/disk.ts';
import { type GitObject, hashObject } from '../../../src/store/git/object-codec.ts';
import { newDeltaBaseCache, PackReader } from '../../../src/store/git/pack-reader.ts';
import { commitAll, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

it.skipIf(!hasGit)('read each object as it is, however many packs the process has opened before', () => {
  const folder = temporaryFolder();
  git(folder, 'init', '-q');
  const lines = Array.from({ length: 400 }, (_, line) => `line ${line}`);
  for (let version = 0; version < 200; version++) {
    lines[version] = `changed ${version}`;
    fs.writeFileSync(`${folder}/${version}.txt`, lines.join('\n'));
  }
  commitAll(folder, 'versions');
  git(folder, 'repack', '-a', '-d', '-q');
  const oids = git(folder, 'cat-file', '--batch-check=%(objectname)', '--batch-all-objects').trim().split('\n');
  const packs = `${folder}/.git/objects/pack`;
  const name = fs
    .readdirSync(packs)
    .find((file) => file.endsWith('.idx'))!
    .slice(0, -'.idx'.length);
  const pack = fs.readFileSync(`${packs}/${name}.pack`);
  const written = { index: fs.readFileSync(`${packs}/${name}.idx`), pack, packBytes: pack.length };
  const disk = new Disk(fs);

  const open = () => new PackReader(disk, packs, name, { written });
  for (let opened = 0; opened < 300_000; opened++) open();
  const [reader, cache] = [open(), newDeltaBaseCache()];
  const read = (oid: string): GitObject => reader.readAt(reader.find(oid), oid, read, cache, 1 << 20);
  const wrong = oids.filter((oid) => {
    const { type, data } = read(oid);
    return hashObject(type, data) !== oid;
  });
  expect(wrong).toEqual([]);
});
