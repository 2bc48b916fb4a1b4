// What fits the message (P3), and what was said after it: ranked hits, packed so that as many as possible find room. The turns of a
// conversation stand below their day, in the order in which they were said; sections stand below the name of their file.
//
//     all turns, where they are few ─► the three best hits ─► turns near the best, said later: a quote each, within a share ─► the other hits
//
// No word says that one turn takes the place of another: whoever reads two dated turns sees which is newer.

import { orElse } from '../../../base/errors.ts';
import { oncePer } from '../../../base/once-per.ts';
import { normaliseForHash } from '../../../base/text.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';
import { tokensOf } from '../../../base/tokenizer.ts';
import { asks, changeIn } from '../../../language/index.ts';
import { type Follower, hasCome, type JudgedHit, type SearchDocument } from '../../../search/index.ts';
import { splitFrontMatter } from '../../../store/records/front-matter.ts';
import { memoriesOfLine, sourcesOfLine } from '../../../store/records/knowledge-marks.ts';
import { labelOf } from './data-text.ts';
import { dayIn, type HitStyle, isLine, isOfLog, isSpoken, pieceOf, sourceOf } from './hit-text.ts';
import type { EndingStyle } from './outdated.ts';
import type { Part, Piece } from './part.ts';
import { type Earlier, handedBefore, isHanded } from './since.ts';
import type { Told } from './told.ts';

/** Of one passage at most so many characters are shown (spec 5 §6.3); a turn or memory is whole while there is room. */
const mostCharacters = 500;
const mostWhole = 2000;
/** Where there is no room for more: about a sentence. */
const shortest = 240;
/** A page that takes no more than this share of the room is shown whole. */
const pageShare = 0.25;
/** So many hits come before what was said after them, and so many are followed. */
const firstHits = 3;
const followedHits = 6;
/** What was said after hits has this share of the room at most, and of each turn at most so many characters. */
const followerShare = 0.35;
/**
 * Of so many of the nearest to a hit, those follow it that sound most as if something were otherwise from now on. What room is left at the end is
 * for more, with a weaker link. Vectors find news farther away. By words alone, more of them cost what was asked for in long turns.
 */
const links = {
  words: { first: { most: 8, least: 0.12 }, all: { most: 10, least: 0.05 }, ofHit: 0 },
  vectors: { first: { most: 20, least: 0.05 }, all: { most: 20, least: 0.05 }, ofHit: 1 },
} as const;
const kept = 3;
/** The same speaker says more often than others what became of it. */
const sameSpeaker = 1.6;
/** At the end so many hits are followed. */
const followedLast = 20;
const mostOfQuote = 400;
/** A turn of no more characters that answers a question is shown with that. */
const shortAnswer = 80;
/** After so many hits in a row that did not fit, no smaller one is looked for. */
const patience = 24;
/** Room for less than a short turn is none. */
const leastRoom = 8;
/** So many of what was left out are named. */
const namedLeft = 20;

/** Which hits are not wanted: what is in the text already, or must not be in it. */
export interface Unwanted {
  /** Path → why. */
  readonly files: ReadonlyMap<string, string>;
  /** What the text has before any hit. */
  readonly told: Told;
  /** Gives the text of a file, null where it cannot be read. */
  textOf(path: string): string | null;
  /** What the agent was handed already. */
  readonly earlier?: Earlier;
  /** Words of the window, as {@link normaliseForHash} gives them. */
  readonly spoken: ReadonlySet<string>;
  /** Turns of this transcript from that number on are in the window. */
  readonly session?: { readonly path: string; readonly from: number };
}

/** What was said, beside what fits the message; of forgotten turns nothing. */
export interface Spoken {
  /** Finds the turn whose words a memory or an event is. */
  quotedBy(document: SearchDocument): SearchDocument | undefined;
  /** Gives a turn by its path and number. */
  turnAt(path: string, turn: number): SearchDocument | undefined;
  /** Lists what was said after each document and is near it, the nearest first; `least` is that of a link. */
  followersOf(
    documents: readonly SearchDocument[],
    options: { readonly most: number; readonly least: number },
  ): readonly (readonly Follower[])[];
  /** What links are found by. */
  readonly linkedBy: keyof typeof links;
}

/** Hits of one place stand together. */
interface Group {
  /** Files first, then memories, then conversations from the newest day on. */
  readonly rank: number;
  readonly day: string;
  readonly path: string;
  readonly heading: string;
  readonly headingTokens: number;
  readonly pieces: { piece: Piece; readonly order: number }[];
}

