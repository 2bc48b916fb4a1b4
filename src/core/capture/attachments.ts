// Files that come with words: stored once under the hash of their bytes, named in the transcript, in the commit of the capture. Lines of
// .gitattributes hand them to git-lfs where somebody asks for it (spec 5 §3.8); the engine itself stores bytes, never pointers.

import { endingFor, isText } from '../../base/content-type.ts';
import { isSystemError, MemoryError } from '../../base/errors.ts';
import { oneLine, withLastLineEnded } from '../../base/text.ts';
import type { Attachment } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import type { Disk } from '../../store/git/disk.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { FileChange } from '../../store/operation.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Snapshot } from '../../store/snapshot.ts';

export type AttachmentRules = Configuration['attachments'];

/** What attachments are read with. */
export interface AttachmentReading {
  readonly filter: SecretFilter;
  readonly rules: AttachmentRules;
  /** What the memory has: bytes that are there keep the name they have. On its disk lie files that are named by `path`. */
  readonly store: BranchStore;
}

const folder = 'attachments/';
const maxNameLength = 120;

/** So many attachments may come with one message. */
export const mostOfMessage = 20;

/**
 * Reads the attachments of a message; none for undefined. They become lines of the message, `> [attachment:attachments/ab/abcd….png] photo.png`,
 * and files, by their paths.
 *
 * The path is `attachments/{xx}/{hash}{ending}`, the first 32 digits of SHA-256 of the bytes, keyed where attachments are private. No name
 * that somebody gave becomes a path, the same bytes are one file, and they decide the ending. Secrets are taken out of text; other bytes
 * stay as they are.
 *
 * @throws MemoryError INVALID_ARGUMENT, TOO_LARGE, NOT_FOUND and UNSAFE_FILE for a `path`, SECRET where they are refused.
 */
export function readAttachments(given: unknown, reading: AttachmentReading, where: string) {
  const { filter, rules, store } = reading;
  const lines: string[] = [];
  const files = new Map<string, Buffer>();
  if (given === undefined) return { lines, files };
  const present = store.snapshot();
  if (!Array.isArray(given)) throw invalid('attachments are a list of { name, bytes } or { path }', where);
  if (given.length > mostOfMessage) {
    throw new MemoryError('TOO_LARGE', `${given.length} attachments come at once, the limit is ${mostOfMessage}`, {
      where,
      hint: 'Capture them with several messages',
    });
  }
  for (const one of given) {
    const { name: said, bytes: raw } = readOne(one, reading, where);
    const name = filter.passName(oneLine(said.replace(/[[\]]/g, ' '), maxNameLength), 'the name of an attachment');
    if (raw.length > rules.maxBytes) throw tooLarge(name, raw.length, rules, where);
    const bytes = isText(raw) ? Buffer.from(filter.pass(raw.toString('utf8'), name)) : raw;
    const hash = present
      .nameHash((name) => `${folder}${name}`)(bytes)
      .slice(0, 32);
    const ending = endingFor(bytes, name);
    const stem = `${folder}${hash.slice(0, 2)}/${hash}`;
    const path = standing(stem, files.keys(), present) ?? (ending === '' ? stem : `${stem}.${ending}`);
    files.set(path, bytes);
    lines.push(`> [attachment:${path}]${name === '' ? '' : ` ${name}`}`);
  }
  return { lines, files };
}

/** Puts the lines that name attachments behind the words that they come with; either may be missing. */
export const withAttachmentLines = (text: unknown, lines: readonly string[]): string =>
  [...(typeof text === 'string' && text.trim() !== '' ? [text, ''] : []), ...lines].join('\n');

/** Plans the files that `snapshot` has not got. */
export function attachmentChanges(files: ReadonlyMap<string, Buffer>, snapshot: Snapshot): FileChange[] {
  const added = [...files].filter(([path]) => snapshot.oidOf(path) === null);
  return added.map(([path, after]) => ({ path, before: null, after }));
}

/** Throws INVALID_ARGUMENT where a conversation is private and what it brings along would lie open. */
export function refuseOpenAttachments(
  files: ReadonlyMap<string, Buffer>,
  snapshot: Snapshot,
  conversation: string,
): void {
  const { privacy } = snapshot;
  if (!privacy.isPrivate(conversation)) return;
  const open = attachmentChanges(files, snapshot).find(({ path }) => !privacy.isPrivate(path));
  if (open === undefined) return;
  throw new MemoryError('INVALID_ARGUMENT', 'the conversation is private, but anyone could read its attachment', {
    where: open.path,
    hint: 'Nothing was written. Add `attachments/**` to `private` in memory.yaml, or leave the attachment out',
  });
}

