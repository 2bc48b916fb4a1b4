// Commitments as loops: opened, updated, and closed by whichever of their events somebody names (spec 3, open loops).

import { defined } from '../base/errors.ts';
import { oncePer } from '../base/once-per.ts';
import type { StoredEvent } from './ledger.ts';
import { byTime, namedBy, retracted, supersessionOf } from './supersession.ts';

/** The tag of what others owe. */
export const waitingTag = 'waiting';

/** A commitment with all that was recorded of it. */
export interface Loop {
  /** As it is worded now: the last event that took the place of the one that opened it. */
  readonly event: StoredEvent;
  /** When it was first made, in milliseconds: a commitment that takes the place of another is as old as that one. */
  readonly since: number;
  /** What was said of it meanwhile and holds, the last one last. */
  readonly updates: readonly StoredEvent[];
  /** The day by which it is to be done, as the last of them that names one says. */
  readonly due?: string;
  /** Every event of it, in the order in which they came, those included that closed it. */
  readonly events: readonly StoredEvent[];
  readonly isOpen: boolean;
}

/** Finds the open commitments, oldest first. */
export function openLoopsOf(events: readonly StoredEvent[]): Loop[] {
  return loopsOf(events)
    .filter(({ isOpen }) => isOpen)
    .sort((a, b) => a.since - b.since || byTime(a.event, b.event) || (a.event.id < b.event.id ? -1 : 1));
}

/** Orders promises on a day: first what is ahead, the next to be due before others. Then comes what is past, from the last day on. */
export function byDueDay(today: string) {
  const now = Date.parse(today);
  const placeOf = ({ due, since }: Pick<Loop, 'due' | 'since'>): number => {
    // What names no day lies where it was promised.
    const time = due === undefined ? Math.min(since, now - 1) : Date.parse(due);
    return time >= now ? time - now : Number.MAX_SAFE_INTEGER - time;
  };
  return (a: Pick<Loop, 'due' | 'since'>, b: Pick<Loop, 'due' | 'since'>) => placeOf(a) - placeOf(b);
}

/** Counts promises by kind: `2 to come, 9 past due`. What is due before a day is past, where a promise does not say so. */
export function countPromises(promises: readonly { due?: string; overdue?: boolean }[], day = ''): string {
  const kindOf = ({ due, overdue = due !== undefined && due < day }: (typeof promises)[number]) =>
    overdue ? 'past due' : due === undefined ? 'without a day' : 'to come';
  const kinds = promises.map(kindOf);
  const counts = ['to come', 'past due', 'without a day'].map((kind) => ({
    kind,
    of: kinds.filter((one) => one === kind),
  }));
  return counts.flatMap(({ kind, of }) => (of.length === 0 ? [] : `${of.length} ${kind}`)).join(', ');
}

interface Growing {
  event: StoredEvent;
  readonly since: number;
  /** Ids of the one that opened it, and of those that took its place. */
  readonly wordings: Set<string>;
  readonly events: Set<StoredEvent>;
  isOpen: boolean;
}

/**
 * Finds all commitments, each as one loop.
 *
 * ```
 * 001 open ◄── related ── 002 commitment      an update: it opens nothing, and may bring another day
 *     ▲                        ▲
 *     └── supersedes ── 003    └── related ── 004 closed      closes all of it
 * ```
 *
 * An event with `status: closed` that names one of its events, in `related` or `supersedes`, closes it. So does any event that supersedes the
 * one that opened it and is no commitment. What is superseded closes nothing, and what only takes an update back closes nothing else. A
 * commitment without a status, as people write it, is open. One that names what is closed already opens anew, and so does one that tells of
 * another memory. No event comes before one that it names, whatever their clocks said.
 */
export const loopsOf = oncePer((events: readonly StoredEvent[]): readonly Loop[] => {
  const successors = supersessionOf(events);
  const loopOf = new Map<string, Growing>();
  const all: Growing[] = [];
  for (const event of inOrder(events.filter(concernsLoops))) {
    const { id, supersedes: old = '', value } = event;
    const isPromise = value.type === 'commitment' && value.status !== 'closed';
    const replaced = successors.has(old) ? loopOf.get(old) : undefined;
    const isMain = replaced?.wordings.has(old) === true;
    if (isMain && !isPromise) replaced!.isOpen = false;
    if (value.status === 'closed') {
      if (successors.has(id)) continue;
      const isTakingBack = value.tags?.includes(retracted) === true && !isMain;
      for (const name of namedBy(value)) {
        const loop = isTakingBack && name === old ? undefined : loopOf.get(name);
        if (loop === undefined) continue;
        loop.isOpen = false;
        loop.events.add(event);
        loopOf.set(id, loop);
      }
    } else if (isPromise) {
      const updated = value.related?.map((name) => loopOf.get(name)).find((one) => one?.isOpen && isOf(one, event));
      const loop = replaced?.isOpen ? replaced : updated;
      if (loop === undefined) {
        const since = replaced?.since ?? event.time;
        const opened = { event, since, wordings: new Set([id]), events: new Set([event]), isOpen: true };
        all.push(opened);
        loopOf.set(id, opened);
        continue;
      }
      loop.events.add(event);
      loopOf.set(id, loop);
      if (loop !== replaced || !isMain) continue;
      loop.event = event;
      loop.wordings.add(id);
    }
  }
  return all.map(({ event, since, wordings, events: own, isOpen }) => {
    const updates = [...own].filter(
      ({ id, value }) => value.status !== 'closed' && !wordings.has(id) && !successors.has(id),
    );
    const due = [event, ...updates].findLast(({ value }) => value.due !== undefined)?.value.due;
    return { event, since, updates, events: [...own], isOpen, ...defined({ due }) };
  });
});

const concernsLoops = ({ value: { type, status }, supersedes }: StoredEvent): boolean =>
  type === 'commitment' || status === 'closed' || supersedes !== undefined;

/** Whether an event can tell of a loop: two memories are two promises. */
const isOf = ({ event }: Growing, { value: { memory } }: StoredEvent): boolean =>
  memory === undefined || event.value.memory === undefined || memory === event.value.memory;

/** By time, but for what names a later one: that stands behind it. */
function inOrder(events: readonly StoredEvent[]): Iterable<StoredEvent> {
  const byId = new Map(events.map((event) => [event.id, event]));
  const placed = new Set<StoredEvent>();
  const visiting = new Set<StoredEvent>();
  for (const first of [...events].sort(byTime)) {
    // A stack of our own: a row of events can be as long as the ledger.
    const stack = [first];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      visiting.add(top);
      const next = namedBy(top.value)
        .flatMap((name) => byId.get(name) ?? [])
        .find((other) => !placed.has(other) && !visiting.has(other));
      if (next !== undefined) stack.push(next);
      else placed.add(stack.pop()!);
    }
  }
  return placed;
}
