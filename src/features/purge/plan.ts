// The plan of a purge, as a value: what every ref, log and object becomes. Reads all, writes nothing.

import { defined, MemoryError, orElse } from '../../base/errors.ts';
import type { Placement } from '../../base/types.ts';
import { receiptsOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { sequenceOf, timeAfter } from '../../store/commit-order.ts';
import type { Signature } from '../../store/git/commit-object.ts';
import { formatCommit } from '../../store/git/commit-object.ts';
import { type NewObject, newObject } from '../../store/git/object-codec.ts';
import { ObjectOverlay } from '../../store/git/object-overlay.ts';
import type { Repository } from '../../store/git/repository.ts';
import { editTree, findEntry } from '../../store/git/tree.ts';
import { formatMessage } from '../../store/guard/message.ts';
import { isMemoryTree } from '../../store/memory-tree.ts';
import type { PurgedRef } from '../../store/purge-record.ts';
import {
  epochOfReceipts,
  formatReceipt,
  type PurgeReceipt,
  printOfPath,
  printOfText,
  receiptPath,
} from '../../store/records/purge-receipt.ts';
import { formatMeta, metaPath, newMeta, parseMeta } from '../../store/records/storage-meta.ts';
import { refuseArrangement, refuseWorkTrees } from './arrangement.ts';
import type { Census } from './census.ts';
import type { Needles } from './needles.ts';
import { cleanJournals, type JournalCleaning, logFiles, oidsOfLog, tellsOfRemote } from './other-files.ts';
import { largeFilesOf } from './other-stores.ts';
import { rewritingOf } from './recognise.ts';
import type { HistoryRewrite } from './rewrite.ts';
import type { PurgeScope } from './targets.ts';

/** What a plan is made with. */
export interface PlanContext {
  readonly store: BranchStore;
  readonly placement: Placement;
  readonly scope: PurgeScope;
  readonly id: string;
  readonly replacement?: string;
  readonly allRefs: boolean;
  /** The receipt is in another history, which this one is to meet: none is written here, and the commits there stay what they are. */
  readonly known?: ReadonlyMap<string, string>;
  readonly now: number;
  readonly machine: string;
  readonly salt: () => string;
  readonly onProgress: (what: string, done: number, total: number) => void;
}

export interface PurgePlan {
  readonly needles: Needles;
  /** Texts are looked for, and not names and files alone. */
  readonly hasTexts: boolean;
  readonly census: Census;
  readonly rewrite: HistoryRewrite;
  /** Refs that move or go; those of the branches with their receipts. */
  readonly refs: readonly PurgedRef[];
  /** Of branches that get a receipt: where their rewritten history ends, below it. */
  readonly rewrittenTips: ReadonlyMap<string, string>;
  readonly made: readonly NewObject[];
  /** Old objects that go. */
  readonly dropped: ReadonlySet<string>;
  readonly journals: JournalCleaning;
  /** Refs of a code repository that hold it. */
  readonly foreign: readonly string[];
  readonly receipt: PurgeReceipt | null;
  /** Files of Git LFS that old objects point at. */
  readonly largeFiles: ReadonlySet<string>;
  /** What an old id is now; null for what went, or whose history is not whole. */
  readonly idOf: (oid: string) => string | null;
  readonly identity: Signature;
}

/**
 * Plans a purge of the repository as it stands.
 *
 * Throws UNSUPPORTED_REPOSITORY for shallow clones, borrowed objects and replaced ones, and CONFLICT for what a person has to finish or
 * rename first. Throws OBJECT_MISSING, OBJECT_CORRUPT where history is not whole.
 */
export function planPurge(context: PlanContext): PurgePlan {
  const { store, scope, id, replacement } = context;
  const { repository } = store;
  const { objects, refs } = repository;
  refuseArrangement(repository);
  const {
    asked: needles,
    needles: withNames,
    census,
    rewrite,
  } = rewritingOf(objects, scope, {
    id,
    ...defined({ replacement, known: context.known }),
    onProgress: (done) => context.onProgress('search', done, done),
  });
  const idOf = idsAfter(repository, rewrite);
  const all = refs.list('refs/').filter(({ ref }) => !isSymbolic(repository, ref));
  refuseNames(all, needles);
  const isNotes = (ref: string) => ref.startsWith('refs/notes/');
  const moves: { ref: string; from: string; to: string }[] = [];
  for (const { ref, oid } of all.filter(({ ref }) => !isNotes(ref))) {
    if (!tellsOfRemote(ref)) moves.push({ ref, from: oid, to: rewrite.of(oid) });
    context.onProgress('rewrite', moves.length, all.length);
  }
  for (const { ref, oid } of all.filter(({ ref }) => isNotes(ref)))
    moves.push({ ref, from: oid, to: rewrite.ofNotes(oid) });
  for (const { text } of logFiles(repository)) for (const oid of oidsOfLog(text)) idOf(oid);
  const remote = all.filter(({ ref }) => tellsOfRemote(ref)).map(({ ref, oid }) => ({ ref, from: oid, to: idOf(oid) }));
  const changed = [...moves, ...remote].filter(({ from, to }) => from !== to);
  refuseWorkTrees(repository, census, idOf, new Set(changed.map(({ ref }) => ref)));
  const foreign = changed.filter(({ ref }) => !isOwn(ref, context) && !tellsOfRemote(ref)).map(({ ref }) => ref);
  const identity = signatureOf(store, context.now);
  const heads = changed.filter(
    ({ ref, to }) => ref.startsWith('refs/heads/') && to !== null && isMemory(repository, rewrite, to),
  );
  const dropped = droppedBy(repository, census, rewrite);
  const tips = heads.map(({ from }) => from);
  const hasReceipt = heads.length > 0 && context.known === undefined;
  const receipt = hasReceipt ? receiptOf(context, rewrite, tips, changed, census, dropped.size) : null;
  const blobs = [...dropped].filter((oid) => census.types.get(oid) === 'blob');
  const added = new Map<string, NewObject>(rewrite.made);
  const planned: PurgedRef[] = [];
  const rewrittenTips = new Map<string, string>();
  for (const { ref, from, to } of changed) {
    if (tellsOfRemote(ref)) planned.push({ ref, from, to: null });
    else if (receipt !== null && heads.some((head) => head.ref === ref)) {
      rewrittenTips.set(ref, to!);
      planned.push({ ref, from, to: receiptCommit(context, rewrite, added, from, to!, receipt, identity) });
    } else planned.push({ ref, from, to });
  }
  return {
    needles: withNames,
    hasTexts: scope.texts.length > 0,
    census,
    rewrite,
    refs: planned,
    rewrittenTips,
    made: [...added.values()],
    dropped,
    journals: cleanJournals(repository, withNames, scope.gone, census.names, rewrite),
    foreign,
    receipt,
    largeFiles: largeFilesOf(objects, blobs),
    idOf,
    identity,
  };
}

/** Follows old ids to new ones, rewriting on the way what no ref leads to; null where that cannot be done. */
function idsAfter({ objects }: Repository, rewrite: HistoryRewrite): (oid: string) => string | null {
  const known = new Map<string, string | null>();
  return (oid) => {
    const before = known.get(oid);
    if (before !== undefined) return before;
    // What is not there any more tells nothing; its id may stay.
    const after = orElse(() => (objects.has(oid) ? rewrite.of(oid) : oid), null);
    known.set(oid, after);
    return after;
  };
}

function isSymbolic({ disk, commonDirectory }: Repository, ref: string): boolean {
  const path = `${commonDirectory}/${ref}`;
  return disk.stat(path)?.isFile === true && (disk.readText(path) ?? '').startsWith('ref:');
}

function isOwn(ref: string, { placement, store, allRefs }: PlanContext): boolean {
  if (allRefs || placement === 'repository' || placement === 'bare') return true;
  if (placement === 'project') return ref.startsWith('refs/git-memory/');
  return ref === store.ref || /^refs\/(?:heads\/memory|tags\/memory|git-memory)\//.test(ref);
}

function refuseNames(all: readonly { readonly ref: string }[], needles: Needles): void {
  for (const { ref } of all) {
    if (tellsOfRemote(ref) || ref.split('/').every((name) => needles.renamed(name) === name)) continue;
    throw new MemoryError('CONFLICT', 'the name of a branch or tag holds the text to purge', {
      where: ref,
      hint: 'Nothing was changed. First rename it with `git branch -m`, or make a new tag',
    });
  }
}

function isMemory({ objects }: Repository, rewrite: HistoryRewrite, commit: string): boolean {
  const { readTree, readCommit } = overlay(objects, rewrite);
  return isMemoryTree(readCommit(commit).tree, readTree);
}

function overlay(objects: Repository['objects'], rewrite: HistoryRewrite): ObjectOverlay {
  const below = new ObjectOverlay(objects);
  for (const object of rewrite.made.values()) below.add(object);
  return below;
}

function signatureOf(store: BranchStore, now: number): Signature {
  const { identity } = store.settings(store.snapshot());
  return { ...identity, time: Math.floor(now / 1000), zone: '+0000' };
}

function receiptOf(
  { scope, id, now, store, salt, replacement }: PlanContext,
  rewrite: HistoryRewrite,
  tips: readonly string[],
  changed: readonly { readonly ref: string; readonly from: string; readonly to: string | null }[],
  census: Census,
  objectCount: number,
): PurgeReceipt {
  const { objects } = store.repository;
  const { identity } = store.settings(store.snapshot());
  const isOldest = (oid: string) => objects.readCommit(oid).parents.every((parent) => !rewrite.commits.has(parent));
  const prints = (texts: readonly string[]) => texts.map((text) => printOfText(text, salt()));
  return {
    version: 1,
    id,
    time: new Date(now).toISOString(),
    by: `${identity.name} <${identity.email}>`,
    what: scope.what,
    ...(scope.isDerived === true ? { derived: true as const } : {}),
    epoch: Math.max(...tips.map((tip) => epochOfReceipts(receiptsOf(objects, tip)))) + 1,
    counts: {
      commits: rewrite.commits.size,
      objects: objectCount,
      files: rewrite.files.size,
      messages: rewrite.messages.size,
      signatures: rewrite.signed.size,
    },
    cut: [...rewrite.commits.keys()].filter(isOldest).sort(),
    refs: changed
      .filter(({ ref }) => /^refs\/(?:heads|tags)\//.test(ref))
      .map(({ ref, from, to }) => ({ ref, before: from, after: to })),
    texts: prints(scope.texts.slice(0, maxPrints)),
    paths: [...scope.gone, ...[...census.names.keys()].filter((name) => scope.texts.length === 0 && name.includes('/'))]
      .slice(0, maxPrints)
      .map((path) => printOfPath(path, salt())),
    ...defined({ replacement }),
  };
}

/** Quotations of a long conversation are many; what an old clone brings is known by its first ones and by its path. */
const maxPrints = 200;

/** The commit that ends a rewritten branch: one epoch later, with the receipt. */
function receiptCommit(
  { store, id, now, machine }: PlanContext,
  rewrite: HistoryRewrite,
  added: Map<string, NewObject>,
  old: string,
  tip: string,
  receipt: PurgeReceipt,
  identity: Signature,
): string {
  const { objects } = store.repository;
  const reader = overlay(objects, rewrite);
  const { tree, committer } = reader.readCommit(tip);
  const entry = findEntry(tree, metaPath, reader.readTree);
  const present = entry && orElse(() => parseMeta(reader.readBlob(entry.oid).toString('utf8')), null);
  const meta = present ?? newMeta(now, machine);
  const blobs = [
    newObject('blob', Buffer.from(formatMeta({ ...meta, unknown: { ...meta.unknown, epoch: receipt.epoch } }))),
    newObject('blob', Buffer.from(formatReceipt(receipt))),
  ];
  const files = new Map(
    [metaPath, receiptPath(id)].map((path, at) => [path, { mode: '100644' as const, oid: blobs[at]!.oid }]),
  );
  const edited = editTree(tree, files, reader.readTree, { allowTwins: true });
  const message = formatMessage({
    subject: `maintenance: purge ${id}`,
    body: 'The history before it was rewritten. This cannot be undone.',
    trailers: [
      { key: 'Operation', value: 'purge' },
      { key: 'Sequence', value: String(sequenceOf(store.repository, old) + 1) },
    ],
  });
  const signature = { ...identity, time: timeAfter(identity.time, committer.time) };
  const commit = newObject(
    'commit',
    formatCommit({ tree: edited.root!, parents: [tip], author: signature, committer: signature, message }),
  );
  for (const object of [...blobs, ...edited.trees, commit]) added.set(object.oid, object);
  return commit.oid;
}

/** Finds the old objects that go: what was rewritten, and of what nothing leads to, all that holds it or leads to what does. */
function droppedBy({ objects }: Repository, census: Census, rewrite: HistoryRewrite): Set<string> {
  const verdicts = new Map<string, boolean>();
  const childrenOf = (oid: string): string[] => {
    const object = objects.read(oid);
    if (object.type === 'tree')
      return objects.readTree(oid).flatMap((entry) => (entry.mode === '160000' ? [] : [entry.oid]));
    const head = object.data.toString('latin1', 0, Math.max(0, object.data.indexOf('\n\n')) || object.data.length);
    return [...head.matchAll(/^(?:tree|parent|object) ([0-9a-f]{40})$/gm)].map((match) => match[1]!);
  };
  const judge = (start: string): boolean => {
    const open = [start];
    for (let oid = open.at(-1); oid !== undefined; oid = open.at(-1)) {
      if (verdicts.has(oid)) open.pop();
      else if (rewrite.used.has(oid) || !census.types.has(oid)) verdicts.set(oid, false);
      else if (rewrite.changed.has(oid) || census.holding.has(oid)) verdicts.set(oid, true);
      else if (census.types.get(oid) === 'blob') verdicts.set(oid, false);
      else {
        const children = childrenOf(oid);
        const waiting = children.filter((child) => !verdicts.has(child));
        if (waiting.length > 0) open.push(...waiting);
        else {
          const isLost = children.some((child) => verdicts.get(child) === true);
          verdicts.set(oid, isLost);
        }
      }
    }
    return verdicts.get(start)!;
  };
  const dropped = new Set<string>();
  for (const oid of census.types.keys()) if (judge(oid)) dropped.add(oid);
  return dropped;
}
