// What cannot both hold: open claims of the same subject and attribute, given by somebody, and what waits in a review as a pair. Words that
// sound alike are none.

import { normaliseForHash } from '../../../base/text.ts';
import type { MemoryRecord, RelationRecord } from '../../../base/types/stored-types.ts';
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

/** One side of a conflict. */
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

/** Finds one conflict for each entity at a time, in seconds: its newest claim against the second newest of the same attribute. Newest first. */
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
    if (!found.has(entity)) found.set(entity, { entity, sides: [sideOf(newest), sideOf(rival)] });
  }
  for (const one of disputed) if (!found.has(one.entity)) found.set(one.entity, one);
  return [...found.values()];
}

const newestFirst = (a: MemoryRecord, b: MemoryRecord): number => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
const saidBy = (record: MemoryRecord): string => normaliseForHash(wordsOfClaim(record));
const sideOf = (record: MemoryRecord): Side => ({ id: record.id, text: wordsOfClaim(record) });

/** How a line of the pack begins that tells a conflict. */
export const conflictMark = '⚠️ CONFLICT:';
