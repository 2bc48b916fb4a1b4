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
  const losses = segments.map(({ path }) => {
    const entries = [...keyedEntries(entriesOf(parseLedger(present.readText(path) ?? '', path)))];
    const lost = entries.filter(([key]) => !remaining.has(key)).map(([, { value }]) => value);
    const tail = entries.slice(entries.length - lost.length).map(([, { value }]) => value);
    return { path, lost, isTail: lost.every((event, at) => event.id === tail[at]?.id) };
  });
  // What goes may be named by what goes with it; what is named by one that stays has to stay, and so on.
  const staying = new Set(losses.filter(({ isTail }) => !isTail));
  for (;;) {
    const gone = new Set(losses.flatMap((loss) => (staying.has(loss) ? [] : loss.lost.map(({ id }) => id))));
    const cited = citedBy(present, gone);
    const more = losses.filter((loss) => !staying.has(loss) && loss.lost.some(({ id }) => cited.has(id)));
    if (more.length === 0) break;
    for (const loss of more) staying.add(loss);
  }
  const kept = [...staying].filter(({ lost }) => lost.length > 0).map(({ path }) => path);
  const taken = losses.filter((loss) => staying.has(loss)).flatMap(({ lost }) => lost);
  if (taken.length === 0) return plan;
  const drafts = taken.map((event) => ({ draft: retractionOf(event, replacedBy(present, event)), time: when.now }));
  const edits = new Map(kept.map((path) => [path, { mode: '100644' as const, oid: present.oidOf(path)! }] as const));
  for (const { path, after } of planAppend(present, drafts, when).changes) {
    edits.set(path, { mode: '100644', oid: plan.objects.addBlob(codec.encode(path, after!)) });
  }
  const tree = plan.objects.editTree(plan.tree, edits);
  return { ...plan, tree, changes: plannedChanges(plan.objects, present.tree, tree, new Set()) };
}

/** Finds which of these events are named by one that is not among them. */
function citedBy(present: Snapshot, ids: ReadonlySet<string>): Set<string> {
  const cited = new Set<string>();
  for (const path of ids.size === 0 ? [] : present.list('ledger/').keys()) {
    if (kindOf(path) !== 'ledger') continue;
    for (const { id, value } of entriesOf(parseLedger(present.readText(path) ?? '', path))) {
      if (ids.has(id)) continue;
      for (const name of [...(value.related ?? []), ...(value.supersedes === undefined ? [] : [value.supersedes])]) {
        if (ids.has(name)) cited.add(name);
      }
    }
  }
  return cited;
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
