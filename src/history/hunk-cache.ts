// The hunks between two versions of a file, found once ever: what they are follows from the two blob ids alone. With them a blame reads
// no version but the one it is asked about. Kept in git-memory/cache/hunks.

import { type Hunk, LineTable } from '../base/line-diff.ts';
import { keptIn, oncePer } from '../base/once-per.ts';
import { CacheFile } from '../store/cache-file.ts';
import type { Repository } from '../store/git/repository.ts';
import { revisionHunks, revisionLines } from './revision-lines.ts';

const fileName = 'hunks';
/** To be raised whenever the format or the way lines are compared changes. */
const fileVersion = 1;
/** More frames than that in the file, and they become one. */
const maxFrames = 32;
/** A larger file is begun anew with what was found last. */
const maxBytes = 8 << 20;

export const hunksOf = oncePer((repository: Repository) => new HunkCache(repository));

/**
 * Keeps hunks by the ids of the version before and the one after.
 *
 *     payload   entry*    entry = before 20 bytes | after 20 bytes | hunks n, u32 | n × (4 × u32)
 */
export class HunkCache {
  private readonly file: CacheFile;
  private readonly known = new Map<string, readonly Hunk[]>();
  private fresh: { readonly key: string; readonly hunks: readonly Hunk[] }[] = [];
  private payloads: Buffer[] | null = null;

  constructor(repository: Repository) {
    this.file = new CacheFile(repository, fileName, fileVersion);
  }

  /** Gives the hunks between two versions, finding them if nobody has yet. */
  between(before: string, after: string, find: () => readonly Hunk[]): readonly Hunk[] {
    this.load();
    const key = before + after;
    return keptIn(this.known, key, () => {
      const hunks = find();
      this.fresh.push({ key, hunks });
      return hunks;
    });
  }

  /** Gives the hunks between two versions that lie in a repository; throws OBJECT_MISSING, OBJECT_CORRUPT, TOO_LARGE. */
  betweenIn({ objects }: Repository, before: string, after: string): readonly Hunk[] {
    return this.between(before, after, () => {
      const table = new LineTable();
      const lines = revisionLines(objects.readBlob(before), table);
      return revisionHunks(lines, revisionLines(objects.readBlob(after), table, lines), table);
    });
  }

  /** Keeps what was found for later processes; a file system that refuses costs time only. */
  save(): void {
    if (this.fresh.length === 0) return;
    const added = Buffer.concat(this.fresh.map(({ key, hunks }) => formatEntry(key, hunks)));
    this.fresh = [];
    const payloads = this.payloads ?? [];
    const bytes = payloads.reduce((sum, payload) => sum + payload.length, added.length);
    if (payloads.length < maxFrames && bytes <= maxBytes) this.file.append(added);
    else if (bytes > maxBytes) this.file.replace([added]);
    else this.file.replace([Buffer.concat([...this.file.read(), added])]);
    this.payloads = [...payloads, added];
  }

  private load(): void {
    if (this.payloads) return;
    this.payloads = this.file.read();
    for (const payload of this.payloads) {
      for (let place = 0; place < payload.length; ) {
        const count = payload.readUInt32LE(place + 40);
        const key = payload.toString('hex', place, place + 40);
        this.known.set(key, parseHunks(payload, place + 44, count));
        place += 44 + 16 * count;
      }
    }
  }
}

function formatEntry(key: string, hunks: readonly Hunk[]): Buffer {
  const entry = Buffer.alloc(44 + 16 * hunks.length);
  entry.write(key, 'hex');
  entry.writeUInt32LE(hunks.length, 40);
  let place = 44;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks) {
    for (const line of [beforeStart, beforeEnd, afterStart, afterEnd]) place = entry.writeUInt32LE(line, place);
  }
  return entry;
}

function parseHunks(payload: Buffer, start: number, count: number): Hunk[] {
  const hunks: Hunk[] = [];
  for (let place = start; place < start + 16 * count; place += 16) {
    hunks.push({
      beforeStart: payload.readUInt32LE(place),
      beforeEnd: payload.readUInt32LE(place + 4),
      afterStart: payload.readUInt32LE(place + 8),
      afterEnd: payload.readUInt32LE(place + 12),
    });
  }
  return hunks;
}
