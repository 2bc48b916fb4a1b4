// JSON as its values, one after the other, so that a file may be larger than what fits into memory. Finds where values begin and end; what they
// are is for JSON.parse.
import { attempt } from './errors.ts';

/** A value: its text, or that it is too large or torn to be read. */
export type JsonElement = { readonly text: string } | { readonly why: 'is too large' | 'ends in the middle' };

/** A value with the keys and the places in lists that lead to it: `['chats', 'list', 3, 'name']`. */
export type JsonItem = JsonElement & { readonly path: readonly (string | number)[] };

/** Tells whether the members of a list or object are wanted one by one. */
export type Opens = (path: readonly (string | number)[], isList: boolean) => boolean;

const quote = 0x22;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject, comma, colon] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c, 0x3a];
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isOpening = (byte: number): boolean => byte === openList || byte === openObject;
const isClosing = (byte: number): boolean => byte === closeList || byte === closeObject;

/** Bytes of one value, up to so many, from several pieces. */
class Kept {
  private parts: Buffer[] = [];
  private length = 0;
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  add(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.most) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  /** Gives the value and begins anew; null where there is none. */
  take(isTorn = false): JsonElement | null {
    const isTooLarge = this.length > this.most;
    const text = isTooLarge ? '' : Buffer.concat(this.parts).toString('utf8').trim();
    this.parts = [];
    this.length = 0;
    if (isTooLarge) return { why: 'is too large' };
    if (text === '') return null;
    return isTorn ? { why: 'ends in the middle' } : { text };
  }
}

/** A list or object whose members come one by one; `key` is that of the next, null where an object has not named it. */
interface Frame {
  readonly isList: boolean;
  key: string | number | null;
}

/**
 * Lists the values of a JSON text that comes in pieces: of lists and objects that `opens` wants, the members, of others the whole. Takes memory
 * for one value and one piece.
 *
 * What is no JSON comes out as a value that JSON.parse refuses. A byte order mark is passed over.
 */
export function* jsonItems(pieces: Iterable<Buffer>, maxBytes: number, opens: Opens): Generator<JsonItem> {
  const frames: Frame[] = [];
  const kept = new Kept(maxBytes);
  let state: 'between' | 'key' | 'value' = 'between';
  /** Lists and objects that are open within the value. */
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isFirstPiece = true;

  const path = () => frames.map(({ key }) => key ?? '');
  const onward = (): void => {
    const frame = frames.at(-1);
    if (frame !== undefined) frame.key = typeof frame.key === 'number' ? frame.key + 1 : null;
    state = 'between';
  };

  for (const given of pieces) {
    const piece =
      isFirstPiece && given.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? given.subarray(3) : given;
    isFirstPiece = false;
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isText = false;
        if (isText || state !== 'key') continue;
        kept.add(piece.subarray(start, at + 1));
        const key = kept.take();
        frames.at(-1)!.key = key !== null && 'text' in key ? keyOf(key.text) : '';
        state = 'between';
        continue;
      }
      if (state === 'between') {
        if (isBlank(byte) || (frames.length > 0 && (byte === comma || byte === colon))) continue;
        const frame = frames.at(-1);
        if (frame !== undefined && isClosing(byte)) {
          frames.pop();
          onward();
          continue;
        }
        if (isOpening(byte) && opens(path(), byte === openList)) {
          frames.push({ isList: byte === openList, key: byte === openList ? 0 : null });
          continue;
        }
        start = at;
        depth = 0;
        state = frame !== undefined && !frame.isList && frame.key === null && byte === quote ? 'key' : 'value';
      }
      if (byte === quote) isText = true;
      else if (isOpening(byte)) depth += 1;
      else if (isClosing(byte) && depth > 0) depth -= 1;
      else if (frames.length > 0 && depth === 0 && (byte === comma || isClosing(byte))) {
        kept.add(piece.subarray(start, at));
        const found = kept.take();
        if (found !== null) yield { ...found, path: path() };
        onward();
        if (byte !== comma) {
          frames.pop();
          onward();
        }
      }
    }
    if (state !== 'between') kept.add(piece.subarray(start));
  }
  const rest = kept.take(frames.length > 0) ?? (frames.length > 0 ? { why: 'ends in the middle' as const } : null);
  if (rest !== null) yield { ...rest, path: path() };
}

const keyOf = (text: string): string => attempt(() => String(JSON.parse(text)), text);
