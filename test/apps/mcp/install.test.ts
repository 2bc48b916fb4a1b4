// The entry in a client's configuration: shown first, written on request, and nothing else in the file touched.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clients, installClient } from '../../../src/apps/mcp/install.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const command = ['npx', '-y', 'git-memory'];

function optionsFor(client: string, write: boolean) {
  const [project, home] = [temporaryFolder(), temporaryFolder()];
  return { client, project, home, name: 'memory', command, write };
}

describe.each(Object.keys(clients))('for %s', (client) => {
  it('shows the entry and writes nothing until it is told to', () => {
    const options = optionsFor(client, false);
    const shown = installClient(options);
    expect(shown).toMatchObject({ change: 'added', before: '', written: false });
    expect(existsSync(shown.file)).toBe(false);
    const written = installClient({ ...options, write: true });
    expect(written).toMatchObject({ written: true, after: shown.after });
    expect(readFileSync(shown.file, 'utf8')).toBe(shown.after);
    const { key } = clients[client]!;
    expect(JSON.parse(shown.after)[key].memory).toMatchObject({ command: 'npx', args: ['-y', 'git-memory', 'mcp'] });
    expect(installClient({ ...options, write: true })).toMatchObject({ change: 'none', written: false });
  });
});

it('keeps what else is in the file, its mode and a link to it', () => {
  const options = optionsFor('cursor', true);
  const real = join(temporaryFolder(), 'settings.json');
  writeFileSync(
    real,
    JSON.stringify({ theme: 'dark', mcpServers: { other: { command: 'x' }, memory: { command: 'old' } } }),
  );
  chmodSync(real, 0o600);
  mkdirSync(join(options.project, '.cursor'));
  symlinkSync(real, join(options.project, '.cursor/mcp.json'));
  const result = installClient({ ...options, dir: '/data/memory' });
  expect(result).toMatchObject({ change: 'replaced', written: true });
  expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({
    theme: 'dark',
    mcpServers: {
      other: { command: 'x' },
      memory: { command: 'npx', args: ['-y', 'git-memory', 'mcp', '--dir', '/data/memory'] },
    },
  });
  expect(statSync(real).mode & 0o777).toBe(0o600);
  expect(lstatSync(result.file).isSymbolicLink()).toBe(true);
});

it('leaves a file with comments to people, and says what to put in', () => {
  const options = optionsFor('vscode', true);
  const file = join(options.project, '.vscode/mcp.json');
  mkdirSync(join(options.project, '.vscode'));
  writeFileSync(file, '{ // mine\n}\n');
  expect(() => installClient(options)).toThrow(/"servers"/);
  expect(readFileSync(file, 'utf8')).toBe('{ // mine\n}\n');
  expect(() => installClient(optionsFor('emacs', true))).toThrow(/claude-code, .*git-memory mcp/);
});
