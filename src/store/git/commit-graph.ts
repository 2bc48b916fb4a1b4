// The commit graph that native git leaves behind `gc` and `fetch`: tree, parents and time of each commit without reading it. Read only.
// Either one file or a chain of them, the lowest first. Format: https://git-scm.com/docs/gitformat-commit-graph

import { createHash } from 'node:crypto';
import type { Disk } from './disk.ts';
import { findOid } from './sorted-oids.ts';

/** What a walk over history asks of a commit. */
export interface CommitLinks {
  readonly tree: string;
  readonly parents: readonly string[];
  /** Committer time, seconds since the Unix epoch. */
  readonly time: number;
  /** 1 + the largest of the parents', where native git left it behind. */
  readonly generation?: number;
}

const headBytes = 8;
const noParent = 0x70000000;
const edgeFlag = 0x80000000;
const rowBytes = 36;

export class CommitGraph {
  private readonly layers: readonly GraphLayer[];

  /** Opens the graph of an object directory; `null` when there is none that is whole and of the version known here. */
  static open(disk: Disk, objectDirectory: string): CommitGraph | null {
    const single = readLayer(disk, `${objectDirectory}/info/commit-graph`, 0, 0);
    const layers = single === null ? readChain(disk, `${objectDirectory}/info/commit-graphs`) : [single];
    return layers.length === 0 ? null : new CommitGraph(layers);
  }

  private constructor(layers: readonly GraphLayer[]) {
    this.layers = layers;
  }

  /** Gives what the graph knows of a commit, or `null`. */
  linksOf(oid: string): CommitLinks | null {
    const wanted = Buffer.from(oid, 'hex');
    // The newest commits lie on top.
    for (let level = this.layers.length - 1; level >= 0; level--) {
      const layer = this.layers[level]!;
      const position = layer.find(wanted);
      if (position < 0) continue;
      const { tree, time, generation } = layer.rowAt(position);
      const parents = layer.parentPositions(position)?.map((parent) => this.oidAt(parent, level));
      if (!parents?.every((parent) => parent !== null)) return null;
      // Old versions of git wrote 0 where they had not counted.
      return { tree, parents, time, ...(generation === 0 ? {} : { generation }) };
    }
    return null;
  }

  /** Gives the id at a position, which counts through the layers from the lowest; a layer knows those below it. */
  private oidAt(position: number, level: number): string | null {
    for (let below = 0; below <= level; below++) {
      const { base, count, oidAt } = this.layers[below]!;
      if (position < base + count) return oidAt(position - base);
    }
    return null;
  }
}

/** Reads the files that the chain names, from the lowest up to one that is not whole or does not stand on those below it. */
function readChain(disk: Disk, directory: string): GraphLayer[] {
  const layers: GraphLayer[] = [];
  const chain = disk.read(`${directory}/commit-graph-chain`)?.toString('latin1') ?? '';
  let base = 0;
  for (const name of chain.split('\n')) {
    const layer = /^[0-9a-f]{40}$/.test(name)
      ? readLayer(disk, `${directory}/graph-${name}.graph`, layers.length, base)
      : null;
    const below = layers.map(({ checksum }) => checksum).join('');
    if (layer === null || layer.checksum !== name || layer.below !== below) break;
    layers.push(layer);
    base += layer.count;
  }
  return layers;
}

/** One file: its commits in order of their ids. */
class GraphLayer {
  /** How many commits lie in the layers below. */
  readonly base: number;
  readonly count: number;
  readonly checksum: string;
  /** The checksums of the layers below, one behind the other. */
  readonly below: string;
  private readonly fanOut: Buffer;
  private readonly oids: Buffer;
  private readonly rows: Buffer;
  private readonly edges: Buffer;

  constructor(
    chunks: { fanOut: Buffer; oids: Buffer; rows: Buffer; edges: Buffer; below: Buffer },
    checksum: string,
    base: number,
  ) {
    this.fanOut = chunks.fanOut;
    this.oids = chunks.oids;
    this.rows = chunks.rows;
    this.edges = chunks.edges;
    this.below = chunks.below.toString('hex');
    this.count = chunks.rows.length / rowBytes;
    this.checksum = checksum;
    this.base = base;
  }

  readonly oidAt = (position: number): string => this.oids.toString('hex', position * 20, position * 20 + 20);

  rowAt(position: number): { tree: string; time: number; generation: number } {
    const row = position * rowBytes;
    // 30 bits of generation number, then 34 bits of time.
    const high = this.rows.readUInt32BE(row + 28);
    const time = (high & 3) * 2 ** 32 + this.rows.readUInt32BE(row + 32);
    return { tree: this.rows.toString('hex', row, row + 20), time, generation: high >>> 2 };
  }

  /** Gives where the parents stand, counted through all layers; `null` where the file contradicts itself. */
  parentPositions(position: number): number[] | null {
    const row = position * rowBytes;
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
    return positions;
  }

  find(wanted: Buffer): number {
    const first = wanted[0]!;
    const low = first === 0 ? 0 : this.fanOut.readUInt32BE(first * 4 - 4);
    return findOid(this.oids, 0, low, this.fanOut.readUInt32BE(first * 4), wanted);
  }
}

/** Reads a file that has so many others below it; `null` unless it is whole and of the version known here. */
function readLayer(disk: Disk, path: string, layersBelow: number, base: number): GraphLayer | null {
  const bytes = disk.read(path);
  if (bytes === null || bytes.length < headBytes + 20) return null;
  const [version, hashVersion, chunkCount, baseCount] = bytes.subarray(4, headBytes);
  if (bytes.toString('latin1', 0, 4) !== 'CGPH' || version !== 1 || hashVersion !== 1) return null;
  if (baseCount !== layersBelow) return null;
  const end = bytes.length - 20;
  const checksum = bytes.subarray(end);
  if (!createHash('sha1').update(bytes.subarray(0, end)).digest().equals(checksum)) return null;
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
  const [edges, below] = ['EDGE', 'BASE'].map((name) => chunks.get(name) ?? Buffer.alloc(0)) as [Buffer, Buffer];
  return new GraphLayer({ fanOut, oids, rows, edges, below }, checksum.toString('hex'), base);
}
