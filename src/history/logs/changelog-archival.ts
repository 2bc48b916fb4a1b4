// Moves events from the changelog to its archive, word for word (spec 2, archival protocol): plans the texts that both files become.

import { oneLine } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import type { ChangelogEvent } from '../../base/types/changelog-types.ts';
import { detailOf, parseChangelog } from '../../store/records/changelog.ts';
import { newChangelogArchive } from '../../store/records/changelog-types.ts';
import { joinPieces, type LogPiece } from '../../store/records/log.ts';
import type { ChangeDraft } from '../../store/records/new-change.ts';

interface ArchivalRules {
  /** With more events than this some leave. */
  readonly above: number;
  /** How many of the last stay in any case. */
  readonly keep: number;
  /** Ids of events that must stay, with all that came after them: the last events of active nodes. */
  readonly held: ReadonlySet<string>;
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
 * Plans the archival of a changelog; null where it is short enough. A text says why nothing can go although it is long.
 *
 * The boundary is the oldest event that is among the last `keep` or held; what stands between events goes with the one before it.
 */
export function planArchival(text: string, path: string, rules: ArchivalRules): ChangelogArchival | string | null {
  const pieces = parseChangelog(text, path);
  const entries = pieces.filter((piece) => piece.kind === 'entry');
  if (entries.length <= rules.above) return null;
  const firstHeld = entries.findIndex(({ id }) => rules.held.has(id));
  const boundary = Math.min(entries.length - rules.keep, firstHeld < 0 ? entries.length : firstHeld);
  if (boundary < least) {
    const holding = entries[Math.max(0, boundary)]!;
    return `an active node still refers to ${holding.id}, and what came after it stays`;
  }
  const start = pieces.indexOf(entries[0]!);
  const end = pieces.indexOf(entries[boundary]!);
  const leaving = pieces.slice(start, end);
  const events = entries.slice(0, boundary).map(({ value }) => value);
  const [first, last] = [events[0]!.id, events.at(-1)!.id];
  const milestone = milestoneOf(events) ?? milestoneOf(entries.map(({ value }) => value)) ?? 'none';
  const day = dayOf(rules.now, rules.timeZone);
  const marker =
    `\n---\n## Archive: ${first} through ${last} | Archived ${day}\n` +
    `<!-- Archived at milestone: ${milestone} -->\n---\n`;
  return {
    events,
    text: withReference(pieces.slice(0, start), last) + joinPieces(pieces.slice(end)),
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
function withReference(head: readonly LogPiece[], last: string): string {
  const [preamble, ...others] = head.map(({ text }) => text);
  const rest = others.join('').replace(reference, '');
  return `${preamble ?? ''}\n<!-- Archived: all before and ${last}, in CHANGELOG-archive.md -->\n${rest}`;
}
