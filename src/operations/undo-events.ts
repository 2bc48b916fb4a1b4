// The inverse of commits that appended events: the last of a day goes, as if it had never been there; an earlier one stays, and an event that
// supersedes it is appended, for ids are in a row and others may name it.

import { MemoryError } from '../errors.ts';
import type { UndoPlan } from '../history/inverse.ts';
import { planAppend } from '../logs/append.ts';
import { findEvent } from '../logs/ledger.ts';
import { retractionOf } from '../logs/retraction.ts';
import { entriesOf } from '../merge/log.ts';
import { keyedEntries } from '../merge/log-ids.ts';
import { kindOf } from '../records/kind.ts';
import type { LedgerEvent } from '../records/ledger-event.ts';
import { dayOfSegment, parseLedger } from '../records/ledger-segment.ts';
import type { Codec } from '../store/codec.ts';
import { plannedChanges } from '../store/planned-change.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** Gives a plan in which no event goes that is not the last of its day, or that another one names. */
export function keepEvents(
  plan: UndoPlan,
  present: Snapshot,
  codec: Codec,
  when: { readonly now: number; readonly timeZone: string },
): UndoPlan {
  const segments = plan.changes.filter(({ path }) => dayOfSegment(path) !== null);
  if (segments.length === 0) return plan;
  const textAfter = (path: string, bytes: Buffer | null) =>
    bytes === null ? '' : codec.decode(path, bytes).toString('utf8');
  const remaining = new Set(
    plan.changes
      .filter(({ path }) => kindOf(path) === 'ledger')
      .flatMap(({ path, bytes }) => [...keyedEntries(entriesOf(parseLedger(textAfter(path, bytes), path))).keys()]),
  );
  const taken: LedgerEvent[] = [];
  const kept: string[] = [];
  for (const { path } of segments) {
    const entries = [...keyedEntries(entriesOf(parseLedger(present.readText(path) ?? '', path)))];
    const lost = entries.filter(([key]) => !remaining.has(key)).map(([, { value }]) => value);
    const tail = entries.slice(entries.length - lost.length).map(([, { value }]) => value);
    const isTail = lost.every((event, at) => event.id === tail[at]?.id);
    if (lost.length === 0 || (isTail && !areCited(present, lost))) continue;
    taken.push(...lost);
    kept.push(path);
  }
  if (taken.length === 0) return plan;
  const drafts = taken.map((event) => ({ draft: retractionOf(event, replacedBy(present, event)), time: when.now }));
  const edits = new Map(kept.map((path) => [path, { mode: '100644' as const, oid: present.oidOf(path)! }] as const));
  for (const { path, after } of planAppend(present, drafts, when).changes) {
    edits.set(path, { mode: '100644', oid: plan.objects.addBlob(codec.encode(path, after!)) });
  }
  const tree = plan.objects.editTree(plan.tree, edits);
  return { ...plan, tree, changes: plannedChanges(plan.objects, present.tree, tree, new Set()) };
}

/** Whether an event that stays names one of these. */
function areCited(present: Snapshot, events: readonly LedgerEvent[]): boolean {
  const ids = new Set(events.map(({ id }) => id));
  for (const path of present.list('ledger/').keys()) {
    if (kindOf(path) !== 'ledger') continue;
    for (const { id, value } of entriesOf(parseLedger(present.readText(path) ?? '', path))) {
      const named = [...(value.related ?? []), ...(value.supersedes === undefined ? [] : [value.supersedes])];
      if (!ids.has(id) && named.some((name) => ids.has(name))) return true;
    }
  }
  return false;
}

function replacedBy(present: Snapshot, { supersedes }: LedgerEvent): LedgerEvent | null {
  if (supersedes === undefined) return null;
  try {
    return findEvent(present, supersedes).value;
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
