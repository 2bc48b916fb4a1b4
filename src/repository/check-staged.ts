// What a person is about to commit with git, judged by the same change rules as the engine's own commits.

import { count } from '../base/count.ts';
import { MemoryError } from '../errors.ts';
import type { IndexFile } from '../git/index-file.ts';
import type { ObjectDatabase } from '../git/object-database.ts';
import { checkNoSecret } from '../guard/secret-filter.ts';
import type { Configuration } from '../records/configuration.ts';
import { splitFrontMatter } from '../records/front-matter.ts';
import { kindOf } from '../records/kind.ts';
import { countLines, maxLinesOf, warnLinesOf } from '../records/knowledge-file.ts';
import { logFormatOf } from '../records/log-readers.ts';
import { isSealed } from '../records/private-text.ts';
import { changeLimits, checkChange } from '../store/change-rules.ts';
import { type Codec, secrecyOf } from '../store/codec.ts';
import { isMemoryPath } from '../store/hand-edits.ts';
import { checkRemovals } from '../store/memory-quota.ts';
import { checkPlace, FoldedNames } from '../store/name-clash.ts';
import type { FileChange } from '../store/operation.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { Judged } from '../types.ts';
import { configurationFiles } from './private-filter.ts';

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
  readonly objects: Pick<ObjectDatabase, 'readBlob' | 'readCommit' | 'readTree'>;
  readonly codec: Pick<Codec, 'faultOf' | 'privacyOf'>;
  readonly configuration: Configuration;
  readonly isProject: boolean;
}

/** Checks what git's index holds against the tip; files outside the memory layout are nobody's business here. */
export function checkStaged({ index, tip, objects, codec, configuration, isProject }: StagedQuestion): StagedReport {
  const violations: { path: string; why: string }[] = [];
  const warnings: string[] = [];
  const listing = tip.listStored();
  const limits = changeLimits(configuration);
  const stagedOf = (path: string) => {
    const entry = configurationFiles.includes(path) ? index.find(path) : null;
    return entry === 'unmerged' ? null : (entry?.oid ?? null);
  };
  const stagedState = { oidOf: stagedOf, readBlob: objects.readBlob.bind(objects) };
  // What is private from this commit on counts as well as what was until now.
  const privacies = [tip.privacy, codec.privacyOf(stagedState)];
  const { capLines } = configuration.memoryMd;
  const [warnLines, maxLines] = [warnLinesOf(capLines), maxLinesOf(capLines)];
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
    try {
      rule();
      return true;
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      violations.push({ path, why: error.message });
      return false;
    }
  };
  const stored = (oid: string | null) => (oid === null ? null : objects.readBlob(oid));
  const secrecyAt = (before: string | null, after: string | null) => secrecyOf(stored(before), stored(after));
  const check = (path: string, before: string | null, after: string | null) => {
    if (before === after) return;
    const fault =
      after !== null && privacies.some((one) => one.isPrivate(path)) ? codec.faultOf(objects.readBlob(after)) : null;
    if (fault !== null) {
      const why =
        fault === 'open'
          ? `${path} is private and would be stored open: after \`git memory hooks install\` git encrypts it, with \`git add --renormalize\``
          : `${path} is private, and what is left of its encrypted text says nothing: write it anew, or take an earlier version, which \`git memory log ${path}\` names`;
      violations.push({ path, why });
      return;
    }
    if (!isMemoryPath(path, isProject && logFormatOf(path) === null)) return;
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
    // A changelog inside a project is the project's own unless it is a log of events.
    if (!isMemoryPath(path, isProject) && logFormatOf(path)?.isLog(old?.toString('utf8') ?? '', path) !== true) return;
    const secrecy = secrecyAt(before, after);
    if (!judge(path, () => checkChange({ path, before: old, after: bytes }, { limits, secrecy }))) return;
    if (bytes !== null && kindOf(path) === 'topic' && !hasTriggers(bytes.toString('utf8'), path)) {
      warnings.push(`${path} has no triggers, so nothing activates it`);
    }
    if (path !== 'knowledge/memory/MEMORY.md' || bytes === null) return;
    const lines = countLines(bytes.toString('utf8'));
    if (lines > warnLines) {
      const cap = Math.min(configuration.memoryMd.capLines, maxLines);
      warnings.push(
        `${path} has ${count(lines, 'line')}; maintenance prunes it above ${cap}, and above ${maxLines} a commit fails`,
      );
    }
  };
  const added: string[] = [];
  for (const entry of index.entries()) {
    if (!listing.has(entry.path) && isMemoryPath(entry.path, isProject)) added.push(entry.path);
    check(entry.path, listing.get(entry.path) ?? null, entry.oid);
    listing.delete(entry.path);
  }
  violations.push(...twinsAmong(added, index));
  for (const [path, oid] of listing) check(path, oid, null);
  try {
    const removed = [...listing].map(([path, before]) => ({ path, before, after: null }));
    if (tip.commit !== null) checkRemovals(objects.readCommit(tip.commit).tree, objects.readTree, removed, limits);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    violations.push({
      path: error.where ?? 'memories',
      why: `${error.what}; git commit --no-verify does it all the same`,
    });
  }
  return { violations, warnings };
}

/** Lists how what is staged differs from the tip, as plain text; a private text whose key is not here stays as it is stored. */
export function stagedChanges({
  index,
  tip,
  objects,
}: Pick<StagedQuestion, 'index' | 'tip' | 'objects'>): FileChange[] {
  const gone = tip.listStored();
  const changes: FileChange[] = [];
  for (const { path, oid } of index.entries()) {
    const before = gone.get(path) ?? null;
    gone.delete(path);
    if (before !== oid) changes.push({ path, before, after: tip.plainOr(objects.readBlob(oid)) });
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
    try {
      checkPlace(path, twin);
      return [];
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      return [{ path, why: error.message }];
    }
  });
}

/** A topic that only people activate says so. */
function hasTriggers(text: string, path: string): boolean {
  const { triggers, activation } = splitFrontMatter(text, path).data;
  return triggers !== undefined || activation === 'manual';
}
