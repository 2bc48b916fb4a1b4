// The merge of one file as it is stored: decoded for its kind, and encoded again. Used for operations upon a tip that has moved on.

import type { Codec, Privacy, StoredBytes } from './codec.ts';
import { newObject } from './git/object-codec.ts';
import { growAgain } from './merge/growth.ts';
import { mergeFile } from './merge/merge-file.ts';

/** Versions of one file; null where it is not there. */
interface StoredSides {
  readonly base: StoredBytes | null;
  readonly ours: StoredBytes | null;
  readonly theirs: StoredBytes | null;
}

/** What became of a merge; with conflicts, a version in which theirs has won, or none. */
interface StoredMerge {
  readonly oid: string | null;
  readonly bytes: StoredBytes | null;
  readonly conflicts: readonly string[];
}

/** Merges the later change, `theirs`, into what is there by now. */
export function mergeStored(path: string, sides: StoredSides, codec: Codec, privacy: Privacy): StoredMerge {
  const texts = [sides.base, sides.ours, sides.theirs].map((stored) => stored && textOf(codec, path, stored));
  if (texts.includes(undefined)) return { oid: null, bytes: null, conflicts: [path] };
  const [base, ours, theirs] = texts as [string | null, string | null, string | null];
  const grown = ours === null || theirs === null ? undefined : growAgain(path, base, ours, theirs);
  const { merged, conflicts } =
    grown === undefined ? mergeFile(path, [base, ours, theirs], 'theirs') : { merged: grown.text, conflicts: [] };
  const bytes = merged === null ? null : codec.encode(path, Buffer.from(merged), privacy);
  return { oid: bytes === null ? null : newObject('blob', bytes).oid, bytes, conflicts };
}

/** Gives what stands after a contradiction: the later where both changed the same; what only the other changed stays too. */
export const laterOf = (merged: StoredMerge, after: StoredBytes | null): Pick<StoredMerge, 'oid' | 'bytes'> =>
  merged.bytes && after ? merged : { oid: after && newObject('blob', after).oid, bytes: after };

/** Gives the text of stored bytes; undefined where they are none, or their key is missing. */
export function textOf(codec: Codec, path: string, stored: StoredBytes): string | undefined {
  if (!codec.canDecode(stored)) return undefined;
  const plain = codec.decode(path, stored);
  const text = plain.toString('utf8');
  return Buffer.from(text).equals(plain) ? text : undefined;
}
