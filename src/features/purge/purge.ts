// A purge as a whole: what waits goes into history, then under the lock all is planned, written beside, and switched over.
//
//   flush → scope → plan (census, rewriting) → pack of what is new → files staged → indexes locked → record → store/purge-record.ts

import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { Processes } from '../../base/ports.ts';
import type { Placement, PurgeOptions, PurgeResult, PurgeTarget } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { contentOf } from '../../store/file-content.ts';
import { flushBefore } from '../../store/flush-before.ts';
import { gcLock, markOfGc } from '../../store/git/gc-lock.ts';
import { nativelyLocked } from '../../store/git/native-lock.ts';
import { forgetDrop, writeWithout } from '../../store/git/pack-purge.ts';
import { purgeMarkName } from '../../store/git/purge-mark.ts';
import { remoteUrls } from '../../store/git/remotes.ts';
import type { Repository } from '../../store/git/repository.ts';
import { diffTrees, walkTree } from '../../store/git/tree.ts';
import type { Journal } from '../../store/journal.ts';
import { fileAfter } from '../../store/lost-entries.ts';
import { type StagedProjection, WorkTree } from '../../store/projection.ts';
import { abandonPurge, clearStage, finishPurge, moveRefs, PurgeStage } from '../../store/purge-record.ts';
import { droppedName, formatDropped, settleDropped } from '../../store/purged-objects.ts';
import { receiptPath } from '../../store/records/purge-receipt.ts';
import type { ProjectedFile } from '../../store/work-tree-files.ts';
import { checkedOut } from './arrangement.ts';
import { cleanLog, danglingHeads, logFiles, logLine, lyingAround, stageNotes } from './other-files.ts';
import { leftInLargeFiles, submodulesOf } from './other-stores.ts';
import { type PurgePlan, planPurge } from './plan.ts';
import { type PurgeScope, scopeOf } from './targets.ts';

/** What a purge needs beside the branch. */
export interface PurgeDependencies {
  readonly store: BranchStore;
  readonly placement: Placement;
  readonly processes: Processes;
  readonly now: () => number;
  /** Named in receipts, and behind the name of a milestone that another machine has taken. */
  readonly machine: string;
  /** Words that nobody has used before. */
  readonly nextId: () => string;
}

const replacementPattern = /^[\p{L}\p{N} .,_()[\]-]{1,80}$/u;

/**
 * Takes something out of all history, refs, logs, journals, caches and packs of the repository, or tells what that would touch.
 *
 * Throws NOT_FOUND when nothing holds it, CONFLICT and UNSUPPORTED_REPOSITORY for what has to be settled first: nothing is changed then.
 * Throws LOCKED, and REF_MOVED when another program moved a ref meanwhile: repeat it then.
 */
export async function purge(
  dependencies: PurgeDependencies,
  target: PurgeTarget,
  options: PurgeOptions = {},
): Promise<PurgeResult> {
  const { store, placement, machine, now, nextId } = dependencies;
  const { replacement } = options;
  if (replacement !== undefined && !replacementPattern.test(replacement)) {
    const what = 'what takes the place of a text is 1 to 80 letters, digits, spaces and .,_()[]-';
    throw new MemoryError('INVALID_ARGUMENT', what, { where: 'replacement' });
  }
  const id = wordOf(dependencies).slice(-10);
  const plan = () => {
    options.signal?.throwIfAborted();
    const scope = scopeOf(store, target, id, options.derived ?? false);
    const planned = planPurge({
      ...{ store, placement, scope, id, machine, now: now(), salt: nextId, ...defined({ replacement }) },
      allRefs: options.allRefs ?? false,
      onProgress: (what, done, total) => options.onProgress?.({ what, done, total }),
    });
    options.signal?.throwIfAborted();
    return { scope, planned };
  };
  if (options.dryRun) {
    const { scope, planned } = plan();
    refuseNothing(planned, store, scope.what);
    return resultOf(store, id, planned, scope.derived, planned.foreign, true);
  }
  await flushBefore(store);
  return alone(dependencies, () =>
    store.rewriting((journal) => {
      const { scope, planned } = plan();
      refuseNothing(planned, store, scope.what);
      if (planned.foreign.length > 0) {
        const names = planned.foreign.slice(0, 5).join(', ');
        throw new MemoryError('CONFLICT', `${planned.foreign.length} refs of the code repository hold it: ${names}`, {
          where: planned.foreign[0]!,
          hint: 'Nothing was changed. --all-refs rewrites them, too, which affects everyone with a clone',
        });
      }
      carryOut(store, journal, id, planned);
      return resultOf(store, id, planned, scope.derived, [], false);
    }),
  );
}

