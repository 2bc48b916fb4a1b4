// Brings a branch in step with a remote: fetch, look, fold in, push; again where somebody else was faster.
//
//     remote tip ── last seen tip an ancestor? same epoch? something in common? ── no ──► refused, a ref keeps what would be lost
//        │ yes
//        ├─ behind ours ──────────────────────┐
//        ├─ ahead of ours ──► the branch follows
//        └─ both moved ─────► one merge ──────┴──► push (if it still is where we saw it) ── lost ──► from the beginning

import { MemoryError } from '../../base/errors.ts';
import { monotonicMs } from '../../base/monotonic.ts';
import type { FileFault, SyncOptions, SyncResult } from '../../base/types.ts';
import { commitsBeyond, isBehind, mergeBases, mergeCommit, planMerge, refuseInProject } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { unfinishedIn } from '../../store/brought.ts';
import { sequenceOf } from '../../store/commit-order.ts';
import { deriveTree } from '../../store/derive.ts';
import { flushBefore } from '../../store/flush-before.ts';
import { formatCommit } from '../../store/git/commit-object.ts';
import { type NewObject, newObject } from '../../store/git/object-codec.ts';
import { ObjectOverlay, type ObjectReader } from '../../store/git/object-overlay.ts';
import { addRemote, findRemote, rescueRef } from '../../store/git/remotes.ts';
import type { Repository } from '../../store/git/repository.ts';
import { editTree, type TreeChange } from '../../store/git/tree.ts';
import { asEngine } from '../../store/guard/agent-door.ts';
import { cappedLines, formatMessage, parseMessage } from '../../store/guard/message.ts';
import { faultsIn, refuseToPush } from '../../store/open-texts.ts';
import { fileChangeOf, plannedChanges } from '../../store/planned-change.ts';
import { mergeTrees } from '../../store/tree-merge.ts';
import { checkToSend } from './check-objects.ts';
import { Exchange, type SyncScope } from './exchange.ts';
import { fetchBranch } from './incoming.ts';
import { noteSync } from './last-sync.ts';
import { checkLeaving } from './leaving.ts';
import { push, pushAtOnce } from './outgoing.ts';
import { followTheirs, thinkOfFollowing } from './purged.ts';
import { takeTags } from './pushed-milestones.ts';

/** How long others may be faster. In each round somebody gets through, so it takes many that never pause to use this up. */
const patienceMs = 10 * 60_000;
/** A machine that has lost so many rounds waits no longer: those that come later still do, and let it through. */
const maxPauses = 6;

/**
 * Syncs the branch of a store. Conflicts never stop it; the result names what could not be reached, and nothing is thrown.
 *
 * With `dryRun` nothing is written here or there. What would come is fetched, examined and thrown away, and what waits for a commit is not
 * counted. Throws REMOTE_REFUSED for a remote that was rewound, is unrelated, was purged, or sends what is not taken. Nothing is followed
 * then, and at most a ref of ours below `refs/git-memory/` is new. REMOTE_UNAVAILABLE is for a new remote in a folder that is not there.
 * Also NOT_FOUND, AMBIGUOUS, ALREADY_EXISTS and INVALID_ARGUMENT for the remote, and TOO_LARGE for a commit above what the server takes in
 * one request. PRIVATE_OPEN and PRIVATE_DAMAGED are for a private file that is not encrypted in what would go. SECRET is for the name
 * of a ref that would be new there. INVALID_PATH is for what all other machines would refuse: a link, or a name that not every system
 * can hold. INVALID_DATE is for a commit whose time git refuses. REF_MOVED comes when others were faster for ten minutes, and there are
 * LOCKED and the reason of an abort.
 */
