// What native git leaves behind where it merged, rebased or committed. Some files cite a log by former ids, and files that follow from logs are
// as one side had them. Its hooks bring them in step at once:
//
//     git commit, git merge ──► one more commit, where something is behind
//     git rebase            ──► the commits that it made are made anew: subjects and files name events as they are called now

import { type NewObject, newObject } from '../git/object-codec.ts';
import { ObjectOverlay } from '../git/object-overlay.ts';
import { diffTrees, editTree, findEntry, type TreeChange } from '../git/tree.ts';
import { keyedEntries } from '../merge/log-ids.ts';
import { logFormatOf } from '../records/log-readers.ts';
import { replaceSequenceIds } from '../records/sequence-id.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { deriveFiles, TreeFiles } from '../store/derive.ts';
import { entriesIn, mayCite } from '../store/merge-logs.ts';
import { textOf } from '../store/merge-stored.ts';
import { fileChangeOf, plannedChanges } from '../store/planned-change.ts';
import { cappedLines } from './merge.ts';

/** A commit that went into another one, and what was there beside it. */
interface Former {
  readonly commit: string;
  readonly other: string;
}

/** Commits that a rebase has made anew. */
export type Rewritten = readonly { readonly from: string; readonly to: string }[];

/**
 * Brings in step what native git has left behind at the tip. It gives the commit that does, and null where nothing is behind.
 * `rewritten` is what a rebase says that it has made. Nothing happens while native git is at work.
 */
export async function followNative(store: BranchStore, rewritten: Rewritten = []): Promise<string | null> {
  const tip = store.tip();
  const made = tip === null ? null : rebasedAnew(store, tip, rewritten);
  if (made !== null) {
    const release = await store.exclusively(() => store.repository.objects.write(made.objects));
    try {
      if (await store.advance(tip!, made.tip)) return made.tip;
    } finally {
      release();
    }
  }
  const outcome = await store.commit(
    ({ commit }) => {
      if (commit === null) return [];
      const objects = new ObjectOverlay(store.repository.objects);
      const { tree, parents } = objects.readCommit(commit);
      const pair = parents.length === 2 ? [parents, parents.toReversed()] : [];
      const formers = pair.map(([own, other]) => ({ commit: own!, other: other! }));
      const { after, renamed } = inStep(store, objects, commit, formers);
      const changes = plannedChanges(objects, tree, after, new Set()).map(fileChangeOf);
      if (changes.length === 0) return [];
      const lines = [...renamed].map(([from, to]) => `- ${from} is ${to} now`);
      const body = cappedLines(lines, 'new ids').join('\n');
      const subject = 'what follows from the log, in step again';
      return [{ kind: 'maintenance', name: 'follow', subject, body, trailers: [], changes, onConflict: 'later' }];
    },
    { onBusy: 'leave' },
  );
  return outcome.commits.at(-1) ?? null;
}

/** Gives the tree of a commit with citations and derived files as they are to be, and the ids that are new. */
function inStep(store: BranchStore, objects: ObjectOverlay, commit: string, formers: readonly Former[]) {
  const { codec, derivations } = store;
  const { tree } = objects.readCommit(commit);
  const edits = new Map<string, TreeChange>();
  const put = (path: string, bytes: Buffer) => {
    const mode = findEntry(tree, path, objects.readTree)?.mode === '100755' ? '100755' : '100644';
    edits.set(path, { mode, oid: objects.addBlob(bytes) });
  };
  const textAt = (root: string, path: string) => {
    const entry = findEntry(root, path, objects.readTree);
    return entry?.mode.startsWith('100') ? textOf(codec, path, objects.readBlob(entry.oid)) : undefined;
  };
  const renamed = new Map<string, string>();
  for (const former of formers) {
    const names = namesSince(store, objects, former.commit, commit);
    for (const [from, to] of names) renamed.set(from, to);
    const [own, beside] = [former.commit, former.other].map((oid) => objects.readCommit(oid).tree) as [string, string];
    for (const { path } of names.size === 0 ? [] : diffTrees(beside, own, objects.readTreeBytes)) {
      const isCiting = mayCite(path) && logFormatOf(path) === null;
      const present = isCiting ? textAt(objects.editTree(tree, edits), path) : undefined;
      if (present === undefined) continue;
      const [lines, others] = [own, beside].map((root) => new Set(textAt(root, path)?.split('\n')));
      // What only that side says names entries as that side calls them.
      const isOwn = (line: string) => lines!.has(line) && !others!.has(line);
      const nameOf = (id: string) => names.get(id) ?? id;
      const text = present
        .split('\n')
        .map((line) => (isOwn(line) ? replaceSequenceIds(line, nameOf) : line))
        .join('\n');
      if (text !== present) put(path, codec.encode(path, Buffer.from(text)));
    }
  }
  const cited = objects.editTree(tree, edits);
  const files = new TreeFiles(cited, objects, codec);
  const all = derivations.flatMap(({ paths }) => paths);
  for (const { path, bytes } of deriveFiles(derivations, files, all, codec)) {
    if (textAt(cited, path) !== textOf(codec, path, bytes)) put(path, bytes);
  }
  return { after: objects.editTree(tree, edits), edits, renamed };
}

