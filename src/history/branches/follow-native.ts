// Mends what native git leaves behind where it merged, rebased or committed. Some files cite a log by former ids, and files that follow from
// logs are as one side had them. Its hooks bring them in step at once:
//
//     git commit, git merge ──► one more commit, where something is behind
//     git rebase            ──► the commits that it made are made anew: subjects and files name events as they are called now

import type { BranchStore } from '../../store/branch-store.ts';
import type { Codec } from '../../store/codec.ts';
import { staleFiles, TreeFiles } from '../../store/derive.ts';
import { type NewObject, newObject } from '../../store/git/object-codec.ts';
import { ObjectOverlay } from '../../store/git/object-overlay.ts';
import { diffTrees } from '../../store/git/tree.ts';
import { cappedLines } from '../../store/guard/message.ts';
import { keyedEntries } from '../../store/merge/log-ids.ts';
import { entriesIn, mayCite, textAt } from '../../store/merge-logs.ts';
import { textOf } from '../../store/merge-stored.ts';
import { fileChangeOf, plannedChanges } from '../../store/planned-change.ts';
import { logFormatOf } from '../../store/records/log-readers.ts';
import { replaceSequenceIds } from '../../store/records/sequence-id.ts';

/** Commits that a rebase has made anew. */
type Rewritten = readonly { readonly from: string; readonly to: string }[];

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
      const formers = parents.length === 2 ? [parents, parents.toReversed()] : [];
      const { after, renamed } = inStep(store, objects, commit, formers as unknown as Formers);
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

/** Commits that went into another one, each with what was there beside it. */
type Formers = readonly (readonly [own: string, beside: string])[];

/** Gives the tree of a commit with citations and derived files as they are to be, and the ids that are new. */
function inStep(store: BranchStore, objects: ObjectOverlay, commit: string, formers: Formers) {
  const { codec } = store;
  const { tree } = objects.readCommit(commit);
  const edits = new Map<string, string>();
  const files = new TreeFiles(tree, objects, codec, edits);
  const renamed = new Map<string, string>();
  for (const former of formers) {
    const names = namesSince(codec, objects, former[0], commit);
    for (const [from, to] of names) renamed.set(from, to);
    const [own, beside] = former.map((oid) => objects.readCommit(oid).tree) as [string, string];
    for (const { path } of names.size === 0 ? [] : diffTrees(beside, own, objects.readTreeBytes)) {
      const oid = mayCite(path) && logFormatOf(path) === null ? files.oidOf(path) : null;
      const present = oid === null ? undefined : textOf(codec, path, objects.readBlob(oid));
      if (present === undefined) continue;
      const [lines, others] = [own, beside].map((root) => new Set(textAt(objects, codec, root, path)?.split('\n')));
      // What only that side says names entries as that side calls them.
      const isOwn = (line: string) => lines!.has(line) && !others!.has(line);
      const nameOf = (id: string) => names.get(id) ?? id;
      const told = present.split('\n').map((line) => (isOwn(line) ? replaceSequenceIds(line, nameOf) : line));
      const text = told.join('\n');
      if (text !== present) edits.set(path, objects.addBlob(codec.encode(path, Buffer.from(text))));
    }
  }
  for (const { path, after } of staleFiles(store, files)) edits.set(path, objects.addBlob(after));
  return { after: objects.editFiles(tree, edits), renamed };
}

/** Finds what entries of logs were called in a former commit, and are called otherwise now. */
function namesSince(codec: Codec, objects: ObjectOverlay, former: string, commit: string): Map<string, string> {
  const [before, after] = [former, commit].map((oid) => objects.readCommit(oid).tree) as [string, string];
  const paths = diffTrees(before, after, objects.readTreeBytes).flatMap(({ path }) => (logFormatOf(path) ? path : []));
  const [old, present] = [former, commit].map((oid) => keyedEntries(entriesIn(objects, codec, [oid], paths)));
  const pairs = [...old!].map(([key, { id }]) => [id, present!.get(key)?.id ?? id] as const);
  return new Map(pairs.filter(([from, to]) => from !== to));
}

/** Makes the commits of a rebase anew, each in step; null where nothing of them is behind. Signed ones stay as they are. */
function rebasedAnew(store: BranchStore, tip: string, rewritten: Rewritten) {
  const { objects } = store.repository;
  const formers = new Map<string, string[]>();
  for (const { from, to } of rewritten) formers.set(to, [...(formers.get(to) ?? []), from]);
  const chain: string[] = [];
  let onto = tip;
  for (; formers.has(onto); onto = objects.readCommit(onto).parents[0]!) chain.unshift(onto);
  const overlay = new ObjectOverlay(objects);
  const commits: NewObject[] = [];
  let parent = onto;
  for (const commit of chain) {
    const olds = formers.get(commit)!;
    const before = overlay.readCommit(commit);
    const pairs = olds.map((old) => [old, onto] as const);
    const { after, renamed } = inStep(store, overlay, commit, pairs);
    const bytes = objects.read(commit).data.toString('latin1');
    const end = bytes.indexOf('\n\n');
    const [head, message] = [bytes.slice(0, end), bytes.slice(end)];
    if (/^(?:gpgsig|mergetag)/m.test(head)) return null;
    // A message that was changed in the rebase names them as they are already.
    const isKept = olds.some((old) => overlay.readCommit(old).message === before.message);
    const named = isKept ? replaceSequenceIds(message, (id) => renamed.get(id) ?? id) : message;
    const headed = head
      .replace(`tree ${before.tree}`, `tree ${after}`)
      .replace(`parent ${before.parents[0]}`, `parent ${parent}`);
    const made = newObject('commit', Buffer.from(headed + named, 'latin1'));
    commits.push(made);
    parent = made.oid;
  }
  return parent === tip ? null : { tip: parent, objects: [...overlay.added(), ...commits] };
}
