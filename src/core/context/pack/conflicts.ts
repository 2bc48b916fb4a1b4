// What cannot both hold: open claims of the same subject and attribute, given by somebody, and what waits in a review as a pair. Words that
// sound alike are none.

import { normaliseForHash } from '../../../base/text.ts';
import type { MemoryRecord, RelationRecord } from '../../../base/types/stored-types.ts';
import { activeEvents, byTime, type StoredEvent } from '../../../logs/index.ts';
import { attributeKeyOf, holdsAt, isOpen, wordsOfClaim } from '../../../store/claims/claim.ts';

/** What conflicts are sought among, as a catalogue lists it. */
export interface PackClaims {
  readonly memories: readonly { readonly record: MemoryRecord }[];
  /** Those of the type `contradicts` say that somebody found two claims at odds. */
  readonly relations: readonly {
    readonly record: Pick<RelationRecord, 'relationType' | 'fromMemoryId' | 'toMemoryId'>;
  }[];
  /** Lines of a page in two wordings, the newer first. */
  readonly disputed?: readonly Conflict[];
}

interface Side {
  /** Of the memory, or of the line. */
  readonly id: string;
  readonly text: string;
}

/** Two claims about one entity. */
export interface Conflict {
  readonly entity: string;
  /** The newer one, and the older one. */
  readonly sides: readonly [Side, Side];
}

/**
 * Finds the conflicts at a time, in seconds, the newest first. Of each attribute of an entity the newest claim stands against the second newest,
 * and of what is said to contradict each newer claim once.
 */
export function conflictsAmong({ memories, relations, disputed = [] }: PackClaims, seconds: number): Conflict[] {
  const byId = new Map<string, MemoryRecord>();
  const byAttribute = new Map<string, MemoryRecord[]>();
  const rivals = relations.flatMap(({ record: { relationType, fromMemoryId, toMemoryId } }) =>
    relationType === 'contradicts' ? [[fromMemoryId, toMemoryId]] : [],
  );
  const judged = new Set(rivals.flat());
  for (const { record } of memories) {
    const { id, status } = record;
    const key = attributeKeyOf(record);
    if (key === undefined && !judged.has(id)) continue;
    if (status === 'archived' || !isOpen(record) || !holdsAt(record, seconds)) continue;
    byId.set(id, record);
    if (key === undefined) continue;
    byAttribute.set(key, [...(byAttribute.get(key) ?? []), record]);
  }
  const pairs = [
    ...[...byAttribute.values()].map((claims) => claims.sort(newestFirst)),
    ...rivals.map((pair) => pair.flatMap((id) => byId.get(id) ?? []).sort(newestFirst)),
  ].flatMap(([newest, ...others]) => {
    const rival = others.find((one) => saidBy(one) !== saidBy(newest!));
    return newest === undefined || rival === undefined ? [] : [[newest, rival] as const];
  });
  const found = new Map<string, Conflict>();
  for (const [newest, rival] of pairs.sort(([one], [other]) => newestFirst(one, other))) {
    const entity = normaliseForHash(newest.subject ?? newest.entities[0] ?? newest.id);
    const key = attributeKeyOf(newest) ?? newest.id;
    if (!found.has(key)) found.set(key, { entity, sides: [sideOf(newest), sideOf(rival)] });
  }
  for (const one of disputed) if (!found.has(one.entity)) found.set(one.entity, one);
  return [...found.values()];
}

const newestFirst = (a: MemoryRecord, b: MemoryRecord): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
const saidBy = (record: MemoryRecord): string => normaliseForHash(wordsOfClaim(record));
const sideOf = (record: MemoryRecord): Side => ({ id: record.id, text: wordsOfClaim(record) });

/** Finds the conflicts that events tell: one with the tag `conflict` says that two in its `related` are at odds, or itself with one. */
export function toldConflicts(events: readonly StoredEvent[]): Conflict[] {
  const active = new Map(activeEvents(events).map((event) => [event.id, event]));
  return [...active.values()].reverse().flatMap((event): Conflict[] => {
    const { tags, related = [], entity = event.id } = event.value;
    const rivals = related.flatMap((id) => active.get(id) ?? []);
    const [one, other] = related.length > 1 ? rivals : [event, ...rivals];
    if (tags?.includes('conflict') !== true || one === undefined || other === undefined) return [];
    const [older, newer] = [one, other].sort(byTime).map(({ id, value }) => ({ id, text: value.content }));
    return [{ entity, sides: [newer!, older!] }];
  });
}

/** How a line of the pack begins that tells a conflict. */
export const conflictMark = '⚠️ CONFLICT:';
