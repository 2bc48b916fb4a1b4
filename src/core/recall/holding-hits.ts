// Which hits of a search hold: memories, turns and lines whose claims ended, events of a log that later ones took the place of. They stay
// findable, for what was known once is a question, too; but what held at the time that is asked of comes first. Pages and boxes that only
// repeat claims give way to the claim, or to the turn that says it.

import { defined } from '../../base/errors.ts';
import { once } from '../../base/once-per.ts';
import { normaliseForHash } from '../../base/text.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import { type ChangelogCatalog, type LedgerCatalog, retracted, supersessionOf } from '../../logs/index.ts';
import {
  type AskedTime,
  type Claim,
  type Claims,
  type Ended,
  endingOf,
  endingsOf,
  endsSometime,
  hasCome,
  type JudgedHit,
  type Member,
  maxLimit,
  namedLines,
  orderByTime,
  type RankedHit,
  type SearchDocument,
} from '../../search/index.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import type { StateFiles } from '../../store/derive.ts';
import type { LogEntry } from '../../store/records/log.ts';

/**
 * Folds what the engine wrote of claims into the best of the hits that are these claims, or the turns that they were taken from. What no other
 * hit says stays as it is, and so does a page with a line of a person. `textAt` reads a file of the view, null where it cannot.
 */
export function withoutCopies(
  hits: readonly RankedHit[],
  claims: Claims,
  textAt: (path: string) => string | null,
): readonly RankedHit[] {
  const copies = new Map<RankedHit, readonly string[]>();
  // Of what is damaged nobody can tell whether it is a copy; the answer names it.
  const whole = hits.filter(({ document }) => !isMadeOfLines(document) || textAt(document.path) !== null);
  for (const hit of whole) {
    const ids = idsOfCopy(hit.document, textAt);
    if (ids.length > 0) copies.set(hit, ids);
  }
  if (copies.size === 0) return whole;
  const direct = directHits(whole, claims);
  const ranks = new Map(whole.map((hit, at) => [hit, at]));
  const placed = new Map<RankedHit, RankedHit>();
  for (const hit of whole) {
    const ids = copies.get(hit) ?? [];
    const [best] = [...new Set(ids.flatMap((id) => direct.get(id) ?? []))].sort(
      (one, other) => ranks.get(one)! - ranks.get(other)!,
    );
    if (best === undefined) {
      if (!placed.has(hit)) placed.set(hit, hit);
      continue;
    }
    // A copy was found by its headings and by all that it repeats: a claim scores what its own words do.
    const before = placed.get(best) ?? best;
    const also = [...(before.also ?? []), { document: hit.document, score: Math.min(hit.score, before.score) }];
    placed.set(best, withAlso(before, also));
  }
  // One that was met by its copies alone may stand before what scores more.
  return [...placed.values()].sort((one, other) => other.score - one.score);
}

const isMadeOfLines = ({ record, turn, tells, category, path }: SearchDocument): boolean =>
  record === undefined &&
  turn === undefined &&
  tells === undefined &&
  (category === 'box' || path.startsWith('knowledge/'));

/** The memories that a document consists of; none where any of its words are its own. */
function idsOfCopy(document: SearchDocument, textAt: (path: string) => string | null): readonly string[] {
  const named = namedLines(document, textAt);
  if (named.length === 0) return [];
  const words = new Set(named.map((line) => line.words));
  const isCopy = document.text
    .split('\n')
    .every((line) => words.has(line) || line.startsWith('#') || normaliseForHash(line) === '');
  return isCopy ? named.flatMap(({ ids }) => ids) : [];
}

/** Finds the first hit that is a claim, tells of it as an event, or is the turn it was taken from: id → hit. */
function directHits(hits: readonly RankedHit[], claims: Claims): ReadonlyMap<string, RankedHit> {
  const turnOf = ({ path, turn }: SearchDocument): string | undefined =>
    turn === undefined ? undefined : `${path}#${turn}`;
  const documentsOf = ({ document, also = [] }: RankedHit): SearchDocument[] => [
    document,
    ...also.map((other) => other.document),
  ];
  const turns = new Set(hits.flatMap(documentsOf).flatMap((document) => turnOf(document) ?? []));
  const taken = claims.takenFrom(turns);
  const direct = new Map<string, RankedHit>();
  for (const hit of hits) {
    for (const document of documentsOf(hit)) {
      const own = document.record?.id ?? document.tells?.memory;
      const said = (taken.get(turnOf(document) ?? '') ?? []).map(({ record }) => record.id);
      for (const id of own === undefined ? said : [own]) if (!direct.has(id)) direct.set(id, hit);
    }
  }
  return direct;
}

/** Gives the hit with others that say the same; its snippet is still looked for when it is read. */
export function withAlso(hit: RankedHit, also: NonNullable<RankedHit['also']>): RankedHit {
  const { document, turns, parts, score, confidence } = hit;
  return {
    ...{ document, parts, score },
    ...defined({ turns, confidence, also: also.length === 0 ? undefined : also }),
    get snippet() {
      return hit.snippet;
    },
    get highlights() {
      return hit.highlights;
    },
    get line() {
      return hit.line;
    },
  };
}

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
  /** The time of the view, in seconds. */
  readonly now: number;
  /** Makes a hit of a document that has no place of its own. */
  hitOf(document: SearchDocument, inPlaceOf: Pick<RankedHit, 'score' | 'confidence' | 'parts'>): RankedHit;
  /** Whether what was not found may come in; not where filters say what may be. */
  readonly mayLend: boolean;
}

