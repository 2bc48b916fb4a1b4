// One attempt to commit, under the lock: plan upon the present, join with what people changed, build, check, publish.

import { defined } from '../base/errors.ts';
import { takeIn, withHandEdits } from './beside-hand-edits.ts';
import type { BranchParts } from './branch-parts.ts';
import { buildCommits } from './build.ts';
import { isSamePrivacy } from './codec.ts';
import { derivedFrom } from './derive.ts';
import { agentHint, isAgentActing } from './guard/agent-door.ts';
import { type HandEdits, someEdits } from './hand-edits.ts';
import type { Journal } from './journal.ts';
import type { PendingEntry } from './journal-records.ts';
import { onlyGrows } from './merge/growth.ts';
import type { CommitOutcome, Operation } from './operation.ts';
import { type Publication, publish } from './publish.ts';
import { removeTextCaches } from './purge-record.ts';
import { operationsOf } from './runs.ts';
import type { Snapshot } from './snapshot.ts';

export interface CommitOptions {
  /** Pending entries that the operations hold; they are pending no more afterwards. */
  readonly covers?: (entry: PendingEntry) => boolean;
  /** Stop before anything is written. */
  readonly dryRun?: boolean;
  /** Hand edits may take many memories away at once. */
  readonly allowRemovals?: boolean;
  /** Of hand edits, those of these files and folders alone, also what would be left aside otherwise: removals, lines like those of a conflict. */
  readonly paths?: readonly string[];
  /** What the commits of hand edits are called; made from the changes if left out. */
  readonly handSubject?: string;
  /** When git's index is busy: put the operations into the journal, leave all as it is, or fail with LOCKED. */
  readonly onBusy?: 'journal' | 'leave' | 'fail';
  /** Look for hand edits in the whole work tree, when that is due, instead of in the touched paths; `unasked`: nobody asked for the commit. */
  readonly scan?: boolean | 'unasked';
  /** Look for hand edits of these paths too. */
  readonly look?: readonly string[];
}

/**
 * Tries to commit what `plan` makes of the present. What a person appended to a file that it appends to goes into the journal first, and with
 * all that waits into history before it. `busy`: native git holds its index or the branch; `retry`: the branch moved on; nothing happened then.
 *
 * Throws IO, and what a rule says.
 */
export function attemptCommit(
  branch: BranchParts,
  tip: string | null,
  plan: (snapshot: Snapshot) => readonly Operation[],
  options: CommitOptions,
  hasTakenIn = false,
): CommitOutcome | 'busy' | 'retry' {
  const { repository, journal, section, checkout, codec, derivations } = branch;
  const { dryRun = false } = options;
  const snapshot = branch.snapshotAt(tip);
  const given = plan(snapshot);
  const standing = dryRun ? checkout.foreseen(tip) : checkout.renewed(tip, section);
  const { workTree, since } = standing;
  if ((!dryRun && checkout.unfinished(standing) !== null) || workTree?.isSettling(tip, since!)) return 'busy';
  // With what is committed anyway, or where somebody asks for a commit; merges and undo are planned upon this very tip.
  const isPlain = ({ parents, kind }: Operation) => parents === undefined && kind !== 'undo';
  const mayRestore = tip !== null && (given.length === 0 ? options.scan !== undefined : given.every(isPlain));
  const restoring = mayRestore ? branch.kept.restoring(repository, codec, tip, checkout.isProject) : null;
  const asked = restoring === null ? given : [restoring, ...given];
  const touched = asked.flatMap((operation) => operation.changes.map((change) => change.path));
  const pending = journal.pending();
  const growing = new Set(touched.filter((path) => onlyGrows(path)));
  const isAppendedTo = pending.some(({ changes }) => changes.some(({ path }) => growing.has(path)));
  const takesAll = options.covers === undefined && (hasTakenIn || isAppendedTo);
  const planned = takesAll ? [...operationsOf(pending, { codec, objects: repository.objects }), ...asked] : asked;
  const covered = takesAll ? pending : pending.filter((entry) => options.covers?.(entry) ?? false);
  const { paths, allowRemovals = false, scan = false } = options;
  const isDue = () => checkout.isScanDue(covered.length === 0, scan === 'unasked', standing);
  const isScan = paths !== undefined || (scan !== false && isDue());
  const now = branch.clock.now();
  const consequence = branch.consequenceUpon(snapshot, now);
  const { mayWrite } = consequence;
  const changed = planned.flatMap((operation) => operation.changes.map((change) => change.path));
  const looked = [...changed, ...(options.look ?? [])];
  const sources = [...looked, ...mayWrite(looked)];
  const written = [...sources, ...derivedFrom(derivations, sources)];
  const said = { removals: allowRemovals, also: written, ...defined({ paths }) };
  const handEdits = agentsPart(checkout.handEditsOf(standing, snapshot, isScan ? 'all' : written, said));
  if (!hasTakenIn && !dryRun) {
    const taken = takeIn(journal, handEdits, options.covers === undefined ? growing : new Set(), now);
    if (taken.length > 0) return attemptCommit(branch, tip, plan, options, true);
  }
  const mayRemove = allowRemovals || paths !== undefined;
  const { handSubject: subject } = options;
  const ofHand = { mayRemoveMany: mayRemove, ...defined({ subject }) };
  const operations = withHandEdits(planned, handEdits, pending, ofHand, mayWrite);
  const build = buildCommits(
    { repository, codec, derivations, now, consequence, ...branch.settings(snapshot) },
    tip,
    operations,
  );
  const skipped = [...handEdits.skipped, ...build.skipped.map(({ path, why }) => ({ path, why }))];
  const left = [...skipped, ...handEdits.missing];
  const result = { tip: build.tip, tree: build.tree, conflicts: build.conflicts, skipped: left, isJournalled: false };
  if (build.refused.length > 0) return { ...result, commits: [], tip, conflicts: build.refused };
  if (dryRun) return { ...result, commits: build.commits };
  const kept = new Set(build.skipped.filter(({ operation }) => !operation.isHandEdit).map(({ path }) => path));
  const covers = covered.filter((entry) => !entry.changes.some((change) => kept.has(change.path)));
  const blocked = new Set(skipped.map(({ path }) => path));
  const outcome = settle(branch, snapshot, { build, from: tip, covers, workTree, since, blocked });
  return outcome === 'done' ? { ...result, commits: build.commits } : outcome;
}

