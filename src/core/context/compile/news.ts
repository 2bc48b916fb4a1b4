// What was said later than a line of a file and is nearest to it has its place above that line, as above what holds.

import { memoriesOfLine, turnsOfLine, withoutSources } from '../../../store/records/knowledge-marks.ts';
import { asContent } from './data-text.ts';
import type { Meter } from './meter.ts';
import { type Part, tokensOf } from './part.ts';
import { type FindsLater, type Later, type StandingClaim, withLater } from './standing-claims.ts';

/** Finds what was said after the lines of the pack, and after those of a page that the engine wrote. `put` gives it its place, with room. */
export function newsOf([pack, file]: readonly [Part, Part], page: string, laterOf: FindsLater, meter: Meter) {
  const owners = new Map(page.split('\n').map((line) => [asContent(withoutSources(line)), line]));
  const linesOf = (part: Part) =>
    part.pieces.flatMap((piece, at) =>
      piece.text.split('\n').map((text) => ({ ...piece, text, tokens: meter.count(`${text}\n`), part, at })),
    );
  const pieces = [pack, file].flatMap(linesOf).filter(({ text }) => text.startsWith('- '));
  const claims = pieces.map(({ part, text, id = '' }): StandingClaim => {
    const line = part === file ? (owners.get(text) ?? '') : '';
    const ids = part === file ? memoriesOfLine(line) : [id].filter((one) => one !== '');
    return { kind: 'rule', text, source: turnsOfLine(line)[0] ?? '', since: 0, ids };
  });
  const found = laterOf(claims).map((later) => (later?.claim === undefined ? later : undefined));
  return {
    tokens: found.reduce((sum, later) => sum + (later ? meter.count(`- ${later.text}\n  ↳`) : 0), 0),
    put(room: number, isNew: (later: Later) => boolean): readonly Later[] {
      const whole = room + tokensOf(pieces);
      const fresh = () => found.map((later) => (later && isNew(later) ? later : undefined));
      const made = withLater({ pieces, claims }, { room: whole, meter, laterOf: fresh });
      for (const [index, { part, at, text, tokens }] of pieces.entries()) {
        const [before, now] = [part.pieces[at]!, made.pieces[index]!];
        const after = before.text.replace(text, () => now.text);
        part.pieces[at] = { ...before, text: after, tokens: before.tokens + now.tokens - tokens };
      }
      return made.later;
    },
  };
}
