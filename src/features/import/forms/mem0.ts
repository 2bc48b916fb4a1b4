// Memories of mem0: what `get_all` answers, exports of the platform, and the backup of OpenMemory. mem0 itself keeps the history of each memory
// in a file of SQLite.
//
//   {"results":[{"id":"…","memory":"Keeps bees","user_id":"ada","created_at":"…","categories":["hobby"]}],"relations":[…]}

import { inDatabase, isSqlite } from '../sqlite.ts';
import { type Fields, fieldsOf, listOf, timeOf, wordOf } from './fields.ts';
import { type At, type Entry, type Form, factId, type Reading } from './form.ts';
import { firstLines, jsonLines, wholeJson } from './json-files.ts';

const whose = /"(?:user_id|agent_id|run_id|app_id|category_ids|new_memory)"\s*:/;

export const mem0: Form = {
  channel: '',
  isKnowledge: true,
  places: [{ root: '~/.mem0', variable: 'MEM0_DIR', files: 'history.db' }],

  detect(path, head) {
    if (isSqlite(head)) return head.includes('memory_id') && head.includes('new_memory') ? 0.95 : 0;
    if (/\.jsonl$/i.test(path)) return firstLines(head).some((value) => isMemory(value)) ? 0.85 : 0;
    if (!/\.json$/i.test(path) || !/"id"\s*:/.test(head) || /"(?:chat_messages|mapping)"\s*:/.test(head)) return 0;
    if (/"(?:memory|new_memory)"\s*:\s*"/.test(head) && (whose.test(head) || /"created_at"\s*:/.test(head)))
      return 0.85;
    return /"memories"\s*:\s*\[/.test(head) && whose.test(head) ? 0.85 : 0;
  },

  *read(file, reading) {
    if (isSqlite(file.head(16).toString('latin1')))
      yield* inDatabase(file, (base) => {
        const rows = [...base.rows('history')];
        return histories(
          rows.map(({ rowid, values }) => ({ line: `row ${rowid}`, value: values })),
          reading,
        );
      });
    else if (/\.jsonl$/i.test(file.path))
      for (const { line, value } of jsonLines(file, reading)) yield* memoryOf(value, line, new Map(), reading);
    else yield* whole(wholeJson(file, reading), reading);
  },
};

const isMemory = (value: Fields): boolean =>
  wordOf(value.memory) !== undefined && (wordOf(value.id) !== undefined || whose.test(JSON.stringify(value)));

/** A list, or an object that holds it. */
function* whole(value: unknown, reading: Reading): Generator<Entry> {
  const fields = fieldsOf(value);
  const list = [value, fields.results, fields.memories].find((one) => Array.isArray(one));
  const categories = new Map(
    listOf(fields.categories).map((one) => [String(fieldsOf(one).id), String(fieldsOf(one).name)]),
  );
  const rows = listOf(list).map((one, at) => ({ line: `memory ${at + 1}`, value: fieldsOf(one) }));
  if (rows.some((row) => 'new_memory' in row.value)) yield* histories(rows, reading);
  else for (const { line, value: one } of rows) yield* memoryOf(one, line, categories, reading);
  for (const [at, one] of listOf(fields.relations).entries()) yield* relationOf(fieldsOf(one), at, reading);
}

function* memoryOf(
  value: Fields,
  line: At,
  categories: ReadonlyMap<string, string>,
  reading: Reading,
): Generator<Entry> {
  const text = wordOf(value.memory) ?? wordOf(value.content) ?? wordOf(fieldsOf(value.data).memory);
  if (text === undefined) return reading.broken('is no memory: it has no text', line);
  if (value.state === 'deleted') return reading.leave('were deleted there', line);
  const time = timeOf(value.created_at) ?? timeOf(value.updated_at);
  const owner = wordOf(value.user_id) ?? wordOf(value.agent_id) ?? wordOf(value.app_id);
  const named = [
    ...listOf(value.categories),
    ...listOf(value.category_ids).map((id) => categories.get(String(id))),
    ...listOf(fieldsOf(value.metadata).tags),
  ];
  const tags = named.flatMap((tag) => wordOf(tag) ?? []);
  // What was said of a memory beside its words is said in tags.
  for (const [key, told] of Object.entries(fieldsOf(value.metadata)))
    if (['string', 'number', 'boolean'].includes(typeof told)) tags.push(`${key}:${told}`);
  yield {
    kind: 'record',
    id: wordOf(value.id) ?? factId('mem0', owner ?? '', text),
    text,
    time,
    tags,
    entities: owner === undefined || categories.size > 0 ? [] : [owner],
    line,
  };
}

function* relationOf(value: Fields, at: number, reading: Reading): Generator<Entry> {
  const line = `relation ${at + 1}`;
  const from = wordOf(value.source);
  const to = wordOf(value.destination) ?? wordOf(value.target);
  const relation = wordOf(value.relationship) ?? wordOf(value.relation);
  if (from === undefined || to === undefined || relation === undefined)
    return reading.broken('is no relation of two things', line);
  const text = `${from} ${relation} ${to}`;
  yield { kind: 'record', id: factId('mem0', from, text), text, tags: [relation], entities: [from, to], line };
}

/** Of each memory the newest words, with the time when it was first made. */
function* histories(
  rows: readonly { readonly line: At; readonly value: Fields }[],
  reading: Reading,
): Generator<Entry> {
  const latest = new Map<string, { line: At; value: Fields; time: number | undefined }>();
  for (const { line, value } of rows) {
    const id = wordOf(value.memory_id);
    if (id === undefined) {
      reading.broken('names no memory', line);
      continue;
    }
    const former = latest.get(id);
    if (former !== undefined) reading.leave('are earlier words of a memory', former.line);
    const time = former?.time ?? timeOf(value.created_at) ?? timeOf(value.updated_at);
    latest.delete(id);
    latest.set(id, { line, value, time });
  }
  for (const [id, { line, value, time }] of latest) {
    const text = wordOf(value.new_memory);
    if (value.event === 'DELETE' || Number(value.is_deleted) === 1) reading.leave('were deleted there', line);
    else if (text === undefined) reading.broken('is no memory: it has no text', line);
    else yield { kind: 'record', id, text, time, line };
  }
}
