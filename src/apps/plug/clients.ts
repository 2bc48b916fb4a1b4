// Where each client keeps its servers and hooks, and what is entered there. The forms are those of the clients' own documentation, read in November
// 2026: code.claude.com/docs/en/hooks, learn.chatgpt.com (Codex, hooks), geminicli.com/docs/hooks/reference, cursor.com/docs/agent/hooks,
// code.visualstudio.com/docs/agent-customization/hooks.

import { join } from 'node:path';

/** A file in which a client keeps settings, and what is entered there. */
export interface ClientFile {
  /** From the folder of the project. */
  readonly project?: string;
  /** Of the user, from the home; absent where there is none. */
  readonly home?: (home: string, environment: Readonly<Record<string, string | undefined>>) => string;
  /** Default: JSON. */
  readonly form?: 'toml';
  /** The key that holds the servers, and what an entry says beside command and arguments. */
  readonly servers?: {
    readonly key: string;
    readonly extra?: Readonly<Record<string, unknown>>;
    readonly inProject?: Readonly<Record<string, unknown>>;
  };
  /** By the events, what hangs below each; `server` is how ours is called. */
  readonly hooks?: (words: HookWords) => Readonly<Record<string, readonly object[]>>;
  /** What the file must say once it is ours. */
  readonly head?: Readonly<Record<string, unknown>>;
}

interface HookWords {
  readonly command: string;
  readonly server: string;
}

export interface Client {
  readonly title: string;
  readonly files: readonly ClientFile[];
  /** What is left to a person. */
  readonly note?: string;
}

/** What the server answers for a hook; see mcp/server.ts. */
export const hookTool = 'memory_hook';

type Fields = Readonly<Record<string, unknown>>;
const command = (words: HookWords, more: Fields = {}) => ({ type: 'command', command: words.command, ...more });
const inBackground = (words: HookWords, timeout: number) => command(words, { async: true, timeout });
/** How clients name what they put in: a field of the event, or the folder that is open. */
const from = (name: string): string => `\${${name}}`;
const asked = ({ server }: HookWords, event: string, input: Readonly<Record<string, string>>) => ({
  type: 'mcp_tool',
  server,
  tool: hookTool,
  input: { event, session: from('session_id'), ...input },
  timeout: 5,
});
const group = (hook: object, matcher?: string) => [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }];

const path = { path: from('tool_input.file_path') };
const said = { command: from('tool_input.command') };

/** The hooks of Claude Code, in settings and in a plug-in. */
export const claudeHooks = (words: HookWords) => ({
  SessionStart: group(command(words, { timeout: 10 })),
  UserPromptSubmit: group(asked(words, 'UserPromptSubmit', { prompt: from('prompt') })),
  PreToolUse: [
    ...group(asked(words, 'PreToolUse', path), 'Read|Edit|MultiEdit|Write'),
    ...group(asked(words, 'PreToolUse', said), 'Bash'),
  ],
  PostToolUse: group(inBackground(words, 30), 'Edit|MultiEdit|Write'),
  PostToolUseFailure: group(asked(words, 'PostToolUseFailure', { ...said, error: from('error') }), 'Bash'),
  SubagentStop: group(inBackground(words, 60)),
  Stop: group(inBackground(words, 60)),
  PreCompact: group(inBackground(words, 60)),
  SessionEnd: group(inBackground(words, 60)),
});

// Stop waits: what a hook in the background says there reaches nobody. A session ends in three seconds at most.
const codexHooks = (words: HookWords) => ({
  SessionStart: group(command(words, { timeout: 10 })),
  UserPromptSubmit: group(asked(words, 'UserPromptSubmit', { prompt: from('prompt') })),
  PreToolUse: group(asked(words, 'PreToolUse', said), 'Bash|Edit|Write'),
  PostToolUse: [
    ...group(asked(words, 'PostToolUse', { ...said, error: from('tool_response') }), 'Bash'),
    ...group(inBackground(words, 30), 'Edit|Write'),
  ],
  Stop: group(command(words, { timeout: 30 })),
  PreCompact: group(command(words, { timeout: 30 })),
  SessionEnd: group(command(words, { timeout: 3 })),
});

