// Which hits of a search hold: memories, turns and lines whose claims ended, events of a log that later ones took the place of. They stay
// findable, for what was known once is a question, too; but what held at the time that is asked of comes first.

import { defined } from '../base/defined.ts';
import { once } from '../base/once-per.ts';
import { splitSentences } from '../base/sentences.ts';
import { tokensOf } from '../base/tokenizer.ts';
import { wordsOfClaim } from '../claims/claim.ts';
import type { ChangelogCatalog } from '../logs/changelog.ts';
import type { LedgerCatalog } from '../logs/ledger.ts';
import { retracted, supersessionOf } from '../logs/supersession.ts';
import type { LogEntry } from '../records/log.ts';
import type { MemoryRecord } from '../records/types.ts';
import type { AskedTime } from '../search/asked-time.ts';
import { type AskedWords, askedWords, heldOf, isOfAnotherItem, type Worded } from '../search/asked-words.ts';
import { endingOf, endingsOf } from '../search/claim-endings.ts';
import { type Ended, hasCome, type JudgedHit } from '../search/judged-hit.ts';
import { leadersFirst, type Member, orderByTime } from '../search/order-by-time.ts';
import type { Stated, WhatIsRead } from '../search/read-claims.ts';
import { maxLimit, type RankedHit } from '../search/recall-options.ts';
import type { SearchDocument } from '../search/search-document.ts';
import type { Claim, Claims } from '../search/view-claims.ts';
import type { StateFiles } from '../store/derive.ts';
import { withoutCopies } from './copies.ts';

type Tagged = LogEntry<{ readonly tags?: readonly string[] }>;

/** Where the events of a state are read from. */
export interface LogSources {
  readonly ledgers: LedgerCatalog;
  readonly changelogs: ChangelogCatalog;
}

/** What hits are judged by. */
export interface Judging {
  /** Finds so many hits, best first. */
  rank(limit: number): readonly RankedHit[];
  readonly claims: Claims;
  /** The terms of the question. */
  readonly terms: readonly string[];
  /** Gives the text of a file; null where it cannot be read. */
  textAt(path: string): string | null;
  /** What took the place of an event of a log. */
  readonly replacedEvent: (document: SearchDocument) => Ended | undefined;
  readonly asked: AskedTime | undefined;
  /** Reads hits, best first; absent where the question asks of nothing that could end. */
  readonly read?: (hits: readonly RankedHit[]) => WhatIsRead;
  /** The time of the view, in seconds. */
  readonly now: number;
  /** Makes a hit of what was not found; absent where filters say what may be. */
  readonly hitOf?: (document: SearchDocument, inPlaceOf: RankedHit) => RankedHit;
}

/** At least so many hits are looked at, so that what took the place of one of the first is among them. */
const leastLookedAt = 30;
/** And so many where hits are read. */
const leastRead = 10;

/**
 * Finds up to `limit` hits, each with what of it ended; those that answer for the time that is asked of come first. More are looked at where
 * some are over.
 */
