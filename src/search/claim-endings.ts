// What of a hit no longer holds, as the claims of its view say. A hit's claims are those that it is, that were taken from its turn, or that
// its lines name.
//
//     memory ─► itself     turn ─► what was taken from it     line ─► [memory: id], [source: path#turn]     box ─► its memories
//
// A hit is over when all of its claims are; words that no claim was made of are nobody's to judge. A turn never is: it was said.

import type { MemoryRecord } from '../base/types/stored-types.ts';
import { wordsOfClaim } from '../store/claims/claim.ts';
import { memoriesIn } from '../store/records/box-file.ts';
import { isSaidBy, sourcesOfLine, wordsOfLine } from '../store/records/knowledge-marks.ts';
import type { Ended, EndedPassage } from './judged-hit.ts';
import type { SearchDocument } from './search-document.ts';
import { type Claim, type Claims, endsSometime } from './view-claims.ts';

/** What the claims of a hit say of it. */
export interface ClaimsOfHit {
  /** All claims that it tells. */
  readonly claims: readonly Claim[];
  readonly ended?: Ended;
  readonly passages: readonly EndedPassage[];
}

/** A passage of a document, and where its claims are looked for. */
interface Passage {
  /** Words of the document's text; absent where each claim says its own. */
  readonly words?: string;
  readonly ids: readonly string[];
  readonly turns: readonly string[];
}

const owner = /\[memory: ([^\]\s]+)\]/g;
const isSaid = ({ turn, category }: SearchDocument): boolean => turn !== undefined || category === 'daily';
const isTurnName = (source: string): boolean => /#\d+$/.test(source);

/**
 * Judges documents by the claims of their view, in their order; `textAt` reads a file of the view, null where it cannot.
 *
 * Nothing is read where no claim of the view ever ends.
 */
export function endingsOf(
  documents: readonly SearchDocument[],
  claims: Claims,
  textAt: (path: string) => string | null,
): ClaimsOfHit[] {
  if (!claims.hasEnds) return documents.map(() => ({ claims: [], passages: [] }));
  const passages = documents.map((document) => passagesOf(document, textAt));
  const taken = claims.takenFrom(new Set(passages.flat().flatMap(({ turns }) => turns)));
  return passages.map((own, at) => judged(own, claims, taken, isSaid(documents[at]!)));
}

/** Lists the lines of a page or box that name their memories, as its document shows them; none for any other document. */
export function namedLines(
  document: SearchDocument,
  textAt: (path: string) => string | null,
): readonly { readonly words: string; readonly ids: readonly string[] }[] {
  const { record, turn, tells } = document;
  if (record !== undefined || turn !== undefined || tells !== undefined) return [];
  return passagesOf(document, textAt).flatMap(({ words, ids }) =>
    words === undefined || ids.length === 0 ? [] : [{ words, ids }],
  );
}

function passagesOf(document: SearchDocument, textAt: (path: string) => string | null): Passage[] {
  const { path, category, record, turn, tells, text } = document;
  if (record !== undefined) return [{ words: text, ids: [record.id], turns: [] }];
  if (turn !== undefined) return [{ ids: [], turns: [`${path}#${turn}`] }];
  if (category === 'daily') return [{ ids: [], turns: turnsOfNote(document) }];
  if (tells !== undefined) return [{ words: text, ids: [tells.memory], turns: [] }];
  if (category === 'box') return passagesOfBox(document, textAt);
  return passagesOfLines(document, textAt);
}

/** The lines of a daily note are turns, by their numbers. */
function turnsOfNote({ path, text, textLine = 1 }: SearchDocument): string[] {
  return text.split('\n').flatMap((words, at) => (saysSomething(words) ? [`${path}#${textLine + at}`] : []));
}

/** Of one hit the passages are asked for several times. */
const knownOfBoxes = new WeakMap<SearchDocument, Passage[]>();

function passagesOfBox(document: SearchDocument, textAt: (path: string) => string | null): Passage[] {
  let passages = knownOfBoxes.get(document);
  if (passages !== undefined) return passages;
  const file = textAt(document.path);
  const lines = new Set(document.text.split('\n'));
  passages = memoriesIn(file ?? '')
    .filter(({ words }) => lines.has(words))
    .map(({ id, words }) => ({ words, ids: [id], turns: [] }));
  if (file !== null) knownOfBoxes.set(document, passages);
  return passages;
}

/** Lines of a markdown file; its document shows them without the marks that say where they come from. */
function passagesOfLines({ path, text, textLine }: SearchDocument, textAt: (path: string) => string | null): Passage[] {
  if (textLine === undefined || !path.startsWith('knowledge/')) return [];
  const written = textAt(path)?.split('\n');
  return text.split('\n').flatMap((words, at) => {
    return saysSomething(words) ? [{ words, ...namedBy(written?.[textLine + at - 1] ?? '') }] : [];
  });
}

