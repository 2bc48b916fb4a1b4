// Moves events from the changelog to its archive, word for word (spec 2, archival protocol): plans the texts that both files become.

import { oneLine } from '../base/text.ts';
import { dayOf } from '../base/time.ts';
import type { ChangelogEvent } from '../base/types/changelog-types.ts';
import { detailOf, parseChangelog } from '../store/records/changelog.ts';
import { newChangelogArchive } from '../store/records/changelog-types.ts';
import { joinPieces, type LogPiece } from '../store/records/log.ts';
import type { ChangeDraft } from '../store/records/new-change.ts';

interface ArchivalRules {
  /** With more events than this some leave. */
  readonly above: number;
  /** How many of the last stay in any case. */
  readonly keep: number;
  /** Ids of events that something under way still needs, the most needed first; so many of them stay as half of `above` has room for. */
  readonly held: readonly string[];
  readonly now: number;
  readonly timeZone: string;
}

interface ChangelogArchival {
  readonly events: readonly ChangelogEvent[];
  /** What stays in the changelog, before the event that tells of the archival. */
  readonly text: string;
  /** What is added to the archive. */
  readonly batch: string;
  readonly draft: ChangeDraft;
}

/** How many have to be able to go: the event that tells of it takes the place of one. */
const least = 2;
const reference = /\n?<!-- Archived: .* -->\n/g;

/**
 * Plans the archival of a changelog; null where it is short enough.
 *
 * All but the last `keep` leave, and what is held. What stands between events goes with the one before it. Half of `above` stays at most: what
 * is held would else have the log archived at each further event.
 */
export function planArchival(text: string, path: string, rules: ArchivalRules): ChangelogArchival | null {
  const pieces = parseChangelog(text, path);
  const entries = pieces.filter((piece) => piece.kind === 'entry');
  if (entries.length <= rules.above) return null;
  const older = new Set(entries.slice(0, entries.length - rules.keep).map(({ id }) => id));
  const room = Math.max(0, Math.floor(rules.above / 2) - rules.keep);
  for (const id of rules.held.filter((one) => older.has(one)).slice(0, room)) older.delete(id);
  if (older.size < least) return null;
  let isLeaving = false;
  const leaves = new Map(
    pieces.map((piece) => {
      if (piece.kind === 'entry') isLeaving = older.has(piece.id);
      return [piece, isLeaving];
    }),
  );
  const leaving = pieces.filter((piece) => leaves.get(piece));
  const events = leaving.flatMap((piece) => (piece.kind === 'entry' ? [piece.value] : []));
  const [first, last] = [events[0]!.id, events.at(-1)!.id];
  const milestone = milestoneOf(events) ?? milestoneOf(entries.map(({ value }) => value)) ?? 'none';
  const day = dayOf(rules.now, rules.timeZone);
  const marker =
    `\n---\n## Archive: ${first} through ${last} | Archived ${day}\n` +
    `<!-- Archived at milestone: ${milestone} -->\n---\n`;
  const start = pieces.indexOf(entries[0]!);
  const staying = pieces.slice(start).filter((piece) => !leaves.get(piece));
  const held = staying.flatMap((piece) =>
    piece.kind === 'entry' && piece.value.number < events.at(-1)!.number ? piece.id : [],
  );
  return {
    events,
    text: withReference(pieces.slice(0, start), last, held) + joinPieces(staying),
    batch: marker + joinPieces(leaving),
    draft: {
      agent: 'git-memory',
      type: 'archive',
      scope: 'changelog',
      summary: `Archived ${events.length} events, ${first} through ${last}`,
      details: [
        { key: 'events', value: `${first} through ${last}` },
        { key: 'count', value: String(events.length) },
        { key: 'milestone', value: milestone },
      ],
      refs: [],
      tags: [],
    },
  };
}

/** Gives the archive with one more batch. */
export function withBatch(archive: string | null, batch: string): string {
  const before = archive ?? newChangelogArchive();
  return `${before}${before.endsWith('\n') ? '' : '\n'}${batch}`;
}

/** The name of the last milestone, so that a comment can hold it. */
function milestoneOf(events: readonly ChangelogEvent[]): string | undefined {
  const event = events.findLast(({ type }) => type === 'milestone');
  if (event === undefined) return undefined;
  return oneLine((detailOf(event, 'name') ?? event.summary).replace(/--+|[<>]/g, ' '), 100);
}

/** What stands before the events, with one comment that says up to where they are archived. */
function withReference(head: readonly LogPiece[], last: string, held: readonly string[]): string {
  const [preamble, ...others] = head.map(({ text }) => text);
  const rest = others.join('').replace(reference, '');
  const but = held.length === 0 ? '' : `, but for ${held.join(', ')}`;
  return `${preamble ?? ''}\n<!-- Archived: all before and ${last}, in CHANGELOG-archive.md${but} -->\n${rest}`;
}
