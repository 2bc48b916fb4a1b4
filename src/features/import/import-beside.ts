// What stands beside conversations in the files of another program: texts become notes, what it remembers becomes memories.

import { parseJson } from '../../base/canonical-json.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { salvageMemory } from '../../store/records/memory-record.ts';
import type { Beside } from './assemble.ts';
import type { RecordEntry } from './forms/form.ts';
import { NotePlanner, placeOf } from './import-files.ts';
import { type ImportContext, ImportPlan } from './import-plan.ts';
import { cleanRecord, type Incoming, planMemories } from './import-records.ts';
import { type Source, textFileOf } from './source.ts';

/** Plans notes and memories that forms found. */
export async function planBeside(
  beside: readonly Beside[],
  source: Source,
  context: ImportContext,
): Promise<ImportPlan> {
  const plan = new ImportPlan(context);
  const notes = new NotePlanner(plan);
  const incoming = new Map<string, Incoming<MemoryRecord>>();
  const name = source.name.replace(/\.\w+$/, '');
  for (const { source: place, entry } of beside) {
    if (entry.kind === 'note') {
      const path = placeOf(entry.path, { name, isFolder: true }, context.settings.into);
      notes.take({ ...textFileOf({ path: entry.path, text: entry.text }), path: place }, path);
    } else {
      const found = plan.attempt(place, () => recordOf(entry, plan, place));
      if (found !== null) incoming.set(found.record.id, found);
    }
  }
  await planMemories([...incoming.values()], plan);
  return plan;
}

function recordOf(entry: RecordEntry, plan: ImportPlan, place: string): Incoming<MemoryRecord> {
  const { id, text, time, tags = [], entities = [] } = entry;
  const value = {
    id: id.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 64),
    content: text,
    ...(time === undefined ? {} : { created_at: Math.floor(time / 1000), last_used: Math.floor(time / 1000) }),
    ...(entities.length === 0 ? {} : { entities }),
    meta: { tags },
  };
  const given = parseJson(JSON.stringify(value), place) as Record<string, unknown>;
  const { record } = salvageMemory(cleanRecord(given, plan, place), place);
  const isRedacted = plan.wasRedacted();
  return { record, source: place, isRedacted, ...(time === undefined ? { isTimeless: true } : {}) };
}
