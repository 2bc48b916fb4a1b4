// What doctor looks at in the logs and in knowledge files: lines that are damaged, references that lead nowhere, front matter that cannot be
// read. checked-history.ts has what history says of them. Nothing is mended: lines of logs never change, and what people wrote is theirs.

import { count } from '../../base/count.ts';
import { MemoryError, orElse } from '../../base/errors.ts';
import { parseTriggers, triggersPath } from '../../core/context/triggers.ts';
import { type FoldView, foldedPages } from '../../core/maintain/fold.ts';
import { changesOf, logOf } from '../../history/index.ts';
import { ChangelogCatalog, checkChangelog, checkIntegrity, growthSince, LedgerCatalog } from '../../logs/index.ts';
import { unfinishedAt } from '../../store/brought.ts';
import type { Repository } from '../../store/git/repository.ts';
import { MemoryCatalog } from '../../store/memory-catalog.ts';
import { splitFrontMatter } from '../../store/records/front-matter.ts';
import { kindOf } from '../../store/records/kind.ts';
import { checkpointIn, checkpointPath, openLoopsPath } from '../../store/records/ledger-files.ts';
import { memoryPath, parseMemory } from '../../store/records/memory-record.ts';
import { LinkedFiles } from '../../store/records/note-links.ts';
import { parseRelation } from '../../store/records/relation-record.ts';
import { unfinishedMerge } from '../../store/records/unfinished-merge.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { namedCommit } from './checked-history.ts';
import type { Examination } from './examination.ts';

/** Notes what is no record, since which commit, and ids that are another's or not of their place. A hand edit that left a record is none. */
export function examineMemories(examination: Examination, repository: Repository, snapshot: Snapshot): void {
  const catalog = new MemoryCatalog();
  const places = new Map<string, string>();
  const tell = (path: string, why: string, isWhole: (text: string) => boolean) => {
    const hint = orElse(() => hintOf(repository, snapshot, path, isWhole), undefined);
    examination.find('INVALID_RECORD', path, why, hint);
  };
  for (const { path, why } of catalog.problems(snapshot)) {
    const parse = kindOf(path) === 'memory' ? parseMemory : parseRelation;
    tell(path, why, (text) => orElse(() => parse(text, path) !== null, false));
  }
  for (const { path, record } of catalog.stored(snapshot)) {
    const name = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
    const isOf = (id: string) => (text: string) => orElse(() => parseMemory(text, path).id === id, false);
    // Other tools keep theirs under names of their own.
    if (name !== record.id && memoryPath(name) === path)
      tell(path, `it says that its id is ${record.id}, and this is the place of ${name}`, isOf(name));
    const other = places.get(record.id);
    if (other !== undefined)
      tell(path, `its id ${record.id} is that of ${other}, too`, (text) => !isOf(record.id)(text));
    places.set(record.id, path);
  }
}

const mostCommits = 50;

/** Names the commit since which a file is as it is; undefined for one that waits for its commit. */
function hintOf(
  repository: Repository,
  snapshot: Snapshot,
  path: string,
  isWhole: (text: string) => boolean,
): string | undefined {
  const tip = snapshot.withoutOverlay();
  if (tip.oidOf(path) !== snapshot.oidOf(path)) return undefined;
  let spoilt: string | undefined;
  let wasThere = false;
  for (const { oid } of logOf(repository, tip.commit, { path, limit: mostCommits }).commits) {
    spoilt = oid;
    const before = changesOf(repository, oid).find((change) => change.path === path)?.before;
    wasThere = before != null;
    if (!wasThere || isWhole(tip.readBlob(before!.oid, path).toString('utf8'))) break;
  }
  if (spoilt === undefined) return undefined;
  const by = namedCommit(repository, spoilt);
  return wasThere
    ? `It is so since ${by}; \`git memory undo ${spoilt.slice(0, 10)}\` brings back what it was`
    : `It came with ${by}; \`git memory undo ${spoilt.slice(0, 10)}\` takes it away`;
}

