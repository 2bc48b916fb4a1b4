// Session files of Claude Code: JSON lines, each an entry that wraps a message of the model API.
//
//   {"type":"user","uuid":"b","parentUuid":"a","sessionId":"5f0c","timestamp":"…","cwd":"/w","message":{"role":"user","content":"…"}}

import { MemoryError } from '../../../base/errors.ts';
import { type MessagePart, partOf } from '../../../core/capture/messages.ts';
import { cutLongStrings } from '../long-strings.ts';
import type { SourceFile } from '../source.ts';
import { type Fields, fieldsOf, listOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { firstLines, jsonLines, jsonOf } from './json-files.ts';
import { said } from './program-words.ts';

/** Names of titles by the entry that carries them; what a person wrote goes before what a model made. */
const titles: Readonly<Record<string, readonly [field: string, rank: number]>> = {
  'custom-title': ['customTitle', 3],
  'ai-title': ['aiTitle', 2],
};
const summaryRank = 1;

export const claudeCode: Form = {
  places: [{ root: '~/.claude', variable: 'CLAUDE_CONFIG_DIR', files: 'projects/**/*.jsonl' }],

  sessionOf: (path) => (/(?:^|\/)agent-[^/]+\.jsonl$/.test(path) ? undefined : path),

  detect(path, head) {
    if (!/\.(?:jsonl|ndjson)$/i.test(path)) return 0;
    return firstLines(head).some(isEntry) ? 0.9 : 0;
  },

  *read(file, reading) {
    const abandoned = abandonedIn(file);
    const state: State = { session: undefined, said: new Map() };
    const leaves = new Map<string, string>();
    const seen = new Set<string>();
    for (const { line, value } of jsonLines(file, reading, reading.isWhole ? undefined : withoutMiddles)) {
      const type = wordOf(value.type) ?? '';
      const uuid = wordOf(value.uuid);
      if (uuid !== undefined && leaves.has(uuid)) seen.add(uuid);
      if (type === 'summary') {
        const [title, leaf] = [wordOf(value.summary), wordOf(value.leafUuid)];
        if (title !== undefined && leaf !== undefined) leaves.set(leaf, title);
        if (leaf !== undefined && state.session !== undefined) seen.add(leaf);
        continue;
      }
      const title = titles[type];
      if (title !== undefined) {
        const text = wordOf(value[title[0]]);
        state.session ??= wordOf(value.sessionId);
        if (text !== undefined) yield { kind: 'head', session: state.session, title: text, titleRank: title[1] };
        continue;
      }
      if (uuid !== undefined && abandoned?.has(uuid)) {
        reading.leave('are of a branch that was rewound', line);
        continue;
      }
      yield* entryOf(value, line, type, reading, state, file);
    }
    // A summary at the beginning may tell of another session: it names the entry that it ends with.
    for (const [leaf, title] of leaves)
      if (seen.has(leaf)) yield { kind: 'head', session: state.session, title, titleRank: summaryRank };
  },
};

/** Words are never cut: only a line that holds nothing but what tools answered. */
const withoutMiddles = (bytes: Buffer): Buffer =>
  bytes.length > longLine && bytes.includes('"tool_result"') && !bytes.includes('"type":"text"')
    ? cutLongStrings(bytes)
    : bytes;
const longLine = 1 << 20;

interface State {
  session: string | undefined;
  readonly said: Map<string, string>;
}

function isEntry(value: Fields): boolean {
  if (value.type === 'summary') return typeof value.leafUuid === 'string';
  if (titles[String(value.type)] !== undefined) return typeof value.sessionId === 'string';
  return (
    typeof value.sessionId === 'string' &&
    typeof value.type === 'string' &&
    (typeof value.uuid === 'string' || value.type === 'queue-operation')
  );
}

function* entryOf(
  value: Fields,
  line: number,
  type: string,
  reading: Reading,
  state: State,
  file: SourceFile,
): Generator<Entry> {
  const attached = fieldsOf(value.attachment);
  const isQueued = type === 'attachment' && attached.type === 'queued_command';
  if (type !== 'user' && type !== 'assistant' && !isQueued) return reading.leave('are notes of the program', line);
  if (value.isSidechain === true) return reading.leave('were said between the agent and its sub-agents', line);
  if (value.isMeta === true) return reading.leave('are what the program says to the model', line);
  if (value.isCompactSummary === true) return reading.leave('retell what became too long', line);
  if (isQueued && attached.commandMode !== 'prompt') return reading.leave('are notices of tasks', line);
  const message = fieldsOf(value.message);
  const content = isQueued ? attached.prompt : message.content;
  state.session ??= wordOf(value.sessionId) ?? file.path.replace(/\.\w+$/, '');
  yield* headOf(value, message, state);
  const id = wordOf(value.uuid);
  const time = timeOf(value.timestamp);
  const base = { session: state.session, id, time, line };
  const role = isQueued ? 'user' : (wordOf(message.role) ?? type);
  const parts = partsOf(content, line, reading)?.map((part) => answered(part, value.toolUseResult)) ?? null;
  if (parts === null) return;
  if (role === 'assistant') {
    const isNotice = value.isApiErrorMessage === true || message.model === '<synthetic>';
    yield { kind: 'message', ...base, role: isNotice ? 'system' : 'agent', parts };
    return;
  }
  yield* ofUser(parts, base, reading);
}

function* headOf(value: Fields, message: Fields, state: State): Generator<Entry> {
  const model = message.model === '<synthetic>' ? undefined : wordOf(message.model);
  const told = { model, project: wordOf(value.cwd), branch: wordOf(value.gitBranch) };
  const fresh = Object.entries(told).filter(([key, text]) => text !== undefined && state.said.get(key) !== text);
  if (fresh.length === 0) return;
  for (const [key, text] of fresh) state.said.set(key, text!);
  yield { kind: 'head', session: state.session, ...Object.fromEntries(fresh) };
}

/** Gives the parts of a message; a part that is none is named, and null stands for a message without any. */
function partsOf(content: unknown, line: number, reading: Reading): MessagePart[] | null {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) {
    reading.broken('has no words', line);
    return null;
  }
  return listOf(content).flatMap((part) => {
    try {
      return partOf(part, `line ${line}`);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      reading.broken('has a part that is neither text nor an object', line);
      return [];
    }
  });
}

