// The records of a snapshot as values. Each blob is parsed once in the life of a process, and what was parsed is kept for the next.

import { MemoryError } from '../errors.ts';
import { type Box, parseBox } from '../records/box-file.ts';
import { memoryPath, parseMemory } from '../records/memory-record.ts';
import { withGuess } from '../records/nearest-word.ts';
import { parseRelation } from '../records/relation-record.ts';
import type { MemoryRecord, RelationRecord } from '../records/types.ts';
import type { CachePlace } from './cache-file.ts';
import { isDamage } from './damaged-files.ts';
import { RecordCache } from './record-cache.ts';
import type { Snapshot } from './snapshot.ts';

const maxParsed = 100_000;
/** Fewer records are read from their objects before a file of all that are kept is. */
const worthLoading = 64;

/** A record as it is in a state: where, under which blob id, and what it says. */
export interface Stored<Value> {
  readonly path: string;
  readonly oid: string;
  readonly record: Value;
}

/** Where parsed records are kept for the next process. */
export interface CatalogPlace extends CachePlace {
  /** Whether what a state says may be written to the disk. */
  mayKeep(snapshot: Snapshot): boolean;
}

/** A file that stands among the records and is none. */
interface Refused {
  readonly path: string;
  readonly why: string;
}

/** All of one state. */
interface Look<Value> {
  readonly version: string;
  readonly stored: readonly Stored<Value>[];
  readonly refused: readonly Refused[];
}

/** The records of one folder; a file that does not parse is passed over, and kept as its error. */
class RecordFolder<Value extends MemoryRecord | RelationRecord | Box> {
  private readonly folder: 'memories/' | 'relations/' | 'boxes/';
  private readonly parse: (text: string, path: string) => Value;
  private parsed = new Map<string, Value | MemoryError>();
  /** All of the state that was asked last. */
  private last: Look<Value> | null = null;

  private readonly place: CatalogPlace | null;
  private readonly isPassed: (error: MemoryError) => boolean;
  private cache: RecordCache<Value> | undefined;

  /**
   * `isPassed` tells which errors are those of a file alone. Default: it is no record, too large for one, or a damaged private one.
   */
  constructor(
    folder: 'memories/' | 'relations/' | 'boxes/',
    parse: (text: string, path: string) => Value,
    place: CatalogPlace | null,
    isPassed = ({ code }: MemoryError) => ['INVALID_RECORD', 'TOO_LARGE', 'PRIVATE_DAMAGED'].includes(code),
  ) {
    this.folder = folder;
    this.isPassed = isPassed;
    this.parse = parse;
    this.place = place;
  }

  stored(snapshot: Snapshot): readonly Stored<Value>[] {
    return this.look(snapshot).stored;
  }

  /** What is in the folder and is no record. */
  refused(snapshot: Snapshot): readonly Refused[] {
    return this.look(snapshot).refused;
  }

  async begin(snapshot: Snapshot, turn: () => Promise<void> | undefined): Promise<void> {
    if (this.last?.version === snapshot.version) return;
    const listing = snapshot.list(this.folder);
    const cache = this.cacheFor(snapshot, listing);
    for (const [path, oid] of listing) {
      await turn();
      this.read(snapshot, path, oid);
    }
    this.take(snapshot, listing, cache);
  }

  private look(snapshot: Snapshot): Look<Value> {
    if (this.last?.version === snapshot.version) return this.last;
    const listing = snapshot.list(this.folder);
    return this.take(snapshot, listing, this.cacheFor(snapshot, listing));
  }

  private take(
    snapshot: Snapshot,
    listing: ReadonlyMap<string, string>,
    cache: RecordCache<Value> | null,
  ): Look<Value> {
    const stored: Stored<Value>[] = [];
    const refused: Refused[] = [];
    for (const [path, oid] of listing) {
      const record = this.read(snapshot, path, oid);
      if (record instanceof MemoryError) refused.push({ path, why: record.message });
      else stored.push({ path, oid, record });
    }
    cache?.save(stored);
    this.last = { version: snapshot.version, stored, refused };
    return this.last;
  }

