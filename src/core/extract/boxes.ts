// Memory boxes (spec 4): what an extraction made goes into the open box that is about the same, or begins one. Plans only.

import { sha256Hex } from '../../base/hash.ts';
import { dayMs } from '../../base/time.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import {
  type Box,
  type BoxMemory,
  boxPath,
  boxWords,
  byTime,
  formatBox,
  type SealReason,
} from '../../store/records/box-file.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { joinTopics, topicOverlap, topicsOf } from './box-topics.ts';

export type BoxSettings = Configuration['boxes'];

/** So many topics a box keeps. */
const mostTopics = 12;
/** From this overlap on a sealed box is on the trace of an earlier one, which waits so long for its subject to come back. */
const traceOverlap = 0.4;
const traceDays = 30;

/** A box of a state. */
export interface StoredBox {
  readonly path: string;
  readonly oid: string;
  readonly record: Box;
}

/** One box as it is to be, with the blob that stands there now. */
export interface BoxChange {
  readonly path: string;
  readonly before: string | null;
  readonly box: Box;
}

/** Memories of one conversation that came without a pause between them. */
interface Batch {
  readonly memories: readonly BoxMemory[];
  readonly topics: readonly string[];
}

const minuteMs = 60_000;
const idOf = (kind: string, of: string): string => sha256Hex(`${kind} ${of}`).slice(0, 16);

class Boxes {
  private readonly timeZone: string;
  private readonly byPath: Map<string, { box: Box; before: string | null }>;
  private readonly changed = new Set<string>();

  constructor(stored: readonly StoredBox[], timeZone: string) {
    this.timeZone = timeZone;
    this.byPath = new Map(stored.map(({ path, oid, record }) => [path, { box: record, before: oid }]));
  }

  all(): Box[] {
    return [...this.byPath.values()].map(({ box }) => box);
  }

  open(): { path: string; box: Box }[] {
    return [...this.byPath]
      .filter(([, { box }]) => box.status === 'open')
      .map(([path, { box }]) => ({ path, box }))
      .sort((a, b) => a.box.started - b.box.started || (a.box.id < b.box.id ? -1 : 1));
  }

  put(path: string, box: Box): void {
    this.byPath.set(path, { box, before: this.byPath.get(path)?.before ?? null });
    this.changed.add(path);
  }

  begin(memory: BoxMemory, topics: readonly string[]): string {
    const box: Box = {
      id: idOf('box', memory.id),
      status: 'open',
      started: memory.time,
      topics,
      memories: [],
      notes: '',
    };
    const path = boxPath(box, this.timeZone);
    // Its memory was taken out of a box of this name before; what people wrote there stays.
    const old = this.byPath.get(path);
    this.put(path, old === undefined ? box : { ...box, memories: old.box.memories, notes: old.box.notes });
    return path;
  }

  seal(path: string, sealed: number, reason: SealReason): void {
    const { box } = this.byPath.get(path)!;
    this.put(path, { ...box, status: 'sealed', sealed, reason, traceId: this.traceOf(box) });
  }

  /** The trace of the sealed box that is most like this one and not too long ago; else one of its own. */
  private traceOf(box: Box): string {
    let best: { overlap: number; last: number; traceId: string } | undefined;
    for (const other of this.all()) {
      if (other.status !== 'sealed' || other.traceId === undefined || other.id === box.id) continue;
      const last = lastOf(other);
      if (Math.abs(box.started - last) > traceDays * dayMs) continue;
      const overlap = topicOverlap(box.topics, other.topics);
      if (overlap < traceOverlap) continue;
      const { traceId } = other;
      const isBetter =
        best === undefined ||
        overlap > best.overlap ||
        (overlap === best.overlap && (last > best.last || (last === best.last && traceId < best.traceId)));
      if (isBetter) best = { overlap, last, traceId };
    }
    return best?.traceId ?? idOf('trace', box.id);
  }

  changes(): BoxChange[] {
    return [...this.changed].map((path) => ({ path, ...this.byPath.get(path)! }));
  }
}

const lastOf = ({ memories, started }: Box): number => memories.at(-1)?.time ?? started;

/**
 * Plans into which boxes the memories go that an extraction made from one conversation.
 *
 * - open boxes in which nothing came for longer than `gapMinutes` before are sealed (`pause`)
 * - of the open boxes near in time the one whose topics overlap most takes the memories, from `topicOverlap` on
 * - where none does, the box of the same conversation is sealed (`topic`), and a new one is begun
 * - a box that holds `most` memories is sealed when another comes (`full`)
 *
 * Time is when something was said, so a replay makes the same boxes. Ids are hashes of a box's first memory, so two machines
 * make the same, too. A memory that some box has already is left there. A sealed box gets the trace of the sealed box it overlaps most.
 */
