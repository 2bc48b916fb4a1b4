// Whether a memory tells of an event or states what holds (spec 4, episode/note). Notes may be reconsolidated, episodes stay as told.

import type { MemoryCategory, MemoryRecord } from '../records/types.ts';

/** `episode`: something that happened at a time; `note`: a belief, choice or liking that holds until it changes. */
export type MemoryKind = NonNullable<MemoryRecord['memoryKind']>;

/** Times that have passed or are passing; "tomorrow" is a plan, not an event. */
const temporal =
  /\b(?:yesterday|today|tonight|this (?:morning|afternoon|evening|week|weekend)|last (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|time|mon|tues|wednes|thurs|fri|satur|sun)\w*|(?:\d+|a|an|two|three|four|five|six|seven|eight|nine|ten|few|couple of) (?:minutes?|hours?|days?|weeks?|months?|years?) ago|just now|earlier today|the other day)\b/i;

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
const noteTags: ReadonlySet<string> = new Set(
  'preference decision rule policy principle fact profile config setup lesson procedure'.split(' '),
);
const episodeTags: ReadonlySet<string> = new Set(
  'event incident milestone meeting deploy release trip moment log'.split(' '),
);

const pastAction =
  /\b(?:deployed|merged|fixed|shipped|released|launched|finished|completed|created|added|removed|moved|migrated|updated|started|stopped|failed|crashed|broke|went|met|visited|attended|bought|sold|won|lost|received|sent|joined|left|called|wrote|built|found|learned|celebrated|had|got|took|gave|happened|discovered|replaced|installed|opened|closed|landed)\b/i;
const noteSignal =
  /\b(?:prefers?|always|never|must|should|likes?|loves?|hates?|dislikes?|wants?|needs?|uses?|is|are|means|requires?|believes?|usually|typically|favou?rite|policy|rule)\b/i;

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
