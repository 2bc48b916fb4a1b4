// Events on their way into the ledger: they get the next ids of their day, and become lines at the end of its segment.

import { keptIn } from '../base/once-per.ts';
import { dayOf, formatLocalTime } from '../base/time.ts';
import type { LedgerEvent } from '../base/types/ledger-types.ts';
import type { StateFiles } from '../store/derive.ts';
import type { FileChange } from '../store/operation.ts';
import { formatEvent } from '../store/records/ledger-event.ts';
import { highestNumber, ledgerArchivePath, segmentPath } from '../store/records/ledger-segment.ts';
import type { EventDraft } from '../store/records/new-event.ts';
import { formatSequenceId, seriesOfDay } from '../store/records/sequence-id.ts';

/** A file of a log with text at its end. */
export interface AppendedFile {
  readonly path: string;
  readonly change: FileChange;
  /** 1-based line on which each of the added texts begins. */
  readonly lines: readonly number[];
}

/** Plans a file that goes on with some texts. A line that broke off is ended first, and bytes that are no text stay what they are. */
export function appendTo(
  snapshot: StateFiles,
  path: string,
  present: Buffer | null,
  texts: readonly string[],
): AppendedFile {
  const head = present ?? Buffer.alloc(0);
  const gap = head.length === 0 || head.at(-1) === 0x0a ? '' : '\n';
  const after = Buffer.concat([head, Buffer.from(gap + texts.join(''))]);
  let line = 1 + gap.length;
  for (let at = head.indexOf(0x0a); at >= 0; at = head.indexOf(0x0a, at + 1)) line += 1;
  const lines = texts.map((text) => {
    const first = line;
    line += text.split('\n').length - 1;
    return first;
  });
  return { path, change: { path, before: snapshot.oidOf(path), after, isFormatted: true }, lines };
}

export interface AppendPlan {
  readonly events: readonly LedgerEvent[];
  readonly changes: readonly FileChange[];
}

/** An event that is to be appended; a function gets the events that were made before it, whose ids it may name. */
export interface WantedEvent {
  readonly draft: EventDraft | ((before: readonly LedgerEvent[]) => EventDraft);
  /** Milliseconds since the Unix epoch; decides the day. */
  readonly time: number;
}

/**
 * Gives drafts their ids and times, in order, and plans the segments that hold them.
 *
 * To be called under the repository lock: an id is the next one as of this snapshot. The archive is asked only where it can hold a later
 * id of the day: compaction leaves the present day alone. A line that broke off is ended first.
 */
export function planAppend(
  snapshot: StateFiles,
  drafts: readonly WantedEvent[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): AppendPlan {
  const days = new Map<string, { number: number; lines: string[] }>();
  const today = dayOf(now, timeZone);
  const events: LedgerEvent[] = [];
  for (const { draft, time } of drafts) {
    const day = dayOf(time, timeZone);
    const segment = keptIn(days, day, () => {
      const text = snapshot.readText(segmentPath(day)) ?? '';
      const archive = day === today && text !== '' ? null : snapshot.readText(ledgerArchivePath(day));
      const archived = archive === null ? 0 : highestNumberOf(archive, seriesOfDay(day));
      return { number: Math.max(highestNumber(text), archived), lines: [] };
    });
    segment.number += 1;
    const id = formatSequenceId({ series: seriesOfDay(day), number: segment.number });
    const words = typeof draft === 'function' ? draft(events) : draft;
    const event: LedgerEvent = { ts: formatLocalTime(time, timeZone), id, ...words };
    segment.lines.push(formatEvent(event));
    events.push(event);
  }
  const changes = [...days].map(([day, { lines }]) => {
    const path = segmentPath(day);
    const oid = snapshot.oidOf(path);
    return appendTo(snapshot, path, oid === null ? null : snapshot.readBlob(oid, path), lines).change;
  });
  return { events, changes };
}

function highestNumberOf(lines: string, series: string): number {
  return highestNumber(
    lines
      .split('\n')
      .filter((line) => line.includes(`"${series}-`))
      .join('\n'),
  );
}