export async function syncBranch(scope: SyncScope, options: SyncOptions = {}): Promise<SyncResult> {
  refuseInProject(scope, 'git pull and git push');
  if (options.leaving !== undefined && options.adopt !== true) {
    const hint = 'It says what becomes of commits when a remote is adopted: give it with --adopt';
    throw new MemoryError('INVALID_ARGUMENT', 'nothing leaves without adopt', { where: 'leaving', hint });
  }
  const { store } = scope;
  const remote = findRemote(store.repository, options.remote);
  refuseMissing(store.repository, remote);
  const exchange = new Exchange(scope, remote, options);
  try {
    if (exchange.isDryRun) return exchange.result({ state: 'planned', plan: await preview(exchange) });
    checkBefore(exchange);
    await flushBefore(store);
    // Also when nobody answers: the next sync needs no address.
    if (remote.isNew) await store.exclusively(() => addRemote(store.repository, remote));
    await run(exchange);
    await store.exclusively(() => noteSync(store.repository, remote.name, store.ref, scope.now()));
    return exchange.result({ state: 'synced' });
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'REMOTE_UNAVAILABLE') throw error;
    return exchange.result({
      state: 'offline',
      why: `${error.what}${error.hint === undefined ? '' : `. ${error.hint}`}`,
    });
  }
}

/** A folder that was followed before may lie on a disk that is away. One that was never seen is a wrong name, or has yet to be made. */
function refuseMissing({ disk }: Repository, { address, isNew }: ReturnType<typeof findRemote>): void {
  if (isNew !== true || address.kind !== 'local' || disk.stat(address.path) !== null) return;
  throw new MemoryError('REMOTE_UNAVAILABLE', `there is no folder ${address.shown}`, {
    where: 'remote',
    hint: `Check the name, or make the repository: \`git init --bare ${address.shown}\``,
  });
}

/** Refuses what native git committed open, or under paths nobody takes, while it can still be amended. The look at what lacks does the rest. */
function checkBefore(exchange: Exchange): void {
  const { repository, store, seen } = exchange;
  const { objects, refs } = repository;
  const [tip, last] = [store.tip(), refs.read(seen)];
  const tracked = refs.list('refs/remotes/').map(({ oid }) => oid);
  const known = [...(last === null ? [] : [last]), ...tracked].filter((oid) => exchange.isCommitHere(oid));
  if (tip === null || known.length === 0) return;
  const commits = commitsBeyond(objects, tip, known);
  refuseToPush(objects, store.codec, tip, commits);
  checkToSend(objects, tip, commits);
}

/** What comes open, damaged or unfinished is taken in, since it holds up nothing else, and told. */
function noteFaults(exchange: Exchange, theirs: string): void {
  const { repository, store } = exchange;
  if (!exchange.isCommitHere(theirs)) return;
  const found = [faultsIn, unfinishedIn].flatMap<FileFault>((find) =>
    find(repository.objects, store.codec, theirs, [store.tip()]),
  );
  const paths = new Set(found.map(({ path }) => path));
  exchange.faults = [...exchange.faults.filter(({ path }) => !paths.has(path)), ...found];
}

async function run(exchange: Exchange): Promise<void> {
  const { remote, options } = exchange;
  const deadline = monotonicMs() + patienceMs;
  if (await pushAtOnce(exchange)) return;
  for (let round = 0; monotonicMs() < deadline; round += 1) {
    options.signal?.throwIfAborted();
    if (round > 0) await pause(round, options.signal);
    const sight = await fetchBranch(exchange);
    if (sight.comes !== null) {
      noteFaults(exchange, sight.comes);
      if (!(await foldIn(exchange, sight.comes))) continue;
      // Behind it: tags of ours that led to what was purged have moved by then.
      await takeTags(exchange, sight.advertisement, sight.comes);
    }
    if (await push(exchange, sight)) return;
  }
  const minutes = patienceMs / 60_000;
  throw new MemoryError(
    'REF_MOVED',
    `for ${minutes} minutes, other machines were always faster to push to ${remote.address.shown}`,
    { where: remote.name, hint: 'Nothing is lost; repeat the call later' },
  );
}

async function pause(round: number, signal: AbortSignal | undefined): Promise<void> {
  const most = round > maxPauses ? 20 : 20 * 2 ** round;
  let stop: (() => void) | undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.random() * most);
    stop = () => resolve(clearTimeout(timer));
    signal?.addEventListener('abort', stop, { once: true });
  });
  if (stop) signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
}

