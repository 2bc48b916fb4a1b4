// The file format of kept segments. Read as it lies: numbers are views of the bytes that were read, and nothing is parsed.
//
//   0    24  "git-memory-words 5\n" and zeros.
//   24    4  bytes of the head h, 28  4  CRC-32 of what follows in it       numbers are as this machine writes them.
//   32    4  bytes of the directory d, and zeros.
//   40   32  SHA-256 of the fingerprint of whatever shaped the content.
//   72    d  directory: JSON, { size, documents: bytes, sections: [[name, offset, length, bytes of a number]] }.
//        …   sections, each at a multiple of 8, those of words as narrow as their largest number lets them be.
//   h    …   documents, each with a checksum of its own, so that one is read without the others.

import { createHash } from 'node:crypto';
import { crc32 } from '../store/git/crc32.ts';
import { type FileColumns, FileTable, fileColumnNames } from './file-table.ts';
import { numberNames, type Postings, type Whole } from './postings.ts';
import { type Columns, columnNames, type ReadDocuments, type Segment } from './segment.ts';

const mark = Buffer.alloc(24);
mark.write('git-memory-words 5\n', 'latin1');
const checksumAt = 28;
const fingerprintAt = 40;
const directoryAt = 72;

/** So many bytes tell how long the head is. */
export const leadBytes = 32;

type Numbers = Whole | Float64Array;

const postingsNames = ['terms', ...numberNames] as const;

/** By the bytes of one number. */
const types = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array } as const;

/** Gives the same numbers in as few bytes as the largest needs. */
function narrowed(numbers: Whole): Whole {
  let most = 0;
  for (let at = 0; at < numbers.length; at++) if (numbers[at]! > most) most = numbers[at]!;
  const Type = types[most < 2 ** 8 ? 1 : most < 2 ** 16 ? 2 : 4];
  return numbers instanceof Type ? numbers : Type.from(numbers);
}

interface Directory {
  readonly size: number;
  readonly documents: number;
  readonly sections: readonly (readonly [name: string, offset: number, length: number, bytes: keyof typeof types])[];
}

const rounded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

const fingerprintHash = (fingerprint: string): Buffer => createHash('sha256').update(fingerprint).digest();

const checksumOf = (head: Buffer): number => crc32(head.subarray(leadBytes));

/** Formats a segment; undefined when its documents cannot be read. */
export function formatSegment(segment: Segment, fingerprint: string): Buffer[] | undefined {
  const { files, columns, facets, postings, size } = segment;
  const documentBytes = size === 0 ? 0 : columns.ends[size * 2 - 1]!;
  const documents = segment.documents(0, documentBytes);
  if (documents?.length !== documentBytes) return undefined;
  const sections: [string, Numbers][] = [
    ...fileColumnNames.map((name): [string, Numbers] => [name, files.columns[name]]),
    // JSON holds no NUL.
    ['facetTexts', Buffer.from(facets.join('\0'))],
    ...postingsNames.map((name): [string, Numbers] => [`words ${name}`, narrowed(postings[name])]),
    ...columnNames.map((name): [string, Numbers] => [name, columns[name]]),
  ];
  const spans: Directory['sections'][number][] = [];
  // The directory is written with offsets from its own end, since they decide how long it is.
  let end = 0;
  for (const [name, numbers] of sections) {
    spans.push([name, end, numbers.length, numbers.BYTES_PER_ELEMENT as keyof typeof types]);
    end += rounded(numbers.byteLength);
  }
  const directory = Buffer.from(
    JSON.stringify({ size, documents: documentBytes, sections: spans } satisfies Directory),
  );
  const base = rounded(directoryAt + directory.length);
  const head = Buffer.alloc(base + end);
  mark.copy(head, 0);
  head.writeUInt32LE(head.length, 24);
  head.writeUInt32LE(directory.length, leadBytes);
  fingerprintHash(fingerprint).copy(head, fingerprintAt);
  directory.copy(head, directoryAt);
  for (const [index, [, numbers]] of sections.entries()) {
    head.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), base + spans[index]![1]);
  }
  head.writeUInt32LE(checksumOf(head), checksumAt);
  return [head, Buffer.from(documents.buffer, documents.byteOffset, documents.length)];
}

/** Says how many bytes the head has by the first {@link leadBytes}; undefined when they begin no such file. */
export function headBytesOf(lead: Buffer): number | undefined {
  if (lead.length < leadBytes || !lead.subarray(0, 24).equals(mark)) return undefined;
  const bytes = lead.readUInt32LE(24);
  return bytes < directoryAt ? undefined : bytes;
}

/**
 * Makes a segment of the head of a file of `fileBytes`; undefined when it is damaged, cut short, or of another fingerprint.
 *
 * `documents` reads bytes from behind the head. The segment is a view of `head`, which must not change.
 */
export function parseSegment(
  head: Buffer,
  fileBytes: number,
  fingerprint: string,
  documents: ReadDocuments,
): Segment | undefined {
  if (head.length < directoryAt || headBytesOf(head) !== head.length) return undefined;
  if (!head.subarray(fingerprintAt, directoryAt).equals(fingerprintHash(fingerprint))) return undefined;
  if (head.readUInt32LE(checksumAt) !== checksumOf(head)) return undefined;
  // What has this checksum was written by the code above.
  const directoryBytes = head.readUInt32LE(leadBytes);
  const base = rounded(directoryAt + directoryBytes);
  const directory = JSON.parse(head.toString('utf8', directoryAt, directoryAt + directoryBytes)) as Directory;
  if (fileBytes !== head.length + directory.documents) return undefined;
  // Buffers of Node begin at a multiple of 8; others are copied to where one does.
  const bytes = head.byteOffset % 8 === 0 ? head : Buffer.from(new Uint8Array(head).buffer);
  const sections = Object.fromEntries(
    directory.sections.map(([name, offset, length, size]): [string, Numbers] => [
      name,
      new types[size](bytes.buffer as ArrayBuffer, bytes.byteOffset + base + offset, length),
    ]),
  );
  const named = <Shape>(names: readonly string[], prefix = ''): Shape =>
    Object.fromEntries(names.map((name) => [name, sections[`${prefix}${name}`]])) as Shape;
  const bytesIn = ({ buffer, byteOffset, byteLength }: Numbers) => Buffer.from(buffer, byteOffset, byteLength);
  const files = named<FileColumns>(fileColumnNames);
  const postings = named<Postings>(postingsNames, 'words ');
  return {
    size: directory.size,
    files: new FileTable({ ...files, names: bytesIn(files.names) }),
    columns: named<Columns>(columnNames),
    facets: directory.size === 0 ? [] : bytesIn(sections.facetTexts!).toString('utf8').split('\0'),
    postings: { ...postings, terms: bytesIn(postings.terms) },
    documents,
  };
}
