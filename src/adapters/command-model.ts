// A language model that is a program of this machine, behind the TextModel port. It has the login of its person, and needs no key or package of
// ours. How each program is called and read is command-forms.ts.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isSystemError, MemoryError } from '../base/errors.ts';
import type { ShapedAnswer, ShapedRequest, TextModel, TextRequest } from '../base/ports.ts';
import { singleSpaced } from '../base/text.ts';
import { inWords } from '../core/extract/model/contract.ts';
import {
  type CommandForm,
  type CommandLine,
  commandForms,
  type Ended,
  fileMark,
  type ModelProgram,
  modelPrograms,
  type NoAnswer,
} from './command-forms.ts';
import { insideVariable, isInside } from './inside.ts';
import { type Patience, patiently } from './patient.ts';

/** How to ask. */
export interface CommandModelOptions {
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly retries: number;
  /** Where programs are looked for, and what they get; default `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** For tests. */
  readonly pause?: Patience['pause'];
}

/** A name such as `command/claude` or `command/ollama:qwen3:8b`: a program, and what it calls the model. */
interface NamedCommand {
  readonly program: ModelProgram;
  readonly model?: string;
}

/** What names of such models begin with. */
export const commandPrefix = 'command/';

/** No answer to a question of ours is longer, in bytes; a program that prints more is stopped. */
const maxOutputBytes = 4 << 20;
const keptMessage = 4000;
/** How long a program may take to stop, before it is stopped by force. */
const stopMs = 2000;

/** Variables by which a program would take itself to be inside of the session that started us. */
const ofOuterSession = /^(?:CLAUDECODE|CLAUDE_CODE_\w+|CLAUDE_PROJECT_DIR|GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX))$/;
/** Among these are keys to get in. */
const keptOfSession = /^CLAUDE_CODE_(?:OAUTH_TOKEN|USE_\w+)$/;

/**
 * Makes a text model of a program; nothing is started yet.
 *
 * Each question runs in an empty folder of its own, which goes afterwards, with the prompt on standard input. A program that does not know
 * schemas is asked in words from then on.
 *
 * @throws MemoryError INVALID_ARGUMENT for a name that is none; MODEL_UNAVAILABLE inside of another such program.
 */
export function commandModel(name: string, options: CommandModelOptions): TextModel {
  const { program, model } = parsed(name);
  const form = commandForms[program];
  const environment = options.environment ?? process.env;
  if (isInside(environment)) {
    throw new MemoryError('MODEL_UNAVAILABLE', `${name} is not asked by what a model started`, {
      where: insideVariable,
      hint: `Unset ${insideVariable} where it stands by mistake`,
    });
  }
  let takesSchema = form.takesSchema;

  const ask = async (request: TextRequest, schema: ShapedRequest['schema'] | undefined): Promise<ShapedAnswer> => {
    const system = schema === undefined || takesSchema ? request.system : `${request.system}\n\n${inWords(schema)}`;
    const held = schema === undefined || !takesSchema ? {} : { schema };
    const line = form.line({ ...held, system, prompt: request.prompt, model: model ?? form.model });
    const { retries, timeoutMs, pause } = options;
    const patience: Patience = {
      retries,
      timeoutMs,
      signal: request.signal,
      judge: (error) => ({ retry: error instanceof NoOutput && error.why === 'busy' && !isOfSchema(error) }),
      ...(pause === undefined ? {} : { pause }),
    };
    try {
      return await patiently(async (signal) => answerOf(form, await run(program, line, environment, signal)), patience);
    } catch (error) {
      request.signal?.throwIfAborted();
      throw asModelError(error, name, program, options);
    }
  };

  return {
    name,
    isRemote: program !== 'ollama' || !isHere(environment.OLLAMA_HOST),
    complete: async (request) => (await ask(request, undefined)).text,
    async shape(request) {
      if (!takesSchema) return ask(request, request.schema);
      try {
        return await ask(request, request.schema);
      } catch (error) {
        // Earlier versions, and some models, know none.
        if (!(error instanceof MemoryError && isOfSchema(error.cause))) throw error;
        takesSchema = false;
        return ask(request, request.schema);
      }
    },
  };
}

