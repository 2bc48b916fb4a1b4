// Where something is that a question names by its path, its id or the beginning of one; or where it may have been.

import { MemoryError, orElse } from '../../base/errors.ts';
import { type HistoryCatalogue, logOf, placesOfMemory } from '../../history/index.ts';
import type { Repository } from '../../store/git/repository.ts';
import { findEntry } from '../../store/git/tree.ts';
import { askedPath } from '../../store/guard/path.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Snapshot } from '../../store/snapshot.ts';

export interface PlaceContext {
  readonly repository: Repository;
  readonly catalog: MemoryCatalog;
  readonly history: HistoryCatalogue;
}

/** Finds what a path, an id or the beginning of one means in a state. Throws NOT_FOUND, AMBIGUOUS, INVALID_ARGUMENT, INVALID_PATH. */
export function placeOf(
  { repository, catalog }: PlaceContext,
  snapshot: Snapshot,
  pathOrId: string,
): { path: string; id?: string } {
  if (typeof pathOrId !== 'string' || pathOrId === '')
    throw new MemoryError('INVALID_ARGUMENT', 'a path or the id of a memory is missing', { where: 'pathOrId' });
  const path = askedPath(pathOrId);
  const { readTree } = repository.objects;
  const isPath = pathOrId.includes('/') || snapshot.oidOf(path) !== null || findEntry(snapshot.tree, path, readTree);
  if (isPath) return { path };
  const found = catalog.find(snapshot, pathOrId);
  return { path: found.path, id: found.record.id };
}

/** Lists where something is, or may have been if it is gone. Throws AMBIGUOUS, INVALID_ARGUMENT, INVALID_PATH. */
export function placesOf(context: PlaceContext, snapshot: Snapshot, pathOrId: string): string[] {
  const found = orElse(() => placeOf(context, snapshot, pathOrId), null, 'NOT_FOUND');
  return found === null ? pastPlacesOf(context, snapshot, pathOrId) : [found.path];
}

/** Lists where a memory or file may have been that is not in a state any more. Throws AMBIGUOUS. */
export function pastPlacesOf({ repository, history }: PlaceContext, snapshot: Snapshot, pathOrId: string): string[] {
  // By its whole id, as a file at the root, or by the beginning of an id that no other memory had.
  const exact = [...placesOfMemory(pathOrId), pathOrId];
  const isKnown = () => logOf(repository, snapshot.commit, { path: exact, limit: 1 }).commits.length > 0;
  if (snapshot.commit === null || isKnown()) return exact;
  const found = [...history.pathsBelow('memories/', (path) => idInPath(path).startsWith(pathOrId))];
  const ids = new Set(found.map(idInPath));
  if (ids.size > 1) {
    throw new MemoryError('AMBIGUOUS', `${ids.size} memories had an id that begins with ${pathOrId}`, {
      where: pathOrId,
      hint: 'Give more of the id',
    });
  }
  return ids.size === 0 ? exact : placesOfMemory([...ids][0]!);
}

const idInPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '');
