// What the ledger is told when memories lose their standing: whichever operation archives, supersedes, merges or takes away a memory that
// has an event brings, in the same commit, an event that takes the place of that one. Nothing in the ledger is rewritten.

import { MemoryError } from '../errors.ts';
import { eventTypeOf } from '../extract/events.ts';
import { type AppendPlan, planAppend, type WantedEvent } from '../logs/append.ts';
import type { StoredEvent } from '../logs/ledger.ts';
import { openLoopsOf } from '../logs/open-loops.ts';
import { retractionOf } from '../logs/retraction.ts';
import { retracted, supersessionOf } from '../logs/supersession.ts';
import { kindOf } from '../records/kind.ts';
import { parseMemory } from '../records/memory-record.ts';
import type { EventDraft } from '../records/new-event.ts';
import { parseRelation } from '../records/relation-record.ts';
import type { MemoryRecord } from '../records/types.ts';
import type { FileChange, Operation } from '../store/operation.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { type LedgerKnowledge, nothingAppended } from './extracted-events.ts';

/** What a memory was and is; null where it is not there. */
export interface Standing {
  readonly before: MemoryRecord | null;
  readonly after: MemoryRecord | null;
}

export type When = { readonly now: number; readonly timeZone: string };

/** Gives operations that are committed in a row, each with the events of what it retires; to be called under the repository lock. */
export function withRetirements(
  operations: readonly Operation[],
  snapshot: Snapshot,
  knowledge: LedgerKnowledge,
  when: When,
): Operation[] {
  const holding = new HoldingEvents(snapshot, knowledge);
  let files = snapshot;
  return operations.map((operation) => {
    const { changes } = planRetirements(files, holding, operation, when);
    if (changes.length === 0) return operation;
    files = files.with(changes);
    return { ...operation, changes: [...operation.changes, ...changes] };
  });
}

/**
 * Plans the events that follow from what an operation does to memories that the ledger was told of.
 *
 * Memories that become one are one event, which takes the place of the newest of theirs; any other event that loses its memory is taken
 * back by one that says why, which also closes a promise. What is fulfilled, taken back or said otherwise already is left alone.
 */
export function planRetirements(
  snapshot: Snapshot,
  holding: HoldingEvents,
  { name, changes }: Pick<Operation, 'name' | 'changes'>,
  when: When,
): AppendPlan {
  const standings = standingsOf(snapshot, changes, (id) => holding.isTold(id));
  const retired = [...standings].filter(([, { before, after }]) => isHeld(before) && !isHeld(after));
  if (retired.length === 0) return nothingAppended;
  const heirs = heirsOf(changes);
  const merged = new Map<string, StoredEvent[]>();
  const drafts: EventDraft[] = [];
  for (const [id, { after }] of retired) {
    const event = holding.of(id);
    if (event === undefined) continue;
    const heir = heirs.get(id);
    if (heir !== undefined) merged.set(heir, [...(merged.get(heir) ?? []), event]);
    else drafts.push(retirementOf(event, after, name));
  }
  for (const [heir, events] of merged) {
    const record = standingsOf(snapshot, changes, (id) => id === heir).get(heir)?.after;
    const [newest, ...others] = [...events].sort((a, b) => b.time - a.time) as [StoredEvent, ...StoredEvent[]];
    drafts.push(
      record === undefined || record === null ? retirementOf(newest, null, name) : mergedOf(newest, events, record),
    );
    for (const other of others)
      drafts.push({ ...retractionOf(other.value, null), content: `Merged: ${other.value.content}`, source: name });
  }
  if (drafts.length === 0) return nothingAppended;
  return planAppend(
    snapshot,
    drafts.map((draft): WantedEvent => ({ draft, time: when.now })),
    when,
  );
}

/** Finds the events of memories that hold, as of one state. */
export class HoldingEvents {
  readonly eventsOf: (memory: string) => readonly string[];
  private readonly snapshot: Snapshot;
  private readonly knowledge: LedgerKnowledge;
  private ledger: {
    readonly byId: ReadonlyMap<string, StoredEvent>;
    readonly successors: ReadonlyMap<string, StoredEvent>;
    readonly open: ReadonlySet<string>;
  } | null = null;

