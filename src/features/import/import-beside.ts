// What stands beside conversations in the files of another program: texts become notes, what it remembers becomes memories.

import { parseJson } from '../../base/canonical-json.ts';
import { wordsHash } from '../../base/hash.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { salvageMemory } from '../../store/records/memory-record.ts';
import type { Beside } from './assemble.ts';
import type { RecordEntry } from './forms/form.ts';
import { noteTaker, placeOf } from './import-files.ts';
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
  const takeNote = noteTaker(plan);
  const incoming = new Map<string, Incoming<MemoryRecord>>();
  const name = source.name.replace(/\.\w+$/, '');
  const { into } = context.settings;
  for (const { source: place, entry, time, isUndated } of beside) {
    if (entry.kind === 'note') {
      const own = into === undefined ? entry.path : entry.path.replace(/^knowledge\/(?:reference\/)?/, '');
      const path = placeOf(own, { name, isFolder: true }, into);
      const isTaken = takeNote({ ...textFileOf({ path: own, text: entry.text }), path: place }, path);
      if (isTaken) plan.date(time);
    } else {
      const found = plan.attempt(place, () => recordOf({ ...entry, time }, isUndated, plan, place));
      if (found !== null) incoming.set(found.record.id, found);
    }
  }
  await planMemories([...incoming.values()], plan);
  return plan;
}

function recordOf(
  { id, text, time, tags = [], entities = [] }: RecordEntry & { readonly time: number },
  isUndated: boolean,
  plan: ImportPlan,
  place: string,
): Incoming<MemoryRecord> {
  const seconds = Math.floor(time / 1000);
  const value = {
    id: idOf(id),
    content: text,
    created_at: seconds,
    last_used: seconds,
    ...(entities.length === 0 ? {} : { entities }),
    meta: { tags },
  };
  const given = parseJson(JSON.stringify(value), place) as Record<string, unknown>;
  const { record } = salvageMemory(cleanRecord(given, plan, place), place);
  const isRedacted = plan.wasRedacted();
  return { record, source: place, isRedacted, ...(isUndated ? { isTimeless: true } : {}) };
}

const idLength = 64;

/** An id that a file name can hold; what had to be changed for it stays another than its like. */
function idOf(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]+/g, '-');
  if (plain.length <= idLength && (plain === id || !/[^A-Za-z0-9._-]/.test(id))) return plain;
  return `${plain.slice(0, idLength - 12)}-${wordsHash(id).toString(36)}`;
}