function parsed(name: string): NamedCommand {
  const [, program, model] = /^command\/([a-z]+)(?::([\w@][\w.:@/+-]{0,199}))?$/.exec(name) ?? [];
  const known = modelPrograms.find((one) => one === program);
  if (known !== undefined) return { program: known, ...(model === undefined ? {} : { model }) };
  throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(name.slice(0, 100))} names no model`, {
    where: 'model',
    hint: `Write command/${modelPrograms.join(', command/')}; a model may follow, as in command/claude:sonnet`,
  });
}

/** Tells whether ollama answers from this machine: OLLAMA_HOST is a host, a host with a port, or a URL. */
function isHere(host = ''): boolean {
  return /^(?:https?:\/\/)?(?:|localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::\d+)?\/*$/.test(host);
}

class NoOutput extends Error {
  readonly why: NoAnswer;

  constructor(why: NoAnswer, said: string) {
    super(said);
    this.name = 'NoOutput';
    this.why = why;
  }
}

const isOfSchema = (error: unknown): boolean => error instanceof NoOutput && /schema/i.test(error.message);

function answerOf(form: CommandForm, ended: Ended): ShapedAnswer {
  const read = form.read(ended);
  if (read !== undefined && 'text' in read) {
    if (read.text.trim() === '') throw new NoOutput('refusal', 'it answered nothing');
    return read;
  }
  const last = ended.message.trim().split('\n').at(-1) ?? '';
  const said = read?.said || last || (ended.code === 0 ? 'it printed nothing that can be read' : '');
  const heard = `${read?.said ?? ''}\n${ended.message}`;
  // What a program says of its own may be in another form with its next version: its code tells that it failed.
  const told = read?.why ?? (ended.code === 0 ? 'failure' : 'busy');
  const isKnown = told === 'login' || told === 'refusal';
  const why = isKnown
    ? told
    : form.signs.login.test(heard)
      ? 'login'
      : form.signs.missing?.test(heard)
        ? 'missing'
        : told;
  throw new NoOutput(why, said === '' ? `it ended with ${ended.code}` : said);
}

/** Runs a program once; throws what the system says of starting it, and the reason of an abort. */
async function run(
  program: string,
  { parameters, input, file, environment: own = {} }: CommandLine,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Ended> {
  const place = mkdtempSync(path.join(tmpdir(), 'git-memory-model-'));
  try {
    // Nothing in it says how to behave: no CLAUDE.md, AGENTS.md or .mcp.json of a project.
    const cwd = path.join(place, 'empty');
    mkdirSync(cwd);
    const named = path.join(place, 'given.json');
    if (file !== undefined) writeFileSync(named, file);
    const kept = Object.entries(environment).filter(([name]) => !ofOuterSession.test(name) || keptOfSession.test(name));
    const child = spawn(
      program,
      parameters.map((one) => (one === fileMark ? named : one)),
      {
        cwd,
        env: { ...Object.fromEntries(kept), ...own, [insideVariable]: '1' },
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      },
    );
    return await ended(child, input, signal);
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

function ended(child: ReturnType<typeof spawn>, input: string, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let [size, message] = [0, ''];
    const stop = (reason: unknown): void => {
      child.kill();
      const last = setTimeout(() => child.kill('SIGKILL'), stopMs);
      last.unref();
      child.once('exit', () => clearTimeout(last));
      // What it has started itself may hold these open.
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      reject(reason);
    };
    const abort = (): void => stop(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout!.on('data', (bytes: Buffer) => {
      parts.push(bytes);
      size += bytes.length;
      if (size > maxOutputBytes) stop(new NoOutput('failure', `it printed more than ${maxOutputBytes} bytes`));
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      message = (message + text).slice(-keptMessage);
    });
    // A program that ends early breaks the pipe; its exit tells why.
    child.stdin!.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => {
      signal.removeEventListener('abort', abort);
      resolve({ code, output: Buffer.concat(parts).toString('utf8'), message });
    });
    child.stdin!.end(input);
  });
}

function asModelError(
  error: unknown,
  name: string,
  program: ModelProgram,
  { timeoutMs, retries }: CommandModelOptions,
): unknown {
  const unavailable = (what: string, hint: string): MemoryError =>
    new MemoryError('MODEL_UNAVAILABLE', `${name} ${what}`, { where: name, hint, cause: error });
  const { hint } = commandForms[program];
  if (isSystemError(error, 'ENOENT', 'EACCES'))
    return unavailable(`cannot be asked: there is no program ${program} on the PATH`, 'Install it, or choose another');
  if (isSystemError(error)) return unavailable(`cannot be started: ${(error as Error).message}`, hint);
  if (error instanceof NoOutput) {
    const said = singleSpaced(error.message).slice(0, 300);
    if (error.why === 'login') return unavailable(`does not let us in: ${said}`, hint);
    if (error.why === 'missing') return unavailable(`is not there: ${said}`, hint);
    if (error.why === 'busy') return unavailable(`does not answer now: ${said}`, 'Try again later');
    const what = error.why === 'refusal' ? 'refused' : 'gave no answer';
    return new MemoryError('MODEL_FAILED', `${name} ${what}: ${said}`, { where: name, cause: error });
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    const long = `${retries + 1} times ${timeoutMs / 1000} seconds`;
    return unavailable(`took too long: ${long}`, 'Try again later, or raise extract.model.timeout_seconds');
  }
  return error;
}