// Gemini CLI has no hook that a server answers: a person waits for each process.
const geminiHooks = (words: HookWords) => {
  const one = command(words, { name: 'git-memory', timeout: 10_000 });
  return {
    SessionStart: group(one),
    BeforeAgent: group(one),
    AfterTool: group(one, 'run_shell_command|replace|write_file'),
    AfterAgent: group(one),
    PreCompress: group(one),
    SessionEnd: group(one),
  };
};

// What a hook says before a prompt reaches the model neither here nor in VS Code: it may let the prompt go or stop it.
const cursorHooks = ({ command: run }: HookWords) =>
  Object.fromEntries(
    ['sessionStart', 'postToolUse', 'preCompact', 'stop', 'sessionEnd'].map((event) => [event, [{ command: run }]]),
  );

const vscodeHooks = (words: HookWords) =>
  Object.fromEntries(
    ['SessionStart', 'PreToolUse', 'PostToolUse', 'SubagentStop', 'PreCompact', 'Stop'].map((event) => [
      event,
      [command(words, { timeout: 20 })],
    ]),
  );

const codeFolder = (home: string, environment: Readonly<Record<string, string | undefined>>): string =>
  process.platform === 'darwin'
    ? join(home, 'Library/Application Support/Code/User')
    : process.platform === 'win32'
      ? join(environment.APPDATA ?? join(home, 'AppData/Roaming'), 'Code/User')
      : join(environment.XDG_CONFIG_HOME ?? join(home, '.config'), 'Code/User');

/** Where a file lies in a project and, in the same place, below the home. */
const both = (path: string) => ({ project: path, home: (home: string) => join(home, path) });
/** Where it lies in a folder that a variable of the environment may name anew. */
const inFolder = (folder: string, variable: string, name: string): Pick<ClientFile, 'project' | 'home'> => ({
  project: `${folder}/${name}`,
  home: (home, { [variable]: other }) => join(other ?? join(home, folder), name),
});
const mcpServers = { key: 'mcpServers' };

/** The clients whose files are known. */
export const clients: Readonly<Record<string, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    files: [
      { project: '.mcp.json', home: (home) => join(home, '.claude.json'), servers: mcpServers },
      { ...inFolder('.claude', 'CLAUDE_CONFIG_DIR', 'settings.json'), hooks: claudeHooks },
    ],
  },
  codex: {
    title: 'Codex',
    files: [
      { ...inFolder('.codex', 'CODEX_HOME', 'config.toml'), form: 'toml', servers: { key: 'mcp_servers' } },
      { ...inFolder('.codex', 'CODEX_HOME', 'hooks.json'), hooks: codexHooks },
    ],
    note: 'Codex runs them once you trust the project and, in /hooks, each of them.',
  },
  cursor: {
    title: 'Cursor',
    files: [
      // Cursor starts servers anywhere.
      {
        ...both('.cursor/mcp.json'),
        servers: { ...mcpServers, inProject: { env: { CLAUDE_PROJECT_DIR: from('workspaceFolder') } } },
      },
      { ...both('.cursor/hooks.json'), hooks: cursorHooks, head: { version: 1 } },
    ],
  },
  gemini: {
    title: 'Gemini CLI',
    files: [{ ...both('.gemini/settings.json'), servers: mcpServers, hooks: geminiHooks }],
  },
  vscode: {
    title: 'VS Code',
    files: [
      {
        project: '.vscode/mcp.json',
        home: (home, environment) => join(codeFolder(home, environment), 'mcp.json'),
        servers: { key: 'servers', extra: { type: 'stdio' }, inProject: { cwd: from('workspaceFolder') } },
      },
      {
        project: '.github/hooks/git-memory.json',
        home: (home) => join(home, '.copilot/hooks/git-memory.json'),
        hooks: vscodeHooks,
      },
    ],
    note: 'VS Code also reads .claude/settings.json: where claude-code is plugged in, its hooks answer twice.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    files: [
      {
        home: (home) =>
          process.platform === 'darwin'
            ? join(home, 'Library/Application Support/Claude/claude_desktop_config.json')
            : join(home, '.config/Claude/claude_desktop_config.json'),
        servers: mcpServers,
      },
    ],
  },
  windsurf: {
    title: 'Windsurf',
    files: [{ home: (home) => join(home, '.codeium/windsurf/mcp_config.json'), servers: mcpServers }],
  },
};
