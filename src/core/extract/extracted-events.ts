// The events that an extraction appends to the ledger, in the commit that makes the memories. Each decision, commitment, preference and
// constraint has one, and so has whatever takes an earlier one back.

import { oncePer } from '../../base/once-per.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { EventType, LedgerEvent } from '../../base/types/ledger-types.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import { scoresOf, thresholds, withoutTimes } from '../../language/index.ts';
import {
  type AppendPlan,
  activeEvents,
  findEvent,
  type KnownLedgers,
  type LedgerCatalog,
  openLoopsOf,
  planAppend,
  proposal,
  retractionOf,
  type StoredEvent,
  supersessionOf,
  type WantedEvent,
} from '../../logs/index.ts';
import type { EventDraft } from '../../store/records/new-event.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { draftExtractedEvent, eventTypeOf } from './events.ts';
import type { ExtractionPlan } from './plan.ts';

/**
 * Plans the events of one conversation against a state; to be called under the repository lock, like `planAppend`.
 *
 * An event has the time and the day of the turn that said it. So the ledger tells when things happened, and two machines that extract the
 * same write the same words. A memory that the ledger has told of gets no second event, unless undo took that one back. Then the new event
 * takes the place of the retraction, and has the time of now. None is made of a guess, and none of what was taken back before it became
 * known.
 */
export function planExtractedEvents(
  snapshot: Snapshot,
  { created, updated }: ExtractionPlan,
  transcript: Transcript,
  { ledgers, told }: KnownLedgers,
  when: { readonly now: number; readonly timeZone: string },
): AppendPlan {
  const fresh = new Map(created.map((record) => [record.id, record]));
  const confirmed = updated.filter(({ before, after }) => isGuess(before) && !isGuess(after)).map(({ after }) => after);
  const replaced = new Map<string, MemoryRecord[]>();
  for (const old of [...created, ...updated.filter(({ before }) => isHeld(before)).map(({ after }) => after)]) {
    const by = old.replacedBy;
    if (old.status !== 'superseded' || by === undefined || !fresh.has(by)) continue;
    replaced.set(by, [...(replaced.get(by) ?? []), old]);
  }
  const tellable = [...created, ...confirmed]
    .filter((record) => !isGuess(record))
    .filter(({ status, replacedBy }) => status !== 'superseded' || fresh.has(replacedBy ?? ''))
    .filter((record) => typeOf(record, replaced.get(record.id) ?? []) !== undefined)
    .sort((a, b) => a.createdAt - b.createdAt);
  const eventsOf = told.eventsOf(snapshot);
  const wanted = new Map<string, WantedEvent[]>();
  const spoken = created.filter((record) => !tellable.includes(record) && !isGuess(record) && isHeld(record));
  for (const record of spoken) {
    const draft =
      eventsOf(record.id).length > 0 ? null : besideEvent(record, ledgers.ledgerOf(snapshot).events, transcript);
    if (draft !== null) wanted.set(record.id, [{ draft, time: record.createdAt * 1000 }]);
  }
  for (const record of tellable) {
    // One that took it back stands here already.
    if (wanted.has(record.replacedBy ?? '')) continue;
    const own = eventsOf(record.id);
    const retraction = own.length === 0 ? undefined : retractionOfAll(snapshot, ledgers, own);
    if (retraction === null) continue;
    const olds = (replaced.get(record.id) ?? [])
      .filter(({ id }) => wanted.has(id) || eventsOf(id).length > 0)
      .sort((a, b) => b.createdAt - a.createdAt);
    const type = typeOf(record, olds);
    // What is no decision itself has an event only for what it takes back.
    if (type === undefined) continue;
    const time = retraction === undefined ? record.createdAt * 1000 : when.now;
    const eventOf = ({ id }: MemoryRecord, before: readonly LedgerEvent[]): LedgerEvent =>
      before.findLast(({ memory }) => memory === id) ?? findEvent(snapshot, eventsOf(id).at(-1)!).value;
    const [old, ...others] = olds;
    const draft = (before: readonly LedgerEvent[]) => {
      const supersedes = retraction ?? (old === undefined ? undefined : eventOf(old, before).id);
      // What takes the place of a promise and is none itself says that it was kept, or will not be.
      const isClosed = type === 'commitment' && record.category !== 'commitment';
      const words = {
        ...draftExtractedEvent(record, type, transcript),
        ...(isClosed ? { status: 'closed' as const } : {}),
      };
      return supersedes === undefined ? words : { ...words, supersedes };
    };
    // An event takes the place of one. What else it takes back gets events that say no more than that.
    const takenBack = (retraction === undefined ? others : []).map(
      (other): WantedEvent => ({
        draft: (before) => ({
          ...retractionOf(eventOf(other, before), null),
          source: before.find(({ memory }) => memory === record.id)!.source,
        }),
        time,
      }),
    );
    wanted.set(record.id, [{ draft, time }, ...takenBack]);
  }
  return wanted.size === 0 ? nothingAppended : planAppend(snapshot, [...wanted.values()].flat(), when);
}

