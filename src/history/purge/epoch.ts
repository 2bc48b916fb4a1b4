// The epoch of a memory: how often something was purged from its history. Memories of different epochs never merge.

import { epochOfReceipts } from '../../records/purge-receipt.ts';
import { type ReceiptReader, receiptsOf } from './purged-history.ts';

/** Reads the epoch of a commit: what the receipts in its tree prove, whatever `.meta.json` says, and 0 where nothing was ever purged. */
export function epochOf(objects: ReceiptReader, commit: string): number {
  return epochOfReceipts(receiptsOf(objects, commit));
}
