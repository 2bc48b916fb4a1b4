// One machine of a fleet: a clock of its own, a memory that is open, a person with native git, the built program, a line to the remote.

import fs from 'node:fs';
import path from 'node:path';
import { machineNetwork } from '../../src/adapters/network.ts';
import { MemoryError } from '../../src/base/errors.ts';
import type { Clock, IdSource, KeyStore } from '../../src/base/ports.ts';
import type { Placement, SyncResult } from '../../src/base/types.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { serverCredential } from '../helpers/git-server.ts';
import { type GitResult, tryGit } from '../helpers/native-git.ts';
import type { ProgramBeside, ProgramResult } from '../helpers/program.ts';
import { writeDeep } from '../helpers/temporary.ts';
import type { Cut, Line } from './line.ts';

/** A clock that somebody set, and that goes on by some seconds with each step. */
class OwnClock implements Clock {
  private time: number;

  constructor(time: number) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  pass(milliseconds: number): void {
    this.time += milliseconds;
  }
}

export interface MachineOptions {
  readonly name: string;
  readonly directory: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly keys: KeyStore;
  readonly placement: Extract<Placement, 'repository' | 'bare'>;
  readonly remote: string;
  /** Null where the remote is a folder. */
  readonly line: Line | null;
  readonly program: ProgramBeside;
  /** The environment of the built program, with nothing of this machine in it. */
  readonly environment: Readonly<Record<string, string>>;
}

export class Machine {
  readonly name: string;
  readonly directory: string;
  readonly clock: OwnClock;
  readonly placement: 'repository' | 'bare';
  readonly line: Line | null;
  private readonly options: MachineOptions;
  private readonly ids: IdSource;
  private opened: Memory | null = null;

  constructor(options: MachineOptions) {
    this.options = options;
    this.name = options.name;
    this.directory = options.directory;
    this.placement = options.placement;
    this.line = options.line;
    this.clock = new OwnClock(options.time);
    let count = 0;
    this.ids = { next: () => `${options.name}${String(++count).padStart(9, '0')}` };
  }

  get hasKey(): boolean {
    return this.options.keys.place !== '';
  }

  get memory(): Memory {
    return this.opened!;
  }

  async open(): Promise<void> {
    const { directory: dir, options, clock, ids, placement } = this;
    const network = { ...machineNetwork(), credentialFor: async () => serverCredential };
    const { keys } = options;
    this.opened = await openMemory({
      ...{ dir, create: true, placement, durability: 'fast', embedder: null, model: null },
      ...{ network, clock, ids, keys },
    });
  }

  /** Ends the process: in good order, or without a word. */
  async end(isCrash: boolean): Promise<void> {
    const memory = this.opened;
    this.opened = null;
    if (isCrash) memory?.dispose();
    else await memory?.close();
  }

  /** Lets the work tree follow what waits, which it does a moment later by itself: people are slower than that. */
  async settle(): Promise<void> {
    await (this.opened as unknown as { store: { settle(): Promise<void> } } | null)?.store.settle();
  }

  /** Syncs with the remote that this machine has; follows it where the answer says that `--adopt` does. */
  async sync(plan: { cut?: Cut; beforePush?: () => Promise<void> } = {}): Promise<string> {
    const stop = new AbortController();
    await this.line?.begin({ ...plan, onStall: () => void setImmediate(() => stop.abort(new Error('gave up'))) });
    const { signal } = stop;
    const { remote } = this.options;
    const once = async (adopt: boolean): Promise<string> => {
      try {
        return said(await this.memory.sync({ remote, adopt, ...(adopt ? { leaving: 'replay' } : {}), signal }));
      } catch (error) {
        if (stop.signal.aborted && error === stop.signal.reason) return 'gave up';
        if (adopt || !(error instanceof MemoryError) || error.code !== 'REMOTE_REFUSED') throw error;
        if (!/--adopt/.test(error.message)) throw error;
        return `${error.what}; ${await once(true)}`;
      }
    };
    try {
      return await once(false);
    } finally {
      await this.line?.begin();
    }
  }

  /** What a person does with native git here, at the time of this machine. */
  git(...parameters: string[]): GitResult {
    const date = `@${Math.floor(this.clock.now() / 1000)} +0000`;
    return tryGit(this.directory, parameters, undefined, {
      ...this.environment(),
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    });
  }

  /** What the built program does here, as another process. */
  run(...parameters: string[]): Promise<ProgramResult> {
    return this.options.program.run(this.directory, parameters, this.environment());
  }

  private environment(): Record<string, string> {
    const keys = this.options.keys.read().join(' ');
    return { ...this.options.environment, GIT_MEMORY_CREDENTIALS: this.credential(), GIT_MEMORY_KEY: keys };
  }

  private credential(): string {
    const { username, password } = serverCredential;
    return this.line?.origin.replace('//', `//${username}:${encodeURIComponent(password)}@`) ?? '';
  }

  /** A file of the work tree as it lies there; null where it does not. */
  file(name: string): string | null {
    const place = path.join(this.directory, name);
    return fs.existsSync(place) ? fs.readFileSync(place, 'utf8') : null;
  }

  /** Saves a file as an editor does. */
  save(name: string, text: string): void {
    const place = path.join(this.directory, name);
    writeDeep(place, text);
  }
}

function said({ state, why, fetched, pushed, merges, conflicts, rescued }: SyncResult): string {
  return [
    state,
    ...(why === undefined ? [] : [`(${why})`]),
    `+${fetched} -${pushed}`,
    ...(merges.length > 0 ? ['merged'] : []),
    ...(rescued === undefined ? [] : ['rescued']),
    ...(conflicts.length > 0 ? [`conflicts: ${conflicts.join(' ')}`] : []),
  ].join(' ');
}
