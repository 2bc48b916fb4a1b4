// .meta.json: the version of the storage, and which machine maintained it last (spec 1).

import { formatJson, isJsonObject, parseJson, sortKeys } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { snakeKeys } from './camel-keys.ts';
import { unknownOf } from './record-fields.ts';

/** The path of {@link StorageMeta} in every memory. */
export const metaPath = '.meta.json';

/** The version of the storage this engine writes: one file for each record. */
export const storageVersion = 2;

/** What `.meta.json` says; times are in seconds since the Unix epoch. */
interface StorageMeta {
  readonly storageVersion: number;
  readonly createdAt: number;
  /** For information only: which machine maintained the memory last. */
  readonly machineId: string | null;
  readonly lastGcAt: number | null;
  readonly lastConsolidationAt: number | null;
  /** `jsonl-v1` where the records were lines of memories.jsonl once. */
  readonly migratedFrom: string | null;
  /** Keys this version does not know, kept as they were read. */
  readonly unknown?: Readonly<Record<string, unknown>>;
}

const known: ReadonlySet<string> = new Set(
  'storage_version created_at machine_id last_gc_at last_consolidation_at migrated_from'.split(' '),
);

/** Describes a storage that begins now; `now` in milliseconds since the Unix epoch. */
export function newMeta(now: number, machineId: string): StorageMeta {
  return {
    storageVersion,
    createdAt: Math.floor(now / 1000),
    machineId,
    lastGcAt: null,
    lastConsolidationAt: null,
    migratedFrom: null,
  };
}

/**
 * Parses `.meta.json`. A value of another type counts as missing: the file informs, and must not block a read.
 *
 * @throws MemoryError INVALID_RECORD when it is no JSON object, or its version is no number.
 */
export function parseMeta(text: string): StorageMeta {
  const raw = parseJson(text, metaPath);
  if (!isJsonObject(raw)) throw invalid('is not a JSON object');
  const version = raw.storage_version ?? 1;
  if (!(Number.isInteger(version) && (version as number) >= 1)) throw invalid('has no version of the storage');
  const seconds = (key: string): number | null => (Number.isFinite(raw[key]) ? (raw[key] as number) : null);
  const word = (key: string): string | null => (typeof raw[key] === 'string' ? (raw[key] as string) : null);
  return {
    storageVersion: version as number,
    createdAt: seconds('created_at') ?? 0,
    machineId: word('machine_id'),
    lastGcAt: seconds('last_gc_at'),
    lastConsolidationAt: seconds('last_consolidation_at'),
    migratedFrom: word('migrated_from'),
    ...defined({ unknown: unknownOf(raw, known) }),
  };
}

/** Formats `.meta.json` as canonical JSON in the key order of spec 1; unknown keys come last. */
export function formatMeta({ unknown = {}, ...meta }: StorageMeta): string {
  const { storageVersion, createdAt, machineId, lastGcAt, lastConsolidationAt, migratedFrom } = meta;
  const known = { storageVersion, createdAt, machineId, lastGcAt, lastConsolidationAt, migratedFrom };
  return formatJson({ ...snakeKeys(known), ...sortKeys(unknown) });
}

function invalid(what: string): MemoryError {
  const hint = 'Restore the file from history';
  return new MemoryError('INVALID_RECORD', `${metaPath} ${what}`, { where: metaPath, hint });
}
