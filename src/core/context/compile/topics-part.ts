// What active topics bring (P2): their instructions, the files that they subscribe to, and what corrects the agent.

import { MemoryError } from '../../../base/errors.ts';
import { folderOfGlob, isGlob, matchesGlob } from '../../../base/glob.ts';
import type { ActiveTopic, Correction } from '../../../base/types/context-types.ts';
import { askedPath } from '../../../store/guard/path.ts';
import { asContent, indented, labelOf } from './data-text.ts';
import { fitText, type Meter } from './meter.ts';
import type { ShownFiles } from './outdated.ts';
import type { Part, Piece } from './part.ts';
import { addFile, contentOf, filePiece } from './standing.ts';

/** Why a file is not added once more. */
export const inText = 'it is in the text already';
/** A glob that fits more brings its first so many files. */
const mostFiles = 50;

/** The most urgent first; equal ones by the order of their paths, so that the text does not depend on how they were found. */
export const byUrgency = (a: ActiveTopic, b: ActiveTopic): number =>
  b.priority - a.priority || b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

export interface TopicRooms {
  /** Tokens for the instructions of all topics, and for the files of all of them. */
  readonly instructions: number;
  readonly subscriptions: number;
}

/** Fills two parts from topics. `settled` says of paths why they are not added (again); what is added now joins it. */
export function addTopics(
  parts: { readonly topics: Part; readonly subscriptions: Part },
  topics: readonly ActiveTopic[],
  {
    snapshot,
    rooms,
    meter,
    settled,
  }: {
    readonly snapshot: ShownFiles;
    readonly rooms: TopicRooms;
    readonly meter: Meter;
    readonly settled: Map<string, string>;
  },
): void {
  for (const topic of [...topics].sort(byUrgency)) {
    const most = topic.maxContextBytes ?? Number.POSITIVE_INFINITY;
    const bytes = addInstructions(parts.topics, topic, snapshot, rooms.instructions - parts.topics.tokens, most, meter);
    if (bytes > 0) settled.set(topic.path, inText);
    addSubscriptions(parts.subscriptions, topic, {
      snapshot,
      room: rooms.subscriptions,
      bytes: most - bytes,
      meter,
      settled,
    });
  }
}

const why = ({ name, by, reasons }: ActiveTopic): string =>
  `the topic ${name} is active (${by}${reasons.length === 0 ? '' : `: ${reasons.slice(0, 2).join('; ')}`})`;

/** Gives how many bytes the instructions took. */
function addInstructions(
  part: Part,
  topic: ActiveTopic,
  snapshot: ShownFiles,
  room: number,
  bytes: number,
  meter: Meter,
): number {
  if (!topic.path.endsWith('.md')) return 0;
  const content = contentOf(snapshot, topic.path);
  if (content === null) return 0;
  const label = meter.count(`${labelOf(topic.path)}\n`);
  const within = withinBytes(content.text, bytes);
  const fitted = fitText(within, room - label, meter);
  const isCut = fitted?.isCut || within !== content.text;
  const piece = fitted && filePiece(topic.path, fitted.text, why(topic), meter, isCut);
  if (piece === null || piece.tokens > room) {
    part.left.push({ source: topic.path, why: 'no room for its instructions', score: topic.score });
    return 0;
  }
  part.pieces.push({ ...piece, score: topic.score });
  if (isCut) part.left.push({ source: topic.path, why: 'the rest of it did not fit' });
  return Buffer.byteLength(fitted!.text);
}

/** The first lines of a text within a number of bytes. */
function withinBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const kept: string[] = [];
  let bytes = 0;
  for (const line of text.split('\n')) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > most) break;
    kept.push(line);
  }
  return kept.join('\n');
}

function addSubscriptions(
  part: Part,
  topic: ActiveTopic,
  how: { snapshot: ShownFiles; room: number; bytes: number; meter: Meter; settled: Map<string, string> },
): void {
  const { snapshot, meter, settled } = how;
  let { bytes } = how;
  for (const subscription of topic.subscriptions) {
    const files = filesOf(snapshot, subscription);
    if (typeof files === 'string') {
      part.left.push({ source: subscription, why: files });
      continue;
    }
    for (const path of files.slice(0, mostFiles)) {
      const reason = settled.get(path);
      if (reason !== undefined) {
        part.left.push({ source: path, why: reason });
        continue;
      }
      const size = Buffer.byteLength(contentOf(snapshot, path)?.text ?? '');
      if (size > bytes) {
        part.left.push({ source: path, why: `max_context_kb of the topic ${topic.name} is used up` });
        continue;
      }
      const room = how.room - part.tokens;
      const before = part.pieces.length;
      addFile(part, snapshot, path, { room, meter, why: `the topic ${topic.name} subscribes to it` });
      if (part.pieces.length === before) continue;
      settled.set(path, inText);
      bytes -= size;
    }
    if (files.length > mostFiles)
      part.left.push({ source: subscription, why: `fits ${files.length} files; the first ${mostFiles} count` });
  }
}

/** Lists the files that a subscription names, in the order of their paths, or says why there are none. */
function filesOf(snapshot: ShownFiles, subscription: string): readonly string[] | string {
  try {
    if (!isGlob(subscription))
      return snapshot.listedOidOf(askedPath(subscription)) === null ? 'there is no such file' : [subscription];
    askedPath(subscription.replace(/[*?]/g, 'x'));
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'INVALID_PATH') return 'it is not a path of this memory';
    throw error;
  }
  const folder = folderOfGlob(subscription);
  const found = [...snapshot.list(folder).keys()].filter((path) => matchesGlob(subscription, path)).sort();
  return found.length === 0 ? 'no file fits' : found;
}

/** Says what corrects the agent: short, and last of all before the message. */
export function addHints(part: Part, corrections: readonly Correction[], room: number, meter: Meter): void {
  for (const { path, name, hint, reason } of corrections) {
    const text = `- ${indented(asContent(hint))}`;
    const tokens = meter.count(`${text}\n`);
    if (part.tokens + tokens > room) {
      part.left.push({ source: path, why: `no room for what it corrects: ${reason}` });
      continue;
    }
    const piece: Piece = { source: path, path, text, tokens, why: `${name} corrects what was said: ${reason}` };
    part.pieces.push(piece);
  }
}
