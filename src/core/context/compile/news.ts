// What was said later than a line of a file and is nearest to it stands above that line, with its own day. No word says that one takes the
// place of the other.
//
//     - 2026-10-05 Ada: We meet in the boathouse.
//       ↳ 2026-09-02 Ada: We meet at the pier.

import { memoriesOfLine, turnsOfLine, withoutSources } from '../../../store/records/knowledge-marks.ts';
import { asContent, indented } from './data-text.ts';
import type { Meter } from './meter.ts';
import type { Part } from './part.ts';
import type { Later, StandingClaim } from './standing-claims.ts';

/** Lines of files as they are shown, and who owns them. */
export type Quotes = Map<string, Pick<StandingClaim, 'source' | 'ids'>>;

/** So many lines are looked at: each costs a search. */
const mostAsked = 40;

/** Adds the lines of a file that the engine wrote. */
export function addQuotes(quotes: Quotes, text: string): void {
  for (const line of text.split('\n')) {
    const [ids, [source = '']] = [memoriesOfLine(line), turnsOfLine(line)];
    if (line.startsWith('- ') && (ids.length > 0 || source !== '')) quotes.set(shownLine(line), { source, ids });
  }
}

const shownLine = (line: string): string => asContent(withoutSources(line));

/** A line of a part, and what was said after it. */
export interface News {
  readonly part: Part;
  readonly at: number;
  readonly line: string;
  readonly later: Later;
  /** What it adds. */
  readonly tokens: number;
}

/** Finds what was said after the quotes that parts show. */
export function newsOf(
  parts: readonly Part[],
  quotes: Quotes,
  laterOf: (claims: readonly StandingClaim[]) => readonly (Later | undefined)[],
  meter: Meter,
): News[] {
  const places = parts.flatMap((part) =>
    part.pieces.flatMap(({ text }, at) =>
      text.split('\n').flatMap((line) => {
        const quote = quotes.get(line);
        return quote === undefined ? [] : [{ part, at, line, quote }];
      }),
    ),
  );
  const asked = places.slice(-mostAsked);
  const found = laterOf(asked.map(({ line, quote }) => ({ kind: 'rule', text: line, since: 0, ...quote })));
  const seen = new Set<string>();
  return asked.flatMap(({ quote: _, ...place }, index) => {
    const later = found[index];
    if (later === undefined || later.claim !== undefined || seen.has(later.source)) return [];
    seen.add(later.source);
    return [{ ...place, later, tokens: meter.count(`${aboveOf(later)}\n  ↳`) }];
  });
}

const aboveOf = ({ text }: Later): string => `- ${indented(asContent(text)).replace(/\n\s*/g, ' ')}`;

/** Puts news above their lines while there is room; gives those that have a place. */
export function addNews(news: readonly News[], room: number): Later[] {
  let left = room;
  return news.flatMap(({ part, at, line, later, tokens }) => {
    if (tokens > left) return [];
    left -= tokens;
    const piece = part.pieces[at]!;
    const lines = piece.text.split('\n');
    lines.splice(lines.indexOf(line), 1, aboveOf(later), `  ↳ ${line.slice(2)}`);
    part.pieces[at] = { ...piece, text: lines.join('\n'), tokens: piece.tokens + tokens };
    return [later];
  });
}
