// Measures how alike two files are as git does: the share of the larger one that was copied from the other. Follows
// diffcore_count_changes in diffcore-delta.c and estimate_similarity in diffcore-rename.c of git 2.47.

/** Git's scale: files that are the same have this score. */
export const maxScore = 60_000;

const hashBase = 107_927;
const maxPiece = 64;
const binaryProbe = 8_000;

/** A file cut into lines, or pieces of 64 bytes of longer ones: hash of a piece → bytes in such pieces. */
type Pieces = ReadonlyMap<number, number>;

function piecesOf(bytes: Buffer): Pieces {
  const isText = !bytes.subarray(0, binaryProbe).includes(0);
  const pieces = new Map<number, number>();
  let [low, high, length] = [0, 0, 0];
  const end = () => {
    const hash = (((low + Math.imul(high, 0x61)) >>> 0) % hashBase) >>> 0;
    pieces.set(hash, (pieces.get(hash) ?? 0) + length);
    [low, high, length] = [0, 0, 0];
  };
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes[place]!;
    // The CR of a CRLF does not count in a text.
    if (isText && byte === 0x0d && bytes[place + 1] === 0x0a) continue;
    const old = low;
    low = ((low << 7) ^ (high >>> 25)) >>> 0;
    high = ((high << 7) ^ (old >>> 25)) >>> 0;
    low = (low + byte) >>> 0;
    length += 1;
    if (length === maxPiece || byte === 0x0a) end();
  }
  if (length > 0) end();
  return pieces;
}

/** Compares files with many others, cutting each into pieces once. */
export class Similarity {
  private readonly bytes: Buffer;
  private pieces: Pieces | null = null;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Whether files of that size can reach a score at all. */
  canReach(size: number, minimum: number): boolean {
    const larger = Math.max(size, this.bytes.length);
    const difference = Math.abs(size - this.bytes.length);
    return larger * (maxScore - minimum) >= difference * maxScore;
  }

  /** Gives the score of a file that this one may come from, from 0 to {@link maxScore}; 0 when it cannot reach the minimum. */
  scoreOf(source: Buffer | Similarity, minimum: number): number {
    const other = source instanceof Similarity ? source : new Similarity(source);
    if (!this.canReach(other.bytes.length, minimum) || this.bytes.length === 0) return 0;
    const mine = this.cut();
    let copied = 0;
    for (const [hash, count] of other.cut()) copied += Math.min(count, mine.get(hash) ?? 0);
    return Math.trunc((copied * maxScore) / Math.max(other.bytes.length, this.bytes.length));
  }

  private cut(): Pieces {
    this.pieces ??= piecesOf(this.bytes);
    return this.pieces;
  }
}