export function planBoxes(
  stored: readonly StoredBox[],
  created: readonly MemoryRecord[],
  about: { readonly path: string; readonly transcript: Transcript },
  settings: BoxSettings,
  timeZone: string,
): BoxChange[] {
  if (!settings.enabled || created.length === 0) return [];
  const boxes = new Boxes(stored, timeZone);
  const boxed = new Set(stored.flatMap(({ record }) => record.memories.map(({ id }) => id)));
  const fresh = created.filter(({ id }) => !boxed.has(id));
  for (const batch of batchesOf(fresh, about.transcript, settings)) putInto(boxes, batch, about.path, settings);
  return boxes.changes();
}

/** Plans to seal the open boxes in which nothing came for longer than `gapMinutes` before `now`. */
export function planIdleSeals(
  stored: readonly StoredBox[],
  settings: BoxSettings,
  timeZone: string,
  now: number,
): BoxChange[] {
  const boxes = new Boxes(stored, timeZone);
  sealIdle(boxes, settings, now);
  return boxes.changes();
}

/**
 * Plans to leave each memory in the earliest of its boxes. Two machines that extracted from the same conversation may each have put it
 * into one. A box may be left without any.
 */
export function planOneBoxEach(stored: readonly StoredBox[]): BoxChange[] {
  const seen = new Set<string>();
  const ordered = [...stored].sort(
    (a, b) => a.record.started - b.record.started || (a.record.id < b.record.id ? -1 : 1),
  );
  return ordered.flatMap(({ path, oid, record }) => {
    const memories = record.memories.filter(({ id }) => !seen.has(id));
    for (const { id } of memories) seen.add(id);
    return memories.length === record.memories.length ? [] : [{ path, before: oid, box: { ...record, memories } }];
  });
}

/** Formats a change of a box for an operation. */
export function boxFileChange({ path, before, box }: BoxChange): {
  path: string;
  before: string | null;
  after: Buffer;
} {
  return { path, before, after: Buffer.from(formatBox(box)) };
}

function sealIdle(boxes: Boxes, { gapMinutes }: BoxSettings, now: number): void {
  for (const { path, box } of boxes.open()) {
    if (now - lastOf(box) > gapMinutes * minuteMs) boxes.seal(path, lastOf(box) + gapMinutes * minuteMs, 'pause');
  }
}

function batchesOf(created: readonly MemoryRecord[], transcript: Transcript, settings: BoxSettings): Batch[] {
  const records = [...created].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const groups: MemoryRecord[][] = [];
  for (const record of records) {
    const last = groups.at(-1)?.at(-1);
    if (last === undefined || (record.createdAt - last.createdAt) * 1000 > settings.gapMinutes * minuteMs)
      groups.push([]);
    groups.at(-1)!.push(record);
  }
  return groups.map((group) => ({
    memories: group.map(boxMemoryOf).sort(byTime),
    topics: topicsOf(group, transcript, mostTopics),
  }));
}

function boxMemoryOf({ id, content, statement = content, createdAt, category, sources }: MemoryRecord): BoxMemory {
  const [source] = sources ?? [];
  const from = source === undefined || /[\s\]]/.test(source.path) ? undefined : source;
  return {
    id,
    time: createdAt * 1000,
    ...(category === undefined ? {} : { category }),
    words: boxWords(statement),
    ...(from === undefined ? {} : { source: `${from.path}${from.turn === undefined ? '' : `#${from.turn}`}` }),
  };
}

function putInto(boxes: Boxes, { memories, topics }: Batch, conversation: string, settings: BoxSettings): void {
  const [first, last] = [memories[0]!, memories.at(-1)!];
  const gapMs = settings.gapMinutes * minuteMs;
  sealIdle(boxes, settings, first.time);
  const near = boxes
    .open()
    .filter(({ box }) => box.started - last.time <= gapMs)
    .map((one) => ({ ...one, overlap: topicOverlap(one.box.topics, topics) }));
  const best = near
    .filter(({ overlap }) => overlap >= settings.topicOverlap)
    .sort((a, b) => b.overlap - a.overlap || lastOf(b.box) - lastOf(a.box) || (a.box.id < b.box.id ? -1 : 1))[0];
  if (best === undefined) {
    for (const { path, box } of near) {
      if (isOf(box, conversation)) boxes.seal(path, Math.max(first.time, lastOf(box)), 'topic');
    }
  }
  let path = best?.path;
  for (const memory of memories) {
    if (path !== undefined) {
      const { box } = boxes.open().find((one) => one.path === path)!;
      if (box.memories.length >= settings.most) {
        boxes.seal(path, Math.max(memory.time, lastOf(box)), 'full');
        path = undefined;
      }
    }
    path ??= boxes.begin(memory, topics);
    const { box } = boxes.open().find((one) => one.path === path)!;
    boxes.put(path, {
      ...box,
      started: Math.min(box.started, memory.time),
      topics: joinTopics(box.topics, topics, mostTopics),
      memories: [...box.memories, memory].sort(byTime),
    });
  }
}

const isOf = (box: Box, conversation: string): boolean =>
  box.memories.some(({ source }) => source?.replace(/#\d+$/, '') === conversation);
