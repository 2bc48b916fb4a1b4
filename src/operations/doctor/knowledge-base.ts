// What doctor looks at in the ledger and in knowledge files: lines that are damaged, references that lead nowhere, front matter that cannot be
// read. Nothing is mended: lines of the ledger never change, and what people wrote is theirs.

import { count } from '../../base/count.ts';
import { parseTriggers, triggersPath } from '../../context/triggers.ts';
import { MemoryError } from '../../errors.ts';
import { growthSince } from '../../logs/growth.ts';
import { checkIntegrity } from '../../logs/integrity.ts';
import { LedgerCatalog } from '../../logs/ledger.ts';
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
