// The small files of a ledger, brought in step by what came alone, are those that a look at all of it gives.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../src/base/types/ledger-types.ts';
import { growthSince, openAfter } from '../../../src/history/logs/growth.ts';
import { openLoopsOf } from '../../../src/history/logs/open-loops.ts';
import { formatEvent } from '../../../src/store/records/ledger-event.ts';
import { segmentPath } from '../../../src/store/records/ledger-segment.ts';
import { compareSequenceIds } from '../../../src/store/records/sequence-id.ts';
import type { Snapshot } from '../../../src/store/snapshot.ts';
import { event, ledgerOf } from './ledgers.ts';

/** A state of files that are values. */
function stateOf(files: ReadonlyMap<string, string>): Snapshot {
  return {
    list: () => new Map([...files].map(([path, text]) => [path, text])),
    readBlob: (oid: string) => Buffer.from(oid),
    readText: (path: string) => files.get(path) ?? null,
  } as unknown as Snapshot;
}

function filesOf(events: readonly LedgerEvent[]): Map<string, string> {
  const files = new Map<string, string>();
  for (const one of events) {
    const path = segmentPath(one.ts.slice(0, 10));
    files.set(path, (files.get(path) ?? '') + formatEvent(one));
  }
  return files;
}

const openOf = (events: readonly LedgerEvent[]) =>
  openLoopsOf(ledgerOf(events).events)
    .map(({ event: { id } }) => id)
    .sort(compareSequenceIds);

const anyEvents = fc
  .array(
    fc.record({ kind: fc.constantFrom('fact', 'promise', 'close', 'correct'), to: fc.nat(30), next: fc.boolean() }),
    { minLength: 1, maxLength: 25 },
  )
  .map((drafts) => {
    const events: LedgerEvent[] = [];
    let day = 1;
    let number = 0;
    for (const { kind, to, next } of drafts) {
      if (next) day += 1;
      number = next ? 1 : number + 1;
      const other = events[to % Math.max(1, events.length)];
      const on = `2026-01-${String(day).padStart(2, '0')}`;
      const promise = { type: 'commitment' as const, status: 'open' as const };
      const fields: Partial<LedgerEvent> =
        kind === 'promise' || other === undefined
          ? promise
          : kind === 'close'
            ? { type: 'commitment', status: 'closed', related: [other.id] }
            : kind === 'correct'
              ? { ...(other.type === 'commitment' ? promise : {}), supersedes: other.id }
              : {};
      events.push(event(on, number, fields));
    }
    return events;
  });

describe('growth', () => {
  it('gives the open commitments that a look at the whole ledger gives, or asks for that look', () => {
    let followed = 0;
    fc.assert(
      fc.property(anyEvents, fc.nat(24), (events, cut) => {
        const before = events.slice(0, cut % (events.length + 1));
        const present = stateOf(filesOf(events));
        const growth = growthSince(stateOf(filesOf(before)), present);
        expect(growth?.events.map(({ id }) => id)).toEqual(events.slice(before.length).map(({ id }) => id));
        const open = openAfter(openOf(before), growth!, present);
        if (open === null) return;
        followed += 1;
        expect(open).toEqual(openOf(events));
      }),
      { numRuns: 400 },
    );
    // Closing events that are corrected are rare: most of the time nothing else has to be read.
    expect(followed).toBeGreaterThan(75);
  });

  it('is no growth where a line was taken away or changed, and an uneven one where ids leave their row', () => {
    const events = [event('2026-01-01', 1), event('2026-01-01', 2)];
    const state = stateOf(filesOf(events));
    expect(growthSince(state, stateOf(filesOf(events.slice(0, 1))))).toBeNull();
    expect(growthSince(state, stateOf(filesOf([event('2026-01-01', 1, { content: 'x' }), events[1]!])))).toBeNull();
    expect(growthSince(state, stateOf(new Map()))).toBeNull();
    const gap = stateOf(filesOf([...events, event('2026-01-01', 4)]));
    expect(growthSince(state, gap)).toMatchObject({ isUneven: true });
    expect(openAfter([], growthSince(state, gap)!, gap)).toBeNull();
    const lost = stateOf(filesOf([...events, event('2026-01-01', 3, { supersedes: 'EVT-20250101-001' })]));
    expect(openAfter([], growthSince(state, lost)!, lost)).toBeNull();
  });
});