  /** Takes in what is kept when much is not known yet; gives null where nothing needs to be or may be kept. */
  private cacheFor(snapshot: Snapshot, listing: ReadonlyMap<string, string>): RecordCache<Value> | null {
    if (this.place === null) return null;
    let missing = 0;
    for (const oid of listing.values()) if (!this.parsed.has(oid)) missing += 1;
    if (missing < worthLoading) return null;
    const mayKeep = this.mayKeep(snapshot);
    if (mayKeep === null) return null;
    this.cache ??= new RecordCache<Value>(this.place, this.folder === 'memories/' ? 'memories' : 'relations');
    if (!mayKeep) {
      this.cache.remove();
      return null;
    }
    const kept = this.cache.load();
    if (this.parsed.size === 0) this.parsed = kept;
    else for (const [oid, record] of kept) this.parsed.set(oid, record);
    return this.cache;
  }

  /** Null where the configuration cannot be read: nobody knows then what is private. */
  private mayKeep(snapshot: Snapshot): boolean | null {
    try {
      return this.place!.mayKeep(snapshot);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      return null;
    }
  }

  read(snapshot: Snapshot, path: string, oid: string): Value | MemoryError {
    const known = this.parsed.get(oid);
    if (known) return known;
    let result: Value | MemoryError;
    try {
      result = this.parse(snapshot.readBlob(oid, path).toString('utf8'), path);
    } catch (error) {
      if (!(error instanceof MemoryError) || isDamage(error) || !this.isPassed(error)) throw error;
      result = error;
    }
    if (this.parsed.size >= maxParsed) this.parsed.delete(this.parsed.keys().next().value!);
    this.parsed.set(oid, result);
    return result;
  }
}

/** Reads boxes; whatever in boxes/ cannot be read is passed over. */
export class BoxCatalog {
  private readonly boxes = new RecordFolder<Box>('boxes/', parseBox, null, () => true);

  /** Lists all boxes of a snapshot, in the order of the tree. */
  stored(snapshot: Snapshot): readonly Stored<Box>[] {
    return this.boxes.stored(snapshot);
  }
}

/** Reads memories and relations; a file that does not parse is passed over and reported by `problems`. */
export class MemoryCatalog {
  private readonly memories: RecordFolder<MemoryRecord>;
  private readonly edges: RecordFolder<RelationRecord>;
  private readonly boxFiles = new BoxCatalog();
  /** The memories of the list that was asked last, by their tags. */
  private tags: {
    readonly of: readonly Stored<MemoryRecord>[];
    readonly byTag: ReadonlyMap<string, Stored<MemoryRecord>[]>;
  } | null = null;

  /** Without a place nothing is kept, and all is read from its objects. */
  constructor(place: CatalogPlace | null = null) {
    this.memories = new RecordFolder<MemoryRecord>('memories/', parseMemory, place);
    this.edges = new RecordFolder<RelationRecord>('relations/', parseRelation, place);
  }

  /** Lists path → record of all memories of a snapshot. */
  all(snapshot: Snapshot): Map<string, MemoryRecord> {
    return new Map(this.stored(snapshot).map(({ path, record }) => [path, record]));
  }

  /** Lists all memories of a snapshot with their blob ids, in the order of the tree. */
  stored(snapshot: Snapshot): readonly Stored<MemoryRecord>[] {
    return this.memories.stored(snapshot);
  }

  /** Reads the memories of a snapshot in turns with others; to list them is quick from then on. */
  async begin(snapshot: Snapshot, turn: () => Promise<void> | undefined): Promise<void> {
    await this.memories.begin(snapshot, turn);
  }

