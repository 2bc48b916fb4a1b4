// Tells a client about the server: the one entry in its configuration file, shown before it is written.

import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { MemoryError } from '../../base/errors.ts';
import { nearestWord } from '../../store/records/nearest-word.ts';

interface Client {
  readonly title: string;
  /** The file, by the folder of the project and that of the user. */
  readonly file: (project: string, home: string) => string;
  /** The key that holds the servers. */
  readonly key: 'mcpServers' | 'servers';
  /** What each entry says beside command and arguments. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** The clients whose files are known, with the places their documentation names. */
export const clients: Readonly<Record<string, Client>> = {
  'claude-code': { title: 'Claude Code', file: (project) => join(project, '.mcp.json'), key: 'mcpServers' },
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (_, home) =>
      process.platform === 'darwin'
        ? join(home, 'Library/Application Support/Claude/claude_desktop_config.json')
        : join(home, '.config/Claude/claude_desktop_config.json'),
    key: 'mcpServers',
  },
  cursor: { title: 'Cursor', file: (project) => join(project, '.cursor/mcp.json'), key: 'mcpServers' },
  vscode: {
    title: 'VS Code',
    file: (project) => join(project, '.vscode/mcp.json'),
    key: 'servers',
    extra: { type: 'stdio' },
  },
  windsurf: {
    title: 'Windsurf',
    file: (_, home) => join(home, '.codeium/windsurf/mcp_config.json'),
    key: 'mcpServers',
  },
};

/** What to tell a client. */
export interface InstallOptions {
  readonly client: string;
  /** The folder of the project that the client opens. */
  readonly project: string;
  /** The memory to serve; found by the server if left out. */
  readonly dir?: string;
  /** How the server is called among the client's. */
  readonly name: string;
  /** What starts the program: `['git-memory']`, say. */
  readonly command: readonly string[];
  readonly write: boolean;
  readonly home?: string;
}

/** What an installation did or would do. */
export interface InstallResult {
  readonly client: string;
  readonly file: string;
  readonly change: 'added' | 'replaced' | 'none';
  /** The file as it was, empty if there was none, and as it is or would be. */
  readonly before: string;
  readonly after: string;
  readonly written: boolean;
}

/**
 * Adds the server to a client's configuration; everything else in the file stays.
 *
 * @throws MemoryError INVALID_ARGUMENT for an unknown client, INVALID_RECORD for a file that is not plain JSON. One with comments would
 * lose them, so the entry is shown for the person to put in.
 */
export function installClient(options: InstallOptions): InstallResult {
  const client = clients[options.client];
  if (client === undefined) {
    const meant = nearestWord(options.client, Object.keys(clients));
    throw new MemoryError('INVALID_ARGUMENT', 'no client of this name is known', {
      where: options.client,
      hint:
        `${meant === undefined ? '' : `Did you mean ${meant}? `}Known are ${Object.keys(clients).join(', ')}; in any ` +
        `other client, start the server with: ${options.command.join(' ')} mcp`,
    });
  }
  const [command = '', ...rest] = options.command;
  const args = [...rest, 'mcp', ...(options.dir === undefined ? [] : ['--dir', options.dir])];
  const entry = { ...client.extra, command, args };
  const named = client.file(options.project, options.home ?? homedir());
  // Some keep their settings elsewhere and link to them: the link stays.
  const file = existsSync(named) ? realpathSync(named) : named;
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const settings = parseSettings(before, named, { [client.key]: { [options.name]: entry } });
  const servers = isObject(settings[client.key]) ? (settings[client.key] as Record<string, unknown>) : {};
  const old = servers[options.name];
  const isSame = JSON.stringify(old) === JSON.stringify(entry);
  const next = { ...settings, [client.key]: { ...servers, [options.name]: entry } };
  const after = isSame ? before : `${JSON.stringify(next, null, 2)}\n`;
  if (options.write && !isSame) {
    mkdirSync(dirname(file), { recursive: true });
    // Some of these files hold keys of other servers and are private.
    writeFileSync(`${file}.git-memory`, after, existsSync(file) ? { mode: statSync(file).mode } : {});
    renameSync(`${file}.git-memory`, file);
  }
  const change = isSame ? 'none' : old === undefined ? 'added' : 'replaced';
  return { client: client.title, file: named, change, before, after, written: options.write && !isSame };
}

function parseSettings(text: string, file: string, wanted: unknown): Record<string, unknown> {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new MemoryError('INVALID_RECORD', 'the file is not plain JSON; writing it would lose its comments', {
      where: file,
      hint: `Add this by hand: ${JSON.stringify(wanted)}`,
      cause,
    });
  }
  if (isObject(value)) return value;
  throw new MemoryError('INVALID_RECORD', 'the file holds no JSON object', {
    where: file,
    hint: 'Check the file first',
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
