// Doctor mends a branch whose newest commit cannot be read. A new commit upon the last whole one takes in what can be read of it:
//
//     whole ── damaged          whole ── restored      its files: those of the damaged commit, and of the whole one where they are lost
//                ▲                 │         ▲
//                main              └ damaged main      the damaged one keeps a ref where its commit can be read

import { MemoryError, orElse } from '../../base/errors.ts';
import { planAdvance } from '../../store/advance.ts';
import type { TouchedFile } from '../../store/build.ts';
import type { Codec } from '../../store/codec.ts';
import { sequenceOf } from '../../store/commit-order.ts';
import { formatCommit } from '../../store/git/commit-object.ts';
import { type NewObject, newObject } from '../../store/git/object-codec.ts';
import type { Repository } from '../../store/git/repository.ts';
import { editTree, type TreeChange } from '../../store/git/tree.ts';
import { formatMessage } from '../../store/guard/message.ts';
import { lastWhole, whyUnreadable } from '../../store/last-whole.ts';
import { isMemoryTree } from '../../store/memory-tree.ts';
import { configurationPath, formatConfiguration, withKeys } from '../../store/records/configuration-text.ts';
import { keyIdOf } from '../../store/records/private-text.ts';
import { Snapshot } from '../../store/snapshot.ts';
import type { Examined } from './examination.ts';
import { mendElsewhere } from './objects.ts';
import { defaultLimits, ReachableWalk } from './reachable.ts';
import { keep, moveBranch } from './tips.ts';

/** Refs of damaged commits lie in `refs/git-memory/rescue/damaged/`; what they lead to is known to be damaged. */
export const damagedKind = 'damaged';

type Files = Map<string, NonNullable<TreeChange>>;

/** Tells of a newest commit that cannot be read, after mending what can be had elsewhere; true where the branch goes on from another one. */
export function examineNewest(examined: Examined, ref: string, isToRestore: boolean): boolean {
  const { examination, repository, codec } = examined;
  const tip = orElse(() => repository.refs.read(ref), null, 'REF_CORRUPT');
  if (tip === null) return false;
  const base = lastWhole(repository, ref, tip);
  // A folder that was lost before is lost for good.
  const mayGoBack = isToRestore && base !== null && lostFolder(repository, base) === null;
  const find = () => whyUnreadable(repository, tip) ?? (mayGoBack ? lostFolder(repository, tip) : null);
  if (examination.mayRepair && find() !== null) while (mendObjects(examined, tip));
  const damage = find();
  if (damage === null) return false;
  const what = `its newest commit, ${tip}, cannot be read: ${damage.what}`;
  const goesOn = `go on from ${base?.slice(0, 12)}, the last whole commit, with all that can be read`;
  const hint = '`git fetch --refetch` brings back what a remote has';
  let isDone = false;
  const run = () => {
    const told = restore(repository, { ref, tip, base: base!, why: damage.what, now: examination.now }, codec);
    isDone = true;
    return told;
  };
  const mend = isToRestore ? { does: goesOn, run } : `${hint}; else let \`git memory doctor --tip restore\` ${goesOn}`;
  examination.find('TIP_DAMAGED', ref, what, base === null ? hint : mend);
  return isDone;
}

/** Says which folder of a commit cannot be read; what it holds is left out of answers, and nothing can be written there. */
function lostFolder(repository: Repository, tip: string): MemoryError | null {
  const lost: string[] = [];
  filesOf(repository, repository.objects.readCommit(tip).tree, lost);
  const what = `its folder ${lost[0]} is damaged`;
  return lost.length === 0 ? null : new MemoryError('OBJECT_CORRUPT', what, { where: tip });
}

/** Writes again what a commit leads to and what lies elsewhere, as far as that is seen; false where there is nothing. */
function mendObjects(examined: Examined, tip: string): boolean {
  const { repository } = examined;
  const walk = new ReachableWalk(repository, [tip], defaultLimits);
  while (walk.next(100));
  const mended = walk.unreadable.filter((damage) => mendElsewhere(examined, damage, null));
  return mended.some(({ oid }) => repository.objects.isWhole(oid));
}

interface DamagedTip {
  readonly ref: string;
  readonly tip: string;
  readonly base: string;
  readonly why: string;
  readonly now: number;
}

