// One memory as a JSON file (spec 1, with optional fields of our own). strength.ts computes how strong it is now.

import { z } from 'zod';
import { formatJson, isJsonObject, parseJson, sortKeys } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { once } from '../../base/once-per.ts';
import {
  type MemoryCategory,
  type MemoryRecord,
  memoryCategories,
  memoryStatuses,
  type SourceReference,
} from '../../base/types/stored-types.ts';
import { checkSize, maxFileBytes } from '../guard/limits.ts';
import { snakeKey } from './camel-keys.ts';
import {
  asRead,
  checkFields,
  extraField,
  idField,
  isRecordId,
  secondsField,
  unknownOf,
  withoutUnreadable,
  wordsField,
} from './record-fields.ts';

const count = () => z.number().int().min(0);
const share = () => z.number().min(0).max(1);

const metaSchema = once(() =>
  z
    .looseObject({
      tags: wordsField(),
      source: z.string().nullish(),
      context: z.string().nullish(),
      extra: extraField(),
    })
    .nullish(),
);

const sourceSchema = once(() =>
  z.union([
    z.object({ path: z.string(), turn: z.number().int().min(1).optional(), role: z.string().optional() }),
    // The short form of hand-written records: path#turn.
    z.string().transform((text): { path: string; turn?: number } => {
      const match = /^(.*)#(\d+)$/.exec(text);
      return match === null ? { path: text } : { path: match[1] ?? text, turn: Number(match[2]) };
    }),
  ]),
);

const schema = once(() =>
  z.looseObject({
    id: idField(),
    content: z.string(),
    gist: z.string().nullish(),
    meta: metaSchema(),
    created_at: secondsField().optional(),
    last_used: secondsField().optional(),
    use_count: count().default(0),
    strength: z.number().min(0).max(2).default(1),
    status: z.enum(memoryStatuses).default('active'),
    promoted_at: secondsField().nullish(),
    promoted_to: z.string().nullish(),
    embed: z.unknown().optional(),
    entities: wordsField(),
    review_priority: z.number().default(0),
    last_review_at: secondsField().nullish(),
    review_count: count().default(0),
    cross_domain_count: count().default(0),
    category: z.enum(memoryCategories).nullish(),
    confidence: share().nullish(),
    confidence_tier: z.enum(['explicit', 'implied', 'inferred', 'speculative']).nullish(),
    importance: share().nullish(),
    memory_kind: z.enum(['episode', 'note']).nullish(),
    superseded_by: z.string().nullish(),
    statement: z.string().nullish(),
    subject: z.string().nullish(),
    attribute: z.string().nullish(),
    valid_from: secondsField().nullish(),
    valid_until: secondsField().nullish(),
    replaced_by: z.string().nullish(),
    expires_at: secondsField().nullish(),
    due: z.iso.date().nullish(),
    standing: z.boolean().nullish(),
    standing_confidence: share().nullish(),
    sources: z.array(sourceSchema()).nullish(),
    alternatives: z.array(z.object({ field: z.string(), value: z.unknown() })).nullish(),
  }),
);

const knownKeys = once((): ReadonlySet<string> => new Set(Object.keys(schema().shape)));
const knownMeta: ReadonlySet<string> = new Set(['tags', 'source', 'context', 'extra']);

/**
 * Parses one memory record.
 *
 * Only `id` and `content` must be there: files of other tools leave out what they do not know. An `embed` array is dropped, for
 * embeddings are derived; other unknown keys are kept, those of `meta` in `meta.extra`.
 *
 * @throws MemoryError INVALID_RECORD with path, line and key; TOO_LARGE.
 */
export function parseMemory(text: string, path: string): MemoryRecord {
  checkSize(text, maxFileBytes, path);
  const raw = parseJson(text, path);
  return recordOf(checkFields(schema(), raw, text, path), raw);
}

/**
 * Reads a memory of another store from a JSON value; a value that no record can have does not cost the memory its other fields.
 *
 * Such values are left out, named in `unreadable`, and kept as they were in `meta.extra.unreadable`.
 *
 * @throws MemoryError INVALID_RECORD when the id or the content cannot be read.
 */
export function salvageMemory(raw: unknown, where: string): { record: MemoryRecord; unreadable: string[] } {
  const { value, unreadable } = withoutUnreadable(schema(), raw, ['id', 'content']);
  const record = recordOf(checkFields(schema(), value, '', where), value);
  if (unreadable === undefined) return { record, unreadable: [] };
  const extra = { ...record.meta.extra, unreadable };
  return { record: { ...record, meta: { ...record.meta, extra } }, unreadable: Object.keys(unreadable) };
}

/** Pairs fields with their keys in the file, which are the same words in snake_case. */
const keyed = (fields: readonly (keyof MemoryRecord)[]) => fields.map((field) => [field, snakeKey(field)] as const);

