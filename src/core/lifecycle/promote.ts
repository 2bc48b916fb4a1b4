// Promotion (spec 1): a strong memory becomes a knowledge file, which names it; the memory names the file, and stays. What a cluster of
// promoted memories has to say becomes a schema: one memory of that status, beside its members.

import { defined } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { oneLine, slugOf } from '../../base/text.ts';
import { formatTime } from '../../base/time.ts';
import type { MemoryCategory, MemoryRecord } from '../../base/types/stored-types.ts';
import type { PromoteResult, SchemaResult } from '../../base/types.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { formatFrontMatter } from '../../store/records/front-matter.ts';
import { scoreOf } from '../../store/records/strength.ts';
import type { ConsolidateOptions } from './consolidate.ts';
import { bestGistOf, gistLevelOf } from './gist/gist.ts';
import { type Cluster, clusterOfAll, clustersOf, mostMembers } from './likeness.ts';
import { mergedRecord } from './merge-memories.ts';
import { activeMemory, type ItemOf, type Pass, type PassView, severalOf } from './pass.ts';
import { addedMemory, changedFile, changedMemory } from './record-changes.ts';
import { lineageRelation } from './relations.ts';

/** A memory that becomes knowledge. */
export type PromoteItem = ItemOf<PromoteResult>;

const strongScore = 0.65;
const manyUses = 5;
const earlySeconds = 14 * 86_400;
const folders: Partial<Record<MemoryCategory, string>> = {
  principle: 'principles',
  relationship: 'people',
  entity: 'entities',
  skill: 'procedures',
};

/**
 * Tells why a memory is strong enough to become knowledge, or undefined. It was used at least once and scores {@link strongScore} or more, or
 * was used five times within fourteen days of its making (CortexGraph). A score alone would promote whatever is new.
 */
export function strengthReasonOf(record: MemoryRecord, now: number, decay: Configuration['decay']): string | undefined {
  if (record.status !== 'active' || record.useCount < 1) return undefined;
  const score = scoreOf(record, now, decay);
  if (score >= strongScore) return `used ${record.useCount} times, score ${score.toPrecision(3)}`;
  const age = now / 1000 - record.createdAt;
  return record.useCount >= manyUses && age <= earlySeconds
    ? `used ${record.useCount} times in ${Math.ceil(age / 86_400)} days`
    : undefined;
}

/** Plans the promotion of strong memories, or of those that are named. */
export const promotion: Pass<{ readonly ids?: readonly string[] }, PromoteItem> = {
  name: 'promote',
  kind: 'memory',
  commits: 'each',
  plan(view, _ports, { ids }) {
    const { memories, now, configuration } = view;
    if (ids !== undefined) {
      const named = [...new Set(ids)].map((id) => activeMemory(view, id, 'promoted'));
      return { items: named.map((stored) => itemOf(view, stored, 'asked for')), left: [] };
    }
    const items = memories.flatMap((stored) => {
      const why = strengthReasonOf(stored.record, now, configuration.decay);
      return why === undefined ? [] : [itemOf(view, stored, why)];
    });
    return { items, left: [] };
  },
  describe([item]) {
    return { subject: `promote ${item!.ids[0]!.slice(0, 8)} to ${item!.to}` };
  },
};

function itemOf({ snapshot, now }: PassView, stored: Stored<MemoryRecord>, why: string): PromoteItem {
  const { record } = stored;
  const title = oneLine(record.gist ?? record.content, 72);
  const folder = folders[record.category ?? 'fact'] ?? 'insights';
  const name = (id: string): string => `knowledge/${folder}/${slugOf(title)}-${slugOf(id)}.md`;
  // A file of somebody else may have the short name.
  const path = snapshot.oidOf(name(record.id.slice(0, 8))) === null ? name(record.id.slice(0, 8)) : name(record.id);
  const seconds = Math.floor(now / 1000);
  const sources = (record.sources ?? []).map(
    ({ path: from, turn }) => `[source: ${from}${turn === undefined ? '' : `#${turn}`}]`,
  );
  const text = formatFrontMatter(
    {
      type: 'promoted',
      memory: record.id,
      promoted_at: formatTime(seconds * 1000),
      created: formatTime(record.createdAt * 1000),
      ...defined({ category: record.category }),
      ...(record.meta.tags.length === 0 ? {} : { tags: record.meta.tags }),
      ...(record.entities.length === 0 ? {} : { entities: record.entities }),
    },
    `\n# ${title}\n\n${[record.content.trim(), ...sources].join('\n')}\n`,
  );
  return {
    action: 'promote',
    ids: [record.id],
    why,
    to: path,
    content: record.content,
    changes: [
      changedFile(snapshot, path, text),
      changedMemory(stored, { ...record, status: 'promoted', promotedAt: seconds, promotedTo: path }),
    ],
  };
}

