// What the memory is about (spec 4): state/topics.json, derived from memories and boxes and never merged.

import { formatJson, objectAt } from '../../base/canonical-json.ts';
import { count } from '../../base/count.ts';
import { orElse } from '../../base/errors.ts';
import { dayOf } from '../../base/time.ts';
import { type MemoryRecord, memoryCategories } from '../../base/types/stored-types.ts';
import { type Box, parseBox } from '../../store/records/box-file.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Pass, PassView } from './pass.ts';
import { changedFile } from './record-changes.ts';

/** Where the index stands: topic → how many memories and boxes have it, their traces, and the day of the last. */
const topicIndexPath = 'state/topics.json';

/** What was named once is no topic yet; and an index is read by people. */
const least = 2;
const most = 2000;
const kindTags: ReadonlySet<string> = new Set([...memoryCategories, 'p0', 'p1', 'p2', 'p3', 'deadline']);

/** Indexes tags and entities of active memories, and the topics of boxes, in lower case and sorted; those that {@link least} of them have. */
export function topicIndexOf(memories: readonly MemoryRecord[], boxes: readonly Box[], timeZone: string) {
  const topics = new Map<string, { memories: number; boxes: number; traces: Set<string>; last: number }>();
  const at = (name: string, time: number) => {
    const key = name.toLowerCase().replace(/\s+/g, ' ').trim();
    const entry = topics.get(key) ?? { memories: 0, boxes: 0, traces: new Set<string>(), last: 0 };
    entry.last = Math.max(entry.last, time);
    if (key !== '' && !kindTags.has(key)) topics.set(key, entry);
    return entry;
  };
  for (const record of memories) {
    const { status, createdAt } = record;
    if (status !== 'active' && status !== 'promoted') continue;
    for (const name of new Set(namesOf(record))) at(name, createdAt * 1000).memories += 1;
  }
  for (const box of boxes) {
    for (const name of new Set(box.topics)) {
      const entry = at(name, box.memories.at(-1)?.time ?? box.started);
      entry.boxes += 1;
      if (box.traceId !== undefined) entry.traces.add(box.traceId);
    }
  }
  const kept = [...topics]
    .filter(([, entry]) => entry.memories + entry.boxes >= least)
    .sort(([a, one], [b, two]) => two.memories - one.memories || two.boxes - one.boxes || (a < b ? -1 : 1))
    .slice(0, most)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    kept.map(([name, { memories, boxes, traces, last }]) => {
      return [name, { memories, boxes, traces: [...traces].sort(), last: dayOf(last, timeZone) }];
    }),
  );
}

const namesOf = ({ meta, entities }: MemoryRecord): string[] =>
  [...meta.tags, ...entities].map((name) => name.toLowerCase());

/** Gives the index without what a memory alone names; null where there is nothing to take out. The next pass counts the rest. */
export function topicsWithout(snapshot: Snapshot, record: MemoryRecord, others: Iterable<MemoryRecord>) {
  const { topics = {} } = objectAt(snapshot.textIfWhole(topicIndexPath), topicIndexPath);
  const left = { ...(topics as Record<string, unknown>) };
  const gone = new Set(namesOf(record).filter((name) => name in left));
  if (gone.size === 0) return null;
  for (const other of others) if (other.id !== record.id) for (const name of namesOf(other)) gone.delete(name);
  for (const name of gone) delete left[name];
  return gone.size === 0 ? null : { path: topicIndexPath, after: formatJson({ topics: left }) };
}

/** Plans to bring the index to what memories and boxes say now. */
export const topicIndex: Pass<void> = {
  name: 'topics',
  plan(view) {
    const { snapshot, memories, configuration } = view;
    const index = topicIndexOf(
      memories.map(({ record }) => record),
      boxesOf(view),
      configuration.timezone,
    );
    const named = Object.keys(index).length;
    const after = formatJson({ topics: index });
    const before = snapshot.readText(topicIndexPath);
    if (after === before || (before === null && named === 0)) return { items: [], left: [] };
    const change = changedFile(snapshot, topicIndexPath, after);
    const why = `${count(named, 'topic is', 'topics are')} what memories and boxes name`;
    return { items: [{ action: 'index', ids: [], why, changes: [change], mayWait: true }], left: [] };
  },
  describe: () => ({ subject: 'topics indexed' }),
};

function boxesOf({ snapshot }: PassView): Box[] {
  // What is no box has no topics; `doctor` names files that cannot be read.
  const read = (path: string) => orElse(() => [parseBox(snapshot.readText(path) ?? '', path)], []);
  return [...snapshot.list('boxes/').keys()].flatMap(read);
}
