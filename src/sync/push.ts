// What a remote lacks of a history, as one pack.

import type { NewObject } from '../git/object-codec.ts';
import type { ObjectDatabase } from '../git/object-database.ts';
import { formatPack, formatPackEntry } from '../git/pack-format.ts';
import { parentsFirst } from './parents-first.ts';

/**
 * Formats the commits and what they hold that their parents do not hold at the same place.
 *
 * `commits` are those behind the new tips that the remote does not have.
 */
export function packOf(objects: ObjectDatabase, commits: readonly string[]): Buffer {
  const collected = new Map<string, NewObject>();
  const add = (oid: string) => {
    if (!collected.has(oid)) collected.set(oid, { oid, ...objects.read(oid) });
  };
  for (const oid of parentsFirst(objects, commits)) {
    add(oid);
    const { tree, parents } = objects.readCommit(oid);
    addTree(
      objects,
      tree,
      parents.map((parent) => objects.readCommit(parent).tree),
      add,
      collected,
    );
  }
  return formatPack([...collected.values()].map(formatPackEntry)).pack;
}

function addTree(
  objects: ObjectDatabase,
  tree: string,
  known: readonly string[],
  add: (oid: string) => void,
  collected: ReadonlyMap<string, unknown>,
): void {
  if (known.includes(tree) || collected.has(tree)) return;
  add(tree);
  const others = known.map((oid) => new Map(objects.readTree(oid).map((entry) => [entry.name, entry])));
  for (const { name, mode, oid } of objects.readTree(tree)) {
    const same = others.flatMap((entries) => entries.get(name) ?? []);
    if (mode === '160000' || same.some((other) => other.oid === oid)) continue;
    const folders = same.filter((other) => other.mode === '40000').map((other) => other.oid);
    if (mode === '40000') addTree(objects, oid, folders, add, collected);
    else add(oid);
  }
}