  constructor(snapshot: Snapshot, knowledge: LedgerKnowledge) {
    this.snapshot = snapshot;
    this.knowledge = knowledge;
    this.eventsOf = knowledge.told.eventsOf(snapshot);
  }

  /** Whether the ledger was ever told of a memory. */
  isTold(memory: string): boolean {
    return this.eventsOf(memory).length > 0;
  }

  /** Gives the event that holds of a memory: its own, or what an undo put in its place to say the same again. */
  of(memory: string): StoredEvent | undefined {
    const { byId, successors, open } = this.read();
    for (const id of [...this.eventsOf(memory)].reverse()) {
      const own = byId.get(id);
      // What stands in an archive is surfaced no more.
      if (own === undefined) continue;
      let end = own;
      for (let next = successors.get(end.id); next !== undefined; next = successors.get(end.id)) end = next;
      const { type, status, tags, source, content } = end.value;
      const isOwn = end.value.memory === memory || (source === 'undo' && content === own.value.content);
      if (!isOwn || status === 'closed' || tags?.includes(retracted)) continue;
      if (type === 'commitment' && !open.has(end.id)) continue;
      return end;
    }
    return undefined;
  }

  private read() {
    if (this.ledger !== null) return this.ledger;
    const { events } = this.knowledge.ledgers.ledgerOf(this.snapshot);
    this.ledger = {
      byId: new Map(events.map((event) => [event.id, event])),
      successors: supersessionOf(events),
      open: new Set(openLoopsOf(events).map(({ event }) => event.id)),
    };
    return this.ledger;
  }
}

/** Drafts what takes an event back because of what became of its memory; words that somebody wanted gone are not said again. */
export function retirementOf({ id, value }: StoredEvent, after: MemoryRecord | null, name: string): EventDraft {
  const content =
    after === null
      ? `Taken away: what ${id} says`
      : `${after.status === 'superseded' ? 'Superseded' : 'Put aside'}: ${value.content}`;
  return { ...retractionOf(value, null), content, source: name };
}

/** Drafts the event of a memory that was made of several: the words of the memory, and what the events say of them beside. */
function mergedOf({ id, value }: StoredEvent, events: readonly StoredEvent[], record: MemoryRecord): EventDraft {
  const { ts: _, id: __, related: ___, compacts: ____, status: _____, due: ______, ...words } = value;
  const type = eventTypeOf(record) ?? value.type;
  const [priority] = events.map((event) => event.value.priority).sort();
  return {
    ...words,
    type,
    priority: priority!,
    content: record.content,
    ...(type === 'commitment' ? { status: 'open' } : {}),
    ...(record.due === undefined ? {} : { due: record.due }),
    memory: record.id,
    supersedes: id,
  };
}

/** Lists what becomes of the memories that changes are about, by id: a file that moves is one memory. */
export function standingsOf(
  snapshot: Snapshot,
  changes: readonly FileChange[],
  isWanted: (id: string) => boolean,
): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const { path, after } of changes) {
    if (kindOf(path) !== 'memory') continue;
    const id = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
    if (!isWanted(id)) continue;
    const known = standings.get(id) ?? { before: null, after: null };
    standings.set(id, {
      before: known.before ?? recordIn(snapshot.readText(path), path),
      after: known.after ?? recordIn(after?.toString('utf8') ?? null, path),
    });
  }
  return standings;
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

/** Which memory was made of which, as lineage that the changes bring says: source → what it went into. */
function heirsOf(changes: readonly FileChange[]): Map<string, string> {
  const heirs = new Map<string, string>();
  for (const { path, after } of changes) {
    if (kindOf(path) !== 'relation' || after === null) continue;
    const { relationType, fromMemoryId, toMemoryId } = parseRelation(after.toString('utf8'), path);
    if (relationType === 'consolidated_from') heirs.set(toMemoryId, fromMemoryId);
  }
  return heirs;
}
