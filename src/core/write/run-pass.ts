// The runner of passes: plans outside the lock, then shows the plan or applies it, each item wholly or not at all.

import { defined, MemoryError, orElse } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/ports.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import type { PassOptions, PassResult } from '../../base/types.ts';
import { pathsTakenBack } from '../../history/index.ts';
import type { LedgerCatalog } from '../../logs/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { checkRecorded } from '../../store/change-rules.ts';
import { flushBefore } from '../../store/flush-before.ts';
import type { Trailer } from '../../store/guard/message.ts';
import type { HandEdits } from '../../store/hand-edits.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import { isCounted } from '../../store/memory-quota.ts';
import type { CommitOutcome, FileChange, Operation } from '../../store/operation.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { kindOf } from '../../store/records/kind.ts';
import { integrityLogPath } from '../../store/records/ledger-files.ts';
import { logPathsIn } from '../../store/records/log-readers.ts';
import { formatMeta, metaPath, newMeta, parseMeta } from '../../store/records/storage-meta.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { waitingEntry } from '../capture/record-now.ts';
import type { Pass, PassItem, PassPlan, PassPorts, PassView } from '../lifecycle/pass.ts';
import { changedFile } from '../lifecycle/record-changes.ts';
import { type Round, roundName } from './round.ts';

/** What the view of a pass is made of. */
export interface ViewPorts {
  readonly store: BranchStore;
  readonly catalog: MemoryCatalog;
  readonly clock: Clock;
  readonly configurationOf: (snapshot: Snapshot) => Configuration;
  /** Ledgers that were read already. */
  readonly ledgers: LedgerCatalog;
}

/** What running a pass takes. */
export interface RunPorts extends ViewPorts {
  readonly ids: IdSource;
  /** What `.meta.json` calls this machine. */
  readonly machine: string;
  /** False inside a project: what a pass does waits in the journal for a commit on request. */
  readonly isImmediate: boolean;
  /** Where what passes do by rule waits for the end of a round; without it each pass is a commit. */
  readonly round?: Round;
}

/** Gives the present as a pass sees it: with what waits for the end of a round. */
export const presentOf = ({ store, round }: Pick<RunPorts, 'store' | 'round'>): Snapshot =>
  round?.state ?? store.snapshot();

/** For more than these the message gives the changes of the commit alone: people read it. */
const maxNamed = 10_000;

/** Lists edits of the logs by hand that no commit takes in: a line that somebody broke is in none. */
export function refusedEdits(store: BranchStore, snapshot: Snapshot): HandEdits['skipped'] {
  const lying = () => store.asItLies(snapshot, logPathsIn(snapshot)).refused ?? [];
  return orElse(lying, [], 'INDEX_UNSUPPORTED', 'UNSAFE_FILE');
}

/** Makes the state that passes plan upon. */
export function passViewOf(
  { store, catalog, clock, configurationOf, ledgers }: ViewPorts,
  snapshot: Snapshot,
): PassView {
  return {
    snapshot,
    memories: catalog.stored(snapshot),
    relations: catalog.relations(snapshot),
    configuration: configurationOf(snapshot),
    now: clock.now(),
    ledgers,
    refused: () => refusedEdits(store, snapshot),
    earlier(commit) {
      // In a shallow clone, and after a history was rewritten, that commit is not here.
      return orElse(() => store.at(commit), null, 'OBJECT_MISSING');
    },
  };
}

/** How a pass is run, as whoever offers it knows. */
export interface RunOptions extends PassOptions {
  /** Called with the tip that is about to be changed, when there is something to change. */
  readonly before?: (tip: string) => Promise<void>;
  /**
   * What the pass does follows a rule, and nobody named what it is to be done to. What was taken back by undo stays so for
   * `maintain.respect_undo_days`. Default false.
   */
  readonly isByRule?: boolean;
  /** What it writes comes from outside the memory, so that nothing private can come out where it is not. Default false. */
  readonly isFromOutside?: boolean;
  /** The run that its commits belong to, beside those of other passes, so that all can be taken back as one. */
  readonly run?: string;
  /** What its commits say besides. */
  readonly trailers?: readonly Trailer[];
}

/**
 * Runs a pass: what is pending is committed, the pass plans upon the present, and what still holds is committed in one move.
 *
 * With `dryRun` nothing is written, not even what is pending. Items whose files were changed after the plan are dropped and reported.
 * Throws MASS_REMOVAL when the pass takes away more memories than `limits.removed_share` says, unless `force` is set; LOCKED.
 */
