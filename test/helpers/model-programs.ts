// Stand-ins for programs that are language models: real processes of their names on the PATH, which note what they were given and print what a
// test tells them to, in the documented forms.

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary.ts';

/** What a program does when it is called; of several each in turn, the last one for ever. */
export interface Act {
  readonly out?: string;
  readonly err?: string;
  readonly code?: number;
  /** It never ends by itself. */
  readonly hangs?: true;
  /** It prints without end. */
  readonly floods?: true;
}

/** What a program was given. */
export interface Call {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly input: string;
  readonly cwd: string;
  /** What lay in its folder. */
  readonly entries: readonly string[];
  /** The text of the file that codex was given for a schema. */
  readonly schema: string | null;
  readonly inside: string | null;
  readonly outer: string | null;
  readonly pid: number;
}

export interface ModelPrograms {
  /** An environment in which they are found. */
  readonly environment: Record<string, string>;
  readonly bin: string;
  calls(): Call[];
  /** Says what they do from now on. */
  act(...acts: readonly Act[]): void;
}

const script = `
const fs = require('node:fs');
const path = require('node:path');
const place = path.dirname(__filename);
const parameters = process.argv.slice(2);
const input = fs.readFileSync(0, 'utf8');
const at = parameters.indexOf('--output-schema');
const log = path.join(place, 'calls.jsonl');
const before = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\\n').length - 1 : 0;
fs.appendFileSync(log, JSON.stringify({
  program: path.basename(__filename), parameters, input, cwd: process.cwd(), entries: fs.readdirSync('.'),
  schema: at < 0 ? null : fs.readFileSync(parameters[at + 1], 'utf8'),
  inside: process.env.GIT_MEMORY_INSIDE ?? null, outer: process.env.CLAUDECODE ?? null, pid: process.pid,
}) + '\\n');
const { from, acts } = JSON.parse(fs.readFileSync(path.join(place, 'acts.json'), 'utf8'));
const act = acts[Math.min(before - from, acts.length - 1)];
process.stderr.write(act.err ?? '');
if (act.floods) setInterval(() => process.stdout.write('x'.repeat(1 << 20)), 1);
else if (act.hangs) setInterval(() => {}, 1000);
else {
  process.stdout.write(act.out ?? '');
  process.exitCode = act.code ?? 0;
}
`;

/** Makes stand-ins of these names. */
export function modelPrograms(names: readonly string[], ...acts: readonly Act[]): ModelPrograms {
  const bin = join(temporaryFolder(), 'bin');
  mkdirSync(bin);
  for (const name of names) {
    writeFileSync(join(bin, name), `#!${process.execPath}\n${script}`);
    chmodSync(join(bin, name), 0o755);
  }
  const log = join(bin, 'calls.jsonl');
  const calls = (): Call[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Call)
      : [];
  const act = (...next: readonly Act[]): void =>
    writeFileSync(join(bin, 'acts.json'), JSON.stringify({ from: calls().length, acts: next }));
  act(...acts);
  return { environment: { PATH: `${bin}:${process.env.PATH ?? ''}`, HOME: bin }, bin, calls, act };
}

/** What `claude -p --output-format json` prints. */
export const claudeSays = (answer: unknown, more: object = {}): Act => ({
  out: JSON.stringify({
    ...{ type: 'result', subtype: 'success', is_error: false, duration_ms: 2100, num_turns: 2, session_id: 's' },
    ...(typeof answer === 'string' ? { result: answer } : { result: '', structured_output: answer }),
    stop_reason: 'end_turn',
    total_cost_usd: 0.0042,
    usage: {
      ...{ input_tokens: 12, cache_creation_input_tokens: 900, cache_read_input_tokens: 88, output_tokens: 40 },
    },
    ...more,
  }),
});

/** What `codex exec --json` prints. */
export const codexSays = (text: string): Act => ({
  out: [
    { type: 'thread.started', thread_id: 't' },
    { type: 'turn.started' },
    { type: 'item.completed', item: { id: 'item_0', type: 'reasoning', text: 'Hm.' } },
    { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text } },
    { type: 'turn.completed', usage: { input_tokens: 700, cached_input_tokens: 100, output_tokens: 30 } },
  ]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join(''),
});

/** What `gemini --output-format json` prints. */
export const geminiSays = (response: string): Act => ({
  out: JSON.stringify({
    session_id: 's',
    response,
    stats: {
      models: { 'gemini-2.5-flash': { api: {}, tokens: { prompt: 600, candidates: 20, total: 625, thoughts: 5 } } },
      tools: { totalCalls: 0 },
    },
  }),
});
