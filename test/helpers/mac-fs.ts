// A file system with the manners of macOS: names that differ in case or Unicode form alone are one file, directories list names decomposed, and
// there is no /proc. What a file is called stays as its maker wrote it, so that native git on this machine sees the same folder.

import nodeFs from 'node:fs';
import path from 'node:path';
import type { FileSystem, Processes } from '../../src/base/ports.ts';

const fold = (name: string) => name.normalize('NFD').toLowerCase();

/** Wraps Node's own files below temporary folders; everything else but /proc is as it is. */
export function macFileSystem(base: FileSystem = nodeFs): FileSystem {
  /** Finds the name under which a path is there; a path that is not there has its last parts as given. */
  const place = (given: unknown): unknown => {
    if (typeof given !== 'string') return given;
    // What is not there on macOS.
    if (given === '/proc' || given.startsWith('/proc/')) return '/no-proc';
    if (base.lstatSync(given, { throwIfNoEntry: false }) !== undefined || !given.includes('git-memory-test-'))
      return given;
    const folder = path.dirname(given);
    if (folder === given) return given;
    const parent = place(folder) as string;
    const wanted = fold(path.basename(given));
    let names: string[] = [];
    try {
      names = base.readdirSync(parent) as string[];
    } catch {
      // The call itself says what is wrong.
    }
    return path.join(parent, names.find((name) => fold(name) === wanted) ?? path.basename(given));
  };
  const wrapped: Partial<Record<keyof FileSystem, unknown>> = { constants: base.constants };
  for (const operation of Object.keys(base) as (keyof FileSystem)[]) {
    const original = base[operation] as unknown;
    if (typeof original !== 'function' || !operation.endsWith('Sync')) continue;
    wrapped[operation] = (first: unknown, ...rest: unknown[]) => Reflect.apply(original, base, [place(first), ...rest]);
  }
  wrapped.readdirSync = (folder: string, ...rest: unknown[]) =>
    (Reflect.apply(base.readdirSync, base, [place(folder), ...rest]) as (string | nodeFs.Dirent)[]).map((entry) =>
      typeof entry === 'string' ? entry.normalize('NFD') : Object.assign(entry, { name: entry.name.normalize('NFD') }),
    );
  wrapped.renameSync = (from: string, to: string) => {
    const [source, target] = [place(from) as string, place(to) as string];
    // Onto another file the new name counts, and so it does where only the case changes.
    const named = path.join(path.dirname(target), path.basename(to));
    if (named !== target && target !== source && base.lstatSync(target).isFile()) base.unlinkSync(target);
    base.renameSync(source, target === source || named !== target ? named : target);
  };
  wrapped.linkSync = (from: string, to: string) => base.linkSync(place(from) as string, place(to) as string);
  return wrapped as unknown as FileSystem;
}

/** Tells of processes what a machine without /proc knows: whether a number is in use. */
export function macProcesses(own: Processes): Processes {
  return {
    self: { ...own.self, start: '', boot: '', space: '' },
    stateOf: ({ pid, host }) => {
      if (host !== own.self.host) return 'unknown';
      try {
        process.kill(pid, 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
      }
      return 'alive';
    },
  };
}