/** Works while no native git tidies up: one that read the old refs would write once more what was taken out. Throws LOCKED. */
export async function alone<T>(dependencies: PurgeDependencies, work: () => Promise<T>): Promise<T> {
  const { processes, machine } = dependencies;
  const { repository } = dependencies.store;
  const lock = gcLock(repository, processes, wordOf(dependencies));
  try {
    const isFree = lock.tryAcquire() !== null;
    const mark = markOfGc(repository, processes, machine);
    if (isFree && mark === null) return await work();
    throw new MemoryError('LOCKED', 'native git is tidying up this repository', {
      where: mark ?? `${repository.ownDirectory}/gc/lock`,
      hint: 'Nothing was changed. Repeat the call when `git gc` has ended',
    });
  } finally {
    lock.dispose();
  }
}

/** A word of small letters and digits that nobody has used before. */
function wordOf({ nextId }: PurgeDependencies): string {
  return nextId()
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '');
}

/** What nothing holds was purged before, or is called otherwise. Logs are looked at by the plan of each. */
function refuseNothing(plan: PurgePlan, { repository, ref }: BranchStore, asked: PurgeScope['what']): void {
  const isInLogs = [...logFiles(repository)].some(({ text }) => plan.needles.isIn(Buffer.from(text, 'latin1')));
  if (plan.refs.length > 0 || plan.dropped.size > 0 || plan.journals.pending > 0 || isInLogs) return;
  if (asked === 'times') {
    const hint = '`git memory doctor --all` looks at everything else';
    throw new MemoryError('NOT_FOUND', 'all commits here have times that git takes', { where: ref, hint });
  }
  const sealed = plan.census.sealedCount;
  const what = 'nothing in this repository holds that';
  throw new MemoryError('NOT_FOUND', sealed === 0 ? what : `${what}, but ${unseenIn(sealed)}`, {
    where: ref,
    hint:
      sealed === 0
        ? 'Give the text exactly as it was said, with the same case. `git memory learned <text>` searches for it'
        : 'A private file goes whole: `git memory purge --id` or `--path`',
  });
}

function unseenIn(sealed: number): string {
  return `${count(sealed, 'version')} of private files, being encrypted, ${sealed === 1 ? 'was' : 'were'} not looked into`;
}

interface Followed {
  readonly tree: WorkTree;
  readonly projection: StagedProjection;
}