export async function runPass<Options, Item extends PassItem>(
  ports: RunPorts,
  pass: Pass<Options, Item>,
  options: Options,
  running: RunOptions = {},
): Promise<PassResult<Item>> {
  const { dryRun = false, force = false, isByRule = false, isFromOutside = false, run } = running;
  const { trailers = [], before, signal, onProgress } = running;
  const { store, ids, machine, isImmediate, round } = ports;
  const isWaiting = !dryRun && round?.state != null;
  if (!dryRun && isImmediate && !isWaiting) await flushBefore(store);
  signal?.throwIfAborted();
  const passPorts: PassPorts = { ids, machine, ...defined({ signal, onProgress }) };
  const snapshot = presentOf(ports);
  const view = passViewOf(ports, snapshot);
  const planUpon = async (state: Snapshot) =>
    pass.plan(state === snapshot ? view : passViewOf(ports, state), passPorts, options);
  const made = await (isFromOutside ? planUpon(snapshot) : planApart(snapshot, planUpon));
  const plan = isByRule ? withoutTakenBack(made, view, store) : made;
  signal?.throwIfAborted();
  // What waits for the end of a round is what it plans upon.
  const standing = standingOf(plan.items, isImmediate && !dryRun && !isWaiting);
  const result = (outcome: Pick<CommitOutcome, 'commits' | 'tree'>): PassResult<Item> => ({
    pass: pass.name,
    commits: dryRun ? [] : outcome.commits,
    tree: outcome.tree,
    items: standing.items.map(({ changes, mayWait: _, ...item }) => ({
      ...item,
      paths: changes.map(({ path }) => path),
    })),
    left: plan.left,
    dropped: standing.dropped.map(({ item: { action, ids: about }, why }) => ({ action, ids: about, why })),
  });
  if (plan.items.length === 0) return result({ commits: [], tree: view.snapshot.tree });
  if (round !== undefined && !dryRun) {
    if (isByRule && isImmediate && !force && mayJoin(pass, plan.items, snapshot)) {
      standing.judge(snapshot);
      const [first, ...others] = standing.items;
      if (first === undefined) return result({ commits: [], tree: null });
      const note = notedIn(ports, pass.noted, snapshot);
      const items = [{ ...first, changes: [...first.changes, ...note] }, ...others];
      const message = pass.describe(standing.items);
      round.take(snapshot, { items, message, ...defined({ run, before, mayRemoveLines: pass.mayRemoveLines }) });
      return result({ commits: [], tree: null });
    }
    if (isWaiting) {
      await endRound(ports);
      // What the plan rests on may have been lost: it is made anew.
      const rest = { force, isByRule, isFromOutside, trailers, ...defined({ run, before, signal, onProgress }) };
      return runPass(ports, pass, options, rest);
    }
  }
  const operationsUpon = (snapshot: Snapshot): Operation[] => {
    standing.judge(snapshot);
    const isEach = pass.commits === 'each';
    // Items that stand do not contradict each other. So a dry run makes one tree of all, and holds nobody up for a thousand commits.
    const groups = isEach && !dryRun ? standing.items.map((item) => [item]) : [standing.items];
    const operations = groups
      .filter((items) => items.length > 0)
      .map((items) => operationOf(pass, items, force || (isEach && dryRun), run, trailers));
    const last = operations.pop();
    if (last === undefined) return [];
    return [...operations, { ...last, changes: [...last.changes, ...notedIn(ports, pass.noted, snapshot)] }];
  };
  if (!isImmediate && !dryRun) return result(await journalled(ports, operationsUpon));
  const tip = store.tip();
  // Ahead of the commit: whoever dies in between leaves a name too many, and never none.
  if (!dryRun && tip !== null) await before?.(tip);
  for (;;) {
    let outcome: CommitOutcome;
    try {
      outcome = await store.commit(operationsUpon, { dryRun, onBusy: 'fail' });
    } catch (error) {
      // A dry run shows what was planned, and says what would be in the way of it.
      if (!(dryRun && error instanceof MemoryError && error.code === 'MASS_REMOVAL')) throw error;
      return { ...result({ commits: [], tree: null }), refused: error.what };
    }
    // A hand edit went in first and contradicts: its items are dropped, and the others are tried again.
    const isStopped = outcome.commits.length === 0 && standing.drop(outcome.conflicts);
    if (!isStopped) return result(outcome);
  }
}

/** So many removals are for the guards to judge, each pass by itself. */
const manyRemoved = 10;

