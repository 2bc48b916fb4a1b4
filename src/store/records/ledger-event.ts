// One event of the ledger as a line of JSON (spec 3, layer 2). logs/ works out what follows from events.

import { z } from 'zod';
import { isJsonObject, parseJson, sortKeys } from '../../base/canonical-json.ts';
import { MemoryError } from '../../base/errors.ts';
import { parseTime } from '../../base/time.ts';
import { eventTypes, type LedgerEvent, priorities } from '../../base/types/ledger-types.ts';
import { unknownOf } from './record-fields.ts';
import { parseSequenceId } from './sequence-id.ts';

/** What an event says whose words were forgotten; that it was there, and what it is called, others may name. */
export const forgottenWords = '(forgotten)';

/** Gives a line of the ledger without the words of its event. Throws as {@link readEvent}. */
export const withoutWords = (line: string, where: string): string =>
  formatEvent({ ...parseEvent(line, where), content: forgottenWords });

const eventId = z.string().refine((id) => parseSequenceId(id)?.series.startsWith('EVT') === true, {
  error: 'must be an id such as EVT-20260128-001',
});
const words = z.array(z.string()).nullish();
const filled = z.string().refine((text) => text.trim() !== '', { error: 'must not be blank' });

const schema = z.object({
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
export const parseEvent = (line: string, where: string): LedgerEvent => readEvent(line, where).event;

/**
 * Parses one line of the ledger, and reads its time; unknown keys are kept.
 *
 * @throws MemoryError INVALID_RECORD that names `where`, which is path and line, and the key.
 */
export function readEvent(line: string, where: string): TimedEvent {
  const value = parseLine(line, where);
  const event = checkedEvent(value, where);
  try {
    return { event, time: parseTime(event.ts) };
  } catch {
    throw invalid(where, 'ts: must be a time such as 2026-01-28T14:03:11-05:00');
  }
}

/** Reads an event by its schema: null counts as none, and keys that nobody knows are put aside. */
function checkedEvent(value: Readonly<Record<string, unknown>>, where: string): LedgerEvent {
  const result = schema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0]!;
    throw invalid(where, `${issue.path.length === 0 ? 'the event' : issue.path.join('.')}: ${issue.message}`);
  }
  const { data } = result;
  for (const key of Object.keys(data) as (keyof typeof data)[]) if (data[key] === null) delete data[key];
  const unknown = unknownOf(value, knownKeys);
  return (unknown === undefined ? data : { ...data, unknown }) as LedgerEvent;
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
