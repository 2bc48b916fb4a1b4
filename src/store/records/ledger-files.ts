// The small files beside the segments of the ledger: where consolidation stands, and which commitments were open then.

import { z } from 'zod';
import { formatJson, parseJson } from '../../base/canonical-json.ts';
import { defined, orElse } from '../../base/errors.ts';
import { once } from '../../base/once-per.ts';
import { snakeKeys } from './camel-keys.ts';
import { checkFields } from './record-fields.ts';

export const checkpointPath = 'ledger/checkpoint.json';
export const openLoopsPath = 'ledger/open-loops.json';
export const integrityPath = 'ledger/integrity.json';
export const integrityLogPath = 'ledger/integrity-log.md';

/** How far consolidation has come. */
interface Checkpoint {
  /** Null while there was no event. */
  readonly lastProcessedEventId: string | null;
  /** ISO 8601. */
  readonly lastRunTs: string;
  /** How many events there were. */
  readonly eventsProcessed: number;
  /** The commit that it has seen: what came since is what its tree has not. */
  readonly commit: string | null;
  /** The commit whose ledger the knowledge files are in step with; absent before there was one. */
  readonly knowledge?: string;
}

const oid = () => z.string().regex(/^[0-9a-f]{40}$/);
const checkpointSchema = once(() =>
  z.looseObject({
    last_processed_event_id: z.string().nullable(),
    last_run_ts: z.string(),
    events_processed: z.number().int().min(0),
    commit: oid().nullish(),
    knowledge: oid().nullish(),
  }),
);

/** Parses `ledger/checkpoint.json`; throws INVALID_RECORD. */
export function parseCheckpoint(text: string): Checkpoint {
  const fields = checkFields(checkpointSchema(), parseJson(text, checkpointPath), text, checkpointPath);
  const { last_processed_event_id: lastProcessedEventId, last_run_ts: lastRunTs, commit = null, knowledge } = fields;
  const seen = { lastProcessedEventId, lastRunTs, eventsProcessed: fields.events_processed, commit };
  return { ...seen, ...(knowledge ? { knowledge } : {}) };
}

/** Reads the checkpoint of a state; null where there is none that can be read. */
export function checkpointIn(read: (path: string) => string | null): Checkpoint | null {
  const text = read(checkpointPath);
  return text === null ? null : orElse(() => parseCheckpoint(text), null, 'INVALID_RECORD');
}

export function formatCheckpoint(checkpoint: Checkpoint): string {
  const { lastProcessedEventId, lastRunTs, eventsProcessed, commit, knowledge } = checkpoint;
  return formatJson(snakeKeys({ lastProcessedEventId, lastRunTs, eventsProcessed, commit, ...defined({ knowledge }) }));
}

/** Parses `ledger/open-loops.json`, a list of ids; throws INVALID_RECORD. */
export const parseOpenLoops = (text: string): string[] =>
  checkFields(z.array(z.string()), parseJson(text, openLoopsPath), text, openLoopsPath);

export const formatOpenLoops = (ids: readonly string[]): string => formatJson(ids);
