// A memory box as a markdown file (spec 4): which memories came together, about what, and until when. Which box a memory goes into is
// decided in core/extract/boxes.ts.

import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { oneLine, upperFirst } from '../../base/text.ts';
import { dayOf, formatTime, parseTime } from '../../base/time.ts';
import { type MemoryCategory, memoryCategories } from '../../base/types/stored-types.ts';
import { cutFrontMatter, formatFrontMatter, splitFrontMatter } from './front-matter.ts';
import { isRecordId, unknownOf } from './record-fields.ts';

/** Why a box was sealed: the talk turned to something else, nothing came for a while, or it holds as many memories as allowed. */
export type SealReason = 'topic' | 'pause' | 'full';

export interface BoxMemory {
  readonly id: string;
  /** When it was said, in milliseconds since the Unix epoch; files hold whole seconds. */
  readonly time: number;
  readonly category?: MemoryCategory;
  /** Its words on one line. */
  readonly words: string;
  /** Where it was said: `path#turn`. */
  readonly source?: string;
}

export interface Box {
  readonly id: string;
  readonly status: 'open' | 'sealed';
  /** When its first memory was said, in milliseconds. */
  readonly started: number;
  readonly sealed?: number;
  readonly reason?: SealReason;
  /** The same for boxes about a subject that comes back; given when a box is sealed. */
  readonly traceId?: string;
  /** What it is about, in lower case, what counts most first. */
  readonly topics: readonly string[];
  /** By time; each once. */
  readonly memories: readonly BoxMemory[];
  /** Whatever else people wrote below the memories. */
  readonly notes: string;
  /** Front matter keys this version does not know, kept as they were read. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

const maxWords = 240;
const knownKeys: ReadonlySet<string> = new Set('type id status trace_id topics started sealed reason'.split(' '));
const line =
  /^- (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (?:([a-z]+): )?(.*) \[memory: ([^\]\s]+)\](?: \[source: ([^\]\s]+)\])?$/;

/** Gives the path of a box: `boxes/YYYY-MM-DD/box-{id}.md`, by the day on which its first memory was said. */
export const boxPath = ({ id, started }: Pick<Box, 'id' | 'started'>, timeZone: string): string =>
  `boxes/${dayOf(started, timeZone)}/box-${id}.md`;

/** Brings the words of a memory into the form in which a box holds them. */
export const boxWords = (content: string): string => oneLine(content, maxWords);

/**
 * Formats a box.
 *
 * ```
 * ---
 * type: box
 * id: 4b0f7c21a9d83e56
 * status: sealed                                  or open
 * trace_id: 91c2d3e4f5a6b7c8                      once sealed
 * topics: [billing, postgres]
 * started: 2026-02-16T18:45:00Z
 * sealed: 2026-02-16T19:40:00Z                    and reason: topic, pause or full
 * ---
 *
 * # Billing, postgres
 *
 * ## Memories
 *
 * - 2026-02-16 18:45:00 decision: We use Postgres. [memory: 0a1b…] [source: raw/conversations/…#3]
 * ```
 *
 * Times are in UTC. Equal boxes are equal bytes.
 */
export function formatBox(box: Box): string {
  const { id, status, traceId, topics, started, sealed, reason, unknown } = box;
  const data = {
    type: 'box',
    id,
    status,
    trace_id: traceId,
    topics,
    started: formatTime(started),
    sealed: sealed === undefined ? undefined : formatTime(sealed),
    reason,
    ...unknown,
  };
  const title = topics.slice(0, 4).join(', ');
  const heading = title === '' ? 'Memories' : upperFirst(title);
  const items = [...box.memories].sort(byTime).map(formatItem).join('\n');
  const notes = box.notes === '' ? '' : `\n${box.notes}\n`;
  return formatFrontMatter(data, `\n# ${heading}\n\n## Memories\n\n${items}\n${notes}`);
}

function formatItem({ id, time, category, words, source }: BoxMemory): string {
  const when = new Date(time).toISOString().slice(0, 19).replace('T', ' ');
  const from = source === undefined ? '' : ` [source: ${source}]`;
  return `- ${when} ${category === undefined ? '' : `${category}: `}${boxWords(words)} [memory: ${id}]${from}`;
}

/** The order of memories in a box: by time, then by id. */
export const byTime = (one: BoxMemory, other: BoxMemory): number =>
  one.time - other.time || (one.id < other.id ? -1 : 1);

/**
 * Parses a box; the inverse of {@link formatBox}. Lines that are no memory are notes, and stay.
 *
 * @throws MemoryError INVALID_RECORD with the path if the front matter is none of a box.
 */
export function parseBox(text: string, path: string): Box {
  const { data, body } = splitFrontMatter(text, path);
  const { id, status, trace_id: traceId, topics, started, sealed, reason } = data;
  if (data.type !== 'box' || typeof id !== 'string' || !isRecordId(id))
    throw new MemoryError('INVALID_RECORD', `${path} is no memory box: it needs type: box and an id`, { where: path });
  const { memories, notes } = linesOf(body);
  // A person who edits the file may leave a key out; then the memories tell.
  const times = memories.map(({ time }) => time);
  const first = timeOf(started) ?? (times.length === 0 ? undefined : Math.min(...times));
  if (first === undefined)
    throw new MemoryError('INVALID_RECORD', `${path} does not say when the box was started`, { where: path });
  const end = timeOf(sealed);
  return {
    id,
    status: status === 'sealed' ? 'sealed' : 'open',
    started: first,
    ...defined({ sealed: end }),
    ...(reason === 'topic' || reason === 'pause' || reason === 'full' ? { reason } : {}),
    ...(typeof traceId === 'string' && isRecordId(traceId) ? { traceId } : {}),
    topics: Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [],
    memories,
    notes: notesOf(notes),
    ...defined({ unknown: unknownOf(data, knownKeys) }),
  };
}

/** Lists the memories of a box, in their order, without a look at its front matter. */
export const memoriesIn = (text: string): readonly BoxMemory[] => linesOf(cutFrontMatter(text)?.body ?? text).memories;

function linesOf(body: string): { readonly memories: readonly BoxMemory[]; readonly notes: readonly string[] } {
  const memories = new Map<string, BoxMemory>();
  const notes: string[] = [];
  for (const one of body.split('\n')) {
    const memory = parseItem(one);
    if (memory !== undefined) memories.set(memory.id, memory);
    else notes.push(one);
  }
  return { memories: [...memories.values()].sort(byTime), notes };
}

function parseItem(text: string): BoxMemory | undefined {
  const match = line.exec(text.trimEnd());
  if (match === null) return undefined;
  const [, when, label, words = '', id = '', source] = match;
  const time = timeOf(`${when!.replace(' ', 'T')}Z`);
  if (time === undefined || !isRecordId(id)) return undefined;
  const category = memoryCategories.find((one) => one === label);
  return {
    id,
    time,
    ...defined({ category }),
    words: label === undefined || category !== undefined ? words : `${label}: ${words}`,
    ...defined({ source }),
  };
}

/** What stands beside the title and the list. */
function notesOf(lines: readonly string[]): string {
  const rest = lines
    .join('\n')
    .replace(/^\s*# [^\n]*\n/, '')
    .replace(/^## Memories\s*?(?:\n|$)/m, '');
  return rest.replace(/\n{3,}/g, '\n\n').trim();
}

function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && !(value instanceof Date)) return undefined;
  return orElse(() => Math.floor(parseTime(value) / 1000) * 1000, undefined);
}
