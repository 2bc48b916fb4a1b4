// Commits with times that no clock shows. Git takes any number; each is shown, sorted and filtered, and nothing stumbles over it.

import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatSeconds, millisecondsOf } from '../../src/base/time.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { bareRepository } from '../helpers/git-server.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** As a commit holds it, and as it is shown. */
const times: readonly (readonly [written: string, shown: string])[] = [
  ['0 +0000', '1970-01-01T00:00:00Z'],
  ['1 -9999', '1970-01-01T00:00:01Z'],
  ['-5 +0000', '1969-12-31T23:59:55Z'],
  ['-99999999999999 +0000', '-3166904-02-24T14:13:21Z'],
  ['17179869184 +0000', '2514-05-30T01:53:04Z'],
  ['253402300800 +0000', '+010000-01-01T00:00:00Z'],
  ['8640000000001 +9999', '+275760-09-13T00:00:01Z'],
  ['99999999999999 +0000', '+3170843-11-07T09:46:39Z'],
  ['9007199254740993 +0000', '+285428751-11-12T07:36:31Z'],
  ['9223372036854775807 +0000', '+285428751-11-12T07:36:31Z'],
];

/** Makes a commit on top of `HEAD` as native git stores it, with one more file. */
function commitAt(folder: string, time: string, name: string): string {
  const blob = tryGit(folder, ['hash-object', '-w', '--stdin'], `# ${name}\n\nOtters like ${name}.\n`).stdout.trim();
  git(folder, 'update-index', '--add', '--cacheinfo', `100644,${blob},knowledge/reference/${name}.md`);
  const tree = git(folder, 'write-tree').trim();
  const parent = git(folder, 'rev-parse', 'HEAD').trim();
  const text = `tree ${tree}\nparent ${parent}\nauthor P <p@example.org> ${time}\ncommitter P <p@example.org> ${time}\n\n${name}\n`;
  const made = tryGit(folder, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], text);
  const oid = made.stdout.trim();
  git(folder, 'update-ref', 'HEAD', oid);
  git(folder, 'reset', '-q', '--hard');
  return oid;
}

test.each(times)('%s is shown as %s', (written, shown) => {
  const seconds = Math.max(Math.min(Number(written.split(' ')[0]), Number.MAX_SAFE_INTEGER), -Number.MAX_SAFE_INTEGER);
  expect(formatSeconds(seconds)).toBe(shown);
  expect(new Date(millisecondsOf(seconds)).toISOString()).toMatch(/^\d{4}-/);
});

/** Asks all that looks at commits. */
async function askEverything(memory: Memory, odd: string): Promise<void> {
  await memory.status();
  const { commits } = await memory.log();
  expect(commits.map(({ oid }) => oid)).toContain(odd);
  await memory.log({ path: 'knowledge/reference' });
  await memory.log({ since: '2026-01-01', until: '2027-01-01' });
  await memory.blame('knowledge/reference/plain.md');
  await memory.provenance('knowledge/reference/plain.md');
  await memory.learned('Otters');
  await memory.diff(odd, 'HEAD');
  await memory.diff(`${odd}~1`, odd);
  await memory.recall('otters');
  await memory.list();
  await memory.knowledge.list();
  await memory.snapshots.list();
  await memory.branches.list();
  await memory.branches.compare('HEAD');
  await memory.experiments.list();
  await memory.maintenance.schedule();
  await memory.ledger.list();
  await memory.project.changes();
  await memory.project.todo();
  await memory.context('What do otters like?');
  await memory.sessionStart();
  await memory.pack();
  for (const view of [await memory.at(odd), await memory.at('2026-02-17')]) {
    expect(view.time).toMatch(/^[+-]?\d{4,}-\d\d-\d\dT/);
    await view.recall('otters');
    await view.context('What do otters like?');
    await view.sessionStart();
    await view.log();
    await view.list();
    await view.pack();
  }
  await memory.bisect('otters', { finds: 'nothing of that kind' }).catch(({ code }) => expect(code).toBe('NOT_FOUND'));
}

