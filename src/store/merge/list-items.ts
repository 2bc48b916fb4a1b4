// Merge of disputed stretches of markdown lists: an item is taken, changed or dropped on its own, whatever its neighbours do.

import { diffLines } from '../../base/line-diff.ts';
import { verifiedOf, withoutVerified } from '../records/knowledge-marks.ts';
import type { DisputedRegion } from './text.ts';

/** What became of a disputed stretch. */
interface ItemMerge {
  readonly units: readonly string[];
  /** Items that were changed in two ways, or changed and removed. */
  readonly conflicts: readonly string[];
  /** Two wordings of one item that both stand, ours and theirs. */
  readonly wordings: readonly (readonly [string, string])[];
}

const itemLine = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\r?\n?$)/;
const headingLine = /^#{1,6}[ \t]/;

/**
 * Groups lines into units: a list item with its continuation lines is one unit, any other line is one.
 *
 * Lines keep their LF, so that units joined are the text again. A nested item is a unit of its own.
 */
export function unitsOf(lines: readonly string[]): string[] {
  const units: string[] = [];
  let indent = -1;
  for (const line of lines) {
    const item = itemLine.exec(line);
    const leading = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    const continues = item === null && indent >= 0 && leading > indent && line.trim() !== '';
    if (continues) units[units.length - 1] += line;
    else {
      units.push(line);
      indent = item === null ? -1 : (item[1]?.length ?? 0);
    }
  }
  return units;
}

/**
 * Merges a disputed stretch item by item; undefined if it holds more than lists, and new sections behind them.
 *
 * Inserted items never collide: at the same place ours stand first, and an item that both sides inserted stands once. Of two days on which
 * an item was said to be true again the later stands. Any other item that both sides changed differently is a conflict, and so is an item
 * that one side changed and the other removed. Both wordings stand, ours first, or what is left.
 */
export function mergeItems(dispute: DisputedRegion): ItemMerge | undefined {
  const { base, ours, theirs } = dispute;
  if (base.every(isBlank)) {
    const units = mergeInsertions(ours, theirs);
    if (units !== undefined) return { units, conflicts: [], wordings: [] };
  }
  if (!isList(base)) return undefined;
  if (!isList(ours) || !isList(theirs)) return mergeBeforeSections(dispute);
  const mine = changesOf(base, ours);
  const other = changesOf(base, theirs);
  const added = new Set(groupsOf(mine.inserted.flat()));
  const units: string[] = [];
  const conflicts: string[] = [];
  const wordings: [string, string][] = [];
  for (let i = 0; i <= base.length; i += 1) {
    units.push(...(mine.inserted[i] ?? []), ...without(other.inserted[i] ?? [], added));
    const unit = base[i];
    if (unit === undefined) break;
    const a = mine.fate.get(i) ?? unit;
    const b = other.fate.get(i) ?? unit;
    if (a === b || b === unit) units.push(a);
    else if (a === unit) units.push(b);
    else if (isRenewed(unit, a) && isRenewed(unit, b)) units.push(verifiedOf(a)! >= verifiedOf(b)! ? a : b);
    else {
      // One of them may be the empty text, for an item that is gone. Two wordings may also be two items: neither is lost.
      units.push(a, b);
      conflicts.push(unit.trim());
      if (a !== '' && b !== '') wordings.push([a, b]);
    }
  }
  return { units: units.filter((unit) => unit !== ''), conflicts, wordings };
}

const isList = (units: readonly string[]): boolean => units.every((unit) => isItem(unit) || isBlank(unit));

/** A side that goes on with new sections behind a list has nothing to do with what the other one did to the list. */
function mergeBeforeSections({ base, ours, theirs }: DisputedRegion): ItemMerge | undefined {
  const [mine, other] = [ours, theirs].map((units) => {
    const heading = units.findIndex((unit) => headingLine.test(unit));
    const end = heading < 0 ? units.length : units.slice(0, heading).findLastIndex((unit) => !isBlank(unit)) + 1;
    return { list: units.slice(0, end), behind: units.slice(end) };
  }) as [{ list: string[]; behind: string[] }, { list: string[]; behind: string[] }];
  if (!isList(mine.list) || !isList(other.list)) return undefined;
  const isOneSided = mine.behind.length === 0 || other.behind.length === 0;
  const behind = isOneSided ? [...mine.behind, ...other.behind] : mergeInsertions(mine.behind, other.behind);
  const merged = behind && mergeItems({ base, ours: mine.list, theirs: other.list });
  return merged && { ...merged, units: [...merged.units, ...behind] };
}

/** Tells whether all that is new about an item is that it was true on a later day. */
function isRenewed(before: string, after: string): boolean {
  const [old, day] = [verifiedOf(before), verifiedOf(after)];
  return day !== undefined && (old === undefined || old < day) && withoutVerified(before) === withoutVerified(after);
}

/**
 * Leaves out of a merged body an item that both sides have in the same section, each at another place. Otherwise it would stand there more
 * often than on either side. Items with others nested below them stay: those may differ.
 */
export function withoutTwins(units: readonly string[], { base, ours, theirs }: DisputedRegion): string[] {
  const [before, mine, other] = [base, ours, theirs].map(countItems) as [ItemCounts, ItemCounts, ItemCounts];
  const met: ItemCounts = new Map();
  let heading = '';
  return units.filter((unit, place) => {
    if (headingLine.test(unit)) heading = unit;
    if (!isItem(unit) || !/^\S/.test(unit) || /^[ \t]+\S/.test(units[place + 1] ?? '')) return true;
    const key = heading + unit;
    const count = (met.get(key) ?? 0) + 1;
    met.set(key, count);
    return count <= Math.max(before.get(key) ?? 0, mine.get(key) ?? 0, other.get(key) ?? 0, 1);
  });
}

