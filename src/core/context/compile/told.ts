// What a text has already, so that nothing comes twice. A claim has its turn, its record, an event, and lines of pages and boxes; all of
// them name it.

import { normaliseForHash, withoutEmptySections } from '../../../base/text.ts';
import { namedLines, type SearchDocument } from '../../../search/index.ts';
import { splitFrontMatter } from '../../../store/records/front-matter.ts';
import { isTurn, ownersOfLine, saidBy, sourcesOfLine } from '../../../store/records/knowledge-marks.ts';
import { turnsIn } from '../../../store/records/vitals.ts';
import { type ShownFiles, withTexts } from './outdated.ts';
import type { StandingClaim } from './standing-claims.ts';

/** What of a document is new, and which memories it tells of. */
export interface Untold {
  /** Empty where all of it is in the text. */
  readonly text: string;
  readonly ids: readonly string[];
}

/** Which claims a turn brought, and from which turns a claim is. */
export interface Origins {
  /** Turns as `path#turn`, and the words that were said there. */
  turnsOf(id: string): readonly { readonly turn: string; readonly said: string }[];
  /** Memories that were taken from a turn. */
  claimsOf(turn: string): readonly string[];
}

const itemMark = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
const noOrigins: Origins = { turnsOf: () => [], claimsOf: () => [] };

/** Grows as the text does. */
export class Told {
  readonly #origins: Origins;
  readonly #ids = new Set<string>();
  /** Turn, as `path#turn` → the words of it that the text has. */
  readonly #turns = new Map<string, Set<string>>();

  constructor(claims: readonly StandingClaim[] = [], origins: Origins = noOrigins) {
    this.#origins = origins;
    for (const { ids, text } of claims) this.add(ids, saidBy(text));
  }

  copy(): Told {
    const copy = new Told([], this.#origins);
    for (const id of this.#ids) copy.#ids.add(id);
    for (const [turn, said] of this.#turns) copy.#turns.set(turn, new Set(said));
    return copy;
  }

  /** Adds memories and events; `words` are those by which the text has them, where these are not their own. */
  add(ids: Iterable<string>, words?: string): void {
    for (const id of ids) {
      this.#ids.add(id);
      for (const { turn, said } of this.#origins.turnsOf(id)) this.#addTaken(turn, words ?? said);
    }
  }

  /** Adds the memory that a document is, or tells of. */
  addDocument(document: SearchDocument): void {
    const { record } = document;
    if (record === undefined) this.add([memoryOf(document)].filter((id) => id !== undefined));
    else {
      this.#ids.add(record.id);
      for (const turn of turnsIn(record)) this.#addTaken(turn, record.content);
    }
  }

  /** Adds words of a turn, `path#turn`, and the memories that quote it. */
  addTurn(turn: string, words: string, ids: Iterable<string>): void {
    this.#addWords(turn, words);
    this.add(ids);
  }

  /** Tells whether the text has a sentence of a turn, `path#turn`. */
  has(turn: string, sentence: string): boolean {
    const words = normaliseForHash(sentence);
    return [...(this.#turns.get(turn) ?? [])].some((known) => known.includes(words)) || this.#hasWords(turn, sentence);
  }

  /** Adds what the lines of a file were written from. */
  addFile(files: ShownFiles, path: string): void {
    for (const line of files.textIfWhole(path)?.split('\n') ?? []) {
      const origins = originsOf(line);
      const words = saidBy(line.replace(itemMark, ''));
      this.add(origins, words);
      for (const turn of origins.filter(isTurn)) this.#addWords(turn, words);
    }
  }

  /** Shows files of a state without the lines of the engine that the text has. Headings that are empty then go, too. */
  filesOf(files: ShownFiles): ShownFiles {
    return withTexts(files, (text, path) => {
      if (this.#ids.size === 0 || !path.startsWith('knowledge/')) return text;
      const lines = text.split('\n');
      const kept = lines.filter((line) => !this.hasAll(originsOf(line)));
      if (kept.length === lines.length) return text;
      return withoutEmptySections(kept.join('\n')).replace(/\n{3,}/g, '\n\n');
    });
  }

  /** Gives what of a document the text has not yet; `textOf` reads its file. */
  untold(document: SearchDocument, textOf: (path: string) => string | null): Untold {
    const { text, path, turn } = document;
    const own = [memoryOf(document), isEvent(document.id) ? document.id : undefined].filter((id) => id !== undefined);
    if (own.length > 0) return own.some((id) => this.#ids.has(id)) ? nothing : { text, ids: own };
    if (turn !== undefined) {
      const name = `${path}#${turn}`;
      if (this.#hasWords(name, text)) return nothing;
      return { text, ids: this.#origins.claimsOf(name) };
    }
    if (this.hasAll(originsOfPage(path, textOf))) return nothing;
    const named = namedLines(document, textOf);
    const gone = new Set(named.filter(({ ids }) => this.hasAll(ids)).map(({ words }) => words));
    if (gone.size === 0) return { text, ids: named.flatMap(({ ids }) => ids) };
    const lines = text.split('\n').filter((line) => !gone.has(line));
    const isEmpty = !lines.some((line) => !line.startsWith('#') && normaliseForHash(line) !== '');
    return { text: isEmpty ? '' : lines.join('\n'), ids: named.flatMap(({ ids }) => ids) };
  }

  #addTaken(turn: string, said: string): void {
    this.#addWords(turn, said);
    // A line that was taken from the turn before the claim was says it again.
    this.#ids.add(turn);
  }

  #addWords(turn: string, said: string): void {
    const known = this.#turns.get(turn) ?? new Set();
    this.#turns.set(turn, known.add(normaliseForHash(said)));
  }

  /** Tells whether the text has all words of a turn, in one passage or several. */
  #hasWords(turn: string, text: string): boolean {
    const known = this.#turns.get(turn);
    if (known === undefined) return false;
    let rest = normaliseForHash(text);
    for (const words of known) rest = rest.replace(words, '');
    return rest.trim() === '';
  }

  /** Tells whether the text has all of some memories or events; of none it has none. */
  hasAll(ids: readonly string[]): boolean {
    return ids.length > 0 && ids.every((id) => this.#ids.has(id));
  }
}

const nothing: Untold = { text: '', ids: [] };

/** The memory that a document is, or tells of as an event. */
const memoryOf = ({ record, tells }: SearchDocument): string | undefined => record?.id ?? tells?.memory;

/** The memories, else the turns or events, that a line of the engine was written from; what a person wrote names none. */
function originsOf(line: string): readonly string[] {
  const owners = ownersOfLine(line);
  return owners.length > 0 ? owners : sourcesOfLine(line).filter(isEvent);
}

/** A page of one rule, insight or procedure names its memory or event in front matter. */
function originsOfPage(path: string, textOf: (path: string) => string | null): readonly string[] {
  if (!/^knowledge\/(?:principles|insights|procedures)\//.test(path)) return [];
  const { data } = splitFrontMatter(textOf(path) ?? '', path);
  const { memory, source } = data as { readonly memory?: unknown; readonly source?: unknown };
  return [memory ?? source].filter((id): id is string => typeof id === 'string');
}

const isEvent = (source: string | undefined): boolean => source?.startsWith('EVT-') === true;
