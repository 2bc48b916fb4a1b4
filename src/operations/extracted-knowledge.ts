// The lines that new memories add to knowledge files, as changes of an operation. Which lines is decided in extract/knowledge.ts.

import { type KnowledgeBase, planKnowledge } from '../extract/knowledge.ts';
import type { MemoryRecord, Transcript } from '../records/types.ts';
import type { FileChange } from '../store/operation.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** Plans the knowledge that new memories of a conversation become, against a state. */
export function extractedKnowledge(
  snapshot: Snapshot,
  created: readonly MemoryRecord[],
  { path, transcript }: { readonly path: string; readonly transcript: Transcript },
  timeZone = 'UTC',
): FileChange[] {
  return planKnowledge({ path, transcript, created, knowledge: knowledgeIn(snapshot), timeZone }).map(
    ({ path: file, after }) => ({ path: file, before: snapshot.oidOf(file), after: Buffer.from(after) }),
  );
}

/** Reads knowledge of a state; folders are listed once. */
function knowledgeIn(snapshot: Snapshot): KnowledgeBase {
  const lists = new Map<string, readonly string[]>();
  return {
    read: (path) => snapshot.readText(path),
    list(folder) {
      const known = lists.get(folder) ?? [...snapshot.list(folder).keys()];
      lists.set(folder, known);
      return known;
    },
  };
}
