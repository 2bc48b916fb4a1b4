// `doctor --json` as programs that watch a memory read it: the fields and exit codes of the guide.

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';
import { newRepository } from '../../helpers/native-git.ts';
import { runHere } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const severities = ['error', 'warning', 'note'];

/** Asks doctor about a folder, and holds the answer to the shape that was promised. */
async function watch(directory: string) {
  const { status, stdout, stderr } = await runHere(directory, ['doctor', '--json']);
  expect(stderr).toBe('');
  const report = JSON.parse(stdout);
  expect(Object.keys(report).toSorted()).toEqual(
    ['branch', 'checked', 'commit', 'directory', 'embedder', 'findings', 'isHealthy', 'model', 'reasons'].toSorted(),
  );
  expect(Object.keys(report.checked).toSorted()).toEqual(['bytes', 'commits', 'copies', 'files', 'refs', 'trees']);
  for (const { fix, ...finding } of report.findings) {
    expect(Object.keys(finding).toSorted()).toEqual(['code', 'isFixed', 'severity', 'what', 'where']);
    expect(finding.code).toMatch(/^[A-Z][A-Z_]+$/);
    expect(severities).toContain(finding.severity);
    expect(['string', 'undefined']).toContain(typeof fix);
  }
  const codes = (report.findings as { code: string; severity: string }[]).map(
    ({ code, severity }) => `${severity} ${code}`,
  );
  return { status, report, codes };
}

it('is 0 for a memory that is whole, with what was looked at', async () => {
  const { memory, directory } = await newTestMemory();
  await memory.remember('Ada drinks tea');
  await memory.commit();
  const tip = memory.tip;
  await memory.close();
  const { status, report } = await watch(directory);
  expect(status).toBe(0);
  expect(report).toMatchObject({ isHealthy: true, directory, branch: 'main', commit: tip });
  expect(report.checked.commits).toBe(2);
});

it('is 0 with a warning, and 8 for damage, which is named', async () => {
  const { memory, directory } = await newTestMemory();
  const { path: file } = (await memory.remember('Ada drinks tea')) as { path: string };
  await memory.close();
  fs.rmSync(path.join(directory, file));
  const warned = await watch(directory);
  expect(warned.status).toBe(0);
  expect(warned.codes.filter((code) => code.startsWith('error'))).toEqual([]);
  fs.writeFileSync(path.join(directory, '.git/index'), 'no index');
  const damaged = await watch(directory);
  expect(damaged).toMatchObject({ status: 8, report: { isHealthy: false } });
  expect(damaged.codes).toContain('error INDEX_DAMAGED');
});

it('is 4 where no memory is', async () => {
  for (const [folder, branch, found] of [
    [temporaryFolder(), null, 'NOT_A_REPOSITORY'],
    [newRepository(), 'main', 'NOT_A_MEMORY'],
  ] as const) {
    const { status, report, codes } = await watch(folder);
    expect(status).toBe(4);
    expect(report).toMatchObject({ isHealthy: false, branch, commit: null });
    expect(codes).toEqual([`error ${found}`]);
  }
});
