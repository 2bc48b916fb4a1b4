// The journal: the summary of each day, made of what its conversations brought. It moves to the archive when it is old (spec 5 §8.4, §8.5).

import { count } from '../../base/count.ts';
import { orElse } from '../../base/errors.ts';
import { ownPerson, tellingSo } from '../../base/generated/words.ts';
import { keptIn } from '../../base/once-per.ts';
import { splitSentences } from '../../base/sentences.ts';
import { normaliseForHash, oneLine, slugOf } from '../../base/text.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import { isStopWord, tokensOf } from '../../base/tokenizer.ts';
import type { MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import { anyOf } from '../../base/words.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { speakerOf } from '../../store/claims/speaker.ts';
import { shownText } from '../../store/forgotten.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import { topicHeading } from '../../store/records/conversation-name.ts';
import { formatFrontMatter, splitFrontMatter } from '../../store/records/front-matter.ts';
import { appendItem, setFrontKey } from '../../store/records/knowledge-edit.ts';
import { knowledgeItems } from '../../store/records/knowledge-items.ts';
import { memoryMark, turnsOfLine } from '../../store/records/knowledge-marks.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { joinedWords, summariseDays } from './memory-lines.ts';
import type { Adviser, Pass, PassItem } from './pass.ts';
import { leadOf, quotedSpeaker } from './quoted.ts';
import { changedFile } from './record-changes.ts';

/** Words of less confidence are remembered, and not written down; what comes from outside has less. */
const leastConfidence = 0.7;
/** A conversation's main event is written down all the same, where a person said it and it is no speculation (spec 4). */
const leastOfEvent = 0.4;
/** Sentences of a conversation that brought no memory, and their length in characters. */
const maxSentences = 2;
const shortest = 30;
const longest = 300;
/** What is said so is worth a line by itself. */
const telling = anyOf(tellingSo);
const inOwnPerson = anyOf(ownPerson);

/** A conversation of a day that its journal does not name yet. */
export interface UnsummarisedSession {
  readonly path: string;
  readonly transcript: Transcript;
}

/** One line of a summary. */
export interface SummaryLine {
  /** The heading it stands below. */
  readonly topic: string;
  readonly words: string;
  /** Path and 1-based turn it rests on. */
  readonly path: string;
  readonly turn?: number;
}

/** So many lines a summary adds for one conversation. */
const linesOfConversation = 5;

/** A line, who says its words, and the memories that it was written from. */
interface OwnedLine extends SummaryLine {
  readonly speaker?: string | undefined;
  readonly memories: readonly string[];
}

/** Writes the summary of a day; null where it cannot, and the rules do. */
export type DayWriter = (
  day: string,
  sessions: readonly UnsummarisedSession[],
  journal: string | null,
  most: number,
) => Promise<readonly SummaryLine[] | null>;

/**
 * Plans the journals of the days that have conversations which the journal does not name. What is worth remembering is added below its
 * topic, each line with its turn, and `sessions` names the conversations. Lines that are there stay, whoever wrote them; a turn that has one
 * gets no other.
 */
export const daySummary: Pass<Adviser<DayWriter> | null> = {
  name: 'condense',
  async plan({ snapshot, memories, configuration, now }, ports, adviser) {
    const { timezone, owner } = configuration;
    const days = unsummarised(snapshot, timezone, now, summariseDays);
    const items: PassItem[] = [];
    for (const [day, sessions] of days) {
      ports.signal?.throwIfAborted();
      const path = `knowledge/journal/${day}.md`;
      const before = snapshot.readText(path);
      const written = (await adviser?.ask(day, sessions, before, linesOfConversation * sessions.length)) ?? null;
      const lines =
        written?.map((line): OwnedLine => ({ ...line, memories: saidIn(memories, line) })) ??
        sessions.flatMap((session) => linesOf(session, memories, linesOfConversation, owner));
      let text = before ?? formatFrontMatter({ type: 'journal', date: day }, `\n## ${day}\n`);
      const known = new Set(knowledgeItems(text).map(({ key }) => key));
      const told = toldTurns(snapshot, day);
      let added = 0;
      for (const { topic, words, path: from, turn, memories: ids, speaker } of lines) {
        const key = normaliseForHash(words);
        const place = `${from}#${turn}`;
        if (key === '' || known.has(key) || told.has(place)) continue;
        known.add(key);
        told.add(place);
        const source = ` [source: ${from}${turn === undefined ? '' : `#${turn}`}]`;
        const lead = speaker === undefined ? '' : leadOf(day, speaker);
        const line = `- ${lead}${words}${source}${ids.map(memoryMark).join('')}`;
        text = appendItem(text, [`## ${day}`, `### ${topic}`], line);
        added += 1;
      }
      // A day of small talk has no journal of its own.
      if (added === 0 && before === null) continue;
      const named = sessionsOf(before ?? '', path);
      text = setFrontKey(text, 'sessions', [...named, ...sessions.map(({ transcript }) => transcript.sessionId)]);
      if (text === before) continue;
      const why = `${count(sessions.length, 'conversation')} of ${day}, ${count(added, 'line')}`;
      const item = { action: 'summarise', ids: [], why, changes: [changedFile(snapshot, path, text)] };
      items.push(written === null ? item : { ...item, by: adviser!.model });
    }
    return { items, left: [] };
  },
  describe: (items) => ({
    subject: items.length === 1 ? `journal: ${items[0]!.why}` : `journals of ${items.length} days`,
    ...(items.length === 1 ? {} : { body: items.map(({ why }) => why).join('\n') }),
  }),
};

/** Plans to move journals of days before `journal.retention_days` to the archive, where they are found on request. */
export const journalRetention: Pass<void> = {
  name: 'journals',
  plan({ snapshot, configuration, now }) {
    const first = dayOf(now - configuration.journal.retentionDays * dayMs, configuration.timezone);
    const left: { id: string; why: string }[] = [];
    const items = [...snapshot.list('knowledge/journal/')].flatMap(([path, oid]): PassItem[] => {
      const day = /\/(\d{4}-\d\d-\d\d)\.md$/.exec(path)?.[1];
      if (day === undefined || day >= first) return [];
      const to = `archive/${path}`;
      if (snapshot.oidOf(to) !== null) {
        left.push({ id: path, why: `${to} is there already` });
        return [];
      }
      const why = `it is of ${day}, older than ${configuration.journal.retentionDays} days`;
      const changes = [
        { path, before: oid, after: null },
        { path: to, before: null, after: snapshot.readBlob(oid, path) },
      ];
      return [{ action: 'archive', ids: [], why, changes }];
    });
    return { items, left };
  },
  describe: (items) => ({ subject: `${count(items.length, 'journal')} archived` }),
};

/** Lists the turns that have lines in the journals of a day and of those beside it: a conversation may go on past midnight. */
function toldTurns(snapshot: Snapshot, day: string): Set<string> {
  const days = [-1, 0, 1].map((by) => dayOf(Date.parse(`${day}T12:00:00Z`) + by * dayMs, 'UTC'));
  const pages = days.map((one) => snapshot.readText(`knowledge/journal/${one}.md`) ?? '');
  return new Set(pages.flatMap((page) => page.split('\n').flatMap(turnsOfLine)));
}

/** Finds the closed conversations of the last days that no journal names, by day, the oldest first. */
function unsummarised(
  snapshot: Snapshot,
  timeZone: string,
  now: number,
  days: number,
): Map<string, UnsummarisedSession[]> {
  const first = now - days * dayMs;
  const found = new Map<string, UnsummarisedSession[]>();
  const named = new Map<string, Set<string>>();
  // Folders are named by the day in UTC or in some zone, never more than a day off.
  const folders = Array.from({ length: Math.ceil(days) + 3 }, (_, at) => new Date(first + (at - 1) * dayMs))
    .map((date) => date.toISOString().slice(0, 10).replaceAll('-', '/'))
    .map((folder) => `raw/conversations/${folder}/`);
  const paths = folders.flatMap((folder) => [...snapshot.list(folder).keys()].sort());
  for (const path of paths) {
    const transcript = readTranscript(snapshot, path);
    if (transcript?.ended === undefined || transcript.started < first) continue;
    const day = dayOf(transcript.started, timeZone);
    const journal = `knowledge/journal/${day}.md`;
    const known = keptIn(named, day, () => new Set(sessionsOf(snapshot.readText(journal) ?? '', journal)));
    if (!known.has(transcript.sessionId)) found.set(day, [...(found.get(day) ?? []), { path, transcript }]);
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readTranscript(snapshot: Snapshot, path: string): Transcript | null {
  // Damaged ones are what doctor tells of.
  return orElse(() => parseTranscript(shownText(snapshot, path, snapshot.readText(path) ?? ''), path), null);
}

function sessionsOf(text: string, path: string): string[] {
  const { sessions } = orElse(() => splitFrontMatter(text, path).data, {} as Readonly<Record<string, unknown>>);
  return Array.isArray(sessions) ? sessions.filter((one) => typeof one === 'string') : [];
}

/** What a conversation leaves without a model: the memories it brought, the most important first, else its most telling sentences. */
function linesOf(
  { path, transcript }: UnsummarisedSession,
  memories: readonly Stored<MemoryRecord>[],
  most: number,
  owner: string | null | undefined,
): OwnedLine[] {
  // Whose words may be anybody's become no knowledge.
  if (transcript.trust === 'low') return [];
  const topic = topicOf(transcript);
  const heard = memories
    .map(({ record }) => record)
    .filter(({ status, sources }) => status === 'active' && sources?.some((source) => source.path === path))
    .sort((a, b) => (b.importance ?? 0.5) - (a.importance ?? 0.5) || (a.id < b.id ? -1 : 1));
  const isSure = ({ confidence = 1 }: MemoryRecord) => confidence >= leastConfidence;
  const isEvent = ({ confidence = 1, sources = [] }: MemoryRecord) => {
    const turn = transcript.turns[(sources.find((source) => source.path === path)?.turn ?? 0) - 1];
    return confidence >= leastOfEvent && turn?.role === 'user' && turn.flag === undefined;
  };
  const event = heard.find((one) => one.category === 'moment' && isEvent(one)) ?? heard.find(isEvent);
  const brought = [...(event === undefined ? [] : [event]), ...heard.filter((one) => one !== event && isSure(one))];
  const byTurn = new Map<string, { readonly turn: number | undefined; readonly records: MemoryRecord[] }>();
  for (const record of brought) {
    const { turn } = record.sources!.find((source) => source.path === path)!;
    const key = turn === undefined ? record.id : `${turn}`;
    byTurn.set(key, { turn, records: [...(byTurn.get(key)?.records ?? []), record] });
  }
  const lines = [...byTurn.values()].map(({ turn, records }): OwnedLine => {
    const said = turn === undefined ? '' : (transcript.turns[turn - 1]?.text ?? '');
    records.sort((a, b) => said.indexOf(a.content) - said.indexOf(b.content));
    return {
      topic,
      speaker: speakerOfAll(records, turn === undefined ? undefined : transcript.turns[turn - 1], owner),
      words: joinedWords(records.map((record) => safeLine(wordsOfClaim(record)))),
      path,
      memories: records.map(({ id }) => id),
      ...(turn === undefined ? {} : { turn }),
    };
  });
  const others = brought.some(isSure) ? [] : tellingSentences(transcript).filter(({ turn }) => !byTurn.has(`${turn}`));
  const telling = others.map(({ words, turn }): OwnedLine => {
    const speaker = speakerOf(transcript.turns[turn - 1]!, owner ?? undefined);
    return { topic, words, path, turn, memories: [], speaker };
  });
  return [...lines, ...telling].slice(0, most);
}

/** Names who says what several memories of a turn say, where all of it is quoted. */
function speakerOfAll(
  records: readonly MemoryRecord[],
  turn: Transcript['turns'][number] | undefined,
  owner: string | null | undefined,
): string | undefined {
  const speakers = records.map((record) => quotedSpeaker(record, turn, owner ?? undefined));
  return speakers.includes(undefined) ? undefined : speakers[0];
}

/** Lists the memories that were taken from the turn on which a line rests: a model's words are of all of them. */
function saidIn(memories: readonly Stored<MemoryRecord>[], { path, turn }: SummaryLine): string[] {
  return memories.flatMap(({ record: { id, sources = [] } }) => {
    return sources.some((source) => source.path === path && source.turn === turn) ? [id] : [];
  });
}

/** Chooses the sentences of people that tell of a decision or the like, or whose words come up most; questions and small talk have none. */
function tellingSentences({ turns }: Pick<Transcript, 'turns'>): { words: string; turn: number }[] {
  const counts = new Map<string, number>();
  const candidates: { words: string; turn: number; tokens: readonly string[] }[] = [];
  for (const [at, { role, speaker, flag, text }] of turns.entries()) {
    if (flag !== undefined) continue;
    for (const sentence of text.split('\n').flatMap((line) => (/^\s*>/.test(line) ? [] : splitSentences(line)))) {
      const tokens = [...new Set(tokensOf(sentence).filter((token) => !isStopWord(token)))];
      for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
      const isPerson = role === 'user' || speaker !== undefined;
      const isFitting = sentence.length >= shortest && sentence.length <= longest && !sentence.trim().endsWith('?');
      if (isPerson && isFitting && tokens.length >= 4)
        candidates.push({ words: safeLine(sentence), turn: at + 1, tokens });
    }
  }
  const scoreOf = (words: string, tokens: readonly string[]) => {
    const shared = tokens.filter((token) => counts.get(token)! > 1).length;
    return shared / Math.sqrt(tokens.length) + (telling.test(words) ? 1 : 0);
  };
  return candidates
    .map((one, at) => ({ ...one, at, score: scoreOf(one.words, one.tokens) }))
    .filter(({ score }) => score >= 1)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, maxSentences)
    .sort((a, b) => a.at - b.at)
    .map(({ words, turn }) => ({ words, turn }));
}

/** One line in which nobody's words name a source. */
export const safeLine = (words: string): string =>
  oneLine(words, 400).replace(/\[(?=(?:source|verified|due|memory):)/gi, '(');

/** The heading that lines of a conversation stand under; one line without marks. */
export function topicOf(transcript: Pick<Transcript, 'topic' | 'title'>): string {
  const words = topicHeading(transcript);
  // A conversation without a topic has its first words for one; behind a heading nobody knows whose "I" it is.
  return slugOf(words) === 'untitled' || inOwnPerson.test(words) ? 'General' : words;
}
