// What keeps purged things from coming back: the receipts in a tree tell which commits and which words no history may bring.

import { MemoryError } from '../errors.ts';
import type { ObjectReader } from '../git/object-overlay.ts';
import { findEntry } from '../git/tree.ts';
import { holdsPurged, isPurgedPath, type PurgeReceipt, parseReceipt, receiptFolder } from '../records/purge-receipt.ts';

/** What receipts are read with. */
export type ReceiptReader = Pick<ObjectReader, 'readCommit' | 'readTree' | 'readBlob'>;

/** Reads the receipts that a commit holds. */
export function receiptsOf(objects: ReceiptReader, commit: string): PurgeReceipt[] {
  const folder = findEntry(objects.readCommit(commit).tree, receiptFolder, objects.readTree);
  if (folder?.mode !== '40000') return [];
  return objects.readTree(folder.oid).flatMap(({ name, mode, oid }) => {
    if (mode === '40000' || !name.endsWith('.json')) return [];
    return parseReceipt(objects.readBlob(oid).toString('utf8'), `${receiptFolder}/${name}`) ?? [];
  });
}

/**
 * Refuses commits that were rewritten by a purge of ours: with them what was purged would come back.
 *
 * `brought` are the commits that would come in. Throws PURGED.
 */
export function refusePurged(objects: ReceiptReader, ours: string, brought: readonly string[], where: string): void {
  if (brought.length === 0) return;
  const receipts = receiptsOf(objects, ours);
  if (receipts.length === 0) return;
  const cut = new Map(receipts.flatMap((receipt) => receipt.cut.map((oid) => [oid, receipt.id] as const)));
  const found = brought.find((oid) => cut.has(oid));
  if (found === undefined) return;
  throw new MemoryError(
    'PURGED',
    `it holds the history from before the purge ${cut.get(found)!}, and would bring back what was purged`,
    {
      where,
      hint: 'Nothing was changed. Bring single commits over by hand; the receipt says how to deal with such a copy',
    },
  );
}

/** Tells whether a file that comes from an old history is, or holds, something that was purged. */
export function isPurgedFile(receipts: readonly PurgeReceipt[], path: string, bytes: Buffer | null): boolean {
  return receipts.some(
    ({ texts, paths }) =>
      isPurgedPath(path, paths) ||
      holdsPurged(path, texts) ||
      (bytes !== null && holdsPurged(bytes.toString('utf8'), texts)),
  );
}
