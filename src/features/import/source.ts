// What is imported, as files with names and bytes: a file or a folder of this machine, or texts that the caller has.
// Nothing is followed out of the folder, and nothing is read before it is asked for.

import { isAscii } from 'node:buffer';
import { MemoryError } from '../../base/errors.ts';
import { matchesGlob } from '../../base/glob.ts';
import { withoutEndSlash } from '../../base/text.ts';
import type { Disk, FileStat } from '../../store/git/disk.ts';
import { unsafeFile } from '../../store/git/file-errors.ts';
import { maxListedFiles, maxObjectBytes, maxPathDepth } from '../../store/guard/limits.ts';
import type { StoreLine } from '../../store/records/jsonl-store.ts';

/** A text that a caller has in hand, under the name it would have as a file. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** One file of a source. */
export interface SourceFile {
  /** Below the source, with forward slashes; of a single file its name. */
  readonly path: string;
  readonly bytes: number;
  /** Reads it whole, up to 256 MiB. Throws TOO_LARGE, UNSAFE_FILE. */
  read(): Buffer;
  /** Reads it line by line, as large as it may be; `cut` takes out of the bytes of a line what nobody needs. */
  lines(cut?: (bytes: Buffer) => Buffer): Iterable<StoreLine>;
  /** Reads the lines that a test of their bytes lets through. */
  someLines(isWanted: (bytes: Buffer) => boolean): Iterable<string>;
  /** Reads it piece by piece, as large as it may be. */
  pieces(): Iterable<Buffer>;
  /** Gives the first bytes, so many at most. */
  head(bytes: number): Buffer;
  /** The name of the folder that it lies in. */
  readonly folder?: string;
  /** When it was last written, in milliseconds; undefined for a text in hand. */
  readonly modified?: number;
  /** Opens it to be read here and there; with an ending, the file that lies beside it under that longer name, or null. */
  open(ending?: string): OpenFile | null;
}

/** Gives the lines of a file that are text, and names the others. */
export function* textLines(
  file: SourceFile,
  broken: (why: string, line: number) => void,
): Generator<{ readonly line: number; readonly text: string }> {
  for (const { number: line, text } of file.lines()) {
    if (text === null) broken('is not UTF-8 text', line);
    else yield { line, text };
  }
}

/** A file that is read here and there. */
export interface OpenFile {
  readonly bytes: number;
  readAt(position: number, length: number): Buffer;
  close(): void;
}

/** What an import reads from. */
export interface Source {
  /** The last part of its path; what a commit says of where things came from. */
  readonly name: string;
  readonly isFolder: boolean;
  /** In order of path. Names that begin with a dot are nobody's notes and left out, but for those in which programs keep histories. */
  readonly files: readonly SourceFile[];
  /** What is no ordinary file. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

const chunkBytes = 1 << 18;

/** Hidden files and folders of programs whose histories are read. */
const hidden = [
  /^\.(?:aider\.chat\.history\.md|specstory|cursor|claude|codex|gemini|qwen|copilot|continue|cline|pi|openclaw)$/,
  /^\.(?:cursorrules|windsurf|windsurfrules|clinerules|roo|roorules|amazonq|kiro|beads|mem0)$/,
  /^\.github(?:$|\/(?:copilot-instructions\.md|instructions(?:$|\/)))/,
];
/** Of `.github` only what tells agents something. */
function isShown(path: string, entry: string): boolean {
  const part = /(?:^|\/)(\.github\/.*)$/.exec(path)?.[1] ?? entry;
  return !part.startsWith('.') || hidden.some((names) => names.test(part));
}

/** Tells whether a path is one of those that a glob names; `{a,b}` is either. */
function fits(glob: string): (path: string) => boolean {
  const [, before, inner, after] = /^(.*?)\{([^}]*)\}(.*)$/.exec(glob) ?? [];
  if (inner === undefined) return (path) => matchesGlob(glob, path);
  const all = inner.split(',').map((one) => fits(`${before}${one}${after}`));
  return (path) => all.some((one) => one(path));
}

/**
 * Opens a source, or of a folder what a glob names below it.
 *
 * Throws NOT_FOUND, INVALID_ARGUMENT, UNSAFE_FILE for what is neither file nor folder, TOO_LARGE for too many files.
 */
