// One object that is torn or missing costs itself: every question answers with the rest and names it, writes go on, and whoever brings the same
// content again repairs it. Native git judges what was repaired.

import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Damage } from '../../src/base/types.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { damagedFilesOf } from '../../src/store/damaged-files.ts';
import { formatMemory, memoryPath, newMemory } from '../../src/store/records/memory-record.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import * as t from './template.ts';

const root = temporaryFolder();
const ada = 'knowledge/people/ada.md';
let count = 0;

beforeAll(() => t.makeTemplate(path.join(root, 'whole'), { loose: true }));

/** Gives a copy of the memory in which objects are torn; `isBare` leaves nothing in the work tree. */
function torn(revisions: readonly string[], bytes = '', isBare = true): string {
  const dir = path.join(root, String(count++));
  fs.cpSync(path.join(root, 'whole'), dir, { recursive: true, preserveTimestamps: true });
  const oids = revisions.map((revision) => git(whole(), 'rev-parse', revision).trim());
  for (const oid of oids) t.put(dir, path.relative(dir, t.loosePath(dir, oid)), bytes);
  // Without an index nobody has taken the files away.
  if (isBare) t.remove(dir, '.git/index', ...fs.readdirSync(dir).filter((name) => name !== '.git'));
  return dir;
}

const filesOf = (dir: string) => git(dir, 'ls-tree', '-r', '--name-only', 'HEAD').trim().split('\n');
const fileOf = (dir: string, part: string) => filesOf(dir).find((file) => file.includes(part))!;
const whole = () => path.join(root, 'whole');
const damagedIn = (answer: unknown): readonly Damage[] => (answer as { damaged?: readonly Damage[] }).damaged ?? [];