/** How a part is filled. */
export interface Filling extends HitStyle {
  readonly room: number;
  /** What has this score or less is left out. */
  readonly least: number;
  readonly unwanted: Unwanted;
  readonly spoken: Spoken;
  /** Turns that are shown whatever their score: all, where they are few. */
  readonly always: readonly SearchDocument[];
  /** Why hits are there; default: they fit the message. */
  readonly why?: string;
  /** Whether memories are shown by their gists also where there is room for more. */
  readonly gistFirst?: boolean;
}

const mostTokensOfLatest = 400;
const latestHeading = 'Nothing here has the words of the message. What was said last:';

/** Fills a part with what was said last, and says that it is that. Other words may mean the same, and a few lines hold a small memory. */
export function addLatest(part: Part, hits: readonly JudgedHit[], how: Filling): void {
  const tokens = how.meter.count(`${latestHeading}\n`);
  const why = 'nothing has the words of the message: among what was said last';
  const room = Math.min(how.room, mostTokensOfLatest) - tokens;
  // An event tells what its turn or its memory says, and a promise of the ledger may be kept by now.
  const said = hits.filter(({ hit: { document } }) => !isOfLog(document));
  addKnowledge(part, said, { ...how, room, why });
  if (part.pieces.length > 0) part.pieces.unshift({ source: 'what was said last', text: latestHeading, tokens, why });
}

/** Fills a part with the best hits that fit its room, and with what was said after them. Tells whether more hits could add nothing. */
export function addKnowledge(part: Part, hits: readonly JudgedHit[], how: Filling): boolean {
  const packing = new Packing(part, how);
  const found = hits.filter(({ score }) => score > how.least).map((hit) => asTurn(hit, how));
  const ranked = new Map(how.always.length === 0 ? [] : found.map((hit) => [sourceOf(hit.hit.document), hit]));
  // What was said again stands below the last day on which it was.
  for (const document of [...how.always].reverse()) {
    const hit = ranked.get(sourceOf(document));
    packing.add(hit ?? unranked(document), { most: Number.POSITIVE_INFINITY, ...(!hit && { why: whyAlways }) });
  }
  // Where not all has room, the best are whole and the rest are gists first, so that more of them are there.
  let whole = 0;
  const isTooMuch = found.some(({ hit }) => {
    whole += estimateTokens(hit.document.text.slice(0, mostWhole));
    return whole > how.room;
  });
  const brief = isTooMuch ? { isBrief: true as const } : {};
  for (const hit of found.slice(0, firstHits)) packing.add(hit);
  const followersOf = (hits: readonly JudgedHit[]) =>
    how.spoken.followersOf(
      hits.map(({ hit }) => hit.document),
      links[how.spoken.linkedBy].all,
    );
  const first = followersOf(found.slice(0, followedHits));
  const { first: firm } = links[how.spoken.linkedBy];
  const nearest = first.map((all) => all.filter(({ link }) => link >= firm.least).slice(0, firm.most));
  const near = nearTo(found, nearest, how);
  packing.within(how.room * followerShare, () => {
    for (const one of near) packing.addQuote(one);
  });
  for (const hit of found.slice(firstHits)) packing.add(hit, brief);
  packing.widen();
  if (packing.hasRoom) {
    const followers = [...first, ...followersOf(found.slice(followedHits, followedLast))];
    // How much each sounds like news takes longest, and mostly none of them fits any more.
    const fitting = followers.map((all) => (all.some(({ document }) => packing.mayFit(document)) ? all : []));
    for (const one of nearTo(found, fitting, how)) packing.addQuote(one);
  }
  packing.finish();
  return packing.misses > 0 || found.length < hits.length;
}

const whyAlways = 'little was said here: all of it is shown';
const whyNear = 'it was said after what fits the message, and is near it';
const whyAsked = 'what comes next answers it';

const unranked = (document: SearchDocument, score = 0): JudgedHit => ({
  hit: { document, snippet: document.text, highlights: [], line: document.line, score, parts: { lexical: 0 } },
  score,
  passages: [],
});

/** A claim that quotes a turn is that turn: it is shown whole. What an act ended keeps its line, which says so. */
function asTurn(judged: JudgedHit, { spoken, style }: Filling): JudgedHit {
  const { hit, ended, learnt } = judged;
  const turn = ended !== undefined && hasCome(ended, style.now) ? undefined : spoken.quotedBy(hit.document);
  if (turn === undefined) return judged;
  const also = [...(hit.also ?? []), { document: hit.document, score: hit.score }];
  const shown = { ...unranked(turn, hit.score).hit, line: turn.textLine ?? turn.line, parts: hit.parts, also };
  return { hit: shown, score: judged.score, passages: [], ...(learnt && { learnt }) };
}

