// What fits the message (P3): ranked hits, packed so that as many as possible find room. The turns of a conversation stand below its day,
// in the order in which they were said; sections stand below the name of their file. So each costs its words and little more.

import { oncePerValue } from '../../base/once-per.ts';
import { normaliseForHash } from '../../base/text.ts';
import { formatTime } from '../../base/time.ts';
import { mountFolder } from '../../guard/path.ts';
import { splitFrontMatter } from '../../records/front-matter.ts';
import { memoriesOfLine, sourcesOfLine } from '../../records/knowledge-marks.ts';
import { hasCome, type JudgedHit } from '../../search/judged-hit.ts';
import type { SearchDocument } from '../../search/search-document.ts';
import { snippetOf } from '../../search/snippet.ts';
import { cutMounted } from '../../store/mounts.ts';
import { asContent, asSpoken, indented, labelOf } from './data-text.ts';
import type { Meter } from './meter.ts';
import { type EndingStyle, endingMark, type Marks, markedText } from './outdated.ts';
import type { Part, Piece } from './part.ts';
import { type Earlier, handedBefore, isHanded } from './since.ts';
import { memoryOf, type Told } from './told.ts';

/** Of one hit at most so many characters are shown (spec 5 §6.3); a memory is whole while there is room. */
const mostCharacters = 500;
const mostOfMemory = 2000;
/** Where there is no room for more: about a sentence. */
const shortest = 240;
/** A page that takes no more than this share of the room is shown whole. */
const pageShare = 0.25;
/** After so many hits in a row that did not fit, no smaller one is looked for. */
const patience = 24;
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
  /** Names a memory so that no other of the view has the same beginning. */
  handleOf(id: string): string;
  /** What the agent was handed already. */
  readonly earlier?: Earlier;
  /** Words of the window, as {@link normaliseForHash} gives them. */
  readonly spoken: ReadonlySet<string>;
  /** Turns of this transcript from that number on are in the window. */
  readonly session?: { readonly path: string; readonly from: number };
}

/** Hits of one place stand together. */
interface Group {
  /** Files first, then memories, then conversations from the oldest on. */
  readonly rank: number;
  readonly time: number;
  readonly path: string;
  readonly heading: string;
  readonly headingTokens: number;
  readonly pieces: { readonly piece: Piece; readonly order: number }[];
}

