// Doctor looks at the changelog of a project: whether it is whole, and whether an event is another one than git has seen before.

import type { Repository } from '../../git/repository.ts';
import { parseMessage } from '../../guard/message.ts';
import { logOf } from '../../history/log.ts';
import { changelogOf } from '../../logs/append-change.ts';
import { ChangelogCatalog } from '../../logs/changelog.ts';
import { checkChangelog } from '../../logs/changelog-integrity.ts';
import { entriesOf } from '../../merge/log.ts';
import { keyedEntries } from '../../merge/log-ids.ts';
import { isEventLog, parseChangelog } from '../../records/changelog.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { Examination } from './examination.ts';

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
