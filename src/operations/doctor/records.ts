// What doctor looks at in the logs and in knowledge files: lines that are damaged, events that are another than git has seen before, references
// that lead nowhere, front matter that cannot be read. Nothing is mended: lines of logs never change, and what people wrote is theirs.

import { count } from '../../base/count.ts';
import { parseTriggers, triggersPath } from '../../context/triggers.ts';
import { MemoryError } from '../../errors.ts';
import type { Repository } from '../../git/repository.ts';
import { parseMessage } from '../../guard/message.ts';
import { logOf } from '../../history/log.ts';
import { changelogOf } from '../../logs/append-change.ts';
import { ChangelogCatalog } from '../../logs/changelog.ts';
import { checkChangelog } from '../../logs/changelog-integrity.ts';
import { growthSince } from '../../logs/growth.ts';
import { checkIntegrity } from '../../logs/integrity.ts';
import { LedgerCatalog } from '../../logs/ledger.ts';
import { entriesOf } from '../../merge/log.ts';
import { keyedEntries } from '../../merge/log-ids.ts';
import { isEventLog, parseChangelog } from '../../records/changelog.ts';
import { splitFrontMatter } from '../../records/front-matter.ts';
import { kindOf } from '../../records/kind.ts';
import { checkpointIn, checkpointPath, openLoopsPath } from '../../records/ledger-files.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Examination } from './examination.ts';

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
  for (const { path, line, why } of checks.flatMap(({ problems }) => problems)) {
    examination.find('LEDGER', `${path}${line === undefined ? '' : `:${line}`}`, why);
  }
  const checkpoint = checkpointIn((path) => snapshot.readText(path));
  const seen = checkpoint?.commit ? earlier(checkpoint.commit) : null;
  const fresh = seen === null ? 0 : (growthSince(seen, snapshot)?.events.length ?? 0);
  if (fresh > 0) {
    const what = `${count(fresh, 'event')} came since ${checkpoint!.lastRunTs}, when the ledger was looked at last`;
    examination.find('CHECKPOINT_OLD', checkpointPath, what, '`git memory nightly` brings it up to date');
  }
}

/**
 * Notes the knowledge files and topics whose front matter cannot be read: they are searched as text, and nothing else is known of them. So is
 * what stands in recall/triggers.json and calls for nothing.
 */
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
  for (const folder of ['knowledge/', 'topics/']) {
    for (const [path, oid] of snapshot.list(folder)) {
      const kind = kindOf(path);
      if (kind !== 'knowledge' && kind !== 'topic') continue;
      isRead(path, () => splitFrontMatter(snapshot.readBlob(oid, path).toString('utf8'), path));
    }
  }
}

/** How many bytes of older versions are read; a changelog that is archived in time has few. */
const maxBytes = 64 * 1024 * 1024;
/** Operations that may take an event away or give it another number: what they do is checked when they do it. */
const exceptions: ReadonlySet<string> = new Set(['undo', 'merge', 'changelog-archive', 'adopt']);

/** Tells every line that is wrong, and every commit that changed an event. `at` gives the state at a commit. */
export function examineChangelog(
  examination: Examination,
  repository: Repository,
  snapshot: Snapshot,
  at: (commit: string) => Snapshot | null,
): void {
  const changelog = new ChangelogCatalog().changelogOf(snapshot);
  if (changelog.events.length + changelog.archived.length + changelog.damaged.length === 0) return;
  for (const { problems } of checkChangelog(changelog)) {
    for (const { path, line, id, why } of problems) {
      const place = line === undefined ? path : `${path}:${line}`;
      examination.find('INVALID_RECORD', place, id === undefined ? why : `${id}: ${why}`);
    }
  }
  const path = changelogOf(snapshot);
  let bytes = 0;
  const { commits } = logOf(repository, snapshot.commit, { path, limit: 100_000 });
  for (const { oid, parents, trailers } of commits) {
    const isException = parents.length > 1 || isExcepted(trailers, repository, oid);
    // Behind the boundary of a shallow clone nothing can be told.
    const older = parents.length === 0 ? '' : (at(parents[0]!)?.readText(path) ?? '');
    const newer = at(oid)?.readText(path) ?? '';
    bytes += older.length + newer.length;
    if (!isException) {
      for (const id of changedBetween(older, newer, path)) {
        examination.find('EVENT_CHANGED', path, `${id} was changed or taken away by ${oid.slice(0, 10)}`);
      }
    }
    if (bytes > maxBytes) break;
  }
}

function isExcepted(trailers: readonly { key: string; value: string }[], repository: Repository, oid: string): boolean {
  const name = trailers.find(({ key }) => key === 'Operation')?.value;
  if (name !== undefined && exceptions.has(name)) return true;
  // A native revert takes back as undo does.
  return /^This reverts commit [0-9a-f]{40}/m.test(parseMessage(repository.objects.readCommit(oid).message).body ?? '');
}

/** The ids of events that the newer text has not as the older one has them. */
function changedBetween(older: string, newer: string, path: string): string[] {
  if (older === '' || newer.startsWith(older) || !isEventLog(older, path)) return [];
  const present = keyedEntries(entriesOf(parseChangelog(newer, path)));
  return [...keyedEntries(entriesOf(parseChangelog(older, path)))].flatMap(([key, { id }]) =>
    present.get(key)?.id === id ? [] : [id],
  );
}
