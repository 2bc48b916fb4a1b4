// Doctor and what stands around a memory: our hooks, its remote, what a sync or a cache left.

import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';

/** Makes a memory with one thing in it, lets something happen beside it, and gives its folder. */
async function folderWith(happen: (memory: Memory, directory: string) => unknown): Promise<string> {
  const { memory, directory } = await newTestMemory();
  await memory.remember({ content: 'tea is served at five' });
  await memory.commit();
  await happen(memory, directory);
  await memory.close();
  return directory;
}

async function findingOf(dir: string, code: string, fix = false) {
  const { findings, isHealthy } = await doctor({ dir, fix });
  expect(isHealthy).toBe(true);
  return findings.find((finding) => finding.code === code);
}

describe('hooks of git-memory', () => {
  it('are missed until they are installed, and are then no matter of their own', async () => {
    const bare = await folderWith(() => undefined);
    expect(await findingOf(bare, 'HOOKS_MISSING')).toMatchObject({
      severity: 'note',
      fix: expect.stringContaining('git memory hooks install'),
    });
    const installed = await folderWith((memory) => memory.git.installHooks());
    const codes = (await doctor({ dir: installed })).findings.map(({ code }) => code);
    for (const code of ['HOOKS', 'HOOKS_MISSING', 'HOOKS_OLD', 'CONFIG_RUNS']) expect(codes).not.toContain(code);
  });

  it('of another version are made anew with --fix, and the old one is kept aside', async () => {
    const directory = await folderWith((memory) => memory.git.installHooks());
    const hook = join(directory, '.git/hooks/pre-commit');
    const present = readFileSync(hook, 'utf8');
    const old = `${present}\n# of an older version\n`;
    writeFileSync(hook, old);
    expect(await findingOf(directory, 'HOOKS_OLD')).toMatchObject({ severity: 'warning', isFixed: false });
    expect(readFileSync(hook, 'utf8')).toBe(old);
    expect(await findingOf(directory, 'HOOKS_OLD', true)).toMatchObject({ isFixed: true });
    expect(readFileSync(hook, 'utf8')).toBe(present);
    const [time] = readdirSync(join(directory, '.git/git-memory/quarantine'));
    expect(readFileSync(join(directory, '.git/git-memory/quarantine', time!, 'hooks/pre-commit'), 'utf8')).toBe(old);
    expect(await findingOf(directory, 'HOOKS_OLD')).toBeUndefined();
  });

  it('of somebody else are named and stay', async () => {
    const directory = await folderWith(() => undefined);
    const hook = join(directory, '.git/hooks/pre-commit');
    mkdirSync(join(directory, '.git/hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\ntrue\n');
    chmodSync(hook, 0o755);
    expect(await findingOf(directory, 'HOOKS', true)).toMatchObject({ what: expect.stringContaining('pre-commit') });
    expect(readFileSync(hook, 'utf8')).toBe('#!/bin/sh\ntrue\n');
  });
});

it('hooks of a folder that is not of this repository are left to people, and are no fault', async () => {
  const directory = await folderWith((_, dir) => {
    appendFileSync(
      join(dir, '.git/config'),
      '[core]\n\thooksPath = /nowhere/hooks\n[remote "origin"]\n\turl = ext::sh\n',
    );
  });
  expect(await findingOf(directory, 'HOOKS_MISSING', true)).toMatchObject({ where: '/nowhere/hooks', isFixed: false });
  expect(await findingOf(directory, 'NOT_SYNCED')).toMatchObject({ severity: 'note' });
});

describe('a remote', () => {
  it('that was never reached is a note, and so is what a sync kept', async () => {
    const directory = await folderWith(async (memory) => {
      expect(await memory.sync({ remote: 'http://127.0.0.1:9/none' })).toMatchObject({ state: 'offline' });
      const { refs } = memory.store.repository;
      refs.restore('refs/git-memory/rescue/origin/main/0123456789ab', memory.store.tip()!);
    });
    expect(await findingOf(directory, 'NOT_SYNCED')).toMatchObject({
      severity: 'note',
      fix: '`git memory sync` brings both in step',
    });
    expect(await findingOf(directory, 'RESCUED')).toMatchObject({
      severity: 'note',
      where: expect.stringMatching(/^refs\//),
    });
  });

  it('from which a fetch was stopped leaves what --fix puts aside', async () => {
    const directory = await folderWith(() => undefined);
    const left = join(directory, '.git/git-memory/fetch/1');
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'incoming.pack'), 'PACK');
    expect(await findingOf(directory, 'FETCH_LEFT')).toBeUndefined();
    const yesterday = new Date(Date.now() - 86_400_000);
    utimesSync(left, yesterday, yesterday);
    expect(await findingOf(directory, 'FETCH_LEFT', true)).toMatchObject({ isFixed: true });
    expect(readdirSync(join(directory, '.git/git-memory/fetch'))).toEqual([]);
  });
});

it('caches that outgrew the memory are emptied with --fix; what is in them is made anew', async () => {
  const directory = await folderWith(() => undefined);
  const cache = join(directory, '.git/git-memory/cache');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'text'), '');
  truncateSync(join(cache, 'text'), 300 << 20);
  expect(await findingOf(directory, 'CACHE_LARGE')).toMatchObject({ severity: 'note', isFixed: false });
  expect(await findingOf(directory, 'CACHE_LARGE', true)).toMatchObject({ isFixed: true });
  expect(readdirSync(cache)).toEqual([]);
});

it('a memory of which no branch is checked out, as in a bisect, is looked at all the same', async () => {
  const directory = await folderWith(() => undefined);
  const tip = readFileSync(join(directory, '.git/refs/heads/main'), 'utf8');
  const before = await doctor({ dir: directory });
  writeFileSync(join(directory, '.git/HEAD'), tip);
  const { branch, checked, findings } = await doctor({ dir: directory });
  expect({ branch, checked }).toEqual({ branch: 'main', checked: before.checked });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

it('the report says why this embedder ranks and this reader reads', async () => {
  const directory = await folderWith(() => undefined);
  expect((await doctor({ dir: directory })).reasons).toEqual({
    embedder: 'memory.yaml names no other',
    model: 'no language model is named',
  });
});
