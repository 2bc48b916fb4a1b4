// The ledger follows the memories. A pass, a call, a hand edit or an adoption may change a memory that an event speaks of. It then appends,
// in the same commit, what replaces that event. The one owner of that rule. Nothing in the ledger is rewritten, but for words that are forgotten.

import { defined, orElse } from '../../base/errors.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import type { MemoryRecord, RelationRecord } from '../../base/types/stored-types.ts';
import {
  byTime,
  HoldingEvents,
  type KnownLedgers,
  planAppend,
  retractionOf,
  type StoredEvent,
  type WantedEvent,
} from '../../logs/index.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import type { Consequence, ConsequenceSource, StateChange } from '../../store/consequence.ts';
import { type StateFiles, withTexts } from '../../store/derive.ts';
import { adoptOperation } from '../../store/experiment-names.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { kindOf } from '../../store/records/kind.ts';
import { segmentPath, withoutWordsOf } from '../../store/records/ledger-segment.ts';
import { memoryPath, parseMemory } from '../../store/records/memory-record.ts';
import type { EventDraft } from '../../store/records/new-event.ts';
import { parseRelation } from '../../store/records/relation-record.ts';
import { draftExtractedEvent, eventTypeOf } from '../extract/events.ts';

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
 * | gave way to another that is new | the event of that one, in the place of its own |
 * | is new, and of a kind that the ledger tells (no guess) | its event, unless `extract.events` is off |
 * | has other words, or another day | an event with those, in the place of its own |
 * | is back | its event anew, in the place of what took it back |
 *
 * What somebody forgets leaves the ledger, too: events of it stay, without their words. Decay and passes leave words where they are.
 *
 * What the change tells the ledger itself, as an extraction does, is not told again. What is fulfilled, taken back or said otherwise is
 * left alone. Undo and merges bring the events of their commits and follow nothing; an adoption replaces, and does.
 */
export function ledgerFollower(
  known: KnownLedgers,
  configurationOf: (state: StateFiles) => FollowedConfiguration,
): ConsequenceSource {
  return (present, now): Consequence => ({
    mayWrite(paths) {
      const memories = paths.filter((path) => kindOf(path) === 'memory');
      if (memories.length === 0) return [];
      const { timezone } = configurationOf(present);
      const made = memories.flatMap((path) => recordIn(textIfWhole(present, path), path)?.createdAt ?? []);
      const days = new Set([now, ...made.map((time) => time * 1000)].map((time) => dayOf(time, timezone)));
      return [...days].map(segmentPath);
    },
    follow(change) {
      const { name, bringsBack } = change.operation;
      if (bringsBack && name !== adoptOperation) return [];
      const standings = standingsOf(change.before, change.after, change.paths);
      const changed = standings.filter(isTellable(now));
      const gone = isForgetting(change.operation) ? standings.filter(([, { after }]) => after === null) : [];
      if (changed.length + gone.length === 0) return [];
      const { timezone, extract } = configurationOf(present);
      const when = { now, timeZone: timezone };
      const drafts = draftsOf(changed, change, new HoldingEvents(change.after, known), { ...when, ...extract });
      const wanted = drafts.map((draft): WantedEvent => ({ draft, time: now }));
      const bare = withoutForgotten(change, new Set(gone.map(([id]) => id)), known);
      const appended = wanted.length === 0 ? [] : planAppend(withTexts(change.after, bare), wanted, when).changes;
      const told = new Set(appended.map(({ path }) => path));
      const silenced = [...bare].filter(([path]) => !told.has(path));
      const made = silenced.map(([path, text]) => ({ path, after: Buffer.from(text), isFormatted: true }));
      return [...appended, ...made].map((one) => ({ ...one, before: change.after.oidOf(one.path) }));
    },
  });
}

/** Somebody wanted it gone; what a pass takes away was only of no use. */
export const isForgetting = ({ name, isHandEdit }: StateChange['operation']): boolean =>
  isHandEdit === true || name === 'forget' || name === 'remove';

