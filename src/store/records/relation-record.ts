// One typed edge between two memories as a JSON file (spec 1).

import { z } from 'zod';
import { formatJson, isJsonObject, parseJson, sortKeys } from '../../base/canonical-json.ts';
import { defined } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { once } from '../../base/once-per.ts';
import type { RelationRecord } from '../../base/types/stored-types.ts';
import { checkSize, maxFileBytes } from '../guard/limits.ts';
import { snakeKeys } from './camel-keys.ts';
import {
  asRead,
  checkFields,
  extraField,
  idField,
  secondsField,
  unknownOf,
  withoutUnreadable,
} from './record-fields.ts';

/** Lists the relation types of the specs; others are read and kept. */
export const relationTypes = [
  'related',
  'causes',
  'supports',
  'contradicts',
  'has_decision',
  'consolidated_from',
  'split_from',
] as const;

const schema = once(() =>
  z.looseObject({
    id: idField(),
    from_memory_id: idField(),
    to_memory_id: idField(),
    relation_type: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'must be a word such as related'),
    strength: z.number().min(0).max(2).default(1),
    created_at: secondsField().default(0),
    metadata: extraField(),
  }),
);

const knownKeys = once((): ReadonlySet<string> => new Set(Object.keys(schema().shape)));

/**
 * Parses one relation record; strength, time and metadata may be missing.
 *
 * @throws MemoryError INVALID_RECORD with path, line and key; TOO_LARGE.
 */
export function parseRelation(text: string, path: string): RelationRecord {
  checkSize(text, maxFileBytes, path);
  const raw = parseJson(text, path);
  return recordOf(checkFields(schema(), raw, text, path), raw);
}

/**
 * Reads a relation of another store from a JSON value like {@link salvageMemory}; what cannot be read is kept in
 * `metadata.unreadable`.
 *
 * @throws MemoryError INVALID_RECORD when the id, an end or the type cannot be read.
 */
export function salvageRelation(raw: unknown, where: string): { record: RelationRecord; unreadable: string[] } {
  const needed = ['id', 'from_memory_id', 'to_memory_id', 'relation_type'];
  const { value, unreadable } = withoutUnreadable(schema(), raw, needed);
  const record = recordOf(checkFields(schema(), value, '', where), value);
  if (unreadable === undefined) return { record, unreadable: [] };
  return { record: { ...record, metadata: { ...record.metadata, unreadable } }, unreadable: Object.keys(unreadable) };
}

function recordOf(fields: z.output<ReturnType<typeof schema>>, raw: unknown): RelationRecord {
  return {
    id: fields.id,
    fromMemoryId: fields.from_memory_id,
    toMemoryId: fields.to_memory_id,
    relationType: fields.relation_type,
    strength: fields.strength,
    createdAt: fields.created_at,
    metadata: fields.metadata,
    ...defined({ unknown: isJsonObject(raw) ? unknownOf(raw, knownKeys()) : undefined }),
  };
}

/** Formats a relation record as canonical JSON in the key order of spec 1; unknown keys come last. */
export function formatRelation({ metadata, unknown = {}, ...record }: RelationRecord): string {
  const { id, fromMemoryId, toMemoryId, relationType, strength, createdAt } = record;
  const ends = { id, fromMemoryId, toMemoryId, relationType };
  return formatJson({
    ...snakeKeys({ ...ends, strength, createdAt, metadata: sortKeys(metadata) }),
    ...sortKeys(unknown),
  });
}

/** Gives the path of a relation record: `relations/{xx}/{id}.json`, `xx` the first two hexadecimal digits of SHA-256 of the id. */
export const relationPath = (id: string): string => `relations/${sha256Hex(id).slice(0, 2)}/${id}.json`;

type NewRelation = Pick<RelationRecord, 'id' | 'fromMemoryId' | 'toMemoryId' | 'relationType'> &
  Partial<Pick<RelationRecord, 'strength' | 'metadata'>> & {
    /** Milliseconds since the Unix epoch. */
    readonly now: number;
  };

/**
 * Makes a relation of strength 1, unless told otherwise.
 *
 * @throws MemoryError INVALID_ARGUMENT if an id or the type has the wrong form, or the strength is not within 0 to 2.
 */
export function newRelation({ now, strength = 1, metadata = {}, ...given }: NewRelation): RelationRecord {
  const record = { ...given, strength, createdAt: Math.floor(now / 1000), metadata };
  return asRead(() => parseRelation(formatRelation(record), relationPath(record.id)));
}
