// The ledger of a state as values: its events in order, and what is damaged. Each file's blob is parsed once, ever.

import { MemoryError } from '../errors.ts';
import type { LedgerEvent } from '../records/ledger-event.ts';
import {
  dayOfSegment,
  isLedgerArchive,
  ledgerArchivePath,
  parseLedger,
  segmentPath,
} from '../records/ledger-segment.ts';
import type { LogEntry, LogPiece } from '../records/log.ts';
import { dayOfSeries, parseSequenceId } from '../records/sequence-id.ts';
import type { StateFiles } from '../store/derive.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** An event, and where it stands. */
export interface StoredEvent extends LogEntry<LedgerEvent> {
  readonly path: string;
}

/** A line that is no event. */
export interface DamagedLine {
  readonly path: string;
  readonly line: number;
  readonly why: string;
}

export interface Ledger {
  /** By day, then as they stand in the file; an id that was given twice comes twice. */
  readonly events: readonly StoredEvent[];
  /** What compaction and pruning have put aside. */
  readonly archived: readonly StoredEvent[];
  readonly damaged: readonly DamagedLine[];
}

const maxParsed = 20_000;

/** Reads ledgers of any state; what does not parse is passed over and told. */
export class LedgerCatalog {
  private readonly parsed = new Map<string, readonly LogPiece<LedgerEvent>[]>();
  private last: { readonly key: string; readonly ledger: Ledger } | null = null;

  ledgerOf(snapshot: Pick<StateFiles, 'list' | 'readBlob'>): Ledger {
    const files = [...snapshot.list('ledger/')]
      .filter(([path]) => dayOfSegment(path) !== null || isLedgerArchive(path))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const key = files.map(([path, oid]) => `${path} ${oid}`).join('\n');
    if (this.last?.key === key) return this.last.ledger;
    const ledger = { events: [] as StoredEvent[], archived: [] as StoredEvent[], damaged: [] as DamagedLine[] };
    for (const [path, oid] of files) {
      const into = isLedgerArchive(path) ? ledger.archived : ledger.events;
      for (const piece of this.piecesOf(snapshot, path, oid)) {
        if (piece.kind === 'entry') into.push({ ...piece, path });
        else if (piece.why !== undefined) ledger.damaged.push({ path, line: piece.line, why: piece.why });
      }
    }
    this.last = { key, ledger };
    return ledger;
  }

  private piecesOf(
    snapshot: Pick<StateFiles, 'readBlob'>,
    path: string,
    oid: string,
  ): readonly LogPiece<LedgerEvent>[] {
    const known = this.parsed.get(oid);
    if (known !== undefined) return known;
    const pieces = parseLedger(snapshot.readBlob(oid, path).toString('utf8'), path);
    if (this.parsed.size >= maxParsed) this.parsed.delete(this.parsed.keys().next().value!);
    this.parsed.set(oid, pieces);
    return pieces;
  }
}

/** Finds one event by its id without reading more than its day, and the archive where it is not there. Throws NOT_FOUND. */
export function findEvent(snapshot: Snapshot, id: string): StoredEvent {
  const day = dayOfSeries(parseSequenceId(id)?.series ?? '');
  for (const path of day === null ? [] : [segmentPath(day), ledgerArchivePath(day)]) {
    const text = snapshot.readText(path);
    if (text === null || !text.includes(id)) continue;
    const found = parseLedger(text, path).find((piece) => piece.kind === 'entry' && piece.id === id);
    if (found?.kind === 'entry') return { ...found, path };
  }
  throw new MemoryError('NOT_FOUND', `there is no event ${id}`, {
    where: id,
    hint: '`git memory events` lists them',
  });
}
