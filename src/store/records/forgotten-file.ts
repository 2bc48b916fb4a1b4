// Lists what was forgotten: state/forgotten.json names memories and the turns they came from, and no words. A capture never changes, so only this
// keeps a forgotten turn from being handed out. Nor is a turn whose words somebody put otherwise, as long as they say all of it.

import { formatJson, objectAt } from '../../base/canonical-json.ts';

/** Where they stand: `{ "0a1b…": ["raw/conversations/2026/02/16/….md#3"] }`. */
export const forgottenPath = 'state/forgotten.json';

/** Stands behind the id of a memory that is there and says something else than its turns. */
export const rewordedMark = ':reworded';

/** Memory id → the turns it came from, as `path#turn`; none for what somebody remembered. */
type Forgotten = ReadonlyMap<string, readonly string[]>;

/** Parses the list; a file that cannot be read names nothing. */
export function parseForgotten(text: string | null): Forgotten {
  return new Map(
    Object.entries(objectAt(text, forgottenPath)).map(([id, turns]) => [
      id,
      Array.isArray(turns) ? turns.filter((turn) => typeof turn === 'string') : [],
    ]),
  );
}

/** Formats the list as canonical JSON; null for one that names nothing, which is no file. */
export const formatForgotten = (forgotten: Forgotten): string | null =>
  forgotten.size === 0 ? null : formatJson(Object.fromEntries(forgotten));
