// Patch ids: what a change does to lines, whatever else its files say. By them it is known again after a rebase, a cherry-pick or a squash.
// Those of `git diff-tree -p --full-index | git patch-id --stable`; follows patch-id.c of git 2.39.

import { createHash } from 'node:crypto';
import { oncePer } from '../base/once-per.ts';
import { splitKeepingEnds } from '../base/text.ts';
import { unifiedDiff } from '../base/unified-diff.ts';
import { CacheFile } from '../store/cache-file.ts';
import { noOid } from '../store/git/object-codec.ts';
import type { Repository } from '../store/git/repository.ts';
import { diffTrees, type TreeDifference } from '../store/git/tree.ts';
import { historyOf } from './catalogue.ts';
import { isBinary } from './changed-text.ts';
import { quotedPath, quotedRawPath } from './path-quoting.ts';

const fileName = 'patches';
/** To be raised whenever what a patch id is made of changes. */
const fileVersion = 1;
/** A commit that changes more files brings in what others wrote: no branch is known by that. */
const maxFiles = 2_000;
/** So many new ones are worth a write. */
const saveFrom = 64;

/** Gives the patch id of changes, in git's order of paths; `null` for none and for very many. */
export function patchIdOf(changes: readonly TreeDifference[], read: (oid: string) => Buffer): string | null {
  if (changes.length === 0 || changes.length > maxFiles) return null;
  const sum = new Sum();
  // As git does it: a file that differs in no line begins a part that the next one goes on with. Behind a binary file a header is left out.
  let isOpen = false;
  let isBehindBinary = false;
  for (const change of changes.flatMap(parted)) {
    if (isOpen) sum.end();
    const [header, ...lines] = headOf(change);
    if (!isBehindBinary) sum.add(header!);
    for (const line of lines) sum.add(line);
    const [left, right] = [bytesOf(change.before, read), bytesOf(change.after, read)];
    isBehindBinary = change.before?.oid !== change.after?.oid && (isBinary(left) || isBinary(right));
    isOpen = false;
    if (isBehindBinary) {
      sum.add((change.before?.oid ?? noOid) + (change.after?.oid ?? noOid));
      sum.end();
      continue;
    }
    // One character for each byte, so that a text of any encoding is what it is.
    const { text } = unifiedDiff(left.toString('latin1'), right.toString('latin1'));
    if (text === '') continue;
    isOpen = true;
    sum.add(`--- ${change.before ? nameOf(change, 'a/') : '/dev/null'}`);
    sum.add(`+++ ${change.after ? nameOf(change, 'b/') : '/dev/null'}`);
    for (const line of splitKeepingEnds(text)) if (!line.startsWith('@@') && !line.startsWith('\\')) sum.add(line);
  }
  sum.end();
  return sum.toString();
}

/** A change of kind (file, link, submodule) is a removal and an addition. */
function parted(change: TreeDifference): TreeDifference[] {
  const { before, after } = change;
  const isOther = before !== null && after !== null && before.mode.slice(0, 2) !== after.mode.slice(0, 2);
  return isOther
    ? [
        { ...change, after: null },
        { ...change, before: null },
      ]
    : [change];
}

function headOf(change: TreeDifference): string[] {
  const { before, after } = change;
  const head = [`diff --git ${nameOf(change, 'a/')} ${nameOf(change, 'b/')}`];
  if (before === null) head.push(`new file mode ${after!.mode}`);
  else if (after === null) head.push(`deleted file mode ${before.mode}`);
  else if (before.mode !== after.mode) head.push(`old mode ${before.mode}`, `new mode ${after.mode}`);
  return head;
}

/** By default git quotes what is not ASCII, too. */
function nameOf({ path, rawPath }: TreeDifference, prefix: string): string {
  const bytes = rawPath ?? Buffer.from(path);
  return bytes.every((byte) => byte < 0x80) ? quotedPath(prefix, path) : quotedRawPath(prefix, bytes);
}

function bytesOf(side: TreeDifference['before'], read: (oid: string) => Buffer): Buffer {
  if (side === null) return Buffer.alloc(0);
  return side.mode === '160000' ? Buffer.from(`Subproject commit ${side.oid}\n`) : read(side.oid);
}

/** Adds up the hashes of parts, byte by byte with carry, so that their order does not matter. */
class Sum {
  private readonly total = Buffer.alloc(20);
  private part = createHash('sha1');

  /** Adds a line without its white space. */
  add(line: string): void {
    this.part.update(line.replace(/[ \t\r\n]+/g, ''), 'latin1');
  }

  end(): void {
    let carry = 0;
    for (const [place, byte] of this.part.digest().entries()) {
      carry += this.total[place]! + byte;
      this.total[place] = carry & 0xff;
      carry >>= 8;
    }
    this.part = createHash('sha1');
  }

  toString(): string {
    return this.total.toString('hex');
  }
}

export const patchesOf = oncePer((repository: Repository) => new Patches(repository));

/**
 * Knows patch ids. Each is found out once ever, and kept in git-memory/cache/patches.
 *
 *     payload   entry*    entry = commit, or SHA-1 of two trees, 20 bytes | patch id 20 bytes
 */
export class Patches {
  private readonly repository: Repository;
  private readonly file: CacheFile;
  private known: Map<string, string> | null = null;
  private fresh: Buffer[] = [];

  constructor(repository: Repository) {
    this.repository = repository;
    this.file = new CacheFile(repository, fileName, fileVersion);
  }

  /** Gives the patch id of a commit; `null` for a merge, and where nothing or very much changed. Throws OBJECT_MISSING, TOO_LARGE. */
  of(commit: string): string | null {
    return this.keep(commit, () => {
      const { parents, changes } = historyOf(this.repository).of(commit);
      return parents.length > 1 ? [] : changes;
    });
  }

  /** Gives the patch id of all that lies between two commits. */
  between(from: string, to: string): string | null {
    const { objects } = this.repository;
    const [before, after] = [from, to].map((commit) => objects.readCommit(commit).tree);
    const key = createHash('sha1').update(`${before}${after}`).digest('hex');
    return this.keep(key, () => diffTrees(before!, after!, objects.readTreeBytes));
  }

  private keep(key: string, changes: () => readonly TreeDifference[]): string | null {
    this.known ??= new Map(this.file.read().flatMap(pairsOf));
    let id = this.known.get(key);
    if (id === undefined) {
      id = patchIdOf(changes(), (oid) => this.repository.objects.readBlob(oid)) ?? noOid;
      this.known.set(key, id);
      if (!this.repository.objects.isBoundary(key)) this.fresh.push(Buffer.from(key + id, 'hex'));
      if (this.fresh.length >= saveFrom) this.save();
    }
    return id === noOid ? null : id;
  }

  /** Keeps what was found for later processes; a file system that refuses costs time only. */
  save(): void {
    if (this.fresh.length > 0) this.file.append(Buffer.concat(this.fresh));
    this.fresh = [];
  }
}

function pairsOf(payload: Buffer): [string, string][] {
  return Array.from({ length: Math.floor(payload.length / 40) }, (_, place) => [
    payload.toString('hex', place * 40, place * 40 + 20),
    payload.toString('hex', place * 40 + 20, place * 40 + 40),
  ]);
}
