// Which claims a new one ends, among those that are there (claims/closing.ts decides for two of them). Plans only; what becomes of the records
// is plan.ts's.

import { isOpen } from '../claims/claim.ts';
import { type Closing, closing } from '../claims/closing.ts';
import { type Reading, readSaid } from '../claims/reading.ts';
import { speakerOf } from '../claims/said.ts';
import type { MemoryRecord } from '../records/types.ts';
import { mayTouch, trustOfRecord } from './trust.ts';

/** A claim with what was read of it. */
export interface ReadClaim {
  readonly record: MemoryRecord;
  readonly reading: Reading;
}

const firstPerson = /\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b/;

/** What is longer is a note with more than one thing to say. */
const maxLength = 600;

/** Reads the claim of a record, by its statement where it has one; undefined for a text that is too long for one claim. */
export function readingOf(record: MemoryRecord): Reading | undefined {
  const { statement, content, sources, createdAt } = record;
  // "I" is one person and known; a name in its place could be anybody's.
  const isOwn = firstPerson.test(content) && !/\b(?:him|them)\b/i.test(content);
  const text = statement === undefined || isOwn ? content : statement;
  if (text.length > maxLength) return undefined;
  const role = sources?.[0]?.role ?? 'user';
  return readSaid({ text, speaker: voiceOf(record), role, time: createdAt * 1000, before: [], after: '' });
}

/** Names the speaker of a claim: an entity that its words do not name, else `the user` or `the assistant`. */
export function voiceOf({ content, entities, sources }: MemoryRecord): string {
  return entities.find((name) => !content.includes(name)) ?? speakerOf({ role: sources?.[0]?.role ?? 'user' });
}

/** Tells whether a record was said after another one, which was not repeated since as far as its sources tell. */
function isLaterThan(record: MemoryRecord, old: MemoryRecord): boolean {
  const source = record.sources?.[0];
  if (record.createdAt < old.createdAt) return false;
  if (source === undefined) return record.createdAt > old.createdAt;
  const inOne = (old.sources ?? []).filter(({ path }) => path === source.path);
  if (record.createdAt === old.createdAt && inOne.length === 0) return false;
  if (inOne.some(({ turn }) => turn === undefined || source.turn === undefined || turn > source.turn)) return false;
  // Paths of conversations sort as their times do.
  const isDated = (path: string) => path.startsWith('raw/conversations/');
  return !(old.sources ?? []).some(({ path }) => isDated(path) && isDated(source.path) && path > source.path);
}

/** Of one turn what stands before the other was said first. */
function areOfOneTurn({ sources: [one] = [] }: MemoryRecord, { sources: [other] = [] }: MemoryRecord): boolean {
  return one?.turn !== undefined && one.path === other?.path && one.turn === other.turn;
}

/**
 * Tells whether a claim ends an earlier one, and since when; null where it does not.
 *
 * It has to be said later, by words that are believed no less. A sentence that names what it ends ("Valkey instead of Redis") ends what
 * says that, and nothing else.
 */
export function endedBy(later: ReadClaim, earlier: ReadClaim): Closing | null {
  const { record } = later;
  const { record: old } = earlier;
  if (areOfOneTurn(record, old) && !later.reading.before.includes(old.content)) return null;
  const isCandidate = record.id !== old.id && (old.status === 'active' || old.status === 'promoted') && isOpen(old);
  if (!isCandidate || !isLaterThan(record, old)) return null;
  // What an assistant confirms was asked for by a person.
  if (!later.reading.isConfirmed && !mayTouch(trustOfRecord(record), trustOfRecord(old))) return null;
  return closing(earlier.reading, later.reading);
}