/** Switches over: until the record is written nothing has happened, from then on it happens whatever becomes of us. */
export function carryOut(
  { repository, codec }: Pick<BranchStore, 'repository' | 'codec'>,
  journal: Journal,
  id: string,
  plan: PurgePlan,
): void {
  const { disk, commonDirectory, mark } = repository;
  const drop = writeWithout(repository, plan.made, plan.dropped);
  repository.objects.rescanPacks();
  const followed: Followed[] = [];
  let locked = 0;
  let isRecorded = false;
  try {
    const stage = new PurgeStage(repository);
    stage.replace(`git-memory/${purgeMarkName}`, [mark.formatted(plan.rewrite.commits)]);
    stage.replace(`git-memory/${droppedName}`, [formatDropped(repository, plan.dropped)]);
    for (const target of danglingHeads(repository, plan.refs)) stage.remove(target);
    for (const { target, text } of logFiles(repository)) {
      const cleaned = cleanLog(text, plan.needles, plan.idOf, plan.rewrite.retold);
      const after = withReceipts(repository, target, cleaned, id, plan);
      if (after !== text) stage.replace(target, [Buffer.from(after, 'latin1')], 0o644);
    }
    for (const { target, chunks } of plan.journals.journals) stage.replace(target, chunks);
    stageNotes(repository, plan.needles, plan.idOf, stage);
    for (const view of checkedOut(repository)) {
      const head = view.refs.readHead();
      const move = 'ref' in head ? plan.refs.find(({ ref, to }) => ref === head.ref && to !== null) : undefined;
      if (move === undefined) continue;
      // A private file lies open there: it has to be known as the one that goes.
      const tree = new WorkTree(view, move.ref, contentOf(view, codec));
      if (tree.isIndexLocked()) throw indexBusy(view);
      const files = filesBetween(repository, move.from, move.to!);
      const blocked = new Set(files.flatMap(({ path, before }) => (isAsBefore(tree, path, before) ? [] : [path])));
      followed.push({ tree, projection: tree.stage(files, { from: move.from, to: move.to! }, blocked) });
    }
    for (const { tree, projection } of followed) {
      if (tree.lock(projection) !== 'locked') throw indexBusy(tree.repository);
      locked += 1;
    }
    const record = stage.commit({ id, refs: plan.refs, drop });
    isRecorded = true;
    const moved = moveRefs(repository, record);
    if (moved.length > 0) {
      settle(followed, moved, repository);
      abandonPurge(repository, record);
      throw new MemoryError('REF_MOVED', `another program moved ${moved.join(', ')} during the purge`, {
        where: commonDirectory,
        hint: 'Their content is still there. Repeat the purge',
      });
    }
    for (const { tree, projection } of followed) tree.finish(projection);
    finishPurge(repository, record);
    settleDropped(repository);
    journal.refresh();
  } catch (error) {
    if (!isRecorded) {
      for (const [position, { tree, projection }] of followed.entries()) tree.abandon(projection, position < locked);
      if (disk.exists(`${repository.ownDirectory}/purge`)) clearStage(repository);
      forgetDrop(repository, drop);
    }
    throw error;
  }
}

/** After a ref that could not move: each work tree follows its own, or stays. */
function settle(followed: readonly Followed[], moved: readonly string[], repository: Repository): void {
  for (const { tree, projection } of followed) {
    const head = tree.repository.refs.readHead();
    if ('ref' in head && !moved.includes(head.ref) && repository.refs.read(head.ref) !== null) tree.finish(projection);
    else tree.abandon(projection, true);
  }
}

function indexBusy(repository: Repository): MemoryError {
  return nativelyLocked(repository, `${repository.gitDirectory}/index.lock`, 'another program holds the git index');
}

function filesBetween(
  { objects }: Repository,
  from: string,
  to: string,
): (ProjectedFile & { before: string | null })[] {
  const treeOf = (commit: string) => objects.readCommit(commit).tree;
  return diffTrees(treeOf(from), treeOf(to), objects.readTreeBytes)
    .filter(({ before, after }) => [before, after].every((side) => side === null || side.mode.startsWith('100')))
    .map((difference) => ({ ...fileAfter(objects, difference), before: difference.before?.oid ?? null }));
}

function isAsBefore(tree: WorkTree, path: string, before: string | null): boolean {
  const present = tree.inspect(path);
  return present === null ? true : present.oid !== null && present.oid === before;
}

