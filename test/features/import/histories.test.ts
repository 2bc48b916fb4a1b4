// A memory that begins with old conversations: its commits are of their days.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { runHere } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A folder of chats, by names of files and their lines. */
function chats(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = temporaryFolder();
  for (const [name, lines] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), `${lines.join('\n')}\n`);
  return folder;
}

describe.skipIf(!hasGit)('init --from-histories', () => {
  it('commits each conversation as of its own time, so that days of then can be asked', async () => {
    const folder = chats({
      'a-late.txt': ['[2025-06-10 09:00] Ana: I sold the copper kettle.', '[2025-06-10 09:02] Ben: Good choice.'],
      'b-early.txt': ['[2024-11-03 10:00] Ana: My copper kettle whistles.', '[2024-11-03 10:01] Ben: Nice.'],
      'c-wrong-clock.txt': [
        '[2999-01-01 10:00] Ana: The clock of this phone is wrong.',
        '[2999-01-01 10:01] Ben: Yes.',
      ],
    });
    const dir = temporaryFolder();
    const made = await runHere(dir, ['init', '--from-histories', folder, '--json']);
    expect(made).toMatchObject({ status: 0 });
    expect(JSON.parse(made.stdout)).toMatchObject({ conversations: 3, warnings: [] });
    const times = git(dir, 'log', '--reverse', '--format=%cI').trim().split('\n');
    expect(times.slice(0, 3).map((time) => time.slice(0, 10))).toEqual(['2024-11-03', '2024-11-03', '2025-06-10']);
    expect(times).toHaveLength(4);
    // No commit is of a day to come.
    expect(Date.parse(times[3]!)).toBeLessThanOrEqual(Date.now());
    const then = JSON.parse((await runHere(dir, ['recall', 'kettle', '--at', '2025-01-01', '--json'])).stdout);
    const said = (then.hits as { snippet: string }[]).map(({ snippet }) => snippet).join('\n');
    expect(said).toContain('whistles');
    expect(said).not.toContain('sold');
    expect((await runHere(dir, ['remember', 'The pot is green'])).status).toBe(0);
    expect(Date.parse(git(dir, 'log', '-1', '--format=%cI').trim())).toBeGreaterThan(Date.now() - 600_000);
    expect(fsck(dir)).toBe('');
    const again = await runHere(dir, ['init', '--from-histories', folder]);
    expect(again.stderr).toContain('already has a history');
    expect(again.status).not.toBe(0);
  });

  it('makes nothing where no conversation says when it was, or the memory is a copy', async () => {
    const dir = temporaryFolder();
    for (const args of [
      [temporaryFolder()],
      [chats({ 'notes.md': ['# Notes', '', 'A list of things.'] })],
      [path.join(dir, 'absent')],
      [chats({ 'a.txt': ['[2024-11-03 10:00] Ana: Tea.'] }), '--from', temporaryFolder()],
    ]) {
      const { status, stderr } = await runHere(dir, ['init', '--from-histories', ...args]);
      expect(status, stderr).not.toBe(0);
      expect(stderr).toMatch(/no conversation there|absent|already has a history/);
      expect(fs.readdirSync(dir)).toEqual([]);
    }
  });
});
