// Keeps packs few and small: many become one, as `git repack --geometric` does, with versions of one thing as deltas. The work is done in
// portions, a little behind each commit, so that none waits for all of it.
//
//     a pack per commit ──► more than 16 that nobody joins ──► a join of the smallest ──► a portion behind each commit ──► one pack
//                            meanwhile new ones come, and may begin a smaller join, which goes first

import { MemoryError } from '../../base/errors.ts';
import type { Steps } from '../../base/steps.ts';
import type { Disk } from './disk.ts';
import type { ObjectDatabase } from './object-database.ts';
import { type JoinedPacks, joinPacks } from './pack-join.ts';
import type { PackReader } from './pack-reader.ts';
import { dropPack, releasePack, writeFormatted } from './pack-writer.ts';

/** More packs than these that nobody joins begin a join. */
const maxFree = 16;
/** With more packs than these a commit waits until there are fewer; native git itself aims to stay below 50. */
const maxPacks = 40;
/** Packs beyond this size are left alone by commits; `maintain` joins them. */
const maxJoinedBytes = 16 << 20;
/** Larger packs are left to native git: a join by `maintain` reads and writes all of it under the lock. */
const maxHeldBytes = 256 << 20;
/** How much of a join is done behind one commit while packs are few: about a millisecond. */
const leastPortion = 50;
/** From so many packs on it doubles with each five further ones. Joining then catches up with new packs before there are `maxPacks`. */
const easyPacks = 20;

interface Join {
  readonly packs: readonly PackReader[];
  readonly steps: Steps<JoinedPacks>;
}

export class PackKeeper {
  private readonly disk: Disk;
  private readonly objects: ObjectDatabase;
  /** The smallest last: it has begun while the others were going on. */
  private joins: Join[] = [];
  /** Packs that could not be read as a whole; they are left as they are, for `doctor` to look at. */
  private readonly damaged = new Set<string>();
  private wasAsked = false;

  constructor(disk: Disk, objects: ObjectDatabase) {
    this.disk = disk;
    this.objects = objects;
  }

  /**
   * Does a portion of what is to be done. Must be called under the repository lock, with refs up to date, as must {@link joinAll}.
   *
   * The sizes that remain grow by a factor of two or more from one pack to the next. An object is thus copied about log(n) times in its
   * life. Packs that somebody keeps (`.keep`), promises, or has bitmaps for are not touched. The new pack is durable before an old one
   * goes; a reader that misses an old one scans the folder again, as git does. What other processes join is begun anew by them. So the first
   * commit of a process begins nothing that it need not finish. Many processes make no second one, and what they did would be lost.
   */
  step(): void {
    const isFirstCommit = !this.wasAsked;
    this.wasAsked = true;
    if (isFirstCommit && this.small().length <= maxPacks) return;
    let left = leastPortion;
    for (let isFirst = true; ; isFirst = false) {
      const small = this.small();
      if (isFirst) left *= 2 ** Math.max(0, (small.length - easyPacks) / 5);
      const mustFinish = small.length > maxPacks;
      if (this.free(small).length > maxFree) this.begin(this.free(small));
      const join = this.joins.at(-1);
      if (join === undefined || (left <= 0 && !mustFinish)) return;
      left -= this.advance(join, mustFinish ? Number.POSITIVE_INFINITY : left).spent;
    }
  }

  /** Joins packs of up to `maxBytes` now, until sizes grow by a factor of two; tells how many packs went. */
  joinAll(maxBytes = maxHeldBytes): { merged: number } {
    this.joins = [];
    this.objects.rescanPacks();
    const packs = this.joinable(this.own().filter(({ packBytes }) => packBytes <= maxBytes));
    const selected = selectJoin(packs);
    if (selected.length < 2) return { merged: 0 };
    const join = { packs: selected, steps: joinPacks(this.objects, selected) };
    this.joins.push(join);
    return { merged: this.advance(join, Number.POSITIVE_INFINITY).merged };
  }

  private own(): PackReader[] {
    return this.objects.openPacks().filter(({ directory }) => directory === this.objects.packDirectory);
  }

  private small(): PackReader[] {
    return this.own().filter(({ packBytes }) => packBytes <= maxJoinedBytes);
  }

  private free(packs: readonly PackReader[]): PackReader[] {
    const taken = new Set(this.joins.flatMap((join) => join.packs));
    return packs.filter((pack) => !taken.has(pack) && !this.damaged.has(pack.name));
  }

  private begin(free: readonly PackReader[]): void {
    this.objects.rescanPacks();
    const packs = selectJoin(this.joinable(free));
    if (packs.length >= 2) this.joins.push({ packs, steps: joinPacks(this.objects, packs) });
  }

  /** Those that are there and that nobody wants to stay as they are, the smallest first. */
  private joinable(packs: readonly PackReader[]): PackReader[] {
    const names = new Set(this.disk.list(this.objects.packDirectory));
    return packs
      .filter(
        ({ name }) =>
          names.has(`${name}.pack`) &&
          !['keep', 'promisor', 'bitmap', 'mtimes'].some((suffix) => names.has(`${name}.${suffix}`)),
      )
      .sort((a, b) => a.count - b.count);
  }

  /** Goes on with a join for so much work, and puts its pack in place when it is done. */
  private advance(join: Join, most: number): { spent: number; merged: number } {
    let spent = 0;
    try {
      while (spent < most) {
        const { done, value } = join.steps.next();
        if (!done) {
          spent += value;
          continue;
        }
        this.forget(join);
        return { spent, merged: this.land(value) };
      }
    } catch (error) {
      this.forget(join);
      if (!(error instanceof MemoryError)) throw error;
      // Somebody else joined them meanwhile.
      if (error.code === 'OBJECT_MISSING') return { spent, merged: 0 };
      for (const { name } of join.packs) this.damaged.add(name);
      throw error;
    }
    return { spent, merged: 0 };
  }

  private forget(join: Join): void {
    this.joins = this.joins.filter((other) => other !== join);
  }

  private land({ formatted, packs, damaged }: JoinedPacks): number {
    const { disk, objects } = this;
    for (const { name } of damaged) this.damaged.add(name);
    if (packs.length < 2 || this.joinable(packs).length < packs.length) return 0;
    const name = writeFormatted(disk, objects.packPlace, formatted);
    releasePack(disk, objects.packDirectory, name);
    objects.addWritten(name, formatted);
    for (const pack of packs) {
      pack.close();
      dropPack(disk, objects.packPlace, pack.name);
    }
    objects.rescanPacks();
    return packs.length;
  }
}

/** Picks the smallest packs up to where each further one is at least as large as all before it together. */
function selectJoin(sorted: readonly PackReader[]): PackReader[] {
  let total = 0;
  let last = 0;
  for (const [position, pack] of sorted.entries()) {
    if (position > 0 && pack.count < 2 * total) last = position + 1;
    total += pack.count;
  }
  return sorted.slice(0, last);
}
