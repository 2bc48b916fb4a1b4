// A JSON list as its elements, one after the other, so that a file may be larger than what fits into memory. Finds where elements begin and
// end; what they are is for JSON.parse.

/** An element of a list: its text, or that it is too large or torn to be read. */
export type JsonElement = { readonly text: string } | { readonly why: 'is too large' | 'ends in the middle' };

const quote = 0x22;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject, comma] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c];
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Lists the elements of a JSON list that comes in pieces; a value that is no list is the one element. Takes memory for one element and one
 * piece.
 *
 * What is no JSON comes out as an element that JSON.parse refuses. A byte order mark is passed over.
 */
export function* jsonElements(pieces: Iterable<Buffer>, maxBytes: number): Generator<JsonElement> {
  let parts: Buffer[] = [];
  let length = 0;
  let isTooLarge = false;
  /** How many lists and objects are open, with the outermost list; 0 before anything, or where there is no list around. */
  let depth = 0;
  let hasBegun = false;
  let isList = false;
  let isEnded = false;
  let isText = false;
  let isEscaped = false;
  let isFirstPiece = true;

  const keep = (part: Buffer): void => {
    length += part.length;
    if (length > maxBytes) {
      isTooLarge = true;
      parts = [];
    } else if (part.length > 0 && !isTooLarge) parts.push(part);
  };
  const take = (isTorn: boolean): JsonElement | null => {
    const text = isTooLarge ? '' : Buffer.concat(parts).toString('utf8').trim();
    const wasTooLarge = isTooLarge;
    parts = [];
    length = 0;
    isTooLarge = false;
    if (wasTooLarge) return { why: 'is too large' };
    if (text === '') return null;
    return isTorn ? { why: 'ends in the middle' } : { text };
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
        continue;
      }
      if (!hasBegun) {
        if (isBlank(byte)) continue;
        hasBegun = true;
        isList = byte === openList;
        if (isList) {
          depth = 1;
          start = at + 1;
          continue;
        }
      }
      if (byte === quote) isText = true;
      else if (byte === openList || byte === openObject) depth += 1;
      else if (byte === closeList || byte === closeObject) depth -= 1;
      const isAfter = isList && ((depth === 1 && byte === comma) || (depth === 0 && !isEnded));
      if (!isAfter) continue;
      keep(piece.subarray(start, at));
      start = at + 1;
      if (depth === 0) isEnded = true;
      const element = take(false);
      if (element !== null) yield element;
    }
    keep(piece.subarray(start));
  }
  const rest = take(isList && !isEnded);
  if (rest !== null) yield rest;
}
