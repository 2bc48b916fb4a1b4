// The turns of the last days, with how much each is worth knowing. They are read when they are asked for, and nothing of it is kept.

import { defined } from '../../base/errors.ts';
import { once, oncePerValue } from '../../base/once-per.ts';
import { normaliseForHash } from '../../base/text.ts';
import { dayOf, isDay } from '../../base/time.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { asks, leansBack, read, sentencesOf } from '../../language/index.ts';
import { holdsAt, isOver, quoteOfClaim } from '../../store/claims/claim.ts';
import { speakerOf } from '../../store/claims/speaker.ts';
import { forgottenIn } from '../../store/forgotten.ts';
import { type Stored, vitalsOf } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { noTurn } from '../../store/records/vitals.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { RecentTurn } from '../context/compile/recent.ts';
import { mayStand } from '../context/compile/standing-claims.ts';
import type { Origins } from '../context/compile/told.ts';
import { isSmallTalk } from '../extract/small-talk.ts';
import { isUnheard, mayRule, trustOfRecord, trustOfTurn } from '../extract/trust.ts';
import type { TranscriptAt } from './later.ts';

/**
 * So many days back from the last conversation quotes are looked for, and further where that is fewer turns than `leastTurns`. Of the turns
 * `mostTurns` are enough.
 */
const lastDays = 14;
const leastTurns = 100;
const mostTurns = 300;
/** A turn of no more characters that answers a question is shown with that. */
const shortAnswer = 80;
/** Of a longer turn before it the last sentence is shown. */
const mostBefore = 240;
/** An agent that answers with so many words of what was said repeats it. */
const shareOfEcho = 0.6;

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
 * among it. Nor are sentences of claims that an act ended, and those by which an agent repeats one.
 */
export function recentTurns(sources: RecentSources, today: string): RecentTurn[] {
  const found: RecentTurn[] = [];
  const paths = recentPaths(sources, today);
  const overIn = oncePerValue((path: string) => overOf(path, sources));
  const over = { in: overIn, anywhere: once(() => paths.flatMap((path) => overIn(path).flat())) };
  for (const path of paths) {
    found.push(...turnsIn(path, sources, today, over));
    if (found.length >= mostTurns) break;
  }
  return found;
}

/** So many of what was remembered by itself may come, the newest. */
const mostRemembered = 100;
/** How much is worth what says nothing of its importance. */
const usualWorth = 0.5;

/** Lists what somebody remembered by itself, not from a turn. What always holds and what was promised stand elsewhere. */
export function rememberedAlone(
  { snapshot, configuration, now }: Pick<RecentSources, 'snapshot' | 'configuration' | 'now'>,
  memories: readonly Stored<MemoryRecord>[],
  today: string,
): RecentTurn[] {
  return memories
    .filter((stored) => {
      const vitals = vitalsOf(stored);
      return vitals.turn === noTurn && vitals.category !== 'commitment' && !mayStand(vitals);
    })
    .sort((one, other) => vitalsOf(other).createdAt - vitalsOf(one).createdAt)
    .slice(0, mostRemembered)
    .flatMap(({ path, record }): RecentTurn[] => {
      const day = dayOf(record.createdAt * 1000, configuration.timezone);
      const mayCome = day <= today && record.status !== 'archived' && !snapshot.privacy.isPrivate(path);
      if (!mayCome || !holdsAt(record, Math.floor(now / 1000)) || trustOfRecord(record) === 'outside') return [];
      const text = quoteOfClaim(record);
      const worth = record.importance ?? usualWorth;
      const said = { text, sentences: [{ text, worth }], worth, standing: 0, isPersons: true };
      return [{ path, turn: 0, line: 1, time: record.createdAt * 1000, day, speaker: '', ids: [record.id], ...said }];
    });
}

const folder = 'raw/conversations/';

/** Lists the conversations of the last days on which there were some, the newest first, and more where these are few. Their folders are days in UTC. */
function recentPaths({ snapshot, transcriptAt }: RecentSources, today: string): string[] {
  const dayOfPath = (path: string): string => path.slice(folder.length, folder.length + 10).replaceAll('/', '-');
  const paths = [...snapshot.list(folder).keys()]
    .filter(
      (path) => path.endsWith('.md') && dayOfPath(path) <= daysFrom(today, 1) && !snapshot.privacy.isPrivate(path),
    )
    .sort()
    .reverse();
  const newest = paths.map(dayOfPath).find((day) => isDay(day));
  const first = daysFrom(newest ?? today, -lastDays);
  let turns = 0;
  const isNear = (path: string): boolean => {
    const isWanted = dayOfPath(path) > first || turns < leastTurns;
    if (isWanted && turns < leastTurns) turns += transcriptAt(path)[0]?.turns.length ?? 0;
    return isWanted;
  };
  return paths.filter(isNear);
}

