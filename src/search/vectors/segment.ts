// The file format of kept vectors. A segment is written once, whole, and never changed.
//
//   0    24  "git-memory-vectors 1\n" and zeros
//   24    4  dimensions d       all integers are little-endian
//   28    4  number of vectors n
//   32   32  SHA-256 of the embedder's fingerprint
//   64   32  SHA-256 of the bytes before and behind this field
//   96       n × 16 bytes: keys;  n × 4: factors, 32-bit floating point;  n × d: signed bytes

import { createHash } from 'node:crypto';
import { isLittleEndian } from '../../base/sorted.ts';
import { keyWords } from './key-index.ts';

/** Vectors as a segment holds them; index i belongs to the key, the factor and the `dimensions` integers at i. */
export interface Segment {
  readonly keys: Uint32Array;
  readonly scales: Float32Array;
  readonly integers: Int8Array;
}

const mark = Buffer.alloc(24);
mark.write('git-memory-vectors 1\n', 'latin1');
const headerBytes = 96;

/** Gives the bytes that so many vectors take in a segment, without its header. */
export const bytesOf = (count: number, dimensions: number): number => count * (keyWords * 4 + 4 + dimensions);

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Formats a segment. */
export function formatSegment({ keys, scales, integers }: Segment, fingerprint: string): Buffer {
  const count = scales.length;
  const dimensions = count === 0 ? 0 : integers.length / count;
  const file = Buffer.alloc(headerBytes + bytesOf(count, dimensions));
  mark.copy(file, 0);
  file.writeUInt32LE(dimensions, 24);
  file.writeUInt32LE(count, 28);
  sha256(Buffer.from(fingerprint)).copy(file, 32);
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const scalesAt = headerBytes + keys.length * 4;
  for (let at = 0; at < keys.length; at++) view.setUint32(headerBytes + at * 4, keys[at]!, true);
  for (let at = 0; at < count; at++) view.setFloat32(scalesAt + at * 4, scales[at]!, true);
  Buffer.from(integers.buffer, integers.byteOffset, integers.length).copy(file, scalesAt + count * 4);
  sha256(file.subarray(0, 64), file.subarray(headerBytes)).copy(file, 64);
  return file;
}

/** Parses a segment; undefined when it is damaged, of other dimensions, or of another embedder. */
export function parseSegment(file: Buffer, fingerprint: string, dimensions: number): Segment | undefined {
  if (file.length < headerBytes || !file.subarray(0, 24).equals(mark)) return undefined;
  const count = file.readUInt32LE(28);
  if (file.readUInt32LE(24) !== dimensions || file.length !== headerBytes + bytesOf(count, dimensions))
    return undefined;
  if (!file.subarray(32, 64).equals(sha256(Buffer.from(fingerprint)))) return undefined;
  if (!file.subarray(64, 96).equals(sha256(file.subarray(0, 64), file.subarray(headerBytes)))) return undefined;
  const scalesAt = headerBytes + count * keyWords * 4;
  const integersAt = scalesAt + count * 4;
  const wordsIn = (from: number, to: number): ArrayBuffer => {
    const copy = Buffer.from(file.buffer.slice(file.byteOffset + from, file.byteOffset + to));
    if (!isLittleEndian) copy.swap32();
    return copy.buffer as ArrayBuffer;
  };
  const keys = new Uint32Array(wordsIn(headerBytes, scalesAt));
  const scales = new Float32Array(wordsIn(scalesAt, integersAt));
  const integers = new Int8Array(file.buffer, file.byteOffset + integersAt, count * dimensions);
  return { keys, scales, integers };
}

/** Puts segments together, each key once. */
export function joinSegments(segments: readonly Segment[], dimensions: number): Segment {
  const seen = new Set<string>();
  const places: { segment: Segment; at: number }[] = [];
  for (const segment of segments) {
    for (let at = 0; at < segment.scales.length; at++) {
      const name = segment.keys.subarray(at * keyWords, (at + 1) * keyWords).join();
      if (seen.has(name)) continue;
      seen.add(name);
      places.push({ segment, at });
    }
  }
  const joined: Segment = {
    keys: new Uint32Array(places.length * keyWords),
    scales: new Float32Array(places.length),
    integers: new Int8Array(places.length * dimensions),
  };
  for (const [index, { segment, at }] of places.entries()) {
    joined.keys.set(segment.keys.subarray(at * keyWords, (at + 1) * keyWords), index * keyWords);
    joined.scales[index] = segment.scales[at]!;
    joined.integers.set(segment.integers.subarray(at * dimensions, (at + 1) * dimensions), index * dimensions);
  }
  return joined;
}