const always = keyed([
  ...(['id', 'content', 'gist', 'meta', 'createdAt', 'lastUsed', 'useCount', 'strength', 'status'] as const),
  ...(['promotedAt', 'promotedTo', 'entities', 'reviewPriority', 'lastReviewAt', 'reviewCount'] as const),
  'crossDomainCount',
]);
const judged = keyed(['category', 'confidence', 'confidenceTier', 'importance', 'memoryKind']);
const timed = keyed(['expiresAt', 'due', 'standing', 'standingConfidence']);
const claimed = keyed(['statement', 'subject', 'attribute', 'validFrom', 'validUntil', 'replacedBy']);
const inFile = [...always, ...judged, ['status', 'superseded_by'] as const, ...timed, ...claimed];
const optional = [...judged, ...claimed, ...timed];

function recordOf(read: z.output<ReturnType<typeof schema>>, raw: unknown): MemoryRecord {
  const meta = read.meta ?? { tags: [], extra: {} };
  const record: Record<string, unknown> = {};
  for (const [field, key] of always) record[field] = read[key] ?? null;
  record.meta = {
    tags: meta.tags,
    source: meta.source ?? null,
    context: meta.context ?? null,
    extra: { ...unknownOf(meta, knownMeta), ...meta.extra },
  };
  record.createdAt = read.created_at ?? read.last_used ?? 0;
  record.lastUsed ??= record.createdAt;
  for (const [field, key] of optional) if (read[key] != null) record[field] = read[key];
  // Records of earlier versions, and of programs that know spec 5 alone, name it by the older word.
  if (read.superseded_by != null) record.replacedBy ??= read.superseded_by;
  const sources = read.sources?.map((source) => defined(source) as SourceReference);
  const alternatives = read.alternatives?.map(({ field, value }) => ({ field, value: value ?? null }));
  const unknown = isJsonObject(raw) ? unknownOf(raw, knownKeys()) : undefined;
  return Object.assign(record, defined({ sources, alternatives, unknown })) as unknown as MemoryRecord;
}

/**
 * Formats a memory record as canonical JSON: the keys of spec 1 in its order, then the optional fields that are present, then
 * unknown keys. Equal records are equal bytes.
 */
export function formatMemory(record: MemoryRecord): string {
  const { content, meta, status, statement, replacedBy, sources, alternatives, unknown } = record;
  const written: Record<string, unknown> = {};
  for (const [field, key] of inFile) written[key] = record[field];
  written.meta = { tags: meta.tags, source: meta.source, context: meta.context, extra: sortKeys(meta.extra) };
  written.superseded_by = status === 'superseded' ? replacedBy : undefined;
  if (statement === content) written.statement = undefined;
  written.sources = sources?.map(({ path, turn, role }) => ({ path, turn, role }));
  written.alternatives = alternatives?.map(({ field, value }) => ({ field, value: sortKeys(value) }));
  return formatJson(Object.assign(written, sortKeys(unknown ?? {})));
}

/** Gives the path of a memory record: `memories/{xx}/{id}.json`, `xx` the first two hexadecimal digits of SHA-256 of the id. */
export const memoryPath = (id: string): string => `memories/${sha256Hex(id).slice(0, 2)}/${id}.json`;

/** What a new memory is made of; all but id, content and time has a default. */
export interface NewMemory
  extends Partial<Omit<MemoryRecord, 'id' | 'content' | 'meta' | 'createdAt' | 'lastUsed' | 'unknown'>> {
  readonly id: string;
  readonly content: string;
  /** Milliseconds since the Unix epoch: when it was made, and last used. */
  readonly now: number;
  readonly tags?: readonly string[];
  readonly source?: string | null;
  readonly context?: string | null;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly category?: MemoryCategory;
}

/**
 * Makes a memory that was never used: strength 1, use count 0, active, unless told otherwise.
 *
 * @throws MemoryError INVALID_ARGUMENT if the id has a form no file name can have, the content is blank, or a number is out of
 * range; TOO_LARGE.
 */
export function newMemory({ now, tags, source, context, extra, ...given }: NewMemory): MemoryRecord {
  if (!isRecordId(given.id)) {
    throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(given.id)} cannot be the id of a memory`, {
      where: 'id',
    });
  }
  if (typeof given.content !== 'string' || given.content.trim() === '')
    throw new MemoryError('INVALID_ARGUMENT', 'a memory needs content', { where: 'content' });
  const createdAt = Math.floor(now / 1000);
  const meta = { tags: tags ?? [], source: source ?? null, context: context ?? null, extra: extra ?? {} };
  // What is made must be readable: the same rules as for files, which fill in what is not given.
  const made = { createdAt, lastUsed: createdAt, ...given, meta } as MemoryRecord;
  return asRead(() => parseMemory(formatMemory(made), memoryPath(given.id)));
}
