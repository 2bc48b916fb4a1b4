// One memory as a markdown file in the fact layout of spec 4 (Engram): front matter with camelCase keys, the content below it.
// It is a form of exchange; the memory itself keeps records.

import { isJsonObject, objectAt, sortKeys } from '../../base/canonical-json.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { dayOf, formatTime } from '../../base/time.ts';
import { type MemoryRecord, memoryCategories } from '../../base/types/stored-types.ts';
import { cutFrontMatter, formatFrontMatter, splitFrontMatter } from './front-matter.ts';
import { formatMemory, salvageMemory } from './memory-record.ts';
import { isRecordId } from './record-fields.ts';

/** Front matter keys of that layout that are fields of a record, by the names of the record's file. */
const fieldOf = {
  created: 'created_at',
  lastAccessed: 'last_used',
  accessCount: 'use_count',
  confidence: 'confidence',
  confidenceTier: 'confidence_tier',
  importanceScore: 'importance',
  memoryKind: 'memory_kind',
  status: 'status',
  supersededBy: 'superseded_by',
  expiresAt: 'expires_at',
} as const;

/** The key for what the layout has no word for: the rest of the record as JSON. */
const restKey = 'gitMemory';

const known: ReadonlySet<string> = new Set([
  ...[...Object.keys(fieldOf), restKey],
  ...'id category source updated tags entityRef'.split(' '),
]);

/** Fields that have a word of their own in the front matter. */
const told: ReadonlySet<string> = new Set(['id', 'content', 'category', 'entities', 'meta', ...Object.values(fieldOf)]);

/**
 * Parses a fact file.
 *
 * ```
 * ---
 * id: decision-1739548800000-a1b2
 * category: decision
 * created: 2025-02-14T16:00:00.000Z
 * tags: ["train", "travel"]
 * entityRef: project-atlas
 * ---
 *
 * We take the train.
 * ```
 *
 * Without an id it has that of its file name. Keys that are no field are kept in `meta.extra`. Front matter that is no YAML is read line by
 * line, as the program that wrote it does. What cannot be read is named in `unreadable`, see `salvageMemory`.
 *
 * @throws MemoryError INVALID_RECORD when there is no front matter, or no id can be made.
 */
export function parseFact(text: string, path: string): { record: MemoryRecord; unreadable: string[] } {
  const { data, body } = readFrontMatter(text.startsWith('---\r\n') ? text.replaceAll('\r\n', '\n') : text, path);
  const rest = restOf(data[restKey]);
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  const ids = [data.id, name, sha256Hex(path).slice(0, 32)];
  const id = ids.find((one) => typeof one === 'string' && isRecordId(one));
  const extra = Object.fromEntries(Object.entries(data).filter(([key]) => !known.has(key)));
  const { meta: restMeta, entities, ...restFields } = rest;
  const { extra: restExtra, ...metaFields } = isJsonObject(restMeta) ? restMeta : {};
  const isCategory = (memoryCategories as readonly unknown[]).includes(data.category);
  const raw: Record<string, unknown> = {
    ...restFields,
    id,
    content: body.replace(/^\n/, '').replace(/\n$/, ''),
    meta: {
      ...metaFields,
      tags: data.tags ?? [],
      source: data.source ?? null,
      extra: {
        ...extra,
        // A word of ours that is none of the ten stays, as what it is.
        ...(data.category === undefined || isCategory ? {} : { category: data.category }),
        ...(isJsonObject(restExtra) ? restExtra : {}),
      },
    },
    entities: entities ?? (data.entityRef === undefined ? [] : [data.entityRef]),
    ...(isCategory ? { category: data.category } : {}),
  };
  for (const [key, field] of Object.entries(fieldOf)) if (data[key] !== undefined) raw[field] = data[key];
  raw.last_used ??= data.updated ?? raw.created_at;
  return salvageMemory(raw, path);
}

/**
 * Formats a memory as a fact file; {@link parseFact} gives the same record back.
 *
 * What the layout has no key for stands as JSON in one of its own, `gitMemory`, which its programs keep or ignore.
 */
