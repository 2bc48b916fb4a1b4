// A segment: the documents of some files, ready to be searched, and immutable. Made once per content, wherever it is shown.
// Numbers are in columns, one value per document; what is shown of a document is decoded when it is shown.

import { sha256Hex } from '../base/hash.ts';
import { oncePerValue } from '../base/once-per.ts';
import { saysWhen } from '../language/index.ts';
import { isOver } from '../store/claims/claim.ts';
import { crc32 } from '../store/git/crc32.ts';
import { turnsIn } from '../store/records/vitals.ts';
import { embeddedTextOf } from './embedded-text.ts';
import { FileTable, type SegmentFile } from './file-table.ts';
import { joinPostings, type Postings, PostingsBuilder } from './postings.ts';
import type { IndexedDocument, ReadDocument, SearchDocument } from './search-document.ts';
import { keyOf, keyWords } from './vectors/key-index.ts';

/** Bits of the column `flags`. */
export const flag = {
  spoken: 1,
  /** Archived or superseded. */
  hidden: 2,
  /** It ends in a question, or in a few words behind one. */
  asks: 4,
  /** It says when. */
  hasTime: 8,
  /** It is a passage of a file that is found as a whole. */
  passage: 16,
  retold: 32,
  superseded: 64,
  /** A memory that ended, or will. */
  ends: 128,
  /** The speaker is known by role alone: the person, or the assistant. */
  person: 256,
  assistant: 512,
} as const;

/** In the column `sources`: a memory of several turns. */
export const severalSources = 0xffffffff;

/** By document; a column of width w holds w values each. `NaN` stands for what a document does not have. */
export interface Columns {
  readonly flags: Uint16Array;
  /** The 1-based line where it starts. */
  readonly lines: Uint32Array;
  /** When it happened, and when it was last of interest, in milliseconds. */
  readonly times: Float64Array;
  readonly freshTimes: Float64Array;
  /** How strong a memory is, 0 to 1, and how often it was used. */
  readonly strengths: Float64Array;
  readonly uses: Float64Array;
  /** A number for who speaks. */
  readonly voices: Uint32Array;
  /** Which of the segment's facets it has. */
  readonly facets: Uint32Array;
  /** Of a memory: the {@link sourceNumber} of the turn it was taken from, {@link severalSources} of more than one; else 0. */
  readonly sources: Uint32Array;
  /** Width 2: where its properties and its text end in `documents`; they begin where the one before ends. */
  readonly ends: Uint32Array;
  readonly checksums: Uint32Array;
  /** Width 4: the key of the text that an embedder is given, under which its vector is kept. */
  readonly texts: Uint32Array;
}

/** The type and width of each column. */
export const columnShapes = {
  flags: [Uint16Array, 1],
  lines: [Uint32Array, 1],
  times: [Float64Array, 1],
  freshTimes: [Float64Array, 1],
  strengths: [Float64Array, 1],
  uses: [Float64Array, 1],
  voices: [Uint32Array, 1],
  facets: [Uint32Array, 1],
  sources: [Uint32Array, 1],
  ends: [Uint32Array, 2],
  checksums: [Uint32Array, 1],
  texts: [Uint32Array, keyWords],
} as const satisfies Record<keyof Columns, readonly [unknown, number]>;

export const columnNames = Object.keys(columnShapes) as (keyof Columns)[];

/** What filters ask of a document, beside its time. */
export type Facet = Pick<SearchDocument, 'category' | 'session' | 'tags' | 'entities' | 'language' | 'speaker'> & {
  readonly kind?: string;
};

/** Gives the bytes from `start` to `end` of all documents of a segment; undefined when they cannot be read. */
export type ReadDocuments = (start: number, end: number) => Uint8Array | undefined;

export interface Segment {
  readonly size: number;
  readonly files: FileTable;
  readonly columns: Columns;
  /** Facets as JSON. */
  readonly facets: readonly string[];
  readonly postings: Postings;
  readonly documents: ReadDocuments;
}

