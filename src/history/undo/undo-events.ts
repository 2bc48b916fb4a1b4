// The inverse of commits that appended events. The last event of a log goes, as if it had never been there. An earlier one stays, and an
// event that supersedes it is appended, for ids are in a row and others may name it.

import { orElse } from '../../base/errors.ts';
import type { ChangelogEvent } from '../../base/types/changelog-types.ts';
import type { LedgerEvent } from '../../base/types/ledger-types.ts';
import {
  ChangelogCatalog,
  changelogOf,
  changeRetractionOf,
  findEvent,
  planAppend,
  planChanges,
  retractionOf,
} from '../../logs/index.ts';
import type { Codec } from '../../store/codec.ts';
import { keyedEntries } from '../../store/merge/log-ids.ts';
import { entriesOf, mergeLog } from '../../store/merge/merge-log.ts';
import type { FileChange } from '../../store/operation.ts';
import { plannedChanges } from '../../store/planned-change.ts';
import { changelogArchivePath, parseChangelog } from '../../store/records/changelog.ts';
import { kindOf } from '../../store/records/kind.ts';
import { dayOfSegment, parseLedger } from '../../store/records/ledger-segment.ts';
import { joinPieces, type LogEntry, type LogReader } from '../../store/records/log.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { UndoPlan } from '../inverse.ts';

interface UndoneLog<Value> {
  readonly read: LogReader<Value>;
  /** Every file that holds entries of it, archives included. */
  isPart(path: string): boolean;
  /** A file from which the last entry may go; from archives none goes for good. */
  isOpen(path: string): boolean;
  filesOf(present: Snapshot): Iterable<string>;
  /** Appends what takes entries back; `text` gives a file as it will stand. */
  retract(
    present: Snapshot,
    entries: readonly LogEntry<Value>[],
    when: UndoTime,
    text: (path: string) => string | null,
  ): readonly FileChange[];
}

/** When what an undo appends happens. */
export interface UndoTime {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly timeZone: string;
}

const ledger: UndoneLog<LedgerEvent> = {
  read: parseLedger,
  isPart: (path) => kindOf(path) === 'ledger',
  isOpen: (path) => dayOfSegment(path) !== null,
  filesOf: (present) => [...present.list('ledger/').keys()].filter((path) => kindOf(path) === 'ledger'),
  retract(present, entries, when) {
    const replacedBy = ({ supersedes }: LedgerEvent) =>
      supersedes === undefined ? null : orElse(() => findEvent(present, supersedes).value, null, 'NOT_FOUND');
    const drafts = entries.map(({ value }) => ({ draft: retractionOf(value, replacedBy(value)), time: when.now }));
    return planAppend(present, drafts, when).changes;
  },
};

const changelog: UndoneLog<ChangelogEvent> = {
  read: parseChangelog,
  isPart: (path) => kindOf(path) === 'changelog',
  isOpen: (path) => kindOf(path) === 'changelog' && path !== changelogArchivePath,
  filesOf: (present) => [changelogOf(present), changelogArchivePath],
  retract(present, entries, when, textOf) {
    const path = changelogOf(present);
    const known = new Map(new ChangelogCatalog().of(present).map((event) => [event.id, event]));
    const drafts = entries.map(({ value, supersedes }) => ({
      draft: changeRetractionOf(value, known.get(supersedes ?? '') ?? null),
    }));
    return [planChanges(present, path, drafts, when, textOf(path)).change];
  },
};

/** Gives a plan in which no event goes that is not the last of its day, or of the changelog, or that another one names. */
export const keepEvents = (plan: UndoPlan, present: Snapshot, codec: Codec, when: UndoTime): UndoPlan =>
  keepOf(changelog, keepOf(ledger, plan, present, codec, when), present, codec, when);