/**
 * Tells whether what a pass does may share a commit. It may not where the guards would ask, or each item is to be taken back by itself.
 * Nothing private is joined with what everybody may read.
 */
function mayJoin(
  pass: Omit<Pass<never, never>, 'plan' | 'describe'>,
  items: readonly PassItem[],
  snapshot: Snapshot,
): boolean {
  const changes = items.flatMap((item) => item.changes);
  const isRemoval = ({ path, after }: FileChange) => after === null && isCounted(path);
  const removed = pass.keepsWhatItRemoves ? 0 : changes.filter(isRemoval).length;
  const isUpkeep = pass.kind === undefined || pass.kind === 'maintenance' || pass.kind === 'memory';
  if (pass.commits === 'each' || pass.mayBeLong || removed >= manyRemoved || !isUpkeep) return false;
  if (!pass.mayRemoveLines)
    for (const { path, before, after } of changes)
      if (before !== null) checkRecorded({ path, before: snapshot.read(path), after });
  return snapshot.withoutPrivate() === snapshot;
}

/** Commits what waits for the end of a round. Throws as {@link runPass}. */
export async function endRound({ round, ...ports }: RunPorts): Promise<void> {
  const ended = round?.end() ?? null;
  if (round === undefined || ended === null) return;
  const { item, message, run, before, mayRemoveLines } = ended;
  const plan = () => ({ items: [item], left: [] });
  const pass: Pass<void> = { name: roundName, mayRemoveLines, plan, describe: () => message };
  const nameAll = async (tip: string) => {
    for (const name of before) await name(tip);
  };
  try {
    // What each pass takes away was judged when it joined.
    const running = { force: true, before: nameAll, ...defined({ run }) };
    const { commits, dropped } = await runPass(ports, pass, undefined, running);
    round.settle(commits.at(-1), dropped[0]?.why ?? 'it changed nothing');
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    round.settle(undefined, error.message);
  }
}

/**
 * What follows from a private text is written to private paths or not at all. A pass plans once without private files, for what everybody
 * may read, and once with all. Of the second plan, items that touch nothing but private files stay.
 */
async function planApart<Item extends PassItem>(
  snapshot: Snapshot,
  planUpon: (state: Snapshot) => Promise<PassPlan<Item>>,
): Promise<PassPlan<Item>> {
  const { privacy } = snapshot;
  const open = snapshot.withoutPrivate();
  if (open === snapshot) return planUpon(snapshot);
  const forAll = await planUpon(open).catch((error: unknown) => {
    // What was named may be private.
    if (snapshot.isUnlocked && error instanceof MemoryError && error.code === 'NOT_FOUND')
      return { items: [], left: [] };
    throw error;
  });
  const isHidden = ({ path }: FileChange) => privacy.isPrivate(path);
  const items = forAll.items.filter(({ changes }) => !changes.some(isHidden));
  // Without the key there is nothing to see beside.
  if (!snapshot.isUnlocked) return { items, left: forAll.left };
  const whole = await planUpon(snapshot);
  const left = new Map([...forAll.left, ...whole.left].map((one) => [`${one.id} ${one.why}`, one]));
  return {
    items: [...items, ...whole.items.filter(({ changes }) => changes.every(isHidden))],
    left: [...left.values()],
  };
}

/** Leaves the items that would do again what somebody took back lately. */
function withoutTakenBack<Item extends PassItem>(
  plan: PassPlan<Item>,
  { configuration, snapshot, now }: PassView,
  { repository }: BranchStore,
): PassPlan<Item> {
  const days = configuration.maintain.respectUndoDays;
  if (plan.items.length === 0 || days === 0) return plan;
  const takenBack = pathsTakenBack(repository, snapshot.commit, now - days * dayMs);
  if (takenBack.size === 0) return plan;
  const left = [...plan.left];
  const items = plan.items.filter((item) => {
    const path = item.changes.map((change) => change.path).find((one) => isDecided(one) && takenBack.has(one));
    if (path === undefined) return true;
    const when = dayOf(takenBack.get(path)!, configuration.timezone);
    const id = /^memories\/.*?([^/]+)\.json$/.exec(path)?.[1];
    left.push({ id: id ?? item.ids[0] ?? path, why: `an undo of ${when} brought it back` });
    return false;
  });
  return { items, left };
}

/** Whether somebody can have meant a file when he took a commit back. What follows from others, or notes that a pass ran, is no decision. */
const isDecided = (path: string): boolean =>
  path !== metaPath && path !== integrityLogPath && kindOf(path) !== 'derived';