/** A turn that was said after a hit, and the terms by which its fitting sentences are chosen. */
interface Near {
  readonly judged: JudgedHit;
  readonly terms: readonly string[];
}

const saysIt = ({ speaker, role }: SearchDocument): string | undefined => speaker ?? role;

/** Says how much a turn sounds like news. It ends nothing, and is learnt from English alone: others count as those that do not. */
const newsOf = oncePer(
  ({ text, language, role = 'user' }: SearchDocument): number => 1 + (language === 'en' ? changeIn(text, { role }) : 0),
);

/**
 * Lists followers of the first hits. Nearest to the best and like news comes first, what is near to several of them before that. What the
 * same speaker says counts more, and so does what is a hit itself.
 */
function nearTo(
  found: readonly JudgedHit[],
  followers: readonly (readonly Follower[])[],
  { terms, spoken }: Filling,
): Near[] {
  const { ofHit } = links[spoken.linkedBy];
  const scores = new Map(found.map(({ hit, score }) => [sourceOf(hit.document), ofHit * score]));
  const near = new Map<string, Near>();
  for (const [at, followed] of followers.entries()) {
    const { hit, score } = found[at]!;
    const own = saysIt(hit.document);
    const worth = (said: SearchDocument): number =>
      newsOf(said) * (saysIt(said) === own ? sameSpeaker : 1) * (1 + (scores.get(sourceOf(said)) ?? 0));
    const weighed = followed.map(({ document, link }) => ({ document, link: link * worth(document) }));
    for (const { document, link } of weighed.sort((one, other) => other.link - one.link).slice(0, kept)) {
      const known = near.get(sourceOf(document));
      near.set(sourceOf(document), {
        judged: unranked(document, (known?.judged.score ?? 0) + score * link),
        terms: known?.terms ?? [...terms, ...tokensOf(hit.document.text, hit.document.language)],
      });
    }
  }
  return [...near.values()].sort((one, other) => other.judged.score - one.judged.score);
}

interface Adding {
  /** So many characters are shown at most. */
  readonly most?: number;
  readonly why?: string;
  /** By which its fitting sentences are chosen; default: those of the message. */
  readonly terms?: readonly string[];
  /** It comes with another hit, and is not named where it is left out. */
  readonly isBeside?: true;
  /** Its gist is enough, until there is room for more. */
  readonly isBrief?: true;
}

/** Chooses pieces for a part until its room is full. */
class Packing {
  readonly #part: Part;
  readonly #how: Filling;
  readonly #groups = new Map<string, Group>();
  readonly #said: Set<string>;
  /** Places that are in the text as a whole. */
  readonly #shown = new Set<string>();
  readonly #told: Told;
  /** Pieces that show a part of a turn alone, by its source. */
  readonly #cut = new Map<string, { readonly group: Group; readonly at: number }>();
  /** Pieces that show a gist where the whole may find room, the best first. */
  readonly #brief: { readonly group: Group; readonly at: number; readonly whole: Piece }[] = [];
  #left: number;
  /** What found no place, by its source. */
  readonly #unplaced = new Map<string, Part['left'][number]>();
  misses = 0;

  constructor(part: Part, how: Filling) {
    this.#part = part;
    this.#how = how;
    this.#said = new Set(how.unwanted.spoken);
    this.#told = how.unwanted.told.copy();
    this.#left = how.room;
  }

  /** Whether a short turn may still fit. */
  get hasRoom(): boolean {
    return this.#left >= leastRoom;
  }

