// What nobody foresaw, thrown into the program as it runs: one line says it, a command ends by its number, a server goes on.

import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { flushPacket, formatPacket } from '../../../src/store/git/pkt-line.ts';
import { buildProgram, programEnvironment, programPath, runHere, runProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

let folder: string;
beforeAll(async () => {
  await buildProgram();
  folder = temporaryFolder();
  expect(await runHere(folder, ['init'])).toMatchObject({ status: 0 });
});

/** Lets the program throw where nobody waits for it, once it has begun. */
const faulty = programEnvironment({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    process.on('newListener', (name) => {
      if (name === 'uncaughtException') setImmediate(() => Promise.reject(new TypeError('an odd thing')));
    });
  `)}`,
});

it('ends a command with one line and its number', async () => {
  expect(await runProgram(folder, ['log'], { env: faulty })).toEqual({
    status: 1,
    // The fault comes beside the command, so it may have answered by then, and says nothing else.
    stdout: expect.stringMatching(/^(?:[0-9a-f]{7} {2}[^\n]*\n)?$/),
    stderr: expect.stringMatching(/^error: an odd thing.*please report it\n$/),
  });
  const { status, stderr } = await runProgram(folder, ['log', '--json'], { env: faulty });
  expect([status, JSON.parse(stderr)]).toMatchObject([1, { error: { code: 'UNEXPECTED', what: 'an odd thing' } }]);
  // Git takes what is above 128 for a merge that failed, and less for conflicts.
  const files = ['a', 'b', 'c', 'd'];
  expect(await runProgram(folder, ['merge-driver', ...files], { env: faulty })).toMatchObject({ status: 129 });
});

it('costs a server nothing', async () => {
  const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
  const { status, stdout, stderr } = await runProgram(folder, ['mcp'], { env: faulty, input: ping });
  expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^error: an odd thing.*\n$/)]);
});

it.runIf(process.platform === 'linux')('a full disk behind standard output is one of the file system', async () => {
  const child = spawn(process.execPath, [programPath, 'log'], {
    cwd: folder,
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  });
  let stderr = '';
  child.stderr!.on('data', (data) => {
    stderr += data;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect([status, stderr]).toEqual([10, expect.stringMatching(/^error: ENOSPC.*\n$/)]);
});

it('costs the filter of native git the one file', async () => {
  // Where memory.yaml is a folder, no file can be judged.
  const odd = temporaryFolder();
  mkdirSync(join(odd, 'memory.yaml'));
  const list = (...lines: readonly string[]) => [...lines.map((line) => formatPacket(`${line}\n`)), flushPacket];
  const clean = (path: string) => [...list('command=clean', `pathname=${path}`), formatPacket('text'), flushPacket];
  const greeting = [...list('git-filter-client', 'version=2'), ...list('capability=clean')];
  const input = Buffer.concat([...greeting, ...clean('a.md'), ...clean('b.md')]).toString('latin1');
  const { status, stdout, stderr } = await runProgram(odd, ['filter', 'process'], { input });
  expect([status, stdout.split('status=error').length - 1]).toEqual([0, 2]);
  expect(stderr).toMatch(/^warning: a\.md: EISDIR.*\nwarning: b\.md: EISDIR.*\n$/);
});
