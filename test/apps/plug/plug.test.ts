// Plugging into clients and out again: the files of a project or of a user, as they were before.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { claudeHooks, clients } from '../../../src/apps/plug/clients.ts';
import {
  linesOf,
  type PlugPlace,
  plugged,
  programWords,
  unplugged,
  writeChanges,
} from '../../../src/apps/plug/plug.ts';
import { MemoryError } from '../../../src/base/errors.ts';
import { programPath, projectRoot, runHere } from '../../helpers/program.ts';
import { temporaryFolder, writeDeep } from '../../helpers/temporary.ts';

const words = { program: ['git-memory'] };
const inProject = (client: string): PlugPlace => ({
  ...{ client, project: temporaryFolder(), home: temporaryFolder() },
  environment: {},
});
const plugIn = (place: PlugPlace, more = words) => {
  const changes = plugged(place, more);
  writeChanges(changes, place);
  return changes;
};
const plugOut = (place: PlugPlace) => writeChanges(unplugged(place), place);
const rootOf = ({ project, home }: PlugPlace): string => project ?? home;
const tree = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
      const path = join(folder, name);
      return [name, statSync(path).isDirectory() ? '' : readFileSync(path, 'utf8')];
    }),
  );
function write(place: PlugPlace, name: string, text: string): string {
  const path = join(rootOf(place), name);
  writeDeep(path, text);
  return path;
}

const places = Object.entries(clients).flatMap(([client, { files }]) => [
  ...(files.some(({ project }) => project !== undefined) ? [[`${client}, a project`, inProject(client)] as const] : []),
  [`${client}, a user`, { client, home: temporaryFolder(), environment: {} }] as const,
]);

describe.each(places)('for %s', (_, place) => {
  it('enters everything once, without a path of this machine, and leaves no trace', () => {
    const before = tree(rootOf(place));
    const shown = plugged(place, words);
    expect(tree(rootOf(place))).toEqual(before);
    plugIn(place);
    const after = tree(rootOf(place));
    for (const { path, after: text } of shown) expect(readFileSync(path, 'utf8')).toBe(text);
    expect(JSON.stringify(after)).not.toContain(rootOf(place));
    plugIn(place);
    expect(tree(rootOf(place))).toEqual(after);
    plugOut(place);
    expect(tree(rootOf(place))).toEqual(before);
  });
});

