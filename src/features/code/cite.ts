// Notes where a text speaks of code, and names paths as the repository does.

import { attempt } from '../../base/errors.ts';
import type { Citation, CodeLines } from '../../base/types.ts';
import { logOf } from '../../history/index.ts';
import { hashObject } from '../../store/git/object-codec.ts';
import { join, parentOf, type Repository } from '../../store/git/repository.ts';
import { findEntry } from '../../store/git/tree.ts';
import { fingerprintOf, linesOf } from './lines.ts';

/** A text to be found in a file, such as the new text of an edit. */
export interface CitedText {
  readonly text: string;
  /** Look in history, for the first commit from this time on (ISO 8601) in which the text stands. */
  readonly since?: string;
}

const maxFileBytes = 4 << 20;
const inspectedBytes = 8_000;

/** Gives a path as the repository names it; `null` for one outside its work tree. */
export function pathIn({ workTree, disk }: Repository, path: string): string | null {
  if (workTree === null || path === '') return null;
  const given = path.replaceAll('\\', '/');
  const isAbsolute = given.startsWith('/') || /^[A-Za-z]:\//.test(given);
  const full = join(isAbsolute ? given : `${workTree}/${given}`, '.');
  const below = (root: string, place: string) => (place.startsWith(`${root}/`) ? place.slice(root.length + 1) : null);
  const plain = below(workTree, full);
  if (plain !== null) return plain;
  return attempt(() => {
    // One of the two may lead through a link.
    const real = (folder: string) => disk.fs.realpathSync(folder).replaceAll('\\', '/');
    return below(real(workTree), `${real(parentOf(full))}${full.slice(parentOf(full).length)}`);
  }, null);
}

/** Notes a place in a file of a commit, or as it lies in the work tree while that commit is checked out; see `Code.cite`. */
export function cite(
  repository: Repository,
  path: string,
  what: CodeLines | CitedText | undefined,
  place: { readonly commit: string; readonly isCheckedOut: boolean },
): Citation | null {
  const { commit } = place;
  if (what && 'text' in what && what.since !== undefined) {
    const log = logOf(repository, commit, { path, since: Date.parse(what.since), limit: Number.POSITIVE_INFINITY });
    for (const { oid } of [...log.commits].reverse()) {
      const found = cite(repository, path, { text: what.text }, { commit: oid, isCheckedOut: false });
      if (found) return found;
    }
    return null;
  }
  const bytes = place.isCheckedOut ? laidOut(repository, path, commit) : committed(repository, path, commit);
  if (bytes === null) return null;
  const blob = hashObject('blob', bytes);
  const all = linesOf(bytes);
  const isText = !bytes.subarray(0, inspectedBytes).includes(0);
  const lines = what && isText ? ('text' in what ? placeOf(bytes, what.text) : within(what, all.length)) : undefined;
  if (lines === null) return null;
  const fingerprint = fingerprintOf(lines ? all.slice(lines.from - 1, lines.to) : all);
  return { commit, path, blob, ...(lines && { lines }), fingerprint };
}

function committed({ objects }: Repository, path: string, commit: string): Buffer | null {
  const entry = findEntry(objects.readCommit(commit).tree, path, objects.readTree);
  return entry?.mode.startsWith('100') ? objects.readBlob(entry.oid) : null;
}

/** Gives a file of the work tree as git would store it: a checkout may have made its line ends CRLF. */
function laidOut(repository: Repository, path: string, commit: string): Buffer | null {
  const { workTree, disk } = repository;
  const before = committed(repository, path, commit);
  if (workTree === null) return before;
  const file = join(workTree, path);
  if (!disk.stat(file)?.isFile || isInSubmodule(repository, path, commit)) return null;
  const bytes = disk.read(file, maxFileBytes);
  if (bytes === null || !bytes.includes('\r\n') || before?.includes('\r\n')) return bytes;
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

function isInSubmodule({ objects }: Repository, path: string, commit: string): boolean {
  const { tree } = objects.readCommit(commit);
  const folders = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
  return folders.some((folder) => findEntry(tree, folder, objects.readTree)?.mode === '160000');
}

function placeOf(bytes: Buffer, text: string): CodeLines | null {
  const wanted = text.replace(/^\n+|\s+$/g, '');
  for (const form of [wanted, wanted.replaceAll('\r\n', '\n'), wanted.replaceAll('\n', '\r\n')]) {
    const start = wanted === '' ? -1 : bytes.indexOf(form);
    if (start < 0) continue;
    const from = lineAt(bytes, start);
    return { from, to: from + form.split('\n').length - 1 };
  }
  return null;
}

function lineAt(bytes: Buffer, place: number): number {
  let line = 1;
  for (let end = bytes.indexOf(0x0a); end >= 0 && end < place; end = bytes.indexOf(0x0a, end + 1)) line += 1;
  return line;
}

function within({ from, to }: CodeLines, count: number): CodeLines | null {
  const isRange = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 1 && to >= from && from <= count;
  return isRange ? { from, to: Math.min(to, count) } : null;
}
