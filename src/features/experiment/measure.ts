// What a state knows, in numbers: how much, how often the same, and where it contradicts itself.

import { discrepancyReader } from '../../base/discrepancy.ts';
import { normaliseForHash } from '../../base/text.ts';
import { estimateTokens } from '../../base/token-estimate.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { ComparedSide } from '../../base/types.ts';
import { isActive } from '../../core/extract/known-memories.ts';
import { contradictionsAmong } from '../../core/extract/reconcile.ts';
import { linkLikeness, nearDuplicate, type PairOptions } from '../../core/lifecycle/likeness.ts';
import { hashedLikeness } from '../../core/maintain/record-passes.ts';
import type { MemoryCatalog, Stored } from '../../store/memory-catalog.ts';
import { formatMemory } from '../../store/records/memory-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** The numbers of one side. */
export type Measured = Omit<ComparedSide, 'name' | 'commit' | 'extractor' | 'cost'>;

/** Measures the active memories of a state; likeness is that of hashed words, so that it costs nothing and is always the same. */
export async function measureState(
  snapshot: Snapshot,
  catalog: MemoryCatalog,
  options: PairOptions,
): Promise<Measured> {
  const stored = catalog.stored(snapshot);
  const records = stored.map(({ record }) => record).filter(isActive);
  const byWords = new Map<string, number>();
  for (const { content } of records) {
    const words = normaliseForHash(content);
    byWords.set(words, (byWords.get(words) ?? 0) + 1);
  }
  const texts = records.map(({ content }) => content);
  const likeness = hashedLikeness(texts);
  const pairs = (await likeness.pairs(linkLikeness, options)).filter(
    ({ one, other }) => normaliseForHash(texts[one]!) !== normaliseForHash(texts[other]!),
  );
  const discrepancyOf = discrepancyReader();
  const discrepancies = pairs.map(({ one, other }) => discrepancyOf(texts[one]!, texts[other]!));
  const contradicting = new Set([
    ...pairs.flatMap(({ one, other }, at) =>
      discrepancies[at] === 'a denial' ? [pairName(records[one]!.id, records[other]!.id)] : [],
    ),
    ...contradictionsAmong(records).map(({ old, by }) => pairName(old.id, by.id)),
    ...saidToContradict(records, snapshot, catalog),
  ]);
  return {
    memories: records.length,
    byCategory: countBy(records),
    superseded: stored.filter(({ record }) => record.status === 'superseded').length,
    bytes: records.reduce((sum, record) => sum + Buffer.byteLength(formatMemory(record)), 0),
    tokens: records.reduce((sum, { content }) => sum + estimateTokens(content), 0),
    exactDuplicates: records.length - byWords.size,
    nearDuplicates: pairs.filter(({ likeness: alike }, at) => alike >= nearDuplicate && discrepancies[at] === undefined)
      .length,
    contradictions: contradicting.size,
  };
}

function countBy(records: readonly MemoryRecord[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { category = 'other' } of records) counts.set(category, (counts.get(category) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const pairName = (one: string, other: string): string => [one, other].sort().join(' ');

function saidToContradict(records: readonly MemoryRecord[], snapshot: Snapshot, catalog: MemoryCatalog): string[] {
  const ids = new Set(records.map(({ id }) => id));
  const isMeant = ({ record }: Stored<{ relationType: string; fromMemoryId: string; toMemoryId: string }>) =>
    record.relationType === 'contradicts' && ids.has(record.fromMemoryId) && ids.has(record.toMemoryId);
  return catalog
    .relations(snapshot)
    .filter(isMeant)
    .map(({ record }) => pairName(record.fromMemoryId, record.toMemoryId));
}
