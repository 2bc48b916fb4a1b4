// What the first hits of a question say, read when it is asked. A later sentence may end an earlier one, by the same rule as in extraction
// (claims/closing.ts). What was read joins the claims of the view for this question, and is written nowhere.
//
//     first hits ─► sentences ─► pairs with a word in common ─► read, with the turns before them ─► closing(earlier, later), or nothing
//
// Reading costs more than finding, so few hits are read, only the beginning of each, and few pairs of clauses compared. Two claims are, too: extraction knew no question, and compares
// a claim with few others. One that ended stays ended.

import { once, oncePer } from '../base/once-per.ts';
import { splitSentences } from '../base/sentences.ts';
import { normaliseForHash } from '../base/text.ts';
import { tokensOf } from '../base/tokenizer.ts';
import { wordsOfClaim } from '../claims/claim.ts';
import { evidenceOf } from '../claims/closing/evidence.ts';
import { answersAnew, type Closing, closing, leads, repliesAnew, tellsChange } from '../claims/closing.ts';
import { isEcho } from '../claims/echo.ts';
import { type Reading, readSaid } from '../claims/reading.ts';
import { type Listener, type Said, saidIn } from '../claims/said.ts';
import { newMemory } from '../records/memory-record.ts';
import type { MemoryRecord, Turn } from '../records/types.ts';
import { type AskedWords, askedWords, heldOf, isOfAnotherItem, type Worded } from './asked-words.ts';
import type { SearchDocument } from './search-document.ts';
import type { Claim, Claims } from './view-claims.ts';

/** What is read, and how it is understood. */
export interface ReadingMatter {
  /** Best first. */
  readonly documents: readonly SearchDocument[];
  /** The terms of the question. */
  readonly terms: readonly string[];
  readonly claims: Claims;
  /** The turns of a conversation that end with the one of this number; some before it are enough. */
  turnsTo(path: string, turn: number): readonly Turn[];
  readonly listener: Listener;
  /** When a file was last changed, in milliseconds since the Unix epoch; undefined where nothing tells. */
  changedAt(path: string): number | undefined;
  /** So many pairs of sentences are compared at most. */
  readonly mostCompared: number;
  /** Whether all that is read counts as an answer, also what has no word of the question. */
  readonly isOpen: boolean;
  readonly known: Known;
  /** The time that is asked of, in milliseconds since the Unix epoch; what begins after it leads nothing. */
  readonly time: number;
}

/** What was read of the documents of a view, by their keys. */
export interface Known {
  readonly sentences: Map<string, readonly Worded[]>;
  readonly readings: Map<string, Reading>;
  /** The terms of what a turn replies to. */
  readonly asked: Map<string, ReadonlySet<string>>;
}

interface Sentence extends Worded {
  readonly document: SearchDocument;
  /** Milliseconds since the Unix epoch: when it was said. */
  readonly time: number;
  /** The place of its document among the hits. */
  readonly place: number;
  /** Whether it shares a word with the question. */
  readonly answers: boolean;
  /** The claim that was made of it. */
  readonly claim?: Claim;
}

/** So many of the first hits are read. */
const mostRead = 10;
const longestText = 2000;
/** So many pairs of clauses are compared for each pair of sentences, on average. A log in one sentence has more, and states nothing. */
const clausePairs = 36;
/** From this share of its letters on a claim says what a sentence says. */
const wholeSentence = 0.7;

const nameOf = ({ path, turn }: SearchDocument): string => `${path}#${turn}`;

function sharesTerm(one: ReadonlySet<string>, other: { has(term: string): boolean }): boolean {
  for (const term of one) if (other.has(term)) return true;
  return false;
}

/** A statement by its document and, where one was made of it, its claim. */
export interface Stated {
  readonly key: string;
  readonly id?: string;
}

/** Two statements of one matter; the later one is heard first. */
export interface Lead {
  readonly earlier: Stated & { readonly words: string };
  /** With when it was said, in milliseconds since the Unix epoch. */
  readonly later: Stated & { readonly time: number };
}

/** What is read of hits. */
export interface WhatIsRead {
  /** The claims of a view with those that ended as a question read them. */
  readonly claims: Claims;
  /** Of what is not ended, what is heard before what. */
  readonly leads: readonly Lead[];
}

const statedBy = ({ document, claim }: Sentence): Stated => ({
  key: document.key,
  ...(claim === undefined ? {} : { id: claim.record.id }),
});