export function openSource(disk: Disk, from: string | readonly SourceText[], glob?: string): Source {
  if (Array.isArray(from)) return sourceOfTexts(from as readonly SourceText[]);
  if (typeof from !== 'string' || from === '')
    throw new MemoryError('INVALID_ARGUMENT', 'what to import is missing', { where: 'from' });
  let root: string;
  try {
    // A caller that names a link means what it leads to; below it none is followed.
    root = String(disk.fs.realpathSync(from)).replaceAll('\\', '/');
  } catch (cause) {
    throw new MemoryError('NOT_FOUND', 'there is no such file or folder', {
      where: from,
      hint: 'Check the name',
      cause,
    });
  }
  const name = root.split('/').findLast((part) => part !== '') ?? 'root';
  const stat = disk.stat(root);
  if (stat?.isFile) return { name, isFolder: false, files: [fileOf(disk, root, name, stat)], left: [] };
  if (stat?.isDirectory !== true) throw unsafeFile(from);
  const files: SourceFile[] = [];
  const left: { path: string; why: string }[] = [];
  const isWanted = glob === undefined ? () => true : fits(glob);
  // A glob without `**` says of each folder how it is called.
  const steps = glob === undefined || glob.includes('**') ? undefined : glob.split('/').map(fits);
  const isEntered = (entry: string, depth: number): boolean =>
    steps === undefined || (depth < steps.length && steps[depth - 1]!(entry));
  const walk = (folder: string, depth: number): void => {
    for (const entry of disk.list(folder === '' ? root : `${root}/${folder}`).sort()) {
      const path = folder === '' ? entry : `${folder}/${entry}`;
      if (!isShown(path, entry)) continue;
      const found = disk.stat(`${root}/${path}`);
      if (found?.isDirectory && depth >= maxPathDepth) left.push({ path, why: 'lies too deep' });
      else if (found?.isDirectory) {
        if (isEntered(entry, depth)) walk(path, depth + 1);
      } else if (!isWanted(path)) continue;
      else if (found?.isFile) files.push(fileOf(disk, `${root}/${path}`, path, found));
      else if (found !== null) left.push({ path, why: found.isSymbolicLink ? 'is a link' : 'is no ordinary file' });
      if (files.length > maxListedFiles) {
        throw new MemoryError('TOO_LARGE', `the folder holds more than ${maxListedFiles} files`, {
          where: from,
          hint: 'Import its folders one by one',
        });
      }
    }
  };
  walk('', 1);
  return { name, isFolder: true, files, left };
}

function fileOf(disk: Disk, place: string, path: string, { size, mtimeNs }: FileStat): SourceFile {
  const open = (ending = ''): OpenFile | null => {
    const found = disk.stat(`${place}${ending}`);
    if (found?.isFile !== true) return null;
    const descriptor = disk.openFile(`${place}${ending}`, 'r');
    return {
      bytes: found.size,
      readAt: (position, length) => disk.readAt(descriptor, position, length),
      close: () => disk.fs.closeSync(descriptor),
    };
  };
  return {
    path,
    bytes: size,
    folder: place.split('/').at(-2) ?? '',
    modified: Number(mtimeNs / 1_000_000n),
    open,
    read() {
      const read = disk.read(place);
      if (read !== null) return read;
      throw new MemoryError('NOT_FOUND', 'the file is gone', { where: path, hint: 'Start the import again' });
    },
    lines: (cut) => linesOf(rowsOf(disk, place), cut),
    someLines: (isWanted) => someLinesOf(rowsOf(disk, place), isWanted),
    pieces: () => piecesOf(disk, place),
    head(bytes) {
      const opened = open();
      if (opened === null) return Buffer.alloc(0);
      try {
        return opened.readAt(0, Math.min(bytes, size));
      } finally {
        opened.close();
      }
    },
  };
}

/** Makes a file of a text that is in hand. */
export function textFileOf({ path, text }: SourceText): SourceFile {
  const bytes = Buffer.from(text);
  return {
    path,
    bytes: bytes.length,
    read: () => bytes,
    lines: (cut) =>
      linesOf(
        cutToRows((position, into) => bytes.copy(into, 0, position)),
        cut,
      ),
    someLines: (isWanted) =>
      someLinesOf(
        cutToRows((position, into) => bytes.copy(into, 0, position)),
        isWanted,
      ),
    pieces: () => [bytes],
    head: (length) => bytes.subarray(0, length),
    open: (ending) =>
      ending === undefined
        ? { bytes: bytes.length, readAt: (at, length) => bytes.subarray(at, at + length), close: () => undefined }
        : null,
  };
}

