// Which extractions no pass has followed yet, and that passes have followed them.

import { count } from '../base/count.ts';
import type { Configuration } from '../records/configuration.ts';
import {
  formatRecentExtractions,
  parseRecentExtractions,
  recentExtractionsPath,
} from '../records/recent-extractions.ts';
import type { BranchStore } from '../store/branch-store.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** Names the extractions since the passes ran, and tells whether they are due again. */
export function recentExtractions(
  snapshot: Snapshot,
  { everyExtractions }: Pick<Configuration['maintain'], 'everyExtractions'>,
): { readonly names: readonly string[]; readonly areDue: boolean } {
  const names = parseRecentExtractions(snapshot.readText(recentExtractionsPath));
  return { names, areDue: everyExtractions > 0 && names.length >= everyExtractions };
}

/**
 * Notes that passes have followed some extractions; those that came meanwhile still count.
 *
 * What was extracted stands in `state/extractions.json` by the commit of each extraction, so that a crash, an undo and a merge leave the
 * count right.
 */
export async function settleExtractions(store: BranchStore, names: readonly string[]): Promise<void> {
  const settled = new Set(names);
  await store.commit(
    (snapshot) => {
      const before = snapshot.readText(recentExtractionsPath);
      const after = formatRecentExtractions(parseRecentExtractions(before).filter((name) => !settled.has(name)));
      if (before === null || after === before) return [];
      return [
        {
          kind: 'maintenance',
          name: 'after-extractions',
          subject: `passes after ${count(names.length, 'extraction')}`,
          trailers: [],
          changes: [
            { path: recentExtractionsPath, before: snapshot.oidOf(recentExtractionsPath), after: Buffer.from(after) },
          ],
          onConflict: 'drop',
        },
      ];
    },
    { onBusy: 'fail' },
  );
}