/** A cluster of promoted memories that gets a schema. */
export type SchemaItem = ItemOf<SchemaResult>;

/** With `ids`, exactly these promoted memories. */
export type SchemaPassOptions = Pick<ConsolidateOptions, 'likenessOf' | 'ids'>;

/** Promoted memories this alike are distilled into a schema, where there are so many of them. */
const schemaLikeness = 0.5;
const leastOfSchema = 3;

/** Plans a schema for each cluster of {@link leastOfSchema} promoted memories and more that are in none yet. */
export const distillation: Pass<SchemaPassOptions, SchemaItem> = {
  name: 'schema',
  kind: 'consolidate',
  commits: 'each',
  async plan(view, { signal }, { likenessOf, ids }) {
    const records = ids === undefined ? freePromoted(view) : chosen(view, ids);
    const likeness = await likenessOf(
      records.map(({ record }) => record.content),
      signal,
    );
    const clusters =
      ids === undefined
        ? clustersOf(await likeness.pairs(schemaLikeness, defined({ signal })), likeness.of, mostMembers)
        : [clusterOfAll(records.length, likeness.of)];
    const large = clusters.filter((cluster) => ids !== undefined || cluster.members.length >= leastOfSchema);
    const recordsOf = (cluster: Cluster) => cluster.members.map((member) => records[member]!);
    return { items: large.map((cluster) => schemaOf(view, recordsOf(cluster), cluster.cohesion)), left: [] };
  },
  describe([item]) {
    return {
      subject: `schema ${item!.into.slice(0, 8)} of ${item!.sources.length} memories`,
      body: item!.sources.map(({ id }) => `- ${id}`).join('\n'),
    };
  },
};

function freePromoted({ memories, relations }: PassView): Stored<MemoryRecord>[] {
  const schemas = new Set(memories.flatMap(({ record }) => (record.status === 'schema' ? [record.id] : [])));
  const distilled = new Set(
    relations.flatMap(({ record }) =>
      record.relationType === 'consolidated_from' && schemas.has(record.fromMemoryId) ? [record.toMemoryId] : [],
    ),
  );
  return memories
    .filter(({ record }) => record.status === 'promoted' && !distilled.has(record.id))
    .sort((a, b) => (a.record.id < b.record.id ? -1 : 1));
}

function chosen({ memories }: PassView, ids: readonly string[]): Stored<MemoryRecord>[] {
  const hint = '`git memory list --status promoted` shows them, `git memory knowledge promote` makes them';
  const promoted = memories.filter(({ record }) => record.status === 'promoted');
  return severalOf(promoted, ids, { kind: 'promoted', what: 'a schema', hint });
}

function schemaOf(view: PassView, members: readonly Stored<MemoryRecord>[], cohesion: number): SchemaItem {
  const records = [...members.map(({ record }) => record)].sort(
    (a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1),
  );
  const line = (record: MemoryRecord): string =>
    (bestGistOf(record.content, 'strong') ?? record.content).replace(/\s+/g, ' ').trim();
  const content = records.map((record) => `- ${line(record)}`).join('\n');
  const ids = records.map(({ id }) => id).sort();
  const gistLevel = gistLevelOf(view.configuration.gist.level);
  const merged = mergedRecord(records, { cohesion, gistLevel, content });
  const schema: MemoryRecord = {
    ...merged,
    id: sha256Hex(`schema\n${ids.join('\n')}`).slice(0, 32),
    status: 'schema',
    createdAt: Math.floor(view.now / 1000),
    lastUsed: Math.floor(view.now / 1000),
    useCount: 0,
  };
  const metadata = { cluster_cohesion: Math.round(cohesion * 10_000) / 10_000 };
  return {
    action: 'distil',
    ids: [schema.id, ...ids],
    why: `${ids.length} promoted memories about the same, cohesion ${cohesion.toFixed(2)}`,
    into: schema.id,
    content,
    sources: records.map(({ id, content: said }) => ({ id, content: said })),
    cohesion,
    changes: [
      addedMemory(schema),
      ...ids.map((id) => lineageRelation('consolidated_from', schema.id, id, view.now, metadata)),
    ],
  };
}
