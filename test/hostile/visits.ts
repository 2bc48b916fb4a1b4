// Visits to repositories by another process, which is stopped when it answers nothing for five seconds.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../../src/operations/doctor/finding.ts';

export type Step = 'ask' | 'write' | 'doctor' | 'fix';

/** An answer, or the code of an error. */
export type Reply = { readonly answer: unknown } | { readonly code: string };

export interface VisitResults {
  /** One for each step: replies by question, one reply, or what the doctor found. */
  readonly results: readonly unknown[];
  readonly maxRssBytes: number;
}

export interface Examined {
  readonly findings: readonly Finding[];
  readonly isHealthy: boolean;
}

const longestMs = 5_000;
const grownBytes = 130 * 2 ** 20;

/** One process that visits; a new one is started when it had to be stopped. */
export class Visitor {
  private child: ChildProcessWithoutNullStreams | null = null;
  private answered: ((line: string | null) => void) | null = null;
  private stderr = '';

  /** Lets it visit; a visit that hangs, or kills the process, gives an error that says so. */
  async visit(dir: string, steps: readonly Step[]): Promise<VisitResults> {
    const child = this.child ?? this.start();
    const line = await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), longestMs * steps.length);
      this.answered = (text) => {
        clearTimeout(timer);
        resolve(text);
      };
      child.stdin.write(`${JSON.stringify({ dir, steps })}\n`);
    });
    if (line === null) throw new Error(`the process hung or died while it visited ${dir}: ${this.stderr}`);
    const visited = JSON.parse(line) as VisitResults;
    // What a process has taken at most never falls: the next visit is judged by what it takes itself.
    if (visited.maxRssBytes > grownBytes) this.stop();
    return visited;
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private start(): ChildProcessWithoutNullStreams {
    const script = fileURLToPath(new URL('visitor.mjs', import.meta.url));
    const child = spawn(process.execPath, [script], {
      stdio: 'pipe',
      env: { PATH: process.env.PATH, HOME: '/nowhere' },
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.answered?.(line));
    child.stderr.on('data', (text) => {
      this.stderr = String(text);
    });
    child.on('exit', () => {
      if (this.child !== child) return;
      this.child = null;
      this.answered?.(null);
    });
    this.child = child;
    return child;
  }
}