/** Finds what entries of logs were called in a former commit, and are called otherwise now. */
function namesSince(
  { codec }: BranchStore,
  objects: ObjectOverlay,
  former: string,
  commit: string,
): Map<string, string> {
  const [before, after] = [former, commit].map((oid) => objects.readCommit(oid).tree) as [string, string];
  const paths = diffTrees(before, after, objects.readTreeBytes).flatMap(({ path }) => (logFormatOf(path) ? path : []));
  const [old, present] = [former, commit].map((oid) => keyedEntries(entriesIn(objects, codec, [oid], paths)));
  const pairs = [...old!].map(([key, { id }]) => [id, present!.get(key)?.id ?? id] as const);
  return new Map(pairs.filter(([from, to]) => from !== to));
}

/** Makes the commits of a rebase anew, each in step; null where nothing of them is behind. Signed ones stay as they are. */
function rebasedAnew(
  store: BranchStore,
  tip: string,
  rewritten: Rewritten,
): { readonly tip: string; readonly objects: readonly NewObject[] } | null {
  const { objects } = store.repository;
  const formers = new Map<string, string[]>();
  for (const { from, to } of rewritten) formers.set(to, [...(formers.get(to) ?? []), from]);
  const chain: string[] = [];
  let onto = tip;
  for (; formers.has(onto); onto = objects.readCommit(onto).parents[0]!) chain.unshift(onto);
  const overlay = new ObjectOverlay(objects);
  const news = new Map<string, NewObject>();
  let parent = onto;
  for (const commit of chain) {
    const olds = formers.get(commit)!;
    const { after, edits, renamed } = inStep(
      store,
      overlay,
      commit,
      olds.map((old) => ({ commit: old, other: onto })),
    );
    const bytes = objects.read(commit).data.toString('latin1');
    const end = bytes.indexOf('\n\n');
    const [head, message] = [bytes.slice(0, end), bytes.slice(end)];
    if (/^(?:gpgsig|mergetag)/m.test(head)) return null;
    // A message that was changed in the rebase names them as they are already.
    const isKept = olds.some((old) => overlay.readCommit(old).message === overlay.readCommit(commit).message);
    const named = isKept ? replaceSequenceIds(message, (id) => renamed.get(id) ?? id) : message;
    const { tree, parents } = overlay.readCommit(commit);
    const headed = head.replace(`tree ${tree}`, `tree ${after}`).replace(`parent ${parents[0]}`, `parent ${parent}`);
    const made = newObject('commit', Buffer.from(headed + named, 'latin1'));
    const edited = editTree(tree, edits, overlay.readTree, { allowTwins: true });
    const blobs = [...edits.values()].map((change) => newObject('blob', overlay.readBlob(change!.oid)));
    for (const object of [...blobs, ...edited.trees, made]) news.set(object.oid, object);
    parent = made.oid;
  }
  return parent === tip ? null : { tip: parent, objects: [...news.values()] };
}
