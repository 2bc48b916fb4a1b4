// Stores of CortexGraph, memories.jsonl and relations.jsonl (spec 1): each living record becomes a file of its own.

import { MemoryError } from '../../base/errors.ts';
import type { MemoryRecord, RelationRecord } from '../../base/types/stored-types.ts';
import { type LineReport, readStore, type StoreContents, type StoreLine } from '../../store/records/jsonl-store.ts';
import { salvageMemory } from '../../store/records/memory-record.ts';
import { salvageRelation } from '../../store/records/relation-record.ts';
import { formatMeta, metaPath, parseMeta } from '../../store/records/storage-meta.ts';
import { lineStorage } from '../../store/records/storage-upgrade.ts';
import { type ImportContext, ImportPlan } from './import-plan.ts';
import { cleanRecord, type Incoming, planMemories, planRelations } from './import-records.ts';
import type { Source, SourceFile } from './source.ts';

/** Plans the import of a store; throws NOT_FOUND where there is none, and what the secret filter refuses. */
export async function planJsonl(source: Source, context: ImportContext): Promise<ImportPlan> {
  const plan = new ImportPlan(context);
  const { memories: memoryFile, relations: relationFile } = storeFilesOf(source);
  if (memoryFile === undefined && relationFile === undefined) {
    throw new MemoryError('NOT_FOUND', 'no memories.jsonl or relations.jsonl is there', {
      where: source.name,
      hint: 'Name the folder that holds them, or one of them',
    });
  }
  const memories = collect<MemoryRecord>(memoryFile, plan, salvageMemory);
  const relations = collect<RelationRecord>(relationFile, plan, salvageRelation);
  await planMemories(memories.incoming, plan);
  const ids = new Set(memories.incoming.map(({ record }) => record.id));
  planRelations(relations.incoming, ids, plan);
  const present = new Set(context.view.memories.map(({ record }) => record.id));
  for (const id of memories.deleted) {
    if (present.has(id)) plan.notes.push({ source: memoryFile!.path, why: `${id} is deleted there and stays here` });
  }
  if (plan.items.length > 0) noteMigration(plan);
  return plan;
}

/** Finds the files of a store: by their names, or a single one by what its first record is. */
function storeFilesOf(source: Source): { memories?: SourceFile; relations?: SourceFile } {
  const named = (name: string) =>
    source.files
      .filter(({ path }) => path === name || path.endsWith(`/${name}`))
      .sort((a, b) => a.path.split('/').length - b.path.split('/').length)[0];
  const [memories, relations] = [named('memories.jsonl'), named('relations.jsonl')];
  if (memories !== undefined || relations !== undefined || source.isFolder)
    return { ...(memories && { memories }), ...(relations && { relations }) };
  const [only] = source.files;
  if (only === undefined) return {};
  return isRelationStore(only) ? { relations: only } : { memories: only };
}

function isRelationStore(file: SourceFile): boolean {
  for (const { text, number } of file.lines()) {
    if (text?.includes('"from_memory_id"')) return true;
    if (text?.includes('"content"') || number > 100) return false;
  }
  return false;
}

function collect<Value extends MemoryRecord | RelationRecord>(
  file: SourceFile | undefined,
  plan: ImportPlan,
  salvage: (value: unknown, where: string) => { record: Value; unreadable: string[] },
): { incoming: Incoming<Value>[]; deleted: ReadonlySet<string> } {
  if (file === undefined) return { incoming: [], deleted: new Set() };
  const redacted = new Set<Value>();
  const timeless = new Set<Value>();
  const read = (value: Record<string, unknown>, where: string) => {
    const made = salvage(cleanRecord(value, plan, where), where);
    if (plan.wasRedacted()) redacted.add(made.record);
    const says = (key: string) => (value[key] ?? null) !== null && !made.unreadable.includes(key);
    if (!says('created_at') && !says('last_used')) timeless.add(made.record);
    return made;
  };
  const contents: StoreContents<Value> = readStore(file.lines(), read, file.path);
  const noted = ({ line, why }: LineReport) => ({ source: file.path, line, why });
  plan.left.push(...contents.damaged.map(noted));
  plan.notes.push(...contents.partial.map(noted));
  const now = Math.floor(plan.context.view.now / 1000);
  const incoming = [...contents.records.values()].map(({ record, line }) => ({
    record: timeless.has(record) ? { ...record, createdAt: now, lastUsed: now } : record,
    source: `${file.path}:${line}`,
    ...(timeless.has(record) ? { isTimeless: true } : {}),
    isRedacted: redacted.has(record),
  }));
  return { incoming, deleted: contents.deleted };
}

function noteMigration(plan: ImportPlan): void {
  const { snapshot } = plan.context.view;
  const text = snapshot.readText(metaPath);
  if (text === null) return;
  const meta = parseMeta(text);
  if (meta.migratedFrom !== null) return;
  plan.items.push({
    action: 'change',
    ids: [],
    source: metaPath,
    why: 'it says where the memories were before',
    changes: [
      {
        path: metaPath,
        before: snapshot.oidOf(metaPath),
        after: Buffer.from(formatMeta({ ...meta, migratedFrom: lineStorage })),
      },
    ],
  });
}

/** Tells whether a line is one of a store of records, and no message of a conversation. */
export function looksLikeStore(line: StoreLine | undefined): boolean {
  const text = line?.text ?? '';
  if (/"_deleted"\s*:\s*true/.test(text) || text.includes('"from_memory_id"')) return true;
  return text.includes('"id"') && text.includes('"content"') && /"(?:use_count|strength|last_used|meta)"/.test(text);
}