async function preview(exchange: Exchange): Promise<FoldPlan> {
  const { store, repository } = exchange;
  const ours = store.tip();
  let plan: FoldPlan = 'nothing';
  const { theirs } = await fetchBranch(exchange, (incoming, tip) => {
    const isOwed = exchange.owed.here.length > 0 || exchange.owed.there.length > 0;
    const clean = exchange.owed.here.length === 0 ? null : thinkOfFollowing(exchange, incoming, ours!, tip);
    const objects = clean?.objects ?? incoming;
    const mine = clean?.imageOf(ours!) ?? ours;
    plan = planFold(exchange, objects, mine, tip);
    exchange.fetched = commitsBeyond(objects, tip, exchange.ownTips()).length;
    if (mine === null) return;
    const own = exchange.isBeginning(mine) && plan === 'follow' ? [] : commitsBeyond(objects, mine, [tip]);
    exchange.pushed = own.length + (plan === 'merge' ? 1 : 0);
    if (plan === 'merge') {
      for (const path of planMerge(objects, mine, tip, { by: 'kind', codec: store.codec }).conflicts)
        exchange.conflicts.add(path);
    }
    if (isOwed) plan = 'adopt';
  });
  if (theirs === null && ours !== null) exchange.pushed = commitsBeyond(repository.objects, ours, []).length;
  return plan;
}

// The second half of a sync on this side: the branch comes to hold what the remote has. It follows, merges, or goes over to it.

/** What is to become of the branch: nothing, since it holds all; or one of the ways to come there. */
type FoldPlan = 'nothing' | 'follow' | 'merge' | 'adopt';

/** Tells which way it is. `objects` read both sides. */
function planFold(exchange: Exchange, objects: ObjectReader, ours: string | null, theirs: string): FoldPlan {
  if (ours === theirs) return 'nothing';
  if (ours === null) return 'follow';
  const isNew = exchange.isBeginning(ours);
  if (exchange.options.adopt === true && !isNew && isParted(exchange, objects, ours, theirs)) return 'adopt';
  if (isBehind(objects, ours, [theirs])) return 'follow';
  if (isNew && mergeBases(objects, [ours], [theirs]).length === 0) return 'follow';
  return isBehind(objects, theirs, [ours]) ? 'nothing' : 'merge';
}

/** Whether the ordinary ways would bring back what somebody took away there, or find nothing in common. */
function isParted(exchange: Exchange, objects: ObjectReader, ours: string, theirs: string): boolean {
  return exchange.isRewound || mergeBases(objects, [ours], [theirs]).length === 0;
}

/** Brings the branch to a state that holds what the remote has; false when it moved on meanwhile. */
async function foldIn(exchange: Exchange, theirs: string): Promise<boolean> {
  const { store, remote } = exchange;
  if (store.tip() === null) return false;
  const isOwed = exchange.owed.here.length > 0;
  const ours = isOwed ? await followTheirs(exchange, theirs) : store.tip()!;
  const plan = planFold(exchange, exchange.repository.objects, ours, theirs);
  if (plan === 'nothing') return true;
  if (plan === 'adopt') return adopt(exchange, ours, theirs);
  if (plan === 'follow') {
    checkLeaving(exchange, store.ref, { from: ours, to: theirs, givenUp: exchange.isBeginning(ours) });
    if (await store.advance(ours, theirs)) return true;
    await flushBefore(store);
    return false;
  }
  exchange.progress('merge', 0);
  // The remote decides who writes to it: what it brings is not the doing of an agent that asks for a sync.
  const merged = await asEngine(() =>
    mergeCommit(store, theirs, `${remote.name}/${exchange.branch}`, true, { isPublished: true }),
  );
  if (merged.commit !== null) exchange.merges.push(merged.commit);
  for (const path of merged.conflicts) exchange.conflicts.add(path);
  return true;
}

async function adopt(exchange: Exchange, ours: string, theirs: string): Promise<boolean> {
  const { store, remote, repository } = exchange;
  const ref = rescueRef(remote.name, store.ref, ours);
  // An adopting side gives up what the remote does not have any more; what is only here is carried over.
  checkLeaving(exchange, store.ref, { from: ours, to: theirs, givenUp: true });
  await store.exclusively(() => exchange.move(ref, repository.refs.read(ref), ours, 'sync: adopted'));
  const adoption = await adoptTheirs(store, ours, theirs, {
    last: exchange.lastCommon,
    isCutOff: exchange.isCutOff,
    remote: remote.name,
    now: exchange.now(),
  });
  if (adoption === null) return false;
  for (const path of adoption.conflicts) exchange.conflicts.add(path);
  for (const oid of [...adoption.carried].reverse()) {
    const { subject } = parseMessage(repository.objects.readCommit(oid).message);
    exchange.carried.set(oid, { from: oid, commit: adoption.tip, subject, filtered: [] });
  }
  [exchange.rescued, exchange.isRewound] = [ref, false];
  return true;
}

