// The ledger follows the memories: whatever changes a memory that an event speaks of (a pass, a call, a hand edit, an adoption) appends,
// in the same commit, what takes the place of that event. The one owner of that rule; nothing in the ledger is rewritten.

import { dayOf } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import { eventTypeOf } from '../extract/events.ts';
import { planAppend, type WantedEvent } from '../logs/append.ts';
import { HoldingEvents, type KnownLedgers } from '../logs/holding-events.ts';
import type { StoredEvent } from '../logs/ledger.ts';
import { retractionOf } from '../logs/supersession.ts';
import { kindOf } from '../records/kind.ts';
import { segmentPath } from '../records/ledger-segment.ts';
import { memoryPath, parseMemory } from '../records/memory-record.ts';
import type { EventDraft } from '../records/new-event.ts';
import { parseRelation } from '../records/relation-record.ts';
import type { MemoryRecord, RelationRecord } from '../records/types.ts';
import type { Consequence, ConsequenceSource, StateChange } from '../store/consequence.ts';
import { isDamage } from '../store/damaged-files.ts';
import type { StateFiles } from '../store/derive.ts';
import { adoptOperation } from './experiment/names.ts';

/** What a memory was and is; null where it is not there. */
export interface Standing {
  readonly before: MemoryRecord | null;
  readonly after: MemoryRecord | null;
}

export type When = { readonly now: number; readonly timeZone: string };

/** A memory that is younger and that nobody used is new: no event can have told of it before. */
const newMs = 3_600_000;

/**
 * Makes the rule. An event holds as long as the memory that it speaks of does, and says the same:
 *
 * | the memory | the ledger gets |
 * |---|---|
 * | is archived, superseded or gone | an event that takes its events back, and closes a promise |
 * | became part of another | one event of that one, in the place of the newest of theirs; the others are taken back |
 * | became several | an event for each of them, the first in the place of its own |
 * | has other words, or another day | an event with those, in the place of its own |
 * | is back | its event anew, in the place of what took it back |
 *
 * What the change tells the ledger itself, as an extraction does, is not told again, and what is fulfilled, taken back or said otherwise
 * is left alone. Undo and merges bring the events of their commits and follow nothing; an adoption replaces, and does.
 */
export function ledgerFollower(known: KnownLedgers, timeZoneOf: (state: StateFiles) => string): ConsequenceSource {
  return (present, now): Consequence => ({
    mayWrite(paths) {
      if (!paths.some((path) => kindOf(path) === 'memory')) return [];
      return [segmentPath(dayOf(now, timeZoneOf(present)))];
    },
    follow(change) {
      const { name, bringsBack } = change.operation;
      if (bringsBack && name !== adoptOperation) return [];
      const changed = standingsOf(change.before, change.after, change.paths).filter(isTellable(now));
      if (changed.length === 0) return [];
      const when = { now, timeZone: timeZoneOf(present) };
      const drafts = draftsOf(changed, change, new HoldingEvents(change.after, known), when);
      const wanted = drafts.map((draft): WantedEvent => ({ draft, time: now }));
      return wanted.length === 0 ? [] : planAppend(change.after, wanted, when).changes;
    },
  });
}

type Changed = readonly [id: string, Standing];

/** Whether a change can concern the ledger at all: what is used, gets a source or is remembered for the first time does not. */
const isTellable =
  (now: number) =>
  ([, { before, after }]: Changed): boolean => {
    if (isHeld(before)) return !isHeld(after) || before!.content !== after!.content || before!.due !== after!.due;
    if (!isHeld(after)) return false;
    return before !== null || after!.useCount > 0 || now - after!.createdAt * 1000 > newMs;
  };

function draftsOf(
  changed: readonly Changed[],
  { operation: { name }, after: files, paths, privacy }: StateChange,
  holding: HoldingEvents,
  { now, timeZone }: When,
): EventDraft[] {
  const told = changed.filter(([id]) => holding.isTold(id));
  if (told.length === 0) return [];
  const isOpenLog = !privacy.isPrivate(segmentPath(dayOf(now, timeZone)));
  // What is private is not said where everybody can read it.
  const mayQuote = (path: string) => !isOpenLog || !privacy.isPrivate(path);
  const retire = (event: StoredEvent, after: MemoryRecord | null) =>
    retirementOf(event, mayQuote(event.path) ? after : null, name);
  const heirs = new Heirs(files, paths);
  const merged = new Map<string, StoredEvent[]>();
  const drafts: EventDraft[] = [];
  for (const [id, { before, after }] of told) {
    const events = holding.allOf(id);
    const [newest, ...others] = events;
    if (!isHeld(after)) {
      if (newest === undefined) continue;
      const heir = heirs.mergedInto(id);
      const parts = heirs.partsOf(id).filter((part) => mayQuote(memoryPath(part.id)));
      if (heir !== null) {
        merged.set(heir.id, [...(merged.get(heir.id) ?? []), ...events]);
      } else if (parts.length > 0) {
        const [first, ...rest] = parts.map((part) => wordsOf(newest, part));
        drafts.push({ ...first!, supersedes: newest.id });
        for (const part of rest) drafts.push({ ...part, related: [newest.id] });
        drafts.push(...others.map((event) => retire(event, null)));
      } else drafts.push(...events.map((event) => retire(event, after)));
    } else if (isHeld(before)) {
      const isSaid = newest === undefined || isSame(newest, after!) || after!.content.trim() === '';
      if (isSaid || !mayQuote(memoryPath(id))) continue;
      drafts.push({ ...wordsOf(newest, after!), source: name, supersedes: newest.id });
    } else if (newest === undefined) {
      const retired = holding.retiredOf(id);
      if (retired === undefined || !mayQuote(memoryPath(id))) continue;
      drafts.push({ ...wordsOf(retired.own, after!), supersedes: retired.end.id });
    }
  }
  for (const [id, events] of merged) {
    const [newest, ...others] = [...events].sort((a, b) => b.time - a.time) as [StoredEvent, ...StoredEvent[]];
    const heir = heirs.record(id)!;
    const [priority] = events.map((event) => event.value.priority).sort();
    drafts.push(
      mayQuote(memoryPath(id))
        ? { ...wordsOf(newest, heir), priority: priority!, supersedes: newest.id }
        : retire(newest, null),
    );
    for (const other of others)
      drafts.push({ ...retirementOf(other, null, name), content: `Merged: ${other.value.content}` });
  }
  return drafts;
}

