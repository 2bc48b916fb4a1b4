// The mark that a history was rewritten by a purge: which old commits are which new ones, beside the objects, for this machine alone.
//
//     git-memory/purged      <old commit> <new commit>\n …      replaced by rename with each purge, twice: before refs move, and after
//                                                               the objects are gone
//
// A process with the repository open sees by the file's stat that what it read before may be gone.

import { MemoryError } from '../../base/errors.ts';
import type { Disk } from './disk.ts';
import { isOid } from './object-codec.ts';

/** Where the mark stands, below the folder of ours. */
export const purgeMarkName = 'purged';

/** Follows the mark of one repository for whoever has it open. */
export class PurgeMark {
  private readonly disk: Disk;
  private readonly path: string;
  /** Its state when the repository was opened. */
  readonly opened: string;

  constructor(disk: Disk, ownDirectory: string) {
    this.disk = disk;
    this.path = `${ownDirectory}/${purgeMarkName}`;
    this.opened = this.version();
  }

  /** Tells one state of the mark from another; empty when nothing was ever purged here. */
  version(): string {
    const stat = this.disk.stat(this.path);
    return stat === null ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
  }

  /** Reads which new commit an old one became; undefined for what no purge has rewritten. */
  successorOf(oid: string): string | undefined {
    return this.read().get(oid);
  }

  /** Reads all pairs, the newest purge last; a later one is followed, so that each old commit leads to what stands now. */
  read(): Map<string, string> {
    const pairs = new Map<string, string>();
    for (const line of (this.disk.readText(this.path) ?? '').split('\n')) {
      const [from, to] = [line.slice(0, 40), line.slice(41)];
      if (isOid(from) && isOid(to) && line[40] === ' ') pairs.set(from, to);
    }
    return pairs;
  }

  /** Formats the mark with a further purge. */
  formatted(commits: ReadonlyMap<string, string>): Buffer {
    const pairs = this.read();
    for (const [from, to] of pairs) pairs.set(from, commits.get(to) ?? to);
    for (const [from, to] of commits) pairs.set(from, to);
    return Buffer.from([...pairs].map(([from, to]) => `${from} ${to}\n`).join(''));
  }

  /** The failure to answer from what is gone. */
  purged(oid: string): MemoryError {
    const successor = this.successorOf(oid);
    return new MemoryError('PURGED', `commit ${oid} was rewritten by a purge and is gone`, {
      where: oid,
      hint: successor === undefined ? '`git memory log` shows the history as it is now' : `It is ${successor} now`,
    });
  }
}