// Follows a remote whose history is another one than ours, and takes along what only we have.

/** The branch after it, and the commits whose changes are in its newest one. */
export interface Adoption {
  readonly tip: string;
  readonly carried: readonly string[];
  readonly conflicts: readonly string[];
}

export interface AdoptionSettings {
  /** The state that both had in common last; null where nobody knows. */
  readonly last: string | null;
  /** The history of ours must not come along, also where nothing is in common. */
  readonly isCutOff: boolean;
  readonly remote: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Moves the branch, in one step, to a commit upon that of the remote. The commit has what changed here since `last`, the state both had in
 * common.
 *
 * Where there is such a state, the commit has no parent in the old history. What was taken away there does not come back with it. The
 * commit is one and not one for each of ours, since a log that meets another renumbers. What refers to an event has to follow in the same
 * step. Without a state in common nothing was taken away: the commit merges both histories, whole.
 *
 * Gives null when the branch moved on meanwhile.
 */
async function adoptTheirs(
  store: BranchStore,
  ours: string,
  theirs: string,
  { last, isCutOff, remote, now }: AdoptionSettings,
): Promise<Adoption | null> {
  const { objects } = store.repository;
  const common = last ?? mergeBases(objects, [ours], [theirs])[0] ?? null;
  const overlay = new ObjectOverlay(objects);
  const treeOf = (commit: string) => objects.readCommit(commit).tree;
  const sides = { base: common === null ? null : treeOf(common), ours: treeOf(theirs), theirs: treeOf(ours) };
  const merged = mergeTrees(overlay, sides, {
    by: 'kind',
    codec: store.codec,
    newer: 'ours',
    names: { ours: remote, theirs: 'here' },
    followsLineage: 'added',
  });
  const tree = deriveTree(store.derivations, overlay, sides.ours, merged.tree, store.codec);
  const planned = plannedChanges(overlay, sides.ours, tree, new Set()).map(fileChangeOf);
  if (planned.length === 0)
    return (await store.advance(ours, theirs)) ? { tip: theirs, carried: [], conflicts: [] } : null;
  const blobs = new Map<string, NewObject>();
  const edits = new Map<string, TreeChange>();
  for (const { path, after, mode = '100644' } of planned) {
    const blob = after === null ? null : newObject('blob', after);
    if (blob !== null) blobs.set(blob.oid, blob);
    edits.set(path, blob === null ? null : { mode, oid: blob.oid });
  }
  const edited = editTree(sides.ours, edits, objects.readTree, { allowTwins: true });
  const isMerge = common === null && !isCutOff;
  const carried = isMerge ? [] : commitsBeyond(objects, ours, common === null ? [theirs] : [common, theirs]);
  const { identity } = store.settings(store.snapshot());
  const signature = { ...identity, time: Math.floor(now / 1000), zone: '+0000' };
  const subjects = carried.map((oid) => `- ${parseMessage(objects.readCommit(oid).message).subject}`);
  const message = formatMessage({
    subject: `merge: what was only here, upon ${remote}`,
    body: cappedLines(subjects, 'operations').join('\n'),
    trailers: [
      { key: 'Operation', value: 'adopt-remote' },
      ...merged.conflicts.slice(0, 50).map((value) => ({ key: 'Conflict', value }) as const),
      { key: 'Sequence', value: String(sequenceOf(store.repository, theirs) + 1) },
    ],
  });
  const parents = isMerge ? [theirs, ours] : [theirs];
  const commit = newObject(
    'commit',
    formatCommit({ tree: edited.root!, parents, author: signature, committer: signature, message }),
  );
  const release = await store.exclusively(() => objects.write([...blobs.values(), ...edited.trees, commit]));
  try {
    const isMoved = await store.advance(ours, commit.oid);
    return isMoved ? { tip: commit.oid, carried, conflicts: merged.conflicts } : null;
  } finally {
    release();
  }
}