  /** Gives the memory that stands at a path, or null where none does. */
  storedAt(snapshot: Snapshot, path: string): Stored<MemoryRecord> | null {
    const oid = snapshot.isReadable(path) ? snapshot.oidOf(path) : null;
    if (oid === null) return null;
    const record = this.memories.read(snapshot, path, oid);
    return record instanceof MemoryError ? null : { path, oid, record };
  }

  /** Lists the memories of a snapshot that have a tag, in the order of the tree. */
  tagged(snapshot: Snapshot, tag: string): readonly Stored<MemoryRecord>[] {
    const of = this.stored(snapshot);
    if (this.tags?.of !== of) this.tags = { of, byTag: indexByTag(of) };
    return this.tags.byTag.get(tag) ?? [];
  }

  /** Lists all relations of a snapshot. */
  relations(snapshot: Snapshot): readonly Stored<RelationRecord>[] {
    return this.edges.stored(snapshot);
  }

  /** Lists all memory boxes of a snapshot. */
  boxes(snapshot: Snapshot): readonly Stored<Box>[] {
    return this.boxFiles.stored(snapshot);
  }

  /** Lists what is in memories/ and relations/ and is no such record. */
  problems(snapshot: Snapshot): Refused[] {
    return [...this.memories.refused(snapshot), ...this.edges.refused(snapshot)];
  }

  /** Finds one memory by id, or by the beginning of exactly one id; throws NOT_FOUND, AMBIGUOUS. */
  find(snapshot: Snapshot, id: string): { path: string; record: MemoryRecord } {
    if (typeof id !== 'string' || id === '') {
      throw new MemoryError('INVALID_ARGUMENT', 'the id of a memory is missing', { where: 'id' });
    }
    const path = /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id) ? memoryPath(id) : id;
    const oid = snapshot.oidOf(path);
    if (oid !== null) {
      const record = this.memories.read(snapshot, path, oid);
      if (record instanceof MemoryError) throw record;
      return { path, record };
    }
    const begun = [...this.all(snapshot)].filter(([, record]) => record.id.startsWith(id));
    // Other tools keep records in one flat folder, and a whole id may be the beginning of another.
    const whole = begun.filter(([, record]) => record.id === id);
    const matches = whole.length > 0 ? whole : begun;
    if (matches.length === 1) return { path: matches[0]![0], record: matches[0]![1] };
    if (matches.length > 1) {
      throw new MemoryError('AMBIGUOUS', `${matches.length} memories have an id that begins with ${id}`, {
        where: id,
        hint: 'Give more of the id',
      });
    }
    throw new MemoryError('NOT_FOUND', `no memory has the id ${id}`, {
      where: id,
      hint: withGuess(
        this.guess(snapshot, id),
        '`git memory list` shows ids; `git memory provenance` also knows memories that are gone',
      ),
    });
  }

  /** The id that begins with what was given but for one letter, or the memory whose words were given in place of an id. */
  private guess(snapshot: Snapshot, id: string): string | undefined {
    const words = id.toLowerCase();
    const meant = [...this.all(snapshot)].flatMap(([, record]) => {
      const begin = record.id.slice(0, id.length);
      const differs = [...begin].filter((letter, index) => letter !== id[index]).length;
      const isNear = id.length > 3 && differs === 1;
      return isNear || (words.length > 2 && record.content.toLowerCase().includes(words)) ? [record] : [];
    });
    const [only] = meant;
    if (meant.length !== 1 || only === undefined) return undefined;
    return `${only.id.slice(0, Math.max(10, id.length))} (${only.content.replace(/\s+/g, ' ').slice(0, 40)})`;
  }
}

function indexByTag(memories: readonly Stored<MemoryRecord>[]): Map<string, Stored<MemoryRecord>[]> {
  const byTag = new Map<string, Stored<MemoryRecord>[]>();
  for (const stored of memories) {
    for (const tag of stored.record.meta.tags) {
      const known = byTag.get(tag);
      if (known) known.push(stored);
      else byTag.set(tag, [stored]);
    }
  }
  return byTag;
}
