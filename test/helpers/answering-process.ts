// A process that answers each line with a line: one for many questions, started anew after it had to be stopped.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class AnsweringProcess {
  private child: ChildProcessWithoutNullStreams | null = null;
  private answered: ((line: string | null) => void) | null = null;
  private stderr = '';
  private readonly script: string;
  private readonly env: NodeJS.ProcessEnv;

  constructor(script: string, env: NodeJS.ProcessEnv) {
    this.script = script;
    this.env = env;
  }

  /** Gives the answer to a question, both as JSON. Throws when the process takes too long or dies, with what it said last. */
  async ask(question: object, longestMs: number): Promise<unknown> {
    const child = this.child ?? this.start();
    const line = await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), longestMs);
      this.answered = (text) => {
        clearTimeout(timer);
        resolve(text);
      };
      child.stdin.write(`${JSON.stringify(question)}\n`);
    });
    if (line === null) throw new Error(`the process hung or died: ${this.stderr}`);
    return JSON.parse(line);
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private start(): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [this.script], { stdio: 'pipe', env: this.env });
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