function keepOf<Value>(
  log: UndoneLog<Value>,
  plan: UndoPlan,
  present: Snapshot,
  codec: Codec,
  when: UndoTime,
): UndoPlan {
  const open = plan.changes.filter(({ path }) => log.isOpen(path));
  if (open.length === 0) return plan;
  const after = new Map(
    plan.changes
      .filter(({ path }) => log.isPart(path))
      .map(({ path, bytes }) => [path, bytes === null ? '' : codec.decode(path, bytes).toString('utf8')] as const),
  );
  const remaining = new Set(
    [...after].flatMap(([path, text]) => [...keyedEntries(entriesOf(log.read(text, path))).keys()]),
  );
  const losses = open.map(({ path }) => {
    const text = present.readText(path) ?? '';
    const known = keyedEntries(entriesOf(log.read(text, path)));
    const entries = [...known];
    // One that somebody had changed past the rules goes for good: what comes back is that event as it was.
    const undone = keyedEntries(entriesOf(log.read(after.get(path) ?? '', path)));
    const back = new Set([...undone].flatMap(([key, { id }]) => (known.has(key) ? [] : id)));
    const lost = entries.filter(([key, { id }]) => !remaining.has(key) && !back.has(id)).map(([, entry]) => entry);
    const tail = entries.slice(entries.length - lost.length).map(([, entry]) => entry);
    return { path, text, lost, isTail: lost.every((event, at) => event.id === tail[at]?.id) };
  });
  // What goes may be named by what goes with it; what is named by one that stays has to stay, and so on.
  const staying = new Set(losses.filter(({ isTail }) => !isTail));
  for (;;) {
    const gone = new Set(losses.flatMap((loss) => (staying.has(loss) ? [] : loss.lost.map(({ id }) => id))));
    const cited = citedBy(log, present, gone);
    const more = losses.filter((loss) => !staying.has(loss) && loss.lost.some(({ id }) => cited.has(id)));
    if (more.length === 0) break;
    for (const loss of more) staying.add(loss);
  }
  const kept = new Map(
    [...staying]
      .filter(({ lost }) => lost.length > 0)
      .map(({ path, text, lost }) => [path, withEntries(log.read, path, text, lost, after.get(path) ?? '')] as const),
  );
  const taken = losses.filter((loss) => staying.has(loss)).flatMap(({ lost }) => lost);
  if (taken.length === 0) return plan;
  const blob = (path: string, bytes: Buffer) => ({
    mode: '100644' as const,
    oid: plan.objects.addBlob(codec.encode(path, bytes)),
  });
  const edits = new Map([...kept].map(([path, text]) => [path, blob(path, Buffer.from(text))] as const));
  const textOf = (path: string) => kept.get(path) ?? present.readText(path);
  for (const { path, after: bytes } of log.retract(present, taken, when, textOf)) edits.set(path, blob(path, bytes!));
  const tree = plan.objects.editTree(plan.tree, edits);
  return { ...plan, tree, changes: plannedChanges(plan.objects, present.tree, tree, new Set()) };
}

/** What else the undo does to a file, such as to bring entries back from an archive, and the entries that stay all the same. */
function withEntries(
  read: LogReader,
  path: string,
  present: string,
  entries: readonly { readonly line: number }[],
  wanted: string,
): string {
  const lines = new Set(entries.map(({ line }) => line));
  const without = joinPieces(read(present, path).filter(({ kind, line }) => kind === 'rest' || !lines.has(line)));
  return mergeLog(read, path, [without, present, wanted]).merged ?? present;
}

/** Finds which of these events are named by one that is not among them. */
function citedBy<Value>(log: UndoneLog<Value>, present: Snapshot, ids: ReadonlySet<string>): Set<string> {
  const cited = new Set<string>();
  for (const path of ids.size === 0 ? [] : log.filesOf(present)) {
    for (const { id, names = [] } of entriesOf(log.read(present.readText(path) ?? '', path))) {
      if (ids.has(id)) continue;
      for (const name of names) if (ids.has(name)) cited.add(name);
    }
  }
  return cited;
}
