// What can be asked of the memory boxes of a state: which there are, what is in one, and what else is on its trace.

import { defined, MemoryError } from '../../base/errors.ts';
import { formatTime } from '../../base/time.ts';
import type { BoxesResult, BoxFilter, BoxResult, ListedBox } from '../../base/types.ts';
import type { MemoryCatalog, Stored } from '../../store/memory-catalog.ts';
import type { Box } from '../../store/records/box-file.ts';
import { memoryPath } from '../../store/records/memory-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** Lists boxes, oldest first. Throws INVALID_ARGUMENT. */
export function listBoxes(catalog: MemoryCatalog, snapshot: Snapshot, filter: BoxFilter): BoxesResult {
  const { day, topic, trace, status, memory, limit } = filter;
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new MemoryError('INVALID_ARGUMENT', 'limit must be a whole number above 0', { where: 'limit' });
  if (day !== undefined && !/^\d{4}-\d\d-\d\d$/.test(day))
    throw new MemoryError('INVALID_ARGUMENT', 'day must be a day such as 2026-02-16', { where: 'day' });
  const wanted = topic?.toLowerCase();
  const boxes = inOrder(catalog.boxes(snapshot)).filter(
    ({ path, record }) =>
      (day === undefined || dayOf(path, record) === day) &&
      (wanted === undefined || record.topics.some((one) => one.toLowerCase() === wanted)) &&
      (trace === undefined || record.traceId === trace) &&
      (status === undefined || record.status === status) &&
      (memory === undefined || record.memories.some(({ id }) => id.startsWith(memory))),
  );
  return { boxes: (limit === undefined ? boxes : boxes.slice(-limit)).map(listed) };
}

/** Gives one box by its id or the beginning of it, or its path. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT. */
export function showBox(catalog: MemoryCatalog, snapshot: Snapshot, id: string): BoxResult {
  if (id === '') throw new MemoryError('INVALID_ARGUMENT', 'the id of a box is missing', { where: 'id' });
  const boxes = inOrder(catalog.boxes(snapshot));
  const whole = boxes.filter(({ path, record }) => path === id || record.id === id);
  const found = whole.length > 0 ? whole : boxes.filter(({ record }) => record.id.startsWith(id));
  const [box] = found;
  if (box === undefined) {
    const hint = '`git memory knowledge boxes` lists them';
    throw new MemoryError('NOT_FOUND', `there is no box ${id}`, { where: id, hint });
  }
  if (found.length > 1) {
    const hint = 'Give more of the id, or the path';
    throw new MemoryError('AMBIGUOUS', `${found.length} boxes have an id that begins with ${id}`, { where: id, hint });
  }
  const { memories, notes, traceId } = box.record;
  return {
    ...listed(box),
    memories: memories.map(({ time, ...memory }) => ({
      ...memory,
      time: formatTime(time),
      state: catalog.storedAt(snapshot, memoryPath(memory.id))?.record.status ?? 'gone',
    })),
    notes,
    trace: boxes
      .filter((other) => traceId !== undefined && other !== box && other.record.traceId === traceId)
      .map(listed),
  };
}

const inOrder = (boxes: readonly Stored<Box>[]): Stored<Box>[] =>
  [...boxes].sort((a, b) => a.record.started - b.record.started || (a.path < b.path ? -1 : 1));

/** The folder says it; who moved the file by hand may have lost it. */
function dayOf(path: string, { started }: Box): string {
  return /^boxes\/(\d{4}-\d\d-\d\d)\//.exec(path)?.[1] ?? formatTime(started).slice(0, 10);
}

function listed({ path, record }: Stored<Box>): ListedBox {
  const { id, status, reason, traceId, topics, started, sealed, memories } = record;
  return {
    id,
    path,
    day: dayOf(path, record),
    status,
    ...defined({ reason, traceId }),
    topics,
    started: formatTime(started),
    ...(sealed === undefined ? {} : { sealed: formatTime(sealed) }),
    count: memories.length,
  };
}
