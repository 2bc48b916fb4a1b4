// Finds open commitments in events.

import type { StoredEvent } from './ledger.ts';
import { byTime, namedBy, supersessionOf } from './supersession.ts';

/** A commitment that nothing has closed. */
interface OpenLoop {
  readonly event: StoredEvent;
  /** When it was first made, in milliseconds: a commitment that takes the place of another is as old as that one. */
  readonly since: number;
}

/**
 * Finds the open commitments, oldest first.
 *
 * A commitment is open until an event with `status: closed` names it in `related` or `supersedes`, or any event supersedes it. What was
 * superseded closes nothing. A commitment without a status, as people write it, is open.
 */
export function openLoopsOf(events: readonly StoredEvent[]): OpenLoop[] {
  const successors = supersessionOf(events);
  const closed = new Set(
    events
      .filter(({ id, value }) => value.status === 'closed' && !successors.has(id))
      .flatMap(({ value }) => namedBy(value)),
  );
  // Of a long ledger few events take the place of others, and only those are followed.
  const replaced = new Set(events.flatMap(({ supersedes }) => supersedes ?? noIds));
  const byId = new Map(
    replaced.size === 0 ? [] : events.filter(({ id }) => replaced.has(id)).map((event) => [event.id, event]),
  );
  return events
    .filter(
      ({ id, value }) =>
        value.type === 'commitment' && value.status !== 'closed' && !successors.has(id) && !closed.has(id),
    )
    .map((event) => ({ event, since: sinceOf(event, byId) }))
    .sort((a, b) => a.since - b.since || byTime(a.event, b.event) || (a.event.id < b.event.id ? -1 : 1));
}

const noIds: readonly string[] = [];

function sinceOf(event: StoredEvent, byId: ReadonlyMap<string, StoredEvent>): number {
  let since = event.time;
  const seen = new Set<string>();
  for (let old: StoredEvent | undefined = event; old?.value.type === 'commitment' && !seen.has(old.id); ) {
    since = Math.min(since, old.time);
    seen.add(old.id);
    old = old.value.supersedes === undefined ? undefined : byId.get(old.value.supersedes);
  }
  return since;
}
