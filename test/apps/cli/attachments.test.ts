// Files that come with words, on the command line: in with `capture --attach`, out with `show --output`, and never as noise on a terminal.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { buildProgram, runHere, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

beforeAll(buildProgram);

const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500, 0x9b), Buffer.alloc(9)]);

async function folderWithPicture(...init: string[]): Promise<string> {
  const folder = temporaryFolder();
  expect(await runHere(folder, ['init', ...init])).toMatchObject({ status: 0, stderr: '' });
  mkdirSync(join(folder, 'scratch'));
  writeFileSync(join(folder, 'scratch', 'plan.png'), picture);
  return folder;
}

it('a picture goes in with capture --attach and comes out with show --output, byte for byte', async () => {
  const folder = await folderWithPicture();
  const captured = await runProgram(folder, [
    'capture',
    '--text',
    'The plan',
    '--attach',
    'scratch/plan.png',
    '--json',
  ]);
  expect(captured).toMatchObject({ status: 0, stderr: '' });
  const { attachments, commit } = JSON.parse(captured.stdout) as { attachments: string[]; commit: string };
  expect([attachments.length, commit]).toEqual([1, expect.stringMatching(/^[0-9a-f]{40}$/)]);
  const [path] = attachments as [string];

  const shown = await runProgram(folder, ['show', path]);
  expect(shown).toMatchObject({ status: 0, stderr: '' });
  expect(shown.stdout).toContain(`${path} is no text: image/png, 517 bytes.`);
  expect(shown.stdout).toContain(`git memory show --output file.png ${path}`);
  // Nothing of the bytes themselves, which a terminal would take for commands.
  expect(shown.stdout).toMatch(/^[\x20-\x7e\n]*$/);
  const json = await runProgram(folder, ['show', path, '--json']);
  expect(JSON.parse(json.stdout)).toEqual({ path, type: 'image/png', bytes: 517, ending: 'png' });

  const written = await runProgram(folder, ['show', path, '--output', 'scratch/out.png']);
  expect(written).toMatchObject({ status: 0, stdout: expect.stringContaining('scratch/out.png has its 517 bytes.') });
  expect(readFileSync(join(folder, 'scratch', 'out.png')).equals(picture)).toBe(true);
  // Of an earlier state as well: then it was not there.
  const earlier = await runProgram(folder, ['show', path, '--at', 'HEAD~1', '--output', 'scratch/none.png']);
  expect(earlier.stderr).toContain('is not in this memory');
});

it('what cannot be attached is answered, and nothing is captured', async () => {
  const folder = await folderWithPicture();
  symlinkSync(join(folder, 'scratch'), join(folder, 'linked'));
  symlinkSync(join(folder, 'scratch', 'plan.png'), join(folder, 'scratch', 'link.png'));
  for (const [file, message] of [
    ['linked/plan.png', 'not a link'],
    ['scratch/link.png', 'not a link'],
    ['scratch', 'this is a folder'],
    ['scratch/nowhere.png', 'there is no such file'],
  ] as const) {
    const { status, stderr } = await runProgram(folder, ['capture', '--text', 'x', '--attach', file]);
    expect(status, file).not.toBe(0);
    expect(stderr).toContain(message);
    expect(stderr).toContain(file);
  }
  const status = await runProgram(folder, ['status', '--json']);
  expect(JSON.parse(status.stdout)).toMatchObject({ conversations: 0 });
});

it('init --lfs writes the lines for git-lfs, also into a memory that is there', async () => {
  const folder = await folderWithPicture();
  const lines = () => readFileSync(join(folder, '.gitattributes'), 'utf8');
  expect(lines()).not.toContain('lfs');
  expect(await runProgram(folder, ['init', '--lfs'])).toMatchObject({ status: 0, stderr: '' });
  expect(lines()).toContain('\nattachments/**/*.png filter=lfs diff=lfs merge=lfs -text\n');
  const fresh = await folderWithPicture('--lfs');
  expect(readFileSync(join(fresh, '.gitattributes'), 'utf8')).toBe(lines());
});
