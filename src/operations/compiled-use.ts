// Being compiled into a context counts as use: of memories in their records, of knowledge files in state/uses.json. A question must not cost
// a write each time, so uses are gathered here, once for each memory and file until they are written, and written together.

import { reinforced, type UseRules } from '../lifecycle/reinforce.ts';
import { formatMemory } from '../records/memory-record.ts';
import { formatUseCounts, parseUseCounts, useCountsPath } from '../records/use-counts.ts';
import type { MemoryCatalog } from '../store/memory-catalog.ts';
import type { ContextResult } from '../types.ts';
import type { EditPlan, PlannedEdit } from './edits.ts';

/** After so many contexts without a commit they are written anyway. */
const mostContexts = 50;
/** What stands in every context tells nothing by standing there. */
const counted: ReadonlySet<string> = new Set(['subscriptions', 'knowledge']);

/** What was of use since it was last written. */
export interface Used {
  readonly ids: readonly string[];
  readonly paths: readonly string[];
}

/** Gathers uses. What is lost with the process is that something was looked at, and nothing else. */
export class CompiledUse {
  private readonly write: (used: Used) => Promise<unknown>;
  private readonly ids = new Set<string>();
  private readonly paths = new Set<string>();
  private contexts = 0;

  constructor(write: (used: Used) => Promise<unknown>) {
    this.write = write;
  }

  /** Notes what a context shows. */
  async note({ slots }: Pick<ContextResult, 'slots'>): Promise<void> {
    for (const { slot, blocks } of slots) {
      if (!counted.has(slot)) continue;
      for (const { id, path } of blocks) {
        if (path?.startsWith('memories/') && id !== undefined) this.ids.add(id);
        else if (path?.startsWith('knowledge/')) this.paths.add(path);
      }
    }
    this.contexts += 1;
    if (this.contexts >= mostContexts) await this.settle();
  }

  /** Writes what was gathered; called ahead of every commit that somebody asks for. */
  async settle(): Promise<void> {
    const used = { ids: [...this.ids].sort(), paths: [...this.paths].sort() };
    this.ids.clear();
    this.paths.clear();
    this.contexts = 0;
    if (used.ids.length + used.paths.length > 0) await this.write(used);
  }
}

/** Plans one use of each memory and file that is still there. */
export function planCompiledUse(catalog: MemoryCatalog, { ids, paths }: Used, rules: UseRules, now: number): EditPlan {
  return (snapshot) => {
    const present = new Map(catalog.stored(snapshot).map((stored) => [stored.record.id, stored]));
    const edits = ids.flatMap((id): PlannedEdit[] => {
      const found = present.get(id);
      return found === undefined
        ? []
        : [{ path: found.path, after: formatMemory(reinforced(found.record, { now }, rules)) }];
    });
    const counts = parseUseCounts(snapshot.readText(useCountsPath));
    const lastAt = Math.floor(now / 1000);
    for (const path of paths) {
      const known = counts.get(path)?.count ?? 0;
      counts.set(path, { count: known + 1, lastAt: Math.max(lastAt, counts.get(path)?.lastAt ?? 0) });
    }
    for (const path of [...counts.keys()]) if (snapshot.oidOf(path) === null) counts.delete(path);
    const after = formatUseCounts(counts);
    const [first, ...others] = edits;
    // A write is of one file at least, also where another process has just let go of every memory.
    const tally = { path: useCountsPath, after };
    if (first === undefined) return tally;
    return paths.length === 0 ? [first, ...others] : [first, ...others, tally];
  };
}