/** Publishes what was built upon a state; where that is no commit, what it covers is pending no more. */
function settle(branch: BranchParts, snapshot: Snapshot, publication: Publication): 'done' | 'busy' | 'retry' {
  const { repository, ref, journal, section, checkout } = branch;
  const { build, from: tip, covers, workTree } = publication;
  if (workTree !== null) checkout.clearReplaced(snapshot.withoutOverlay(), covers, build.touched);
  if (build.commits.length === 0) {
    // The tip leads to them already.
    if (build.repaired.length > 0) repository.objects.write(build.objects)();
    if (covers.length > 0 && tip !== null) dropPending(journal, tip, covers);
    return 'done';
  }
  if (workTree !== null) branch.privates.bring(build.privacy.patterns);
  // A checkout may have come in between: its files are to follow, too.
  if (workTree === null && checkout.isCheckedOut()) return 'retry';
  const published = publish({ repository, ref, journal, section }, publication);
  if (published !== 'done') return published;
  if (workTree === null) checkout.follow(tip, build.tip!, section);
  branch.kept.moved(tip, build.tip, build.touched.keys());
  if (!isSamePrivacy(build.privacy, snapshot.privacy)) {
    // What is private from now on was not always: its words lie in caches, and behind what the journal still has.
    removeTextCaches(repository);
    if (journal.bytes > 0 && journal.openMark === null) journal.compact();
  }
  return 'done';
}

/** Leaves what people decide lying where an agent asks for a commit. An agent may have written it there, unseen by a person. */
function agentsPart(edits: HandEdits): HandEdits {
  if (!isAgentActing()) return edits;
  const isWanted = ({ path }: { readonly path: string }) => agentHint(path, 'operation') === undefined;
  const left = new Set([...edits.staged, ...edits.changes].filter((one) => !isWanted(one)).map(({ path }) => path));
  const why = 'only people decide it: it waits until one of them says `git memory commit`';
  return { ...someEdits(edits, isWanted), skipped: [...edits.skipped, ...[...left].map((path) => ({ path, why }))] };
}

/** Entries whose content is in the tip already need no commit; they are pending no more. */
function dropPending(journal: Journal, tip: string, covers: readonly PendingEntry[]): void {
  const id = `none-${tip}`;
  journal.mark({ id, from: tip, to: tip, covers: covers.map((entry) => entry.sequence) });
  journal.done(id, true);
}
