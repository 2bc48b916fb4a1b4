// Finds events that later ones corrected: they stay in their log and are surfaced no more. A correction that is superseded itself is corrected
// by another one that says so.

import { defined } from '../base/errors.ts';
import type { ChangelogEvent } from '../base/types/changelog-types.ts';
import type { LedgerEvent } from '../base/types/ledger-types.ts';
import { supersedesKey } from '../store/records/changelog.ts';
import type { LogEntry } from '../store/records/log.ts';
import type { ChangeDraft } from '../store/records/new-change.ts';
import type { EventDraft } from '../store/records/new-event.ts';
import type { StoredEvent } from './ledger.ts';

/** Marks an event that only takes another one back and says nothing itself. */
export const retracted = 'retracted';

/** Marks an event that stands beside those it names in `related`, and may be what became of them: somebody has to say so. */
export const proposal = 'proposal';

/** Orders events by when they were recorded; those of one moment by their place in the log. */
export const byTime = (a: LogEntry, b: LogEntry): number => a.time - b.time;

/**
 * Finds for each superseded event the one that took its place: id → event, the last of several.
 *
 * What superseded an event may be superseded itself; the first one does not come back by that. References that would close a circle do not
 * count.
 */
export function supersessionOf<Entry extends LogEntry>(events: readonly Entry[]): ReadonlyMap<string, Entry> {
  const successors = new Map<string, Entry>();
  const replacing = events.filter(({ supersedes }) => supersedes !== undefined).sort(byTime);
  const replaced = new Set(replacing.map(({ supersedes }) => supersedes));
  const known = new Set(replaced.size === 0 ? [] : events.filter(({ id }) => replaced.has(id)).map(({ id }) => id));
  for (const event of replacing) {
    const old = event.supersedes!;
    if (!known.has(old) || leadsTo(successors, event.id, old)) continue;
    successors.set(old, event);
  }
  return successors;
}

function leadsTo(successors: ReadonlyMap<string, LogEntry>, from: string, to: string): boolean {
  for (let id: string | undefined = from; id !== undefined; id = successors.get(id)?.id) if (id === to) return true;
  return false;
}

/** Lists the events that hold: neither superseded nor mere retractions. */
export function activeEvents<Entry extends LogEntry<{ readonly tags?: readonly string[] }>>(
  events: readonly Entry[],
): Entry[] {
  const successors = supersessionOf(events);
  return events.filter(({ id, value }) => !successors.has(id) && value.tags?.includes(retracted) !== true);
}

/** Tells of an event that holds whether only an act can end it. */
export const isPermanent = ({ value: { priority } }: Pick<StoredEvent, 'value'>): boolean =>
  priority === 'P0' || priority === 'P1';

/** Says that more events are permanent than the ledger should have. */
export const permanentWords = (permanent: number, most: number): string =>
  `${permanent} events of P0 and P1 hold, more than ${most}: compaction keeps them, supersede what holds no more`;

/** Lists the events that belong together with one, by the ids that they name in either direction and over any distance; by time. */
export function chainOf<Entry extends LogEntry>(events: readonly Entry[], id: string): Entry[] {
  const neighbours = new Map<string, Set<string>>();
  const link = (a: string, b: string): void => {
    neighbours.set(a, (neighbours.get(a) ?? new Set()).add(b));
    neighbours.set(b, (neighbours.get(b) ?? new Set()).add(a));
  };
  for (const { id: own, names = [] } of events) for (const other of names) link(own, other);
  const seen = new Set([id]);
  for (const next of seen) for (const other of neighbours.get(next) ?? []) seen.add(other);
  return events.filter((event) => seen.has(event.id)).sort(byTime);
}

export const namedBy = ({ related = [], supersedes }: StoredEvent['value']): string[] => [
  ...related,
  ...(supersedes === undefined ? [] : [supersedes]),
];

/** Drafts the event that supersedes another: what that one had replaced, said again; else nothing but that it was taken back. */
export function retractionOf(event: LedgerEvent, replaced: LedgerEvent | null): EventDraft {
  if (replaced !== null) {
    const { id: _, ts: __, related: ___, compacts: ____, memory: _____, ...words } = replaced;
    return { ...words, source: 'undo', supersedes: event.id };
  }
  const { type, priority, content, entity } = event;
  return {
    type,
    priority,
    content: `Taken back: ${content}`,
    ...defined({ entity }),
    tags: [retracted],
    source: 'undo',
    supersedes: event.id,
    ...(type === 'commitment' ? { status: 'closed' } : {}),
  };
}

/** Drafts the event of the changelog that supersedes another: what that one had replaced, said again; else that it was taken back. */
export function changeRetractionOf(event: ChangelogEvent, replaced: ChangelogEvent | null): ChangeDraft {
  const { agent, type, scope, summary, tags } = replaced ?? event;
  const own = replaced?.details.filter(({ key }) => key !== supersedesKey) ?? [];
  return {
    agent,
    type,
    scope,
    summary: replaced === null ? `Taken back: ${summary}` : summary,
    details: [...own, { key: supersedesKey, value: event.id }],
    refs: [event.id],
    tags: replaced === null ? [retracted] : tags,
  };
}
