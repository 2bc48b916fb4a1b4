// The commit graph that native git leaves behind `gc`: tree, parents and time of each commit without reading it. Read only, and only
// the file that stands alone; a chain of split graphs is passed over. Format: https://git-scm.com/docs/gitformat-commit-graph

import { createHash } from 'node:crypto';
import type { Disk } from './disk.ts';
import { findOid } from './sorted-oids.ts';

/** What a walk over history asks of a commit. */
export interface CommitLinks {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Committer time, seconds since the Unix epoch. */
  readonly time: number;
}

const headBytes = 8;
const noParent = 0x70000000;
const edgeFlag = 0x80000000;
const rowBytes = 36;

export class CommitGraph {
  private readonly fanOut: Buffer;
  private readonly oids: Buffer;
  private readonly rows: Buffer;
  private readonly edges: Buffer;
  private readonly count: number;

  /** Opens the graph of an object directory; `null` when there is none that is whole and of the version known here. */
  static open(disk: Disk, objectDirectory: string): CommitGraph | null {
    const bytes = disk.read(`${objectDirectory}/info/commit-graph`);
    if (bytes === null || bytes.length < headBytes + 20) return null;
    const [version, hashVersion, chunkCount, baseCount] = bytes.subarray(4, headBytes);
    if (bytes.toString('latin1', 0, 4) !== 'CGPH' || version !== 1 || hashVersion !== 1 || baseCount !== 0) return null;
    const end = bytes.length - 20;
    if (!createHash('sha1').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end))) return null;
    const chunks = new Map<string, Buffer>();
    for (let row = 0; row < chunkCount!; row++) {
      const place = headBytes + row * 12;
      if (place + 24 > end) return null;
      const [from, to] = [Number(bytes.readBigUInt64BE(place + 4)), Number(bytes.readBigUInt64BE(place + 16))];
      if (from > to || to > end) return null;
      chunks.set(bytes.toString('latin1', place, place + 4), bytes.subarray(from, to));
    }
    const [fanOut, oids, rows] = ['OIDF', 'OIDL', 'CDAT'].map((name) => chunks.get(name));
    if (fanOut?.length !== 1024 || oids === undefined || rows === undefined) return null;
    const count = fanOut.readUInt32BE(1020);
    if (oids.length !== count * 20 || rows.length !== count * rowBytes) return null;
    for (let byte = 1; byte < 256; byte++) {
      if (fanOut.readUInt32BE(byte * 4) < fanOut.readUInt32BE(byte * 4 - 4)) return null;
    }
    return new CommitGraph(fanOut, oids, rows, chunks.get('EDGE') ?? Buffer.alloc(0));
  }

  private constructor(fanOut: Buffer, oids: Buffer, rows: Buffer, edges: Buffer) {
    this.fanOut = fanOut;
    this.oids = oids;
    this.rows = rows;
    this.edges = edges;
    this.count = rows.length / rowBytes;
  }

  /** Gives what the graph knows of a commit, or `null`. */
  linksOf(oid: string): CommitLinks | null {
    const position = this.find(Buffer.from(oid, 'hex'));
    if (position < 0) return null;
    const row = position * rowBytes;
    const parents = this.parentsAt(row);
    // 30 bits of generation number, which nobody asks for here, then 34 bits of time.
    const time = (this.rows.readUInt32BE(row + 28) & 3) * 2 ** 32 + this.rows.readUInt32BE(row + 32);
    return parents && { tree: this.rows.toString('hex', row, row + 20), parents, time };
  }

  private parentsAt(row: number): string[] | null {
    const [first, second] = [this.rows.readUInt32BE(row + 20), this.rows.readUInt32BE(row + 24)];
    if (first === noParent) return [];
    const positions = [first];
    if (second >= edgeFlag) {
      for (let place = (second - edgeFlag) * 4; ; place += 4) {
        if (place + 4 > this.edges.length) return null;
        const edge = this.edges.readUInt32BE(place);
        positions.push(edge % edgeFlag);
        if (edge >= edgeFlag) break;
      }
    } else if (second !== noParent) positions.push(second);
    if (positions.some((position) => position >= this.count)) return null;
    return positions.map((position) => this.oids.toString('hex', position * 20, position * 20 + 20));
  }

  private find(wanted: Buffer): number {
    const first = wanted[0]!;
    const low = first === 0 ? 0 : this.fanOut.readUInt32BE(first * 4 - 4);
    return findOid(this.oids, 0, low, this.fanOut.readUInt32BE(first * 4), wanted);
  }
}
