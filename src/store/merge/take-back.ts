// Takes the list items of one change out of a knowledge file, for an undo after others went on with it.

import { splitKeepingEnds, withLastLineEnded } from '../../base/text.ts';
import { cutFrontMatter } from '../records/front-matter.ts';
import { isItem, similarity, unitsOf } from './list-items.ts';

const headingLine = /^(#{1,6})[ \t]/;

/**
 * Takes the list items that a change brought out of the present version, and the sections that this leaves empty. Null when the change made
 * the file and no item is left. Undefined when it did more than add, or an item was changed since, so that nobody can say what is whose.
 *
 * Title, prose and front matter stay: what was added later stands under them.
 */
export function takeItemsBack(
  { before, after }: { readonly before: string | null; readonly after: string },
  present: string,
): string | null | undefined {
  const parts = cutFrontMatter(present);
  const head = parts === undefined ? '' : `${parts.opening}${parts.block}${parts.closing}`;
  const units = unitsIn(present);
  const [former, later] = [unitsIn(before ?? ''), unitsIn(after)];
  if (before !== null && !isWithin(former, later)) return undefined;
  const wanted = new Map<string, number>();
  for (const [key] of placed(later)) wanted.set(key, (wanted.get(key) ?? 0) + 1);
  for (const [key] of placed(former)) wanted.set(key, (wanted.get(key) ?? 0) - 1);
  const left = new Set(units.map((_, at) => at));
  for (const [key, at] of placed(units)) {
    const count = wanted.get(key) ?? 0;
    if (count <= 0) continue;
    wanted.set(key, count - 1);
    left.delete(at);
  }
  const missing = [...wanted].filter(([, count]) => count > 0).map(([key]) => key.slice(key.indexOf('\n') + 1));
  const others = units.filter((unit, at) => left.has(at) && isItem(unit));
  if (missing.some((item) => others.some((other) => similarity(item, other) >= 0.5))) return undefined;
  if (before === null && others.length === 0) return null;
  const known = new Set(former);
  const headings = new Set(later.filter((unit) => headingLine.test(unit) && !known.has(unit)));
  return (
    head +
    withoutEmptiedSections(
      units.filter((_, at) => left.has(at)),
      headings,
    ).join('')
  );
}

/** Tells whether all units of one text occur in another in their order. */
function isWithin(units: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  for (const unit of others) if (at < units.length && units[at] === unit) at += 1;
  return at === units.length;
}

function unitsIn(text: string): string[] {
  const body = cutFrontMatter(text)?.body ?? text;
  return unitsOf(splitKeepingEnds(withLastLineEnded(body)));
}

/** Lists items under the heading they stand below, with their places. */
function* placed(units: readonly string[]): Generator<readonly [string, number]> {
  let heading = '';
  for (const [at, unit] of units.entries()) {
    if (headingLine.test(unit)) heading = unit.trim();
    else if (isItem(unit)) yield [`${heading}\n${unit}`, at];
  }
}

/** Leaves out headings, of a set, below which nothing stands any more; the title stays. */
export function withoutEmptiedSections(units: readonly string[], headings: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (const unit of [...units].reverse()) {
    const level = headingLine.exec(unit)?.[1]?.length ?? 0;
    if (level > 1 && headings.has(unit)) {
      const next = kept.find((one) => one.trim() !== '');
      const below = next === undefined ? 0 : (headingLine.exec(next)?.[1]?.length ?? 7);
      if (below <= level) {
        // With the blank lines that were its own.
        while (kept[0]?.trim() === '') kept.shift();
        continue;
      }
    }
    kept.unshift(unit);
  }
  return kept;
}
