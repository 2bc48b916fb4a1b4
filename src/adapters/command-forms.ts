// Programs that are language models: how each is called so that it answers one question and does nothing else, and how its answer is read.
// Options and forms are those of their manuals: Claude Code's CLI reference and hooks, codex exec, Gemini CLI's headless mode, llm, ollama run.

import { attempt } from '../base/errors.ts';
import type { TextRequest, TokenUsage } from '../base/ports.ts';

/** Programs that a name may have behind `command/`. */
export const modelPrograms = ['claude', 'codex', 'gemini', 'llm', 'ollama'] as const;
export type ModelProgram = (typeof modelPrograms)[number];

/** What a program is asked. */
export interface Question extends Pick<TextRequest, 'system' | 'prompt'> {
  /** JSON Schema of the answer, for programs that hold a model to one. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** What the program calls the model; undefined: {@link CommandForm.model}, or the program's own default. */
  readonly model: string | undefined;
}

/** How a program is started. */
export interface CommandLine {
  readonly parameters: readonly string[];
  /** What it finds on standard input. */
  readonly input: string;
  /** A file beside its folder, named in `parameters` by {@link fileMark}. */
  readonly file?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Is in parameters where the path of {@link CommandLine.file} goes. */
export const fileMark = '{file}';

/** What became of a program. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  /** The end of what it said beside its output. */
  readonly message: string;
}

/** Why there is no answer. `login` and `missing` are for a person to mend; `busy` may be over in a moment; the rest is about this question. */
export type NoAnswer = 'login' | 'missing' | 'busy' | 'refusal' | 'failure';

/** An answer as a program gave it. */
export type ReadOutput =
  | { readonly text: string; readonly usage?: TokenUsage; readonly isCut?: boolean }
  | { readonly why: NoAnswer; readonly said: string };

export interface CommandForm {
  /** The model that is asked where nobody names one; undefined for what the program takes by itself. */
  readonly model?: string;
  /** How a person makes it ready. */
  readonly hint: string;
  /** Whether it can hold a model to a schema. */
  readonly takesSchema: boolean;
  /** By what it says, where its code does not: a person has to log in, or to fetch a model. */
  readonly signs: { readonly login: RegExp; readonly missing?: RegExp };
  line(question: Question): CommandLine;
  /** Reads what it printed; undefined where that is in no form of its own. */
  read(ended: Ended): ReadOutput | undefined;
}

/** Text that follows is data, whatever its first sign is: some programs take a leading slash for a command. */
const asData = (prompt: string): string => `Data:\n\n${prompt}\n`;

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 ? value : undefined);

function jsonOf(text: string): Record<string, unknown> | undefined {
  return attempt(() => {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  }, undefined);
}

/** Reads statuses of HTTP as the servers behind these programs give them. */
function whyOf(status: unknown, otherwise: NoAnswer): NoAnswer {
  const code = Number(status);
  if (code === 401 || code === 403) return 'login';
  if (code === 404) return 'missing';
  return code === 429 || code >= 500 ? 'busy' : otherwise;
}

function usageOf(input: unknown, output: unknown, costUsd?: unknown): { usage?: TokenUsage } {
  const [given, made, cost] = [numberOf(input), numberOf(output), numberOf(costUsd)];
  if (given === undefined || made === undefined) return {};
  return { usage: { input: given, output: made, ...(cost === undefined ? {} : { costUsd: cost }) } };
}

/** `{ type: 'result', subtype, is_error, result, structured_output, stop_reason, api_error_status, usage, total_cost_usd }` */
function readClaude({ output }: Ended): ReadOutput | undefined {
  const result = jsonOf(output);
  if (result?.type !== 'result') return undefined;
  const said = typeof result.result === 'string' ? result.result : String(result.subtype ?? '');
  if (result.stop_reason === 'refusal') return { why: 'refusal', said };
  const isRight = result.is_error !== true && result.subtype === 'success';
  if (!isRight) return { why: whyOf(result.api_error_status, 'failure'), said };
  const used = Object(result.usage) as Record<string, unknown>;
  // Tokens that were read from the provider's cache are counted beside the others.
  const input = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map((key) => used[key] ?? 0);
  const sum = input.reduce<number>((all, one) => all + Number(one), 0);
  return {
    text: result.structured_output === undefined ? said : JSON.stringify(result.structured_output),
    ...(result.usage === undefined ? {} : usageOf(sum, used.output_tokens, result.total_cost_usd)),
    ...(result.stop_reason === 'max_tokens' ? { isCut: true } : {}),
  };
}

/** One event a line: `item.completed` with the agent's message, `turn.completed` with the usage, `turn.failed` or `error` with a message. */
function readCodex({ output }: Ended): ReadOutput | undefined {
  let text: string | undefined;
  let usage = {};
  let failure: string | undefined;
  for (const line of output.split('\n')) {
    const event = jsonOf(line);
    const item = Object(event?.item) as Record<string, unknown>;
    if (event?.type === 'item.completed' && item.type === 'agent_message') text = String(item.text ?? '');
    const used = Object(event?.usage) as Record<string, unknown>;
    if (event?.type === 'turn.completed') usage = usageOf(used.input_tokens, used.output_tokens);
    if (event?.type === 'turn.failed') failure = String((Object(event.error) as { message?: unknown }).message ?? '');
    if (event?.type === 'error') failure ??= String(event.message ?? '');
  }
  // It reports errors that it got over, too: what counts is whether an answer came.
  if (text !== undefined) return { text, ...usage };
  return failure === undefined
    ? undefined
    : { why: whyOf(/\b[45]\d\d\b/.exec(failure)?.[0], 'failure'), said: failure };
}

