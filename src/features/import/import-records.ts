// Memories and relations of another store on their way into the tree: what is new, what changed there, and what was changed here.

import { MemoryError } from '../../base/errors.ts';
import type { MemoryRecord, RelationRecord } from '../../base/types/stored-types.ts';
import { formatMemory, memoryPath, parseMemory } from '../../store/records/memory-record.ts';
import { formatRelation, relationPath } from '../../store/records/relation-record.ts';
import type { ImportPlan } from './import-plan.ts';

/** A record with its place in the source. */
export interface Incoming<Value> {
  readonly record: Value;
  readonly source: string;
  readonly isRedacted: boolean;
  /** It does not say when it was made, nor when it was used. */
  readonly isTimeless?: boolean;
}

/** Plans memories, oldest first. */
export async function planMemories(incoming: readonly Incoming<MemoryRecord>[], plan: ImportPlan): Promise<void> {
  const { view, earlier, settings, pace } = plan.context;
  const present = new Map(view.memories.map((stored) => [stored.record.id, stored]));
  const now = Math.floor(view.now / 1000);
  const ordered = [...incoming].sort(
    ({ record: a }, { record: b }) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  );
  for (const [index, { record: given, source, isRedacted, isTimeless }] of ordered.entries()) {
    if (index % 200 === 0) await pace(index, ordered.length);
    const stored = present.get(given.id);
    // What does not say when it was made is as old as what is here of it.
    const { createdAt, lastUsed } = stored?.record ?? given;
    const record = isTimeless ? { ...given, createdAt, lastUsed } : given;
    const path = stored?.path ?? memoryPath(record.id);
    const before = earlier.textOf(path);
    const wordsHere = stored === undefined ? null : wordsOf(stored.record);
    const words = wordsOf(record);
    const wordsThen = before === undefined ? undefined : wordsOf(parseMemory(before, path));
    const { take, why } = plan.decide(path, wordsHere, words, wordsThen);
    let after: MemoryRecord;
    if (stored === undefined) {
      // Ruling 8: with the times of its last use, decay would plan to forget every old memory at once.
      const lastUsed = settings.keepLastUsed ? record.lastUsed : Math.max(record.lastUsed, now);
      after = { ...record, lastUsed };
    } else {
      // Uses never go down, and a gist that was made here stays with the words it was made of.
      const gist = words === wordsHere ? (stored.record.gist ?? record.gist) : record.gist;
      after = { ...withUses(record, stored.record), gist };
    }
    if (why !== undefined) plan.left.push({ source, why });
    else if (!take && (words !== wordsHere || formatMemory(after) === formatMemory(stored!.record)))
      plan.unchanged += 1;
    else {
      plan.take({ path, text: formatMemory(after), source, ids: [record.id], isRedacted });
      plan.date(record.createdAt * 1000);
    }
  }
  await pace(ordered.length, ordered.length);
}

/** Plans relations; one whose memory is nowhere comes in too, and is noted. */
export function planRelations(
  incoming: readonly Incoming<RelationRecord>[],
  memories: ReadonlySet<string>,
  plan: ImportPlan,
): void {
  const { view } = plan.context;
  const present = new Map(view.relations.map((stored) => [stored.record.id, stored]));
  const alive = new Set([...memories, ...view.memories.map(({ record }) => record.id)]);
  for (const { record, source, isRedacted } of incoming) {
    const stored = present.get(record.id);
    const path = stored?.path ?? relationPath(record.id);
    const text = formatRelation(record);
    const current = stored === undefined ? null : formatRelation(stored.record);
    if (!plan.settle({ path, text, source, isRedacted }, current)) continue;
    const lost = [record.fromMemoryId, record.toMemoryId].find((id) => !alive.has(id));
    if (lost !== undefined) plan.notes.push({ source, why: `the memory ${lost} that it names is not here` });
    plan.date(record.createdAt * 1000);
  }
}

/** Gives all that a record says, without how often it was used and the gist, which follow from elsewhere. */
function wordsOf(record: MemoryRecord): string {
  return formatMemory({
    ...record,
    gist: null,
    lastUsed: 0,
    useCount: 0,
    strength: 0,
    reviewPriority: 0,
    lastReviewAt: null,
    reviewCount: 0,
    crossDomainCount: 0,
  });
}

function withUses(record: MemoryRecord, other: MemoryRecord): MemoryRecord {
  const reviewed = Math.max(record.lastReviewAt ?? -1, other.lastReviewAt ?? -1);
  return {
    ...record,
    lastUsed: Math.max(record.lastUsed, other.lastUsed),
    useCount: Math.max(record.useCount, other.useCount),
    strength: Math.max(record.strength, other.strength),
    reviewPriority: Math.max(record.reviewPriority, other.reviewPriority),
    lastReviewAt: reviewed < 0 ? null : reviewed,
    reviewCount: Math.max(record.reviewCount, other.reviewCount),
    crossDomainCount: Math.max(record.crossDomainCount, other.crossDomainCount),
  };
}

/** Takes secrets out of a record's values: words may hold random ones, identifiers only what is certain. */
export function cleanRecord(
  value: Readonly<Record<string, unknown>>,
  plan: ImportPlan,
  where: string,
): Record<string, unknown> {
  const { filter } = plan;
  try {
    for (const key of ['id', 'from_memory_id', 'to_memory_id']) {
      if (typeof value[key] === 'string') filter.passName(value[key], key);
    }
  } catch (cause) {
    throw new MemoryError('INVALID_RECORD', 'has a secret for an id', { cause });
  }
  const words = new Set(['content', 'gist']);
  const isMemory = typeof value.id === 'string' && typeof value.content === 'string';
  const keeping = isMemory ? plan.filterAt(memoryPath(value.id as string)) : filter;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, keeping.passAll(inner, where, { isCertain: !words.has(key) })]),
  );
}