/** Notes what is wrong with the ledger, and whether its small files are behind it. */
export function examineLedger(
  examination: Examination,
  snapshot: Snapshot,
  earlier: (commit: string) => Snapshot | null,
): void {
  const catalog = new LedgerCatalog();
  const ledger = catalog.ledgerOf(snapshot);
  const checks = checkIntegrity(ledger, {
    checkpoint: snapshot.readText(checkpointPath),
    openLoops: snapshot.readText(openLoopsPath),
    ledgerAt(commit) {
      const then = earlier(commit);
      return then === null ? null : catalog.ledgerOf(then);
    },
  });
  for (const { path, line, why } of checks.flatMap(({ problems }) => problems))
    examination.find('LEDGER', `${path}${line === undefined ? '' : `:${line}`}`, why);
  const checkpoint = checkpointIn((path) => snapshot.readText(path));
  const seen = checkpoint?.commit ? earlier(checkpoint.commit) : null;
  const fresh = seen === null ? 0 : (growthSince(seen, snapshot)?.length ?? 0);
  if (fresh > 0) {
    const what = `${count(fresh, 'event')} came since ${checkpoint!.lastRunTs}, when the ledger was looked at last`;
    examination.find('CHECKPOINT_OLD', checkpointPath, what, '`git memory maintain night` brings it up to date');
  }
}

/** Notes unfinished merges (nothing of them is quoted), front matter that cannot be read (searched as text), and triggers that call for nothing. */
export function examineKnowledge(examination: Examination, snapshot: Snapshot): void {
  const isRead = (path: string, read: () => void): void => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
      examination.find('INVALID_RECORD', path, error.what, error.hint);
    }
  };
  isRead(triggersPath, () => {
    const source = snapshot.readText(triggersPath);
    const wanted = source === null ? [] : parseTriggers(source).flatMap(({ load }) => load);
    for (const path of new Set(wanted)) {
      if (snapshot.oidOf(path) !== null) continue;
      examination.find('TRIGGER_EMPTY', triggersPath, `${path} is not there`, 'Write it, or take it out of the list');
    }
  });
  const unfinished = new Set(unfinishedAt(snapshot));
  for (const path of unfinished) {
    const { what, hint } = unfinishedMerge(path);
    examination.find('UNFINISHED_MERGE', path, what, hint);
  }
  const files = new LinkedFiles(
    ['knowledge/', 'topics/', 'archive/'].flatMap((folder) => [...snapshot.list(folder).keys()]),
  );
  for (const [path] of snapshot.list('knowledge/')) {
    const text = path.endsWith('.md') ? snapshot.textIfWhole(path) : null;
    for (const { line, target } of text === null ? [] : files.dangling(text, path)) {
      examination.find(
        'LINK_DANGLING',
        path,
        `line ${line} links to ${target}, which is not there`,
        'Write it, or change the link',
      );
    }
  }
  for (const folder of ['knowledge/', 'topics/']) {
    for (const [path, oid] of snapshot.list(folder)) {
      const kind = kindOf(path);
      if ((kind !== 'knowledge' && kind !== 'topic') || unfinished.has(path)) continue;
      isRead(path, () => splitFrontMatter(snapshot.readBlob(oid, path).toString('utf8'), path));
    }
  }
}

/** Counts the lines of the engine that earlier versions wrote twice, or whose memory or turn is gone. */
export function examineOldLines(examination: Examination, view: Omit<FoldView, 'memories' | 'relations'>): void {
  const catalog = new MemoryCatalog();
  const memories = catalog.stored(view.snapshot);
  const pages = foldedPages({ ...view, memories, relations: catalog.relations(view.snapshot) });
  if (pages.length === 0) return;
  const lines = count(pages.flatMap(({ notes }) => notes).length, 'line');
  const hint = '`git memory maintain run fold --dry-run` shows what becomes of each';
  examination.find(
    'LINES_OLD',
    pages[0]!.path,
    `${lines} of ${count(pages.length, 'page')} ${lines.startsWith('1 ') ? 'is' : 'are'} of an earlier version`,
    hint,
  );
}

/** Tells every line of the changelog that is wrong. */
export function examineChangelog(examination: Examination, snapshot: Snapshot): void {
  for (const { problems } of checkChangelog(new ChangelogCatalog().changelogOf(snapshot))) {
    for (const { path, line, id, why } of problems) {
      const place = line === undefined ? path : `${path}:${line}`;
      examination.find('INVALID_RECORD', place, id === undefined ? why : `${id}: ${why}`);
    }
  }
}