describe('settings of others', () => {
  it.each([
    ['comments', '{ // mine\n}\n'],
    ['an entry and a comment behind it', '{\n\t"theme": "dark" // at night\n}\n'],
    ['a comma behind the last entry', '{\n  "theme": "dark",\n}\n'],
    ['one line', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]},"theme":"dark"}'],
    [
      'Windows line ends',
      '{\r\n    "hooks": {\r\n        "Stop": [\r\n            { "hooks": [] }\r\n        ]\r\n    }\r\n}\r\n',
    ],
    [
      'hooks for the same events',
      '{\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard" }] } /* ours */\n    ]\n  },\n  "model": "opus"\n}\n',
    ],
    ['no line feed at the end', '{\n  "theme": "dark"\n}'],
  ])('come through byte for byte: %s', (_, text) => {
    const place = inProject('claude-code');
    const file = write(place, '.claude/settings.json', text);
    plugIn(place);
    const now = readFileSync(file, 'utf8');
    expect(now).toContain('git-memory hook');
    if (text.includes('\r\n')) expect(now.replaceAll('\r\n', '')).not.toContain('\n');
    plugIn(place);
    expect(readFileSync(file, 'utf8')).toBe(now);
    plugOut(place);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(join(place.project!, '.mcp.json'))).toBe(false);
  });

  it('come through in TOML', () => {
    const place = inProject('codex');
    const text = 'model = "o3" # mine\n\n[mcp_servers.docs]\ncommand = "docs"\n';
    const file = write(place, '.codex/config.toml', text);
    plugIn(place);
    expect(readFileSync(file, 'utf8')).toBe(
      `${text}\n[mcp_servers.memory]\ncommand = "git-memory"\nargs = ["mcp", "--hooks"]\n`,
    );
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n[tui]\ntheme = "dark"\n`);
    plugOut(place);
    expect(readFileSync(file, 'utf8')).toBe(`${text}\n[tui]\ntheme = "dark"\n`);
  });

  it('keep a server that is called memory, and a hook that was put beside ours', () => {
    const place = inProject('claude-code');
    const theirs =
      '{\n  "mcpServers": {\n    "memory": { "command": "npx", "args": ["@modelcontextprotocol/server-memory"] }\n  }\n}\n';
    const file = write(place, '.mcp.json', theirs);
    plugIn(place);
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).mcpServers)).toEqual(['memory', 'git-memory']);
    const settings = join(place.project!, '.claude/settings.json');
    const { hooks } = JSON.parse(readFileSync(settings, 'utf8'));
    expect(hooks.PreToolUse[0].hooks[0]).toMatchObject({ type: 'mcp_tool', server: 'git-memory', tool: 'memory_hook' });
    hooks.Stop[0].hooks.push({ type: 'command', command: 'say done' });
    writeFileSync(settings, JSON.stringify({ hooks }, null, 2));
    plugOut(place);
    expect(readFileSync(file, 'utf8')).toBe(theirs);
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }] },
    });
  });

  it('keep their mode and a link to them', () => {
    const place = inProject('cursor');
    const real = join(temporaryFolder(), 'settings.json');
    writeFileSync(real, '{ "mcpServers": { "other": { "command": "x" } } }\n');
    chmodSync(real, 0o600);
    mkdirSync(join(place.project!, '.cursor'));
    symlinkSync(real, join(place.project!, '.cursor/mcp.json'));
    plugIn(place);
    expect(JSON.parse(readFileSync(real, 'utf8')).mcpServers.memory.command).toBe('git-memory');
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(lstatSync(join(place.project!, '.cursor/mcp.json')).isSymbolicLink()).toBe(true);
  });

  it('are left alone where they cannot be read', () => {
    const place = inProject('gemini');
    for (const text of ['{ "hooks": ', '[]', '{ "hooks": [] }', '{ "mcpServers": 1 }', '{ "a": 1 "b": 2 }']) {
      const file = write(place, '.gemini/settings.json', text);
      expect(() => plugIn(place), text).toThrow(MemoryError);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });
});

describe('the program', () => {
  it('is named for whoever shares the files', () => {
    const bin = temporaryFolder();
    writeFileSync(join(bin, 'git-memory'), '');
    const cache = join(temporaryFolder(), '_npx/1');
    writeDeep(join(cache, 'git-memory'), '');
    const here = [process.execPath, programPath];
    for (const path of [bin, cache, '/nowhere', `${cache}${delimiter}${bin}`]) {
      expect(programWords(path, { npx: true, isShared: false })).toEqual(['npx', '-y', 'git-memory']);
      expect(programWords(path, { npx: false, isShared: true })).toEqual(['git-memory']);
      expect(programWords(path, { npx: false, isShared: false })).toEqual(path.endsWith(bin) ? ['git-memory'] : here);
    }
  });

  it.each(Object.keys(clients))('is taken out again where it was entered by its path: %s', (client) => {
    const place: PlugPlace = { client, home: temporaryFolder(), environment: {} };
    const before = { program: ['/opt/my own/node', '/opt/my own/dist/program/main.js'] };
    plugIn(place, before);
    expect(JSON.stringify(tree(place.home))).toContain('main.js');
    plugIn(place);
    expect(JSON.stringify(tree(place.home))).not.toContain('main.js');
    plugIn(place, before);
    plugOut(place);
    expect(tree(place.home)).toEqual({});
  });

  it('shows what changes, line by line', () => {
    const [server] = plugged(inProject('claude-code'), words);
    expect(linesOf(server!)).toContain('+     "memory": {');
  });
});

describe('the verbs', () => {
  it('want a repository, begin a memory on a branch of its own, and say so', async () => {
    const folder = temporaryFolder();
    expect(await runHere(folder, ['plug', 'codex'])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('git init'),
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(await runHere(folder, ['plug', 'emacs'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('claude-code'),
    });
    expect(await runHere(folder, ['init', '--placement', 'repository'])).toMatchObject({ status: 0 });
    const before = tree(folder);
    const { stdout } = await runHere(folder, ['plug', 'codex', '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ memory: { branch: 'main', isNew: false }, written: false });
    expect(tree(folder)).toEqual(before);
    vi.stubEnv('PATH', '/nowhere');
    const [shared, own] = [
      await runHere(folder, ['plug', 'cursor', '--dry-run']),
      await runHere(folder, ['plug', 'cursor', '--dry-run', '--global']),
    ];
    vi.unstubAllEnvs();
    expect(shared.stdout).toMatch(/"command": "git-memory".*not on the PATH here.*--npx.*--global/s);
    expect(own.stdout).toContain(`"command": ${JSON.stringify(process.execPath)}`);
    expect(own.stdout).toContain('main.js hook || exit 0');
    expect(`${shared.stdout}${own.stdout}`).not.toContain('"npx"');
  });

  it('answer what `mcp install` was, with a word of advice', async () => {
    const folder = temporaryFolder();
    await runHere(folder, ['init']);
    const { status, stderr } = await runHere(folder, ['mcp', 'install', 'vscode', '--dry-run']);
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('git memory plug') });
  });
});

describe('the plug-in for Claude Code', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(projectRoot, 'plugin', name), 'utf8'));

  it('has the hooks that plug enters, for the server that it brings', () => {
    const server = 'plugin:git-memory:memory';
    expect(read('hooks/hooks.json').hooks).toEqual(claudeHooks({ command: 'git-memory hook || exit 0', server }));
    expect(read('.mcp.json')).toEqual({ mcpServers: { memory: { command: 'git-memory', args: ['mcp', '--hooks'] } } });
  });

  it('has a manifest with the fields that are documented, and a skill with a head', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    const { $schema, ...manifest } = read('.claude-plugin/plugin.json');
    expect($schema).toBe('https://www.schemastore.org/claude-code-plugin-manifest.json');
    expect(manifest).toEqual({
      ...{ name: expect.stringMatching(/^[a-z-]+$/), version, description: expect.any(String) },
      ...{ author: { name: expect.any(String) }, license: 'MIT', keywords: expect.any(Array) },
    });
    const skill = readFileSync(join(projectRoot, 'plugin/skills/remember/SKILL.md'), 'utf8');
    expect(skill).toMatch(/^---\nname: remember\ndescription: .{20,1024}\n---\n/);
  });
});
