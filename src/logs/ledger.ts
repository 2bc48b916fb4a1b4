// The ledger of a state as values: its events in order, and what is damaged.

import { MemoryError } from '../base/errors.ts';
import type { LedgerEvent } from '../base/types/ledger-types.ts';
import type { StateFiles } from '../store/derive.ts';
import {
  continueLedger,
  dayOfSegment,
  isLedgerArchive,
  ledgerArchivePath,
  parseLedger,
  segmentPath,
} from '../store/records/ledger-segment.ts';
import { dayOfSeries, parseSequenceId } from '../store/records/sequence-id.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { LogCatalog, type LogState, type StoredEntry } from './log-catalog.ts';

export type StoredEvent = StoredEntry<LedgerEvent>;

export type Ledger = Pick<LogState<LedgerEvent>, 'events' | 'archived' | 'damaged'>;

/** Reads ledgers of any state: events by day, and what compaction and pruning have put aside. */
export class LedgerCatalog {
  private readonly catalog = new LogCatalog<LedgerEvent>({
    read: parseLedger,
    goOn: continueLedger,
    filesOf: (snapshot) =>
      [...snapshot.list('ledger/')]
        .filter(([path]) => dayOfSegment(path) !== null || isLedgerArchive(path))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    isArchive: isLedgerArchive,
  });

  ledgerOf(files: StateFiles): Ledger {
    return this.catalog.stateOf(files);
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
  const hint = '`git memory ledger list` lists them';
  throw new MemoryError('NOT_FOUND', `there is no event ${id}`, { where: id, hint });
}
