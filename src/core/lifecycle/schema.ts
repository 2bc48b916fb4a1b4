// Schemas (spec 1): what a cluster of promoted memories has to say, in one memory of the status schema; the members stay.

import { defined } from '../../base/defined.ts';
import { sha256Hex } from '../../base/hash.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { MadeOfSeveral } from '../../base/types.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import { type Cluster, clustersOf, cohesionOf, mostMembers } from './clusters.ts';
import { bestGistOf, gistLevelOf } from './gist/gist.ts';
import type { Likeness } from './likeness.ts';
import { mergedRecord } from './merge-memories.ts';
import { type Pass, type PassItem, type PassView, severalOf } from './pass.ts';
import { addedMemory } from './record-changes.ts';
import { lineageRelation } from './relations.ts';

/** A cluster of promoted memories that gets a schema. */
export interface SchemaItem extends PassItem, MadeOfSeveral {
  readonly action: 'distil';
}

export interface SchemaPassOptions {
  readonly likenessOf: (texts: readonly string[], signal?: AbortSignal) => Promise<Likeness>;
  /** Exactly these promoted memories. */
  readonly ids?: readonly string[];
}

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
    const members = records.map((_, at) => at);
    const clusters: readonly Cluster[] =
      ids === undefined
        ? clustersOf(await likeness.pairs(schemaLikeness, defined({ signal })), likeness.of, mostMembers)
        : [{ members, cohesion: cohesionOf(members, likeness.of) }];
    const large = clusters.filter((cluster) => ids !== undefined || cluster.members.length >= leastOfSchema);
    const recordsOf = (cluster: Cluster) => cluster.members.map((member) => records[member]!);
    return { items: large.map((cluster) => itemOf(view, recordsOf(cluster), cluster.cohesion)), left: [] };
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

function itemOf(view: PassView, members: readonly Stored<MemoryRecord>[], cohesion: number): SchemaItem {
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
