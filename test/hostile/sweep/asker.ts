// The process that runs verbs, as the tests hold it.

import { fileURLToPath } from 'node:url';
import { AnsweringProcess } from '../../helpers/answering-process.ts';
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

/** A guard against a process that hangs; how long an answer may take is judged by its CPU. */
const longestMs = 600_000;

export class Asker {
  private readonly process: AnsweringProcess;

  constructor(now: number) {
    this.process = new AnsweringProcess(fileURLToPath(new URL('asker.mjs', import.meta.url)), {
      PATH: process.env.PATH,
      HOME: '/nowhere',
      NO_COLOR: '1',
      SWEEP_NOW: String(now),
      GIT_MEMORY_KEY: keyText,
      GIT_CONFIG_NOSYSTEM: '1',
    });
  }

  /** Runs verbs in a folder, in their order. Throws when the process hangs or dies. */
  async visit(dir: string, asked: readonly Asked[]): Promise<Visit> {
    return (await this.process.ask({ dir, asked }, longestMs)) as Visit;
  }

  stop(): void {
    this.process.stop();
  }
}
