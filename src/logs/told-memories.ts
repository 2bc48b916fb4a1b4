// Which memories the ledger has told of: looked up for each extraction, so a file is looked through once, ever, and not parsed as events.

import { dayOfSegment, isLedgerArchive } from '../records/ledger-segment.ts';
import type { StateFiles } from '../store/derive.ts';

/** Memory id → ids of the events that name it, in the order of the file. */
type Told = ReadonlyMap<string, readonly string[]>;

const mostFiles = 20_000;

/** Finds the events of memories in the ledger of any state. */
export class ToldMemories {
  private readonly files = new Map<string, Told>();

  /** Gives the ids of the events that name a memory, the oldest day first; mostly there is one or none. */
  eventsOf(snapshot: StateFiles): (memory: string) => readonly string[] {
    const all: Told[] = [];
    const files = [...snapshot.list('ledger/')].filter(
      ([path]) => dayOfSegment(path) !== null || isLedgerArchive(path),
    );
    // What was put aside is older than what stands in the segments.
    files.sort(([a], [b]) => Number(isLedgerArchive(b)) - Number(isLedgerArchive(a)) || (a < b ? -1 : 1));
    for (const [path, oid] of files) {
      const told = this.toldIn(snapshot, path, oid);
      if (told.size > 0) all.push(told);
    }
    return (memory) => all.flatMap((told) => told.get(memory) ?? []);
  }

  private toldIn(snapshot: StateFiles, path: string, oid: string): Told {
    const known = this.files.get(oid);
    if (known !== undefined) return known;
    const told = new Map<string, string[]>();
    for (const line of snapshot.readBlob(oid, path).toString('utf8').split('\n')) {
      if (!line.includes('"memory"')) continue;
      const { id, memory } = namesIn(line);
      if (id === undefined || memory === undefined) continue;
      const ids = told.get(memory);
      if (ids === undefined) told.set(memory, [id]);
      else ids.push(id);
    }
    if (this.files.size >= mostFiles) this.files.delete(this.files.keys().next().value!);
    this.files.set(oid, told);
    return told;
  }
}

/** A line that is no event tells of no memory. */
function namesIn(line: string): { id?: string; memory?: string } {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return {};
    const { id, memory } = value as Readonly<Record<string, unknown>>;
    return typeof id === 'string' && typeof memory === 'string' ? { id, memory } : {};
  } catch {
    return {};
  }
}