export function formatFact(record: MemoryRecord): string {
  const fields = JSON.parse(formatMemory(record)) as Record<string, unknown>;
  const meta = fields.meta as Record<string, unknown>;
  const words = isJsonObject(meta.extra) ? meta.extra : {};
  const isPlain = ([key, value]: [string, unknown]) => !known.has(key) && isPlainValue(value);
  const plain = Object.fromEntries(Object.entries(words).filter(isPlain));
  const extra = Object.fromEntries(Object.entries(words).filter((one) => !isPlain(one)));
  const entity = record.entities.length === 1 ? record.entities[0] : undefined;
  const rest: Record<string, unknown> = {
    ...Object.fromEntries(
      Object.entries(fields).filter(
        ([key, value]) => !told.has(key) && !(Object.hasOwn(defaults, key) && defaults[key] === value),
      ),
    ),
    ...(record.entities.length > 1 ? { entities: record.entities } : {}),
  };
  const restMeta = {
    ...(meta.context === null ? {} : { context: meta.context }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  if (Object.keys(restMeta).length > 0) rest.meta = restMeta;
  const time = (seconds: number | undefined) => (seconds === undefined ? undefined : formatTime(seconds * 1000));
  const data = {
    id: record.id,
    category: record.category,
    created: time(record.createdAt),
    updated: time(record.lastUsed),
    source: record.meta.source ?? undefined,
    confidence: record.confidence,
    confidenceTier: record.confidenceTier,
    tags: record.meta.tags,
    entityRef: entity,
    status: record.status === 'active' ? undefined : record.status,
    supersededBy: record.replacedBy,
    expiresAt: time(record.expiresAt),
    accessCount: record.useCount === 0 ? undefined : record.useCount,
    lastAccessed: time(record.lastUsed),
    importanceScore: record.importance,
    memoryKind: record.memoryKind,
    ...plain,
    [restKey]: Object.keys(rest).length === 0 ? undefined : JSON.stringify(sortKeys(rest)),
  };
  return formatFrontMatter(data, `\n${record.content}\n`);
}

/**
 * Gives the path of a fact file: `facts/YYYY-MM-DD/<category>-<milliseconds>-<hash>.md` by the day it was made, `corrections/` for
 * corrections. An id of that form is the name.
 */
export function factPath(record: MemoryRecord): string {
  const { id, category = 'fact', createdAt } = record;
  const name = /^[a-z]+-\d{10,}-[A-Za-z0-9]+$/.test(id)
    ? id
    : `${category}-${createdAt * 1000}-${sha256Hex(id).slice(0, 8)}`;
  const folder = category === 'correction' ? 'corrections' : `facts/${dayOf(createdAt * 1000, 'UTC')}`;
  return `${folder}/${name}.md`;
}

function readFrontMatter(text: string, path: string): { data: Record<string, unknown>; body: string } {
  const cut = cutFrontMatter(text);
  if (cut === undefined) throw new MemoryError('INVALID_RECORD', `${path} has no front matter`, { where: path });
  const read = orElse(() => splitFrontMatter(text, path), null, 'INVALID_RECORD', 'TOO_LARGE');
  return read ?? { data: readLines(cut.block), body: cut.body };
}

/** `key: value` on each line, lists in brackets; a value may hold anything, colons and quotes too. */
function readLines(block: string): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const line of block.split('\n')) {
    const [, key, value = ''] = /^([A-Za-z]\w*):[ \t]*(.*)$/.exec(line) ?? [];
    if (key === undefined || key === '__proto__' || value === '') continue;
    const list = /^\[(.*)\]$/.exec(value)?.[1];
    const bare = (word: string) => word.trim().replace(/^(["'])(.*)\1$/, '$2');
    const words = list?.split(',').map(bare);
    if (words !== undefined) data[key] = words.filter((word) => word !== '');
    else data[key] = /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : bare(value);
  }
  return data;
}

const restOf = (value: unknown): Record<string, unknown> => objectAt(typeof value === 'string' ? value : null, restKey);

const defaults: Readonly<Record<string, unknown>> = {
  gist: null,
  strength: 1,
  promoted_at: null,
  promoted_to: null,
  review_priority: 0,
  last_review_at: null,
  review_count: 0,
  cross_domain_count: 0,
};

/** What YAML gives back as it was: words, numbers that are whole and not large, and lists of words. */
function isPlainValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((word) => typeof word === 'string' && word.length < 1000);
  if (typeof value === 'string') return value.length < 1000 && !/[\r\n]/.test(value);
  return typeof value === 'boolean' || Number.isSafeInteger(value);
}