function sourceOfTexts(texts: readonly SourceText[]): Source {
  for (const { path, text } of texts) {
    if (typeof path === 'string' && path !== '' && typeof text === 'string') continue;
    throw new MemoryError('INVALID_ARGUMENT', 'each text needs a path and a text', { where: 'from' });
  }
  const files = texts.map(textFileOf);
  const [only] = files;
  const isFolder = files.length !== 1;
  return { name: isFolder || only === undefined ? 'texts' : only.path, isFolder, files, left: [] };
}

function* piecesOf(disk: Disk, place: string): Generator<Buffer> {
  const descriptor = disk.openFile(place, 'r');
  try {
    for (let position = 0; ; ) {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const length = disk.readInto(descriptor, position, buffer);
      if (length === 0) return;
      position += length;
      yield buffer.subarray(0, length);
    }
  } finally {
    disk.fs.closeSync(descriptor);
  }
}

/** A line; null for one that is too large. Its bytes are good until the next one is asked for. */
interface Row {
  readonly bytes: Buffer | null;
  readonly isOpen: boolean;
}

function* rowsOf(disk: Disk, place: string): Generator<Row> {
  const descriptor = disk.openFile(place, 'r');
  try {
    yield* cutToRows((position, into) => disk.readInto(descriptor, position, into));
  } finally {
    disk.fs.closeSync(descriptor);
  }
}

/** Reads lines into one buffer, which grows to the longest: what is not made anew need not be cleared away. */
function* cutToRows(read: (position: number, into: Buffer) => number): Generator<Row> {
  let buffer = Buffer.allocUnsafe(chunkBytes);
  let [position, filled] = [0, 0];
  let isTooLarge = false;
  for (;;) {
    const length = read(position, buffer.subarray(filled));
    if (length === 0) break;
    position += length;
    const given = buffer.subarray(0, filled + length);
    let start = 0;
    for (let end = given.indexOf(0x0a, filled); end >= 0; end = given.indexOf(0x0a, start)) {
      const isWhole = !isTooLarge && end - start <= maxObjectBytes;
      yield { bytes: isWhole ? given.subarray(start, end) : null, isOpen: false };
      isTooLarge = false;
      start = end + 1;
    }
    if (isTooLarge || given.length - start > maxObjectBytes) [isTooLarge, start] = [true, given.length];
    filled = given.copy(buffer, 0, start);
    if (filled === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
  }
  if (filled > 0 || isTooLarge) yield { bytes: isTooLarge ? null : buffer.subarray(0, filled), isOpen: true };
}

function* linesOf(rows: Iterable<Row>, cut?: (bytes: Buffer) => Buffer): Generator<StoreLine> {
  let number = 1;
  for (const { bytes, isOpen } of rows) {
    const text = bytes === null ? null : textOf(cut === undefined ? bytes : cut(bytes));
    yield { number: number++, text: text?.endsWith('\r') ? text.slice(0, -1) : text, isOpen };
  }
}

/** Reads of each line what a test of its bytes lets through: for a look at all lines that needs few of them. */
function* someLinesOf(rows: Iterable<Row>, isWanted: (bytes: Buffer) => boolean): Generator<string> {
  for (const { bytes } of rows) if (bytes !== null && isWanted(bytes)) yield bytes.toString('utf8');
}

/** Reads a file that has to be text. Throws INVALID_RECORD. */
export function wordsIn(file: SourceFile): string {
  const words = textOf(file.read());
  if (words !== null && !words.includes('\0')) return words;
  throw new MemoryError('INVALID_RECORD', 'is no UTF-8 text');
}

/** Gives bytes as text, or null when they are not UTF-8. */
export function textOf(bytes: Buffer): string | null {
  // Most texts are plain, and letters of one byte need no decoding.
  if (isAscii(bytes)) return bytes.toString('latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') && !Buffer.from(text).equals(bytes) ? null : text;
}

/** Tells whether a folder is another, or lies below it. */
export function liesIn(folder: string | undefined, project: string): boolean {
  if (folder === undefined) return false;
  const [one, other] = [folder, project].map((path) => withoutEndSlash(path.replaceAll('\\', '/')));
  return one === other || one!.startsWith(`${other}/`);
}
