// Private paths at which history holds no whole encrypted text. Somebody committed with native git and without the filter, or a tool
// changed what it could not read.

import { MemoryError } from '../base/errors.ts';
import { broughtBy } from './brought.ts';
import type { Codec, Privacy } from './codec.ts';
import { TreeFiles } from './derive.ts';
import type { ObjectReader } from './git/object-overlay.ts';
import { findEntry } from './git/tree.ts';
import type { FileChange } from './operation.ts';
import { damagedText } from './records/private-text.ts';

/** A private path that is stored otherwise than encrypted. */
interface PrivateFault {
  readonly path: string;
  readonly fault: 'open' | 'damaged';
}

interface CommittedFault extends PrivateFault {
  readonly commit: string;
}

type Objects = Pick<ObjectReader, 'readBlob' | 'readCommit' | 'readTree' | 'readTreeBytes'>;

/** Tells what the configuration of a commit says of private texts. */
const privacyAt = (objects: Objects, codec: Codec, commit: string): Privacy =>
  codec.privacyOf(new TreeFiles(objects.readCommit(commit).tree, objects, codec, new Map()));

/**
 * Finds what is wrong with the private files of a commit that are not the same in each of the others. What lay open before its path became
 * private is none of it: the others have it already.
 */
export function faultsIn(
  objects: Objects,
  codec: Codec,
  commit: string,
  others: readonly (string | null)[],
): PrivateFault[] {
  const privacy = privacyAt(objects, codec, commit);
  if (privacy.patterns.length === 0) return [];
  return broughtBy(objects, commit, others).flatMap(({ path, after }) => {
    if (!after?.mode.startsWith('100') || !privacy.isPrivate(path)) return [];
    const fault = codec.faultOf(objects.readBlob(after.oid));
    return fault === null ? [] : [{ path, fault }];
  });
}

/**
 * Plans to store encrypted, at a tip, the private texts that native git committed open since a commit that had none. Null where the key is
 * not here.
 */
export function planEncryption(
  objects: Objects,
  codec: Codec,
  tip: string,
  checked: string | null,
): readonly FileChange[] | null {
  const privacy = privacyAt(objects, codec, tip);
  if (!codec.holdsKeyOf(privacy)) return null;
  return faultsIn(objects, codec, tip, [checked]).flatMap(({ path, fault }) => {
    const before = fault === 'open' ? oidAt(objects, tip, path) : null;
    if (before === null) return [];
    return [{ path, before, after: codec.encode(path, objects.readBlob(before), privacy) }];
  });
}

/**
 * Refuses commits that must not leave the machine. None may have an open text at a private path, and the tip no damaged one. One that was
 * damaged in between, and is whole again, gives nothing away. Throws PRIVATE_OPEN, PRIVATE_DAMAGED.
 */
export function refuseToPush(objects: Objects, codec: Codec, tip: string, commits: readonly string[]): void {
  for (const commit of commits) {
    for (const fault of faultsIn(objects, codec, commit, objects.readCommit(commit).parents)) {
      const stands = () => oidAt(objects, tip, fault.path) === oidAt(objects, commit, fault.path);
      if (fault.fault === 'open' || stands()) throw refusedText({ ...fault, commit }, commit === tip);
    }
  }
}

const oidAt = (objects: Objects, commit: string, path: string): string | null =>
  findEntry(objects.readCommit(commit).tree, path, objects.readTree)?.oid ?? null;

/** Says that a commit must not leave the machine, and how its words are kept. `isTip`: nothing was committed since. */
function refusedText({ path, commit, fault }: CommittedFault, isTip: boolean): MemoryError {
  const short = commit.slice(0, 12);
  if (fault === 'damaged') return damagedText(`${path} in ${short}`);
  const way = isTip
    ? `\`git add --renormalize -- ${path}\` and \`git commit --amend --no-edit\` store it encrypted in place of this commit; the words stay in the file`
    : 'The words stay in the file, and `git memory commit` stores them encrypted from now on, but this commit keeps them: ' +
      'only `git memory purge` takes them out. Keep a copy of the file outside of the memory before that';
  return new MemoryError('PRIVATE_OPEN', `${path} is private, but the commit ${short} holds it unencrypted`, {
    where: path,
    hint: `Nothing was sent. ${way}`,
  });
}
