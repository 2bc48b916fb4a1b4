// Files that come with words: in the commit of the capture, once, under a name of their bytes.

import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const pictureOf = (length: number, factor = 7) =>
  new Uint8Array(Buffer.concat([png, Buffer.from(Uint8Array.from({ length }, (_, at) => (at * factor) % 256))]));
const picture = pictureOf(3000);
const paper = new Uint8Array(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100)]));

describe('an attachment', () => {
  it('is stored once, in the commit of the capture, and comes back byte for byte', async () => {
    const { memory, directory } = await newTestMemory();
    const first = await memory.capture({
      messages: [
        { role: 'user', text: 'Look at this.', attachments: [{ name: '../../evil/Photo [1].PNG', bytes: picture }] },
        { role: 'agent', text: 'I see.' },
      ],
    });
    const [path] = first.attachments!;
    expect(path).toMatch(/^attachments\/([0-9a-f]{2})\/\1[0-9a-f]{30}\.png$/);
    expect(Buffer.from(await memory.readBytes(path!)).equals(Buffer.from(picture))).toBe(true);
    expect(await memory.read(first.path)).toContain(`Look at this.\n\n> [attachment:${path}] ../../evil/Photo 1 .PNG`);
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({ oid: first.commit, paths: [path, first.path] });
    const second = await memory.capture({ text: 'Again.', attachments: [{ name: 'copy.png', bytes: picture }] });
    expect(second.attachments).toEqual([path]);
    expect((await memory.files('attachments')).length).toBe(1);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: directory }).toString()).toBe('');
    await expect(memory.write(path!, 'x')).rejects.toMatchObject({ code: 'IMMUTABLE' });
    await memory.undo(second.commit!);
    expect(await memory.files('attachments')).toEqual([path]);
  });

  it('of text loses its secrets, and other bytes stay', async () => {
    const { memory } = await newTestMemory();
    const secret = ['ghp', `_${'a1B2c3D4e5F6'.repeat(3)}`].join('');
    const { attachments } = await memory.capture({
      text: 'The log.',
      attachments: [{ name: 'run.log', bytes: Buffer.from(`token ${secret}\n`) }],
    });
    expect(Buffer.from(await memory.readBytes(attachments![0]!)).toString()).not.toContain(secret);
  });

  it('that is too large, too many or none is answered, and nothing is written', async () => {
    const { memory } = await newTestMemory({}, 'attachments:\n  max_bytes: 1000\n');
    await memory.commit();
    const tip = memory.tip;
    const small = { name: 'a.bin', bytes: picture.subarray(0, 10) };
    for (const [attachments, code] of [
      [[{ name: 'a.png', bytes: picture }], 'TOO_LARGE'],
      [Array.from({ length: 21 }, () => small), 'TOO_LARGE'],
      [[{ name: 'a.png' }], 'INVALID_ARGUMENT'],
      [[{ bytes: picture }], 'INVALID_ARGUMENT'],
      [[{ name: 'a.png', bytes: small.bytes, path: 'a.png' }], 'INVALID_ARGUMENT'],
      [[{ path: '' }], 'INVALID_ARGUMENT'],
      [[{ path: 'nowhere.png' }], 'NOT_FOUND'],
      [[{ path: 'nowhere/at/all.png' }], 'NOT_FOUND'],
      [[null], 'INVALID_ARGUMENT'],
      ['a.png', 'INVALID_ARGUMENT'],
    ] as const) {
      await expect(memory.capture({ text: 'x', attachments: attachments as never })).rejects.toMatchObject({ code });
    }
    expect(memory.tip).toBe(tip);
  });
});

