// What a person is about to commit with git, judged by the same change rules as the engine's own commits.

import { count } from '../../base/count.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import type { Judged } from '../../base/types.ts';
import { type CheckedChange, changeLimits, checkChange, checkRecorded } from '../../store/change-rules.ts';
import { type Codec, secrecyOf } from '../../store/codec.ts';
import type { IndexFile } from '../../store/git/index-file.ts';
import { unfinishedOperation } from '../../store/git/native-operation.ts';
import { publishedTips } from '../../store/git/remotes.ts';
import type { Repository } from '../../store/git/repository.ts';
import { walkTree } from '../../store/git/tree.ts';
import { checkNoSecret } from '../../store/guard/secret-filter.ts';
import { extentOf, isMemoryPath } from '../../store/hand-edits.ts';
import { checkRemovals } from '../../store/memory-quota.ts';
import { keyedEntries } from '../../store/merge/log-ids.ts';
import { entriesOf } from '../../store/merge/merge-log.ts';
import { checkPlace, FoldedNames } from '../../store/name-clash.ts';
import type { FileChange } from '../../store/operation.ts';
import { changelogPath } from '../../store/records/changelog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { splitFrontMatter } from '../../store/records/front-matter.ts';
import { kindOf } from '../../store/records/kind.ts';
import { countLines, maxLinesOf, warnLinesOf } from '../../store/records/knowledge-file.ts';
import { logFormatOf, logReaderOf } from '../../store/records/log-readers.ts';
import { isSealed } from '../../store/records/private-text.ts';
import type { Snapshot } from '../../store/snapshot.ts';

export interface StagedReport extends Judged {
  /** Changes that break a rule: the commit should not be made. */
  readonly violations: readonly { readonly path: string; readonly why: string }[];
  readonly warnings: readonly string[];
}

/** What is judged, and by what. */
export interface StagedQuestion {
  /** Git's index, or that of the commit in progress. */
  readonly index: IndexFile;
  /** The tip, without what is pending. */
  readonly tip: Snapshot;
  readonly repository: Repository;
  /** The branch that is committed to. */
  readonly ref: string;
  readonly codec: Pick<Codec, 'faultOf' | 'privacyOf'>;
  readonly configuration: Configuration;
  readonly isProject: boolean;
}