/** Gives the files of the ledger without the words of some memories, in whichever event they are. */
function withoutForgotten(
  { after: files, paths }: StateChange,
  gone: ReadonlySet<string>,
  { told, ledgers }: KnownLedgers,
): Map<string, string> {
  const eventsOf = gone.size === 0 ? () => [] : told.eventsOf(files);
  const heirs = heirsIn(files, gone.size === 0 ? [] : paths);
  const ids = [...gone].filter((id) => heirs.of(id).length === 0);
  const mute = new Set(ids.flatMap(eventsOf));
  if (mute.size === 0) return new Map();
  const { archived, events } = ledgers.ledgerOf(files);
  const homes = new Set<string>();
  for (const { id, path, value } of [...archived, ...events].sort(byTime)) {
    const { memory, supersedes, compacts = [] } = value;
    const quotes = memory === undefined ? [supersedes ?? '', ...compacts] : [];
    if (quotes.some((one) => mute.has(one))) mute.add(id);
    if (mute.has(id)) homes.add(path);
  }
  return new Map([...homes].map((path) => [path, withoutWordsOf(files.readText(path)!, path, mute)]));
}

type Changed = readonly [id: string, Standing];

/** What of memory.yaml it follows. */
type FollowedConfiguration = Pick<Configuration, 'timezone'> & {
  readonly extract: Pick<Configuration['extract'], 'events'>;
};
type Rules = When & FollowedConfiguration['extract'];

/** Whether a change can concern the ledger at all: what is used, gets a source, or is new and none of its matter does not. */
const isTellable =
  (now: number) =>
  ([, { before, after }]: Changed): boolean => {
    if (isNews(before, after, now)) return true;
    if (isHeld(before)) return !isHeld(after) || newWords(before!, after!) !== undefined || before!.due !== after!.due;
    if (!isHeld(after)) return false;
    return before !== null || after!.useCount > 0 || now - after!.createdAt * 1000 > newMs;
  };

/**
 * Whether a memory is one that the ledger tells, and was none before. It is new, is a guess that is confirmed, or got its category.
 *
 * What is older and comes from somewhere else is of another time, which the ledger is not told of now.
 */
function isNews(before: MemoryRecord | null, after: MemoryRecord | null, now: number): boolean {
  if (!isToBeTold(after) || isToBeTold(before)) return false;
  return before === null ? now - after!.createdAt * 1000 < dayMs : isHeld(before);
}

function isToBeTold(record: MemoryRecord | null): boolean {
  if (!isHeld(record) || record!.confidenceTier === 'speculative') return false;
  return eventTypeOf(record!) !== undefined && wordsOfClaim(record!).trim() !== '';
}

