// Finds the events of the ledger that speak of a memory, and those of them that hold, as of one state. Each extraction looks memories up, so a
// file is looked through for them once, ever, and not parsed as events.

import { jsonObjectIn } from '../base/canonical-json.ts';
import { orElse } from '../base/errors.ts';
import { keptIn } from '../base/once-per.ts';
import type { StateFiles } from '../store/derive.ts';
import { dayOfSegment, isLedgerArchive } from '../store/records/ledger-segment.ts';
import type { LedgerCatalog, StoredEvent } from './ledger.ts';
import { openLoopsOf } from './open-loops.ts';
import { retracted, supersessionOf } from './supersession.ts';

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
    // What was put aside is older than what is in the segments.
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
    // What a damaged file tells of is not known; it keeps nobody from what the others tell.
    const bytes = orElse(() => snapshot.readBlob(oid, path), null, 'OBJECT_MISSING', 'OBJECT_CORRUPT');
    if (bytes === null) return told;
    for (const line of bytes.toString('utf8').split('\n')) {
      if (!line.includes('"memory"')) continue;
      const { id, memory } = namesIn(line);
      if (id === undefined || memory === undefined) continue;
      keptIn(told, memory, () => []).push(id);
    }
    if (this.files.size >= mostFiles) this.files.delete(this.files.keys().next().value!);
    this.files.set(oid, told);
    return told;
  }
}

/** A line that is no event tells of no memory. */
function namesIn(line: string): { id?: string; memory?: string } {
  const { id, memory } = jsonObjectIn(line) ?? {};
  return typeof id === 'string' && typeof memory === 'string' ? { id, memory } : {};
}

/** What is kept of ledgers from one state to the next. */
export interface KnownLedgers {
  readonly ledgers: LedgerCatalog;
  readonly told: ToldMemories;
}

/** An event, and what stands at the end of the row of events that took its place; itself where none did. */
interface EventAndEnd {
  readonly own: StoredEvent;
  readonly end: StoredEvent;
}

/** Finds the events of memories, as of one state. */
export class HoldingEvents {
  readonly eventsOf: (memory: string) => readonly string[];
  private readonly files: StateFiles;
  private readonly known: KnownLedgers;
  private ledger: {
    readonly byId: ReadonlyMap<string, StoredEvent>;
    readonly successors: ReadonlyMap<string, StoredEvent>;
    readonly open: ReadonlySet<string>;
  } | null = null;

  constructor(files: StateFiles, known: KnownLedgers) {
    this.files = files;
    this.known = known;
    this.eventsOf = known.told.eventsOf(files);
  }

  /** Whether the ledger was ever told of a memory. */
  isTold(memory: string): boolean {
    return this.eventsOf(memory).length > 0;
  }

  /** Gives the newest event that holds of a memory. It is its own, or what an undo put in its place to say the same again. */
  of(memory: string): StoredEvent | undefined {
    return this.allOf(memory)[0];
  }

  /** Lists the events that hold of a memory, the newest first. */
  allOf(memory: string): StoredEvent[] {
    const ends = this.endsOf(memory)
      .filter(({ own, end }) => this.holds(memory, own, end))
      .map(({ end }) => end);
    return [...new Set(ends)];
  }

  /** Gives the newest event of a memory that was taken back because of what became of the memory, and what took it back. */
  retiredOf(memory: string): EventAndEnd | undefined {
    return this.endsOf(memory).find(
      ({ own, end }) => own !== end && end.value.tags?.includes(retracted) && end.value.source !== 'undo',
    );
  }

  /** What is in an archive is surfaced no more, and is not among them. */
  private endsOf(memory: string): EventAndEnd[] {
    if (!this.isTold(memory)) return [];
    const { byId, successors } = this.read();
    return [...this.eventsOf(memory)].reverse().flatMap((id) => {
      const own = byId.get(id);
      if (own === undefined) return [];
      let end = own;
      for (let next = successors.get(end.id); next !== undefined; next = successors.get(end.id)) end = next;
      return [{ own, end }];
    });
  }

  private holds(memory: string, own: StoredEvent, end: StoredEvent): boolean {
    const { type, status, tags, source, content } = end.value;
    const isOwn = end.value.memory === memory || (source === 'undo' && content === own.value.content);
    if (!isOwn || status === 'closed' || tags?.includes(retracted)) return false;
    return type !== 'commitment' || this.read().open.has(end.id);
  }

  private read() {
    if (this.ledger !== null) return this.ledger;
    const { events } = this.known.ledgers.ledgerOf(this.files);
    this.ledger = {
      byId: new Map(events.map((event) => [event.id, event])),
      successors: supersessionOf(events),
      open: new Set(openLoopsOf(events).map(({ event }) => event.id)),
    };
    return this.ledger;
  }
}
