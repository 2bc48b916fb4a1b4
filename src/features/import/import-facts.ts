// The fact layout of spec 4 (Engram): facts, corrections and artifacts become records, entities knowledge files, the rest notes.

import { isJsonObject, parseJson } from '../../base/canonical-json.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { parseFact } from '../../store/records/fact-file.ts';
import { formatMemory, salvageMemory } from '../../store/records/memory-record.ts';
import { NotePlanner, placeOf } from './import-files.ts';
import { type ImportContext, ImportPlan } from './import-plan.ts';
import { cleanRecord, type Incoming, planMemories } from './import-records.ts';
import { type Source, type SourceFile, wordsIn } from './source.ts';

/** Plans the files of such a layout; what is no text of it is left. */
export async function planFacts(source: Source, context: ImportContext): Promise<ImportPlan> {
  const plan = new ImportPlan(context);
  const notes = new NotePlanner(plan);
  const incoming = new Map<string, Incoming<MemoryRecord>>();
  for (const [index, file] of source.files.entries()) {
    if (index % 100 === 0) await context.pace(index, source.files.length);
    const [, entity] = /^entities\/([^/]+\.md)$/.exec(file.path) ?? [];
    if (entity !== undefined) notes.take(file, entityPlace(entity));
    else if (/^(?:facts|corrections|artifacts)\/.*\.md$/.test(file.path)) {
      const found = recordOf(file, plan);
      if (found !== null && incoming.has(found.record.id)) {
        plan.left.push({ source: file.path, why: `has the id of ${incoming.get(found.record.id)!.source}` });
      } else if (found !== null) incoming.set(found.record.id, found);
    } else if (/\.md$/i.test(file.path)) notes.take(file, placeOf(file.path, source, context.settings.into));
    else plan.left.push({ source: file.path, why: 'is state of its program, or no text' });
  }
  await planMemories([...incoming.values()], plan);
  return plan;
}

/** `person-ada.md` is a person, `project-atlas.md` a project; the others keep their type in the name. */
function entityPlace(name: string): string {
  const [, type, rest] = /^(person|project)-(.+)$/.exec(name) ?? [];
  if (type === undefined) return `knowledge/entities/${name}`;
  return `knowledge/${type === 'person' ? 'people' : 'projects'}/${rest}`;
}

function recordOf(file: SourceFile, plan: ImportPlan): Incoming<MemoryRecord> | null {
  return plan.attempt(file.path, () => {
    const { record, unreadable } = parseFact(wordsIn(file), file.path);
    const value = parseJson(formatMemory(record), file.path);
    const cleaned = isJsonObject(value) ? cleanRecord(value, plan, file.path) : value;
    if (unreadable.length > 0) {
      plan.notes.push({ source: file.path, why: `could not read ${unreadable.join(', ')}, kept as it was` });
    }
    return { record: salvageMemory(cleaned, file.path).record, source: file.path, isRedacted: plan.wasRedacted() };
  });
}