/** `{ response, stats: { models: { <name>: { tokens: { prompt, candidates, thoughts } } } }, error: { type, message, code } }` */
function readGemini({ output, message }: Ended): ReadOutput | undefined {
  const result = jsonOf(output) ?? jsonOf(message.slice(message.indexOf('{')));
  if (result === undefined) return undefined;
  if (result.error !== undefined && result.error !== null) {
    const { type = '', message: said = '', code } = result.error as Record<string, unknown>;
    const isLogin = /Auth/.test(String(type)) || code === 41;
    return { why: isLogin ? 'login' : whyOf(code, 'failure'), said: String(said) };
  }
  if (typeof result.response !== 'string') return undefined;
  const { models } = Object(result.stats) as { models?: object };
  const tokens = Object.values(models ?? {}).map((one) => Object(Object(one).tokens) as Record<string, unknown>);
  const sum = (...keys: string[]): number =>
    tokens.reduce((all, one) => all + keys.reduce((own, key) => own + (numberOf(one[key]) ?? 0), 0), 0);
  return {
    text: result.response,
    ...(tokens.length === 0 ? {} : usageOf(sum('prompt'), sum('candidates', 'thoughts'))),
  };
}

/** The text alone; with `--usage` it says beside it "Token usage: 1,234 input, 56 output". */
function readLlm({ code, output, message }: Ended): ReadOutput | undefined {
  if (code !== 0) return undefined;
  const [, input, made] = /Token usage: ([\d,]+) input, ([\d,]+) output/.exec(message) ?? [];
  const count = (said: string | undefined) => (said === undefined ? undefined : Number(said.replaceAll(',', '')));
  return { text: output, ...usageOf(count(input), count(made)) };
}

/** The text alone; with `--verbose` it says beside it "prompt eval count: 26 token(s)" and "eval count: 298 token(s)". */
function readOllama({ code, output, message }: Ended): ReadOutput | undefined {
  if (code !== 0) return undefined;
  const count = (name: string): number | undefined => {
    const said = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(message)?.[1];
    return said === undefined ? undefined : Number(said);
  };
  return { text: output, ...usageOf(count('prompt eval count'), count('eval count')) };
}

const named = (option: string, model: string | undefined): string[] => (model === undefined ? [] : [option, model]);

/** How each program is called. Hooks, tools, servers of tools and a file of the session are off, as far as its manual has words for that. */
export const commandForms: Readonly<Record<ModelProgram, CommandForm>> = {
  claude: {
    // The smallest that reads well: a person's default may be the dearest.
    model: 'haiku',
    hint: 'Run `claude` once and log in, or set ANTHROPIC_API_KEY',
    takesSchema: true,
    signs: { login: /\/login|API key|OAuth/ },
    line: ({ system, prompt, schema, model }) => ({
      parameters: [
        ...['-p', '--output-format', 'json', '--system-prompt', system, ...named('--model', model)],
        ...(schema === undefined ? [] : ['--json-schema', JSON.stringify(schema)]),
        // A shaped answer is a turn of its own.
        ...['--tools', '', '--strict-mcp-config', '--settings', '{"disableAllHooks":true}', '--max-turns', '2'],
        '--no-session-persistence',
      ],
      input: asData(prompt),
    }),
    read: readClaude,
  },
  codex: {
    hint: 'Run `codex login`, or set CODEX_API_KEY',
    takesSchema: true,
    signs: { login: /codex login|\b401\b/ },
    line: ({ system, prompt, schema, model }) => ({
      parameters: [
        ...['exec', '--json', '--ephemeral', '--ignore-user-config', '--skip-git-repo-check', '--sandbox', 'read-only'],
        ...named('--model', model),
        ...(schema === undefined ? [] : ['--output-schema', fileMark]),
        '-',
      ],
      input: `${system}\n\n${asData(prompt)}`,
      ...(schema === undefined ? {} : { file: JSON.stringify(schema) }),
    }),
    read: readCodex,
  },
  gemini: {
    hint: 'Run `gemini` once and log in, or set GEMINI_API_KEY',
    takesSchema: false,
    signs: { login: /GEMINI_API_KEY/ },
    line: ({ system, prompt, model }) => ({
      parameters: [
        ...['--output-format', 'json', '--approval-mode', 'default', '--extensions', 'none'],
        ...['--allowed-mcp-server-names', 'none', ...named('--model', model)],
        // It comes behind what stands on standard input.
        ...['--prompt', 'Do what the text above says before "Data:".'],
      ],
      input: `${system}\n\n${asData(prompt)}`,
      // Else it asks whether the empty folder is to be trusted.
      environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }),
    read: readGemini,
  },
  llm: {
    hint: 'Set a key with `llm keys set`, or choose a model with `llm models default`',
    takesSchema: true,
    signs: { login: /llm keys set|\b401\b/, missing: /Unknown model/ },
    line: ({ system, prompt, schema, model }) => ({
      parameters: [
        ...['--no-log', '--no-stream', '--usage', '--system', system, ...named('--model', model)],
        ...(schema === undefined ? [] : ['--schema', JSON.stringify(schema)]),
      ],
      input: asData(prompt),
    }),
    read: readLlm,
  },
  ollama: {
    model: 'llama3.2',
    hint: 'Start it with `ollama serve`, and fetch the model with `ollama pull`',
    takesSchema: false,
    signs: { login: /ollama signin/, missing: /ollama (?:serve|app|server)|pull model manifest/ },
    line: ({ system, prompt, model }) => ({
      parameters: ['run', model!, '--format', 'json', '--verbose'],
      input: `${system}\n\n${asData(prompt)}`,
    }),
    read: readOllama,
  },
};