/** How a part is filled; `terms` are those of the query. */
export interface Filling {
  readonly room: number;
  readonly meter: Meter;
  readonly terms: readonly string[];
  readonly least: number;
  readonly unwanted: Unwanted;
  readonly style: EndingStyle;
  /** Why hits are there; default: they fit the message. */
  readonly why?: string;
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

/** Fills a part with the best hits that fit its room. Tells whether more hits could add nothing. */
export function addKnowledge(part: Part, hits: readonly JudgedHit[], how: Filling): boolean {
  const { room, meter, least, unwanted, style } = how;
  const groups = new Map<string, Group>();
  const said = new Set(unwanted.spoken);
  const told = unwanted.told.copy();
  let left = room;
  let misses = 0;
  let unnamed = 0;
  // Ids and turns of what is in the text.
  const shown = new Set<string>();
  const leave = ({ hit: { document }, score }: JudgedHit, why: string): void => {
    if (part.left.length < namedLeft) part.left.push({ source: sourceOf(document), why, score });
    else unnamed += 1;
  };
  for (const hit of hits) {
    const { document } = hit.hit;
    if (hit.score <= least) break;
    const reason = reasonAgainst(document, unwanted) ?? reasonOfLog(hit, style);
    if (reason !== undefined) {
      leave(hit, reason);
      continue;
    }
    const fresh = told.untold(document, unwanted.textOf);
    const words = normaliseForHash(fresh.text);
    if (words === '' || said.has(words)) {
      leave(hit, 'it is in the text already');
      continue;
    }
    if (misses >= patience) {
      leave(hit, 'no room');
      continue;
    }
    const key = groupKeyOf(document);
    const group = groups.get(key) ?? newGroup(document, meter);
    const pieceWith = (text: string, most: number) =>
      pieceOf(hit, text, most, how, {
        ...style,
        markOf: (ending) => endingMark(ending, style, shown.has(ending.by ?? '')),
      });
    const enclosing = group.pieces.length === 0 ? group.headingTokens : 0;
    const { record } = document;
    let piece = pieceWith(fresh.text, record === undefined ? mostCharacters : mostOfMemory);
    const page = group.pieces.length === 0 ? pageOf(hit, unwanted) : undefined;
    if (page !== undefined) {
      const whole = pieceOf(page, page.hit.document.text, mostOfMemory, how, {
        ...style,
        markOf: (ending) => endingMark(ending, style, false),
      });
      if (whole.tokens + enclosing <= left * pageShare) piece = whole;
    }
    if (
      unwanted.earlier !== undefined &&
      isHanded(piece.text, document.id, hit.ended !== undefined, unwanted.earlier)
    ) {
      leave(hit, handedBefore);
      continue;
    }
    // Whole while there is room; the short form only where the budget asks for it.
    const shorter: [string, number][] = [];
    if (record?.gist != null) shorter.push([record.gist, mostOfMemory]);
    if (record !== undefined) shorter.push([fresh.text, mostCharacters]);
    if (record !== undefined || left === room) shorter.push([fresh.text, shortest]);
    for (const [text, most] of shorter) if (piece.tokens + enclosing > left) piece = pieceWith(text, most);
    const cost = piece.tokens + enclosing;
    if (cost > left) {
      misses += 1;
      leave(hit, 'no room');
      continue;
    }
    misses = 0;
    left -= cost;
    said.add(words);
    for (const name of namesOf(hit.hit)) shown.add(name);
    told.add([...fresh.ids, ...(hit.hit.also ?? []).flatMap(({ document: also }) => memoryOf(also) ?? [])]);
    group.pieces.push({ piece, order: document.turn ?? document.line });
    groups.set(key, group);
  }
  if (unnamed > 0) part.left.push({ source: `${unnamed} more`, why: 'ranked below these' });
  part.pieces.push(...[...groups.values()].sort(byPlace).flatMap(piecesOf));
  return misses > 0 || (hits.at(-1)?.score ?? 0) <= least;
}

/** A short page that people wrote, as a hit: its steps are no use one by one. A line with its source comes as its claim. */
function pageOf(judged: JudgedHit, { textOf }: Unwanted): JudgedHit | undefined {
  const { document } = judged.hit;
  if (document.isPassage === undefined || !document.path.startsWith('knowledge/')) return undefined;
  const file = textOf(document.path);
  const isOfClaims = (line: string): boolean => memoriesOfLine(line).length + sourcesOfLine(line).length > 0;
  if (file === null || file.length > mostOfMemory || file.split('\n').some(isOfClaims)) return undefined;
  const text = withoutFrontMatter(file, document.path).trim();
  const line = file.slice(0, file.indexOf(text)).split('\n').length;
  const { score, parts } = judged.hit;
  const shown = { ...document, text, title: '', line, textLine: line };
  return { ...judged, hit: { document: shown, snippet: text, highlights: [], line, score, parts } };
}

function withoutFrontMatter(file: string, path: string): string {
  try {
    return splitFrontMatter(file, path).body;
  } catch {
    // What is bent is shown as it is.
    return file;
  }
}

function byPlace(a: Group, b: Group): number {
  return a.rank - b.rank || a.time - b.time || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
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

/** A turn that only says that it was heard. */
const acknowledgement =
  /^\W*(?:(?:ok(?:ay)?|noted|thanks?|thank you|got it|sure|great|alright|all right|understood|will do|fine|cool|perfect|roger|done|good|hm+|mm+)\W*){1,3}$/i;

function reasonAgainst(document: SearchDocument, { files, session, told }: Unwanted): string | undefined {
  const { path, turn, category, text } = document;
  if (category === 'topic') return 'a topic speaks only while it is active';
  if (turn !== undefined && acknowledgement.test(text)) return 'it says only that something was heard';
  if (told.isEcho(document)) return 'it repeats what is in the text';
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

/** By what an ending may name a hit: the memory that it is, or its turn. */
function namesOf({ document: { id, path, turn } }: JudgedHit['hit']): string[] {
  return [...(id === undefined ? [] : [id]), ...(turn === undefined ? [] : [`${path}#${turn}`])];
}

function sourceOf({ path, turn, line }: SearchDocument): string {
  return turn === undefined ? `${path}:${line}` : `${path}#${turn}`;
}

const isOfLog = ({ category }: SearchDocument): boolean => category === 'ledger' || category === 'event';
const isSpoken = ({ category }: SearchDocument): boolean => category === 'conversation';
const isLine = ({ category }: SearchDocument): boolean => category === 'memory' || category === 'ledger';

function groupKeyOf(document: SearchDocument): string {
  return isLine(document) ? '' : document.path;
}

const dayMs = 86_400_000;
const nameOfDay = oncePerValue((day: number) => formatTime(day * dayMs).slice(0, 10));
const dayOfDocument = ({ time }: SearchDocument): string =>
  time === undefined ? '' : nameOfDay(Math.floor(time / dayMs));

function newGroup(document: SearchDocument, meter: Meter): Group {
  const heading = isLine(document)
    ? 'Memories:'
    : isSpoken(document)
      ? `[${dayOfDocument(document)}]`
      : labelOf(document.path);
  return {
    rank: isSpoken(document) ? 2 : isLine(document) ? 1 : 0,
    time: isSpoken(document) ? (document.time ?? 0) : 0,
    path: document.path,
    heading,
    headingTokens: heading === '' ? 0 : meter.count(`${heading}\n`),
    pieces: [],
  };
}

function pieceOf(
  judged: JudgedHit,
  said: string,
  most: number,
  { terms, meter, unwanted, why = 'it fits the message' }: Filling,
  marks: Marks,
): Piece {
  const { hit, score } = judged;
  const { document, parts } = hit;
  const { text: words, isCut } = shortened(said, terms, most);
  const marked = markedText(words, judged, marks);
  const handle = document.category === 'memory' ? handleOf(document, unwanted) : (document.id ?? '');
  const text = rendered(document, handle, marked.text, marked.mark);
  const piece: { -readonly [Key in keyof Piece]: Piece[Key] } = {
    source: sourceOf(document),
    path: document.path,
    line: isCut ? hit.line : (document.textLine ?? document.line),
    text,
    tokens: meter.count(`${text}\n`),
    score,
    parts,
    why,
  };
  if (document.id !== undefined) piece.id = document.id;
  if (document.turn !== undefined) piece.turn = document.turn;
  if (isCut) piece.isCut = true;
  return piece;
}

/** A memory of another repository has no id here: it is named by its mount. */
function handleOf({ id, path }: SearchDocument, unwanted: Unwanted): string {
  if (id !== undefined) return unwanted.handleOf(id);
  const mounted = cutMounted(path);
  return mounted === null ? '' : `${mountFolder}/${mounted.name}`;
}

const oneLineOf = (text: string): string => (text.includes('\n') ? indented(text).replace(/\n\s*/g, ' ') : text);

function shortened(
  text: string,
  terms: readonly string[],
  most: number,
): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= most) return { text, isCut: false };
  return { text: snippetOf(text, terms, most).text, isCut: true };
}

/** Writes a hit as the text shows it; a `mark` of the whole comes before what is said, or behind a line. */
function rendered(document: SearchDocument, handle: string, words: string, mark?: string): string {
  const behind = mark === undefined ? '' : ` ${mark}`;
  if (isSpoken(document)) return asSpoken(`${document.speaker ?? document.role ?? ''}${behind}`, words);
  const content = asContent(words);
  if (isLine(document)) {
    const day = dayOfDocument(document);
    return `- [${handle}] ${oneLineOf(content)}${day === '' ? '' : ` (${day})`}${behind}`;
  }
  const heading = headingOf(document);
  return heading === '' ? `${content}${behind}` : `## ${heading}${behind}\n${content}`;
}

/** The heading of a section; its title is the headings above it, the name of the file, and what front matter calls it. That of a box lists words it says. */
function headingOf({ title, path, category }: SearchDocument): string {
  if (category === 'box') return '';
  const lines = (title ?? '').split('\n');
  const fileName = path.replace(/^.*\//, '').replace(/\.[a-z]+$/, '');
  const at = lines.indexOf(fileName);
  return asContent(lines[(at < 0 ? lines.length : at) - 1] ?? '');
}
