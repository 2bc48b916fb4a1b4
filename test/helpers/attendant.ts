// Runs programs as spawnSync does, started by a shell that stands beside this process. A process of tests holds hundreds of megabytes, and each
// start from it copies their page tables: 8 to 30 ms of processor time, and still half of that from a Node that does nothing else.

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface ProgramRun {
  /** What a shell says: above 128 where a signal ended it, 127 or 126 where it did not begin. */
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  readonly input?: string | Buffer;
}

interface Attendant {
  /** Where a command lies, and what it reads and writes. */
  readonly folder: string;
  readonly questions: number;
  readonly answers: number;
  /** The variables that the shell has. */
  environment: Readonly<NodeJS.ProcessEnv>;
}

/** A line of `questions` for each command, a status in `answers` when it is done; ends when nobody holds the other ends any more. */
const loop =
  'exec 3<questions 4>answers; while read -r line <&3; do . "$0/command"; echo $? >&4; done; cd /; rm -rf "$0"';
let attendant: Attendant | null | undefined;

/** Starts the attendant; null where there are no named pipes. */
function start(): Attendant | null {
  const folder = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : '/tmp', 'git-memory-attendant-'));
  const [questions, answers] = [path.join(folder, 'questions'), path.join(folder, 'answers')];
  if (spawnSync('mkfifo', [questions, answers]).status !== 0) {
    fs.rmdirSync(folder);
    return null;
  }
  spawn('/bin/sh', ['-c', loop, folder], { cwd: folder, env: {}, stdio: ['ignore', 'ignore', 'inherit'] }).unref();
  // Each end waits here for the other one.
  return { folder, questions: fs.openSync(questions, 'w'), answers: fs.openSync(answers, 'r'), environment: {} };
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** What makes one environment of another; names that are none for a shell stay out. */
function changed(before: Readonly<NodeJS.ProcessEnv>, after: Readonly<NodeJS.ProcessEnv>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name] && /^[A-Za-z_]\w*$/.test(name))
    .map((name) => (after[name] === undefined ? `unset ${name}` : `export ${name}=${quoted(after[name])}`));
}

/** Runs a program to its end. */
export function runApart(command: string, parameters: readonly string[], options: RunOptions = {}): ProgramRun {
  const { cwd = process.cwd(), env = process.env, input = '' } = options;
  if (attendant === undefined) attendant = start();
  if (!attendant) {
    const { status, stdout, stderr } = spawnSync(command, parameters, { cwd, env, input, maxBuffer: 1 << 28 });
    return { status: status ?? -1, stdout, stderr };
  }
  const { folder, questions, answers, environment } = attendant;
  const place = (name: string) => path.join(folder, name);
  if (input.length > 0) fs.writeFileSync(place('input'), input);
  const lines = [
    ...changed(environment, env),
    `{ cd ${quoted(cwd)} && ${[command, ...parameters].map(quoted).join(' ')}`,
    `} <${input.length > 0 ? '"$0/input"' : '/dev/null'} >"$0/output" 2>"$0/complaints"`,
  ];
  attendant.environment = { ...env };
  fs.writeFileSync(place('command'), `${lines.join('\n')}\n`);
  fs.writeSync(questions, '\n');
  const answer = Buffer.alloc(8);
  const length = fs.readSync(answers, answer, 0, 8, null);
  if (length === 0) throw new Error('the shell that starts programs for tests has ended');
  return {
    status: Number(answer.toString('latin1', 0, length)),
    stdout: fs.readFileSync(place('output')),
    stderr: fs.readFileSync(place('complaints')),
  };
}