const saysSomething = (words: string): boolean => /\p{L}/u.test(words) && !words.startsWith('#');

/** What a line names as its claims. */
function namedBy(line: string): Pick<Passage, 'ids' | 'turns'> {
  return { ids: [...line.matchAll(owner)].map(([, id]) => id!), turns: sourcesOfLine(line).filter(isTurnName) };
}

/** Tells whether lines of a file may name claims, so that none that names none costs a look at the claims of its view. */
export function namesClaims(text: string): boolean {
  return text.includes('[memory: ') || text.includes('[source: ');
}

/** Finds which lines of a file ended, or will: 0-based line → ending. */
export function endingsOfLines(text: string, claims: Claims): Map<number, Ended> {
  const endings = new Map<number, Ended>();
  if (!claims.hasEnds) return endings;
  const lines = text.split('\n').map((line, at) => ({ at, words: wordsOfLine(line), ...namedBy(line) }));
  const naming = lines.filter(({ words, ids, turns }) => saysSomething(words) && ids.length + turns.length > 0);
  const taken = claims.takenFrom(new Set(naming.flatMap(({ turns }) => turns)));
  for (const { at, words, ids, turns } of naming) {
    const told = claimsOfPassage(words, ids, turns, claims, taken);
    if (told.length > 0 && told.every(({ record }) => endsSometime(record))) endings.set(at, lastOf(told, claims));
  }
  return endings;
}

function judged(
  passages: readonly Passage[],
  view: Claims,
  taken: ReadonlyMap<string, readonly Claim[]>,
  wasSaid: boolean,
): ClaimsOfHit {
  const all: Claim[] = [];
  const ended: EndedPassage[] = [];
  let areAllOver = passages.length > 0;
  for (const { words, ids, turns } of passages) {
    const claims = claimsOfPassage(words, ids, turns, view, taken);
    const over = claims.filter(({ record }) => endsSometime(record));
    const isOver = over.length > 0 && over.length === claims.length;
    all.push(...claims);
    if (!isOver) areAllOver = false;
    else if (words !== undefined) ended.push({ words, ...lastOf(over, view) });
  }
  // What was said was said: an ending of what was taken from a turn is none of the turn's.
  if (wasSaid) return { claims: all, passages: [] };
  return { claims: all, passages: ended, ...(areAllOver ? { ended: lastOf(all, view) } : {}) };
}

function claimsOfPassage(
  words: string | undefined,
  ids: readonly string[],
  turns: readonly string[],
  view: Claims,
  taken: ReadonlyMap<string, readonly Claim[]>,
): readonly Claim[] {
  const named = ids.flatMap((id) => view.find(id) ?? []);
  if (named.length > 0) return named;
  const said = turns.flatMap((turn) => taken.get(turn) ?? []);
  if (words === undefined || said.length < 2) return said;
  // A line says one of the things that were taken from its turn.
  const same = said.filter(({ record }) => says(words, record));
  return same.length > 0 ? same : said;
}

function says(line: string, { content, statement }: MemoryRecord): boolean {
  const words = line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, '');
  return isSaidBy(words, content) || (statement !== undefined && isSaidBy(words, statement));
}

/** Tells when a claim ended or will, and what holds in its place. */
export function endingOf({ validUntil, replacedBy }: MemoryRecord, view: Successors): Ended {
  const next = replacedBy === undefined ? undefined : successorOf(replacedBy, view);
  return {
    ...(validUntil === undefined ? {} : { until: validUntil }),
    ...(replacedBy === undefined ? {} : { by: replacedBy }),
    ...(next === undefined ? {} : { now: wordsOfClaim(next.record) }),
  };
}

/** What is looked up of those that took a place. */
interface Successors {
  find(id: string): { readonly record: MemoryRecord } | undefined;
}

/** The claim that holds at the end of a row of replacements, or nothing where that is over too. */
function successorOf(id: string, view: Successors): ReturnType<Successors['find']> {
  const seen = new Set<string>();
  let claim = view.find(id);
  while (claim !== undefined && endsSometime(claim.record)) {
    seen.add(claim.record.id);
    const { replacedBy } = claim.record;
    claim = replacedBy === undefined || seen.has(replacedBy) ? undefined : view.find(replacedBy);
  }
  return claim;
}

/** Of several claims the ending of the last one: until then something of it held. */
function lastOf(claims: readonly Claim[], view: Claims): Ended {
  const endings = claims.map(({ record }) => endingOf(record, view));
  return endings.reduce((last, ending) => ((ending.until ?? 0) > (last.until ?? 0) ? ending : last));
}
