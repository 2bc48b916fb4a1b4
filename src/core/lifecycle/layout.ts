// Brings the storage to its present form: older versions step by step, flat files of other tools into shards, embeddings out.

import { MemoryError, orElse } from '../../base/errors.ts';
import type { MemoryRecord, RelationRecord } from '../../base/types/stored-types.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import { formatMemory, memoryPath } from '../../store/records/memory-record.ts';
import { formatRelation, relationPath } from '../../store/records/relation-record.ts';
import { formatMeta, metaPath, newMeta, parseMeta, storageVersion } from '../../store/records/storage-meta.ts';
import { lineFiles, lineStorage, upgradeLines } from '../../store/records/storage-upgrade.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Pass, PassItem } from './pass.ts';
import { changedFile, removed } from './record-changes.ts';

/** An embedding in the text of a record. */
const embedding = /"embed"\s*:\s*\[/;

/**
 * Plans to bring every record to its shard, in canonical form.
 *
 * A record that is in two places stays as it was used last; history keeps the other. An `embed` array leaves the tree, for embeddings are
 * derived.
 */
export const layout: Pass<void> = {
  name: 'layout',
  keepsWhatItRemoves: true,
  plan({ snapshot, memories, relations, now }, { machine }) {
    return {
      items: [
        ...upgrades(snapshot, now, machine),
        ...moves(memories, memoryPath, formatMemory, ({ lastUsed }) => lastUsed, snapshot),
        ...moves(relations, relationPath, formatRelation, ({ createdAt }) => createdAt, snapshot),
      ],
      left: [],
    };
  },
  describe(items) {
    const count = (action: string, what: string) => {
      const number = items.filter((item) => item.action === action).length;
      return number === 0 ? [] : [`${number} ${what}`];
    };
    const parts = [
      ...(items.some(({ action }) => action === 'upgrade') ? [`storage of version ${storageVersion}`] : []),
      ...count('move', 'moved into shards'),
      ...count('join', 'of two places joined'),
      ...count('trim', 'freed of embeddings'),
    ];
    return { subject: parts.join(', ') };
  },
};

/** Gives the version of the storage of a state; files of other tools without a `.meta.json` are of the present one unless they are lines. */
function storageVersionOf(snapshot: Snapshot): number {
  const text = snapshot.textIfWhole(metaPath);
  if (text !== null) return versionIn(text);
  return lineFiles.some((path) => snapshot.oidOf(path) !== null) ? 1 : storageVersion;
}

/** Throws UNSUPPORTED_REPOSITORY for a storage of a version to come: writing to it could harm what this engine does not know. */
export function checkStorageVersion(snapshot: Snapshot): void {
  const text = snapshot.textIfWhole(metaPath);
  const version = text === null ? storageVersion : versionIn(text);
  if (version <= storageVersion) return;
  throw new MemoryError(
    'UNSUPPORTED_REPOSITORY',
    `the storage has version ${version}; this engine reads up to ${storageVersion}`,
    { where: metaPath, hint: 'Use a newer git-memory, or open it read only' },
  );
}

/** A damaged file informs nobody and is in nobody's way; doctor tells of it. */
const versionIn = (text: string): number => orElse(() => parseMeta(text).storageVersion, storageVersion);

function* upgrades(snapshot: Snapshot, now: number, machine: string): Generator<PassItem> {
  const version = storageVersionOf(snapshot);
  if (version >= storageVersion) return;
  const text = snapshot.readText(metaPath);
  const meta = text === null ? newMeta(now, machine) : parseMeta(text);
  const has = (path: string) => snapshot.oidOf(path) !== null;
  const texts = upgradeLines((path) => snapshot.readText(path), has);
  texts.set(metaPath, formatMeta({ ...meta, storageVersion, migratedFrom: lineStorage, machineId: machine }));
  const changes = [...texts].map(([path, after]) => changedFile(snapshot, path, after));
  yield { action: 'upgrade', ids: [], why: `the storage is of version ${version}`, changes };
}

function* moves<Value extends MemoryRecord | RelationRecord>(
  records: readonly Stored<Value>[],
  placeOf: (id: string) => string,
  format: (record: Value) => string,
  timeOf: (record: Value) => number,
  snapshot: Snapshot,
): Generator<PassItem> {
  const misplaced = new Map<string, Stored<Value>[]>();
  const wellPlaced = new Map<string, Stored<Value>>();
  for (const stored of records) {
    const { id } = stored.record;
    if (stored.path === placeOf(id)) wellPlaced.set(id, stored);
    else misplaced.set(id, [...(misplaced.get(id) ?? []), stored]);
  }
  for (const [id, copies] of misplaced) {
    const present = wellPlaced.get(id);
    const all = present === undefined ? copies : [present, ...copies];
    const latest = all.reduce((best, one) => (timeOf(one.record) > timeOf(best.record) ? one : best));
    const path = placeOf(id);
    // What stands there and cannot be read is somebody's, and doctor's to tell.
    if (present === undefined && snapshot.oidOf(path) !== null) continue;
    yield {
      action: all.length === 1 ? 'move' : 'join',
      ids: [id],
      why: all.length === 1 ? `it stands in ${copies[0]!.path}` : `it stands in ${all.length} places`,
      changes: [
        { path, before: present?.oid ?? null, after: Buffer.from(format(latest.record)), isFormatted: true },
        ...copies.map(removed),
      ],
    };
    wellPlaced.delete(id);
  }
  for (const [id, stored] of wellPlaced) {
    if (!embedding.test(snapshot.readBlob(stored.oid, stored.path).toString('utf8'))) continue;
    const after = Buffer.from(format(stored.record));
    const change = { path: stored.path, before: stored.oid, after, isFormatted: true };
    yield { action: 'trim', ids: [id], why: 'it holds an embedding, which is derived', changes: [change] };
  }
}
