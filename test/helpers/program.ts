// The built program as a user runs it: real processes, real folders, nothing of this machine's git configuration.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AnsweringProcess } from './answering-process.ts';
import { temporaryFolder } from './temporary.ts';

/** The folder of the project. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** What `git` starts for `git memory`. */
export const programPath = join(projectRoot, 'dist/program/main.js');

export interface ProgramResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Compiles src/ if that is newer than dist/; test files that need it at the same moment wait for the first. */
export async function buildProgram(): Promise<void> {
  // Where the compiler does not run, the program was built elsewhere; see scripts/windows.mjs.
  if (process.env.GIT_MEMORY_BUILT === '1') return;
  const lock = join(projectRoot, 'node_modules/.git-memory-build.lock');
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      if (isOfTheDead(lock)) rmSync(lock, { force: true });
      else await sleep(200);
    }
  }
  try {
    const result = spawnSync(process.execPath, [join(projectRoot, 'scripts/build.mjs')], { encoding: 'utf8' });
    if (result.status !== 0 || !existsSync(programPath)) throw new Error(`the build failed: ${result.stderr}`);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whoever was killed while it built left its lock. */
function isOfTheDead(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Gives an environment in which `git memory` is our program, and git knows no configuration but the repository's. */
export function programEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const bin = join(temporaryFolder(), 'bin');
  mkdirSync(bin);
  const shim = join(bin, 'git-memory');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${programPath}" "$@"\n`);
  chmodSync(shim, 0o755);
  const { PATH = '', HOME = dirname(bin), TMPDIR } = process.env;
  return {
    ...neededByWindows(),
    PATH: `${bin}:${PATH}`,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    // The model that somebody chose on this machine ranks in no test.
    XDG_DATA_HOME: '/dev/null',
    ...extra,
  };
}

/** What Windows needs to start a program. */
function neededByWindows(): Record<string, string> {
  const needed = process.platform === 'win32' ? ['SystemRoot', 'TEMP', 'APPDATA', 'NODE_SKIP_PLATFORM_CHECK'] : [];
  return Object.fromEntries(needed.map((name) => [name, process.env[name] ?? '']));
}

/** Nothing of the caller's environment but the places, and what Windows needs to start a program. */
function plainEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...neededByWindows() };
}

/** Runs the program in a folder; `input` is what it finds on standard input, nothing if left out. */
export function runProgram(
  folder: string,
  args: readonly string[],
  options: { input?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [programPath, ...args], {
      cwd: folder,
      env: options.env ?? plainEnvironment(),
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject).on('close', (status) => resolve({ status, stdout, stderr }));
    child.stdin?.end(options.input);
  });
}

/** The program as a process that stays: what it does is done by another process than this one, which is loaded once for many command lines. */
export class ProgramBeside {
  private readonly process = new AnsweringProcess(fileURLToPath(new URL('program-beside.mjs', import.meta.url)), {
    PATH: process.env.PATH,
  });

  async run(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<ProgramResult> {
    return (await this.process.ask({ folder, args, env }, 600_000)) as ProgramResult;
  }

  stop(): void {
    this.process.stop();
  }
}

/**
 * Runs the command line in this process, in a folder: what is said of a memory, where nothing depends on the process that says it. A program of
 * its own takes ten times the processor time, most of it for loading.
 */
export async function runHere(folder: string, args: readonly string[]): Promise<ProgramResult> {
  const [{ runProgram: runLine }, { printError }, { exitNumberOfFailure }] = await Promise.all([
    import('../../src/apps/cli/program.ts'),
    import('../../src/apps/cli/execute.ts'),
    import('../../src/apps/exit-codes.ts'),
  ]);
  const written = { stdout: '', stderr: '' };
  const streams = ['stdout', 'stderr'] as const;
  const restore = streams.map((name) => {
    const { write } = process[name];
    process[name].write = (text: string | Uint8Array) => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
      return true;
    };
    return () => {
      process[name].write = write;
    };
  });
  try {
    const status = await runLine(args, folder);
    return { status, ...written };
  } catch (error) {
    printError(error, args.includes('--json'));
    return { status: exitNumberOfFailure(args[0], error), ...written };
  } finally {
    for (const back of restore) back();
  }
}
