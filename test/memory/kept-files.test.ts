// Files that no everyday write reaches: refused to every tool, put back after a hand, and open to a person where they are a person's.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryTool } from '../../src/apps/memory-tool/memory-tool.ts';
import { toolsOf } from '../../src/apps/tools.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

const kept = ['memory.yaml', 'memory-config.yaml', '.meta.json', '.gitattributes', '.memory/purges/x.json'];

describe('a file that is kept', () => {
  test.each(kept)('%s is out of reach of write, edit, mv and rm', async (file) => {
    const { memory } = await newTestMemory();
    await memory.write('knowledge/reference/a.md', '# A\n');
    await memory.commit();
    const { tip } = memory;
    const text = (await memory.read(file).catch(() => null)) ?? '';
    const attempts = [
      () => memory.write(file, 'x: 1\n'),
      ...(text === ''
        ? [() => memory.move('knowledge/reference/a.md', file)]
        : [
            () => memory.edit(file, text, 'x: 1\n'),
            () => memory.remove(file),
            () => memory.move(file, 'knowledge/reference/b.md'),
          ]),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: 'INVALID_PATH', where: file, hint: expect.any(String) });
    }
    await memory.commit();
    expect(memory.tip).toBe(tip);
  });

  test('names the verb that changes memory.yaml, which people have and agents have not', async () => {
    const { memory } = await newTestMemory();
    await expect(memory.write('memory.yaml', 'version: 1\n')).rejects.toMatchObject({
      hint: expect.stringContaining('git memory config'),
    });
    const tools = await toolsOf('all', false);
    expect(tools.map(({ entry }) => entry.verb)).not.toEqual(expect.arrayContaining(['config']));
    const write = tools.find(({ entry }) => entry.name === 'memory_write')!;
    const context = { memory: async () => memory, view: async () => memory } as never;
    await expect(write.verb.run(context, { path: 'memory.yaml', text: 'version: 1\n' })).rejects.toMatchObject({
      code: 'INVALID_PATH',
    });
    const tool = memoryTool(memory, { folder: '.memory' });
    await expect(tool.create({ path: '/memories/purges/x.json', file_text: '{}' })).rejects.toThrow(/purges/);
    await memory.configure({ 'decay.half_life_days': 7 });
    expect(await memory.read('memory.yaml')).toContain('half_life_days: 7');
  });
});

describe.skipIf(!hasGit)('by hand', () => {
  test('.meta.json is put back, whether it was changed, removed or committed, and status and doctor say so', async () => {
    const { memory, directory } = await newTestMemory();
    const place = path.join(directory, '.meta.json');
    const meta = fs.readFileSync(place, 'utf8');
    for (const change of [() => fs.writeFileSync(place, '{"epoch": 999}'), () => fs.rmSync(place)]) {
      change();
      expect((await memory.status()).edited).toEqual([{ path: '.meta.json', why: expect.stringContaining('engine') }]);
      await memory.commit();
      expect(fs.readFileSync(place, 'utf8')).toBe(meta);
      expect((await memory.status()).edited).toEqual([]);
    }
    fs.writeFileSync(place, '{"storage_version": 99, "epoch": 999}');
    git(directory, 'commit', '--quiet', '-am', 'by hand');
    expect((await memory.status()).warnings).toEqual([expect.stringContaining('.meta.json: it was changed by hand')]);
    const { findings } = await doctor({ dir: directory });
    expect(findings).toContainEqual(expect.objectContaining({ code: 'KEPT_FILE', where: '.meta.json' }));
    await memory.commit();
    expect(git(directory, 'show', 'HEAD:.meta.json')).toBe(meta);
    expect(fs.readFileSync(place, 'utf8')).toBe(meta);
    expect((await memory.status()).warnings).toEqual([]);
    git(directory, 'rm', '--quiet', '.meta.json');
    git(directory, 'commit', '--quiet', '-m', 'away');
    await memory.capture('A note.');
    expect(git(directory, 'show', 'HEAD:.meta.json')).toBe(meta);
  });

  test("our lines of .gitattributes are put back, and people's stay as they edit them", async () => {
    const { memory, directory } = await newTestMemory();
    const place = path.join(directory, '.gitattributes');
    const ours = fs.readFileSync(place, 'utf8');
    fs.appendFileSync(place, '*.png binary\n');
    await memory.commit();
    expect(git(directory, 'show', 'HEAD:.gitattributes')).toBe(`${ours}*.png binary\n`);
    fs.writeFileSync(place, '*.png -text\n');
    await memory.commit();
    expect(git(directory, 'show', 'HEAD:.gitattributes')).toBe(`${ours}*.png -text\n`);
    await memory.commit();
    expect(fs.readFileSync(place, 'utf8')).toBe(`${ours}*.png -text\n`);
    fs.writeFileSync(place, '*.gif binary\n');
    git(directory, 'commit', '--quiet', '-am', 'mine alone');
    expect((await memory.status()).warnings).toEqual([expect.stringContaining('.gitattributes: lines')]);
    await memory.commit();
    expect(git(directory, 'show', 'HEAD:.gitattributes')).toBe(`${ours}*.gif binary\n`);
    expect(fs.readFileSync(place, 'utf8')).toBe(`${ours}*.gif binary\n`);
    expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  test('memory.yaml is changed by an editor and a commit, and held to its rules', async () => {
    const { memory, directory } = await newTestMemory();
    const place = path.join(directory, 'memory.yaml');
    fs.writeFileSync(place, 'version: 1\ndecay: { half_life_days: 9 }\n');
    await memory.commit();
    expect((await memory.config('decay.half_life_days')).keys[0]).toMatchObject({ value: 9 });
    fs.writeFileSync(place, 'version: 1\ntimezon: UTC\n');
    expect((await memory.commit()).skipped).toEqual([expect.objectContaining({ path: 'memory.yaml' })]);
  });
});
