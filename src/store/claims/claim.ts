// Tells when a claim holds, and what closing one changes. A memory is a claim: what is said of a subject, from a day on, until something takes its
// place.
//
// Three places close a claim: core/write/remember.ts, core/extract/plan.ts and features/review/judge.ts. What an extractor may close is
// mayTouch's in core/extract/trust.ts. core/maintain/maintenance-tasks.ts opens claims again, and
// store/merge/validity.ts merges two endings. search/segment.ts keeps `isOver`: whoever changes it raises documentsVersion of search/documents.ts.

import { defined } from '../../base/errors.ts';
import { normaliseForHash } from '../../base/text.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';

/** Gives what a claim says as it is understood alone: its statement, else the words that were said. */
export const wordsOfClaim = ({ statement, content }: Pick<MemoryRecord, 'statement' | 'content'>): string =>
  statement ?? content;

/** Gives what a text for a model shows of a claim: the words of its turn, else what {@link wordsOfClaim} gives. */
export function quoteOfClaim({
  statement,
  content,
  sources = [],
}: Pick<MemoryRecord, 'statement' | 'content' | 'sources'>): string {
  return sources.some(({ turn }) => turn !== undefined) ? content : (statement ?? content);
}

/** Names what a claim is a value of; undefined unless somebody gave both its subject and its attribute. */
export function attributeKeyOf({
  subject,
  attribute,
}: Pick<MemoryRecord, 'subject' | 'attribute'>): string | undefined {
  if (subject === undefined || attribute === undefined) return undefined;
  return `${normaliseForHash(subject)}\n${normaliseForHash(attribute)}`;
}

/** What of a record decides when it holds. */
type Validity = Pick<MemoryRecord, 'status' | 'validFrom' | 'validUntil' | 'replacedBy'>;

/**
 * Tells whether a claim holds at a time, in seconds since the Unix epoch.
 *
 * A superseded one does not, whenever its end; nor does one whose end has come. What begins on a later day does not hold yet. Archived ones
 * are put aside and still true.
 */
export function holdsAt({ status, validFrom, validUntil }: Validity, seconds: number): boolean {
  if (status === 'superseded') return false;
  if (validFrom !== undefined && validFrom > seconds) return false;
  return validUntil === undefined || validUntil > seconds;
}

/** Tells whether a claim held once and does not at a time, in seconds: it was superseded, or its end has come. */
export const isOver = ({ status, validUntil }: Validity, seconds: number): boolean =>
  status === 'superseded' || (validUntil !== undefined && validUntil <= seconds);

/** Gives the second at which a claim begins to hold, where that is after a time; it does not hold yet. */
export const toBegin = ({ validFrom }: Pick<Validity, 'validFrom'>, seconds: number): number | undefined =>
  validFrom !== undefined && validFrom > seconds ? validFrom : undefined;

/** Says behind words on which days they hold: ` (from 2027-01-01 until 2027-03-01)`; nothing where neither day is known. */
export function periodMark({ from, until }: { readonly from?: string; readonly until?: string }): string {
  const days = [...(from === undefined ? [] : [`from ${from}`]), ...(until === undefined ? [] : [`until ${until}`])];
  return days.length === 0 ? '' : ` (${days.join(' ')})`;
}

/** Tells whether nothing has closed a claim yet, neither now nor for a day to come. */
export const isOpen = ({ status, replacedBy }: Validity): boolean =>
  status !== 'superseded' && replacedBy === undefined;

/** Tells whether two claims can hold at one time: neither ends before the other begins. */
export const mayHoldTogether = (one: Validity, other: Validity): boolean =>
  [
    [one, other],
    [other, one],
  ].every(([a, b]) => (a!.validFrom ?? Number.NEGATIVE_INFINITY) < (b!.validUntil ?? Number.POSITIVE_INFINITY));

export interface Ending {
  /** The id of the claim that takes its place, or takes it back; absent where nothing does. */
  readonly by?: string;
  /** The second from which the closed claim no longer holds. */
  readonly from: number;
  /** The second of the change: an end after it is one to come, judged when asked. */
  readonly now: number;
}

/** Gives a record as it is once it is closed; its own earlier end stays. */
export function closed(record: MemoryRecord, { by, from, now }: Ending): MemoryRecord {
  const validUntil = Math.min(from, record.validUntil ?? from);
  const status = from <= now ? ({ status: 'superseded' } as const) : {};
  return { ...record, ...status, validUntil, ...defined({ replacedBy: by }) };
}

/** Gives a record as it was before it was closed. */
export function reopened(record: MemoryRecord): MemoryRecord {
  const { validUntil: _until, replacedBy: _by, ...open } = record;
  return record.status === 'superseded' ? { ...open, status: 'active' } : open;
}