/** Drafts what takes an event back because of what became of its memory; words that somebody wanted gone are not said again. */
export function retirementOf({ id, value }: StoredEvent, after: MemoryRecord | null, name: string): EventDraft {
  const content =
    after === null
      ? `Taken away: what ${id} says`
      : `${after.status === 'superseded' ? 'Superseded' : 'Put aside'}: ${value.content}`;
  return { ...retractionOf(value, null), content, source: name };
}

/** Drafts an event with the words of a memory, and what an event says of them beside. */
function wordsOf({ value }: StoredEvent, record: MemoryRecord): EventDraft {
  const {
    ts: _,
    id: __,
    related: ___,
    compacts: ____,
    status: _____,
    due: ______,
    supersedes: _______,
    ...words
  } = value;
  const type = eventTypeOf(record) ?? value.type;
  return {
    ...words,
    type,
    content: record.content,
    ...(type === 'commitment' ? { status: 'open' } : {}),
    ...(record.due === undefined ? {} : { due: record.due }),
    memory: record.id,
  };
}

function isSame({ value }: StoredEvent, { content, due }: MemoryRecord): boolean {
  return value.content === content && value.due === due;
}

/** Lists what becomes of the memories in changed files, by id: a file that moves is one memory. */
export function standingsOf(before: StateFiles, after: StateFiles, paths: readonly string[]): Changed[] {
  const standings = new Map<string, Standing>();
  for (const path of paths) {
    if (kindOf(path) !== 'memory') continue;
    const texts = [textIfWhole(before, path), textIfWhole(after, path)] as const;
    if (isAlike(...texts)) continue;
    const [old, present] = texts.map((text) => recordIn(text, path)) as [MemoryRecord | null, MemoryRecord | null];
    const id = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
    const known = standings.get(id) ?? { before: null, after: null };
    standings.set(id, { before: known.before ?? old, after: known.after ?? present });
  }
  return [...standings];
}

/** What is lost says nothing of a memory. */
function textIfWhole(state: StateFiles, path: string): string | null {
  try {
    return state.readText(path);
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** Most changes of records are uses and sources: told by lines of the one form that we write, without reading the record. */
function isAlike(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return before === after;
  const decisive = (text: string) => text.match(/^ {2}"(?:content|status|due)": .*$/gm)?.join('\n');
  const lines = decisive(before);
  return lines?.includes('"content"') === true && lines === decisive(after);
}

/** Only what is in effect is told of: neither archived nor superseded. */
export function isHeld(record: MemoryRecord | null): boolean {
  return record !== null && record.status !== 'archived' && record.status !== 'superseded';
}

/** A file that is no record says nothing of a memory; the rules of changes judge it. */
function recordIn(text: string | null, path: string): MemoryRecord | null {
  if (text === null) return null;
  try {
    return parseMemory(text, path);
  } catch (error) {
    if (error instanceof MemoryError) return null;
    throw error;
  }
}

/** What memories were made into, as lineage that a change brings says. */
class Heirs {
  private readonly files: StateFiles;
  private readonly relations: readonly RelationRecord[];

  constructor(files: StateFiles, paths: readonly string[]) {
    this.files = files;
    this.relations = paths.flatMap((path) => {
      const text = kindOf(path) === 'relation' ? files.readText(path) : null;
      if (text === null) return [];
      try {
        return [parseRelation(text, path)];
      } catch (error) {
        if (error instanceof MemoryError) return [];
        throw error;
      }
    });
  }

  /** Gives a memory that is in effect. */
  record(id: string): MemoryRecord | null {
    const path = memoryPath(id);
    const record = recordIn(this.files.readText(path), path);
    return isHeld(record) ? record : null;
  }

  mergedInto(id: string): MemoryRecord | null {
    return this.madeOf(id, 'consolidated_from')[0] ?? null;
  }

  /** In the order in which they stood in the whole. */
  partsOf(id: string): MemoryRecord[] {
    return this.madeOf(id, 'split_from');
  }

  private madeOf(id: string, type: string): MemoryRecord[] {
    const position = ({ metadata }: RelationRecord) => Number(metadata?.split_index ?? 0);
    return this.relations
      .filter(({ relationType, toMemoryId }) => relationType === type && toMemoryId === id)
      .sort((a, b) => position(a) - position(b))
      .flatMap(({ fromMemoryId }) => this.record(fromMemoryId) ?? []);
  }
}
