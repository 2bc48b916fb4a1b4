// Tells the ledger what an adopted experiment extracted instead, in the commit of the adoption, so that undo takes both back.

import type { EventType } from '../../base/types/ledger-types.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import { draftExtractedEvent, eventTypeOf } from '../../core/extract/events.ts';
import { isGuess, retractionOfAll } from '../../core/extract/extracted-events.ts';
import { parseCapture } from '../../core/extract/plan-transcript.ts';
import { isHeld, standingsOf, type When } from '../../core/ledger/ledger-follower.ts';
import { HoldingEvents, type KnownLedgers, planAppend, type StoredEvent, type WantedEvent } from '../../logs/index.ts';
import type { Operation } from '../../store/operation.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/**
 * Gives an adoption with the events of what it brings; to be called under the repository lock.
 *
 * A memory of the same turn and type takes the place of the one that was there. One that the ledger has already gets no second event,
 * unless that was taken back.
 */
export function withAdoptedEvents(
  snapshot: Snapshot,
  operation: Operation,
  knowledge: KnownLedgers,
  when: When,
): Operation {
  const upon = snapshot.with(operation.changes);
  const holding = new HoldingEvents(snapshot, knowledge);
  const gone = new Map<string, StoredEvent[]>();
  const brought: MemoryRecord[] = [];
  const paths = operation.changes.map(({ path }) => path);
  for (const [id, { before, after }] of standingsOf(snapshot, upon, paths)) {
    if (before !== null && isHeld(before) && !isHeld(after)) {
      const event = holding.isTold(id) ? holding.of(id) : undefined;
      const key = keyOf(before, event?.value.type);
      if (event !== undefined) gone.set(key, [...(gone.get(key) ?? []), event]);
    } else if (after !== null && isHeld(after) && !isHeld(before) && !isGuess(after)) brought.push(after);
  }
  const captures = new Map<string, Pick<Transcript, 'sessionId' | 'agent'> | null>();
  const wanted: WantedEvent[] = [];
  for (const record of brought.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))) {
    const type = eventTypeOf(record);
    const path = record.sources?.[0]?.path;
    if (type === undefined || path === undefined) continue;
    if (!captures.has(path)) captures.set(path, captureOf(upon, path, when.timeZone));
    const capture = captures.get(path)!;
    const own = holding.eventsOf(record.id);
    const retraction = own.length === 0 ? undefined : retractionOfAll(snapshot, knowledge.ledgers, own);
    if (capture === null || retraction === null) continue;
    const supersedes = retraction ?? gone.get(keyOf(record, type))?.shift()?.id;
    const draft = draftExtractedEvent(record, type, capture);
    const time = retraction === undefined ? record.createdAt * 1000 : when.now;
    wanted.push({ draft: supersedes === undefined ? draft : { ...draft, supersedes }, time });
  }
  if (wanted.length === 0) return operation;
  const appended = new Map(planAppend(upon, wanted, when).changes.map((change) => [change.path, change]));
  const changes = operation.changes.map((change) => {
    const grown = appended.get(change.path);
    appended.delete(change.path);
    return grown === undefined ? change : { ...change, after: grown.after };
  });
  return { ...operation, changes: [...changes, ...appended.values()] };
}

/** What two ways to extract have in common where both found the same thing. */
function keyOf({ sources = [] }: MemoryRecord, type: EventType | undefined): string {
  const [source] = sources;
  return `${type} ${source?.path}#${source?.turn}`;
}

function captureOf(snapshot: Snapshot, path: string, timeZone: string): Pick<Transcript, 'sessionId' | 'agent'> | null {
  const text = snapshot.readText(path);
  return text === null ? null : parseCapture(text, path, timeZone);
}
