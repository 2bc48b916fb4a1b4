// Steps from one version of the storage to the next: pure, from the texts of files to the texts of files.

import { type RecordReader, readStore } from './jsonl-store.ts';
import { formatMemory, memoryPath, salvageMemory } from './memory-record.ts';
import { formatRelation, relationPath, salvageRelation } from './relation-record.ts';

/** What a step changes: a path and its new text, null where the file goes. */
export type StorageChanges = ReadonlyMap<string, string | null>;

/** One step, from a version to the next. */
export interface StorageStep {
  /** The version it starts from. */
  readonly from: number;
  /** What `migrated_from` says afterwards. */
  readonly name: string;
  /** The files it reads, by their paths. */
  readonly reads: readonly string[];
  /** Gives the changes for those of the files that are there; `has` tells whether any other file is. */
  upgrade(files: ReadonlyMap<string, string>, has: (path: string) => boolean): StorageChanges;
}

/** Version 1, the two append-only files, becomes one file for each living record; lines that are no record stay in archive/. */
const fromLines: StorageStep = {
  from: 1,
  name: 'jsonl-v1',
  reads: ['memories.jsonl', 'relations.jsonl'],
  upgrade(files, has) {
    const changes = new Map<string, string | null>();
    for (const [path, text] of files) {
      const { written, left } = path === 'memories.jsonl' ? memoriesOf(text, path) : relationsOf(text, path);
      // A file of its own was written after the lines were.
      for (const [place, record] of written) if (!has(place)) changes.set(place, record);
      changes.set(path, null);
      if (left.length > 0) changes.set(`archive/${path}`, `${left.join('\n')}\n`);
    }
    return changes;
  },
};

/** Lists the steps, one for each version before the present one. */
export const storageSteps: readonly StorageStep[] = [fromLines];

interface Lines {
  readonly written: readonly (readonly [path: string, text: string])[];
  /** Lines that are no record, as they stand. */
  readonly left: readonly string[];
}

function memoriesOf(text: string, path: string): Lines {
  const { records, left } = readLines(text, path, salvageMemory);
  return { written: records.map((record) => [memoryPath(record.id), formatMemory(record)]), left };
}

function relationsOf(text: string, path: string): Lines {
  const { records, left } = readLines(text, path, salvageRelation);
  return { written: records.map((record) => [relationPath(record.id), formatRelation(record)]), left };
}

function readLines<Value extends { readonly id: string }>(
  text: string,
  path: string,
  read: RecordReader<Value>,
): { records: Value[]; left: string[] } {
  const lines = text.split('\n');
  const numbered = lines.map((line, index) => ({ number: index + 1, text: line, isOpen: index === lines.length - 1 }));
  const { records, damaged } = readStore(numbered, read, path);
  return {
    records: [...records.values()].map(({ record }) => record),
    left: damaged.map(({ line }) => lines[line - 1]!),
  };
}
