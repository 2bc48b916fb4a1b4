// A newest commit that cannot be read: what `doctor --tip restore` takes in and keeps private, what it leaves as it lies, and what a crash in it
// leaves behind.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { isSealed } from '../../../src/store/records/private-text.ts';
import { failingFileSystem, ProcessGroup } from '../../helpers/failing-fs.ts';
import { countingIds, ManualClock } from '../../helpers/memories.ts';
import { git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { loosePath, open, put, read as readFile, unpack } from '../../hostile/template.ts';

const pier = 'knowledge/places/pier.md';
const quay = 'knowledge/places/quay.md';

/** Makes a memory whose newest commit brings a page, with each object in a file of its own. */
async function makeMemory(): Promise<string> {
  const dir = temporaryFolder();
  const clock = new ManualClock();
  const memory = await openMemory({ dir, create: true, durability: 'fast', clock, ids: countingIds() });
  await memory.write(pier, '# Pier\n\n- Made of oak\n');
  await memory.commit();
  clock.advance({ days: 1 });
  await memory.write(quay, '# Quay\n\n- Made of stone\n');
  await memory.commit();
  await memory.close();
  unpack(dir);
  return dir;
}

/** Empties the file of an object. */
function empty(dir: string, oid: string): void {
  fs.rmSync(loosePath(dir, oid));
  fs.writeFileSync(loosePath(dir, oid), '');
}

/** Names the newest commit, its root folder, and the commit before. */
function present(dir: string): { tip: string; root: string; parent: string } {
  const tip = readFile(dir, '.git/refs/heads/main').trim();
  const { tree, parents } = open(dir).objects.readCommit(tip);
  return { tip, root: tree, parent: parents[0]! };
}

/** Gives the id of what a folder has below it. */
function treeOf(dir: string, root: string, ...names: string[]): string {
  const { objects } = open(dir);
  return names.reduce((tree, name) => objects.readTree(tree).find((entry) => entry.name === name)!.oid, root);
}

describe('a newest commit that cannot be read', () => {
  it('is gone on from with its files, and leaves what a person typed for the next commit', async () => {
    const dir = await makeMemory();
    const { tip, parent } = present(dir);
    empty(dir, tip);
    put(dir, pier, '# Pier\n\n- Made of oak, and tarred\n');
    const { findings, isHealthy, commit } = await doctor({ dir, tip: 'restore' });
    expect({ isHealthy, fix: findings.find(({ code }) => code === 'TIP_DAMAGED')?.fix }).toEqual({
      isHealthy: true,
      fix: `it is at ${commit}, upon ${parent.slice(0, 12)}; nothing of it is lost`,
    });
    expect(open(dir).objects.readCommit(commit!)).toMatchObject({
      parents: [parent],
      message: expect.stringContaining(tip),
    });
    if (hasGit) expect(git(dir, 'status', '--short')).toBe(` M ${pier}\n`);
    const memory = await openMemory({ dir, durability: 'fast' });
    expect((await memory.read(quay)).includes('stone')).toBe(true);
    await memory.commit();
    expect(await memory.read(pier)).toContain('tarred');
    await memory.close();
  });

  it('names what is lost, keeps the damaged commit by a ref, and has the work tree bring it in', async () => {
    const dir = await makeMemory();
    const { tip, root } = present(dir);
    empty(dir, treeOf(dir, root, 'knowledge', 'places'));
    fs.rmSync(path.join(dir, '.git/index'));
    const { findings, isHealthy, commit } = await doctor({ dir, tip: 'restore' });
    const kept = `refs/git-memory/rescue/damaged/main/${tip.slice(0, 12)}`;
    expect(findings.find(({ code }) => code === 'TIP_DAMAGED')?.fix).toContain(
      `lost, or as it was there: knowledge/places/; ${kept} keeps the damaged one`,
    );
    expect({ isHealthy, kept: open(dir).refs.read(kept) }).toEqual({ isHealthy: true, kept: tip });
    expect(open(dir).objects.readCommit(commit!).message).toContain('- knowledge/places/');
    const memory = await openMemory({ dir, durability: 'fast' });
    expect(await memory.files()).not.toContain(quay);
    await memory.commit();
    expect(await memory.read(quay)).toContain('stone');
    await memory.close();
  });

  it('keeps private what was encrypted by rules that are lost with it', async () => {
    const dir = temporaryFolder();
    const texts: string[] = [];
    const keys = { place: '/elsewhere', read: () => texts, add: (text: string) => void texts.push(text) };
    const memory = await openMemory({ dir, create: true, durability: 'fast', keys });
    await memory.keys.new({ paths: ['knowledge/places/pier*'] });
    await memory.write(pier, '# Pier\n\n- The gate opens at dawn\n');
    await memory.write(quay, '# Quay\n');
    await memory.commit();
    await memory.close();
    unpack(dir);
    empty(dir, treeOf(dir, present(dir).root, 'memory.yaml'));
    fs.rmSync(path.join(dir, 'memory.yaml'));
    expect(await doctor({ dir, tip: 'restore' })).toMatchObject({ isHealthy: true });
    const read = (...names: string[]) => {
      const { objects } = open(dir);
      return objects.readBlob(treeOf(dir, present(dir).root, ...names));
    };
    const rules = read('memory.yaml').toString('utf8');
    expect(rules).toContain(pier);
    expect(rules).not.toContain(quay);
    put(dir, 'memory.yaml', rules);
    const again = await openMemory({ dir, durability: 'fast', keys });
    await again.edit(pier, 'dawn', 'noon');
    await again.commit();
    expect(await again.read(pier)).toContain('noon');
    await again.close();
    expect(isSealed(read(...pier.split('/')))).toBe(true);
    expect(read(...quay.split('/')).toString('utf8')).toContain('# Quay');
  });

  it('is mended whenever the process that mends it dies', async () => {
    const made = await makeMemory();
    empty(made, present(made).tip);
    const dir = path.join(temporaryFolder(), 'case');
    let isOver = false;
    for (let at = 0; !isOver; at += 3) {
      fs.rmSync(dir, { recursive: true, force: true });
      fs.cpSync(made, dir, { recursive: true, preserveTimestamps: true });
      const group = new ProcessGroup();
      const first = group.spawn();
      let writes = 0;
      const failing = failingFileSystem(({ operation }) =>
        /^(?:write|rename|link|unlink|mkdir|fsync)/.test(operation) && writes++ === at ? { kill: true } : null,
      );
      await doctor({ dir, tip: 'restore', fs: failing.fs, processes: first.processes }).catch(() => undefined);
      isOver = !failing.isDead();
      first.kill();
      const { isHealthy } = await doctor({ dir, tip: 'restore', all: true, processes: group.spawn().processes });
      const memory = await openMemory({ dir, durability: 'fast', processes: group.spawn().processes });
      const text = await memory.read(quay);
      await memory.note('Seen from the pier.');
      await memory.close();
      expect({ at, isHealthy, isWhole: text.includes('stone') }).toEqual({ at, isHealthy: true, isWhole: true });
    }
  });
});
