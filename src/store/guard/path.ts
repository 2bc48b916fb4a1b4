// Checks paths for a tree or a working tree on any platform: what one system cannot hold breaks the clone there. Pure text rules; whoever opens
// files sees to symbolic links and to what a path points to.

import { MemoryError } from '../../base/errors.ts';
import { isAscii, withoutEndSlash } from '../../base/text.ts';
import { maxPathBytes, maxPathDepth, maxSegmentBytes } from './limits.ts';

/** Folders of the layout, and the files at its root; everything else belongs to somebody else. */
const layoutFolders: ReadonlySet<string> = new Set([
  'raw',
  'ledger',
  '.memory',
  'memories',
  'relations',
  'boxes',
  'knowledge',
  'topics',
  'recall',
  'archive',
  'state',
  'attachments',
  'store',
  'expect',
]);
const layoutFiles: ReadonlySet<string> = new Set([
  'memory.yaml',
  'memory-config.yaml',
  'CHANGELOG.md',
  'CHANGELOG-archive.md',
  'TODO.md',
  '.meta.json',
  // The storage of version 1, until maintenance takes it apart.
  'memories.jsonl',
  'relations.jsonl',
  '.gitignore',
  '.gitattributes',
]);

/** Names of the layout that a code project is likely to use for something of its own. */
const commonNames: ReadonlySet<string> = new Set([
  'archive',
  'state',
  'attachments',
  'store',
  'expect',
  'CHANGELOG.md',
  'CHANGELOG-archive.md',
  'TODO.md',
  'memories.jsonl',
  'relations.jsonl',
  '.gitignore',
  '.gitattributes',
]);

/** Names among these that are the memory's as soon as CHANGELOG.md holds a log of events. */
const logNames: ReadonlySet<string> = new Set(['CHANGELOG.md', 'CHANGELOG-archive.md', 'TODO.md']);

/**
 * What of a work tree is the memory's. `memory`: the whole layout. `project`: inside a code project what no project has for itself. `logged
 * project`: the files of its log, too.
 */
export type Extent = 'memory' | 'project' | 'logged project';

/** Lists the files and folders at the root of the layout that are the memory's. */
export function layoutRoots(extent: Extent): string[] {
  const isOurs = (name: string) => !commonNames.has(name) || (extent === 'logged project' && logNames.has(name));
  return [...layoutFolders, ...layoutFiles].filter((name) => extent === 'memory' || isOurs(name));
}

/** Lists what git's attributes call the layout, but for git's own files: `memories/**`, `memory.yaml`. */
export function layoutPatterns(extent: Extent): string[] {
  const roots = layoutRoots(extent).filter((name) => !name.startsWith('.git'));
  return roots.map((name) => (layoutFiles.has(name) ? name : `${name}/**`));
}

/** Segments of these characters alone can only break the rules on names, not those on characters. */
const plainPath = /^[A-Za-z0-9._/@+=~ -]+$/;
/** Control, format, surrogate and separator characters, and what Windows or its streams keep for themselves. */
const refusedCharacter = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\:*?"<>|]/u;
const reservedName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\s*\.|\s*$)/i;
/** `.git` under its NTFS short name, and the short names of `.gitmodules` and its kin. */
const shortGitName = /^(?:git~\d+|gi[a-z0-9]{0,4}~\d+)$/i;
const rootOnlyName = /^\.git(?:modules|attributes|ignore)$/i;

/**
 * Passes a repository-relative path that git and every common file system can hold, and gives its NFC form.
 *
 * These are refused:
 *
 * - absolute paths, empty and dot segments, segments ending in a dot or space, and what is longer than the limits
 * - backslash, colon and other characters that Windows reserves, and Windows device names
 * - control, format and bidirectional characters
 * - `.git` in every look-alike, and `.gitmodules`, `.gitattributes` and `.gitignore` below the root
 * - percent-encoded ways around these
 *
 * The rules follow `verify_path` of git with protectHFS and protectNTFS on, everywhere.
 *
 * @throws MemoryError INVALID_PATH, naming the rule.
 */
export function checkPath(path: string): string {
  if (typeof path !== 'string' || path === '') throw refuse(String(path), 'is empty');
  let checked = path;
  if (!plainPath.test(path)) {
    if (refusedCharacter.test(path))
      throw refuse(path, 'has a character that some system cannot hold or shows as another');
    checked = path.normalize('NFC');
    // Some characters become another one in NFC, and not only by composition.
    if (refusedCharacter.test(checked)) throw refuse(path, 'has a character that some system cannot hold');
    if (/%(?:2f|5c|00)/i.test(checked)) throw refuse(path, 'has a percent-encoded separator');
    if (Buffer.byteLength(checked, 'utf8') > maxPathBytes) throw refuse(path, `is longer than ${maxPathBytes} bytes`);
  } else if (path.length > maxPathBytes) {
    throw refuse(path, `is longer than ${maxPathBytes} bytes`);
  }
  let depth = 0;
  for (let start = 0; start <= checked.length; ) {
    const slash = checked.indexOf('/', start);
    const end = slash === -1 ? checked.length : slash;
    checkSegment(path, checked.slice(start, end), depth);
    depth += 1;
    start = end + 1;
  }
  if (depth > maxPathDepth) throw refuse(path, `is deeper than ${maxPathDepth} levels`);
  return checked;
}

