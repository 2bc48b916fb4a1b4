// Events on their way into the changelog: they get the next ids, and become text at its end.

import { MemoryError } from '../base/errors.ts';
import { clockOf, dayOf } from '../base/time.ts';
import type { ChangelogEvent } from '../base/types/changelog-types.ts';
import type { StateFiles } from '../store/derive.ts';
import {
  asideChangelogPath,
  changelogArchivePath,
  changelogPath,
  formatChangelogEvent,
  hasChange,
  isEventLog,
  tailOf,
} from '../store/records/changelog.ts';
import { newChangelog } from '../store/records/changelog-types.ts';
import type { ChangeDraft } from '../store/records/new-change.ts';
import { formatSequenceId } from '../store/records/sequence-id.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { type AppendedFile, appendTo } from './append.ts';

/** A draft, and when it happened; without a time it happens now. */
interface TimedDraft {
  readonly draft: ChangeDraft;
  /** Milliseconds since the Unix epoch. */
  readonly time?: number;
}

export interface ChangePlan extends AppendedFile {
  readonly events: readonly ChangelogEvent[];
}

/** How far ahead of the clock the last event may be before it is taken for a mistake. */
const maxAheadMs = 86_400_000;

/**
 * Finds the file that holds the events of a project: CHANGELOG.md, or the one aside where that is a changelog of another kind.
 *
 * `beside` is what stands at CHANGELOG.md in the work tree and is not committed; null where nothing does.
 */
export function changelogOf(files: Pick<StateFiles, 'oidOf' | 'readText'>, beside: string | null = null): string {
  const text = files.readText(changelogPath) ?? beside;
  if (text === null) return files.oidOf(asideChangelogPath) === null ? changelogPath : asideChangelogPath;
  return isEventLog(text) ? changelogPath : asideChangelogPath;
}

/**
 * Gives drafts their ids and times, in order, and plans the file that holds them.
 *
 * To be called under the repository lock: an id is the next one as of this snapshot. Time never goes back: an event is as late as the last
 * one at least. Else a clock that was set back, or an hour that comes twice, would have it earlier. `given`: what is in the file, where
 * that is not what the snapshot has. Throws INVALID_ARGUMENT for a time before that of the last event, NOT_FOUND for refs that no event
 * has.
 */
export function planChanges(
  snapshot: Snapshot,
  path: string,
  drafts: readonly TimedDraft[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
  given?: string | null,
): ChangePlan {
  const before = snapshot.read(path);
  const text = given === undefined ? (before?.toString('utf8') ?? null) : given;
  const present = text ?? newChangelog();
  const archive = snapshot.readText(changelogArchivePath) ?? '';
  const tail = tailOf(present);
  let { number } = tail.last === null ? tailOf(archive) : tail;
  let last = tail.last;
  const events = drafts.map(({ draft, time }): ChangelogEvent => {
    for (const ref of draft.refs) {
      if (hasChange(present, ref) || hasChange(archive, ref)) continue;
      const hint = '`git memory project changes` lists them';
      throw new MemoryError('NOT_FOUND', `there is no event ${ref} in the changelog`, { where: ref, hint });
    }
    const clock = minuteOf(time ?? now, timeZone);
    const isEarlier = last !== null && clock < last.time;
    if (isEarlier && time !== undefined) {
      throw new MemoryError('INVALID_ARGUMENT', `the time is before that of ${last!.id}, ${last!.time}`, {
        where: 'time',
        hint: 'Events are only added at the end; leave the time out and name the day in the summary',
      });
    }
    const isMistake = last !== null && last.ms > Date.parse(`${clock.replace(' ', 'T')}Z`) + maxAheadMs;
    number += 1;
    const id = formatSequenceId({ series: 'evt', number });
    const written = isEarlier && !isMistake ? last!.time : clock;
    last = { id, time: written, ms: Date.parse(`${written.replace(' ', 'T')}Z`) };
    return { id, number, time: written, ...draft, line: 0 };
  });
  const isStored = text !== null && before !== null && (given === undefined || before.toString('utf8') === given);
  const head = isStored ? before : Buffer.from(present);
  const file = appendTo(snapshot, path, head, events.map(formatChangelogEvent));
  return { ...file, events: events.map((event, at) => ({ ...event, line: file.lines[at]! + 1 })) };
}

/** What a clock in a time zone shows, as the file has it: `2026-02-16 09:00`. */
export const minuteOf = (ms: number, timeZone: string): string =>
  `${dayOf(ms, timeZone)} ${clockOf(ms, timeZone).slice(0, 5)}`;
