// Integrity: each thing that can be wrong is told by file and line, and what is fine is not.

import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../src/base/types/ledger-types.ts';
import { checkIntegrity, type LedgerSurroundings } from '../../src/logs/integrity.ts';
import type { Ledger } from '../../src/logs/ledger.ts';
import { formatEvent } from '../../src/store/records/ledger-event.ts';
import { segmentPath } from '../../src/store/records/ledger-segment.ts';
import { event, ledgerOf } from './ledgers.ts';

const day = '2026-01-28';
const path = segmentPath(day);
const id = (number: number) => event(day, number).id;
const alone: LedgerSurroundings = { checkpoint: null, openLoops: null, ledgerAt: () => null };

function problems(ledger: Ledger, surroundings: Partial<LedgerSurroundings> = {}): string[] {
  return checkIntegrity(ledger, { ...alone, ...surroundings }).flatMap((check) =>
    check.problems.map(
      ({ path: file, line, why }) => `${check.name}: ${file}${line === undefined ? '' : `:${line}`} ${why}`,
    ),
  );
}
const wrong = (...events: LedgerEvent[]) => problems(ledgerOf(events));

describe('integrity', () => {
  it('finds nothing in a ledger that is whole', () => {
    expect(
      wrong(event(day, 1), event(day, 2, { supersedes: id(1), related: [id(1)] }), event('2026-02-01', 1)),
    ).toEqual([]);
    expect(problems(ledgerOf([]))).toEqual([]);
  });

  it('names damaged lines and keeps the others', () => {
    const ledger = ledgerOf([event(day, 1)], [], { [path]: `{"ts":\n\n[]\n${formatEvent(event(day, 2))}{"id":"x` });
    expect(problems(ledger)).toEqual([
      `lines: ${path}:2 is not valid JSON`,
      `lines: ${path}:4 is not a JSON object`,
      `lines: ${path}:6 breaks off in the middle`,
    ]);
    expect(ledger.events.map((one) => one.id)).toEqual([id(1), id(2)]);
  });

  it('names ids that are given twice, missing, out of order or of another day', () => {
    expect(wrong(event(day, 1), event(day, 1, { content: 'again' }))).toEqual([
      `ids: ${path}:2 the id is that of ${path}:1, too`,
    ]);
    expect(wrong(event(day, 1), event(day, 4))).toEqual([`sequence: ${path} ${id(2)}, ${id(3)} are missing`]);
    expect(wrong(event(day, 2), event(day, 1))).toEqual([
      `sequence: ${path}:2 the id is lower than that of the event before it`,
    ]);
    const stray = ledgerOf([], [], { [path]: formatEvent(event('2026-01-29', 1)) });
    expect(problems(stray)).toEqual([`ids: ${path}:1 the id is of another day`]);
  });

  it('accepts ids that the archive has', () => {
    const ledger = ledgerOf([event(day, 1), event(day, 4, { related: [id(3)] })], [event(day, 2), event(day, 3)]);
    expect(problems(ledger)).toEqual([]);
  });

  it('names references that lead nowhere, to the event itself or to a later one', () => {
    expect(
      wrong(
        event(day, 1, { related: [id(9)], supersedes: id(8) }),
        event(day, 2, { supersedes: id(2) }),
        event(day, 3, { supersedes: id(4) }),
        event(day, 4, { related: [id(4)] }),
        event(day, 5, { type: 'commitment', status: 'closed' }),
      ),
    ).toEqual([
      `supersession: ${path}:1 it supersedes ${id(8)}, which is not in the ledger`,
      `supersession: ${path}:2 it supersedes itself`,
      `supersession: ${path}:3 it supersedes ${id(4)}, which is later`,
      `related: ${path}:1 it is related to ${id(9)}, which is not in the ledger`,
      `related: ${path}:4 it is related to itself`,
      `related: ${path}:5 it is closed, but names no commitment that it closes`,
    ]);
  });

  it('compares the checkpoint and the list of open loops with the ledger that they have seen', () => {
    const commit = 'a'.repeat(40);
    const open = event(day, 1, { type: 'commitment', status: 'open' });
    const then = ledgerOf([open]);
    const now = ledgerOf([open, event(day, 2, { type: 'commitment', status: 'open' })]);
    const checkpoint = (last: string) =>
      JSON.stringify({
        last_processed_event_id: last,
        last_run_ts: '2026-01-28T09:00:00Z',
        events_processed: 1,
        commit,
      });
    const ledgerAt = () => then;
    expect(problems(now, { checkpoint: checkpoint(id(1)), openLoops: `["${id(1)}"]`, ledgerAt })).toEqual([]);
    expect(problems(now, { checkpoint: checkpoint(id(7)), openLoops: '[]', ledgerAt })).toEqual([
      `checkpoint: ledger/checkpoint.json ${id(7)} is not in the ledger`,
      'indexes: ledger/open-loops.json it is not what the ledger says; `git memory maintain ledger-rebuild` makes it anew',
    ]);
    expect(problems(now, { checkpoint: '{', openLoops: '{}' })).toEqual([
      expect.stringContaining('checkpoint: ledger/checkpoint.json'),
      expect.stringContaining('indexes: ledger/open-loops.json'),
    ]);
  });
});
