// What came to a ledger since an earlier state, read off the segments that differ.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../src/base/types/ledger-types.ts';
import { growthSince } from '../../src/logs/growth.ts';
import { formatEvent } from '../../src/store/records/ledger-event.ts';
import { segmentPath } from '../../src/store/records/ledger-segment.ts';
import type { Snapshot } from '../../src/store/snapshot.ts';
import { event } from './ledgers.ts';

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

const anyEvents = fc.array(fc.boolean(), { minLength: 1, maxLength: 25 }).map((drafts) => {
  let [day, number] = [1, 0];
  return drafts.map((isNext): LedgerEvent => {
    [day, number] = isNext ? [day + 1, 1] : [day, number + 1];
    return event(`2026-01-${String(day).padStart(2, '0')}`, number);
  });
});

describe('growth', () => {
  it('gives what came since, and nothing where a line was taken away or changed', () => {
    fc.assert(
      fc.property(anyEvents, fc.nat(24), (events, cut) => {
        const before = events.slice(0, cut % (events.length + 1));
        const growth = growthSince(stateOf(filesOf(before)), stateOf(filesOf(events)));
        expect(growth?.map(({ id }) => id)).toEqual(events.slice(before.length).map(({ id }) => id));
      }),
      { numRuns: 400 },
    );
    const events = [event('2026-01-01', 1), event('2026-01-01', 2)];
    const state = stateOf(filesOf(events));
    expect(growthSince(state, stateOf(filesOf(events.slice(0, 1))))).toBeNull();
    expect(growthSince(state, stateOf(filesOf([event('2026-01-01', 1, { content: 'x' }), events[1]!])))).toBeNull();
    expect(growthSince(state, stateOf(new Map()))).toBeNull();
  });
});
