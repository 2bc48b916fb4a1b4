// The events of hooks, as the programs of coding agents send them: which moment of a session each is, and what it tells.
//
// Claude Code, Codex, Gemini CLI, Cursor and VS Code send one JSON object on standard input. They name the same moments by other words, and
// the same fields in snake case or camel case. An event that is none of these is nobody's moment, and gets no answer.

import { isJsonObject } from '../../base/canonical-json.ts';
import { MemoryError } from '../../base/errors.ts';

/** `rests`: the agent has answered. `saves`: words are about to leave the window, or a helper has answered. */
export type Moment = 'begins' | 'asks' | 'acts' | 'acted' | 'failed' | 'rests' | 'saves' | 'ends';

const moments: Readonly<Record<string, Moment>> = {
  SessionStart: 'begins',
  UserPromptSubmit: 'asks',
  BeforeAgent: 'asks',
  PreToolUse: 'acts',
  PostToolUse: 'acted',
  AfterTool: 'acted',
  PostToolUseFailure: 'failed',
  Stop: 'rests',
  AfterAgent: 'saves',
  SubagentStop: 'saves',
  PreCompact: 'saves',
  PreCompress: 'saves',
  SessionEnd: 'ends',
  // Of Cursor, which takes nothing from the last two.
  sessionStart: 'begins',
  postToolUse: 'acted',
  stop: 'saves',
  preCompact: 'saves',
  sessionEnd: 'ends',
};

/** One event, in the words of no program. */
export interface HookEvent {
  readonly moment: Moment;
  /** As its program calls it. */
  readonly name: string;
  readonly session?: string;
  /** The folder that is worked in. */
  readonly folder?: string;
  /** The file that the program writes of the session. */
  readonly transcript?: string;
  /** The agent goes on because a hook wanted it. */
  readonly isAgain: boolean;
  /** Of a prompt, the words of the user. */
  readonly prompt?: string;
  /** What a tool works on, or worked on, and what came of it where it may have failed. */
  readonly path?: string;
  readonly command?: string;
  readonly error?: string;
}

/** Reads an event; undefined for what is none, or none that has an answer. */
export function eventOf(given: unknown): HookEvent | undefined {
  if (!isJsonObject(given)) return undefined;
  const name = wordIn(given, 'hook_event_name', 'hookEventName');
  const moment = name !== undefined && Object.hasOwn(moments, name) ? moments[name] : undefined;
  if (name === undefined || moment === undefined) return undefined;
  const input = isJsonObject(given.tool_input) ? given.tool_input : {};
  const said = wordIn(input, 'command');
  const [patched] = patchedFiles(said ?? '');
  const isOver = moment === 'failed' || moment === 'acted';
  const fields = {
    session: wordIn(given, 'session_id', 'sessionId', 'conversation_id'),
    folder: wordIn(given, 'cwd') ?? wordsIn(given.workspace_roots)[0],
    transcript: wordIn(given, 'transcript_path'),
    prompt: moment === 'asks' ? wordIn(given, 'prompt') : undefined,
    path: patched ?? wordIn(input, 'file_path', 'notebook_path', 'path') ?? wordsIn(input.files)[0],
    command: patched === undefined ? said : undefined,
    error: isOver
      ? (wordIn(given, 'error', 'error_message') ?? outputOf(given.tool_response ?? given.tool_output))
      : undefined,
  };
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { moment, name, isAgain: given.stop_hook_active === true, ...present };
}

/** Names the files of a patch as Codex applies it, which comes as a command. */
function patchedFiles(command: string): string[] {
  if (!command.startsWith('*** Begin Patch')) return [];
  return [...command.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)].map(([, path]) => path!.trim());
}

/** Gives what a tool printed. Programs hand it as a text, or in fields of their own. */
function outputOf(response: unknown): string | undefined {
  if (typeof response === 'string') return response.trim() === '' ? undefined : response;
  if (!isJsonObject(response)) return undefined;
  const parts = ['error', 'stderr', 'stdout', 'output', 'llmContent'].flatMap((name) => wordIn(response, name) ?? []);
  return parts.length === 0 ? undefined : parts.join('\n');
}

function wordIn(fields: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    // A program that has no value for a placeholder leaves the placeholder.
    if (typeof value === 'string' && value.trim() !== '' && !/^\$\{[\w.]+\}$/.test(value)) return value;
  }
  return undefined;
}

const wordsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Gives a text the form in which the program of an event takes it into the context of its agent. */
export function handedTo({ name }: Pick<HookEvent, 'name'>, text: string): object {
  // Cursor's names begin small.
  if (/^[a-z]/.test(name)) return { additional_context: text };
  return { hookSpecificOutput: { hookEventName: name, additionalContext: text } };
}

/** Says in one line, as a session begins, that nothing works here. At other moments nobody hears of a failure. */
export function failureTold(event: HookEvent | undefined, error: unknown): object | undefined {
  if (event?.moment !== 'begins') return undefined;
  const why = error instanceof MemoryError ? error.code : 'its program failed';
  return handedTo(event, `git-memory does not work here (${why}). \`git memory doctor\` says what is wrong.`);
}
