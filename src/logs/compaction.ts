// Moves events from the ledger to its archive, word for word, and says what stands for them then (spec 3, compaction and pruning). It is the one
// exception to "append only", planned as a value.

import { defined } from '../base/errors.ts';
import { dayMs, dayOf } from '../base/time.ts';
import type { EventDraft } from '../store/records/new-event.ts';
import type { StoredEvent } from './ledger.ts';
import { type Loop, loopsOf } from './open-loops.ts';
import { supersessionOf } from './supersession.ts';

interface CompactionRules {
  readonly now: number;
  readonly timeZone: string;
  readonly p2Days: number;
  readonly p3Days: number;
}

/** Events that leave together, why, and the one event that stands for them. */
export interface Archival {
  readonly events: readonly StoredEvent[];
  readonly why: string;
  readonly summary?: EventDraft;
}

/** Plans pruning: events of P2 and P3 whose time is over. Those of one commitment go together, and of an open one none. */
export function planPruning(events: readonly StoredEvent[], rules: CompactionRules): Archival[] {
  const most = { P0: Number.POSITIVE_INFINITY, P1: Number.POSITIVE_INFINITY, P2: rules.p2Days, P3: rules.p3Days };
  const isOver = ({ time, value: { priority } }: StoredEvent) => rules.now - time > most[priority] * dayMs;
  const staying = loopsOf(events).filter((loop) => loop.isOpen || !loop.events.every(isOver));
  const held = new Set(staying.flatMap((loop) => loop.events));
  return earlier(events, rules)
    .filter((event) => isOver(event) && !held.has(event))
    .map((event) => ({
      events: [event],
      why: `${event.value.priority}, older than ${most[event.value.priority]} days`,
    }));
}

/**
 * Plans compaction. Commitments that were kept are folded into one event, with what they replaced, what came of them and what closed them.
 * Others that are over go, what else was superseded, and what pruning takes. Constraints and all else of P0 and P1 that holds stays, and so
 * does all that belongs to an open commitment. Nothing of the present day goes.
 */
export function planCompaction(events: readonly StoredEvent[], rules: CompactionRules): Archival[] {
  const settled = new Set(earlier(events, rules));
  const successors = supersessionOf(events);
  const loops = loopsOf(events);
  // What belongs to a commitment leaves with all of it, or not at all: an update alone would open one.
  const gone = new Set(loops.flatMap((loop) => loop.events));
  const folded = closedChains(loops)
    .filter(({ chain }) => chain.every((event) => settled.has(event)))
    .map(({ chain, mains }): Archival => {
      if (chain.some(({ value }) => value.status === 'closed'))
        return { events: chain, why: 'a commitment that was kept', summary: summaryOf(chain, mains) };
      return { events: chain, why: `superseded by ${successors.get(mains[0]!.id)!.id}` };
    });
  const corrected = [...settled]
    .filter((event) => successors.has(event.id) && !gone.has(event))
    .map((event): Archival => {
      gone.add(event);
      return { events: [event], why: `superseded by ${successors.get(event.id)!.id}` };
    });
  const expired = planPruning(events, rules).filter(({ events: [event] }) => !gone.has(event!));
  return [...folded, ...corrected, ...expired];
}

function earlier(events: readonly StoredEvent[], { now, timeZone }: CompactionRules): StoredEvent[] {
  const today = dayOf(now, timeZone);
  return events.filter(({ time }) => dayOf(time, timeZone) < today);
}

/** Lists the events of commitments that are over, and how each is worded at last; those that share an event are one. */
function closedChains(loops: readonly Loop[]): { readonly chain: StoredEvent[]; readonly mains: StoredEvent[] }[] {
  const chainOf = new Map<StoredEvent, Set<StoredEvent>>();
  const closed = loops.filter(({ isOpen }) => !isOpen);
  for (const { events } of closed) {
    const all = new Set(events.flatMap((event) => [...(chainOf.get(event) ?? [event])]));
    for (const event of all) chainOf.set(event, all);
  }
  return [...new Set(chainOf.values())].map((all) => ({
    chain: [...all].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1)),
    mains: closed.filter(({ event }) => all.has(event)).map(({ event }) => event),
  }));
}

function summaryOf(chain: readonly StoredEvent[], mains: readonly StoredEvent[]): EventDraft {
  const closing = chain.filter(({ value }) => value.status === 'closed');
  const priority = chain.map(({ value }) => value.priority).sort()[0]!;
  const { entity } = mains[0]!.value;
  const said = (events: readonly StoredEvent[]) => events.map(({ value }) => value.content).join('; ');
  return {
    type: 'commitment',
    priority,
    content: `${said(mains)} — ${said(closing)}`,
    ...defined({ entity }),
    tags: [...new Set([...chain.flatMap(({ value }) => value.tags ?? []), 'summary'])],
    source: 'compaction',
    related: mains.map(({ id }) => id),
    status: 'closed',
    compacts: chain.map(({ id }) => id),
  };
}