/** Reads hits: which of their statements another one ended, and which it is heard before. */
export function withRead(matter: ReadingMatter): WhatIsRead {
  const claims = new ReadClaims(matter.claims);
  const leading: Lead[] = [];
  const wanted = askedWords(matter.terms);
  const sentences = sentencesOf(matter, wanted);
  let left = matter.mostCompared * clausePairs;
  for (const { earlier, later } of pairsOf(sentences, wanted, matter).slice(0, matter.mostCompared)) {
    const [one, other] = [read(earlier, matter), read(later, matter)];
    if (one === undefined || other === undefined) continue;
    const cost = one.frames.length * other.frames.length;
    if (cost > left) continue;
    left -= cost;
    const { ends, isLed, isAnew, isReply, change } = comparedWith(one)(other);
    if (ends === null && other.from !== undefined && other.from * 1000 > matter.time) continue;
    if (isOfAnotherItem(earlier, later, wanted)) continue;
    // A page is somebody's: what was said since is heard first, and the page stays as it is.
    if (ends === null || isPage(earlier.document)) {
      if (
        ends !== null ||
        ((isLed ||
          (isAnew && areOneMatter(earlier, later, wanted)) ||
          (sharesTerm(later.terms, wanted) && isChangeOf(change(), earlier, later, wanted))) &&
          sharesMatter(earlier, later)) ||
        (isReply() && isAskedOf(earlier, later, wanted, matter))
      ) {
        for (const one of [earlier, ...sentences.filter((other) => isEchoOf(other, earlier))])
          leading.push({
            earlier: { ...statedBy(one), words: one.text },
            later: { ...statedBy(later), time: later.time },
          });
        claims.hasLeads = true;
      }
      continue;
    }
    const isAll = sentences.every(
      ({ document, text, answers }) => !answers || document !== earlier.document || text === earlier.text,
    );
    claims.close(claimOf(earlier), claimOf(later), ends.from ?? Math.floor(later.time / 1000), isAll);
  }
  return { claims, leads: leading };
}

/**
 * What two readings are to each other: the later one ends the earlier, or is heard before it. Kept as long as a view keeps them: one question
 * after the other meets the same turns.
 */
const comparedWith = oncePer((earlier: Reading) =>
  oncePer(
    (
      later: Reading,
    ): {
      readonly ends: Closing | null;
      readonly isLed: boolean;
      readonly isAnew: boolean;
      isReply(): boolean;
      change(): ReturnType<typeof tellsChange>;
    } => {
      const weigh = keptEvidence();
      const ends = closing(earlier, later, weigh);
      const isLed = ends === null && leads(earlier, later, weigh);
      const isAnew = ends === null && !isLed && answersAnew(earlier, later, weigh);
      return {
        ends,
        isLed,
        isAnew,
        isReply: once(() => repliesAnew(earlier, later, weigh)),
        change: once(() => tellsChange(earlier, later, weigh)),
      };
    },
  ),
);

/** How much the earlier one says of what is asked, and what of it the later one leaves out. */
function askedOf(earlier: Sentence, later: Sentence, wanted: AskedWords): { said: number; left: readonly string[] } {
  const [asked, again] = [heldOf(earlier.terms, wanted), heldOf(later.terms, wanted)];
  return { said: asked.size, left: [...asked].filter((word) => !again.has(word)) };
}

/** Whether what the later one tells changed is what is asked. It says all of it that the earlier one says, or half where the change is named. */
function isChangeOf(
  change: ReturnType<typeof tellsChange>,
  earlier: Sentence,
  later: Sentence,
  wanted: AskedWords,
): boolean {
  if (change === undefined) return false;
  const { said, left } = askedOf(earlier, later, wanted);
  return change === 'named' ? 2 * left.length <= said : said > 0 && left.length === 0;
}

/** What a thing has, or how it is had: a question asks by these words, and an answer need not say them. */
const askedNames = once(
  () =>
    new Set(
      tokensOf(
        'status state name number address date day time place position role job title price cost size length colour version deadline keep live store stay sit stand use wear',
      ),
    ),
);

/**
 * Names of people, titles and feasts: "Otto's nursery", "I owe Caleb". What stands behind an article or a preposition is a thing or a place,
 * as in "on Apoquel".
 */
const personal =
  /(?<!\b(?:on|off|the|in|at|of|from|to|an?|by|using|into|via) )\b\p{Upper}\p{Lower}+\b|\b(?:Dr|Mrs?|Ms|Miss|Prof|Easter|Christmas|Thanksgiving|New Year)\b/gu;
