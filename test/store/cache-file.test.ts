import nodeFs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CacheFile } from '../../src/store/cache-file.ts';
import { Disk } from '../../src/store/git/disk.ts';
import { failingFileSystem } from '../helpers/failing-fs.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const payloads = ['first', '', 'third payload'].map((text) => Buffer.from(text));

function open(folder: string, version = 1, fs = nodeFs as never): CacheFile {
  return new CacheFile({ disk: new Disk(fs), ownDirectory: folder }, 'sample', version);
}

function filled(): { folder: string; path: string; bytes: Buffer } {
  const folder = temporaryFolder();
  const file = open(folder);
  for (const payload of payloads) expect(file.append(payload)).toBe(true);
  return { folder, path: file.path, bytes: nodeFs.readFileSync(file.path) };
}

describe('a cache file', () => {
  it('gives back what was appended, in order, also to another process', () => {
    const { folder } = filled();
    expect(open(folder).read()).toEqual(payloads);
    const [one, other] = [open(folder), open(folder)];
    one.read();
    other.read();
    one.append(Buffer.from('of one'));
    other.append(Buffer.from('of the other'));
    expect(open(folder).read().map(String)).toEqual(['first', '', 'third payload', 'of one', 'of the other']);
  });

  it('never gives back a payload that a flipped bit or a cut has touched', () => {
    const { folder, path, bytes } = filled();
    for (let position = 0; position < bytes.length; position++) {
      const flipped = Buffer.from(bytes);
      flipped[position]! ^= 1 << (position % 8);
      nodeFs.writeFileSync(path, flipped);
      const read = open(folder).read();
      expect(read.length).toBeLessThan(payloads.length);
      expect(read).toEqual(payloads.slice(0, read.length));
      nodeFs.writeFileSync(path, bytes.subarray(0, position));
      const cut = open(folder).read();
      expect(cut).toEqual(payloads.slice(0, cut.length));
    }
  });

  it('holds a large payload to the same', () => {
    const folder = temporaryFolder();
    const payload = Buffer.alloc(2 ** 20, 'large');
    open(folder).append(payload);
    expect(open(folder).read()).toEqual([payload]);
    const bytes = nodeFs.readFileSync(open(folder).path);
    for (const position of [0, 4, 12, 2 ** 19, bytes.length - 1]) {
      bytes[position]! ^= 4;
      nodeFs.writeFileSync(open(folder).path, bytes);
      expect(open(folder).read(), `byte ${position}`).toEqual([]);
      bytes[position]! ^= 4;
    }
    expect(open(folder, 2).read()).toEqual([]);
  });

  it('is whole again after the next append', () => {
    const { folder, path, bytes } = filled();
    nodeFs.writeFileSync(path, bytes.subarray(0, -1));
    open(folder).append(Buffer.from('next'));
    expect(open(folder).read().map(String)).toEqual(['first', '', 'next']);
    nodeFs.rmSync(path);
    open(folder).append(Buffer.from('anew'));
    expect(open(folder).read().map(String)).toEqual(['anew']);
  });

  it('leaves nothing behind where the disk refuses its last step', () => {
    const folder = temporaryFolder();
    const { fs } = failingFileSystem(({ operation }) => (operation === 'renameSync' ? { code: 'ENOSPC' } : null));
    expect(open(folder, 1, fs as never).replace([Buffer.from('first')])).toBe(false);
    expect(nodeFs.readdirSync(`${folder}/cache`)).toEqual([]);
  });

  it('shows nothing of another version', () => {
    const { folder } = filled();
    expect(open(folder, 2).read()).toEqual([]);
    open(folder, 2).append(Buffer.from('newer'));
    expect(open(folder, 1).read()).toEqual([]);
    expect(open(folder, 2).read().map(String)).toEqual(['newer']);
  });

  it('says that a file system refused, and throws nothing', () => {
    const { folder } = filled();
    const { fs } = failingFileSystem(({ operation }) =>
      operation === 'writeSync' || operation === 'renameSync' ? { code: 'ENOSPC' } : null,
    );
    const file = open(folder, 1, fs as never);
    expect(file.read()).toEqual(payloads);
    expect(file.append(Buffer.from('lost'))).toBe(false);
    expect(file.replace([])).toBe(false);
    expect(open(folder).read()).toEqual(payloads);
  });

  it('removes what a process left that died while it wrote the file anew', () => {
    const { folder, path } = filled();
    nodeFs.writeFileSync(`${path}.new_1_left`, 'torn');
    open(folder).replace(payloads);
    expect(nodeFs.readdirSync(`${folder}/cache`)).toEqual(['sample']);
  });
});
