// A page with the lines by which git marks a conflict, committed elsewhere with native git: it comes in, is named, and is quoted nowhere.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { holdsMarkers } from '../../../src/store/records/unfinished-merge.ts';
import { bareRepository } from '../../helpers/git-server.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { commitAll, fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

const page = 'knowledge/memory/MEMORY.md';
const conflict = (style = '') =>
  `<<<<<<< HEAD\n- The ferry to Skagen leaves at 7.\n${style}=======\n- The ferry to Skagen leaves at 9.\n>>>>>>> other\n`;

it.each([
  ['both sides of a conflict', conflict(), true],
  ['the style diff3', conflict('||||||| base\n- The ferry leaves.\n'), true],
  ['lines that end with CR and LF', conflict().replaceAll('\n', '\r\n'), true],
  ['a fence that only one side closes', `\`\`\`\na\n\`\`\`\n${conflict().replace('=======', '```\n=======')}`, true],
  ['an example in a fence', `# Git\n\n~~~text\n${conflict()}~~~\n`, false],
  ['a conflict behind an example', `\`\`\`\n${conflict()}\`\`\`\n\n${conflict()}`, true],
  ['an indented example', conflict().replace(/^/gm, '    '), false],
  ['two of the lines', conflict().replace('=======\n', ''), false],
  ['the lines in another order', '>>>>>>> a\n=======\n<<<<<<< b\n', false],
  ['the underline of a heading', 'Plan\n=======\n', false],
])('a text with %s', (_, text, isMeant) => {
  expect(holdsMarkers(text)).toBe(isMeant);
});

/** Two memories of one remote; the second commits with native git. */
async function place() {
  const root = temporaryFolder();
  const hub = bareRepository(path.join(root, 'hub.git'));
  const { memory, directory } = await newTestMemory({ dir: path.join(root, 'a') });
  await memory.write(page, '# Memory\n\n- The ferry leaves from quay 3.\n');
  await memory.write(
    'knowledge/entities/ferry.md',
    '# Ferry\n\n## Key Facts\n\n- It has two decks. [verified: 2026-02-01]\n',
  );
  await memory.sync({ remote: hub });
  git(root, 'clone', '-q', hub, 'b');
  const elsewhere = path.join(root, 'b');
  const push = (files: Readonly<Record<string, string>>) => {
    git(elsewhere, 'pull', '-q');
    for (const [name, text] of Object.entries(files)) {
      writeDeep(path.join(elsewhere, name), text);
    }
    commitAll(elsewhere, 'by hand');
    git(elsewhere, 'push', '-q', 'origin', 'HEAD');
  };
  return { memory, directory, elsewhere, push };
}

describe.runIf(hasGit)('an unfinished merge that was committed elsewhere', () => {
  it('is taken in by a sync, named, waits in review, and is quoted nowhere until it is mended', async () => {
    const { memory, directory, push } = await place();
    const entity = 'knowledge/entities/ferry.md';
    const topic = 'topics/ferry.md';
    push({
      [page]: `# Memory\n\n${conflict()}`,
      [entity]: `# Ferry\n\n## Key Facts\n\n${conflict()}`,
      [topic]: `---\ntriggers:\n  - type: keywords\n    words: [ferry]\n---\n\n${conflict()}`,
      'knowledge/sound.md': '# Sound\n\n- Seals lie on the sandbank.\n',
    });
    const synced = await memory.sync();
    const paths = [entity, page, topic];
    expect(synced).toMatchObject({ state: 'synced', fetched: 1 });
    expect(synced.faults).toEqual(paths.map((name) => ({ path: name, fault: 'unfinished' })));
    const quoted = async () =>
      JSON.stringify([
        (await memory.recall('ferry to Skagen leaves at 7')).hits,
        (await memory.context('When does the ferry to Skagen leave?')).text,
        (await memory.sessionStart()).text,
        (await memory.pack()).text,
        (await memory.knowledge.list({ states: ['stale', 'aging', 'undated', 'fresh', 'lasting'] })).facts,
        await memory.topics.test('the ferry'),
      ]);
    expect(await quoted()).not.toMatch(/Skagen leaves|<<<<<<</);
    expect((await memory.recall('seals on the sandbank')).hits[0]!.path).toBe('knowledge/sound.md');
    const { cards, counts } = await memory.review({ only: ['unfinished'] });
    expect(counts.unfinished).toBe(3);
    expect(cards.map(({ why, id, verdicts }) => [why, id, verdicts])).toEqual(
      paths.map((name) => ['unfinished', name, []]),
    );
    expect(JSON.stringify(cards)).not.toContain('Skagen');
    const found = (await doctor({ dir: directory })).findings.filter(({ code }) => code === 'UNFINISHED_MERGE');
    expect(found.map(({ where }) => where)).toEqual(paths);
    // It can still be read by its name, or nobody could mend it.
    expect(await memory.read(page)).toContain('<<<<<<< HEAD');
    for (const name of paths) {
      const text = fs.readFileSync(path.join(directory, name), 'utf8');
      fs.writeFileSync(path.join(directory, name), text.replace(/<{7}.*={7}\n|>{7} other\n/gs, ''));
    }
    await memory.commit();
    expect(await quoted()).toContain('Skagen leaves at 9');
    expect((await memory.review({ only: ['unfinished'] })).cards).toEqual([]);
    expect((await memory.sync()).faults).toBeUndefined();
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('is named by a merge, stops the driver of native git, and is no commit that the hook lets pass', async () => {
    const { memory, directory, push, elsewhere } = await place();
    push({ [page]: `# Memory\n\n${conflict()}` });
    git(directory, 'fetch', '-q', elsewhere, 'HEAD:refs/heads/theirs');
    expect((await memory.merge('theirs', { dryRun: true })).faults).toEqual([{ path: page, fault: 'unfinished' }]);
    expect((await memory.merge('theirs')).faults).toEqual([{ path: page, fault: 'unfinished' }]);
    fs.writeFileSync(path.join(directory, 'knowledge/quay.md'), `# Quay\n\n${conflict()}`);
    git(directory, 'add', '-A');
    expect((await memory.git.checkStaged()).violations).toEqual([
      { path: 'knowledge/quay.md', why: expect.stringContaining('marks a conflict') },
    ]);
    await memory.close();
    const reopened = await openMemory({ dir: directory });
    expect((await reopened.review({ only: ['unfinished'] })).counts.unfinished).toBe(1);
    await reopened.close();
  });
});
