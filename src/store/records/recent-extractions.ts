// The extractions since the passes ran that follow every few of them (spec 4): state/extractions.json.

import { formatJson, objectAt } from '../../base/canonical-json.ts';
import { sha256Hex } from '../../base/hash.ts';

/** Where they are: `{ "since": ["4b0f7c21a9d83e56", …] }`. */
export const recentExtractionsPath = 'state/extractions.json';

/** So many are listed; the passes are due long before. */
const most = 500;

/**
 * Names an extraction by the memories it made, so that two machines that extract from the same conversation count one.
 *
 * Names and not a number: a set merges, can be undone, and tells one step that two sides made from a step that each made.
 */
export const extractionName = (ids: readonly string[]): string => sha256Hex([...ids].sort().join('\n')).slice(0, 16);

/** Parses the names; a file that cannot be read holds none, for the passes then only run later. */
export function parseRecentExtractions(text: string | null): readonly string[] {
  const { since } = objectAt(text, recentExtractionsPath);
  return Array.isArray(since) ? since.filter((name) => typeof name === 'string') : [];
}

/** Formats names as canonical JSON, each once. */
export const formatRecentExtractions = (names: readonly string[]): string =>
  formatJson({ since: [...new Set(names)].slice(0, most) });