/** At least so many hits are looked at, so that what took the place of one of the first is among them. */
const leastLookedAt = 30;

/**
 * Finds up to `limit` hits, each with what of it ended; those that answer for the time that is asked of come first. More are looked at where
 * some are over.
 */
export function holdingHits(limit: number, judging: Judging): JudgedHit[] {
  const { claims } = judging;
  const isOver = ({ hit: { ended } }: Judged): boolean => ended !== undefined && isOverAt(ended, judging);
  const least = claims.hasEnds || claims.hasTaken ? leastLookedAt : limit;
  for (let size = Math.max(limit, least); ; size = Math.min(maxLimit, size * 2)) {
    const found = judging.rank(size);
    const judged = judgedBy(withOverApart(withoutCopies(found, claims, judging.textAt), judging), judging);
    const holding = judged.filter((one) => !isOver(one)).length;
    if (holding < limit && found.length === size && size < maxLimit) continue;
    const ordered = orderByTime<JudgedHit>(
      judged.map((one) => ({
        item: one.hit,
        score: one.hit.score,
        tells: askedOf(one.claims, judging.terms),
        isOver: isOver(one),
      })),
      { ...judging, find: (id) => memberOf(id, claims), lend: (id, other) => lent(id, other, judging) },
    );
    return ordered.slice(0, limit).map(([one, score]) => ({ ...one, score }));
  }
}

/**
 * Names the claims of one hit with the most words of the question; all where none has one. A question for the landlord is none for what took
 * the place of the rent that the same turn names.
 */
function askedOf(claims: readonly Claim[], terms: readonly string[]): readonly string[] {
  const ids = claims.map(({ record }) => record.id);
  if (ids.length < 2) return ids;
  const held = claims.map(({ record }) => {
    const words = new Set(tokensOf(`${wordsOfClaim(record)} ${record.attribute ?? ''}`));
    return terms.filter((term) => words.has(term)).length;
  });
  const most = Math.max(...held);
  return ids.filter((_, at) => held[at] === most);
}

const isOverAt = (ended: Ended, { asked, now }: Judging): boolean =>
  hasCome(ended, typeof asked === 'number' ? asked / 1000 : now);

interface Judged {
  readonly hit: JudgedHit;
  readonly claims: readonly Claim[];
}

/** Judges hits in their order, each with the claims that it tells. */
function judgedBy(ranked: readonly RankedHit[], { claims, textAt, replacedEvent }: Judging): Judged[] {
  const documents = ranked.map(({ document }) => document);
  const endings = endingsOf(documents, claims, textAt);
  return ranked.map((hit, at) => {
    const { claims: told, passages, ended = replacedEvent(hit.document) } = endings[at]!;
    return { hit: { hit, score: hit.score, passages, ...defined({ ended }) }, claims: told };
  });
}

/**
 * Takes claims that are over out of the hit of their turn, as hits of their own. So what was said keeps its place, and what ended says so.
 * The best score comes first again.
 */
function withOverApart(hits: readonly RankedHit[], judging: Judging): readonly RankedHit[] {
  const { claims, hitOf } = judging;
  if (!claims.hasEnds) return hits;
  const isOver = ({ document: { record, tells } }: Pick<RankedHit, 'document'>): boolean => {
    const claim = record ?? (tells === undefined ? undefined : claims.find(tells.memory)?.record);
    return claim !== undefined && endsSometime(claim) && isOverAt(endingOf(claim, claims), judging);
  };
  const apart = hits.flatMap((hit) => {
    const { document, also = [] } = hit;
    const told = [{ document, score: hit.score }, ...also];
    const [over, held] = [told.filter(isOver), told.filter((one) => !isOver(one))];
    if (over.length === 0 || !held.some((one) => one.document.turn !== undefined)) return [hit];
    return [held, over].map(([first, ...others]) => {
      const { document: one, score } = first!;
      return withAlso(one === document ? hit : hitOf(one, { ...hit, score }), others);
    });
  });
  return apart.length === hits.length ? hits : apart.sort((one, other) => other.score - one.score);
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

function lent(id: string, { hit }: JudgedHit, { claims, hitOf, mayLend }: Judging): JudgedHit | undefined {
  const claim = claims.find(id);
  if (claim === undefined || !mayLend || claim.record.status === 'archived') return undefined;
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
): (document: Pick<SearchDocument, 'category' | 'id'>) => Ended | undefined {
  const replacedOf = (entries: readonly Tagged[]): ReadonlyMap<string, LogEntry> => {
    const takenBack = entries.filter(({ value }) => value.tags?.includes(retracted));
    return new Map([...takenBack.map((entry) => [entry.id, entry] as const), ...supersessionOf(entries)]);
  };
  type Log = { readonly archived: readonly Tagged[]; readonly events: readonly Tagged[] };
  const inAll = ({ archived, events }: Log) => replacedOf([...archived, ...events]);
  const inLog = {
    ledger: once(() => inAll(ledgers.ledgerOf(files))),
    event: once(() => inAll(changelogs.changelogOf(files))),
  };
  return ({ category, id }) => {
    const by =
      id === undefined || !(category === 'ledger' || category === 'event') ? undefined : inLog[category]().get(id);
    if (by === undefined) return undefined;
    return { until: Math.floor(by.time / 1000), ...(by.id === id ? {} : { by: by.id }) };
  };
}