/** Checks what git's index holds against the tip; files outside the memory layout are nobody's business here. */
export function checkStaged(question: StagedQuestion): StagedReport {
  const { index, tip, repository, codec, configuration, isProject } = question;
  const { objects } = repository;
  // What a merge brings was judged where it was written.
  const isMerge = unfinishedOperation(repository) !== null;
  const violations: { path: string; why: string }[] = [];
  const warnings: string[] = [];
  const listing = new Map(tip.listStored());
  const limits = changeLimits(configuration);
  const stagedOf = (path: string) => {
    const entry = index.find(path);
    return entry === 'unmerged' ? null : (entry?.oid ?? null);
  };
  const stagedState = { oidOf: stagedOf, readBlob: objects.readBlob.bind(objects) };
  // What is private from this commit on counts as well as what was until now.
  const privacies = [tip.privacy, codec.privacyOf(stagedState)];
  /** Plain where that can be had. */
  const read = (oid: string | null, path: string): Buffer | null => {
    try {
      return oid === null ? null : tip.readBlob(oid, path);
    } catch (error) {
      if (error instanceof MemoryError && error.code === 'PRIVATE_KEY_MISSING') return objects.readBlob(oid!);
      throw error;
    }
  };
  const judge = (path: string, rule: () => void) => {
    const error = refusalOf(rule);
    if (error !== null) violations.push({ path, why: error.message });
    return error === null;
  };
  const changelogs = [tip.oidOf(changelogPath), stagedOf(changelogPath)];
  const extents = changelogs.map((oid) => extentOf(isProject, (path) => read(oid, path)?.toString('utf8') ?? null));
  const extent = extents.find((one) => one !== 'project') ?? 'project';
  const stored = (oid: string | null) => (oid === null ? null : objects.readBlob(oid));
  const secrecyAt = (before: string | null, after: string | null) => secrecyOf(stored(before), stored(after));
  const check = (path: string, before: string | null, after: string | null) => {
    if (before === after) return;
    const fault =
      after !== null && privacies.some((one) => one.isPrivate(path)) ? codec.faultOf(objects.readBlob(after)) : null;
    if (fault !== null) {
      violations.push({ path, why: faultWords[fault](path) });
      return;
    }
    if (!isMemoryPath(path, extent)) return;
    const [old, bytes] = [read(before, path), read(after, path)];
    if ([old, bytes].some((one) => one !== null && isSealed(one))) {
      // What it says nobody can judge here; that a capture was another, or is gone, is plain.
      const kind = kindOf(path) ?? '';
      const isCapture = ['conversation', 'artifact', ...(after === null ? ['daily'] : [])].includes(kind);
      // One that comes to lie open is read by everybody from then on.
      if (bytes !== null && !isSealed(bytes))
        judge(path, () => checkNoSecret(null, bytes.toString('utf8'), path, limits.secrets));
      if (before !== null && isCapture) violations.push({ path, why: `${path} is a capture, which is never changed` });
      return;
    }
    const secrecy = secrecyAt(before, after);
    const change = { path, before: old, after: bytes };
    // Of a log that did more than to grow only what is published has to stay.
    const isFree = logFormatOf(path) !== null && (isMerge || !isGrowth(change));
    if (!judge(path, () => checkChange(change, { limits, secrecy, mayRemoveCaptures: isFree }))) return;
    if (bytes !== null && kindOf(path) === 'topic' && !hasTriggers(bytes.toString('utf8'), path))
      warnings.push(`${path} has no triggers, so nothing activates it`);
    if (path === 'knowledge/memory/MEMORY.md' && bytes !== null)
      warnings.push(...lengthWarnings(path, countLines(bytes.toString('utf8')), configuration.memoryMd.capLines));
  };
  const added: string[] = [];
  for (const entry of index.entries()) {
    if (!listing.has(entry.path) && isMemoryPath(entry.path, extent)) added.push(entry.path);
    check(entry.path, listing.get(entry.path) ?? null, entry.oid);
    listing.delete(entry.path);
  }
  violations.push(...twinsAmong(added, index));
  for (const [path, oid] of listing) check(path, oid, null);
  violations.push(...goneEvents(question, (path, oid) => (isMemoryPath(path, extent) ? read(oid, path) : null)));
  violations.push(...excessRemovals(listing, question));
  return { violations, warnings };
}

/** Names what would take so much away at once that it looks like an accident. */
function excessRemovals(
  gone: ReadonlyMap<string, string>,
  { tip, repository: { objects }, configuration }: StagedQuestion,
): StagedReport['violations'] {
  const removed = [...gone].map(([path, before]) => ({ path, before, after: null }));
  const error = refusalOf(() => {
    if (tip.commit === null) return;
    checkRemovals(objects.readCommit(tip.commit).tree, objects.readTree, removed, changeLimits(configuration));
  });
  const why = `${error?.what}; git commit --no-verify does it all the same`;
  return error === null ? [] : [{ path: error.where ?? 'memories', why }];
}

function refusalOf(rule: () => void): MemoryError | null {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof MemoryError) return error;
    throw error;
  }
}

const faultWords = {
  open: (path: string) =>
    `${path} is private and would be stored open: after \`git memory hooks install\` git encrypts it, with \`git add --renormalize\``,
  damaged: (path: string) =>
    `${path} is private, and what is left of its encrypted text says nothing: write it anew, or take an earlier version, ` +
    `which \`git memory log ${path}\` names`,
};

