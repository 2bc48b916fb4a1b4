// The turns of the last days, with how much each is worth knowing. They are read when they are asked for, and nothing of it is kept.

import { defined } from '../../base/defined.ts';
import { normaliseForHash } from '../../base/text.ts';
import { dayOf, isDay } from '../../base/time.ts';
import type { MemoryRecord, Transcript, Turn } from '../../base/types/stored-types.ts';
import { read, sentencesOf } from '../../language/index.ts';
import { isOver } from '../../store/claims/claim.ts';
import { speakerOf } from '../../store/claims/speaker.ts';
import { forgottenIn } from '../../store/forgotten.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { RecentTurn } from '../context/compile/recent.ts';
import type { Origins } from '../context/compile/told.ts';
import { isUnheard, trustOfTurn } from '../extract/trust.ts';
import type { TranscriptAt } from './later.ts';

/** So many days back from the last conversation quotes are looked for, and among so many turns at most, the newest. */
const lastDays = 14;
const mostTurns = 300;
/** A turn of no more characters that answers a question is shown with that. */
const shortAnswer = 80;
const asks = /[?？؟]["'”’)\s]*$/;

/** Where turns are read, and what became of what they said. */
export interface RecentSources {
  readonly snapshot: Snapshot;
  readonly configuration: Configuration;
  readonly origins: Origins;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  recordOf(id: string): MemoryRecord | undefined;
  readonly transcriptAt: TranscriptAt;
}

/**
 * Lists what people and agents said up to a day, the newest conversation first. What was forgotten, is private, or comes from outside is not
 * among it; nor are sentences of claims that an act ended.
 */
export function recentTurns(sources: RecentSources, today: string): RecentTurn[] {
  const { snapshot } = sources;
  const found: RecentTurn[] = [];
  for (const path of recentPaths(snapshot, today)) {
    found.push(...turnsIn(path, sources, today));
    if (found.length >= mostTurns) break;
  }
  return found;
}

const folder = 'raw/conversations/';

/** Lists the conversations of the last days on which there were some, the newest first. Their folders are days in UTC. */
function recentPaths(snapshot: Snapshot, today: string): string[] {
  const dayOfPath = (path: string): string => path.slice(folder.length, folder.length + 10).replaceAll('/', '-');
  const paths = [...snapshot.list(folder).keys()]
    .filter(
      (path) => path.endsWith('.md') && dayOfPath(path) <= daysFrom(today, 1) && !snapshot.privacy.isPrivate(path),
    )
    .sort()
    .reverse();
  const newest = paths.map(dayOfPath).find((day) => isDay(day));
  return newest === undefined ? [] : paths.filter((path) => dayOfPath(path) > daysFrom(newest, -lastDays));
}

const daysFrom = (day: string, days: number): string =>
  dayOf(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000, 'UTC');

function turnsIn(
  path: string,
  { snapshot, configuration, origins, recordOf, now, transcriptAt }: RecentSources,
  today: string,
): RecentTurn[] {
  const [transcript] = transcriptAt(path);
  if (transcript === undefined) return [];
  const { timezone } = configuration;
  const owner = configuration.owner ?? undefined;
  const forgotten = forgottenIn(snapshot).turns.get(path);
  const { turns } = transcript;
  return turns.flatMap((turn, at): RecentTurn[] => {
    const day = dayOf(turn.time, timezone);
    if (day > today || forgotten?.has(at + 1) || isUnheard(turn)) return [];
    const trust = trustOfTurn(transcript, turn, configuration.trust);
    if (trust === 'outside') return [];
    const ids = origins.claimsOf(`${path}#${at + 1}`);
    const records = ids.flatMap((id) => recordOf(id) ?? []);
    const over = records
      .filter((record) => isOver(record, Math.floor(now / 1000)))
      .map(({ content }) => normaliseForHash(content));
    const before = at > 0 && !forgotten?.has(at) ? turns[at - 1] : undefined;
    const reading = read(turn.text, defined({ role: turn.role, speaker: turn.speaker, before }));
    const sentences = reading.sentences.filter(
      ({ text: words }) => !over.some((ended) => ended.includes(normaliseForHash(words))),
    );
    if (sentences.length === 0) return [];
    const asked = before === undefined || turn.text.length > shortAnswer ? undefined : questionIn(transcript, before);
    return [
      {
        path,
        turn: at + 1,
        line: turn.line,
        time: turn.time,
        day,
        speaker: speakerOf(turn, owner),
        isPersons: trust === 'person',
        text:
          sentences.length === reading.sentences.length
            ? turn.text
            : sentences.map(({ text: words }) => words).join(' '),
        sentences,
        worth: reading.worth,
        standing: reading.standing,
        // What somebody put in words of his own is said beside the quote.
        ids: records.filter(({ statement }) => statement === undefined).map(({ id }) => id),
        ...(asked === undefined ? {} : { asked: { turn: at, speaker: speakerOf(before!, owner), text: asked } }),
      },
    ];
  });
}

/** The last sentence of a turn, where it asks and may be shown. */
function questionIn(transcript: Transcript, turn: Turn): string | undefined {
  if (isUnheard(turn) || trustOfTurn(transcript, turn) === 'outside') return undefined;
  const last = sentencesOf(turn.text).at(-1);
  return last !== undefined && asks.test(last) ? last : undefined;
}
