// Notes the last seen tip of each branch that the engine wrote, and which writes of its journal are settled. Only the engine writes here.
//
//     git-memory/tips/<ref>      <commit> <journal> <sequence> <checksum>      one line, written over in place
//
// A note is written behind the move of its ref and without a sync. It may be older than the branch, and is never ahead of it. Earlier
// versions wrote `<commit> <checksum>`.

import { isSystemError, orElse } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { maxLineFileBytes } from '../guard/limits.ts';
import type { Disk, FileStat } from './disk.ts';
import { isSameFile } from './index-file.ts';
import { isOid } from './object-codec.ts';

/** Up to which write of a journal all are in commits, or gone. */
interface SettledWrites {
  /** The nonce of the journal: sixteen hex digits. */
  readonly journal: string;
  readonly sequence: number;
}

interface TipNote {
  readonly oid: string;
  readonly settled: SettledWrites;
}

const nothingSettled: SettledWrites = { journal: '0'.repeat(16), sequence: 0 };

export class TipNotes {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly known = new Map<string, { readonly stat: FileStat; readonly note: TipNote | null }>();

  /** `folder` is made when it is needed. */
  constructor(disk: Disk, folder: string) {
    this.disk = disk;
    this.folder = folder;
  }

  /** Gives where a branch was last seen; null when nobody noted it, or the note is damaged. */
  read(ref: string): string | null {
    return this.noteOf(ref)?.oid ?? null;
  }

  /** Gives the last write of a journal up to which all are settled; 0 when nobody noted any. */
  settledIn(ref: string, journal: string): number {
    const settled = this.noteOf(ref)?.settled;
    return settled?.journal === journal ? settled.sequence : 0;
  }

  /** Notes where a branch is now. Never fails: without this note the one before holds, and the branch leads there, too. */
  write(ref: string, oid: string): void {
    this.put(ref, { oid, settled: orElse(() => this.noteOf(ref), null)?.settled ?? nothingSettled });
  }

  /** Notes up to which write a journal is settled; never fails. Says nothing of a branch that nobody noted. */
  settle(ref: string, settled: SettledWrites): void {
    const oid = orElse(() => this.read(ref), null);
    if (oid !== null) this.put(ref, { oid, settled });
  }

  private noteOf(ref: string): TipNote | null {
    const path = this.pathOf(ref);
    const stat = this.disk.stat(path);
    if (stat === null || !stat.isFile) return null;
    const known = this.known.get(ref);
    if (known !== undefined && isSameFile(stat, known.stat)) return known.note;
    // What cannot be read says nothing, and costs no question and no write.
    const note = orElse(() => parse(this.disk.readText(path, maxLineFileBytes) ?? ''), null);
    this.known.set(ref, { stat, note });
    return note;
  }

  private put(ref: string, note: TipNote): void {
    const path = this.pathOf(ref);
    try {
      this.writeOver(path, Buffer.from(format(note)));
      const stat = this.disk.stat(path);
      if (stat !== null) this.known.set(ref, { stat, note });
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

/** Every note has the same length, so that one replaces another whole. */
const format = ({ oid, settled }: TipNote): string =>
  checked(`${oid} ${settled.journal} ${String(settled.sequence).padStart(16, '0')}`);

const checked = (text: string) => `${text} ${sha256Hex(text).slice(0, 8)}\n`;

function parse(line: string): TipNote | null {
  const [oid = '', journal = '', sequence = ''] = line.split(' ');
  if (!isOid(oid)) return null;
  if (line === checked(oid)) return { oid, settled: nothingSettled };
  const note = { oid, settled: { journal, sequence: Number(sequence) } };
  return line === format(note) ? note : null;
}
