// What the program of a coding agent does with a memory that is plugged in: this one stands in for Claude Code. It reads the settings that
// `git memory plug` wrote, runs command hooks by a shell with the event on standard input, and asks the server for the others.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { scratch } from './scratch.mjs';

const folder = scratch();
const [home, shop] = ['home', 'shop'].map((name) => join(folder, name));
for (const one of [home, join(shop, 'src')]) mkdirSync(one, { recursive: true });
const env = { ...process.env, HOME: home, CLAUDE_PROJECT_DIR: shop };
const run = (...words) => execFileSync(words[0], words.slice(1), { cwd: shop, env, encoding: 'utf8' });
const files = () => readdirSync(shop, { recursive: true }).filter((name) => !name.startsWith('.git/'));

// A code repository, with settings of the team that carry a comment.
writeFileSync(join(shop, 'src/auth.ts'), 'export const ttlSeconds = 3600;\n');
mkdirSync(join(shop, '.claude'));
const mine = '{\n  // agreed in May\n  "permissions": { "deny": ["Read(.env)"] }\n}\n';
writeFileSync(join(shop, '.claude/settings.json'), mine);
run('git', 'init', '-q');
run('git', 'add', '-A');
run('git', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'the shop');
const before = files();
run('git', 'memory', 'plug', 'claude-code');

/** The settings, without their comments. */
const settings = () =>
  JSON.parse(readFileSync(join(shop, '.claude/settings.json'), 'utf8').replace(/^ *\/\/.*$/gm, ''));
const { command, args } = JSON.parse(readFileSync(join(shop, '.mcp.json'), 'utf8')).mcpServers.memory;
const client = new Client({ name: 'stand-in', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command, args, cwd: shop, env }));

/** Fires an event as Claude Code does, and gives what its agent is told. */
async function fire(hook_event_name, fields = {}) {
  const event = { session_id: session.id, transcript_path: session.file, cwd: shop, hook_event_name, ...fields };
  const told = [];
  for (const { matcher, hooks } of settings().hooks[hook_event_name] ?? []) {
    if (matcher !== undefined && !matcher.split('|').includes(event.tool_name)) continue;
    for (const hook of hooks) {
      const said = hook.type === 'command' ? byShell(hook, event) : await byServer(hook, event);
      if (said !== '') told.push(JSON.parse(said).hookSpecificOutput.additionalContext);
    }
  }
  return told.join('\n');
}

function byShell(hook, event) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', hook.command], {
    cwd: shop,
    env,
    input: JSON.stringify(event),
    encoding: 'utf8',
  });
  if (status !== 0 || stderr !== '') throw new Error(`a person would see this: ${stderr}`);
  return stdout.trim();
}

async function byServer({ tool, input }, event) {
  const fieldOf = (path) => path.split('.').reduce((value, key) => value?.[key], event) ?? '';
  const filled = Object.entries(input).map(([key, value]) => [
    key,
    value.replace(/^\$\{(.*)\}$/, (_, path) => fieldOf(path)),
  ]);
  const { content } = await client.callTool({ name: tool, arguments: Object.fromEntries(filled) });
  return content[0].text;
}

/** The file that Claude Code writes of a session. */
let session;
const begin = (id, day) => {
  session = { id, file: join(home, `${id}.jsonl`), time: Date.parse(`${day}T09:00:00Z`), count: 0 };
  writeFileSync(session.file, '');
};
function write(type, content, more = {}) {
  session.time += 20_000;
  session.count += 1;
  const common = { sessionId: session.id, cwd: shop, gitBranch: 'main', version: '2.1.200', isSidechain: false };
  const entry = {
    ...common,
    type,
    uuid: `${session.id}-${session.count}`,
    timestamp: new Date(session.time).toISOString(),
  };
  appendFileSync(session.file, `${JSON.stringify({ ...entry, message: { role: type, content }, ...more })}\n`);
}
function use(name, input, output, is_error = false) {
  const id = `tool-${session.count}`;
  write('assistant', [{ type: 'tool_use', id, name, input }]);
  write('user', [{ type: 'tool_result', tool_use_id: id, content: output, is_error }]);
}
/** What the agent keeps of the first turn, by the tool that it has. */
async function keep(claim) {
  const claims = [{ t: 1, kind: 'decision', ...claim }];
  const { isError, content } = await client.callTool({
    name: 'memory_add',
    arguments: { claims, session: session.id },
  });
  if (isError) throw new Error(content[0].text);
}
const show = (title, text) => console.log(`${title}\n${text === '' ? '  (silent)' : text.replace(/^/gm, '  ')}`);
const auth = join(shop, 'src/auth.ts');
const failure =
  'RangeError [ERR_CRYPTO_LENGTH]: buffers must have the same byte length\n    at readSession (src/auth.ts:21:9)';

