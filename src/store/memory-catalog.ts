// The memories of a snapshot as values; each blob is parsed once, ever.

import { MemoryError } from '../errors.ts';
import { memoryPath, parseMemory } from '../records/memory-record.ts';
import type { MemoryRecord } from '../records/types.ts';
import type { Snapshot } from './snapshot.ts';

const maxParsed = 100_000;

/** Reads memories; a file that does not parse is passed over and reported by `problems`. */
export class MemoryCatalog {
  private readonly parsed = new Map<string, MemoryRecord | MemoryError>();

  /** Lists path → record of all memories of a snapshot. */
  all(snapshot: Snapshot): Map<string, MemoryRecord> {
    const records = new Map<string, MemoryRecord>();
    for (const [path, oid] of snapshot.list('memories/')) {
      const record = this.parse(snapshot, path, oid);
      if (!(record instanceof MemoryError)) records.set(path, record);
    }
    return records;
  }

  /** Lists what stands in memories/ and is not a memory. */
  problems(snapshot: Snapshot): { path: string; why: string }[] {
    const found: { path: string; why: string }[] = [];
    for (const [path, oid] of snapshot.list('memories/')) {
      const record = this.parse(snapshot, path, oid);
      if (record instanceof MemoryError) found.push({ path, why: record.message });
    }
    return found;
  }

  /** Finds one memory by id, or by the beginning of exactly one id; throws NOT_FOUND, AMBIGUOUS. */
  find(snapshot: Snapshot, id: string): { path: string; record: MemoryRecord } {
    if (typeof id !== 'string' || id === '') {
      throw new MemoryError('INVALID_ARGUMENT', 'the id of a memory is missing', { where: 'id' });
    }
    const path = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id) ? memoryPath(id) : id;
    const oid = snapshot.oidOf(path);
    if (oid !== null) {
      const record = this.parse(snapshot, path, oid);
      if (record instanceof MemoryError) throw record;
      return { path, record };
    }
    const matches = [...this.all(snapshot)].filter(([, record]) => record.id.startsWith(id));
    if (matches.length === 1) return { path: matches[0]![0], record: matches[0]![1] };
    if (matches.length > 1) {
      throw new MemoryError('AMBIGUOUS', `${matches.length} memories have an id that begins with ${id}`, {
        where: id,
        hint: 'Give more of the id',
      });
    }
    throw new MemoryError('NOT_FOUND', `no memory has the id ${id}`, {
      where: id,
      hint: '`git memory list` shows ids; `git memory provenance` also knows memories that are gone',
    });
  }

  private parse(snapshot: Snapshot, path: string, oid: string): MemoryRecord | MemoryError {
    const known = this.parsed.get(oid);
    if (known) return known;
    let result: MemoryRecord | MemoryError;
    try {
      result = parseMemory(snapshot.readBlob(oid, path).toString('utf8'), path);
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
      result = error;
    }
    if (this.parsed.size >= maxParsed) this.parsed.delete(this.parsed.keys().next().value!);
    this.parsed.set(oid, result);
    return result;
  }
}
