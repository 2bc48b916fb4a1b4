// Runs programs as spawnSync does, started by a small process that stands beside this one. A process of tests holds hundreds of megabytes, and
// each start from it copies their page tables: 8 to 30 ms of processor time, where a small process takes one.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ProgramRun {
  /** -1 where it did not end by itself, or did not begin. */
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  readonly input?: string | Buffer;
}

const program = fileURLToPath(new URL('attendant.mjs', import.meta.url));
let attendant: { readonly questions: number; readonly answers: number } | null | undefined;

/** Starts the attendant; null where there are no named pipes. */
function start(): typeof attendant {
  const folder = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : '/tmp', 'git-memory-attendant-'));
  try {
    const [questions, answers] = [path.join(folder, 'questions'), path.join(folder, 'answers')];
    if (spawnSync('mkfifo', [questions, answers]).status !== 0) return null;
    spawn(process.execPath, [program, questions, answers], { stdio: ['ignore', 'inherit', 'inherit'] }).unref();
    // Each end waits here for the other one.
    const fromIt = fs.openSync(answers, 'r');
    return { questions: fs.openSync(questions, 'w'), answers: fromIt };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program to its end. */
export function runApart(command: string, parameters: readonly string[], options: RunOptions = {}): ProgramRun {
  const { cwd, env = process.env, input = '' } = options;
  if (attendant === undefined) attendant = start();
  if (!attendant) {
    const { status, stdout, stderr } = spawnSync(command, parameters, { cwd, env, input, maxBuffer: 1 << 28 });
    return { status: status ?? -1, stdout, stderr };
  }
  const question = Buffer.from(JSON.stringify({ command, parameters, cwd, env }));
  const body = Buffer.from(input);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(question.length, 0);
  head.writeUInt32LE(body.length, 4);
  const whole = Buffer.concat([head, question, body]);
  for (let at = 0; at < whole.length; ) at += fs.writeSync(attendant.questions, whole, at);
  const answer = received(attendant.answers, 12);
  const [stdout, stderr] = [4, 8].map((at) => received(attendant!.answers, answer.readUInt32LE(at)));
  return { status: answer.readInt32LE(0), stdout: stdout!, stderr: stderr! };
}

function received(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = fs.readSync(file, bytes, at, length - at, null);
    if (count === 0) throw new Error('the process that starts programs for tests has ended');
    at += count;
  }
  return bytes;
}
