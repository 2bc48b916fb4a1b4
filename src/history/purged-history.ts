// Keeps purged things from coming back: the receipts in a tree tell which commits and words no history may bring.

import { MemoryError } from '../base/errors.ts';
import type { ObjectReader } from '../store/git/object-overlay.ts';
import { findEntry } from '../store/git/tree.ts';
import { type PurgeReceipt, parseReceipt, receiptFolder } from '../store/records/purge-receipt.ts';

type ReceiptReader = Pick<ObjectReader, 'readCommit' | 'readTree' | 'readBlob'>;

export function receiptsOf(objects: ReceiptReader, commit: string): PurgeReceipt[] {
  const folder = findEntry(objects.readCommit(commit).tree, receiptFolder, objects.readTree);
  if (folder?.mode !== '40000') return [];
  return objects.readTree(folder.oid).flatMap(({ name, mode, oid }) => {
    if (mode === '40000' || !name.endsWith('.json')) return [];
    return parseReceipt(objects.readBlob(oid).toString('utf8'), `${receiptFolder}/${name}`) ?? [];
  });
}

/** Gives the purge by which one of these commits was rewritten, as the receipts of a commit say; null for none. */
export function purgeBefore(objects: ReceiptReader, purged: string, commits: readonly string[]): string | null {
  const receipts = receiptsOf(objects, purged);
  if (receipts.length === 0) return null;
  const cut = new Map(receipts.flatMap((receipt) => receipt.cut.map((oid) => [oid, receipt.id] as const)));
  const found = commits.find((oid) => cut.has(oid));
  return found === undefined ? null : cut.get(found)!;
}

/**
 * Refuses commits that were rewritten by a purge of ours: with them what was purged would come back.
 *
 * `brought` are the commits that would come in. Throws PURGED.
 */
export function refusePurged(objects: ReceiptReader, ours: string, brought: readonly string[], where: string): void {
  if (brought.length === 0) return;
  const found = purgeBefore(objects, ours, brought);
  if (found === null) return;
  throw new MemoryError(
    'PURGED',
    `it holds history from before the purge ${found} and would bring back purged content`,
    {
      where,
      hint: 'Nothing was changed. `git memory sync --adopt` takes a remote without that content; you can copy single commits by hand',
    },
  );
}

/** What two histories have that the other lacks. */
interface Apart {
  /** Commits behind the one that has the receipts, and not behind the other. */
  readonly beyond: () => readonly string[];
  /** The other way round. */
  readonly brought: () => readonly string[];
}

/**
 * Lists the receipts of a commit that another history does not follow: it went on without the purge, or holds the history from before it.
 *
 * Only a receipt proves a purge; the epoch is a number, which anybody can write.
 */
export function owedReceipts(objects: ReceiptReader, purged: string, other: string, apart: Apart): PurgeReceipt[] {
  const receipts = receiptsOf(objects, purged);
  if (receipts.length === 0 || purged === other) return [];
  const brought = new Set(apart.brought());
  if (brought.size === 0) return [];
  const present = new Set(receiptsOf(objects, other).map(({ id }) => id));
  // What leads on from a purge has followed it, also where its receipt was taken away since.
  const hasParted = receipts.some(({ id }) => !present.has(id)) && apart.beyond().length > 0;
  return receipts.filter(
    // Of times no word went: who never had those commits has nothing to follow.
    ({ id, cut, what }) => (hasParted && what !== 'times' && !present.has(id)) || cut.some((oid) => brought.has(oid)),
  );
}