/** A log whose ref ends in a receipt tells of that move, too; so does that of a HEAD which is on it. */
function withReceipts(repository: Repository, target: string, text: string, id: string, plan: PurgePlan): string {
  const receiptOf = (ref: string) => {
    const [tip, move] = [plan.rewrittenTips.get(ref), plan.refs.find((one) => one.ref === ref)];
    return tip === undefined || !move?.to ? '' : logLine(tip, move.to, plan.identity, id);
  };
  const head = /^(?:worktrees\/[^/]+\/)?logs\/HEAD$/.test(target);
  if (!head) return text + receiptOf(target.replace(/^logs\//, ''));
  const file = `${repository.commonDirectory}/${target.replace(/logs\/HEAD$/, 'HEAD')}`;
  const ref = /^ref: (.+?)\s*$/.exec(repository.disk.readText(file) ?? '')?.[1];
  return ref === undefined ? text : text + receiptOf(ref);
}

function resultOf(
  store: BranchStore,
  id: string,
  plan: PurgePlan,
  derived: readonly string[],
  foreign: readonly string[],
  isDryRun: boolean,
): PurgeResult {
  const { repository, ref } = store;
  const own = plan.refs.find((move) => move.ref === ref);
  const hasReceipt = plan.receipt !== null && plan.rewrittenTips.has(ref);
  return {
    id,
    commit: isDryRun || !hasReceipt ? null : own!.to,
    receipt: hasReceipt ? receiptPath(id) : null,
    commits: plan.rewrite.commits.size,
    objects: plan.dropped.size,
    files: [...plan.rewrite.files].filter((path) => path !== '').sort(),
    messages: plan.rewrite.messages.size,
    refs: plan.refs.map(({ ref: name, from, to }) => ({
      ref: name,
      before: from,
      after: isDryRun && to !== null ? null : to,
    })),
    pending: plan.journals.pending,
    signed: plan.rewrite.signed.size,
    derived,
    foreign,
    left: leftOn(repository, plan, isDryRun),
    elsewhere: elsewhere(store, plan),
  };
}

function leftOn(repository: Repository, plan: PurgePlan, isDryRun: boolean): PurgeResult['left'] {
  const { objects, refs, workTree } = repository;
  const head = isDryRun && workTree !== null ? refs.read('HEAD') : null;
  const known = new Set(
    head === null
      ? []
      : [...walkTree(objects.readCommit(head).tree, objects.readTree)].map(({ path }) => `${workTree}/${path}`),
  );
  const unread = [...plan.census.unread];
  const sealed = plan.census.sealedCount;
  const whySealed = `${unseenIn(sealed)}: --id and --path take out a file whole`;
  const whyUnread = `${unread.length} objects are damaged or too large to be looked into`;
  return [
    ...lyingAround(repository, plan.needles).filter(({ where }) => !known.has(where)),
    ...stageNotes(repository, plan.needles, plan.idOf, null),
    ...leftInLargeFiles(repository, plan.needles, plan.largeFiles),
    ...submodulesOf(repository),
    ...(sealed === 0 || !plan.hasTexts ? [] : [{ where: 'private files', why: whySealed }]),
    ...(unread.length === 0 ? [] : [{ where: unread.slice(0, 5).join(', '), why: whyUnread }]),
  ];
}

/** What others have, and what they can do; nobody can do it for them. */
function elsewhere({ repository, ref }: BranchStore, plan: PurgePlan): PurgeResult['elsewhere'] {
  if (plan.rewrite.commits.size === 0) return [];
  const remotes = [...remoteUrls(repository).keys()];
  if (plan.receipt?.what === 'times') {
    const branch = ref.replace('refs/heads/', '');
    return [
      ...remotes.map((remote) => ({
        what: `the remote ${remote}, if it took such commits all the same`,
        commands: [`git push --force ${remote} ${branch}`],
      })),
      { what: 'every other copy that has them is repaired likewise', commands: ['git memory purge --times --yes'] },
    ];
  }
  const others = plan.refs.filter(
    // Milestones move with the branch that leads to them.
    (move) => move.ref !== ref && move.to !== null && /^refs\/(?:heads|tags\/(?!memory\/milestone\/))/.test(move.ref),
  );
  const push = (remote: string, { ref: name, from, to }: (typeof others)[number]) =>
    plan.rewrittenTips.has(name)
      ? `git memory sync ${remote} --adopt --branch ${name.replace('refs/heads/', '')}`
      : `git push --force-with-lease=${name}:${from} ${remote} ${to}:${name}`;
  return [
    ...remotes.map((remote) => ({
      what: `the remote ${remote} may hold it, in its branches and tags`,
      commands: [`git memory sync ${remote} --adopt`, ...others.map((move) => push(remote, move))],
    })),
    {
      what: 'a server keeps what nothing leads to for a while; of a hosted one, ask its support to remove it',
      commands: ['git reflog expire --expire=now --all', 'git gc --prune=now'],
    },
    ...(plan.largeFiles.size === 0
      ? []
      : [
          {
            what:
              `the server of Git LFS keeps ${count(plan.largeFiles.size, 'file that was', 'files that were')} pointed at; ` +
              `no command of git reaches them: have its owner delete ${[...plan.largeFiles].slice(0, 5).join(', ')}`,
            commands: [],
          },
        ]),
    {
      what: 'every other clone holds it until it has followed; forks and backups that never sync are purged by themselves',
      commands: ['git memory sync --adopt', 'git memory purge … --yes'],
    },
  ];
}
