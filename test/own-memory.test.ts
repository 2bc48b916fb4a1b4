// raw/, knowledge/, memories/ and expect/ of this project are a memory about the project itself: our own engine must accept it as it lies there.

import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestResult } from '../src/base/types.ts';
import { type Memory, openMemory } from '../src/memory/open-memory.ts';
import { parseConfiguration } from '../src/store/records/configuration.ts';
import { fsck, git, hasGit } from './helpers/native-git.ts';
import { buildProgram, projectRoot, runProgram } from './helpers/program.ts';
import { temporaryFolder } from './helpers/temporary.ts';

const folder = temporaryFolder();
let memory: Memory;
const warnings: string[] = [];

beforeAll(async () => {
  await buildProgram();
  for (const name of ['raw', 'knowledge', 'memories', 'expect', 'memory.yaml', '.meta.json']) {
    if (existsSync(join(projectRoot, name))) cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  }
  // What lies there is taken in like any edit by hand.
  memory = await openMemory({ dir: folder, create: true, logger: { warn: (message) => warnings.push(message) } });
});
afterAll(() => memory.close());

describe("the project's own memory", () => {
  it('is configured for a memory beside the code, with keys we know', async () => {
    const { configuration, warnings } = parseConfiguration(await memory.read('memory.yaml'), 'memory.yaml');
    expect(configuration.placement).toBe('project');
    expect(warnings).toEqual([]);
  });

  it('passes every rule: all of it can be committed', async () => {
    expect(warnings).toEqual([]);
    expect((await memory.log()).commits.map(({ operation }) => operation)).toContain('edit');
    const status = await memory.status();
    expect(status).toMatchObject({ pending: [], openSessions: [], warnings: [] });
    expect(status.conversations).toBeGreaterThanOrEqual(6);
    expect(status.memories).toBeGreaterThanOrEqual(20);
    if (hasGit) {
      expect(git(folder, 'status', '--porcelain')).toBe('');
      expect(fsck(folder)).toBe('');
    }
  });

  it('has no memory without the words it was taken from', async () => {
    for (const { id, content } of (await memory.list()).memories) {
      const { sources } = await memory.provenance(id);
      expect(sources.length, content).toBeGreaterThan(0);
      for (const { text } of sources) expect(text, content).toBeTypeOf('string');
    }
  });

  it('says what is expected of it', async () => {
    const { stdout, status } = await runProgram(folder, ['test', '--json']);
    const { total, results, problems } = JSON.parse(stdout) as TestResult;
    expect(problems).toEqual([]);
    expect(results.filter(({ holds }) => !holds)).toEqual([]);
    expect(total).toBeGreaterThanOrEqual(9);
    expect(status).toBe(0);
  });
});
