// Looks into every object of a repository, reachable or not, for what is to be purged. Reads each once and changes nothing.

import { MemoryError } from '../../base/errors.ts';
import { hasRefusedTime } from '../../store/git/commit-object.ts';
import type { GitObject, ObjectType } from '../../store/git/object-codec.ts';
import type { ObjectDatabase } from '../../store/git/object-database.ts';
import { entriesOf } from '../../store/git/tree.ts';
import { cutTree } from '../../store/git/tree-bytes.ts';
import { isSealed } from '../../store/records/private-text.ts';
import type { Needles } from './needles.ts';

/** What was found in the objects themselves; what leads to them is the rewriting's to find. */
export interface Census {
  readonly types: ReadonlyMap<string, ObjectType>;
  /** Blobs, commits and tags whose content holds it, and trees that have it in a name. */
  readonly holding: ReadonlySet<string>;
  /** Names of files and folders that hold it, and what they become; no two become one. */
  readonly names: ReadonlyMap<string, string>;
  /** Objects that cannot be read, or are too large to be: nobody knows whether they hold it. */
  readonly unread: ReadonlySet<string>;
  /** How many blobs are encrypted: a text cannot be looked for in them. */
  readonly sealedCount: number;
}

/** Every stored copy of every object, and the packs they lie in. */
export type CensusSource = Pick<ObjectDatabase, 'copies' | 'has' | 'rescanPacks' | 'openPacks'>;

const maxPasses = 20;

function packsOf(objects: CensusSource): string {
  objects.rescanPacks();
  return objects
    .openPacks()
    .map(({ name }) => name)
    .sort()
    .join(' ');
}

/** Takes the census. `onProgress` hears how many objects were read; `times`: it holds what has a time that git does not take, too. */
export function takeCensus(
  objects: CensusSource,
  needles: Needles,
  onProgress: ((done: number) => void) | undefined,
  times: boolean,
): Census {
  const types = new Map<string, ObjectType>();
  const holding = new Set<string>();
  const unread = new Set<string>();
  const sealed = new Set<string>();
  const renamed = new Set<string>();
  const others = new Set<string>();
  // A collection of git beside us moves objects from pack to pack: what was seen of a list that changed is not all.
  for (let attempt = 0; attempt < maxPasses; attempt++) {
    const before = packsOf(objects);
    for (const { oid, read } of objects.copies()) {
      if (types.has(oid)) continue;
      let object: GitObject;
      try {
        object = read();
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        unread.add(oid);
        continue;
      }
      unread.delete(oid);
      types.set(oid, object.type);
      if (types.size % 1000 === 0) onProgress?.(types.size);
      if (object.type !== 'tree') {
        const isOfTime = times && object.type !== 'blob' && hasRefusedTime(object.data);
        if (isOfTime || needles.isIn(object.data)) holding.add(oid);
        if (object.type === 'blob' && isSealed(object.data)) sealed.add(oid);
        continue;
      }
      for (const { name } of entriesOf(cutTree(object.data, oid))) {
        if (others.has(name)) continue;
        if (renamed.has(name) || needles.renamed(name) !== name) {
          renamed.add(name);
          holding.add(oid);
        } else others.add(name);
      }
    }
    if (packsOf(objects) === before) break;
  }
  for (const oid of unread) if (!objects.has(oid)) unread.delete(oid);
  const sealedCount = [...sealed].filter((oid) => objects.has(oid)).length;
  return { types, holding, names: distinctNames(renamed, others, needles), unread, sealedCount };
}

/** Gives each name one of its own, also beside those that stay. */
function distinctNames(
  renamed: ReadonlySet<string>,
  others: ReadonlySet<string>,
  needles: Needles,
): Map<string, string> {
  // Names with the mark come from the same purge on another machine, whose files are called alike here.
  const taken = new Set([...others].filter((name) => !name.includes(needles.nameMark)));
  const names = new Map<string, string>();
  for (const name of [...renamed].sort()) {
    const wanted = needles.renamed(name);
    const [, stem, ending = ''] = /^(.+?)(\.[^.]*)?$/.exec(wanted)!;
    let free = wanted;
    for (let count = 2; taken.has(free); count++) free = `${stem}-${count}${ending}`;
    taken.add(free);
    names.set(name, free);
  }
  return names;
}
