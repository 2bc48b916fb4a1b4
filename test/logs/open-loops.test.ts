// Open commitments, supersession and chains, as functions of events alone.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../src/base/types/ledger-types.ts';
import { openLoopsOf } from '../../src/logs/open-loops.ts';
import { activeEvents, chainOf, supersessionOf } from '../../src/logs/supersession.ts';
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

  it('is one with its updates: they open nothing, may bring another day, and whichever of them is closed closes it', () => {
    const opened = commitment(1, { due: '2026-02-01' });
    const moved = commitment(2, { related: [id(1)], due: '2026-02-08' });
    const told = commitment(3, { related: [id(2)], content: 'half of it is done' });
    const [loop, ...others] = openLoopsOf(ledgerOf([opened, moved, told]).events);
    expect([others, loop!.event.id, loop!.due, numbers(loop!.updates)]).toEqual([[], id(1), '2026-02-08', [2, 3]]);
    for (const closed of [1, 2, 3]) {
      expect(open(opened, moved, told, commitment(4, { status: 'closed', related: [id(closed)] }))).toEqual([]);
      expect(open(opened, moved, told, commitment(4, { status: 'closed', supersedes: id(closed) }))).toEqual([]);
    }
    // An update that is taken back, or said otherwise, leaves the commitment open.
    const retracted = commitment(4, { status: 'closed', supersedes: id(2), tags: ['retracted'] });
    expect(open(opened, moved, told, retracted)).toEqual([1]);
    expect(openLoopsOf(ledgerOf([opened, moved, retracted]).events)[0]!.due).toBe('2026-02-01');
    expect(open(opened, moved, commitment(4, { supersedes: id(2), content: 'in March' }))).toEqual([1]);
    // What takes the place of the one that opened it goes on as it, updates included.
    expect(open(opened, moved, commitment(4, { supersedes: id(1) }))).toEqual([4]);
    // What is over is not updated; what is of another memory is a promise of its own.
    const closing = commitment(2, { status: 'closed', related: [id(1)] });
    expect(open(opened, closing, commitment(3, { related: [id(1)] }))).toEqual([3]);
    expect(open(commitment(1, { memory: 'one' }), commitment(2, { memory: 'other', related: [id(1)] }))).toEqual([
      1, 2,
    ]);
    // A clock that went wrong opens nothing.
    expect(open(event(day, 5, { ...opened, id: id(5) }), commitment(2, { related: [id(5)] }))).toEqual([5]);
  });

  it('agrees with a model that replays events one by one', () => {
    const step = fc.record({ kind: fc.constantFrom('open', 'close', 'replace', 'update', 'fact'), of: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const events: LedgerEvent[] = [];
        const alive = new Set<string>();
        // An update is no promise of its own: closing it closes the one that it is of.
        const mainOf = new Map<string, string>();
        for (const [at, { kind, of }] of steps.entries()) {
          const number = at + 1;
          const target = events[of];
          if (kind === 'open') alive.add(id(number));
          // Only what nobody has replaced is replaced here; circles and repeats have tests of their own.
          const isFree = target !== undefined && !events.some(({ supersedes }) => supersedes === target.id);
          const main = mainOf.get(target?.id ?? '') ?? target?.id ?? '';
          const closes = kind === 'close' && target?.status === 'open' ? target : undefined;
          const isMain = isFree && target.status === 'open' && main === target.id;
          const replaces = kind === 'replace' && isMain ? target : undefined;
          const updates = kind === 'update' && alive.has(main) ? target : undefined;
          if (closes) alive.delete(main);
          if (updates) mainOf.set(id(number), main);
          if (replaces) {
            const isAlive = alive.delete(replaces.id);
            alive.add(id(number));
            if (isAlive) for (const [one, of] of mainOf) if (of === replaces.id) mainOf.set(one, id(number));
            if (isAlive) mainOf.set(replaces.id, id(number));
          }
          events.push(
            closes
              ? commitment(number, { status: 'closed', related: [closes.id] })
              : replaces
                ? commitment(number, { supersedes: replaces.id })
                : updates
                  ? commitment(number, { related: [updates.id] })
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