describe('an attachment of a running session', () => {
  it('is durable with its message, comes back after a crash, and joins the commit of the end', async () => {
    const { memory, directory, clock } = await newTestMemory();
    const session = await memory.startSession({ session: 'talk' });
    const said = await session.message('user', 'Look.', { attachments: [{ name: 'a.png', bytes: picture }] });
    const [path] = said.attachments!;
    expect(path).toMatch(/^attachments\/.*\.png$/);
    expect(Buffer.from(await memory.readBytes(path!)).equals(Buffer.from(picture))).toBe(true);
    // Nothing is closed: what follows finds the journal as a crash leaves it.
    memory.dispose();
    const again = await openMemory({ dir: directory, clock, durability: 'fast' });
    const resumed = await again.startSession({ session: 'talk' });
    const alone = await resumed.message('user', '', { attachments: [{ name: 'b.pdf', bytes: paper }] });
    expect(alone).toMatchObject({ turn: 2, attachments: [expect.stringMatching(/\.pdf$/)] });
    const ended = await resumed.end();
    expect(ended.attachments).toEqual([path, alone.attachments![0]]);
    expect((await again.log({ limit: 1 })).commits[0]).toMatchObject({
      oid: ended.commit,
      paths: [path!, alone.attachments![0]!, ended.path].sort(),
    });
    expect((await again.status()).pending).toEqual([]);
    if (hasGit) expect(blemishes(directory)).toBe('');
    await again.close();
  });

  it('that two sessions bring at once is one file, whichever ends first', async () => {
    const { memory } = await newTestMemory();
    const [one, two] = [await memory.startSession({ session: 'one' }), await memory.startSession({ session: 'two' })];
    const attachments = [{ name: 'a.png', bytes: picture }];
    await one.message('user', 'This one.', { attachments });
    await two.message('user', 'The same.', { attachments });
    const [second, first] = [await two.end(), await one.end()];
    expect(second.attachments).toEqual(first.attachments);
    const [path] = first.attachments!;
    const commits = (await memory.log({ limit: 2 })).commits;
    expect(commits.map(({ paths }) => paths.includes(path!))).toEqual([false, true]);
    expect(await memory.files('attachments')).toEqual([path]);
  });

  it('is refused like any other, and the session goes on', async () => {
    const { memory } = await newTestMemory();
    const session = await memory.startSession({});
    for (const attachments of [[{ name: 'x' }], [{ path: 'nowhere' }], 'x']) {
      const message = session.message('user', 'x', { attachments: attachments as never });
      await expect(message).rejects.toMatchObject({ code: expect.stringMatching(/^(INVALID_ARGUMENT|NOT_FOUND)$/) });
    }
    await expect(session.message('user', '', { attachments: [] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(await session.message('user', 'On we go.')).toMatchObject({ turn: 1 });
  });
});

describe('the file of an attachment', () => {
  it('is read by its path, and no link leads anywhere', async () => {
    const { memory } = await newTestMemory();
    const folder = temporaryFolder();
    const secret = join(temporaryFolder(), 'secret.txt');
    writeFileSync(secret, 'hidden');
    writeFileSync(join(folder, 'plan.png'), picture);
    symlinkSync(secret, join(folder, 'link.png'));
    const { path, attachments } = await memory.capture({
      text: 'The plan.',
      attachments: [{ path: join(folder, 'plan.png') }, { path: join(folder, 'plan.png'), name: 'the same' }],
    });
    expect(attachments).toHaveLength(1);
    expect(await memory.read(path)).toContain(`] plan.png\n> [attachment:${attachments![0]}] the same`);
    const linked = memory.capture({ text: 'x', attachments: [{ path: join(folder, 'link.png') }] });
    await expect(linked).rejects.toMatchObject({ code: 'UNSAFE_FILE', hint: expect.stringContaining('itself') });
    await expect(memory.capture({ text: 'x', attachments: [{ path: folder }] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('is called after what it is, and the same bytes are one file under any name', async () => {
    const { memory } = await newTestMemory();
    const bytesOf = (text: string) => Buffer.from(text);
    const endingOf = async (name: string, bytes: Uint8Array) => {
      const { attachments } = await memory.capture({ text: name, attachments: [{ name, bytes }] });
      return attachments![0]!.slice('attachments/ab/'.length + 32);
    };
    expect(await endingOf('photo.JPEG', Buffer.from([0xff, 0xd8, 0xff, 0, 1]))).toBe('.jpg');
    expect(await endingOf('photo.png', paper)).toBe('.pdf');
    expect(await endingOf('report.docx', bytesOf('PK\x03\x04 docx'))).toBe('.docx');
    expect(await endingOf('table.csv', bytesOf('a,b\n'))).toBe('.csv');
    expect(await endingOf('not a picture.png', bytesOf('words'))).toBe('.txt');
    expect(await endingOf('noise.mp4', Buffer.from([1, 0, 2]))).toBe('.bin');
    expect(await endingOf('README', bytesOf('read me'))).toBe('');
    expect(await endingOf('again.md', bytesOf('read me'))).toBe('');
  });

  it('may be larger than a file that people read', async () => {
    const { memory } = await newTestMemory();
    const bytes = pictureOf(3 << 20);
    const { attachments } = await memory.capture({ text: 'A film.', attachments: [{ name: 'a.png', bytes }] });
    expect((await memory.readBytes(attachments![0]!)).length).toBe(bytes.length);
  });
});

describe('undo of what brought an attachment', () => {
  it('leaves it to a later transcript that names it, and takes it along with the last', async () => {
    const { memory } = await newTestMemory();
    const attachments = [{ name: 'a.png', bytes: picture }];
    const first = await memory.capture({ text: 'First.', attachments });
    const tree = memory.store.snapshot().tree;
    const second = await memory.capture({ text: 'Second.', attachments });
    const [path] = first.attachments!;
    const undone = await memory.undo(first.commit!);
    expect(undone).toMatchObject({ conflicts: [], commit: memory.tip });
    expect(await memory.files('attachments')).toEqual([path]);
    await expect(memory.read(first.path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    // Both ways back: the capture comes again beside the file, and the other one goes as it came.
    await memory.undo(undone.commit!);
    await memory.undo(second.commit!);
    expect(memory.store.snapshot().tree).toBe(tree);
    await memory.undo(first.commit!);
    expect(await memory.files('attachments')).toEqual([]);
  });

  it('takes it when the path itself is asked for', async () => {
    const { memory } = await newTestMemory();
    const attachments = [{ name: 'a.png', bytes: picture }];
    const first = await memory.capture({ text: 'First.', attachments });
    await memory.capture({ text: 'Second.', attachments });
    await memory.undo(first.commit!, { paths: ['attachments'] });
    expect(await memory.files('attachments')).toEqual([]);
  });
});

describe('the lines for git-lfs', () => {
  const lines = ['png', 'jpg', 'pdf', 'mp4'].map(
    (one) => `attachments/**/*.${one} filter=lfs diff=lfs merge=lfs -text`,
  );

  it('are written when they are asked for and not before', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.capture({ text: 'x', attachments: [{ name: 'a.png', bytes: picture }] });
    const before = await memory.read('.gitattributes');
    expect(before).not.toContain('lfs');
    const { commit } = await memory.git.trackWithLfs();
    expect(await memory.read('.gitattributes')).toBe(`${before}# LFS for binary attachments\n${lines.join('\n')}\n`);
    expect(await memory.read('memory.yaml')).toContain('lfs: true');
    expect(await memory.git.trackWithLfs()).toEqual({
      commit: null,
      lines: ['# LFS for binary attachments', ...lines],
    });
    if (hasGit) {
      const attribute = git(directory, 'check-attr', 'filter', 'merge', 'attachments/ab/x.png', 'attachments/ab/x.txt');
      expect(attribute).toContain('x.png: filter: lfs');
      expect(attribute).toContain('x.txt: filter: unspecified');
      // Without git-lfs the words mean nothing to git, and the bytes are as they were.
      expect(git(directory, 'status', '--porcelain')).toBe('');
    }
    await memory.undo(commit!);
    expect(await memory.read('.gitattributes')).toBe(before);
  });

  it('come with the next attachment where the key is set', async () => {
    const { memory, directory } = await newTestMemory({}, 'version: 1\nattachments: { lfs: true }\n');
    await memory.capture({ text: 'no file' });
    expect(await memory.read('.gitattributes')).not.toContain('lfs');
    const session = await memory.startSession({});
    await session.message('user', 'A file.', { attachments: [{ name: 'a.png', bytes: picture }] });
    const { commit } = await session.end();
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({
      oid: commit,
      paths: expect.arrayContaining(['.gitattributes']),
    });
    expect(readFileSync(join(directory, '.gitattributes'), 'utf8')).toContain(lines.join('\n'));
  });

  it('are the business of a project itself', async () => {
    const { memory } = await newTestMemory({ placement: 'bare' });
    expect(await memory.git.trackWithLfs()).toMatchObject({ commit: memory.tip });
    await memory.close();
    const directory = temporaryFolder();
    const own = await openMemory({ dir: directory, create: true });
    await own.close();
    const project = await newTestMemory({ dir: directory, placement: 'project' });
    await expect(project.memory.git.trackWithLfs()).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      hint: expect.stringContaining(lines[0]!),
    });
    await project.memory.close();
  });
});
