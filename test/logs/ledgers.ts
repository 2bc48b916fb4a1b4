// Ledgers as values, for tests of what follows from them.

import type { LedgerEvent } from '../../src/base/types/ledger-types.ts';
import type { Ledger, StoredEvent } from '../../src/logs/ledger.ts';
import { formatEvent } from '../../src/store/records/ledger-event.ts';
import { dayOfSegment, ledgerArchivePath, parseLedger, segmentPath } from '../../src/store/records/ledger-segment.ts';
import { dayOfSeries, parseSequenceId } from '../../src/store/records/sequence-id.ts';

/** Makes an event of a day and number: `event('2026-01-28', 1, { content: … })`. */
export function event(day: string, number: number, fields: Partial<LedgerEvent> = {}): LedgerEvent {
  const ts = `${day}T${String(8 + Math.floor(number / 60)).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}:00Z`;
  const id = `EVT-${day.replaceAll('-', '')}-${String(number).padStart(3, '0')}`;
  return { ts, id, type: 'fact', priority: 'P2', content: `event ${number} of ${day}`, source: 'live', ...fields };
}

/** Puts events into the segments of their days, and reads them back; `lines` adds text to the file of a path. */
export function ledgerOf(
  events: readonly LedgerEvent[],
  archived: readonly LedgerEvent[] = [],
  lines: Readonly<Record<string, string>> = {},
): Ledger {
  const files = new Map<string, string>();
  const put = (path: string, text: string) => files.set(path, (files.get(path) ?? '') + text);
  const dayOf = ({ id }: LedgerEvent) => dayOfSeries(parseSequenceId(id)!.series)!;
  for (const one of events) put(segmentPath(dayOf(one)), formatEvent(one));
  for (const one of archived) put(ledgerArchivePath(dayOf(one)), formatEvent(one));
  for (const [path, text] of Object.entries(lines)) put(path, text);
  const ledger = {
    events: [] as StoredEvent[],
    archived: [] as StoredEvent[],
    damaged: [] as Ledger['damaged'][number][],
  };
  for (const [path, text] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const piece of parseLedger(text, path)) {
      if (piece.kind === 'entry')
        (dayOfSegment(path) === null ? ledger.archived : ledger.events).push({ ...piece, path });
      else if (piece.why !== undefined) ledger.damaged.push({ path, line: piece.line, why: piece.why });
    }
  }
  return ledger;
}
