// Pending entries and hand edits as operations: what will be one commit, and what it is called.

import type { HandEdits } from './hand-edits.ts';
import type { PendingEntry } from './journal-records.ts';
import type { Operation, OperationKind } from './operation.ts';

/** A longer run becomes several commits: each names its memories in trailers, and people read them. */
const maxChangesPerCommit = 1000;

/** Groups pending entries into operations: neighbours of the same run become one. */
export function operationsOf(entries: readonly PendingEntry[], subject?: string): Operation[] {
  const operations: Operation[] = [];
  let run: string | null = null;
  for (const entry of entries) {
    const previous = operations.at(-1);
    if (previous && run === entry.run && previous.changes.length < maxChangesPerCommit) {
      const { subject: first, ...rest } = previous;
      operations[operations.length - 1] = {
        ...rest,
        // Entries of one session share their subject; a batch of several writes is described by its changes.
        ...(first !== undefined && first === entry.subject ? { subject: first } : {}),
        name: previous.name === entry.name ? entry.name : 'batch',
        trailers: joinTrailers(previous.trailers, entry.trailers),
        changes: [...previous.changes, ...entry.changes],
        time: entry.time,
      };
      continue;
    }
    run = entry.run;
    operations.push({
      kind: entry.kind,
      name: entry.name,
      trailers: entry.trailers,
      changes: entry.changes,
      onConflict: 'later',
      time: entry.time,
      ...(entry.subject === undefined ? {} : { subject: entry.subject }),
      ...(entry.mayRemoveLines ? { mayRemoveCaptures: true } : {}),
      ...(entry.mayBeLong ? { mayBeLong: true } : {}),
      // What the engine wrote was judged, with all that waited, before it was acknowledged.
      ...(entry.isHandEdit ? { isHandEdit: true } : { isJudged: true }),
    });
  }
  if (subject === undefined) return operations;
  return operations.map((operation) => ({ ...operation, subject }));
}

/** What a person wrote, as operations: versions that were staged and changed again first. */
export function handOperations(handEdits: HandEdits): Operation[] {
  return [handEdits.staged, handEdits.changes]
    .filter((changes) => changes.length > 0)
    .map((changes) => ({
      kind: kindOfChanges(changes),
      name: 'edit',
      trailers: [],
      changes,
      onConflict: 'later',
      isHandEdit: true,
    }));
}

function joinTrailers(a: Operation['trailers'], b: Operation['trailers']): Operation['trailers'] {
  const known = new Set(a.map(({ key, value }) => `${key}: ${value}`));
  return [...a, ...b.filter(({ key, value }) => !known.has(`${key}: ${value}`))];
}

/** Changes of knowledge/identity alone are `identity:`, all others `memory:`. */
export function kindOfChanges(changes: readonly { readonly path: string }[]): OperationKind {
  return changes.every((change) => change.path.startsWith('knowledge/identity/')) ? 'identity' : 'memory';
}