describe.skipIf(!hasGit)('a commit with a time that no clock shows', () => {
  test.each([3, 7].map((row) => times[row]!))(
    'of %s stands in the way of no answer and no write',
    async (written, shown) => {
      const { memory, directory, clock } = await newTestMemory();
      await memory.write('knowledge/reference/plain.md', '# Plain\n\nOtters like fish.\n');
      await memory.remember({ content: 'Otters sleep in the afternoon.' });
      await memory.commit();
      const odd = commitAt(directory, written, 'odd');
      // As the tip, and with others on top.
      for (const round of [0, 1]) {
        await askEverything(memory, odd);
        const entry = (await memory.log()).commits.find(({ oid }) => oid === odd);
        expect(entry?.time).toBe(shown);
        const view = await memory.at(odd);
        expect(view.time).toBe(shown);
        clock.advance({ minutes: 5 });
        await memory.write('knowledge/reference/plain.md', `# Plain\n\nOtters like crabs ${round}.\n`);
        await memory.remember({ content: `Otters swim ${round}.` });
        await memory.commit();
        await memory.capture(`We spoke of otters, ${round}.`);
        await memory.maintenance.run();
        await memory.snapshots.create(`memory/milestone/m${round}`);
        await memory.snapshots.create(`memory/milestone/odd${round}`, { at: odd });
      }
      // No time of the engine follows it.
      const { commits } = await memory.log({ limit: 1 });
      expect(commits[0]?.time).toMatch(/^2026-02-16T/);
      const report = await doctor({ dir: directory, clock });
      const named = report.findings.filter(({ code, where }) => code.startsWith('TIME_') && where === odd);
      const seconds = Number(written.split(' ')[0]);
      const code = seconds < 0 ? ['TIME_REFUSED'] : seconds >= 253_402_300_800 ? ['TIME_ODD'] : [];
      expect(named.map((finding) => finding.code)).toEqual(code);
      if (named.length > 0) expect(named[0]!.what).toContain(shown);
      expect((await memory.undo(odd)).commit).toMatch(/^[0-9a-f]{40}$/);
      expect((await memory.undo({ redo: true })).commit).toMatch(/^[0-9a-f]{40}$/);
    },
  );

  test('comes to other machines, where git takes it', async () => {
    const bare = bareRepository(path.join(temporaryFolder(), 'bare.git'));
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/reference/plain.md', '# Plain\n');
    await memory.commit();
    await memory.sync({ remote: bare });
    const taken = times.filter(([written]) => !written.startsWith('-'));
    for (const [number, [written]] of taken.entries()) commitAt(directory, written, `odd${number}`);
    expect(fsck(directory)).toBe('');
    const other = await openMemory({ dir: temporaryFolder(), create: true, durability: 'fast' });
    await other.sync({ remote: bare });
    await memory.sync();
    await other.write('knowledge/reference/other.md', '# Other\n');
    await other.commit();
    expect((await other.sync()).state).toBe('synced');
    expect((await memory.sync()).state).toBe('synced');
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(git(other.directory, 'rev-parse', 'HEAD'));
    expect((await other.log()).commits.map(({ time }) => time)).toEqual(
      expect.arrayContaining(taken.map(([, shown]) => shown)),
    );
    await memory.close();
    await other.close();
  });

  test('is shown alike with and without the commit graph of native git, which cuts it', async () => {
    const { memory, directory } = await newTestMemory();
    const odd = commitAt(directory, '99999999999999 +0000', 'odd');
    const commits = Array.from({ length: 80 }, (_, number) => {
      const parent = number === 0 ? `from ${odd}\n` : '';
      return `commit refs/heads/main\ncommitter P <p@example.org> ${1_790_000_000 + number} +0000\ndata 1\nn\n${parent}`;
    });
    expect(tryGit(directory, ['fast-import', '--quiet'], commits.join('')).status).toBe(0);
    git(directory, 'commit-graph', 'write', '--reachable');
    await memory.close();
    for (const _ of [1, 2]) {
      const again = await openMemory({ dir: directory });
      const { commits } = await again.log({ limit: 200 });
      expect(commits.find(({ oid }) => oid === odd)?.time).toBe('+3170843-11-07T09:46:39Z');
      await again.close();
    }
  });
});
