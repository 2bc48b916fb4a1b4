// What the engine last saw as tip of each branch that it wrote, in a place where only the engine writes.
//
//     git-memory/tips/<ref>      <commit> <checksum>      one line, written over in place
//
// A note is written behind the move of its ref and without a sync: it may be older than the branch is, and is never ahead of it.

import { sha256Hex } from '../base/hash.ts';
import { orElse } from '../base/or-else.ts';
import { isSystemError } from '../errors.ts';
import { maxLineFileBytes } from '../guard/limits.ts';
import type { Disk, FileStat } from './disk.ts';
import { isSameFile } from './index-file.ts';
import { isOid } from './object-codec.ts';

export class TipNotes {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly known = new Map<string, { readonly stat: FileStat; readonly oid: string | null }>();

  /** `folder` is made when it is needed. */
  constructor(disk: Disk, folder: string) {
    this.disk = disk;
    this.folder = folder;
  }

  /** Gives where a branch was last seen; null when nobody noted it, or the note is damaged. */
  read(ref: string): string | null {
    const path = this.pathOf(ref);
    const stat = this.disk.stat(path);
    if (stat === null || !stat.isFile) return null;
    const known = this.known.get(ref);
    if (known !== undefined && isSameFile(stat, known.stat)) return known.oid;
    // What cannot be read says nothing, and costs no question and no write.
    const oid = orElse(() => parse(this.disk.readText(path, maxLineFileBytes) ?? ''), null);
    this.known.set(ref, { stat, oid });
    return oid;
  }

  /** Notes where a branch is now. Never fails: without this note the one before holds, and the branch leads there, too. */
  write(ref: string, oid: string): void {
    const path = this.pathOf(ref);
    try {
      this.writeOver(path, Buffer.from(format(oid)));
      const stat = this.disk.stat(path);
      if (stat !== null) this.known.set(ref, { stat, oid });
    } catch {
      // The ref has moved, and its caller goes on.
    }
  }

  /** Forgets a branch, durable when it returns: it is to be moved by us to where it does not lead, or is to go. */
  forget(ref: string): void {
    if (this.disk.remove(this.pathOf(ref))) this.disk.syncDirectory(this.folder);
  }

  private writeOver(path: string, bytes: Buffer): void {
    let descriptor: number;
    try {
      descriptor = this.disk.openFile(path, 'r+');
    } catch (error) {
      if (!isSystemError(error, 'ENOENT')) throw error;
      this.disk.makeDirectory(this.folder);
      this.disk.writeNew(path, [bytes], { sync: false });
      return;
    }
    try {
      this.disk.writeAll(descriptor, bytes);
    } finally {
      this.disk.fs.closeSync(descriptor);
    }
  }

  private pathOf(ref: string): string {
    return `${this.folder}/${encodeURIComponent(ref)}`;
  }
}

function format(oid: string): string {
  return `${oid} ${sha256Hex(oid).slice(0, 8)}\n`;
}

function parse(line: string): string | null {
  const oid = line.slice(0, 40);
  return isOid(oid) && line === format(oid) ? oid : null;
}