/** From so many of the terms of an event on, and two at least, something is said of the same. */
const leastShared = 0.5;

/**
 * Drafts what was said beside an event of the ledger, and may replace it or be its end. Words of a person have half of its terms. They sound
 * like a change, limit something, or follow an open commitment. Its tag says that somebody has to decide. Null for all else.
 */
function besideEvent(record: MemoryRecord, events: readonly StoredEvent[], transcript: Transcript): EventDraft | null {
  const { role, turn } = record.sources?.[0] ?? {};
  if (events.length === 0 || role !== 'user' || turn === undefined || record.statement !== undefined) return null;
  const own = new Set(tokensOf(withoutTimes(record.content)));
  const shareOf = (terms: ReadonlySet<string>) => [...terms].filter((term) => own.has(term)).length;
  const nearest = termsOf(events)
    .map(({ event, terms }) => ({ event, shared: shareOf(terms), share: shareOf(terms) / terms.size }))
    .filter(({ event, shared, share }) => shared >= 2 && share >= leastShared && event.time < record.createdAt * 1000)
    .sort((a, b) => b.share - a.share || b.event.time - a.event.time)[0]?.event;
  if (nearest === undefined) return null;
  const { change, standing } = scoresOf(record.content, { role });
  const surely = thresholds();
  const isOpen = nearest.value.type === 'commitment';
  if (!isOpen && record.category !== 'correction' && change < surely.change! && standing < surely.standing!)
    return null;
  const type = standing >= surely.standing! && !isOpen ? 'constraint' : 'fact';
  const { tags = [], ...draft } = draftExtractedEvent(record, type, transcript);
  return { ...draft, priority: 'P2', tags: [...tags, proposal], related: [nearest.id] };
}

/** Events that hold and are no proposals, with their terms; of commitments the open ones. */
const termsOf = oncePer((events: readonly StoredEvent[]) => {
  const open = new Set(openLoopsOf(events).map(({ event }) => event));
  return activeEvents(events)
    .filter((event) => event.value.type !== 'commitment' || open.has(event))
    .filter(({ value }) => value.tags?.includes(proposal) !== true)
    .map((event) => ({ event, terms: new Set(tokensOf(withoutTimes(event.value.content))) }));
});

/** The ledger as it is. */
export const nothingAppended: AppendPlan = { events: [], changes: [] };

/** A guess expires; the ledger is for ever. */
export const isGuess = ({ confidenceTier }: MemoryRecord): boolean => confidenceTier === 'speculative';

const isHeld = ({ status }: MemoryRecord): boolean => status !== 'superseded';

/** The type of event that a memory becomes; for what takes others back, theirs. */
const typeOf = (record: MemoryRecord, olds: readonly MemoryRecord[]): EventType | undefined =>
  eventTypeOf(record) ?? olds.map(eventTypeOf).find((type) => type !== undefined);

/** Gives the id of what undo has put at the end of a memory's events. Null where one of them, or what came after it, holds. */
export function retractionOfAll(snapshot: Snapshot, ledgers: LedgerCatalog, ids: readonly string[]): string | null {
  const { events } = ledgers.ledgerOf(snapshot);
  const successors = supersessionOf(events);
  let last = ids.at(-1)!;
  for (let next = successors.get(last); next !== undefined; next = successors.get(last)) last = next.id;
  const end = events.find(({ id }) => id === last);
  return end?.value.source === 'undo' ? last : null;
}
