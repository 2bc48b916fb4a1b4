// The process that runs verbs, as the tests hold it: one for many visits, started anew after it had to be stopped.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { keyText } from './memory.ts';

/** One run of a verb. */
export interface Asked {
  readonly verb: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly at?: string;
  readonly branch?: string;
  readonly dryRun?: boolean;
}

/** What came of it: an output, an error of ours, or `broken` for anything else that was thrown. */
export interface Reply {
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly where?: string };
  readonly broken?: string;
  /** What stood on standard output and standard error of a terminal. */
  readonly text: string;
  readonly notes: string;
  readonly ms: { readonly cpu: number; readonly wall: number };
}

export interface Visit {
  readonly replies: readonly Reply[];
  readonly maxRssBytes: number;
}

const longestMs = 60_000;

export class Asker {
  private child: ChildProcessWithoutNullStreams | null = null;
  private answered: ((line: string | null) => void) | null = null;
  private stderr = '';
  private readonly now: number;

  constructor(now: number) {
    this.now = now;
  }

  /** Runs verbs in a folder, in their order. Throws when the process hangs or dies. */
  async visit(dir: string, asked: readonly Asked[]): Promise<Visit> {
    const child = this.child ?? this.start();
    const line = await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), longestMs);
      this.answered = (text) => {
        clearTimeout(timer);
        resolve(text);
      };
      child.stdin.write(`${JSON.stringify({ dir, asked })}\n`);
    });
    if (line === null) throw new Error(`the process hung or died: ${this.stderr}`);
    return JSON.parse(line) as Visit;
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private start(): ChildProcessWithoutNullStreams {
    const script = fileURLToPath(new URL('asker.mjs', import.meta.url));
    const child = spawn(process.execPath, [script], {
      stdio: 'pipe',
      env: {
        PATH: process.env.PATH,
        HOME: '/nowhere',
        NO_COLOR: '1',
        SWEEP_NOW: String(this.now),
        GIT_MEMORY_KEY: keyText,
        GIT_CONFIG_NOSYSTEM: '1',
      },
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.answered?.(line));
    child.stderr.on('data', (text) => {
      this.stderr = String(text);
    });
    // A process that died is told by its exit.
    child.stdin.on('error', () => undefined);
    child.on('exit', () => {
      // One that was stopped is missed by nobody.
      if (this.child !== child) return;
      this.child = null;
      this.answered?.(null);
    });
    this.child = child;
    return child;
  }
}
