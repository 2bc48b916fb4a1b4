// Open commitments, supersession and chains, as functions of events alone.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../src/base/types/ledger-types.ts';
import { openLoopsOf } from '../../../src/history/logs/open-loops.ts';
import { activeEvents, chainOf, supersessionOf } from '../../../src/history/logs/supersession.ts';
import { event, ledgerOf } from './ledgers.ts';

const day = '2026-01-28';
const id = (number: number) => event(day, number).id;
const commitment = (number: number, more: Partial<LedgerEvent> = {}) =>
  event(day, number, { type: 'commitment', status: 'open', ...more });
const numbers = (events: readonly { readonly id: string }[]) => events.map((one) => Number(one.id.slice(-3)));
const open = (...events: LedgerEvent[]) => numbers(openLoopsOf(ledgerOf(events).events).map((loop) => loop.event));

describe('an open loop', () => {
  it('is a commitment until an event closes it, by either of the two ways to name it', () => {
    expect(open(commitment(1), commitment(2))).toEqual([1, 2]);
    expect(open(commitment(1), commitment(2), commitment(3, { status: 'closed', related: [id(1)] }))).toEqual([2]);
    expect(open(commitment(1), commitment(2), commitment(3, { status: 'closed', supersedes: id(2) }))).toEqual([1]);
    // Written by hand without a status.
    expect(open(event(day, 1, { type: 'commitment' }))).toEqual([1]);
  });

  it('opens again when what closed it is taken back', () => {
    const closing = commitment(2, { status: 'closed', related: [id(1)] });
    expect(open(commitment(1), closing, event(day, 3, { supersedes: id(2), tags: ['retracted'] }))).toEqual([1]);
  });

  it('is as old as what it took the place of', () => {
    const events = [commitment(1), commitment(2), commitment(3, { supersedes: id(1), content: 'by March now' })];
    const loops = openLoopsOf(ledgerOf(events).events);
    expect(loops.map((loop) => loop.event.id)).toEqual([id(3), id(2)]);
    expect(new Date(loops[0]!.since).toISOString()).toBe('2026-01-28T08:01:00.000Z');
  });

  it('agrees with a model that replays events one by one', () => {
    const step = fc.record({ kind: fc.constantFrom('open', 'close', 'replace', 'fact'), of: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const events: LedgerEvent[] = [];
        const alive = new Set<string>();
        for (const [at, { kind, of }] of steps.entries()) {
          const number = at + 1;
          const target = events[of];
          if (kind === 'open') alive.add(id(number));
          // Only what nobody has replaced is replaced here; circles and repeats have tests of their own.
          const isFree = target !== undefined && !events.some(({ supersedes }) => supersedes === target.id);
          const closes = kind === 'close' && target?.status === 'open' ? target : undefined;
          const replaces = kind === 'replace' && isFree && target.status === 'open' ? target : undefined;
          if (closes) alive.delete(closes.id);
          if (replaces) {
            alive.delete(replaces.id);
            alive.add(id(number));
          }
          events.push(
            closes
              ? commitment(number, { status: 'closed', related: [closes.id] })
              : replaces
                ? commitment(number, { supersedes: replaces.id })
                : kind === 'open'
                  ? commitment(number)
                  : event(day, number),
          );
        }
        expect([...open(...events)].sort((a, b) => a - b)).toEqual(
          numbers([...alive].map((one) => ({ id: one }))).sort((a, b) => a - b),
        );
      }),
    );
  });
});

describe('supersession', () => {
  const of = (...events: LedgerEvent[]) => ledgerOf(events).events;

  it('takes an event out of what holds, and does not bring back what that one had replaced', () => {
    const events = of(event(day, 1), event(day, 2, { supersedes: id(1) }), event(day, 3, { supersedes: id(2) }));
    expect(numbers(activeEvents(events))).toEqual([3]);
    expect(supersessionOf(events).get(id(1))!.id).toBe(id(2));
  });

  it('is not undone by a circle, and nothing hangs', () => {
    const events = of(
      event(day, 1, { supersedes: id(2) }),
      event(day, 2, { supersedes: id(1) }),
      event(day, 3, { supersedes: id(3) }),
    );
    expect(numbers(activeEvents(events))).toEqual([1, 3]);
  });

  it('makes a chain of all that is linked, in the order of time', () => {
    const events = of(
      event(day, 1),
      event(day, 2, { related: [id(1)] }),
      event(day, 3),
      event(day, 4, { supersedes: id(2) }),
      event('2026-02-01', 1, { related: [id(4)] }),
    );
    expect(chainOf(events, id(1)).map((one) => one.id)).toEqual([id(1), id(2), id(4), 'EVT-20260201-001']);
    expect(numbers(chainOf(events, id(3)))).toEqual([3]);
  });
});
