// A verb context over a memory on memfs, with a clock that a test moves and ids that count up.

import { createFsFromVolume, Volume } from 'memfs';
import { loadVerbs } from '../../../src/apps/verbs/index.ts';
import { runVerb, type Verb, type VerbContext } from '../../../src/apps/verbs/verb.ts';
import { MemoryError } from '../../../src/base/errors.ts';
import type { FileSystem } from '../../../src/base/ports.ts';
import { mergePrivateForGit } from '../../../src/features/repository/private-filter.ts';
import { doctor } from '../../../src/memory/doctor-questions.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { planMemory } from '../../../src/memory/plan-memory.ts';

const verbs = await loadVerbs();

/** Runs verbs by name against one memory. */
export class Bench {
  readonly clock = { time: Date.parse('2026-11-02T12:00:00Z'), now: () => this.clock.time };
  readonly inputs = new Map<string, string>();
  private readonly keys: string[] = [];
  readonly files = new Map<string, Buffer>();
  readonly progress: string[] = [];
  readonly fs = createFsFromVolume(new Volume()) as unknown as FileSystem;
  private opened: Memory | undefined;
  private count = 0;

  async memory(): Promise<Memory> {
    this.opened ??= await openMemory({
      dir: '/memory',
      create: true,
      fs: this.fs,
      clock: this.clock,
      ids: { next: () => `id${String(++this.count).padStart(10, '0')}` },
    });
    return this.opened;
  }

  async close(): Promise<void> {
    await this.opened?.close();
  }

  run(name: string, input: unknown = {}, options: { at?: string; dryRun?: boolean } = {}): Promise<unknown> {
    const context: VerbContext = {
      ...(options.at === undefined ? {} : { at: options.at }),
      dryRun: options.dryRun ?? false,
      memory: () => this.memory(),
      view: async () => (options.at === undefined ? this.memory() : (await this.memory()).at(options.at)),
      create: () => this.memory(),
      newFolder: () => null,
      plan: ({ files }) => planMemory({ dir: '/memory', fs: this.fs, ...(files === undefined ? {} : { files }) }),
      doctor: async (wanted) => {
        await this.memory();
        return doctor({ dir: '/memory', fs: this.fs, clock: this.clock, ...wanted });
      },
      checkStaged: async () => (await this.memory()).git.checkStaged(),
      readInput: async (input) => {
        const text = this.inputs.get(input);
        if (text === undefined) throw new MemoryError('NOT_FOUND', 'there is no such file', { where: input });
        return text;
      },
      files: {
        read: (name) => {
          const bytes = this.files.get(name);
          if (bytes === undefined) throw new MemoryError('NOT_FOUND', 'there is no such file', { where: name });
          return bytes;
        },
        write: (name, bytes) => this.files.set(name, bytes),
      },
      mergeFile: async (path, versions) => {
        const keys = { place: 'keys', read: () => this.keys, add: (key: string) => void this.keys.push(key) };
        return mergePrivateForGit(keys, path, versions);
      },
      pathOf: (name) => {
        const text = this.inputs.get(name);
        if (text === undefined) return `/${name}`;
        this.fs.mkdirSync('/inputs', { recursive: true });
        const descriptor = this.fs.openSync(`/inputs/${name}`, 'w');
        this.fs.writeSync(descriptor, Buffer.from(text));
        this.fs.closeSync(descriptor);
        return `/inputs/${name}`;
      },
      onProgress: ({ what, done, total }) => this.progress.push(`${what} ${done}/${total}`),
    };
    return runVerb(verbNamed(name), context, input);
  }
}

export function verbNamed(name: string): Verb {
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb === undefined) throw new Error(`no verb ${name}`);
  return verb;
}

/** A short conversation in the transcript format, with a decision and a promise in it. */
export const transcript = `---
session_id: ses_tea
started: 2026-11-02T09:00:00Z
ended: 2026-11-02T09:05:00Z
channel: chat
topic: tea or coffee
---

# Tea or Coffee

## 09:00 — user
Decision: we serve tea at the meeting, because most people asked for it.

## 09:02 — agent
I will order the tea by 2026-11-06.

## 09:04 — user
I prefer green tea over black tea.
`;