export function holdingHits(limit: number, judging: Judging): JudgedHit[] {
  const isOver = ({ hit: { ended }, claims }: Judged): boolean =>
    ended !== undefined && isOverAt(ended, judging) && !claims.some(({ isRead }) => isRead);
  const { hasEnds, hasTaken } = judging.claims;
  const least = hasEnds || hasTaken ? leastLookedAt : judging.read === undefined ? limit : leastRead;
  for (let size = Math.max(limit, least); ; size = Math.min(maxLimit, size * 2)) {
    const found = judging.rank(size);
    const ranked = withoutCopies(found, judging.claims, judging.textAt);
    const { claims, leads } = judging.read?.(ranked) ?? { claims: judging.claims, leads: [] };
    const judged = judgedBy(ranked, claims, judging);
    const holding = judged.filter((one) => !isOver(one)).length;
    if (holding < limit && found.length === size && size < maxLimit) continue;
    const ordered = orderByTime<JudgedHit>(
      judged.map((one) => ({
        item: one.hit,
        score: one.hit.score,
        tells: askedOf(one.claims, judging.terms, (id) => claims.find(id)).map(({ record }) => record.id),
        isOver: isOver(one),
      })),
      { ...judging, find: (id) => memberOf(id, claims), lend: (id, other) => lent(id, other, claims, judging) },
    );
    // What is over leads nothing, nor does it need another mark.
    const over = new Set(
      judged.flatMap(({ hit: { hit, ended } }) =>
        ended !== undefined && isOverAt(ended, judging) ? [hit.document.key] : [],
      ),
    );
    const leading = leads.filter(({ later, earlier }) => !over.has(later.key) && !over.has(earlier.key));
    const told = new Map(judged.map((one) => [one.hit, new Set(one.claims.map(({ record }) => record.id))]));
    const first =
      judging.asked !== undefined && judging.asked !== Number.POSITIVE_INFINITY
        ? ordered
        : answersFirst(
            leadersFirst<JudgedHit, Stated>(
              ordered,
              leading,
              (one, { key, id }) =>
                one.hit.document.key === key ||
                (id !== undefined && (told.get(one)?.has(id) ?? one.hit.document.record?.id === id)),
            ),
            judging,
          );
    return first.slice(0, limit).map(([one, score]) => {
      const earlier = leading.flatMap(({ earlier: { key, words, id }, later: { time } }) =>
        key === one.hit.document.key ? [{ words, later: time, ...defined({ id }) }] : [],
      );
      return { ...one, score, ...(earlier.length === 0 ? {} : { earlier }) };
    });
  }
}

/**
 * Of the claims of one hit, those with the most words of the question; all where none has one. A question for the landlord is none for what took the
 * place of the rent that the same turn names.
 */
function askedOf(
  told: readonly Claim[],
  terms: readonly string[],
  find: (id: string) => Claim | undefined,
): readonly Claim[] {
  const wanted = askedWords(terms);
  const claims = told.filter((claim) => !endedForOthers(claim, wanted, find));
  if (claims.length < 2) return claims;
  const held = claims.map(({ record }) => heldOf(wordedOf(record).terms, wanted).size);
  const most = Math.max(...held);
  return claims.filter((_, at) => held[at] === most);
}

/** "I have two employees, Raj and Beth": that Raj left ends nothing for a question about Beth. */
function endedForOthers({ record }: Claim, wanted: AskedWords, find: (id: string) => Claim | undefined): boolean {
  const by = record.replacedBy === undefined ? undefined : find(record.replacedBy);
  return by !== undefined && isOfAnotherItem(wordedOf(record), wordedOf(by.record), wanted);
}

function wordedOf(record: MemoryRecord): Worded {
  const text = wordsOfClaim(record);
  return { text, terms: new Set(tokensOf(`${text} ${record.attribute ?? ''}`)) };
}

/** In words. */
const shortQuestion = 15;