begin('day-1', '2026-11-02');
show('Day 1. Nothing is known.', await fire('SessionStart', { source: 'startup' }));
write('user', 'Login sessions last 8 hours from now on.');
writeFileSync(auth, 'export const ttlSeconds = 28800;\n');
use('Edit', { file_path: auth, old_string: '3600', new_string: '28800' }, 'Updated.');
await fire('PostToolUse', { tool_name: 'Edit', tool_input: { file_path: auth }, tool_response: { success: true } });
use('Bash', { command: 'npm test' }, failure, true);
use('Edit', { file_path: auth, old_string: 'mac', new_string: 'mac.length' }, 'Updated.');
use('Bash', { command: 'npm test' }, 'Tests  2 passed');
write('assistant', [{ type: 'text', text: 'Sessions last 8 hours now, and the tests pass.' }]);
await fire('Stop', { stop_hook_active: false });
await keep({ says: 'Login sessions last 8 hours', quote: 'Login sessions last 8 hours' });
await fire('SessionEnd', { reason: 'exit' });

begin('day-2', '2026-11-03');
write('user', 'No, 8 hours is too long for the till. From now on login sessions last 2 hours.');
write('assistant', [{ type: 'text', text: 'Done.' }]);
const asked = await fire('Stop', { stop_hook_active: false });
const [, old] = /\[(\w+)\]/.exec(asked);
const second = session;
await fire('SessionEnd', { reason: 'exit' });

begin('day-3', '2026-11-04');
show('Day 3. It begins, the later word above the earlier one.', await fire('SessionStart', { source: 'startup' }));
show(
  'Before src/auth.ts is changed.',
  await fire('PreToolUse', { tool_name: 'Edit', tool_input: { file_path: auth } }),
);
show('The same again.', await fire('PreToolUse', { tool_name: 'Edit', tool_input: { file_path: auth } }));
show(
  'Before another file.',
  await fire('PreToolUse', { tool_name: 'Edit', tool_input: { file_path: join(shop, 'src/cart.ts') } }),
);
show(
  'After a failure that was there before.',
  await fire('PostToolUseFailure', { tool_name: 'Bash', tool_input: { command: 'npm test' }, error: failure }),
);
show(
  'After another one.',
  await fire('PostToolUseFailure', {
    tool_name: 'Bash',
    tool_input: { command: 'npm run lint' },
    error: 'no-unused-vars: x',
  }),
);
show('The user asks.', await fire('UserPromptSubmit', { prompt: 'How long do login sessions last?' }));
show(
  'The user asks for something else.',
  await fire('UserPromptSubmit', { prompt: 'Which colour has the harbour crane?' }),
);
show('Of no matter.', await fire('Notification', { message: 'Waiting for you' }));

// What the agent answers to what it was asked ends the earlier word.
session = second;
await keep({ says: 'Login sessions last 2 hours', quote: 'login sessions last 2 hours', replaces: old });
begin('day-4', '2026-11-05');
show('Day 4. It begins.', await fire('SessionStart', { source: 'startup' }));
await client.close();

run('git', 'memory', 'unplug', 'claude-code');
const isAsBefore = readFileSync(join(shop, '.claude/settings.json'), 'utf8') === mine && `${files()}` === `${before}`;
console.log('no trace:', isAsBefore && run('git', 'status', '--short') === ' M src/auth.ts\n');
