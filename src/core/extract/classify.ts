// Whether a memory tells of an event or states what holds (spec 4, episode/note). Notes may be reconsolidated, episodes stay as told.

import * as words from '../../base/generated/words.ts';
import type { MemoryCategory, MemoryRecord } from '../../base/types/stored-types.ts';
import { anyOf, listed } from '../../base/words.ts';

/** `episode`: something that happened at a time; `note`: a belief, choice or liking that holds until it changes. */
export type MemoryKind = NonNullable<MemoryRecord['memoryKind']>;

const temporal = anyOf(words.temporal);
const pastAction = anyOf(words.doneWords);
const noteSignal = anyOf(words.holdingWords);
const noteTags: ReadonlySet<string> = new Set(listed(words.noteTags));
const episodeTags: ReadonlySet<string> = new Set(listed(words.episodeTags));
const noteCategories: ReadonlySet<MemoryCategory> = new Set([
  'preference',
  'decision',
  'commitment',
  'principle',
  'correction',
  'relationship',
  'entity',
  'skill',
]);
/**
 * Classifies a memory as episode or note; the first of these that speaks decides (spec 4):
 *
 * 1. a time that has passed, such as "yesterday": episode
 * 2. its category: a moment is an episode; a preference, decision, commitment and the like is a note
 * 3. its tags, those of notes first
 * 4. a verb of something done: episode
 * 5. words of what holds, such as "prefers", "always": note
 * 6. otherwise episode
 */
export function memoryKindOf(content: string, category?: MemoryCategory, tags: readonly string[] = []): MemoryKind {
  if (temporal.test(content)) return 'episode';
  if (category === 'moment') return 'episode';
  if (category !== undefined && noteCategories.has(category)) return 'note';
  const lower = tags.map((tag) => tag.toLowerCase());
  if (lower.some((tag) => noteTags.has(tag))) return 'note';
  if (lower.some((tag) => episodeTags.has(tag))) return 'episode';
  if (pastAction.test(content)) return 'episode';
  return noteSignal.test(content) ? 'note' : 'episode';
}