/** Whether a hit is a short turn that only asks. What a long one asks tells much of who asks. */
const onlyAsks = ({ hit: { document } }: JudgedHit): boolean =>
  document.turn !== undefined &&
  document.text.split(/\s+/).length <= shortQuestion &&
  /\?[\s"'”’)]*$/.test(document.text) &&
  splitSentences(document.text).every((one) => one.includes('?'));

/** What only asks is no answer: it gives its place to the next hit that is none. */
function answersFirst(
  ordered: readonly (readonly [JudgedHit, number])[],
  { read, terms }: Judging,
): readonly (readonly [JudgedHit, number])[] {
  if (read === undefined) return ordered;
  const answer = ordered.findIndex(([one]) => !onlyAsks(one));
  const found = answer <= 0 ? ordered : movedFirst(ordered, answer);
  return personFirst(found, terms);
}

function movedFirst<Item>(
  ordered: readonly (readonly [Item, number])[],
  at: number,
): readonly (readonly [Item, number])[] {
  const moved = [ordered[at]!, ...ordered.slice(0, at), ...ordered.slice(at + 1)];
  return moved.map(([one], place) => [one, ordered[place]![1]]);
}

/** So many hits are looked at for somebody who says what a program says, and with so much of its score. */
const lookedAt = 5;
const leastShare = 0.3;

/** A person who says as much of what is asked goes before an assistant without a name: what holds is theirs to say. */
function personFirst(
  ordered: readonly (readonly [JudgedHit, number])[],
  terms: readonly string[],
): readonly (readonly [JudgedHit, number])[] {
  const isProgram = ({ hit: { document } }: JudgedHit): boolean =>
    document.turn !== undefined && document.role === 'agent' && document.speaker === undefined;
  const [top] = ordered;
  if (top === undefined || !isProgram(top[0])) return ordered;
  const said = ({ hit: { document } }: JudgedHit): number => {
    const words = new Set(tokensOf(document.text));
    return terms.filter((term) => words.has(term)).length;
  };
  // One word that both have by chance says nothing.
  const least = Math.max(said(top[0]), Math.min(terms.length, 2));
  const at = ordered
    .slice(0, lookedAt)
    .findIndex(
      ([one, score]) =>
        !isProgram(one) &&
        !onlyAsks(one) &&
        one.ended === undefined &&
        score >= leastShare * top[1] &&
        said(one) >= least,
    );
  return at <= 0 ? ordered : movedFirst(ordered, at);
}

function isOverAt(ended: Ended, { asked, now }: Judging): boolean {
  return hasCome(ended, typeof asked === 'number' ? asked / 1000 : now);
}

/** A hit with the claims that it tells. */
interface Judged {
  readonly hit: JudgedHit;
  readonly claims: readonly Claim[];
}

/** Judges hits in their order, each with the claims that it tells. */
function judgedBy(ranked: readonly RankedHit[], claims: Claims, { textAt, replacedEvent }: Judging): Judged[] {
  const endings = endingsOf(
    ranked.map(({ document }) => document),
    claims,
    textAt,
  );
  return ranked.map((hit, at) => {
    const { claims: told, passages, ended = replacedEvent(hit.document) } = endings[at]!;
    const read = told
      .filter(({ isRead, record: { replacedBy } }) => isRead && replacedBy !== undefined)
      .map(({ record }) => ({ id: record.id, ...endingOf(record, claims) }));
    return {
      hit: { hit, score: hit.score, passages, ...defined({ ended, readAsEnded: read.length > 0 ? read : undefined }) },
      claims: told,
    };
  });
}

function memberOf(id: string, claims: Claims): Member | undefined {
  const claim = claims.find(id);
  if (claim === undefined) return undefined;
  const { validUntil, replacedBy, status } = claim.record;
  return {
    id,
    before: claims.replacedBy(id).map(({ record }) => record.id),
    ...(replacedBy === undefined ? {} : { next: replacedBy }),
    // A record without an end was closed by a version that knew none.
    until: validUntil ?? (status === 'superseded' ? 0 : Number.POSITIVE_INFINITY),
  };
}

function lent(id: string, { hit }: JudgedHit, claims: Claims, { hitOf }: Judging): JudgedHit | undefined {
  const claim = claims.find(id);
  if (claim === undefined || hitOf === undefined || claim.record.status === 'archived') return undefined;
  const [{ ended, passages } = { passages: [] }] = endingsOf([claim.document], claims, () => null);
  return { hit: hitOf(claim.document, hit), score: hit.score, passages, ...(ended === undefined ? {} : { ended }) };
}

/**
 * Tells what took the place of a document that is an event; one that only takes another back never held. A log is read only when one of its
 * events was found.
 */
export function replacedIn(
  files: StateFiles,
  { ledgers, changelogs }: LogSources,
): (document: SearchDocument) => Ended | undefined {
  const replacedOf = (entries: readonly Tagged[]): ReadonlyMap<string, LogEntry> => {
    const takenBack = entries.filter(({ value }) => value.tags?.includes(retracted));
    return new Map([...takenBack.map((entry) => [entry.id, entry] as const), ...supersessionOf(entries)]);
  };
  const all = ({ archived, events }: { archived: readonly Tagged[]; events: readonly Tagged[] }) => [
    ...archived,
    ...events,
  ];
  const inLog = {
    ledger: once(() => replacedOf(all(ledgers.ledgerOf(files)))),
    event: once(() => replacedOf(all(changelogs.changelogOf(files)))),
  };
  return ({ category, id }) => {
    const by =
      id === undefined || !(category === 'ledger' || category === 'event') ? undefined : inLog[category]().get(id);
    if (by === undefined) return undefined;
    return { until: Math.floor(by.time / 1000), ...(by.id === id ? {} : { by: by.id }) };
  };
}
