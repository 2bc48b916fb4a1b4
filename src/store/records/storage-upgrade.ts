// From version 1 of the storage to the present one: pure, from the texts of files to the texts of files.

import { type RecordReader, readStore } from './jsonl-store.ts';
import { formatMemory, memoryPath, salvageMemory } from './memory-record.ts';
import { formatRelation, relationPath, salvageRelation } from './relation-record.ts';

/** The files of version 1, to which lines were only added. */
export const lineFiles = ['memories.jsonl', 'relations.jsonl'] as const;
/** What `migrated_from` says of a storage that was of version 1. */
export const lineStorage = 'jsonl-v1';

/**
 * Makes of the two files of version 1 one file for each living record: a path and its new text, null where the file goes. Lines that are no
 * record stay in archive/. `read` gives a file, and `has` tells whether one is there.
 */
export function upgradeLines(
  read: (path: string) => string | null,
  has: (path: string) => boolean,
): Map<string, string | null> {
  const changes = new Map<string, string | null>();
  for (const path of lineFiles) {
    const text = read(path);
    if (text === null) continue;
    const { written, left } =
      path === 'memories.jsonl'
        ? readLines(text, path, salvageMemory, (one) => [memoryPath(one.id), formatMemory(one)])
        : readLines(text, path, salvageRelation, (one) => [relationPath(one.id), formatRelation(one)]);
    // A file of its own was written after the lines were.
    for (const [place, record] of written) if (!has(place)) changes.set(place, record);
    changes.set(path, null);
    if (left.length > 0) changes.set(`archive/${path}`, `${left.join('\n')}\n`);
  }
  return changes;
}

interface Lines {
  readonly written: readonly (readonly [path: string, text: string])[];
  /** Lines that are no record, as they stand. */
  readonly left: readonly string[];
}

function readLines<Value extends { readonly id: string }>(
  text: string,
  path: string,
  read: RecordReader<Value>,
  write: (record: Value) => readonly [path: string, text: string],
): Lines {
  const lines = text.split('\n');
  const numbered = lines.map((line, index) => ({ number: index + 1, text: line, isOpen: index === lines.length - 1 }));
  const { records, damaged } = readStore(numbered, read, path);
  return {
    written: [...records.values()].map(({ record }) => write(record)),
    left: damaged.map(({ line }) => lines[line - 1]!),
  };
}