/** The first word of a sentence has a capital anyway: it is a name where this follows. */
const behindName = /^['’]s\b|^ (?:is|has|was|will|and \p{Upper})/u;

const namesOf = oncePer(({ text, terms }: Worded): ReadonlySet<string> => {
  const names = [...text.matchAll(personal)].filter(
    ({ index, 0: name }) => index > 0 || behindName.test(text.slice(name.length)),
  );
  return new Set(names.flatMap(([name]) => tokensOf(name)).filter((term) => terms.has(term)));
});

/** Whether two statements have more in common than whom they speak of: what is new of a person says nothing of all that was known. */
function sharesMatter(earlier: Sentence, later: Sentence): boolean {
  const [of, again] = [namesOf(earlier), namesOf(later)];
  return [...earlier.terms].some((term) => later.terms.has(term) && !of.has(term) && !again.has(term));
}

/** Whether two statements answer one question: the later one says all that the earlier one says of what is asked, and enough of it. */
function areOneMatter(earlier: Sentence, later: Sentence, wanted: AskedWords): boolean {
  const { said, left } = askedOf(earlier, later, wanted);
  if (said === 0) return false;
  // "Status of the paper: under review", "the paper is accepted": the name of what is asked need not be said again.
  if (left.length > 0 && (said - left.length < 2 || !left.every((word) => askedNames().has(word)))) return false;
  return said > 1 || [...earlier.terms].filter((term) => later.terms.has(term)).length >= leastCommon;
}

/** Whether what the later one replies to is what is asked, and what the earlier one speaks of. */
function isAskedOf(earlier: Sentence, later: Sentence, wanted: AskedWords, matter: ReadingMatter): boolean {
  const asked = askedBefore(later, matter);
  if (asked.size === 0 || !earlier.answers) return false;
  const isCommon = (term: string): boolean => asked.has(term) || later.terms.has(term);
  return sharesTerm(asked, wanted) && [...earlier.terms].some(isCommon);
}

/** The terms of the turn before, where another speaks there; none where nothing is replied to. */
function askedBefore(
  { document: { key, path, turn } }: Sentence,
  { turnsTo, known }: ReadingMatter,
): ReadonlySet<string> {
  let asked = known.asked.get(key);
  if (asked === undefined) {
    const [before, own] = turn === undefined ? [] : turnsTo(path, turn).slice(-2);
    const isReply =
      before !== undefined && own !== undefined && !(before.role === own.role && before.speaker === own.speaker);
    asked = new Set(isReply ? tokensOf(before.text) : []);
    known.asked.set(key, asked);
  }
  return asked;
}

/** A single word of the question is enough where so many words are in both. */
const leastCommon = 3;

/** Weighs two frames once. */
function keptEvidence(): typeof evidenceOf {
  const known = new Map<unknown, Map<unknown, ReturnType<typeof evidenceOf>>>();
  return (pair) => {
    const ofEarlier = known.get(pair.e) ?? new Map();
    known.set(pair.e, ofEarlier);
    const evidence = ofEarlier.get(pair.l) ?? evidenceOf(pair);
    ofEarlier.set(pair.l, evidence);
    return evidence;
  };
}

interface Pair {
  readonly earlier: Sentence;
  readonly later: Sentence;
  readonly rank: number;
  readonly place: number;
}

/**
 * Pairs that may be about one matter; first come those with the most words of the question in both. Where one has any, the other shares a
 * word with that, follows it, or replies to a turn that does.
 */
function pairsOf(sentences: readonly Sentence[], wanted: AskedWords, matter: ReadingMatter): Pair[] {
  const pairs: Pair[] = [];
  const askedIn = new Map(sentences.map((one) => [one, heldOf(one.terms, wanted)]));
  for (const earlier of sentences) {
    for (const later of sentences) {
      if (later.time <= earlier.time || !(earlier.answers || later.answers)) continue;
      // A page that was changed since may hold the line for long.
      if (isPage(later.document)) continue;
      // What ended stays ended.
      if (earlier.claim?.record.replacedBy !== undefined) continue;
      const areBoth = earlier.answers && later.answers;
      const isAsked = !areBoth && earlier.answers && sharesTerm(askedBefore(later, matter), wanted);
      if (!areBoth && !isAsked && !sharesTerm(earlier.terms, later.terms) && !follows(later, earlier)) continue;
      const ofLater = askedIn.get(later)!;
      const shared = [...askedIn.get(earlier)!].filter((word) => ofLater.has(word)).length;
      const rank = areBoth ? 1 + shared : isAsked ? 1 : 0;
      pairs.push({ earlier, later, rank, place: earlier.place + later.place });
    }
  }
  return pairs.sort((one, other) => other.rank - one.rank || one.place - other.place);
}

const follows = (later: Sentence, { document }: Sentence): boolean =>
  later.document.path === document.path && later.document.turn === (document.turn ?? Number.NaN) + 1;

/** "I've saved that: 38 euros": what another repeats in the next turn is as old. */
const isEchoOf = (one: Sentence, said: Sentence): boolean =>
  one.document.speaker !== said.document.speaker && follows(one, said) && isEcho(one.document.text, said.document.text);

function sentencesOf(matter: ReadingMatter, wanted: AskedWords): Sentence[] {
  const { documents, claims, known } = matter;
  const first = documents.slice(0, mostRead);
  const taken = claims.takenFrom(new Set(first.filter(({ turn }) => turn !== undefined).map(nameOf)));
  const told = new Set<string>();
  const said = first.flatMap((document, place) => {
    const { turn, record, tells, time, speaker } = document;
    if (isPage(document)) return [];
    const claim = record === undefined ? tells && claims.find(tells.memory) : { record, document };
    if (time === undefined || (turn === undefined && claim === undefined)) return [];
    const made = claim === undefined ? (taken.get(nameOf(document)) ?? []) : [claim];
    // A question may name the speaker: "Where does Ada live?"
    const isSpoken = speaker !== undefined && sharesTerm(new Set(tokensOf(speaker)), wanted);
    return splitOnce(claim?.document ?? document, known).flatMap(({ text, terms }) => {
      // A claim of a part says nothing of the rest.
      const own =
        claim ??
        made.find(
          ({ record: { content } }) => isSameText(content, text) && content.length >= text.length * wholeSentence,
        );
      const name = own?.record.id ?? `${nameOf(document)} ${text}`;
      if (told.has(name)) return [];
      told.add(name);
      const attribute = own?.record.attribute;
      const answers =
        matter.isOpen ||
        isSpoken ||
        sharesTerm(terms, wanted) ||
        (attribute !== undefined && sharesTerm(new Set(tokensOf(attribute)), wanted));
      return [
        {
          document: own === claim ? (claim?.document ?? document) : document,
          place,
          text,
          time: own === undefined ? time : momentOf(own.record, time),
          terms,
          answers,
          ...(own === undefined ? {} : { claim: own }),
        },
      ];
    });
  });
  // When a page was changed takes a look into history: only where something was said that may be later.
  if (said.length === 0) return said;
  const written = first.flatMap((document, place) =>
    isPage(document) ? linesOf(document, place, wanted, matter) : [],
  );
  return [...said, ...written].sort((one, other) => one.place - other.place);
}

/** Records keep seconds. The id of what was remembered, a ULID, begins with milliseconds, in base 32 of Crockford. */
function momentOf({ id, createdAt }: MemoryRecord, time: number): number {
  if (!/^[0-7][0-9a-hjkmnp-tv-z]{25}$/i.test(id)) return time;
  let at = 0;
  for (const digit of id.slice(0, 10).toLowerCase()) at = at * 32 + '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit);
  return Math.floor(at / 1000) === createdAt && time === createdAt * 1000 ? at : time;
}

const isPage = ({ path, turn, record, tells }: SearchDocument): boolean =>
  path.startsWith('knowledge/') && turn === undefined && record === undefined && tells === undefined;
/** So many lines of a page are read. */
const mostLines = 6;

/** The lines of a page that share a word with the question: what was written down may be older than what was said. */
function linesOf(
  document: SearchDocument,
  place: number,
  wanted: AskedWords,
  { changedAt, known }: ReadingMatter,
): Sentence[] {
  const lines = splitOnce(document, known)
    .filter(({ terms }) => sharesTerm(terms, wanted))
    .slice(0, mostLines);
  const time = lines.length === 0 ? undefined : changedAt(document.path);
  return time === undefined ? [] : lines.map((line) => ({ ...line, document, time, place, answers: true }));
}

function statedIn(document: SearchDocument): string[] {
  const { record, text } = document;
  const read = text.slice(0, longestText);
  if (isPage(document))
    return read
      .split('\n')
      .map((line) =>
        line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '').replace(/\s*\[(?:source|memory|due|verified): .*$/, ''),
      )
      .filter((line) => line.length > 8 && !line.startsWith('#'));
  const texts =
    record === undefined ? splitSentences(read.replace(/\s+/g, ' ')) : [wordsOfClaim(record).slice(0, longestText)];
  return texts.filter((one) => !one.endsWith('?'));
}

/** Splits what a document says into sentences that state something, a page into its lines; what a memory says is one. Kept for a view. */
function splitOnce(document: SearchDocument, { sentences }: Known): readonly Worded[] {
  let split = sentences.get(document.key);
  if (split === undefined) {
    split = statedIn(document).map((text) => ({ text, terms: new Set(tokensOf(text)) }));
    sentences.set(document.key, split);
  }
  return split;
}

function isSameText(content: string, sentence: string): boolean {
  const [one, other] = [normaliseForHash(content), normaliseForHash(sentence)];
  return one.includes(other) || other.includes(one);
}

function read(sentence: Sentence, matter: ReadingMatter): Reading | undefined {
  const key = `${sentence.document.key} ${sentence.text}`;
  let reading = matter.known.readings.get(key);
  if (reading === undefined) {
    const said = saidOf(sentence, matter);
    if (said === undefined) return undefined;
    reading = readSaid(said);
    matter.known.readings.set(key, reading);
  }
  return reading;
}

/** A claim is read where it was said, in the words that were said; one that nobody said in a conversation as it is written. */
function saidOf({ document, text, time, claim }: Sentence, { turnsTo, listener }: ReadingMatter): Said | undefined {
  const { subject, sources } = claim?.record ?? {};
  const content = (claim?.record.content ?? text).slice(0, longestText);
  const source = document.turn === undefined ? sources?.find(({ turn }) => turn !== undefined) : document;
  const turns = source?.turn === undefined ? [] : turnsTo(source.path, source.turn);
  const said = saidIn(content, turns, turns.length, listener);
  if (said !== undefined || document.turn !== undefined) return said;
  const speaker = subject ?? listener.owner ?? 'the user';
  if (isPage(document)) {
    const title = document.title ?? '';
    return { text, speaker, role: 'user', time, before: [{ role: 'user', speaker, text: title }], after: '' };
  }
  return { text, speaker, role: sources?.[0]?.role ?? 'user', time, before: [], after: '' };
}

/** The claim that a sentence is, or would be: named after its turn. */
function claimOf({ document, text, time, claim }: Sentence): Claim {
  if (claim !== undefined) return claim;
  const source = { path: document.path, ...(document.turn === undefined ? {} : { turn: document.turn }) };
  const record = { ...newMemory({ id: 'read', content: text, now: time }), id: nameOf(document), sources: [source] };
  return { record, document };
}

/** The claims of a view with some that ended as a question read them. */
class ReadClaims implements Claims {
  readonly #claims: Claims;
  readonly #read = new Map<string, Claim>();
  /** Whether it is asked which hits tell which claims, though none ends. */
  hasLeads = false;

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  get hasTaken(): boolean {
    return this.#claims.hasTaken;
  }

  get hasEnds(): boolean {
    return this.#claims.hasEnds || this.hasLeads || this.#read.size > 0;
  }

  /** Notes that one claim ended by another; `isAll` is false where other sentences of its turn answer the question, too. */
  close({ record, document }: Claim, by: Claim, until: number, isAll: boolean): void {
    if (record.replacedBy !== undefined || this.#read.get(record.id)?.record.replacedBy !== undefined) return;
    const isTurn = record.id === nameOf(document);
    const ended = { ...record, validUntil: until, replacedBy: by.record.id };
    this.#read.set(record.id, { record: ended, document, isRead: true });
    if (!this.#read.has(by.record.id)) this.#read.set(by.record.id, { ...by, isRead: true });
    if (isTurn && !isAll)
      this.#read.set(`${record.id} `, { record: { ...record, id: `${record.id} ` }, document, isRead: true });
  }

  find(id: string): Claim | undefined {
    return this.#read.get(id) ?? this.#claims.find(id);
  }

  takenFrom(turns: ReadonlySet<string>): ReadonlyMap<string, readonly Claim[]> {
    const taken = new Map(
      [...this.#claims.takenFrom(turns)].map(([turn, claims]) => [
        turn,
        claims.map((claim) => this.#read.get(claim.record.id) ?? claim),
      ]),
    );
    for (const claim of this.#read.values()) {
      const turn = nameOf(claim.document);
      if (turns.has(turn) && claim.document.turn !== undefined) taken.set(turn, [...(taken.get(turn) ?? []), claim]);
    }
    return taken;
  }

  replacedBy(id: string): readonly Claim[] {
    const read = [...this.#read.values()].filter(({ record }) => record.replacedBy === id);
    return [...this.#claims.replacedBy(id), ...read];
  }
}
