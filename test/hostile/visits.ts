// Visits to repositories by another process, which is stopped when it answers nothing for five seconds.

import { fileURLToPath } from 'node:url';
import type { Finding } from '../../src/features/doctor/finding.ts';
import { AnsweringProcess } from '../helpers/answering-process.ts';

export type Step = 'ask' | 'write' | 'doctor' | 'fix' | 'restore';

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
  private readonly process = new AnsweringProcess(fileURLToPath(new URL('visitor.mjs', import.meta.url)), {
    PATH: process.env.PATH,
    HOME: '/nowhere',
  });

  /** Lets it visit; a visit that hangs, or kills the process, gives an error that says so. */
  async visit(dir: string, steps: readonly Step[]): Promise<VisitResults> {
    const visited = (await this.process.ask({ dir, steps }, longestMs * steps.length)) as VisitResults;
    // What a process has taken at most never falls: the next visit is judged by what it takes itself.
    if (visited.maxRssBytes > grownBytes) this.stop();
    return visited;
  }

  stop(): void {
    this.process.stop();
  }
}
