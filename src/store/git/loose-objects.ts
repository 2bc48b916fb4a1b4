// Objects in files of their own, as git writes them one by one. The engine reads them, and replaces those that are damaged.

import { MemoryError } from '../../base/errors.ts';
import { maxObjectBytes } from '../guard/limits.ts';
import type { Disk } from './disk.ts';
import { compressBound, formatLoose, type GitObject, isOid, type NewObject, parseLoose } from './object-codec.ts';

export class LooseObjects {
  private readonly disk: Disk;
  private readonly directory: string;
  private readonly directories: readonly string[];
  private readonly temporaryDirectory: string;

  /** `directories`: that of the repository, then those it borrows from. */
  constructor(disk: Disk, directories: readonly [string, ...string[]], temporaryDirectory: string) {
    this.disk = disk;
    this.directory = directories[0];
    this.directories = directories;
    this.temporaryDirectory = temporaryDirectory;
  }

  /** Reads an object; null where no whole copy is there. Adds to `failures` what was wrong with others. */
  read(oid: string, failures: unknown[], maxBytes: number): GitObject | null {
    for (const directory of this.directories) {
      try {
        const object = this.readIn(directory, oid, maxBytes);
        if (object !== null) return object;
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        failures.push(error);
      }
    }
    return null;
  }

  /** Lists the objects of the repository itself. */
  *copies(): Generator<{ readonly oid: string; readonly where: string; readonly read: () => GitObject | null }> {
    for (const fanOut of this.disk.list(this.directory).sort()) {
      if (!/^[0-9a-f]{2}$/.test(fanOut)) continue;
      for (const name of this.disk.list(`${this.directory}/${fanOut}`).sort()) {
        const oid = fanOut + name;
        if (!isOid(oid)) continue;
        yield { oid, where: pathIn(this.directory, oid), read: () => this.readIn(this.directory, oid, maxObjectBytes) };
      }
    }
  }

  /** Replaces damaged files of the same names; a crash without syncs can leave them empty, and git never heals them. */
  repair(objects: readonly NewObject[]): void {
    for (const object of objects) {
      const path = pathIn(this.directory, object.oid);
      const bytes = this.disk.stat(path) && this.disk.read(path);
      if (!bytes) continue;
      try {
        parseLoose(bytes, object.oid, Math.max(object.data.length, 1));
      } catch {
        // Whatever is wrong with it, the right bytes are at hand.
        this.replace(object, path);
      }
    }
  }

  private readIn(directory: string, oid: string, maxBytes: number): GitObject | null {
    const path = pathIn(directory, oid);
    this.disk.refuseLinks(directory, path);
    const bytes = this.disk.read(path, compressBound(maxBytes));
    return bytes === null ? null : parseLoose(bytes, oid, maxBytes);
  }

  private replace(object: NewObject, path: string): void {
    const folder = path.slice(0, path.lastIndexOf('/'));
    this.disk.refuseLinks(this.directory, path);
    this.disk.ensureDirectory(this.temporaryDirectory);
    const temporary = this.disk.temporaryName(`${this.temporaryDirectory}/object_`);
    this.disk.writeNew(temporary, [formatLoose(object)], { mode: 0o444 });
    try {
      // Native gc removes fan-out folders that it emptied, so one made a moment ago may be gone: try again.
      for (let attempt = 0; ; attempt++) {
        this.disk.makeDirectory(folder);
        try {
          this.disk.rename(temporary, path);
          break;
        } catch (error) {
          if (attempt >= 5 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
      }
    } catch (error) {
      this.disk.removeQuietly(temporary);
      throw error;
    }
    this.disk.syncDirectory(folder);
    this.disk.syncDirectory(this.directory);
  }
}

const pathIn = (directory: string, oid: string): string => `${directory}/${oid.slice(0, 2)}/${oid.slice(2)}`;
