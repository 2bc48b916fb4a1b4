// The records of a snapshot as values; how they are kept is record-folder.ts.

import { MemoryError } from '../base/errors.ts';
import { keptIn } from '../base/once-per.ts';
import { singleSpaced } from '../base/text.ts';
import type { MemoryRecord, RelationRecord } from '../base/types/stored-types.ts';
import { RecordFolder, type RecordPlace } from './record-folder.ts';
import { type Records, type Refused, recordsOf, type Stored } from './record-table.ts';
import { type Box, parseBox } from './records/box-file.ts';
import { isTurn } from './records/knowledge-marks.ts';
import { memoryPath, parseMemory } from './records/memory-record.ts';
import { withGuess } from './records/nearest-word.ts';
import { parseRelation } from './records/relation-record.ts';
import { vitalsIn } from './records/vitals.ts';
import type { Snapshot } from './snapshot.ts';

export { type Records, type Stored, vitalsOf } from './record-table.ts';

const isOfFile = ({ code }: MemoryError): boolean => ['INVALID_RECORD', 'TOO_LARGE', 'PRIVATE_DAMAGED'].includes(code);

/** A reader of boxes; whatever in boxes/ cannot be read is passed over. */
export const newBoxCatalog = (): RecordFolder<Box> =>
  new RecordFolder<Box>({ folder: 'boxes', parse: parseBox, vitalsIn: () => null, isPassed: () => true }, null);

/** Reads memories and relations; a file that does not parse is passed over and reported by `problems`. */
export class MemoryCatalog {
  private readonly memories: RecordFolder<MemoryRecord>;
  private readonly edges: RecordFolder<RelationRecord>;
  private readonly boxFiles = newBoxCatalog();
  /** The memories of the list that was asked last, by their tags. */
  private tags: {
    readonly of: Records<MemoryRecord>;
    readonly byTag: ReadonlyMap<string, Stored<MemoryRecord>[]>;
  } | null = null;

  /** Without a place nothing is kept, and all is read from its objects. */
  constructor(place: RecordPlace | null = null) {
    this.memories = new RecordFolder<MemoryRecord>(
      { folder: 'memories', parse: parseMemory, vitalsIn, isPassed: isOfFile },
      place,
    );
    this.edges = new RecordFolder<RelationRecord>(
      { folder: 'relations', parse: parseRelation, vitalsIn: () => null, isPassed: isOfFile },
      place,
    );
  }

  all(snapshot: Snapshot): Map<string, MemoryRecord> {
    return new Map(this.stored(snapshot).map(({ path, record }) => [path, record]));
  }

  /** Lists all memories of a snapshot with their blob ids, in the order of the tree. */
  stored(snapshot: Snapshot): readonly Stored<MemoryRecord>[] {
    return this.memories.stored(snapshot);
  }

  /** Gives the same without making each. */
  records(snapshot: Snapshot): Records<MemoryRecord> {
    return this.memories.look(snapshot).records;
  }

  /** Gives what {@link records} does, or the newest memories where another process has to read the others. */
  newest(snapshot: Snapshot): Records<MemoryRecord> {
    return this.memories.newest(snapshot);
  }

  /** How many memories a snapshot has at most, where that is known without a look at each; else null. */
  count(snapshot: Snapshot): number | null {
    return this.memories.count(snapshot);
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
  tagged(snapshot: Snapshot, tag: string): Records<MemoryRecord> {
    const of = this.newest(snapshot);
    if (this.tags?.of !== of) this.tags = { of, byTag: indexByTag(of.all) };
    return recordsOf(this.tags.byTag.get(tag) ?? []);
  }

  relations(snapshot: Snapshot): readonly Stored<RelationRecord>[] {
    return this.edges.stored(snapshot);
  }

  boxes(snapshot: Snapshot): readonly Stored<Box>[] {
    return this.boxFiles.stored(snapshot);
  }

  /** Lists what is in memories/ and relations/ and is no such record. */
  problems(snapshot: Snapshot): Refused[] {
    return [...this.memories.refused(snapshot), ...this.edges.refused(snapshot)];
  }

  /** Finds one memory by id, or by the beginning of exactly one id; throws NOT_FOUND, AMBIGUOUS. */
  find(snapshot: Snapshot, id: string): { path: string; record: MemoryRecord } {
    if (typeof id !== 'string' || id === '')
      throw new MemoryError('INVALID_ARGUMENT', 'the id of a memory is missing', { where: 'id' });
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
    if (isTurn(id)) {
      const ofTurn = [...this.all(snapshot)].flatMap(([, { id: one, sources = [] }]) =>
        sources.some((source) => `${source.path}#${source.turn}` === id) ? [one.slice(0, 10)] : [],
      );
      const hint =
        ofTurn.length > 0
          ? `Of it were made ${ofTurn.join(', ')}: with one of them no answer shows the turn any more`
          : 'No memory was made of it; `git memory purge TEXT` takes its words out, and out of history';
      throw new MemoryError('NOT_FOUND', `${id} is a turn and no memory`, { where: id, hint });
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
    return `${only.id.slice(0, Math.max(10, id.length))} (${singleSpaced(only.content).slice(0, 40)})`;
  }
}

function indexByTag(memories: readonly Stored<MemoryRecord>[]): Map<string, Stored<MemoryRecord>[]> {
  const byTag = new Map<string, Stored<MemoryRecord>[]>();
  for (const stored of memories) for (const tag of stored.record.meta.tags) keptIn(byTag, tag, () => []).push(stored);
  return byTag;
}
