// The lines that new memories add to knowledge files, as changes of an operation. Which lines is decided in extract/knowledge.ts.

import { planKnowledge } from '../extract/knowledge.ts';
import type { ExtractionPlan } from '../extract/plan.ts';
import type { KnowledgeBase } from '../extract/subjects.ts';
import type { Transcript } from '../records/types.ts';
import type { FileChange } from '../store/operation.ts';
import type { Snapshot } from '../store/snapshot.ts';

/** How a conversation becomes knowledge. */
export interface KnowledgeSettings {
  /** Default UTC. */
  readonly timeZone?: string | undefined;
  readonly hasLinks?: boolean | undefined;
}

/** Plans the knowledge that new memories of a conversation become, against a state, and which of what is there it confirms. */
export function extractedKnowledge(
  snapshot: Snapshot,
  { created, updated }: Pick<ExtractionPlan, 'created' | 'updated'>,
  { path, transcript }: { readonly path: string; readonly transcript: Transcript },
  { timeZone = 'UTC', hasLinks = true }: KnowledgeSettings,
): FileChange[] {
  // A memory that was only taken back was not said again.
  const heard = updated
    .filter(({ before, after }) => (after.sources?.length ?? 0) > (before.sources?.length ?? 0))
    .map(({ after }) => after);
  const knowledge = knowledgeIn(snapshot);
  return planKnowledge({ path, transcript, created, heard, knowledge, timeZone, hasLinks }).map(
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