/** Makes what keeps the items of a plan that the present does not contradict. */
function standingOf<Item extends PassItem>(planned: readonly Item[], withoutPending: boolean) {
  const contradicted = new Set<string>();
  const objectionTo = (item: Item, snapshot: Snapshot, made: ReadonlyMap<string, FileChange>): string | null => {
    for (const change of item.changes) {
      const { path, before } = change;
      if (contradicted.has(path)) return `${path} was edited by hand in the meantime`;
      if (withoutPending && snapshot.overlay?.files.has(path)) return `a write of ${path} waits for its commit`;
      if (snapshot.oidOf(path) !== before) return `${path} changed in the meantime`;
      const other = made.get(path);
      if (other !== undefined && !isSame(other, change)) return `something else is done to ${path} already`;
    }
    return null;
  };
  const standing = {
    items: planned,
    dropped: [] as readonly { readonly item: Item; readonly why: string }[],
    /** Sorts the items by whether their files are in the present what they were when it was planned. */
    judge(snapshot: Snapshot): void {
      const made = new Map<string, FileChange>();
      const dropped: { item: Item; why: string }[] = [];
      standing.items = planned.filter((item) => {
        const why = objectionTo(item, snapshot, made);
        if (why !== null) dropped.push({ item, why });
        else for (const change of item.changes) made.set(change.path, change);
        return why === null;
      });
      standing.dropped = dropped;
    },
    /** Drops the items that touch some path; tells whether there were any. */
    drop(paths: readonly string[]): boolean {
      const touched = new Set(standing.items.flatMap(({ changes }) => changes.map(({ path }) => path)));
      const met = paths.filter((path) => touched.has(path));
      for (const path of met) contradicted.add(path);
      return met.length > 0;
    },
  };
  return standing;
}

const isSame = (a: FileChange, b: FileChange): boolean =>
  a.before === b.before && (a.after === null ? b.after === null : b.after !== null && a.after.equals(b.after));

function operationOf<Item extends PassItem>(
  pass: Pick<Pass<never, Item>, 'kind' | 'name' | 'describe' | 'keepsWhatItRemoves' | 'mayRemoveLines' | 'mayBeLong'>,
  items: readonly Item[],
  force: boolean,
  run: string | undefined,
  besides: readonly Trailer[],
): Operation {
  const changes = new Map(items.flatMap((item) => item.changes.map((change) => [change.path, change] as const)));
  const { subject, body, trailers = [], time, isOfThen } = pass.describe(items);
  const ids = [...new Set(items.flatMap((item) => item.ids))];
  const models = [...new Set(items.flatMap(({ by }) => (by === undefined || by === 'rule' ? [] : [by])))];
  return {
    kind: pass.kind ?? 'maintenance',
    name: pass.name,
    subject,
    ...defined({ body }),
    trailers: [
      ...trailers,
      ...besides,
      ...models.map((value) => ({ key: 'Model', value }) as const),
      ...(ids.length > maxNamed ? [] : ids).map((value) => ({ key: 'Memory', value }) as const),
    ],
    changes: [...changes.values()],
    onConflict: 'refuse',
    mayRemoveMany: force || pass.keepsWhatItRemoves === true,
    ...defined({ mayRemoveCaptures: pass.mayRemoveLines, mayBeLong: pass.mayBeLong, time, isOfThen, run }),
  };
}

/** Gives the change of `.meta.json` that says when, and on which machine, a pass changed something. */
function notedIn({ machine, clock }: RunPorts, key: Pass['noted'], snapshot: Snapshot): FileChange[] {
  if (key === undefined) return [];
  const text = snapshot.textIfWhole(metaPath);
  // What else it said would be lost with a new one.
  if (text === null && snapshot.oidOf(metaPath) !== null) return [];
  const meta = text === null ? newMeta(clock.now(), machine) : parseMeta(text);
  const seconds = Math.floor(clock.now() / 1000);
  const time = key === 'last_gc_at' ? { lastGcAt: seconds } : { lastConsolidationAt: seconds };
  return [changedFile(snapshot, metaPath, formatMeta({ ...meta, machineId: machine, ...time }))];
}

/** Puts operations into the journal, where they wait as one commit each. */
async function journalled(
  { store, clock }: RunPorts,
  operations: (snapshot: Snapshot) => readonly Operation[],
): Promise<Pick<CommitOutcome, 'commits' | 'tree'>> {
  const now = clock.now();
  await store.append((snapshot) =>
    operations(snapshot).map((one, position) => waitingEntry(one, `pass:${one.name}:${now}:${position}`, now)),
  );
  return { commits: [], tree: null };
}