function emptyColumns(size: number): Columns {
  return Object.fromEntries(
    Object.entries(columnShapes).map(([name, [Type, width]]) => [name, new Type(size * width)]),
  ) as unknown as Columns;
}

/** Copies the first rows of columns into others with more or less room. */
function copyOf(columns: Columns, rows: number, room: number): Columns {
  const copy = emptyColumns(room);
  for (const name of columnNames) copy[name].set(columns[name].subarray(0, rows * columnShapes[name][1]) as never);
  return copy;
}

/** Gives the facet of a document as JSON, which leaves out what is undefined. */
function facetOf({ category, session, tags, entities, language, speaker, role, record }: ReadDocument): string {
  return JSON.stringify({
    category,
    kind: record?.category,
    session,
    tags: tags?.length === 0 ? undefined : tags,
    entities: entities?.length === 0 ? undefined : entities,
    language,
    speaker: speaker ?? role,
  } satisfies { [Key in keyof Facet]: Facet[Key] | undefined });
}

/** Says how strong a memory is and how much it was used, 0 to 1. */
function strengthOf({ record }: ReadDocument): number {
  return record === undefined ? Number.NaN : Math.min(1, record.strength / 2 + Math.log2(1 + record.useCount) / 10);
}

/** Gives a turn, `path#turn`, a number by which to look for what was taken from it; others may have the same. */
export function sourceNumber(turn: string): number {
  const number = crc32(Buffer.from(turn));
  return number === 0 || number === severalSources ? 1 : number;
}

function sourcesOf({ record }: ReadDocument): number {
  const [first, ...others] = record === undefined ? [] : turnsIn(record);
  return first === undefined ? 0 : others.length > 0 ? severalSources : sourceNumber(first);
}

