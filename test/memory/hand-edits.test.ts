import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { failingFileSystem } from '../helpers/failing-fs.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder, writeDeep } from '../helpers/temporary.ts';

/** The files of a folder that a commit reads when a file beside them is written in a new process. */
async function readToWrite(dir: string, text: string): Promise<string[]> {
  const { fs: disk, calls } = failingFileSystem(() => null);
  const { memory } = await newTestMemory({ dir, fs: disk });
  await memory.write('knowledge/new.md', text);
  await memory.commit();
  await memory.close();
  const opened = calls.filter(({ operation, path: place }) => operation === 'openSync' && /topic\d+\.md$/.test(place));
  return [...new Set(opened.map(({ path: place }) => path.basename(place)))];
}

describe('what a person edits', () => {
  it.skipIf(!hasGit)('is looked for once in a copy of a repository, whose files all look new', async () => {
    const { memory, directory } = await newTestMemory();
    for (let i = 0; i < 20; i += 1) await memory.write(`knowledge/topic${i}.md`, `# Topic ${i}\n`);
    await memory.commit();
    await memory.close();
    const copy = path.join(temporaryFolder(), 'copy');
    fs.cpSync(directory, copy, { recursive: true, preserveTimestamps: true });
    // Some time ago: what was written within one tick of the clock is always read.
    const files = git(copy, 'ls-files', '-z').split('\0').slice(0, -1);
    for (const file of files) fs.utimesSync(path.join(copy, file), 1_700_000_000, 1_700_000_000);
    git(copy, 'update-index', '--assume-unchanged', 'knowledge/topic1.md');
    const edited = path.join(copy, 'knowledge/topic7.md');
    fs.appendFileSync(edited, 'by hand\n');
    expect(await readToWrite(copy, 'one')).toHaveLength(20);
    expect(await readToWrite(copy, 'two')).toEqual([]);
    // git believes the index as well, and what a person told it about a file stays.
    expect(git(copy, 'diff-files', '--name-only')).toBe('');
    expect(git(copy, 'ls-files', '-v', 'knowledge/topic1.md')).toMatch(/^h /);
    expect(git(copy, 'show', 'HEAD:knowledge/topic7.md')).toContain('by hand');
    fs.appendFileSync(edited, 'and again\n');
    expect(await readToWrite(copy, 'three')).toEqual(['topic7.md']);
    expect(git(copy, 'show', 'HEAD:knowledge/topic7.md')).toContain('and again');
    fsck(copy);
  });

  it('waits, among many files, for who asks for a commit, unless its file is written before', async () => {
    const dir = temporaryFolder();
    fs.mkdirSync(path.join(dir, 'knowledge'));
    for (let at = 0; at < 600; at++) fs.writeFileSync(path.join(dir, `knowledge/topic${at}.md`), `# Topic ${at}\n`);
    await (await newTestMemory({ dir })).memory.close();
    for (const at of [7, 8]) fs.appendFileSync(path.join(dir, `knowledge/topic${at}.md`), 'by hand\n');
    fs.writeFileSync(path.join(dir, 'knowledge/typed.md'), '# Typed\n');
    const { memory } = await newTestMemory({ dir });
    await memory.write('knowledge/new.md', '# New\n');
    await memory.write('knowledge/topic8.md', '# Topic 8\nby hand\nby the engine\n');
    const waiting = await memory.commit(undefined, { waiting: true });
    const writers = (await memory.log({ path: 'knowledge/topic8.md' })).commits.map(({ operation }) => operation);
    expect(writers.slice(0, 2)).toEqual(['write', 'edit']);
    expect(waiting.commits).toHaveLength(3);
    const edited = [{ path: 'knowledge/topic7.md' }, { path: 'knowledge/typed.md' }];
    expect((await memory.status()).edited).toEqual(edited);
    await memory.write('knowledge/newer.md', '# Newer\n');
    await memory.close();
    // Another process ends with its write: nothing was looked at there either.
    const { memory: other } = await newTestMemory({ dir });
    expect(await other.read('knowledge/topic7.md')).not.toContain('by hand');
    await other.commit();
    expect(await other.read('knowledge/topic7.md')).toContain('by hand');
    expect(await other.read('knowledge/typed.md')).toBe('# Typed\n');
    expect((await other.status()).edited).toEqual([]);
    await other.close();
  });

  it('is named by status, which leaves it as it is', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/a.md', '# A\n');
    await memory.write('knowledge/c.md', '# C\n');
    await memory.commit();
    expect((await memory.status()).edited).toEqual([]);
    fs.appendFileSync(path.join(directory, 'knowledge/a.md'), 'more\n');
    fs.writeFileSync(path.join(directory, 'knowledge/b.md'), '# B\n');
    fs.rmSync(path.join(directory, 'knowledge/c.md'));
    fs.symlinkSync('/etc/passwd', path.join(directory, 'knowledge/c.md'));
    const tip = memory.tip;
    const { edited } = await memory.status();
    expect(edited).toEqual([
      { path: 'knowledge/a.md' },
      { path: 'knowledge/b.md' },
      { path: 'knowledge/c.md', why: 'it is not a regular file' },
    ]);
    expect(memory.tip).toBe(tip);
    await memory.commit();
    expect((await memory.status()).edited).toEqual([{ path: 'knowledge/c.md', why: 'it is not a regular file' }]);
  });

  it('is promised to the next commit by status and doctor only where no rule leaves it out', async () => {
    const said: string[] = [];
    const { memory, directory } = await newTestMemory({ logger: { warn: (line) => void said.push(line) } });
    await memory.ledger.add({ type: 'fact', content: 'One.' });
    await memory.commit();
    const [log] = memory.store.snapshot().list('ledger/').keys();
    const at = (name: string) => path.join(directory, name);
    fs.mkdirSync(at('knowledge'), { recursive: true });
    fs.appendFileSync(at('memory.yaml'), 'x: {\n');
    fs.writeFileSync(at('knowledge/key.md'), `The token is ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}\n`);
    fs.writeFileSync(at(log!), fs.readFileSync(at(log!), 'utf8').replace('One.', 'Two.'));
    fs.writeFileSync(at('knowledge/good.md'), '# Good\n');
    const { edited } = await memory.status();
    const { findings } = await doctor({ dir: directory });
    const outs = findings.flatMap(({ code, where, what }) =>
      code === 'FILE_LEFT_OUT' ? { path: where, why: what } : [],
    );
    const { skipped } = await memory.commit();
    const byPath = (list: readonly { path: string }[]) => list.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    expect(byPath(skipped).map((one) => one.path)).toEqual(['knowledge/key.md', log, 'memory.yaml']);
    expect(byPath(outs)).toEqual(byPath(skipped));
    expect(byPath(edited)).toEqual(byPath([...skipped, { path: 'knowledge/good.md' }]));
    expect(findings.filter(({ code }) => code === 'HAND_EDIT')).toMatchObject([
      { what: expect.stringContaining('good.md') },
    ]);
    // An emptied file is what a power cut leaves: it is put back, and that is said before and after.
    fs.writeFileSync(at('memory.yaml'), '');
    const warned = expect.stringMatching(/^memory\.yaml: only the beginning .* the next commit puts it back$/);
    expect((await memory.status()).warnings).toContainEqual(warned);
    await memory.commit();
    expect(said).toEqual([expect.stringContaining('memory.yaml was put back as it was committed')]);
    expect(fs.readFileSync(at('memory.yaml'), 'utf8')).toBe(await memory.read('memory.yaml'));
  });

  it('is committed under the summary that somebody gave, whatever waits beside it', async () => {
    const { memory, directory } = await newTestMemory();
    const subjects = async (limit: number) => (await memory.log({ limit })).commits.map(({ subject }) => subject);
    fs.mkdirSync(path.join(directory, 'knowledge'), { recursive: true });
    fs.writeFileSync(path.join(directory, 'knowledge/garden.md'), '# Garden\n');
    await memory.commit('What I saw in the garden');
    expect(await subjects(1)).toEqual(['memory: What I saw in the garden']);
    fs.appendFileSync(path.join(directory, 'knowledge/garden.md'), 'The gate squeaks.\n');
    await memory.write('knowledge/house.md', '# House\n');
    await memory.commit('House and garden');
    expect(await subjects(2)).toEqual(['memory: House and garden', 'memory: House and garden']);
    fs.appendFileSync(path.join(directory, 'knowledge/garden.md'), 'It was oiled.\n');
    await memory.commit();
    expect(await subjects(1)).toEqual(['memory: knowledge/garden.md changed']);
  });

  it('in the configuration counts from the next opening on, committed as an edit of its own', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.close();
    const file = path.join(directory, 'memory.yaml');
    fs.writeFileSync(file, 'version: 1\nrecall: {limit: 1}\n');
    const again = await openMemory({ dir: directory });
    for (const text of ['One tea.', 'Two teas.']) await again.capture(text);
    expect((await again.recall('tea')).hits).toHaveLength(1);
    const { commits } = await again.log({ path: 'memory.yaml' });
    expect(commits[0]).toMatchObject({ operation: 'edit', paths: ['memory.yaml'] });
    await again.close();
  });

  it('in the configuration, when it is none, stays where it is, is reported and holds up nothing', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.close();
    const file = path.join(directory, 'memory.yaml');
    fs.writeFileSync(file, 'recall: {limit: many}\n');
    const said: string[] = [];
    const logger = { warn: (line: string) => void said.push(line) };
    const again = await openMemory({ dir: directory, logger });
    expect(said.join('\n')).toContain('memory.yaml stays as it was committed');
    expect((await again.capture('One tea.')).commit).toBe(again.tip);
    expect((await again.status()).edited).toMatchObject([{ path: 'memory.yaml' }]);
    expect(fs.readFileSync(file, 'utf8')).toBe('recall: {limit: many}\n');
    await again.close();
  });

  it.skipIf(!hasGit)(
    'in the configuration, when a broken one is committed, mends it; so does an undo, and nothing else goes',
    async () => {
      const { memory, directory } = await newTestMemory();
      await memory.capture('One tea.');
      await memory.close();
      const file = path.join(directory, 'memory.yaml');
      const whole = fs.readFileSync(file, 'utf8');
      const breaks = () => {
        fs.appendFileSync(file, 'decya: 1\n');
        git(directory, 'commit', '-qam', 'bad');
        return git(directory, 'rev-parse', 'HEAD').trim();
      };
      const by = breaks();
      fs.writeFileSync(path.join(directory, 'code.txt'), '');
      git(directory, 'add', 'code.txt');
      git(directory, 'commit', '-qm', 'beside');
      const [finding] = (await doctor({ dir: directory })).findings;
      expect(finding).toMatchObject({ code: 'INVALID_CONFIG', where: 'memory.yaml', severity: 'error' });
      expect(finding!.fix).toContain(`git memory undo ${by.slice(0, 12)}`);
      for (const how of [{}, { readOnly: true }])
        await expect(openMemory({ dir: directory, ...how })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
      const mending = await openMemory({ dir: directory, mends: true });
      expect(await mending.undo(by)).toMatchObject({ conflicts: [] });
      await mending.close();
      expect(fs.readFileSync(file, 'utf8')).toBe(whole);
      breaks();
      fs.writeFileSync(file, whole);
      const again = await openMemory({ dir: directory });
      expect((await again.log({ limit: 1 })).commits[0]).toMatchObject({ operation: 'edit', paths: ['memory.yaml'] });
      expect((await again.recall('tea')).hits).toHaveLength(1);
      await again.close();
      expect(git(directory, 'status', '--short')).toBe('');
    },
  );

  it.each([0, 40])('is not what a power cut left of a record whose removal waits (%i bytes)', async (bytes) => {
    const { memory, directory } = await newTestMemory();
    const { id, path: record } = await memory.remember({ content: 'Ana prefers letters over calls.' });
    await memory.commit();
    const file = path.join(directory, record);
    const whole = fs.readFileSync(file);
    await memory.forget(id!);
    // The record is gone only in the journal; on the disk stands the beginning of what was committed.
    writeDeep(file, whole.subarray(0, bytes));
    expect((await memory.status()).edited).toEqual([]);
    await memory.records.restore(id!);
    await memory.commit();
    expect(fs.readFileSync(file, 'utf8')).toContain('letters over calls');
    expect((await memory.status()).edited).toEqual([]);
  });

  it('is not what a power cut left of a ledger, whose events stay and which is written again', async () => {
    const { memory, directory } = await newTestMemory();
    for (const content of ['One.', 'Two.']) await memory.ledger.add({ type: 'fact', content });
    const file = path.join(directory, 'ledger/2026/02/2026-02-16.jsonl');
    const whole = fs.readFileSync(file);
    for (const rest of [0, 20, whole.indexOf('\n') + 1, whole.length - 1]) {
      fs.writeFileSync(file, whole.subarray(0, rest));
      expect((await memory.status()).edited).toEqual([]);
      await memory.write(`knowledge/after-${rest}.md`, '# Afterwards\n');
      await memory.commit();
      expect(fs.readFileSync(file).equals(whole)).toBe(true);
      expect((await memory.ledger.list()).events.map(({ content }) => content).sort()).toEqual(['One.', 'Two.']);
    }
  });
});