const daysFrom = (day: string, days: number): string =>
  dayOf(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000, 'UTC');

type Records = Pick<RecentSources, 'origins' | 'recordOf'>;

const recordsOf = (path: string, number: number, { origins, recordOf }: Records): MemoryRecord[] =>
  origins.claimsOf(`${path}#${number}`).flatMap((id) => recordOf(id) ?? []);

/** Lists what ended of what was taken from each turn, in plain words. */
function overOf(path: string, { now, transcriptAt, ...sources }: RecentSources): readonly (readonly string[])[] {
  const turns = transcriptAt(path)[0]?.turns ?? [];
  return turns.map((_, at) =>
    recordsOf(path, at + 1, sources)
      .filter((record) => isOver(record, Math.floor(now / 1000)))
      .map(({ content }) => normaliseForHash(content)),
  );
}

/** Tells whether a sentence has most words of another one. */
function repeats(said: string, ended: string): boolean {
  const words = new Set(tokensOf(said));
  const wanted = tokensOf(ended);
  return wanted.length >= 3 && wanted.filter((word) => words.has(word)).length >= wanted.length * shareOfEcho;
}

function turnsIn(
  path: string,
  sources: RecentSources,
  today: string,
  over: { in(path: string): readonly (readonly string[])[]; anywhere(): readonly string[] },
): RecentTurn[] {
  const { snapshot, configuration, transcriptAt } = sources;
  const seconds = Math.floor(sources.now / 1000);
  const [transcript] = transcriptAt(path);
  if (transcript === undefined) return [];
  const { timezone } = configuration;
  const owner = configuration.owner ?? undefined;
  const forgotten = forgottenIn(snapshot).turns.get(path);
  const { turns } = transcript;
  const overHere = over.in(path);
  const holdsIn = (number: number): ((sentence: string) => boolean) => {
    const own = overHere[number - 1]!;
    const isAgents = turns[number - 1]!.role !== 'user';
    const answered = turns.findLastIndex(({ role }, at) => at < number && role === 'user');
    const said = isAgents && answered >= 0 ? overHere.slice(answered, number - 1).flat() : [];
    // A claim may be worded in less than the sentence that it was taken from.
    return (sentence) => {
      const words = normaliseForHash(sentence);
      const isOwn = own.some((ended) => ended.includes(words) || words.includes(ended));
      const isEcho = isAgents && over.anywhere().some((ended) => words.includes(ended));
      return !isOwn && !isEcho && !said.some((ended) => repeats(words, ended));
    };
  };
  return turns.flatMap((turn, at): RecentTurn[] => {
    const day = dayOf(turn.time, timezone);
    if (day > today || forgotten?.has(at + 1) || isUnheard(turn)) return [];
    const trust = trustOfTurn(transcript, turn, configuration.trust);
    if (trust === 'outside') return [];
    const records = recordsOf(path, at + 1, sources);
    const before = at > 0 && !forgotten?.has(at) ? turns[at - 1] : undefined;
    const reading = read(turn.text, defined({ role: turn.role, speaker: turn.speaker, before }));
    if (isSmallTalk(turn.text, reading)) return [];
    const sentences = reading.sentences.filter(({ text }) => holdsIn(at + 1)(text));
    if (sentences.length === 0) return [];
    const isWhole = sentences.length === reading.sentences.length;
    const isShown = before !== undefined && !isUnheard(before) && trustOfTurn(transcript, before) !== 'outside';
    const said = isShown ? sentencesOf(before.text).filter(holdsIn(at)) : [];
    const shown = shownBefore(said, turn.text, sentences[0]!.text);
    return [
      {
        path,
        turn: at + 1,
        line: turn.line,
        time: turn.time,
        day,
        speaker: speakerOf(turn, owner),
        isPersons: trust === 'person',
        text: isWhole ? turn.text : sentences.map(({ text: words }) => words).join(' '),
        sentences,
        worth: isWhole ? reading.worth : Math.max(...sentences.map(({ worth }) => worth)),
        standing: mayRule(turn) ? reading.standing : 0,
        // What ended is left out, and what somebody put in words of his own is said beside the quote.
        ids: records.filter((one) => one.statement === undefined && !isOver(one, seconds)).map(({ id }) => id),
        ...(shown === undefined ? {} : { before: { turn: at, speaker: speakerOf(before!, owner), text: shown } }),
      },
    ];
  });
}

/** Gives what of the turn before comes along. That is the question to a short answer; what points back has all of a short turn, or its end. */
function shownBefore(said: readonly string[], text: string, opening: string): string | undefined {
  const last = said.at(-1);
  if (last === undefined || (text.length <= shortAnswer && asks(last))) return last;
  const all = said.join(' ');
  return leansBack(opening) ? (all.length <= mostBefore ? all : last) : undefined;
}