describe('a torn file', () => {
  it.each(['memories/', 'knowledge/people/ada', 'raw/conversations', '.gitattributes', '.meta.json'])(
    'below %s costs itself alone',
    async (part) => {
      const file = fileOf(whole(), part);
      const dir = torn([`HEAD:${file}`]);
      const bringer = git(whole(), 'log', '-1', '--format=%H', '--', file).trim();
      const memory = await openMemory({ dir, readOnly: true });
      for (let time = 0; time < 2; time++) {
        const answers = {
          list: await memory.list(),
          recall: await memory.recall('tea'),
          status: await memory.status(),
          context: await memory.context('tea'),
          due: await memory.records.due(),
          log: await memory.log(),
          diff: await memory.diff('memory/milestone/first'),
          learned: await memory.learned('tea'),
        };
        // What nobody met cannot be named.
        if (time === 0) continue;
        for (const [verb, answer] of Object.entries(answers)) {
          const [damage, ...others] = damagedIn(answer);
          expect([verb, damage?.path, damage?.commit, others]).toEqual([verb, file, bringer, []]);
          expect(damage!.hint).toContain('git memory doctor --fix');
        }
        expect(answers.list.memories.length).toBe(part === 'memories/' ? 1 : 2);
        expect(answers.log.commits.length).toBe(Number(git(dir, 'rev-list', '--count', 'HEAD')));
      }
      expect(await memory.files()).toContain(file);
      await expect(memory.read(file)).rejects.toMatchObject({ code: 'OBJECT_CORRUPT', where: file });
      await memory.close();
    },
  );

  it('is where something may be that is not found', async () => {
    const memory = await openMemory({ dir: torn([`HEAD:${path.posix.dirname(ada)}`]), readOnly: true });
    await memory.recall('Rome');
    await expect(memory.get('nobody')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('it may be in knowledge/people, which cannot be read'),
    });
    await memory.close();
  });

  it('of a folder is named also where nobody needs what lies in it', async () => {
    const file = fileOf(whole(), 'raw/conversations');
    const folder = git(whole(), 'rev-parse', `HEAD:${path.posix.dirname(file)}`).trim();
    const memory = (await openMemory({ dir: torn([folder]), readOnly: true })) as Memory;
    const state = memory.store.snapshot();
    const told = await damagedFilesOf(memory.store.repository).sparing(() => ({ text: state.textIfWhole(file) }), {
      writes: () => 0,
      files: () => state.list(),
      oidOf: (name) => state.objectAt(name),
      bringerOf: () => null,
    });
    expect(told).toMatchObject({ text: null, damaged: [{ path: file, object: folder }] });
    await memory.close();
  });

  it('is mended also where it is the configuration, which the doctor reads from the work tree', async () => {
    const dir = torn(['HEAD:memory.yaml'], '', false);
    const { findings } = await doctor({ dir, fix: true, all: true });
    expect(findings).toContainEqual(expect.objectContaining({ code: 'OBJECT_CORRUPT', isFixed: true }));
    fsck(dir);
  });

  it('is read from the work tree where it stands there, and named', async () => {
    const dir = torn([`HEAD:${ada}`], '', false);
    const memory = await openMemory({ dir, readOnly: true });
    expect(await memory.read(ada)).toContain('Rome');
    expect(damagedIn(await memory.recall('Rome'))).toMatchObject([
      { path: ada, why: expect.stringContaining('it was read from the work tree') },
    ]);
    await memory.close();
  });

  it('stops no write, and nothing leaves because of it', async () => {
    const lost = fileOf(whole(), 'memories/');
    const goneFrom = async (dir: string) => {
      const memory = await openMemory({ dir });
      const { path: kept } = await memory.remember('Milk is white');
      await memory.capture({ text: 'A visitor was here.' });
      await memory.note('Tea was bought');
      await memory.write('knowledge/people/bob.md', '# Bob\n');
      await memory.maintenance.run();
      await memory.commit();
      await memory.close();
      const after = new Set(filesOf(dir));
      expect(after).toContain(kept);
      return filesOf(whole()).filter((file) => !after.has(file));
    };
    const gone = await goneFrom(torn([], '', true));
    expect((await goneFrom(torn([`HEAD:${lost}`, `HEAD:${ada}`]))).filter((file) => !gone.includes(file))).toEqual([]);
  });

  it.each(['a file', 'a folder'])('%s of memories takes none of their relations along', async (what) => {
    const { memory, directory: dir } = await newTestMemory();
    for (const id of ['one', 'two']) await memory.remember({ id, content: `Rui has boat ${id}` });
    const relation = await memory.records.relate('one', 'two');
    await memory.commit();
    await memory.close();
    t.unpack(dir);
    const file = what === 'a file' ? memoryPath('one') : path.posix.dirname(memoryPath('one'));
    t.put(dir, path.relative(dir, t.loosePath(dir, git(dir, 'rev-parse', `HEAD:${file}`).trim())), '');
    t.remove(dir, '.git/index', file);
    const again = await openMemory({ dir });
    await again.list();
    await again.maintenance.run({ tasks: ['gc'] });
    await again.close();
    expect(git(dir, 'cat-file', '-t', `HEAD:${relation.path}`).trim()).toBe('blob');
  });

  it('of the ledger keeps no memory from being split, merged or forgotten', async () => {
    const { memory, directory: dir } = await newTestMemory();
    for (const id of ['one', 'two', 'three']) {
      await memory.remember({ id, content: `Rui decided for boat ${id}`, category: 'decision' });
    }
    await memory.commit();
    await memory.close();
    t.unpack(dir);
    const segment = fileOf(dir, 'ledger/');
    t.put(dir, path.relative(dir, t.loosePath(dir, git(dir, 'rev-parse', `HEAD:${segment}`).trim())), '');
    t.remove(dir, segment);
    const again = await openMemory({ dir });
    const { items } = await again.records.split('one', ['Rui has boat one.', 'Rui has an oar.']);
    expect(items).toHaveLength(1);
    await again.records.consolidate({ ids: ['two', 'three'] });
    await again.close();
  });

  it.each(['knowledge/people', 'knowledge/people/rui.md'])('%s gets no second one of what is known', async (part) => {
    const { memory, directory: dir } = await newTestMemory();
    await memory.write('knowledge/people/rui.md', '# Rui\n\n- sells boats\n');
    for (const id of ['one', 'two', 'three', 'four']) {
      const record = newMemory({ id, content: `Rui has boat ${id}`, entities: ['Rui', 'Boat'], now: Date.now() });
      await memory.write(memoryPath(id), formatMemory(record));
    }
    await memory.commit();
    await memory.close();
    const planned = async () => {
      const { memory: again } = await newTestMemory({ dir });
      const { runs } = await again.maintenance.run({ dryRun: true, tasks: ['profiles'] });
      await again.close();
      return runs.flatMap(({ result }) => result?.items ?? []).map(({ why }) => why);
    };
    expect(await planned()).toEqual(['4 memories name Boat']);
    t.unpack(dir);
    t.put(dir, path.relative(dir, t.loosePath(dir, git(dir, 'rev-parse', `HEAD:${part}`).trim())), '');
    t.remove(dir, 'knowledge/people/rui.md', '.git/index');
    expect(await planned()).toEqual([]);
  });

  it('is left out no matter how many there are', async () => {
    const some = filesOf(whole()).filter((file) => /^(?:memories|knowledge|raw)\//.test(file));
    const memory = await openMemory({ dir: torn(some.map((file) => `HEAD:${file}`)), readOnly: true });
    expect(damagedIn(await memory.recall('tea')).map((damage) => damage.path)).toEqual([...some].sort());
    await memory.close();
  });
});