  /** Whether what was said may find room as a quote, by what it takes alone. What is cut, or is no turn, may. */
  mayFit(document: SearchDocument): boolean {
    const isKnown = document.turn !== undefined && document.text.length <= mostOfQuote && this.#left < this.#how.room;
    return !isKnown || pieceOf(unranked(document), document.text, mostOfQuote, whyNear, this.#how).tokens <= this.#left;
  }

  /** Adds while no more than so many tokens are spent. */
  within(room: number, add: () => void): void {
    const beyond = this.#left - Math.min(this.#left, room);
    this.#left -= beyond;
    add();
    this.#left += beyond;
  }

  /** Adds a hit, whole while there is room. */
  add(judged: JudgedHit, adding: Adding = {}): void {
    const source = sourceOf(judged.hit.document);
    const why = this.#place(judged, adding);
    if (why === undefined) this.#unplaced.delete(source);
    else if (!adding.isBeside && !this.#cut.has(source) && !this.#unplaced.has(source))
      this.#unplaced.set(source, { source, why, score: judged.score });
  }

  /** Says why a hit is left out; undefined where it is in the text by now. */
  #place(judged: JudgedHit, adding: Adding): string | undefined {
    const { document, also = [] } = judged.hit;
    if (this.#shown.has(sourceOf(document))) return undefined;
    const { room, unwanted, style, why: usual = 'it fits the message' } = this.#how;
    const { why = usual } = adding;
    const reason = reasonAgainst(document, unwanted) ?? reasonOfLog(judged, style);
    if (reason !== undefined) return reason;
    const fresh = this.#told.untold(document, unwanted.textOf);
    const words = normaliseForHash(fresh.text);
    // The same words on another day are said anew.
    const name = document.turn === undefined ? words : `${dayIn(document, style.timeZone)} ${words}`;
    if (words === '' || this.#said.has(words) || this.#said.has(name)) return 'it is in the text already';
    if (this.misses >= patience && !adding.isBeside) return 'no room';
    const key = groupKeyOf(document, style);
    const group = this.#groups.get(key) ?? newGroup(document, this.#how);
    const enclosing = group.pieces.length === 0 ? group.headingTokens : 0;
    const cut = this.#cut.get(sourceOf(document));
    const instead = cut === undefined ? 0 : cut.group.pieces[cut.at]!.piece.tokens;
    const { record, turn } = document;
    const isWhole = record !== undefined || turn !== undefined;
    const most = adding.most ?? (isWhole && fresh.text.length <= mostWhole ? mostWhole : mostCharacters);
    const pieceWith = (text: string, length: number) =>
      pieceOf(judged, text, length, why, { ...this.#how, terms: adding.terms ?? this.#how.terms });
    let piece = pieceWith(fresh.text, most);
    const page = group.pieces.length === 0 ? pageOf(judged, unwanted) : undefined;
    if (page !== undefined) {
      const whole = pieceOf(page, page.hit.document.text, mostWhole, why, this.#how);
      if (whole.tokens + enclosing <= this.#left * pageShare) piece = whole;
    }
    const { earlier } = unwanted;
    if (earlier && isHanded(piece.text, document.id, judged.ended !== undefined, earlier)) return handedBefore;
    // Whole while there is room; the short form only where the budget asks for it, or memory.yaml.
    const whole = piece;
    const gist = record?.gist ?? null;
    const isBrief = gist !== null && (this.#how.gistFirst === true || adding.isBrief === true);
    const shorter: [string, number][] = [];
    if (isBrief) piece = pieceWith(gist, mostWhole);
    else if (gist !== null) shorter.push([gist, mostWhole]);
    if (record !== undefined) shorter.push([fresh.text, mostCharacters]);
    if (record !== undefined || this.#left === room) shorter.push([fresh.text, shortest]);
    for (const [text, length] of shorter)
      if (piece.tokens + enclosing > this.#left + instead) piece = pieceWith(text, length);
    const cost = piece.tokens + enclosing - instead;
    if (cost > this.#left || (cut !== undefined && piece.isCut)) {
      if (cut === undefined && !adding.isBeside) this.misses += 1;
      return 'no room';
    }
    if (!adding.isBeside) this.misses = 0;
    this.#left -= cost;
    if (piece.isCut && turn !== undefined) this.#cut.set(sourceOf(document), { group, at: group.pieces.length });
    else {
      this.#said.add(name);
      this.#shown.add(sourceOf(document));
      if (record === undefined) this.#told.add(fresh.ids);
      for (const one of record === undefined ? also : [{ document }, ...also]) this.#told.addDocument(one.document);
    }
    if (cut !== undefined) {
      cut.group.pieces[cut.at]!.piece = piece;
      this.#cut.delete(sourceOf(document));
      return undefined;
    }
    if (isBrief && !this.#how.gistFirst) this.#brief.push({ group, at: group.pieces.length, whole });
    group.pieces.push({ piece, order: turn ?? document.line });
    this.#groups.set(key, group);
    this.#addAsked(document);
    return undefined;
  }

  /** Shows as a whole what stands there as a gist, where there is room for that. */
  widen(): void {
    for (const { group, at, whole } of this.#brief) {
      const more = whole.tokens - group.pieces[at]!.piece.tokens;
      if (more > this.#left) continue;
      this.#left -= more;
      group.pieces[at]!.piece = whole;
    }
  }

  /** Adds the fitting sentences of a turn that was said after a hit. */
  addQuote({ judged, terms }: Near): void {
    if (this.#cut.has(sourceOf(judged.hit.document))) return;
    this.add(judged, { most: mostOfQuote, terms, why: whyNear, isBeside: true });
  }

  /** A short answer, and what opens with an ellipsis, cannot be read alone: the turn before it comes along. */
  #addAsked({ path, turn, text }: SearchDocument): void {
    if (turn === undefined || turn < 2 || (text.length > shortAnswer && !/^\s*(?:…|\.\.\.)/.test(text))) return;
    const before = this.#how.spoken.turnAt(path, turn - 1);
    if (before === undefined || !(asks(before.text) || /^\s*(?:…|\.\.\.)/.test(text))) return;
    this.add(unranked(before), { most: shortest, why: whyAsked, isBeside: true });
  }

  /** Puts what was chosen into the part. */
  finish(): void {
    const { left, pieces } = this.#part;
    const unplaced = [...this.#unplaced.values()];
    const more = unplaced.length - namedLeft;
    left.push(...unplaced.slice(0, namedLeft));
    if (more > 0) left.push({ source: `${more} more`, why: 'ranked below these' });
    pieces.push(...[...this.#groups.values()].sort(byPlace).flatMap(piecesOf));
  }
}

/** A short page that people wrote, as a hit: its steps are no use one by one. A line with its source comes as its claim. */
function pageOf(judged: JudgedHit, { textOf }: Unwanted): JudgedHit | undefined {
  const { document } = judged.hit;
  if (document.isPassage === undefined || !document.path.startsWith('knowledge/')) return undefined;
  const file = textOf(document.path);
  const isOfClaims = (line: string): boolean => memoriesOfLine(line).length + sourcesOfLine(line).length > 0;
  if (file === null || file.length > mostWhole || file.split('\n').some(isOfClaims)) return undefined;
  // What is bent is shown as it is.
  const text = orElse(() => splitFrontMatter(file, document.path).body, file).trim();
  const line = file.slice(0, file.indexOf(text)).split('\n').length;
  const { score, parts } = judged.hit;
  const shown = { ...document, text, title: '', line, textLine: line };
  return { ...judged, hit: { document: shown, snippet: text, highlights: [], line, score, parts } };
}

function byPlace(a: Group, b: Group): number {
  const byDay = a.day > b.day ? -1 : a.day < b.day ? 1 : 0;
  return a.rank - b.rank || byDay || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** The heading of a group belongs to its first piece. */
function piecesOf({ heading, headingTokens, pieces }: Group): Piece[] {
  return [...pieces]
    .sort((a, b) => a.order - b.order)
    .map(({ piece }, at) =>
      at > 0 || heading === ''
        ? piece
        : { ...piece, text: `${heading}\n${piece.text}`, tokens: piece.tokens + headingTokens },
    );
}

function reasonAgainst(document: SearchDocument, { files, session }: Unwanted): string | undefined {
  const { path, turn, category } = document;
  if (category === 'topic') return 'a topic speaks only while it is active';
  const reason = files.get(path);
  if (reason !== undefined) return reason;
  if (session?.path === path && turn !== undefined && turn >= session.from) return 'it is in the session so far';
  return undefined;
}

/** A context has no room for events that no longer hold; what else is over is shown as such. */
function reasonOfLog({ hit: { document }, ended }: JudgedHit, { now }: EndingStyle): string | undefined {
  if (ended === undefined || !hasCome(ended, now) || !isOfLog(document)) return undefined;
  return `${ended.by ?? 'nothing'} took its place`;
}

function groupKeyOf(document: SearchDocument, { timeZone }: EndingStyle): string {
  if (isLine(document)) return '';
  return isSpoken(document) ? `${document.path} ${dayIn(document, timeZone)}` : document.path;
}

function newGroup(document: SearchDocument, { meter, style }: Filling): Group {
  const day = isSpoken(document) ? dayIn(document, style.timeZone) : '';
  const heading = isLine(document) ? 'Memories:' : isSpoken(document) ? `[${day}]` : labelOf(document.path);
  return {
    rank: isSpoken(document) ? 2 : isLine(document) ? 1 : 0,
    day,
    path: document.path,
    heading,
    headingTokens: heading === '' ? 0 : meter.count(`${heading}\n`),
    pieces: [],
  };
}
