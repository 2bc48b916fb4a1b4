// Reads what came to a ledger since an earlier state off the segments that differ. Tells whether the small files can follow it without the rest.
// Whatever is not plainly more events at the end of their days is for a full look.

import { MemoryError } from '../../base/errors.ts';
import { dayOfSegment, highestNumber, isLedgerArchive, parseLedger } from '../../store/records/ledger-segment.ts';
import { compareSequenceIds, parseSequenceId, seriesOfDay } from '../../store/records/sequence-id.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { findEvent, type StoredEvent } from './ledger.ts';
import { namedBy } from './supersession.ts';

/** The events that are new; a segment is here when it grew at its end. */
interface Growth {
  readonly events: readonly StoredEvent[];
  /** Something was added that is no event, an id is out of its row, or an old day has an archive that might hold it. */
  readonly isUneven: boolean;
}

/** Finds what came since a state; null where something was changed or taken away, so that all has to be read. */
export function growthSince(before: Snapshot, present: Snapshot): Growth | null {
  const old = logsOf(before);
  const now = logsOf(present);
  for (const path of old.keys()) if (!now.has(path)) return null;
  const hasArchive = [...now.keys()].some(isLedgerArchive);
  const events: StoredEvent[] = [];
  let isUneven = false;
  for (const [path, oid] of [...now].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const known = old.get(path);
    if (known === oid) continue;
    if (isLedgerArchive(path)) return null;
    const earlier = known === undefined ? '' : before.readBlob(known, path).toString('utf8');
    const text = present.readBlob(oid, path).toString('utf8');
    if (!text.startsWith(earlier) || (earlier !== '' && !earlier.endsWith('\n'))) return null;
    let last = highestNumber(earlier);
    // An archive may hold ids of a day that begins anew.
    if (earlier === '' && hasArchive) isUneven = true;
    const series = seriesOfDay(dayOfSegment(path)!);
    const firstLine = earlier.split('\n').length;
    for (const piece of parseLedger(text.slice(earlier.length), path)) {
      if (piece.kind !== 'entry') {
        if (piece.why !== undefined) isUneven = true;
        continue;
      }
      const id = parseSequenceId(piece.id)!;
      if (id.series !== series || id.number !== last + 1) isUneven = true;
      last = id.number;
      events.push({ ...piece, line: piece.line + firstLine - 1, path });
    }
  }
  return { events, isUneven };
}

function logsOf(snapshot: Snapshot): Map<string, string> {
  return new Map(
    [...snapshot.list('ledger/')].filter(([path]) => dayOfSegment(path) !== null || isLedgerArchive(path)),
  );
}

/**
 * Gives the open commitments after events came to a ledger that was whole, by the ids that were open before. Null where that takes a look
 * at all of it. That is so when an event leads nowhere, or takes back a closing one, so that what that had closed is open again.
 */
export function openAfter(open: readonly string[], { events, isUneven }: Growth, present: Snapshot): string[] | null {
  if (isUneven) return null;
  const added = new Map(events.map((event) => [event.id, event]));
  const known = (id: string): StoredEvent | null => {
    const fresh = added.get(id);
    if (fresh !== undefined) return fresh;
    try {
      return findEvent(present, id);
    } catch (error) {
      if (error instanceof MemoryError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  };
  const still = new Set(open);
  const isPromise = ({ value }: StoredEvent) => value.type === 'commitment' && value.status !== 'closed';
  // What belongs to another commitment, as its update, is decided by all events together.
  if (events.some((event) => isPromise(event) && event.value.related !== undefined)) return null;
  for (const event of events) if (isPromise(event)) still.add(event.id);
  for (const event of events) {
    const names = namedBy(event.value);
    if (event.value.status === 'closed' && names.length === 0) return null;
    for (const id of names) {
      const other = known(id);
      if (other === null || id === event.id) return null;
      const isReplaced = id === event.value.supersedes;
      // Times out of order, and closings that are taken back, are decided by all events together.
      if (isReplaced && (other.value.status === 'closed' || other.time > event.time)) return null;
      if (isPromise(other) && !still.has(id)) return null;
      if (isReplaced || event.value.status === 'closed') still.delete(id);
    }
  }
  return [...still].sort(compareSequenceIds);
}
