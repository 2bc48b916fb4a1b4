// Segments between processes. Derived: any of these files can be deleted at any moment; what is damaged is removed and made again.
//
//   <own directory>/cache/words/<first 16 hex digits of the fingerprint's SHA-256>/<16 hex digits>.segment
//   <own directory>/cache/words-view     one frame = a {@link KeptView} as JSON
//
// A file is written whole under a name of its own and never changed, so processes do not disturb each other.

import { sha256Hex } from '../base/hash.ts';
import type { Logger } from '../base/ports.ts';
import { isLittleEndian } from '../base/sorted.ts';
import { CacheFile } from '../store/cache-file.ts';
import type { Disk } from '../store/git/disk.ts';
import { privateMode } from '../store/git/permissions.ts';
import { keepNewestFolders, messageOf, removeFolder, sweepTemporary } from './cache-folders.ts';
import type { KeptView, SegmentStore } from './corpus.ts';
import { documentsVersion } from './documents.ts';
import { bytesOf, type ReadDocuments, type Segment } from './segment.ts';
import { formatSegment, headBytesOf, leadBytes, parseSegment } from './segment-file.ts';

/** Where segments are kept. */
export interface SegmentCachePlace {
  readonly disk: Disk;
  /** The folder of the engine; what is derived lies in `cache/`. */
  readonly ownDirectory: string;
  /** Hears of files that are damaged or cannot be read or written; none of that is an error. */
  readonly logger: Logger;
}

const suffix = '.segment';
/** To be raised whenever a view is written otherwise. */
const viewVersion = 1;
/** Folders of so many other versions are left: somebody may use two in turns. */
const otherVersions = 1;
/** Larger heads are not ours. */
const maxHeadBytes = 2 ** 30;
/** So many documents are read one by one, then all at once; of a small file fewer. A read takes as long as so many bytes. */
const maxSingleReads = 256;
const bytesPerRead = 1 << 17;

/** Names all that shapes a segment beside the files: our code, the letters Node knows, and how the machine writes numbers. */
function segmentFingerprint(): string {
  return `documents ${documentsVersion}, unicode ${process.versions.unicode}, ${isLittleEndian ? 'little' : 'big'} endian`;
}

/** Names the folder of what was made under one fingerprint. */
function wordsFolder(directory: string, fingerprint: string): string {
  return `${directory}/words/${sha256Hex(fingerprint).slice(0, 16)}`;
}

/** Keeps segments as files. */
export class SegmentCache implements SegmentStore {
  readonly #place: SegmentCachePlace;
  readonly #fingerprint: string;
  readonly #all: string;
  readonly #directory: string;
  readonly #view: CacheFile;

  constructor(place: SegmentCachePlace, fingerprint = segmentFingerprint()) {
    this.#place = place;
    this.#fingerprint = fingerprint;
    this.#all = `${place.ownDirectory}/cache/words`;
    this.#directory = wordsFolder(`${place.ownDirectory}/cache`, fingerprint);
    this.#view = new CacheFile(place, 'words-view', viewVersion);
  }

  load(but: ReadonlySet<string>): { name: string; segment: Segment }[] {
    let names: string[] = [];
    try {
      names = this.#place.disk.list(this.#directory).filter((name) => name.endsWith(suffix) && !but.has(name));
    } catch (error) {
      this.#place.logger.warn(`kept words cannot be listed: ${messageOf(error)}`);
    }
    return names
      .flatMap((name) => {
        const segment = this.open(name);
        return segment === undefined ? [] : [{ name, segment }];
      })
      .sort((one, other) => other.segment.size - one.segment.size || (one.name < other.name ? -1 : 1));
  }

  save(segment: Segment): string | null {
    const { disk, logger } = this.#place;
    try {
      const chunks = formatSegment(segment, this.#fingerprint);
      if (chunks === undefined) return null;
      disk.makeDirectory(this.#directory, privateMode);
      // The head holds the checksums of the documents.
      const name = `${sha256Hex(chunks[0]!).slice(0, 16)}${suffix}`;
      // Not synced: a power cut costs some time at most, which the checksums find out.
      disk.replace(`${this.#directory}/${name}`, chunks, { beside: `${this.#directory}/tmp-`, sync: false });
      sweepTemporary(disk, this.#directory, name);
      keepNewestFolders(disk, this.#all, this.#directory, otherVersions);
      return name;
    } catch (error) {
      logger.warn(`words are not kept: ${messageOf(error)}`);
      return null;
    }
  }

  loadView(): KeptView | null {
    const frame = this.#view.read().at(-1);
    return frame === undefined ? null : (JSON.parse(frame.toString('utf8')) as KeptView);
  }

  saveView(view: KeptView): void {
    this.#view.replace([Buffer.from(JSON.stringify(view))]);
  }

  forget(): void {
    const { disk } = this.#place;
    for (const name of disk.list(this.#all)) removeFolder(disk, `${this.#all}/${name}`);
    disk.removeQuietly(this.#view.path);
  }

  remove(names: readonly string[]): void {
    for (const name of names) this.#place.disk.removeQuietly(`${this.#directory}/${name}`);
  }

  /** Reads a segment, all but its documents; undefined when it is no good. */
  open(name: string): Segment | undefined {
    const path = `${this.#directory}/${name}`;
    const { disk, logger } = this.#place;
    try {
      const segment = disk.inFile(path, 'r', (descriptor) => {
        const fileBytes = disk.fs.fstatSync(descriptor).size;
        const headBytes = headBytesOf(disk.readAt(descriptor, 0, leadBytes)) ?? 0;
        if (headBytes <= 0 || headBytes > Math.min(fileBytes, maxHeadBytes)) return undefined;
        const head = disk.readAt(descriptor, 0, headBytes);
        return parseSegment(head, fileBytes, this.#fingerprint, this.#documentsIn(path, headBytes, fileBytes));
      });
      if (segment !== undefined) return segment;
      logger.warn(`${path} is damaged; its words are read again`);
      disk.removeQuietly(path);
    } catch (error) {
      logger.warn(`${path} cannot be read: ${messageOf(error)}`);
    }
    return undefined;
  }

  /** Reads documents when they are asked for; what does not come is made again from its file by whoever asks. */
  #documentsIn(path: string, headBytes: number, fileBytes: number): ReadDocuments {
    const { disk } = this.#place;
    const most = Math.min(maxSingleReads, (fileBytes - headBytes) / bytesPerRead);
    let reads = 0;
    let whole: ReadDocuments | undefined;
    const readFrom = (start: number, end: number): Uint8Array | undefined => {
      try {
        return disk.inFile(path, 'r', (descriptor) => disk.readAt(descriptor, headBytes + start, end - start));
      } catch {
        // Joined with others by another process, or deleted.
        return undefined;
      }
    };
    return (start, end) => {
      if (whole === undefined && ++reads > most) {
        const all = readFrom(0, fileBytes - headBytes);
        if (all?.length === fileBytes - headBytes) whole = bytesOf(all);
      }
      return whole?.(start, end) ?? readFrom(start, end);
    };
  }
}
