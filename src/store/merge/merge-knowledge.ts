// Three-way merge of markdown that people and agents write: front matter by key, lists by item, the rest by line.

import { splitKeepingEnds, withLastLineEnded } from '../../base/text.ts';
import { type CutFrontMatter, cutFrontMatter } from '../records/front-matter.ts';
import { countLines } from '../records/knowledge-file.ts';
import { mergeBlocks } from './front-matter.ts';
import { mergeItems, unitsOf, withoutTwins } from './list-items.ts';
import { type MergeResult, mergeTrivially, ofEach, type TextSides, type Winner } from './result.ts';
import { mergeLines } from './text.ts';

/**
 * Merges two versions of a markdown file that both come from `base`; a base of null is a file that both sides added.
 *
 * List items never collide with neighbours that were added, changed or removed, so that an old append can be taken back later. Two appends
 * at the same place both stay, ours first. Of two days on which a line was verified, or the page updated, the later stands. Sections that
 * both sides added stay too. Prose merges as `mergeText` does. `line_count` of the front matter is counted again.
 */
export function mergeKnowledge(sides: TextSides, winner: Winner): MergeResult {
  const trivial = mergeTrivially(sides);
  if (trivial !== undefined) return trivial;
  const [before, mine, other] = ofEach<string | null, CutFrontMatter>(sides, partsOf);
  const front = mergeFront(before, mine, other, winner);
  const body = mergeBodies(before.body, mine.body, other.body, winner);
  const text = `${front.head}${body.text}`;
  return { merged: front.head === '' ? text : recount(text), conflicts: [...front.conflicts, ...body.conflicts] };
}

/** Lists the items that {@link mergeKnowledge} keeps in two wordings, ours and theirs: one of them is likely to be wrong. */
export function keptWordings(sides: TextSides): readonly (readonly [string, string])[] {
  if (mergeTrivially(sides) !== undefined) return [];
  return mergeBodies(...ofEach<string | null, string>(sides, (text) => partsOf(text).body), 'ours').wordings;
}

const partsOf = (text: string | null): CutFrontMatter =>
  cutFrontMatter(text ?? '') ?? { opening: '', block: '', closing: '', body: text ?? '' };

function mergeFront(
  before: CutFrontMatter,
  mine: CutFrontMatter,
  other: CutFrontMatter,
  winner: Winner,
): { head: string; conflicts: readonly string[] } {
  const frame = mine.opening === '' ? other : mine;
  const headOf = (parts: CutFrontMatter): string => parts.opening + parts.block + parts.closing;
  const trivial = mergeTrivially([headOf(before), headOf(mine), headOf(other)]);
  if (trivial !== undefined) return { head: trivial.merged ?? '', conflicts: [] };
  const { block, conflicts } = mergeBlocks(before.block, mine.block, other.block, winner);
  return {
    head: `${frame.opening}${block}${frame.closing}`,
    conflicts: conflicts.map((key) => `front matter: ${key}`),
  };
}

function mergeBodies(
  base: string,
  ours: string,
  theirs: string,
  winner: Winner,
): { text: string; conflicts: string[]; wordings: (readonly [string, string])[] } {
  // A last line without LF would differ from the same line with one, and appends after it would collide.
  const [before, mine, other] = withLaterDate(base, ours, theirs).map((body) =>
    unitsOf(splitKeepingEnds(withLastLineEnded(body))),
  );
  const units: string[] = [];
  const conflicts: string[] = [];
  const wordings: (readonly [string, string])[] = [];
  for (const region of mergeLines(before ?? [], mine ?? [], other ?? [])) {
    if ('lines' in region) units.push(...region.lines);
    else {
      const items = mergeItems(region);
      wordings.push(...(items?.wordings ?? []));
      units.push(...(items?.units ?? region[winner]));
      conflicts.push(...(items?.conflicts ?? [shorten(region.ours.join('') || region.theirs.join(''))]));
    }
  }
  const text = withoutTwins(units, { base: before ?? [], ours: mine ?? [], theirs: other ?? [] }).join('');
  const isOpen = (body: string): boolean => body !== '' && !body.endsWith('\n');
  const endsOpen = isOpen(ours) === isOpen(base) ? isOpen(theirs) : isOpen(ours);
  return { text: endsOpen ? text.replace(/\n$/, '') : text, conflicts, wordings };
}

const updatedLine = /^\*Last updated: (\d{4}-\d\d-\d\d)\*(?=[ \t]*\r?$)/m;

/** Where both sides went on with a page on different days, its head has the later one. */
function withLaterDate(...bodies: readonly [base: string, ours: string, theirs: string]): readonly string[] {
  const [before, mine, other] = bodies.map((body) => updatedLine.exec(body)?.[1]);
  if (mine === undefined || other === undefined || mine === other) return bodies;
  if (before !== undefined && !(mine > before && other > before)) return bodies;
  const [base, ...sides] = bodies;
  const later = `*Last updated: ${mine > other ? mine : other}*`;
  return [base, ...sides.map((body) => body.replace(updatedLine, later))];
}

function shorten(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function recount(text: string): string {
  const cut = cutFrontMatter(text);
  if (cut === undefined) return text;
  const block = cut.block.replace(/^line_count:[ \t]*\d+(?=[ \t\r]*$)/m, `line_count: ${countLines(text)}`);
  return `${cut.opening}${block}${cut.closing}${cut.body}`;
}
