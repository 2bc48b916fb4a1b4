// Reads what came to a ledger since an earlier state off the segments that differ. Whatever is not plainly more events at the end of their days is
// for a full look.

import { dayOfSegment, isLedgerArchive, parseLedger } from '../store/records/ledger-segment.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { StoredEvent } from './ledger.ts';

/** Finds the events that came since a state; null where something was changed or taken away, so that all has to be read. */
export function growthSince(before: Snapshot, present: Snapshot): StoredEvent[] | null {
  const old = logsOf(before);
  const now = logsOf(present);
  for (const path of old.keys()) if (!now.has(path)) return null;
  const events: StoredEvent[] = [];
  for (const [path, oid] of [...now].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const known = old.get(path);
    if (known === oid) continue;
    if (isLedgerArchive(path)) return null;
    const earlier = known === undefined ? '' : before.readBlob(known, path).toString('utf8');
    const text = present.readBlob(oid, path).toString('utf8');
    if (!text.startsWith(earlier) || (earlier !== '' && !earlier.endsWith('\n'))) return null;
    const firstLine = earlier.split('\n').length;
    for (const piece of parseLedger(text.slice(earlier.length), path))
      if (piece.kind === 'entry') events.push({ ...piece, line: piece.line + firstLine - 1, path });
  }
  return events;
}

function logsOf(snapshot: Snapshot): Map<string, string> {
  return new Map(
    [...snapshot.list('ledger/')].filter(([path]) => dayOfSegment(path) !== null || isLedgerArchive(path)),
  );
}
