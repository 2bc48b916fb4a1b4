// Three-way merge of JSON values, key by key, with a rule for those keys that know better than to conflict.

import { isJsonObject, isSameJson } from '../../base/canonical-json.ts';
import { mergeLists } from './id-lists.ts';

/**
 * Says how a key that both sides changed is settled.
 *
 * - `sum` adds both increments
 * - `max` and `min` pick
 * - `set` merges a list as a set
 * - `ours` keeps our value silently
 * - undefined merges objects key by key, and calls anything else a conflict
 */
export type JsonRule = 'sum' | 'max' | 'min' | 'set' | 'ours' | undefined;

interface JsonMergeOptions {
  /** Gives the rule of a dotted key, such as `meta.tags`. */
  readonly ruleOf: (key: string) => JsonRule;
  /** Whose value stands where both sides differ; ours by default. */
  readonly winner?: 'ours' | 'theirs';
}

/** A value that lost a dispute. */
export interface LostValue {
  readonly field: string;
  /** Undefined where that side had removed the key. */
  readonly value: unknown;
}

interface JsonMerge {
  readonly value: unknown;
  /** Dotted keys that were changed in two ways. */
  readonly conflicts: readonly string[];
  readonly lost: readonly LostValue[];
}

/**
 * Merges two JSON values that both come from `base`; undefined is a value that is not there.
 *
 * A key that one side changed has that side's value. Lists of objects that each have an `id` merge object by object. Where no
 * conflict is named, the sides may be exchanged without changing the result, but for the order of keys that only one side has.
 */
export function mergeJson(base: unknown, ours: unknown, theirs: unknown, options: JsonMergeOptions): JsonMerge {
  // Two sides that are the same altogether made the same change, counts included.
  if (isSameJson(ours, theirs)) return { value: ours, conflicts: [], lost: [] };
  const lost: LostValue[] = [];
  const value = mergeValue(base, ours, theirs, '', options, lost);
  return { value, conflicts: lost.map(({ field }) => field), lost };
}

/** Merges two lists that both come from `base` as sets: what either side removed is gone, what either added is there. */
export function mergeSets<T>(base: readonly T[], ours: readonly T[], theirs: readonly T[]): T[] {
  const key = (item: T): string => JSON.stringify(item);
  const [before, mine, other] = [base, ours, theirs].map((list) => new Map(list.map((item) => [key(item), item])));
  const kept = [...(before ?? [])].filter(([name]) => mine?.has(name) && other?.has(name));
  // Sorted, so that both sides of a sync write the same list.
  const added = [...new Map([...(mine ?? []), ...(other ?? [])])]
    .filter(([name]) => !before?.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [...kept, ...added].map(([, item]) => item);
}

function mergeValue(
  base: unknown,
  ours: unknown,
  theirs: unknown,
  key: string,
  options: JsonMergeOptions,
  lost: LostValue[],
): unknown {
  if (isSameJson(theirs, base)) return ours;
  if (isSameJson(ours, base)) return theirs;
  const rule = options.ruleOf(key);
  const areObjects = isJsonObject(ours) && isJsonObject(theirs);
  // Sides that say the same agree, but where something is counted: each counting once is twice.
  if (rule !== 'sum' && !areObjects && isSameJson(ours, theirs)) return ours;
  const settled = settle(rule, base, ours, theirs);
  if (settled !== undefined) return settled;
  if (areObjects && (base === undefined || isJsonObject(base)))
    return mergeObjects(base ?? {}, ours, theirs, key, options, lost);
  const list = mergeLists(
    [base, ours, theirs],
    options.winner ?? 'ours',
    (id, ...sides) => mergeValue(...sides, innerKey(key, id), options, lost),
    (id, value) => lost.push({ field: innerKey(key, id), value }),
  );
  if (list !== undefined) return list;
  if (isSameJson(ours, theirs)) return ours;
  const [stands, falls] = options.winner === 'theirs' ? [theirs, ours] : [ours, theirs];
  lost.push({ field: key, value: falls });
  return stands;
}

function settle(rule: JsonRule, base: unknown, ours: unknown, theirs: unknown): unknown {
  if (rule === 'ours') return ours;
  if (rule === 'set') {
    const lists = [base ?? [], ours ?? [], theirs ?? []];
    if (!lists.every(Array.isArray)) return undefined;
    return mergeSets(lists[0] as unknown[], lists[1] as unknown[], lists[2] as unknown[]);
  }
  if (rule === undefined) return undefined;
  const numbers = [ours, theirs].filter((value) => typeof value === 'number');
  if ([ours, theirs].some((value) => value !== null && value !== undefined && typeof value !== 'number'))
    return undefined;
  if (numbers.length === 0) return null;
  if (rule === 'min') return Math.min(...numbers);
  // Two sides that made the same record do not add up: each counted the same beginnings.
  if (rule === 'max' || typeof base !== 'number' || numbers.length < 2) return Math.max(...numbers);
  return Math.max(0, (numbers[0] as number) + (numbers[1] as number) - base);
}

function mergeObjects(
  base: Record<string, unknown>,
  ours: Record<string, unknown>,
  theirs: Record<string, unknown>,
  key: string,
  options: JsonMergeOptions,
  lost: LostValue[],
): Record<string, unknown> {
  const merged: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(base), ...Object.keys(ours), ...Object.keys(theirs)])) {
    const at = (value: Record<string, unknown>): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
    const value = mergeValue(at(base), at(ours), at(theirs), innerKey(key, name), options, lost);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

const innerKey = (key: string, name: string): string => (key === '' || name === '' ? key + name : `${key}.${name}`);
