// Counts the uses of files (spec 5 §6.3 and §8.5, reference_count): state/uses.json. Memories count their uses themselves.

import { formatJson, isJsonObject, objectAt } from '../../base/canonical-json.ts';

/** Where they stand: `{ "knowledge/people/ada.md": { "count": 3, "last_at": 1771236000 } }`; counts add up when branches merge. */
export const useCountsPath = 'state/uses.json';

interface UseCount {
  readonly count: number;
  /** Seconds since the Unix epoch. */
  readonly lastAt: number;
}

/** Parses the counts by path; what cannot be read was never counted. */
export function parseUseCounts(text: string | null): Map<string, UseCount> {
  const counts = new Map<string, UseCount>();
  for (const [path, entry] of Object.entries(objectAt(text, useCountsPath))) {
    const { count, last_at: lastAt } = isJsonObject(entry) ? entry : {};
    if (typeof count === 'number' && count > 0 && typeof lastAt === 'number') counts.set(path, { count, lastAt });
  }
  return counts;
}

/** Formats counts as canonical JSON, by path. */
export function formatUseCounts(counts: ReadonlyMap<string, UseCount>): string {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return formatJson(Object.fromEntries(sorted.map(([path, { count, lastAt }]) => [path, { count, last_at: lastAt }])));
}