/** Says of the answer of a tool what the program knows of it: that it went well, or that a person did not want it. */
function answered(part: MessagePart, details: unknown): MessagePart {
  if (part.kind !== 'result') return part;
  const isRefused = part.isError === true && refusal.test(JSON.stringify(part.output)?.slice(0, 200) ?? '');
  return { isError: false, ...part, details, ...(isRefused ? { isRefused } : {}) };
}

const refusal = /The user doesn't want to (?:proceed with|take) this (?:tool use|action)/;
const command = /^\s*<command-(?:name|message|args)>/;
const output = /^\s*<(?:local-command-(?:stdout|stderr|caveat)|bash-(?:stdout|stderr))>/;
const interruption = /^\s*\[Request interrupted by user[^\]]*\]\s*$/;
const ofPrograms = /^\s*<(?:task-notification|teammate-message)[\s>]/;

function* ofUser(
  parts: readonly MessagePart[],
  base: Omit<Extract<Entry, { kind: 'message' }>, 'kind' | 'role' | 'parts'>,
  reading: Reading,
): Generator<Entry> {
  const kept: MessagePart[] = [];
  let why = 'are commands or reminders without words of the user';
  for (const part of parts) {
    if (part.kind !== 'text') kept.push(part);
    else if (output.test(part.text)) why = 'are what a command of the program printed';
    else if (ofPrograms.test(part.text)) why = 'were written by another program';
    else if (interruption.test(part.text)) {
      yield { kind: 'message', ...base, role: 'system', parts: [{ kind: 'text', text: part.text.trim() }] };
      return;
    } else {
      const words = command.test(part.text) ? commandOf(part.text) : said(typed(part.text));
      if (words !== '') kept.push({ kind: 'text', text: words });
    }
  }
  if (kept.length > 0) yield { kind: 'message', ...base, role: 'user', parts: kept };
  else if (parts.length > 0) reading.leave(why, base.line);
}

const between = (text: string, mark: string): string =>
  new RegExp(`<${mark}>([\\s\\S]*?)</${mark}>`).exec(text)?.[1]?.trim() ?? '';

/** `/plan Add a retry`; empty for a command that only asks something of the program. */
function commandOf(text: string): string {
  const words = between(text, 'command-args');
  return words === '' ? '' : `${between(text, 'command-name')} ${words}`.trim();
}

/** What was typed for a shell or for a memory file has a mark of its own. */
function typed(text: string): string {
  return text
    .replace(/<bash-input>([\s\S]*?)<\/bash-input>/g, '! $1')
    .replace(/<user-memory-input>([\s\S]*?)<\/user-memory-input>/g, '# $1');
}

/**
 * Finds the entries of branches that were rewound: prompts whose sibling leads to the last entry, and what follows them. Null where no entry
 * has two prompts behind it, as in most files.
 *
 * Answers of tools that ran side by side are siblings, too, and no branches.
 */
function abandonedIn(file: SourceFile): ReadonlySet<string> | null {
  const prompts = new Map<string, number>();
  // Nine tenths of a long file are answers of tools.
  for (const text of file.someLines((bytes) => !bytes.includes('"tool_result"'))) {
    if (!isPrompt(text)) continue;
    const parent = parentIn(text);
    if (parent !== undefined) prompts.set(parent, (prompts.get(parent) ?? 0) + 1);
  }
  const forks = new Set([...prompts].flatMap(([parent, count]) => (count > 1 ? [parent] : [])));
  if (forks.size === 0) return null;
  const parents = new Map<string, string | undefined>();
  const begins: { readonly id: string; readonly parent: string }[] = [];
  let leaf: string | undefined;
  for (const { text } of file.lines()) {
    const value = text === null ? {} : fieldsOf(jsonOf(text));
    const id = wordOf(value.uuid);
    if (id === undefined || value.isSidechain === true) continue;
    const parent = wordOf(value.parentUuid);
    if (!parents.has(id)) parents.set(id, parent);
    if (value.type !== 'user' && value.type !== 'assistant') continue;
    leaf = id;
    if (parent !== undefined && forks.has(parent) && isPrompt(text!)) begins.push({ id, parent });
  }
  const shown = new Set<string>();
  for (let id = leaf; id !== undefined && !shown.has(id); id = parents.get(id)) shown.add(id);
  const isForked = new Set(begins.filter(({ id }) => shown.has(id)).map(({ parent }) => parent));
  const gone = new Set(begins.filter(({ id, parent }) => isForked.has(parent) && !shown.has(id)).map(({ id }) => id));
  // Entries stand behind their parents.
  for (const [id, parent] of parents) if (parent !== undefined && gone.has(parent)) gone.add(id);
  return gone.size === 0 ? null : gone;
}

const parentIn = (text: string): string | undefined => /"parentUuid"\s*:\s*"([^"]+)"/.exec(text)?.[1];

function isPrompt(text: string): boolean {
  return (
    /"type"\s*:\s*"user"/.test(text) &&
    !text.includes('"tool_result"') &&
    !/"is(?:Sidechain|Meta)"\s*:\s*true/.test(text)
  );
}