/** People say a word on after their question: "Where do you sleep? It rains." So much may follow. */
const endsAsking = /(?:\?(?=[\s"'”’)*_]|$)|[？؟])[^?？؟]{0,80}$/;

function flagsOf(document: ReadDocument): number {
  const { status, record, turn, text, speaker, role } = document;
  const isNamed = speaker !== undefined && speaker.toLowerCase() !== role;
  const voice =
    turn === undefined || isNamed ? 0 : role === 'user' ? flag.person : role === 'agent' ? flag.assistant : 0;
  return (
    (turn === undefined ? 0 : flag.spoken) |
    (status === 'archived' || status === 'superseded' ? flag.hidden : 0) |
    (endsAsking.test(text.slice(-200)) ? flag.asks : 0) |
    (saysWhen(text.slice(0, 4000)) ? flag.hasTime : 0) |
    (document.isPassage ? flag.passage : 0) |
    (record === undefined && document.tells === undefined ? 0 : flag.retold) |
    (status === 'superseded' ? flag.superseded : 0) |
    (record !== undefined && isOver(record, Number.POSITIVE_INFINITY) ? flag.ends : 0) |
    voice
  );
}

/** Gives what is decoded again beside path and text, as JSON, which leaves out what is undefined. Written out, since copies take longer. */
function propertiesOf(document: Partial<ReadDocument>): string {
  return JSON.stringify({
    category: document.category,
    line: document.line,
    textLine: document.textLine,
    title: document.title,
    language: document.language,
    isPassage: document.isPassage,
    context: document.context,
    tags: document.tags,
    entities: document.entities,
    id: document.id,
    session: document.session,
    turn: document.turn,
    speaker: document.speaker,
    role: document.role,
    time: document.time,
    status: document.status,
    record: document.record,
    tells: document.tells,
  } satisfies Record<keyof Omit<ReadDocument, 'path' | 'text'>, unknown>);
}

/** Gives what the turns of a file have in common, as JSON; their category is always of it. */
function sharedByTurns({ line, textLine, turn, role, speaker, time, ...shared }: ReadDocument): string {
  return propertiesOf(shared);
}

/** Bytes that come one by one. */
class GrowingBytes {
  #bytes = Buffer.allocUnsafe(1 << 16);
  size = 0;

  write(text: string): void {
    // A unit of UTF-16 has three bytes at most.
    const most = this.size + text.length * 3;
    if (most > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(most, this.#bytes.length * 2));
      grown.set(this.taken(0));
      this.#bytes = grown;
    }
    this.size += this.#bytes.write(text, this.size);
  }

  taken(from: number): Buffer {
    return this.#bytes.subarray(from, this.size);
  }
}

/** Numbers texts from 0 in the order they come. */
class Numbering {
  readonly #numbers = new Map<string, number>();

  get texts(): string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    return number;
  }
}

/** Makes a segment of files, one after the other; nothing of a document is held but what the segment will have. */
export class SegmentBuilder {
  readonly #files: Pick<SegmentFile, 'name' | 'count'>[] = [];
  readonly #facets = new Numbering();
  readonly #bytes = new GrowingBytes();
  readonly #postings = new PostingsBuilder();
  readonly #voiceOf = oncePerValue((name: string) => crc32(Buffer.from(name)));
  readonly #quoted = oncePerValue((name: string) => JSON.stringify(name));
  /** Of the file that is added: its turns differ in who speaks, and share the rest of their facet. */
  readonly #facetsOfTurns = new Map<string | undefined, number>();
  /** Of the file that is added: the properties that its turns share, as JSON without the brace that opens it. */
  #sharedByTurns: string | undefined;
  #columns = emptyColumns(256);
  #size = 0;

  /** The number of its documents. */
  get size(): number {
    return this.#size;
  }

  get fileCount(): number {
    return this.#files.length;
  }

  add(name: string, documents: readonly IndexedDocument[]): void {
    this.#files.push({ name, count: documents.length });
    this.#facetsOfTurns.clear();
    this.#sharedByTurns = undefined;
    for (const { document, terms } of documents) {
      this.#postings.add(terms);
      this.#write(document);
    }
  }

  #write(document: ReadDocument): void {
    const row = this.#size++;
    if (row === this.#columns.lines.length) this.#columns = copyOf(this.#columns, row, row * 2);
    const columns = this.#columns;
    const { record, time = Number.NaN, turn, speaker, role } = document;
    columns.flags[row] = flagsOf(document);
    columns.voices[row] = turn === undefined ? 0 : this.#voiceOf(speaker ?? role ?? '');
    columns.lines[row] = document.line;
    columns.times[row] = time;
    columns.freshTimes[row] = record === undefined ? time : Math.max(record.lastUsed, record.createdAt) * 1000;
    columns.strengths[row] = strengthOf(document);
    columns.uses[row] = record?.useCount ?? Number.NaN;
    columns.facets[row] = this.#facetOf(document);
    columns.sources[row] = sourcesOf(document);
    columns.texts.set(keyOf(sha256Hex(embeddedTextOf(document))), row * keyWords);
    const start = this.#bytes.size;
    this.#bytes.write(document.turn === undefined ? propertiesOf(document) : this.#propertiesOfTurn(document));
    columns.ends[row * 2] = this.#bytes.size;
    this.#bytes.write(document.text);
    columns.ends[row * 2 + 1] = this.#bytes.size;
    columns.checksums[row] = crc32(this.#bytes.taken(start));
  }

  #propertiesOfTurn(document: ReadDocument): string {
    const { line, textLine, turn, role, speaker, time } = document;
    let own = `{"line":${line},"turn":${turn},`;
    if (textLine !== undefined) own += `"textLine":${textLine},`;
    if (speaker !== undefined) own += `"speaker":${this.#quoted(speaker)},`;
    if (role !== undefined) own += `"role":${this.#quoted(role)},`;
    if (time !== undefined) own += `"time":${time},`;
    this.#sharedByTurns ??= sharedByTurns(document).slice(1);
    return own + this.#sharedByTurns;
  }

  #facetOf(document: ReadDocument): number {
    if (document.turn === undefined) return this.#facets.numberOf(facetOf(document));
    const who = document.speaker ?? document.role;
    let facet = this.#facetsOfTurns.get(who);
    if (facet === undefined) {
      facet = this.#facets.numberOf(facetOf(document));
      this.#facetsOfTurns.set(who, facet);
    }
    return facet;
  }

  finish(): Segment {
    return {
      size: this.#size,
      files: FileTable.of(this.#files),
      columns: copyOf(this.#columns, this.#size, this.#size),
      facets: this.#facets.texts,
      postings: this.#postings.finish(),
      documents: bytesOf(Buffer.from(this.#bytes.taken(0))),
    };
  }
}

/** Gives documents that are in memory. */
export function bytesOf(bytes: Uint8Array): ReadDocuments {
  return (start, end) => bytes.subarray(start, end);
}

/** Says from where to where the bytes of a document go. */
function spanOf({ columns: { ends } }: Segment, row: number): { start: number; middle: number; end: number } {
  return { start: row === 0 ? 0 : ends[row * 2 - 1]!, middle: ends[row * 2]!, end: ends[row * 2 + 1]! };
}

/** Decodes a document; undefined when its bytes cannot be read or are not those that were written. */
export function decodeDocument(segment: Segment, row: number, path: string): ReadDocument | undefined {
  const { start, middle, end } = spanOf(segment, row);
  const bytes = segment.documents(start, end);
  if (bytes === undefined || bytes.length !== end - start || crc32(bytes) !== segment.columns.checksums[row]) {
    return undefined;
  }
  const read = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const properties = JSON.parse(read.toString('utf8', 0, middle - start)) as Omit<ReadDocument, 'path' | 'text'>;
  const text = read.toString('utf8', middle - start);
  return { ...properties, path, text };
}

/** Gives the text of a document and nothing else, without a look at its checksum. */
export function textAt(segment: Segment, row: number): string {
  const { middle, end } = spanOf(segment, row);
  const bytes = segment.documents(middle, end);
  return bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Puts segments together, without the files that are not wanted, by number; undefined when documents cannot be read. */
export function joinSegments(
  segments: readonly Segment[],
  isWanted: (number: number) => boolean = () => true,
): Segment | undefined {
  const files: SegmentFile[] = [];
  let size = 0;
  const parts = segments.map((segment) => {
    const rowOf = new Int32Array(segment.size).fill(-1);
    for (let number = 0; number < segment.files.length; number++) {
      if (!isWanted(number)) continue;
      const file = segment.files.at(number);
      for (let at = 0; at < file.count; at++) rowOf[file.first + at] = size + at;
      files.push(file);
      size += file.count;
    }
    return { segment, rowOf };
  });
  const columns = emptyColumns(size);
  const facets = new Numbering();
  const documents: Uint8Array[] = [];
  let end = 0;
  for (const { segment, rowOf } of parts) {
    for (const [row, to] of rowOf.entries()) {
      if (to < 0) continue;
      for (const name of columnNames) {
        const width = columnShapes[name][1];
        columns[name].set(segment.columns[name].subarray(row * width, (row + 1) * width) as never, to * width);
      }
      columns.facets[to] = facets.numberOf(segment.facets[segment.columns.facets[row]!]!);
      const span = spanOf(segment, row);
      columns.ends[to * 2] = end + span.middle - span.start;
      columns.ends[to * 2 + 1] = end += span.end - span.start;
    }
    for (const { start, end: until } of keptSpans(segment, rowOf)) {
      const bytes = segment.documents(start, until);
      if (bytes?.length !== until - start) return undefined;
      documents.push(bytes);
    }
  }
  return {
    size,
    files: FileTable.of(files),
    columns,
    facets: facets.texts,
    postings: joinPostings(
      parts.map(({ segment: { postings }, rowOf }) => ({ postings, rowOf })),
      size,
    ),
    documents: bytesOf(Buffer.concat(documents)),
  };
}

/** Lists the runs of bytes of the documents that go on. */
function* keptSpans(segment: Segment, rowOf: Int32Array): Generator<{ start: number; end: number }> {
  for (let row = 0; row < rowOf.length; row++) {
    if (rowOf[row]! < 0) continue;
    const { start } = spanOf(segment, row);
    while (row + 1 < rowOf.length && rowOf[row + 1]! >= 0) row += 1;
    yield { start, end: spanOf(segment, row).end };
  }
}