function restore(repository: Repository, { ref, tip, base, why, now }: DamagedTip, codec: Codec): string {
  const { objects } = repository;
  const old = objects.readCommit(base);
  const commit = readable(() => objects.readCommit(tip));
  const lost: string[] = [];
  const before = filesOf(repository, old.tree, []);
  const known = filesOf(repository, commit?.tree ?? lostRoot(repository, tip), lost);
  const changes = new Map<string, TreeChange>();
  for (const [path, file] of known) {
    if (isSame(before.get(path), file)) continue;
    if (file.mode === '160000' || objects.isWhole(file.oid)) changes.set(path, file);
    else lost.push(path);
  }
  for (const path of before.keys()) {
    if (!known.has(path) && !lost.some((place) => path.startsWith(place))) changes.set(path, null);
  }
  const rules = lost.includes(configurationPath) ? protect(repository, codec, base, changes) : [];
  const edited = editTree(old.tree, changes, objects.readTree, { allowTwins: true });
  const losses = lost.map((place) => (place === '' ? 'all that it had otherwise' : place));
  const named =
    losses.length === 0 ? [] : ['', 'Lost, or as it was there:', ...losses.slice(0, 200).map((one) => `- ${one}`)];
  const message = formatMessage({
    subject: `maintenance: go on from the last whole commit`,
    body: [`The commit ${tip} cannot be read: ${why}.`, `This one stands upon ${base}.`, ...named].join('\n'),
    trailers: [
      { key: 'Operation', value: 'restore-tip' },
      { key: 'Sequence', value: String(sequenceOf(repository, base) + 1) },
    ],
  });
  const signature = { ...old.committer, time: Math.max(Math.floor(now / 1000), old.committer.time) };
  const content = { tree: edited.root!, parents: [base], author: signature, committer: signature, message };
  const made = newObject('commit', formatCommit(content));
  const kept = commit === null ? '' : `; ${keep(repository, ref, tip, damagedKind)} keeps the damaged one`;
  const present = new Map([...before, ...changes]);
  const touched = [...known].flatMap(([path, was]): [string, TouchedFile][] => {
    const is = present.get(path) ?? null;
    const isExecutable = is?.mode === '100755';
    const file = { path, before: was.oid, oid: is?.oid ?? null, bytes: null, isExecutable, wasExecutable: false };
    return isSame(was, is) ? [] : [[path, file]];
  });
  // Nothing in a work tree is overwritten: the index learns what is lost; what is unknown of the damaged commit comes with the next one.
  moveBranch(repository, ref, tip, codec, () => ({
    build: {
      ...planAdvance(repository, base, base),
      commits: [made.oid],
      objects: [...rules, ...edited.trees, made],
      tip: made.oid,
      tree: edited.root,
      touched: new Map(touched),
    },
    blocked: new Set(known.keys()),
  }));
  const said =
    losses.length === 0 ? 'nothing of it is lost' : `lost, or as it was there: ${losses.slice(0, 20).join(', ')}`;
  return `it is at ${made.oid}, upon ${base.slice(0, 12)}; ${said}${kept}`;
}

const readable = <Value>(read: () => Value): Value | null => orElse(read, null, 'OBJECT_CORRUPT', 'OBJECT_MISSING');

function isSame(one: TreeChange | undefined, other: TreeChange): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}

/** Lists the files of a tree; folders that cannot be read go to `lost`, with a slash behind them: the root as an empty word. */
function filesOf({ objects }: Repository, tree: string | null, lost: string[]): Files {
  const files: Files = new Map();
  const walk = (oid: string | null, folder: string) => {
    const entries = oid === null ? null : readable(() => objects.readTree(oid));
    if (entries === null) lost.push(folder);
    for (const { mode, name, oid } of entries ?? []) {
      if (mode === '40000') walk(oid, `${folder}${name}/`);
      else files.set(folder + name, { mode, oid });
    }
  };
  walk(tree, '');
  return files;
}

/**
 * Gives the root folder of a commit that cannot be read: the only one of a memory that neither a commit nor a folder names. Null where there are
 * several, for nobody knows which it is. A commit that tells of the damaged one is what a process made of it that died.
 */
function lostRoot({ objects }: Repository, tip: string): string | null {
  const trees = new Set<string>();
  const [named, tried] = [new Set<string>(), new Set<string>()];
  for (const { oid, read } of objects.copies()) {
    const type = orElse(() => read().type, null);
    if (type === 'commit') {
      const { tree, message } = objects.readCommit(oid);
      (message.includes(tip) ? tried : named).add(tree);
    }
    if (type !== 'tree') continue;
    trees.add(oid);
    for (const entry of objects.readTree(oid)) named.add(entry.oid);
  }
  const roots = [...trees].filter((oid) => !named.has(oid) && isMemoryTree(oid, objects.readTree));
  const untried = roots.filter((oid) => !tried.has(oid));
  const [root = null, ...others] = untried.length > 0 ? untried : roots;
  return others.length === 0 ? root : null;
}

/** Keeps private what was private by a lost memory.yaml: the one that holds names each such path from now on. Gives the objects it takes. */
function protect(repository: Repository, codec: Codec, base: string, changes: Map<string, TreeChange>): NewObject[] {
  const { objects } = repository;
  const state = new Snapshot(repository, codec, base);
  const { privacy } = state;
  const keyOf = (change: TreeChange) => (change?.mode.startsWith('100') ? keyIdOf(objects.readBlob(change.oid)) : null);
  const sealed = [...changes].filter(([path, change]) => !privacy.isPrivate(path) && keyOf(change) !== null);
  if (sealed.length === 0) return [];
  const text = withKeys(state.readText(configurationPath) ?? formatConfiguration(), configurationPath, {
    private: [...privacy.patterns, ...sealed.map(([path]) => path)],
    private_under: privacy.keyId ?? keyOf(sealed[0]![1]),
  });
  const made = newObject('blob', Buffer.from(text));
  changes.set(configurationPath, { mode: '100644', oid: made.oid });
  return [made];
}
