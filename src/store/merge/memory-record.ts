// Three-way merge of memory and relation records, field by field. Counting is never a conflict; saying two things is. When a claim holds is
// merged as one, in validity.ts.

import { formatJson, isSameJson, parseJson } from '../../base/canonical-json.ts';
import { orElse } from '../../base/errors.ts';
import { formatMemory, parseMemory } from '../records/memory-record.ts';
import { formatRelation, parseRelation } from '../records/relation-record.ts';
import { type JsonRule, type LostValue, mergeJson, mergeSets } from './json.ts';
import { type MergeResult, mergeTrivially, ofEach, type Sides, type Winner } from './result.ts';
import { mergeValidity, validityKeys } from './validity.ts';

/** The conflict of a record that one side wrote as none. */
export const unreadable = 'the record cannot be read';

/** Fields that only count or date what was done with a record: they never stand against a deletion. */
export const counterRules: Readonly<Record<string, JsonRule>> = {
  use_count: 'sum',
  review_count: 'sum',
  cross_domain_count: 'sum',
  last_used: 'max',
  last_review_at: 'max',
  strength: 'max',
  review_priority: 'max',
};

/** How the fields of a memory record merge; others are disputed where both sides changed them. */
export const memoryRules: Readonly<Record<string, JsonRule>> = {
  ...counterRules,
  created_at: 'min',
  promoted_at: 'max',
  expires_at: 'max',
  confidence: 'max',
  importance: 'max',
  'meta.tags': 'set',
  entities: 'set',
  sources: 'set',
  alternatives: 'set',
};

interface RecordFormat {
  readonly rules: Readonly<Record<string, JsonRule>>;
  /** Brings the bytes of a record to canonical form; throws INVALID_RECORD. */
  readonly normalise: (text: string, path: string) => string;
  /** Decides fields that are merged together, before the others are merged one by one. */
  readonly settle?: typeof mergeValidity;
}

const formats = {
  memory: {
    rules: memoryRules,
    normalise: (text: string, path: string) => formatMemory(parseMemory(text, path)),
    settle: mergeValidity,
  },
  relation: {
    rules: { strength: 'max', created_at: 'min', alternatives: 'set' },
    normalise: (text: string, path: string) => formatRelation(parseRelation(text, path)),
  },
} as const satisfies Record<string, RecordFormat>;

type Fields = Record<string, unknown>;

/**
 * Merges two versions of a memory or relation, each null where the file is gone.
 *
 * Counters add up the increments of both sides, times and strength take the greater, tags, entities and sources merge as sets.
 * Any other field changed in two ways is a conflict, which names the key. The side used later has it, or the `winner` when both were used
 * last at the same time. The record's `alternatives` keep the other side's value. A claim that one side closed is closed, see {@link
 * mergeValidity}. A deletion wins over changes of counters and over a closing; over others it is a conflict, and the record stays.
 */
export function mergeRecord(kind: keyof typeof formats, path: string, sides: Sides, winner: Winner): MergeResult {
  const format: RecordFormat = formats[kind];
  const trivial = mergeTrivially(sides);
  if (trivial !== undefined) return trivial;
  const [, ours, theirs] = sides;
  const [before, mine, other] = ofEach(sides, (text) => fieldsOf(text, path, format));
  if (before === undefined || mine === undefined || other === undefined)
    return { merged: mine === undefined ? (theirs ?? ours) : (ours ?? theirs), conflicts: [unreadable] };
  if (mine === null || other === null) return mergeDeletion(before ?? {}, mine ?? other ?? {}, ours ?? theirs);
  // Rename detection pairs records that are alike; they are not versions of one another.
  if (mine.id !== other.id) return { merged: ours, conflicts: ['id'] };
  const usedLater = Number(other.last_used ?? 0) - Number(mine.last_used ?? 0);
  const stands = usedLater === 0 ? winner : usedLater > 0 ? 'theirs' : 'ours';
  const settled = format.settle?.(before ?? {}, mine, other);
  const agreed = (fields: Fields): Fields => ({ ...fields, ...settled?.fields });
  const { value: merged, ...disputed } = mergeJson(before ?? undefined, agreed(mine), agreed(other), {
    ruleOf: (key) => (Object.hasOwn(format.rules, key) ? format.rules[key] : undefined),
    winner: stands,
  });
  const conflicts = [...disputed.conflicts, ...(settled?.lost ?? []).map(({ field }) => field)];
  const value = keepLost(merged as Fields, [...disputed.lost, ...(settled?.lost ?? [])]);
  // A side that already has the outcome keeps its bytes, and so its blob.
  if (isSameJson(value, mine)) return { merged: ours, conflicts };
  if (isSameJson(value, other)) return { merged: theirs, conflicts };
  return { merged: format.normalise(formatJson(value), path), conflicts };
}

/** Puts what lost a dispute among the alternatives of the record, so that nobody's words are gone from the present. */
function keepLost(merged: Fields, lost: readonly LostValue[]): Fields {
  const said = lost.filter(({ value }) => value !== undefined && value !== null);
  if (said.length === 0) return merged;
  const present = Array.isArray(merged.alternatives) ? merged.alternatives : [];
  return { ...merged, alternatives: mergeSets(present, present, [...present, ...said]) };
}

function mergeDeletion(before: Fields, after: Fields, text: string | null): MergeResult {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !Object.hasOwn(counterRules, key) && !validityKeys.includes(key) && !isSameJson(before[key], after[key]),
  );
  return changed.length === 0 ? { merged: null, conflicts: [] } : { merged: text, conflicts: changed };
}

/** The fields of a record; null where there is no file, undefined where the file is no record. */
function fieldsOf(text: string | null, path: string, format: RecordFormat): Fields | null | undefined {
  if (text === null) return null;
  return orElse(() => parseJson(format.normalise(text, path), path) as Fields, undefined, 'INVALID_RECORD');
}