/** Plans what a commit that brings files holds beside the words: the files, and what `attachments.lfs` asks for. */
export function committedAttachments(
  files: ReadonlyMap<string, Buffer>,
  snapshot: Snapshot,
  { lfs }: Pick<AttachmentRules, 'lfs'>,
): FileChange[] {
  const attributes = lfs && files.size > 0 ? planLfsAttributes(snapshot) : null;
  return [...attachmentChanges(files, snapshot), ...(attributes === null ? [] : [attributes])];
}

/** The same bytes may have come under another ending. */
function standing(stem: string, coming: Iterable<string>, present: Snapshot): string | null {
  const isThese = (path: string) => path === stem || path.startsWith(`${stem}.`);
  const there = present.list(stem.slice(0, stem.lastIndexOf('/') + 1)).keys();
  return [...coming, ...there].find(isThese) ?? null;
}

function readOne(given: unknown, { store, rules }: AttachmentReading, where: string): { name: string; bytes: Buffer } {
  const { name, bytes, path } = (given ?? {}) as Partial<Record<keyof Attachment | 'bytes' | 'path', unknown>>;
  if (name !== undefined && typeof name !== 'string') throw invalid('the name of an attachment is a text', where);
  if (typeof path === 'string' && path !== '' && bytes === undefined)
    return { name: name ?? path.split(/[\\/]/).at(-1)!, bytes: readFile(store.repository.disk, path, rules) };
  // The caller that gave the bytes may go on writing to them.
  if (path === undefined && name !== undefined && bytes instanceof Uint8Array)
    return { name, bytes: Buffer.from(bytes) };
  throw invalid('an attachment has a name and bytes, or the path of a file', where);
}

/**
 * Reads a file of the caller. A link, pipe or device in its place is UNSAFE_FILE. A path below the working folder is entered folder by
 * folder, so that none of these is a link that leads out. Elsewhere the folders are the caller's word.
 */
function readFile(disk: Disk, path: string, rules: AttachmentRules): Buffer {
  const parts = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .split('/');
  const isBelow = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/^[A-Za-z]:$/.test(part));
  const most = rules.maxBytes;
  try {
    const read = isBelow
      ? disk.inFolder('.', parts.slice(0, -1), false, (within) => disk.read(`${within}/${parts.at(-1)}`, most))
      : disk.read(path, most);
    if (read !== null) return read;
  } catch (error) {
    if (isSystemError(error, 'EISDIR')) {
      throw new MemoryError('INVALID_ARGUMENT', 'an attachment is a file, and this is a folder', {
        where: path,
        hint: 'Name the files in it',
        cause: error,
      });
    }
    if (!(error instanceof MemoryError)) throw error;
    if (error.code === 'TOO_LARGE') throw tooLarge(path, null, rules, path);
    if (error.code === 'UNSAFE_FILE') {
      throw new MemoryError('UNSAFE_FILE', 'an attachment must be an ordinary file, not a link', {
        where: path,
        hint: 'Name the file itself, by its real path',
        cause: error,
      });
    }
    throw error;
  }
  throw new MemoryError('NOT_FOUND', 'there is no such file', { where: path, hint: 'Check the name' });
}

function tooLarge(name: string, size: number | null, { maxBytes }: AttachmentRules, where: string): MemoryError {
  const has = size === null ? 'is larger than an attachment may be' : `has ${size} bytes`;
  const hint = 'Keep it elsewhere and name it, or raise attachments.max_bytes in memory.yaml';
  return new MemoryError('TOO_LARGE', `${name} ${has}, the limit is ${maxBytes} bytes`, { where, hint });
}

function invalid(what: string, where: string): MemoryError {
  const hint = 'Give a Uint8Array, such as the result of readFile, or the path of a file on this machine';
  return new MemoryError('INVALID_ARGUMENT', what, { where, hint });
}

const attributesPath = '.gitattributes';

/** As the specification words them. */
export const lfsLines: readonly string[] = [
  '# LFS for binary attachments',
  ...['png', 'jpg', 'pdf', 'mp4'].map((ending) => `attachments/**/*.${ending} filter=lfs diff=lfs merge=lfs -text`),
];

/** Plans the lines that `.gitattributes` has not got yet, behind what it has; null where all are there. */
export function planLfsAttributes(snapshot: Snapshot): FileChange | null {
  const text = snapshot.readText(attributesPath) ?? '';
  const present = new Set(text.split(/\r?\n/));
  const missing = lfsLines.filter((line) => !present.has(line));
  // The comment alone is not worth a commit.
  if (!missing.some((line) => !line.startsWith('#'))) return null;
  return {
    path: attributesPath,
    before: snapshot.oidOf(attributesPath),
    after: Buffer.from(`${withLastLineEnded(text)}${missing.join('\n')}\n`),
  };
}
