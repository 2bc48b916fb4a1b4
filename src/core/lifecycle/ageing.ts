// What time does to a memory: the one rule that every pass and list asks. It reads vitals and a moment, and changes nothing.

import { dayMs, dayOf, formatTime } from '../../base/time.ts';
import type { MemoryCategory } from '../../base/types/stored-types.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { scoreOf } from '../../store/records/strength.ts';
import type { Vitals } from '../../store/records/vitals.ts';

/** What is to be done with a memory that aged: it is put aside, or leaves the tree. */
export interface Ageing {
  readonly stage: 'archive' | 'leave';
  readonly why: string;
}

/** The part of the configuration that ageing follows. */
export type AgeingRules = Pick<Configuration, 'decay' | 'commitments' | 'archiveFacts' | 'timezone'>;

/** The importance that a text begins with, and that of a memory without one (spec 4). */
export const normalImportance = 0.5;
/** Below this score a memory that nothing protects is archived. */
const urgentScore = 0.1;
/** That of urgent wording. */
const highImportance = 0.7;

/** So long a memory that aged stays in the archive at least, also where nothing ran for months. */
export const daysInArchive = 14;

/** What holds until somebody says otherwise, however long nobody asked for it. */
const lastingCategories: ReadonlySet<string> = new Set<MemoryCategory>([
  'correction',
  'principle',
  'preference',
  'decision',
  'relationship',
  'entity',
  'skill',
]);

/**
 * Says what time has done to a memory by a moment, in milliseconds since the Unix epoch; null where nothing is to be done.
 *
 * | memory                                                      | is archived                                     | leaves the tree |
 * |-------------------------------------------------------------|-------------------------------------------------|-----------------|
 * | promoted, schema                                            | never                                           | never           |
 * | P0 and P1                                                   | when it expires                                 | never           |
 * | correction, principle, preference, decision, relationship,  | when it expires                                 | never           |
 * | entity (people and things), skill; what stands              |                                                 |                 |
 * | fact of normal importance, moment of high importance        | when it expires, or by `archive_facts`          | never           |
 * | open commitment                                             | when it expires, or after `commitments.days` of | once archived,  |
 * |                                                             | silence ({@link lastAliveOf})                   | as the last row |
 * | any other                                                   | when it expires, by `archive_facts`, or below   | archived, and   |
 * |                                                             | {@link urgentScore}                             | below `forget`  |
 *
 * A memory without a category is a fact. A memory expires at `expires_at`: in the archive that is the day from which it may leave,
 * {@link daysInArchive} after it came. What a person archived has no such day and stays; what was superseded needs no archive.
 */
export function ageingOf(record: Vitals, now: number, rules: AgeingRules): Ageing | null {
  const why = record.status === 'active' ? reasonToArchive(record, now, rules) : undefined;
  if (why !== undefined) return { stage: 'archive', why };
  const mayLeave = record.status === 'superseded' || (record.status === 'archived' && isExpired(record, now));
  if (!mayLeave || protectionOf(record, now) !== undefined) return null;
  const faded = reasonOfScore(record, now, rules, rules.decay.forget);
  return faded === undefined ? null : { stage: 'leave', why: faded };
}

/** Tells why a memory does not fade, whatever its score; undefined where it does. */
export function protectionOf(record: Vitals, now: number): string | undefined {
  const { status, category, priority, stands } = record;
  if (status === 'promoted' || status === 'schema') return `it is ${status === 'schema' ? 'a schema' : status}`;
  if (priority !== undefined) return `it is ${priority}`;
  if (category !== undefined && isLasting(category)) return `it is of the category ${category}`;
  if (stands) return 'it holds until it is taken back';
  if (isOpenCommitment(record, now)) return 'it is an open commitment';
  const importance = record.importance ?? normalImportance;
  const isFact = category === undefined || category === 'fact';
  const least = isFact ? normalImportance : category === 'moment' ? highImportance : null;
  return least !== null && importance >= least ? `it is of importance ${importance}` : undefined;
}

/** Tells whether what is of a category holds until somebody says otherwise. */
export const isLasting = (category: string): boolean => lastingCategories.has(category);

/**
 * When a promise was last alive, in milliseconds: made, repeated or used, or the day on which it is due. Of one that nobody used
 * `last_used` is when it was read: an old conversation that is imported today keeps no promise alive.
 */
export function lastAliveOf({ createdAt, lastUsed, useCount, due }: Vitals): number {
  const end = due === undefined ? 0 : Date.parse(due) + dayMs;
  return Math.max(createdAt * 1000, useCount === 0 ? 0 : lastUsed * 1000, end);
}

function reasonToArchive(record: Vitals, now: number, rules: AgeingRules): string | undefined {
  if (isExpired(record, now)) return `it expired ${formatTime(record.expiresAt! * 1000)}`;
  const protection = protectionOf(record, now);
  if (isOpenCommitment(record, now)) {
    const alive = lastAliveOf(record);
    const isSilent = now - alive > rules.commitments.days * dayMs && record.priority === undefined;
    return isSilent ? `nothing was heard of it since ${dayOf(alive, rules.timezone)}` : undefined;
  }
  const old = reasonOfAge(record, now, rules);
  if (old !== undefined || protection !== undefined) return old;
  return reasonOfScore(record, now, rules, urgentScore);
}

/** Follows `archive_facts`, where it is enabled: a fact that is old, of little importance and hardly used (spec 4). */
function reasonOfAge(record: Vitals, now: number, { archiveFacts }: AgeingRules): string | undefined {
  const { category = 'fact', importance = normalImportance, useCount, createdAt } = record;
  const isKept =
    record.priority !== undefined ||
    record.stands ||
    isLasting(category) ||
    archiveFacts.protected.some((one) => one === category);
  const days = (now - createdAt * 1000) / dayMs;
  const { enabled, ageDays, maxImportance, maxUses } = archiveFacts;
  if (!enabled || isKept || days <= ageDays || importance >= maxImportance || useCount > maxUses) return undefined;
  return `it is ${Math.floor(days)} days old, of importance ${importance}, and was used ${useCount} times`;
}

function reasonOfScore(record: Vitals, now: number, { decay }: AgeingRules, least: number): string | undefined {
  const score = scoreOf(record, now, decay);
  return score < least ? `its score ${score.toPrecision(2)} is below ${least}` : undefined;
}

const isExpired = ({ expiresAt }: Vitals, now: number): boolean => expiresAt !== undefined && expiresAt * 1000 <= now;

function isOpenCommitment({ category, status, validUntil, isReplaced }: Vitals, now: number): boolean {
  const isClosed = isReplaced || (validUntil !== undefined && validUntil * 1000 <= now);
  return category === 'commitment' && status === 'active' && !isClosed;
}