/** Warns of core memory that maintenance will prune, before its length keeps a commit from being made. */
function lengthWarnings(path: string, lines: number, capLines: number): string[] {
  const maxLines = maxLinesOf(capLines);
  if (lines <= warnLinesOf(capLines)) return [];
  const [size, cap] = [count(lines, 'line'), Math.min(capLines, maxLines)];
  return [`${path} has ${size}; maintenance prunes it above ${cap}, and above ${maxLines} a commit fails`];
}

function isGrowth(change: CheckedChange): boolean {
  return orElse(() => checkRecorded(change) ?? true, false, 'IMMUTABLE', 'INVALID_RECORD');
}

/** Names events that others know and that would say something else, or be gone. Without an upstream the tip counts, whatever ids are. */
function goneEvents(
  { index, tip, repository, ref }: StagedQuestion,
  read: (path: string, oid: string) => Buffer | null,
): StagedReport['violations'] {
  const { objects } = repository;
  const logsAmong = (files: Iterable<{ readonly path: string; readonly oid: string }>) =>
    new Map([...files].flatMap(({ path, oid }) => (logFormatOf(path) === null ? [] : [[path, oid] as const])));
  const staged = logsAmong(index.entries());
  const entriesAt = (files: ReadonlyMap<string, string>, isWanted = (_: string) => true) =>
    [...files].flatMap(([path, oid]) => {
      const text = isWanted(path) ? read(path, oid)?.toString('utf8') : undefined;
      const entries = text === undefined ? [] : entriesOf(logReaderOf(path, text)?.(text, path) ?? []);
      return entries.map((entry) => ({ path, ...entry }));
    });
  const published = publishedTips(repository, ref);
  const isUpstream = published.length > 0;
  return (isUpstream ? published : [tip.commit]).flatMap((commit) => {
    const known = logsAmong(walkTree(commit && objects.readCommit(commit).tree, objects.readTree));
    const changed = entriesAt(known, (path) => staged.get(path) !== known.get(path));
    if (changed.length === 0) return [];
    const present = entriesAt(staged);
    const texts = new Set(present.map(({ text }) => text.trim()));
    const keys = keyedEntries(present);
    const kept = (key: string, text: string) => texts.has(text.trim()) || (!isUpstream && keys.has(key));
    const gone = [...keyedEntries(changed)].filter(([key, { text }]) => !kept(key, text));
    return gone.map(([, { path, id }]) => {
      const what = present.some((entry) => entry.id === id) ? 'say something else' : 'be gone';
      return { path, why: `${path} only grows: ${id}${isUpstream ? ' is published and' : ''} would ${what}` };
    });
  });
}

/** Lists how what is staged differs from the tip, as plain text; a private text whose key is not here stays as it is stored. */
export function stagedChanges(staged: Pick<StagedQuestion, 'index' | 'tip' | 'repository'>): FileChange[] {
  const { index, tip, repository } = staged;
  const gone = new Map(tip.listStored());
  const changes: FileChange[] = [];
  for (const { path, oid } of index.entries()) {
    const before = gone.get(path) ?? null;
    gone.delete(path);
    if (before !== oid) changes.push({ path, before, after: tip.plainOr(repository.objects.readBlob(oid)) });
  }
  return [...changes, ...[...gone].map(([path, before]) => ({ path, before, after: null }))];
}

/** Lists new files that have a twin. No commit of the engine may hold both, so an undo of this one could not be undone. */
function twinsAmong(added: readonly string[], index: IndexFile): { path: string; why: string }[] {
  if (added.length === 0) return [];
  const names = new FoldedNames();
  for (const { path } of index.entries()) names.add(path);
  return added.flatMap((path) => {
    const [twin] = names.inTheWayOf(path);
    if (twin === undefined) return [];
    const error = refusalOf(() => checkPlace(path, twin));
    return error === null ? [] : [{ path, why: error.message }];
  });
}

/** A topic that only people activate says so. */
function hasTriggers(text: string, path: string): boolean {
  const { triggers, activation } = splitFrontMatter(text, path).data;
  return triggers !== undefined || activation === 'manual';
}