describe('the same content again', () => {
  it.each(['', 'garbage'])('repairs a file that was written', async (bytes) => {
    const text = git(whole(), 'show', `HEAD:${ada}`);
    const dir = torn([`HEAD:${ada}`], bytes);
    const tip = git(dir, 'rev-parse', 'HEAD');
    const memory = await openMemory({ dir });
    await memory.write(ada, text);
    await memory.commit();
    expect(await memory.read(ada)).toBe(text);
    expect(damagedIn(await memory.recall('tea'))).toEqual([]);
    await memory.close();
    expect(git(dir, 'rev-parse', 'HEAD')).toBe(tip);
    expect(fsck(dir)).toBe('');
  });

  it('repairs a conversation that is captured', async () => {
    const file = fileOf(whole(), 'raw/conversations');
    const text = git(whole(), 'show', `HEAD:${file}`);
    const dir = torn([`HEAD:${file}`]);
    const memory = await openMemory({ dir });
    await memory.captureText(text);
    expect(await memory.read(file)).toBe(text);
    await memory.close();
    expect(fsck(dir)).toBe('');
  });

  it('is not needed: a memory of that id takes the place of a lost one', async () => {
    const file = fileOf(whole(), 'memories/');
    const dir = torn([`HEAD:${file}`]);
    const id = path.basename(file, '.json');
    const memory = await openMemory({ dir });
    await memory.remember({ id, content: 'Ada drinks tea again' });
    await memory.commit();
    expect(await memory.get(id)).toMatchObject({ content: 'Ada drinks tea again' });
    await memory.close();
  });

  it('never replaces a capture that cannot be compared', async () => {
    const file = fileOf(whole(), 'raw/conversations');
    const memory = await openMemory({ dir: torn([`HEAD:${file}`]) });
    await expect(memory.write(file, '# Another\n')).rejects.toMatchObject({ code: 'OBJECT_CORRUPT', where: file });
    memory.dispose();
  });
});

describe('a torn index of git', () => {
  it('stops nobody: it is put aside with what was staged, and the answer says so', async () => {
    const dir = torn([], '', false);
    t.put(dir, 'knowledge/people/bob.md', '# Bob\n');
    git(dir, 'add', 'knowledge/people/bob.md');
    t.change(dir, '.git/index', t.flip());
    const bytes = fs.readFileSync(path.join(dir, '.git/index'));
    const reader = await openMemory({ dir, readOnly: true });
    await reader.project.boot();
    expect((await reader.status()).warnings).toMatchObject([expect.stringContaining('the git index is damaged')]);
    await reader.close();
    const memory = await openMemory({ dir });
    const [damage] = damagedIn(await memory.remember('Milk is white'));
    expect(damage).toMatchObject({
      path: expect.stringContaining('.git/index'),
      why: expect.stringContaining('quarantine'),
    });
    expect(damagedIn(await memory.remember('Coffee is black'))).toEqual([]);
    await memory.commit();
    await memory.close();
    const [kept] = fs.readdirSync(path.join(dir, '.git/git-memory/quarantine'));
    expect(fs.readFileSync(path.join(dir, '.git/git-memory/quarantine', kept!))).toEqual(bytes);
    expect(fsck(dir)).toBe('');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    expect(git(dir, 'show', 'HEAD:knowledge/people/bob.md')).toBe('# Bob\n');
  });

  it('is foreseen by a dry run, which names it and leaves it as it is', async () => {
    const dir = torn([], '', false);
    const plan = async () => {
      const memory = await openMemory({ dir, readOnly: true });
      const planned = await memory.records.consolidate({
        dryRun: true,
        ids: (await memory.list()).memories.map(({ id }) => id),
      });
      await memory.close();
      return planned;
    };
    const expected = await plan();
    t.change(dir, '.git/index', t.flip());
    const bytes = fs.readFileSync(path.join(dir, '.git/index'));
    const planned = await plan();
    // The time stands in what it would write.
    expect(planned).toMatchObject({ ...expected, tree: expect.any(String) });
    expect(damagedIn(planned)).toMatchObject([{ path: expect.stringContaining('.git/index') }]);
    expect(fs.readFileSync(path.join(dir, '.git/index'))).toEqual(bytes);
  });
});
