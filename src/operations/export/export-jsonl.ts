// Records as a store of JSON lines (spec 1), to be read by other tools and by import.

import { formatStoreLine } from '../../records/jsonl-store.ts';
import { formatMemory } from '../../records/memory-record.ts';
import { formatRelation } from '../../records/relation-record.ts';
import type { ExportPlan, ExportScope } from './target.ts';

/** Plans memories.jsonl and relations.jsonl, a line for each record in the order of ids. */
export function exportJsonl({ catalog, snapshot }: ExportScope): ExportPlan {
  const memories = catalog.stored(snapshot).map(({ record }) => ({ id: record.id, json: formatMemory(record) }));
  const relations = catalog.relations(snapshot).map(({ record }) => ({ id: record.id, json: formatRelation(record) }));
  const store = (records: { id: string; json: string }[]) =>
    Buffer.from(
      records
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ json }) => formatStoreLine(json))
        .join(''),
    );
  return {
    files: [
      { path: 'memories.jsonl', bytes: store(memories) },
      { path: 'relations.jsonl', bytes: store(relations) },
    ],
    records: memories.length + relations.length,
    left: catalog.problems(snapshot),
  };
}