function draftsOf(
  changed: readonly Changed[],
  { operation: { name }, before: former, after: files, paths, privacy }: StateChange,
  holding: HoldingEvents,
  { now, timeZone, events: isLogged }: Rules,
): EventDraft[] {
  const news = new Map(
    changed.flatMap(([id, { before, after }]) => (isNews(before, after, now) && after !== null ? [[id, after]] : [])),
  );
  // No event speaks of most new memories, and to look for one in every segment takes long.
  const isUntold = (record: MemoryRecord) =>
    former.oidOf(memoryPath(record.id)) === null && now - record.createdAt * 1000 < dayMs
      ? [now, record.createdAt * 1000].every(
          (time) => !files.readText(segmentPath(dayOf(time, timeZone)))?.includes(record.id),
        )
      : !holding.isTold(record.id);
  const told = changed.filter(([id]) => {
    const record = news.get(id);
    return record === undefined ? holding.isTold(id) : !isUntold(record);
  });
  for (const [id] of told) news.delete(id);
  if (told.length + news.size === 0) return [];
  const isOpenLog = !privacy.isPrivate(segmentPath(dayOf(now, timeZone)));
  // What is private is not said where everybody can read it.
  const mayQuote = (path: string) => !isOpenLog || !privacy.isPrivate(path);
  const retire = (event: StoredEvent, after: MemoryRecord | null) =>
    retirementOf(event, mayQuote(event.path) ? after : null, name);
  const heirs = heirsIn(files, paths);
  const merged = new Map<string, StoredEvent[]>();
  const replaced = new Map<MemoryRecord, StoredEvent[]>();
  const drafts: EventDraft[] = [];
  const mayTell = (record: MemoryRecord) => isLogged && mayQuote(memoryPath(record.id));
  const successorOf = ({ replacedBy }: MemoryRecord): MemoryRecord | null => {
    if (replacedBy === undefined) return null;
    const record = news.get(replacedBy) ?? heirs.record(replacedBy);
    return record !== null && mayTell(record) && isUntold(record) ? record : null;
  };
  for (const [id, { before, after }] of told) {
    const events = holding.allOf(id);
    const [newest, ...others] = events;
    if (!isHeld(after)) {
      if (newest === undefined) continue;
      const heir = heirs.mergedInto(id);
      const successor = after === null ? null : successorOf(after);
      const parts = heirs.partsOf(id).filter((part) => mayQuote(memoryPath(part.id)));
      if (heir !== null) {
        merged.set(heir.id, [...(merged.get(heir.id) ?? []), ...events]);
      } else if (successor !== null) {
        replaced.set(successor, [...(replaced.get(successor) ?? []), ...events]);
      } else if (parts.length > 0) {
        const [first, ...rest] = parts.map((part) => wordsOf(newest, part));
        drafts.push({ ...first!, supersedes: newest.id });
        for (const part of rest) drafts.push({ ...part, related: [newest.id] });
        drafts.push(...others.map((event) => retire(event, null)));
      } else drafts.push(...events.map((event) => retire(event, after)));
    } else if (isHeld(before)) {
      const words = newWords(before!, after!) ?? newest?.value.content;
      const isSaid = newest === undefined || isSame(newest, words!, after!.due) || words!.trim() === '';
      if (isSaid || !mayQuote(memoryPath(id))) continue;
      drafts.push({ ...wordsOf(newest, after!), content: words!, source: name, supersedes: newest.id });
    } else if (newest === undefined) {
      const retired = holding.retiredOf(id);
      if (retired === undefined || !mayQuote(memoryPath(id))) continue;
      drafts.push({ ...wordsOf(retired.own, after!), supersedes: retired.end.id });
    }
  }
  for (const record of news.values()) {
    if (mayTell(record) && !heirs.isHeir(record.id) && !replaced.has(record)) replaced.set(record, []);
  }
  for (const [record, events] of replaced) {
    const [newest, ...others] = [...events].sort((a, b) => b.time - a.time);
    const type = eventTypeOf(record) ?? newest!.value.type;
    if (eventTypeOf(record) === undefined && type === 'commitment') {
      // What takes the place of a promise and is none has nothing to be done.
      drafts.push(...events.map((event) => retire(event, null)));
      continue;
    }
    const own = draftExtractedEvent(record, type, originOf(record));
    drafts.push(newest === undefined ? own : { ...own, supersedes: newest.id });
    drafts.push(...others.map((event) => retire(event, null)));
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

/** The session and agent of what was remembered, as its record says. */
function originOf({ meta: { extra } }: MemoryRecord): { sessionId?: string; agent?: string } {
  const name = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);
  return defined({ sessionId: name(extra.session), agent: name(extra.agent) });
}

/** Drafts what takes an event back because of what became of its memory; words that somebody wanted gone are not said again. */
function retirementOf({ id, value }: StoredEvent, after: MemoryRecord | null, name: string): EventDraft {
  const content =
    after === null
      ? `Taken away: what ${id} says`
      : `${after.status === 'superseded' ? 'Superseded' : 'Put aside'}: ${value.content}`;
  return { ...retractionOf(value, null), content, source: name };
}

/** Drafts an event with the words of a memory, and what an event says of them beside. */
function wordsOf({ value }: StoredEvent, record: MemoryRecord): EventDraft {
  const { ts: _, id: __, related: ___, compacts: ____, ...said } = value;
  const { status: _____, due: ______, supersedes: _______, ...words } = said;
  const type = eventTypeOf(record) ?? value.type;
  return {
    ...words,
    type,
    content: wordsOfClaim(record),
    ...(type === 'commitment' ? { status: 'open' } : {}),
    ...(record.due === undefined ? {} : { due: record.due }),
    memory: record.id,
  };
}

const isSame = ({ value }: StoredEvent, words: string, due: string | undefined): boolean =>
  value.content === words && value.due === due;

/** Gives what a memory says by now, as its statement or else as its words; undefined where it says the same. */
function newWords(before: MemoryRecord, after: MemoryRecord): string | undefined {
  const words = wordsOfClaim(after);
  return words === wordsOfClaim(before) ? undefined : words;
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

/** What is lost, or private and without its key here, says nothing of a memory. */
export const textIfWhole = (state: StateFiles, path: string): string | null =>
  orElse(() => state.readText(path), null, ...lost);
const lost = ['OBJECT_CORRUPT', 'OBJECT_MISSING', 'PRIVATE_KEY_MISSING', 'PRIVATE_DAMAGED'] as const;

/** Most changes of records are uses and sources: told by lines of the one form that we write, without reading the record. */
function isAlike(before: string | null, after: string | null): boolean {
  if (before === null || after === null) return before === after;
  const decisive = (text: string) =>
    text.match(/^ {2}"(?:content|statement|status|due|category|confidence_tier|valid_until)": .*$/gm)?.join('\n');
  const lines = decisive(before);
  return lines?.includes('"content"') === true && lines === decisive(after);
}

/** Only what is in effect is named: neither archived nor superseded. */
export const isHeld = (record: MemoryRecord | null): boolean =>
  record !== null && record.status !== 'archived' && record.status !== 'superseded';

/** A file that is no record says nothing of a memory; the rules of changes judge it. */
export function recordIn(text: string | null, path: string): MemoryRecord | null {
  if (text === null) return null;
  return orElse(() => parseMemory(text, path), null);
}

/** Makes what tells what memories were made into, as lineage that a change of some paths brings says. */
export function heirsIn(files: StateFiles, paths: readonly string[]) {
  const relations = paths.flatMap((path) => {
    const text = kindOf(path) === 'relation' ? files.readText(path) : null;
    return text === null ? [] : orElse(() => [parseRelation(text, path)], []);
  });
  /** Gives a memory that is in effect. */
  const record = (id: string): MemoryRecord | null => {
    const path = memoryPath(id);
    const found = recordIn(files.readText(path), path);
    return isHeld(found) ? found : null;
  };
  const position = ({ metadata }: RelationRecord) => Number(metadata?.split_index ?? 0);
  const madeOf = (id: string, type: string): MemoryRecord[] =>
    relations
      .filter(({ relationType, toMemoryId }) => relationType === type && toMemoryId === id)
      .sort((a, b) => position(a) - position(b))
      .flatMap(({ fromMemoryId }) => record(fromMemoryId) ?? []);
  const mergedInto = (id: string): MemoryRecord | null => madeOf(id, 'consolidated_from')[0] ?? null;
  /** In the order in which they were in the whole. */
  const partsOf = (id: string): MemoryRecord[] => madeOf(id, 'split_from');
  return {
    record,
    mergedInto,
    partsOf,
    /** Gives what a memory became: one with others, or several. */
    of(id: string): MemoryRecord[] {
      const one = mergedInto(id);
      return one === null ? partsOf(id) : [one];
    },
    /** Whether it was made of others. */
    isHeir: (id: string): boolean =>
      relations.some(({ relationType, fromMemoryId }) => relationType.endsWith('_from') && fromMemoryId === id),
  };
}

export type Heirs = ReturnType<typeof heirsIn>;
