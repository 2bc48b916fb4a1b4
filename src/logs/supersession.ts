// Which events have been corrected by later ones: they stay in the ledger and are surfaced no more.

import type { StoredEvent } from './ledger.ts';

/** Marks an event that only takes another one back and says nothing itself. */
export const retracted = 'retracted';

/** Orders events by when they were recorded; those of one moment by their place in the ledger. */
export function byTime(a: StoredEvent, b: StoredEvent): number {
  return a.time - b.time;
}

/**
 * Finds for each superseded event the one that took its place: id → event, the last of several.
 *
 * What superseded an event may be superseded itself; the first one does not come back by that. References that would close a circle do not
 * count.
 */
export function supersessionOf(events: readonly StoredEvent[]): ReadonlyMap<string, StoredEvent> {
  const successors = new Map<string, StoredEvent>();
  const known = new Set(events.map(({ id }) => id));
  for (const event of [...events].sort(byTime)) {
    const old = event.value.supersedes;
    if (old === undefined || !known.has(old) || leadsTo(successors, event.id, old)) continue;
    successors.set(old, event);
  }
  return successors;
}

function leadsTo(successors: ReadonlyMap<string, StoredEvent>, from: string, to: string): boolean {
  for (let id: string | undefined = from; id !== undefined; id = successors.get(id)?.id) if (id === to) return true;
  return false;
}

/** Lists the events that hold: neither superseded nor mere retractions. */
export function activeEvents(events: readonly StoredEvent[]): StoredEvent[] {
  const successors = supersessionOf(events);
  return events.filter(({ id, value }) => !successors.has(id) && value.tags?.includes(retracted) !== true);
}

/** Lists the events that belong together with one, by `related` and `supersedes` in either direction and over any distance; by time. */
export function chainOf(events: readonly StoredEvent[], id: string): StoredEvent[] {
  const neighbours = new Map<string, Set<string>>();
  const link = (a: string, b: string): void => {
    neighbours.set(a, (neighbours.get(a) ?? new Set()).add(b));
    neighbours.set(b, (neighbours.get(b) ?? new Set()).add(a));
  };
  for (const { id: own, value } of events) for (const other of namedBy(value)) link(own, other);
  const seen = new Set([id]);
  for (const next of seen) for (const other of neighbours.get(next) ?? []) seen.add(other);
  return events.filter((event) => seen.has(event.id)).sort(byTime);
}

/** The ids that an event names. */
export function namedBy({ related = [], supersedes }: StoredEvent['value']): string[] {
  return [...related, ...(supersedes === undefined ? [] : [supersedes])];
}