/** Below this folder mounted memories are seen, each by its name: `mounts/team/knowledge/people/ada.md`. Nothing of ours lies there. */
export const mountFolder = 'mounts';

/**
 * Passes a path that {@link checkPath} passes and that has a place in the layout of a memory repository.
 *
 * @throws MemoryError INVALID_PATH; READ_ONLY for what lies in a mounted memory.
 */
export function checkMemoryPath(path: string): string {
  const checked = checkPath(path);
  const slash = checked.indexOf('/');
  const isPlaced = slash === -1 ? layoutFiles.has(checked) : layoutFolders.has(checked.slice(0, slash));
  if (isPlaced) return checked;
  if (checked.startsWith(`${mountFolder}/`)) {
    throw new MemoryError('READ_ONLY', `${shown(path)} belongs to another memory, which is mounted read-only`, {
      where: path,
      hint: 'Write it in that memory, or here under knowledge/ or another folder of the layout',
    });
  }
  throw new MemoryError('INVALID_PATH', `${shown(path)} has no place in the layout of a memory repository`, {
    hint: 'Write under knowledge/, topics/, memories/, raw/ or another folder of the layout',
  });
}

/**
 * Passes a path that is only looked up in trees, as any repository may hold it. Gives its plain form: without `./` before and `/` behind
 * it.
 *
 * @throws MemoryError INVALID_PATH if it cannot name anything in a repository.
 */
export function askedPath(path: string): string {
  if (typeof path !== 'string') throw refuse(String(path), 'is no text');
  const plain = withoutEndSlash(path.replace(/^(?:\.\/+)+/, ''));
  if (plain === '' || plain === '.') throw refuse(path, 'is empty');
  if (plain.startsWith('/')) throw refuse(path, 'is absolute');
  if (plain.includes('\0')) throw refuse(path, 'has a character that no system can hold');
  if (plain.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw refuse(path, 'has an empty or dot segment');
  return plain;
}

/** Tells whether a name at the root of a work tree is the git directory, for any file system. */
export function isGitName(name: string): boolean {
  const plain = name
    .replace(/\p{Cf}/gu, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return plain === '.git' || shortGitName.test(plain) || plain.startsWith('.git:');
}

/**
 * Gives the key under which two paths are twins for a file system that ignores case or composition.
 *
 * Full case folding after NFC: `Straße.md` and `STRASSE.md` are twins, as are both spellings of `é`. For comparison only.
 */
export function foldPath(path: string): string {
  // A folder is folded name by name for each that comes in: plain ones have no other form.
  if (isAscii(path)) return path.toLowerCase();
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** Says that two paths with the same {@link foldPath} are one name, and in which way. */
export function twinNames(path: string, twin: string): string {
  return path.normalize('NFC') === twin.normalize('NFC')
    ? `${path} is there already, its letters composed otherwise (Unicode NFC and NFD look the same)`
    : `${path} and ${twin} are one name where case is ignored`;
}

function checkSegment(path: string, segment: string, depth: number): void {
  if (segment === '') throw refuse(path, depth === 0 ? 'is absolute' : 'has an empty segment');
  if (segment === '.' || segment === '..') throw refuse(path, 'has a dot segment');
  const last = segment.charCodeAt(segment.length - 1);
  if (last === 0x2e || last === 0x20) throw refuse(path, 'has a segment that ends in a dot or a space');
  if (segment.length * 3 > maxSegmentBytes && Buffer.byteLength(segment, 'utf8') > maxSegmentBytes)
    throw refuse(path, `has a segment longer than ${maxSegmentBytes} bytes`);
  // Only names that begin like one of these can be one: most segments are through after a look at one letter.
  switch (segment.charCodeAt(0) | 0x20) {
    case 0x2e: // '.'
      if (segment.length === 4 && segment.toLowerCase() === '.git') throw refuse(path, 'enters the git directory');
      if (depth > 0 && rootOnlyName.test(segment)) throw refuse(path, `has ${segment} below the root`);
      if (segment.toLowerCase() === '.%2e') throw refuse(path, 'has a percent-encoded dot segment');
      break;
    case 0x67: // 'g'
      if (shortGitName.test(segment)) throw refuse(path, 'enters the git directory by a short name');
      break;
    case 0x25: // '%'
      if (/^(?:%2e|\.){1,2}$/i.test(segment)) throw refuse(path, 'has a percent-encoded dot segment');
      break;
    case 0x61: // 'a'
    case 0x63: // 'c'
    case 0x6c: // 'l'
    case 0x6e: // 'n'
    case 0x70: // 'p'
      if (reservedName.test(segment)) throw refuse(path, 'has a segment that Windows reserves for a device');
  }
}

function refuse(path: string, rule: string): MemoryError {
  return new MemoryError('INVALID_PATH', `${shown(path)} ${rule}`, {
    hint: 'Give a path relative to the repository, such as knowledge/people/ada.md',
  });
}

// A hostile path is shown escaped, or it would speak to the terminal.
function shown(path: string): string {
  const escaped = JSON.stringify(path.length > 120 ? `${path.slice(0, 120)}…` : path);
  return escaped.replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
}
