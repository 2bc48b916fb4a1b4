// The configuration as people ask for it and change it.

import { describe, expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { blemishes, hasGit } from '../helpers/native-git.ts';

describe('the configuration', () => {
  it('tells every key with its value, default, unit and meaning', async () => {
    const { memory } = await newTestMemory();
    const { path, keys } = await memory.config();
    expect(path).toBe('memory.yaml');
    expect(keys.length).toBeGreaterThan(100);
    expect(keys.find(({ key }) => key === 'decay.half_life_days')).toMatchObject({
      value: 3,
      default: 3,
      isSet: false,
      unit: 'days',
      sentence: expect.stringContaining('half'),
    });
    expect((await memory.config('decay')).keys.map(({ key }) => key)).toContain('decay.half_life_days');
    await expect(memory.config('decai')).rejects.toMatchObject({ code: 'NOT_FOUND', hint: 'Did you mean decay' });
  });

  it('of an earlier version is read, says which of its keys do nothing, and lets them go', async () => {
    const { memory, directory } = await newTestMemory(
      {},
      'timezone: Europe/Lisbon\ndecay:\n  alpha: 2 # steeper\n  half_life_days: 9\n',
    );
    await memory.commit();
    const { keys, warnings } = await memory.config('decay');
    expect(keys.find(({ key }) => key === 'decay.half_life_days')).toMatchObject({ value: 9, isSet: true });
    expect(warnings).toEqual([expect.stringMatching(/decay\.alpha has no effect any more/)]);
    expect((await doctor({ dir: directory })).findings).toContainEqual(
      expect.objectContaining({ code: 'CONFIG_UNKNOWN', what: expect.stringContaining('decay.alpha') }),
    );
    await expect(memory.configure({ 'decay.alpha': 3 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.config('decay.alpha')).rejects.toThrow(/earlier versions has no effect/);
    await memory.configure({ 'decay.alpha': undefined, 'recall.limit': 5 });
    expect(await memory.read('memory.yaml')).toBe(
      'timezone: Europe/Lisbon\ndecay:\n  half_life_days: 9\nrecall:\n  limit: 5\n',
    );
    expect((await memory.config()).warnings).toBeUndefined();
  });

  it('lets a key go with the section that it leaves empty, and writes nothing for a key that is not set', async () => {
    const { memory } = await newTestMemory();
    const begun = 'version: 1\ntimezone:   UTC # the office\n';
    await writeConfiguration(memory, begun);
    await memory.commit();
    const tip = memory.tip;
    for (const key of ['decay.half_life_days', 'maintain.every_hours.gc', 'name']) {
      expect(await memory.configure({ [key]: undefined })).toEqual({ path: 'memory.yaml', pending: false });
    }
    expect(await memory.commit()).toEqual({ commits: [], skipped: [] });
    expect(memory.tip).toBe(tip);
    expect(await memory.read('memory.yaml')).toBe(begun);
    await memory.configure({ 'decay.half_life_days': 9, 'maintain.every_hours.gc': 5 });
    await memory.configure({ 'decay.half_life_days': undefined, 'maintain.every_hours.gc': undefined });
    expect(await memory.read('memory.yaml')).toBe('version: 1\ntimezone: UTC # the office\n');
  });

  it('with auto_commit off has everything wait for a commit that is asked for, also when the memory is closed', async () => {
    const { memory, directory, clock } = await newTestMemory();
    await memory.configure({ auto_commit: false });
    await memory.commit();
    // It holds from the next opening on.
    await memory.capture('The first is committed.');
    const tip = memory.tip;
    await memory.close();
    const again = await openMemory({ dir: directory, clock });
    expect(again.commitsUnasked).toBe(false);
    expect(await again.capture('The second waits.')).toMatchObject({ commit: null });
    await again.remember('So does this.');
    await again.ledger.add({ type: 'decision', content: 'And this.' });
    clock.advance({ hours: 5 });
    await again.close();
    const reader = await openMemory({ dir: directory, clock });
    expect(reader.tip).toBe(tip);
    expect((await reader.recall('second waits')).hits[0]!.snippet).toBe('The second waits.');
    expect((await reader.commit()).commits.length).toBeGreaterThan(0);
    expect((await reader.status()).pending).toEqual([]);
    await reader.close();
    if (hasGit) expect(blemishes(directory)).toBe('');
  });

  it('is edited key by key, with its comments, in a commit that can be taken back', async () => {
    const { memory } = await newTestMemory();
    const begun = '# Ours.\ntimezone: UTC   # the office\nrecall:\n  limit: 5\n';
    await writeConfiguration(memory, begun);
    await memory.commit();
    const written = await memory.configure({
      'decay.half_life_days': 7,
      'recall.limit': '20',
      timezone: 'Europe/Lisbon',
    });
    expect(written).toMatchObject({ path: 'memory.yaml', pending: true });
    const text = await memory.read('memory.yaml');
    expect(text).toContain('# Ours.\n');
    expect(text).toMatch(/timezone: Europe\/Lisbon +# the office/);
    expect((await memory.config('recall.limit')).keys[0]).toMatchObject({ value: 20, isSet: true });
    const [first] = (await memory.commit()).commits;
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({ operation: 'config', paths: ['memory.yaml'] });
    await memory.configure({ 'recall.limit': undefined });
    expect((await memory.config('recall.limit')).keys[0]).toMatchObject({ value: 10, isSet: false });
    await memory.commit();
    // One of its keys was changed since.
    expect(await memory.undo(first!)).toMatchObject({ commit: null, conflicts: ['memory.yaml'] });
    await memory.undo('HEAD');
    await memory.undo(first!);
    expect((await memory.config('decay.half_life_days')).keys[0]).toMatchObject({ value: 3, isSet: false });
    expect(await memory.read('memory.yaml')).toBe(begun);
    const earlier = await memory.at(first!);
    expect((await earlier.config('decay.half_life_days')).keys[0]!.value).toBe(7);
  });

  it.each([
    ['recall.limit', 0, 'INVALID_CONFIG'],
    ['recall.limit', 'many', 'INVALID_CONFIG'],
    ['timezone', 'Mars/Olympus', 'INVALID_CONFIG'],
    ['recal.limit', 3, 'NOT_FOUND'],
    ['recall.limit.x', 3, 'NOT_FOUND'],
    ['decay', 3, 'INVALID_CONFIG'],
    ['__proto__.x', 3, 'NOT_FOUND'],
  ])('refuses %s = %j and changes nothing', async (key, value, code) => {
    const { memory } = await newTestMemory();
    const before = memory.tip;
    await expect(memory.configure({ [key]: value })).rejects.toMatchObject({ code });
    expect(await memory.commit()).toMatchObject({ commits: [] });
    expect(memory.tip).toBe(before);
  });

  it('takes a text as it is where a key wants one, and a mapping by the names in it', async () => {
    const { memory } = await newTestMemory();
    await memory.configure({ name: '5', private: '[notes/**, people/**]', 'maintain.every_hours.gc': '48' });
    const held = async (key: string) => (await memory.config(key)).keys[0]!.value;
    expect(await held('name')).toBe('5');
    expect(await held('private')).toEqual(['notes/**', 'people/**']);
    expect(await held('maintain.every_hours')).toEqual({ gc: 48 });
  });
});
