// One event of the ledger as a line of JSON (spec 3, layer 2). What follows from events stands in logs/.

import { z } from 'zod';
import { isJsonObject, parseJson, sortKeys } from '../base/canonical-json.ts';
import { isDay, parseTime } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import { unknownOf, withoutUndefined } from './record-fields.ts';
import { parseSequenceId } from './sequence-id.ts';

export const eventTypes = [
  'fact',
  'decision',
  'preference',
  'commitment',
  'constraint',
  'procedure',
  'relationship',
] as const;
export type EventType = (typeof eventTypes)[number];

/** P0 and P1 stay; P2 is put aside after 90 days and P3 after 30. */
export const priorities = ['P0', 'P1', 'P2', 'P3'] as const;
export type Priority = (typeof priorities)[number];

/** What happened, was decided, promised or learnt; never changed once it is written. */
export interface LedgerEvent {
  /** When it was recorded, ISO 8601 with the offset of the memory's time zone. */
  readonly ts: string;
  /** `EVT-YYYYMMDD-NNN`. */
  readonly id: string;
  readonly type: EventType;
  readonly priority: Priority;
  readonly content: string;
  /** The one it is about, in snake_case. */
  readonly entity?: string;
  readonly tags?: readonly string[];
  /** Where it was learnt: a path, or `live`. */
  readonly source: string;
  readonly session?: string;
  readonly agent?: string;
  /** Ids of events it belongs with. */
  readonly related?: readonly string[];
  /** Id of the event that it corrects and takes the place of. */
  readonly supersedes?: string;
  /** Of a commitment. */
  readonly status?: 'open' | 'closed';
  /** The day by which something is to be done. */
  readonly due?: string;
  /** Id of the memory that says the same. */
  readonly memory?: string;
  /** Ids of archived events that it sums up. */
  readonly compacts?: readonly string[];
  /** Keys that this version does not know. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

const eventId = z.string().refine((id) => parseSequenceId(id)?.series.startsWith('EVT') === true, {
  error: 'must be an id such as EVT-20260128-001',
});
const words = z.array(z.string()).nullish();
const filled = z.string().refine((text) => text.trim() !== '', { error: 'must not be blank' });

const schema = z.looseObject({
  ts: z.string(),
  id: eventId,
  type: z.enum(eventTypes),
  priority: z.enum(priorities),
  content: filled,
  entity: z.string().nullish(),
  tags: words,
  source: filled,
  session: z.string().nullish(),
  agent: z.string().nullish(),
  related: z.array(eventId).nullish(),
  supersedes: eventId.nullish(),
  status: z.enum(['open', 'closed']).nullish(),
  due: z.iso.date().nullish(),
  memory: z.string().nullish(),
  compacts: z.array(eventId).nullish(),
});

const knownKeys: ReadonlySet<string> = new Set(Object.keys(schema.shape));

/** An event, and when it was recorded. */
export interface TimedEvent {
  readonly event: LedgerEvent;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
}

/** Parses one line of the ledger as {@link readEvent} does. */
export function parseEvent(line: string, where: string): LedgerEvent {
  return readEvent(line, where).event;
}

/**
 * Parses one line of the ledger, and reads its time; unknown keys are kept.
 *
 * @throws MemoryError INVALID_RECORD that names `where`, which is path and line, and the key.
 */
export function readEvent(line: string, where: string): TimedEvent {
  const value = parseLine(line, where);
  const event = isPlainEvent(value) ? value : checkedEvent(value, where);
  try {
    return { event, time: parseTime(event.ts) };
  } catch {
    throw invalid(where, 'ts: must be a time such as 2026-01-28T14:03:11-05:00');
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isId = (value: unknown): boolean => typeof value === 'string' && /^EVT-\d{8}-\d{3,9}$/.test(value);
const isListOf = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isItem);

/** What each key holds in the form that {@link formatEvent} writes; a test holds it to the schema. */
const plainFields: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['ts', isText],
  ['id', isId],
  ['type', (value) => eventTypes.includes(value as EventType)],
  ['priority', (value) => priorities.includes(value as Priority)],
  ['content', isFilled],
  ['entity', isText],
  ['tags', isListOf(isText)],
  ['source', isFilled],
  ['session', isText],
  ['agent', isText],
  ['related', isListOf(isId)],
  ['supersedes', isId],
  ['status', (value) => value === 'open' || value === 'closed'],
  ['due', (value) => typeof value === 'string' && isDay(value)],
  ['memory', isText],
  ['compacts', isListOf(isId)],
]);

/**
 * Tells whether an object is an event as it stands. Nearly every line is, and asking the schema takes three times as long as reading the
 * line; what is anything else goes to the schema, which alone says what is wrong.
 */
function isPlainEvent(value: Readonly<Record<string, unknown>>): value is LedgerEvent & Record<string, unknown> {
  for (const key in value) if (plainFields.get(key)?.(value[key]) !== true) return false;
  const { ts, id, type, priority, content, source } = value;
  return Boolean(ts && id && type && priority && content && source);
}

/** Reads an event by its schema: null counts as none, and keys that nobody knows are put aside. */
export function checkedEvent(value: Readonly<Record<string, unknown>>, where: string): LedgerEvent {
  const result = schema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    throw invalid(where, `${issue.path.length === 0 ? 'the event' : issue.path.join('.')}: ${issue.message}`);
  }
  const { data } = result;
  const optional = {
    entity: data.entity ?? undefined,
    tags: data.tags ?? undefined,
    session: data.session ?? undefined,
    agent: data.agent ?? undefined,
    related: data.related ?? undefined,
    supersedes: data.supersedes ?? undefined,
    status: data.status ?? undefined,
    due: data.due ?? undefined,
    memory: data.memory ?? undefined,
    compacts: data.compacts ?? undefined,
    unknown: unknownOf(value, knownKeys),
  };
  const { ts, id, type, priority, content, source } = data;
  return { ts, id, type, priority, content, source, ...withoutUndefined(optional) };
}

function parseLine(line: string, where: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(line, where);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
    throw invalid(where, error.cause instanceof SyntaxError ? 'is not valid JSON' : error.what);
  }
  if (!isJsonObject(value)) throw invalid(where, 'is not a JSON object');
  return value;
}

function invalid(where: string, why: string): MemoryError {
  return new MemoryError('INVALID_RECORD', `${where} ${why}`, {
    where,
    hint: 'Lines of the ledger are never changed: append an event that supersedes it, or undo the commit that brought it',
  });
}

/** Formats an event as a line with its line feed: the keys of spec 3 in its order, ours behind them, unknown ones last. */
export function formatEvent(event: LedgerEvent): string {
  const { ts, id, type, priority, content, entity, tags, source, session, agent } = event;
  const { related, supersedes, status, due, memory, compacts, unknown } = event;
  const value = {
    ...{ ts, id, type, priority, content, entity, tags: tags?.length === 0 ? undefined : tags, source, session },
    ...{ related: related?.length === 0 ? undefined : related, supersedes, status },
    ...{ agent, due, memory, compacts },
    ...sortKeys(unknown ?? {}),
  };
  return `${JSON.stringify(value)}\n`;
}
