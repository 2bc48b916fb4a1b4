// A file system that fails when told to: an error once or for good, a torn write, or the death of the process.

import nodeFs from 'node:fs';
import type { FileSystem, Processes, ProcessIdentity } from '../../src/base/ports.ts';

/** One call of the engine, counted from 0. */
export interface Call {
  readonly index: number;
  readonly operation: keyof FileSystem;
  readonly path: string;
}

/**
 * What happens at a call.
 *
 * `code` alone: that error, once. `sticky`: from now on for every call that writes. `torn`: that share of the bytes is written
 * first. `kill`: this call and all later ones fail, as if the process were gone.
 */
export interface Fault {
  readonly code?: string;
  readonly sticky?: boolean;
  readonly torn?: number;
  readonly kill?: boolean;
}

const writing: ReadonlySet<keyof FileSystem> = new Set([
  'openSync',
  'writeSync',
  'fsyncSync',
  'ftruncateSync',
  'mkdirSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'rmdirSync',
  'fchmodSync',
] as const);

export interface FailingFileSystem {
  readonly fs: FileSystem;
  /** The calls made so far. */
  readonly calls: Call[];
  readonly isDead: () => boolean;
}

/** Wraps a file system; `plan` is asked before each call. */
export function failingFileSystem(plan: (call: Call) => Fault | null, base: FileSystem = nodeFs): FailingFileSystem {
  const calls: Call[] = [];
  const paths = new Map<number, string>();
  let isDead = false;
  let stuck: string | null = null;
  const failure = (code: string, operation: string, path: string) =>
    Object.assign(new Error(`${code}: injected, ${operation} '${path}'`), { code, syscall: operation, path });
  const wrapped: Partial<Record<keyof FileSystem, unknown>> = { constants: base.constants };
  for (const operation of Object.keys(base) as (keyof FileSystem)[]) {
    const original = base[operation] as unknown;
    if (typeof original !== 'function' || !operation.endsWith('Sync')) continue;
    wrapped[operation] = (...parameters: unknown[]) => {
      const target = parameters[0];
      const path = typeof target === 'number' ? (paths.get(target) ?? `descriptor ${target}`) : String(target);
      if (isDead) throw failure('EKILLED', operation, path);
      // Closing never fails here: the operating system closes the files of the dead.
      if (operation !== 'closeSync') {
        if (stuck !== null && writing.has(operation) && !isReadingOpen(operation, parameters)) {
          throw failure(stuck, operation, path);
        }
        const call = { index: calls.length, operation, path };
        calls.push(call);
        const fault = plan(call);
        if (fault) {
          if (fault.torn !== undefined && operation === 'writeSync') tear(original as never, parameters, fault.torn);
          if (fault.kill) isDead = true;
          if (fault.sticky) stuck = fault.code ?? 'EIO';
          throw failure(fault.kill ? 'EKILLED' : (fault.code ?? 'EIO'), operation, path);
        }
      }
      const result = (original as (...all: unknown[]) => unknown).apply(base, parameters);
      if (operation === 'openSync') paths.set(result as number, path);
      return result;
    };
  }
  return { fs: wrapped as unknown as FileSystem, calls, isDead: () => isDead };
}

function isReadingOpen(operation: string, parameters: readonly unknown[]): boolean {
  return operation === 'openSync' && isReadFlag(parameters[1]);
}

/** Tells whether a file is opened for reading alone, by a word or by the bits of open(2). */
export function isReadFlag(flags: unknown): boolean {
  if (typeof flags !== 'number') return flags === undefined || flags === 'r';
  return (flags & (nodeFs.constants.O_WRONLY | nodeFs.constants.O_RDWR)) === 0;
}

function tear(write: (...all: unknown[]) => number, parameters: unknown[], share: number): void {
  const [descriptor, bytes, offset = 0, length = (bytes as Uint8Array).length, position] = parameters as [
    number,
    Uint8Array,
    number?,
    number?,
    number?,
  ];
  const part = Math.floor(length * share);
  if (part > 0) write(descriptor, bytes, offset, part, position);
}

/** Plays several processes in one: each has an identity of its own, and can be declared dead. */
export class ProcessGroup {
  private readonly dead = new Set<number>();
  private next = 1_000_000;

  /** Makes a living process. */
  spawn(): { processes: Processes; kill: () => void } {
    const pid = this.next++;
    const self: ProcessIdentity = { pid, start: String(pid), boot: 'test', space: 'test', host: 'test' };
    const stateOf = (other: ProcessIdentity) => (this.dead.has(other.pid) ? 'dead' : 'alive');
    return { processes: { self, stateOf }, kill: () => this.dead.add(pid) };
  }
}

export { randomOf } from './random.ts';
