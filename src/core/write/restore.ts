// Brings a memory back by name: from the archive, or from history with the relations that went with it.

import { MemoryError, orElse } from '../../base/errors.ts';
import type { MemoryRecord, RelationRecord } from '../../base/types/stored-types.ts';
import { logOf, placesOfMemory } from '../../history/index.ts';
import { isOver } from '../../store/claims/claim.ts';
import { formatMemory, memoryPath, parseMemory } from '../../store/records/memory-record.ts';
import { isRecordId } from '../../store/records/record-fields.ts';
import { formatRelation } from '../../store/records/relation-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { reinforced, type UseRules } from '../lifecycle/reinforce.ts';
import { isLineage } from '../lifecycle/relations.ts';
import type { EditPlan, PlannedEdit } from './edits.ts';
import { type PlaceContext, pastPlacesOf } from './places.ts';

export interface RestoreContext extends PlaceContext {
  at(commit: string): Snapshot;
}

/** A memory as it was last: in a state of the past, or archived in the present. */
export interface Found {
  readonly record: MemoryRecord;
  /** The last state that had it. */
  readonly state: Snapshot;
}

/** How many commits that touched a file are looked at: one of them had it, unless merges dropped it again and again. */
const maxCommits = 100;

/**
 * Finds what there is to bring back under an id or the beginning of one. Throws NOT_FOUND when no memory ever had it, ALREADY_EXISTS when it
 * is here and not archived, AMBIGUOUS, INVALID_ARGUMENT.
 */
export function findForgotten(context: RestoreContext, snapshot: Snapshot, id: string): Found {
  if (typeof id !== 'string' || !isRecordId(id)) {
    throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(id)} cannot be the id of a memory`, {
      where: 'id',
      hint: 'To bring back a file, undo the commit that removed it; `git memory log PATH` names it',
    });
  }
  const whole = context.catalog.stored(snapshot).find(({ record }) => record.id === id)?.record;
  // The whole id of one that is gone may be the beginning of others that are here.
  const gone = whole === undefined ? goneAs(context, snapshot, placesOfMemory(id)) : null;
  if (gone !== null) return gone;
  const here = whole ?? orElse(() => context.catalog.find(snapshot, id).record, null, 'NOT_FOUND');
  if (here?.status === 'archived') return { record: here, state: snapshot };
  if (here !== null) {
    const hint = '`git memory show` shows it';
    throw new MemoryError('ALREADY_EXISTS', `the memory ${here.id} is here, ${here.status}`, { where: here.id, hint });
  }
  const found = goneAs(context, snapshot, pastPlacesOf(context, snapshot.withoutOverlay(), id));
  if (found !== null) return found;
  const hint = '`git memory learned <words>` finds when something was known';
  throw new MemoryError('NOT_FOUND', `no memory has or had the id ${id}`, { where: id, hint });
}

function goneAs(context: RestoreContext, snapshot: Snapshot, places: readonly string[]): Found | null {
  for (const state of statesWith(context, snapshot, places)) {
    for (const path of places) {
      const text = state.readText(path);
      if (text !== null) return { record: parseMemory(text, path), state };
    }
  }
  return null;
}

/** The states that may have a file last, newest first: the tip while its removal waits, then commits that touched it. */
function* statesWith({ repository, at }: RestoreContext, snapshot: Snapshot, places: readonly string[]) {
  yield snapshot.withoutOverlay();
  for (const { oid, parents } of logOf(repository, snapshot.commit, { path: places, limit: maxCommits }).commits) {
    for (const commit of [oid, ...parents]) yield at(commit);
  }
}

/**
 * Plans to bring a memory back: active again if it was archived, else as it was last, with its relations to what is here.
 *
 * It counts as a use: as weak as it was when it was forgotten, the next collection would take it again.
 */
export function planRestore(
  { catalog }: RestoreContext,
  { record, state }: Found,
  now: number,
  rules: UseRules,
): EditPlan {
  return (snapshot) => {
    const present = new Map(catalog.stored(snapshot).map((stored) => [stored.record.id, stored]));
    const here = present.get(record.id);
    if (here?.record.status === 'archived')
      return { path: here.path, after: formatMemory(back(here.record, now, rules)) };
    if (here !== undefined)
      throw new MemoryError('ALREADY_EXISTS', `the memory ${record.id} is here already`, { where: record.id });
    const isWhole = ({ fromMemoryId, toMemoryId }: RelationRecord) =>
      [fromMemoryId, toMemoryId].every((id) => id === record.id || present.has(id));
    const relations = catalog
      .relations(state)
      .filter(({ record: one }) => one.fromMemoryId === record.id || one.toMemoryId === record.id)
      .filter(({ path, record: one }) => (isWhole(one) || isLineage(one)) && snapshot.oidOf(path) === null)
      .map(({ path, record: one }): PlannedEdit => ({ path, after: formatRelation(one) }));
    return [{ path: memoryPath(record.id), after: formatMemory(back(record, now, rules)) }, ...relations];
  };
}

/** Out of the archive only what took its place ends it: the day on which it expired, or was to leave the archive, lies behind. */
function back(record: MemoryRecord, now: number, rules: UseRules): MemoryRecord {
  const used = reinforced(record, { now }, rules);
  if (used.status !== 'archived') return used;
  const { expiresAt: _, ...lasting } = used;
  const isReplaced = used.replacedBy !== undefined && isOver(lasting, now / 1000);
  return { ...lasting, status: isReplaced ? 'superseded' : 'active' };
}