type ItemCounts = Map<string, number>;

/** How often each item at the left margin is in its section. */
function countItems(units: readonly string[]): ItemCounts {
  const counts: ItemCounts = new Map();
  let heading = '';
  for (const unit of units) {
    if (headingLine.test(unit)) heading = unit;
    else if (isItem(unit)) counts.set(heading + unit, (counts.get(heading + unit) ?? 0) + 1);
  }
  return counts;
}

/** Tells whether a unit is a list item. */
export const isItem = (unit: string): boolean => itemLine.test(unit);

const isBlank = (unit: string): boolean => unit.trim() === '';

interface Changes {
  /** What became of a unit that is no more as it was: its new text, or the empty one. */
  readonly fate: ReadonlyMap<number, string>;
  /** New units before each unit of the base, and after the last. */
  readonly inserted: readonly (readonly string[])[];
}

function changesOf(base: readonly string[], side: readonly string[]): Changes {
  const fate = new Map<number, string>();
  const inserted: string[][] = Array.from({ length: base.length + 1 }, () => []);
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffLines(base, side)) {
    for (let i = beforeStart; i < beforeEnd; i += 1) fate.set(i, '');
    let place = beforeStart;
    for (const unit of side.slice(afterStart, afterEnd)) {
      const changed = mostSimilar(unit, base, place, beforeEnd, fate);
      if (changed === undefined) inserted[place]?.push(unit);
      else {
        fate.set(changed, unit);
        place = changed + 1;
      }
    }
  }
  return { fate, inserted };
}

/** Finds the removed item that a new one is a new wording of: the first that shares half of the words. */
function mostSimilar(
  unit: string,
  base: readonly string[],
  from: number,
  to: number,
  fate: ReadonlyMap<number, string>,
): number | undefined {
  if (!isItem(unit)) return undefined;
  for (let i = from; i < to; i += 1) {
    if (fate.get(i) === '' && isItem(base[i] ?? '') && similarity(unit, base[i] ?? '') >= 0.5) return i;
  }
  return undefined;
}

/** Dice's coefficient over the words of two items. */
export function similarity(a: string, b: string): number {
  const left = wordsOf(a);
  const right = wordsOf(b);
  const shared = [...left].filter((word) => right.has(word)).length;
  return left.size + right.size === 0 ? 1 : (2 * shared) / (left.size + right.size);
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** The items, with all that is nested in each, that are not in a set of others. */
const without = (units: readonly string[], others: ReadonlySet<string>): string[] =>
  groupsOf(units).filter((group) => isBlank(group) || !others.has(group));

/** Joins each item at the left margin with the units nested below it. */
function groupsOf(units: readonly string[]): string[] {
  const groups: string[] = [];
  let isInItem = false;
  for (const unit of units) {
    const isNested: boolean = isInItem && /^[ \t]+\S/.test(unit);
    if (isNested) groups[groups.length - 1] += unit;
    else groups.push(unit);
    isInItem = isNested || (isItem(unit) && /^\S/.test(unit));
  }
  return groups;
}

/** Both sides only added: lists at the same place, or whole sections. Undefined if they added prose at the same place. */
function mergeInsertions(ours: readonly string[], theirs: readonly string[]): string[] | undefined {
  const mine = sectionsOf(ours);
  const other = sectionsOf(theirs);
  const merged: string[] = [];
  for (const [heading, units] of mine) {
    const twin = other.get(heading);
    if (heading !== '') merged.push(heading);
    if (twin === undefined) merged.push(...units);
    else {
      const both = mergeBodies(units, twin);
      if (both === undefined) return undefined;
      merged.push(...both);
      other.delete(heading);
    }
  }
  for (const [heading, units] of other) {
    if (heading === '') {
      // What stands before any heading goes on with the section above, and so before our new ones.
      merged.unshift(...units);
      continue;
    }
    if (merged.length > 0 && !isBlank(merged[merged.length - 1] ?? '')) merged.push('\n');
    merged.push(heading, ...units);
  }
  return merged;
}

function mergeBodies(ours: readonly string[], theirs: readonly string[]): string[] | undefined {
  if (theirs.every(isBlank)) return [...ours];
  if (ours.every(isBlank)) return [...theirs, ...ours];
  if (![...ours, ...theirs].every((unit) => isItem(unit) || isBlank(unit)))
    return ours.join('') === theirs.join('') ? [...ours] : undefined;
  // Blank lines at the ends belong to what stands around, not between the items.
  const end = ours.length - [...ours].reverse().findIndex((unit) => !isBlank(unit));
  const start = theirs.findIndex((unit) => !isBlank(unit));
  const last = theirs.length - [...theirs].reverse().findIndex((unit) => !isBlank(unit));
  // An item of both, with all that is nested in it, is there once.
  const first = ours.slice(0, end);
  return [...first, ...without(theirs.slice(start, last), new Set(groupsOf(first))), ...ours.slice(end)];
}

/** Sections by their heading line; what stands before the first heading has the empty one. */
function sectionsOf(units: readonly string[]): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let heading = '';
  for (const unit of units) {
    if (headingLine.test(unit)) {
      heading = unit;
      if (!sections.has(heading)) sections.set(heading, []);
    } else sections.set(heading, [...(sections.get(heading) ?? []), unit]);
  }
  return sections;
}
