// The receipt of a purge: what went, in counts and hashes, never in words; `.memory/purges/<id>.json`, one file each.
//
// A guess can be tested against a hash, as against the ids of old commits. A short number can be found so.

import { createHash } from 'node:crypto';
import { formatJson, objectAt } from '../../base/canonical-json.ts';

export const receiptFolder = '.memory/purges';

/** By what a text is known again: a cheap hash of every stretch of its length, and a sure one of those that fit. */
export interface TextPrint {
  readonly salt: string;
  /** UTF-8 bytes of the text in small letters, white space as single spaces. */
  readonly bytes: number;
  readonly rolling: number;
  readonly sha256: string;
  /** The case of its letters counts: it is too short to be meant by whatever is written like it. */
  readonly isCased?: boolean;
}

/** By what a path is known again. */
export interface PathPrint {
  readonly salt: string;
  readonly sha256: string;
}

export interface PurgeReceipt {
  readonly version: 1;
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly by: string;
  readonly what: 'text' | 'id' | 'session' | 'path' | 'times';
  /** What came from that alone went, too. */
  readonly derived?: true;
  readonly epoch: number;
  readonly counts: {
    readonly commits: number;
    readonly objects: number;
    readonly files: number;
    readonly messages: number;
    /** Commits and tags that lost their signature. */
    readonly signatures: number;
  };
  /** The oldest commits that were rewritten: any history that holds one of them holds what was purged. */
  readonly cut: readonly string[];
  readonly refs: readonly { readonly ref: string; readonly before: string; readonly after: string | null }[];
  readonly texts: readonly TextPrint[];
  readonly paths: readonly PathPrint[];
  /** What replaces a text, where that is not the mark with the id. */
  readonly replacement?: string;
}

/** A text so long is meant whatever the case of its letters; `Ann` is not meant by `annual`. */
export const leastAnyCase = 12;

export const receiptPath = (id: string): string => `${receiptFolder}/${id}.json`;

export const formatReceipt = (receipt: PurgeReceipt): string =>
  formatJson(receipt as unknown as Record<string, unknown>);

/** Parses a receipt; null for what is none, so that a file of another tool does no harm. */
export function parseReceipt(text: string, path: string): PurgeReceipt | null {
  const raw = objectAt(text, path);
  if (raw.version !== 1 || typeof raw.id !== 'string') return null;
  const isList = (key: string) => Array.isArray(raw[key]);
  return ['cut', 'refs', 'texts', 'paths'].every(isList) ? (raw as unknown as PurgeReceipt) : null;
}

/**
 * Gives the epoch that receipts prove: the highest that one of them began, and 0 without any. What else a file says of an epoch counts for
 * nothing, so that one number written down by somebody locks no machine out.
 */
export function epochOfReceipts(receipts: readonly PurgeReceipt[]): number {
  const isProof = ({ epoch, cut }: PurgeReceipt) => Number.isSafeInteger(epoch) && epoch > 0 && cut.length > 0;
  return receipts.filter(isProof).reduce((highest, { epoch }) => Math.max(highest, epoch), 0);
}

/** Takes away what writing a text down adds to it: escapes, quotation marks of Markdown, line breaks. */
function plainOf(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\\+[nrt]/g, ' ')
    .replaceAll('\\', '')
    .replace(/\s+(?:>\s*)*/gu, ' ')
    .trim();
}

function normalised(text: string, isCased = false): Buffer {
  const plain = plainOf(text);
  return Buffer.from(isCased ? plain : plain.toLowerCase());
}

const hashOf = (salt: string, bytes: Uint8Array | string): string =>
  createHash('sha256').update(salt).update(bytes).digest('hex');

const factor = 0x01000193;

/** A polynomial over the bytes, modulo 2^32 (Rabin and Karp, 1987). */
function rollingOf(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) value = (Math.imul(value, factor) + byte) >>> 0;
  return value;
}

/** `salt` is a word that no other print has. */
export function printOfText(text: string, salt: string): TextPrint {
  const isCased = text.length < leastAnyCase;
  const bytes = normalised(text, isCased);
  const print = { salt, bytes: bytes.length, rolling: rollingOf(bytes), sha256: hashOf(salt, bytes) };
  return isCased ? { ...print, isCased } : print;
}

export const printOfPath = (path: string, salt: string): PathPrint => ({ salt, sha256: hashOf(salt, path) });

/** Tells whether a path itself is one that was purged. */
export const isPrintOf = ({ salt, sha256 }: PathPrint, path: string): boolean => hashOf(salt, path) === sha256;

/** Tells whether a text holds one that was purged, whatever white space it has there. */
export const holdsPurged = (text: string, prints: readonly TextPrint[]): boolean =>
  forms(text, prints).some(({ bytes, print }) => !stretchesOf(bytes, print).next().done);

/**
 * Finds purged texts again in a text that holds them: each as it is written there, in one line and without escapes.
 *
 * A hash alone tells that a text is held; what is found so is what can be looked for in all its other forms.
 */
export function purgedTextsIn(text: string, prints: readonly TextPrint[]): string[] {
  const found = new Set<string>();
  for (const { bytes, print } of forms(text, prints)) {
    for (const [start, end] of stretchesOf(bytes, print)) {
      const plain = plainOf(text);
      // Large letters may have other lengths than small ones; then the small ones are all that is known.
      const isAlike = Buffer.byteLength(plain) === bytes.length;
      found.add((isAlike ? Buffer.from(plain) : bytes).subarray(start, end).toString('utf8'));
    }
  }
  return [...found];
}

/** A text by the letters that each print counts. */
function forms(text: string, prints: readonly TextPrint[]): { readonly bytes: Buffer; readonly print: TextPrint }[] {
  if (prints.length === 0) return [];
  const cased = prints.some(({ isCased }) => isCased === true) ? normalised(text, true) : null;
  const small = prints.some(({ isCased }) => isCased !== true) ? normalised(text) : null;
  return prints.map((print) => ({ bytes: (print.isCased === true ? cased : small)!, print }));
}

function* stretchesOf(
  bytes: Buffer,
  { salt, bytes: length, rolling, sha256 }: TextPrint,
): Generator<readonly [start: number, end: number], void> {
  if (length < 1 || bytes.length < length) return;
  let highest = 1;
  for (let i = 1; i < length; i++) highest = Math.imul(highest, factor) >>> 0;
  let value = rollingOf(bytes.subarray(0, length));
  for (let end = length; ; end++) {
    if (value === rolling && hashOf(salt, bytes.subarray(end - length, end)) === sha256) yield [end - length, end];
    if (end === bytes.length) return;
    const without = (value - Math.imul(bytes[end - length]!, highest)) >>> 0;
    value = (Math.imul(without, factor) + bytes[end]!) >>> 0;
  }
}
