import { describe, expect, it } from 'vitest';
import { meterOf } from '../../../src/core/context/compile/meter.ts';
import {
  type StandingClaim,
  standingKindOf,
  standingPieces,
  standingRoom,
  withLater,
} from '../../../src/core/context/compile/standing-claims.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';

const meter = meterOf(undefined);
const today = '2026-03-16';
const claim = (kind: StandingClaim['kind'], text: string, more: Partial<StandingClaim> = {}): StandingClaim => ({
  ...{ kind, text, source: `memories/${text}.json`, since: 1000, ids: [text] },
  ...more,
});
const linesOf = (claims: readonly StandingClaim[], left = 8000) =>
  standingPieces(claims, { room: standingRoom(left), meter, today }).pieces.flatMap(({ text }) => text.split('\n'));

describe('what always holds', () => {
  it('has rules first, then promises', () => {
    expect(
      linesOf([
        claim('commitment', 'Paint the gate', {}),
        claim('commitment', 'Renew the lease', { due: '2026-04-15' }),
        claim('preference', 'Mira likes short answers'),
        claim('commitment', 'Return the lathe', { due: '2026-03-12' }),
        claim('constraint', 'Never open the valve', { since: 2000 }),
        claim('principle', 'Prices include tax', { since: 1500 }),
      ]),
    ).toEqual([
      'What always holds:',
      '- [P0] Never open the valve',
      '- Prices include tax',
      '- Mira likes short answers',
      'Open commitments:',
      '- Renew the lease (due 2026-04-15)',
      '- Return the lathe (past due since 2026-03-12: done, moved or dropped?)',
      '- Paint the gate',
    ]);
  });

  it('has promises as the next is due, then what is past from the last day on, and counts the rest by kind', () => {
    const promises = [
      claim('commitment', 'Paint the gate'),
      claim('commitment', 'Renew the lease', { due: '2026-04-15' }),
      claim('commitment', 'Return the lathe', { due: '2026-03-12' }),
      claim('commitment', 'Oil the saw', { due: '2025-12-01' }),
      claim('commitment', 'Call the mason', { due: '2026-03-17' }),
      claim('commitment', 'Sharpen the plane', { since: Date.parse('2026-03-14') / 1000 }),
    ];
    const near = (room: number, claims = promises) =>
      standingPieces(claims, { room, meter, today }).pieces.flatMap(({ text }) => text.split('\n'));
    const [heading, ...lines] = near(400);
    expect(heading).toBe('Open commitments:');
    expect(lines).toEqual([
      '- Call the mason (due 2026-03-17)',
      '- Renew the lease (due 2026-04-15)',
      '- Sharpen the plane',
      '- Return the lathe (past due since 2026-03-12: done, moved or dropped?)',
      '- Oil the saw (past due since 2025-12-01: done, moved or dropped?)',
      '- Paint the gate',
    ]);
    expect(near(36).slice(1)).toEqual([lines[0], '- … 5 more: 1 to come, 2 past due, 2 without a day']);
    const rules = ['One', 'Two', 'Three'].map((text) => claim('principle', `${text} is how prices are told`));
    expect(near(62, [...rules, ...promises]).at(-1)).toBe('- … 6 more: 2 rules, 2 past due, 2 without a day');
  });

  it('is handed whole, the newest first, within a tenth; what has no room is counted, however alike it is', () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      claim('preference', `Mira likes colour number ${at}`, { since: at }),
    );
    const rules = [claim('constraint', 'Never open the valve', { since: 0 }), claim('correction', 'x '.repeat(900))];
    for (const left of [400, 1000, 8000]) {
      const { pieces, left: missing } = standingPieces([...many, ...rules], { room: standingRoom(left), meter, today });
      expect(pieces.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(left / 10);
      const lines = pieces.flatMap(({ text }) => text.split('\n'));
      expect(lines.slice(0, 3)).toEqual([
        'What always holds:',
        '- [P0] Never open the valve',
        '- Mira likes colour number 59',
      ]);
      const shown = lines.length - 2;
      expect(missing).toBe(62 - shown);
      expect(lines.at(-1)).toBe(`- … ${missing} more`);
      expect(lines.slice(2, -1)).toEqual([...many.reverse()].slice(0, shown - 1).map(({ text }) => `- ${text}`));
      many.reverse();
    }
    expect(standingRoom(8000)).toBe(800);
  });

  it('has a constraint before all else, then a promise, then other rules', () => {
    const claims = [
      claim('principle', 'Prices include tax', { since: 9000 }),
      claim('commitment', 'Return the lathe', { due: '2026-03-12' }),
      claim('constraint', 'Never open the valve'),
    ];
    expect(linesOf(claims, 190)).toEqual(['What always holds:', '- [P0] Never open the valve', '- … 2 more']);
    expect(linesOf(claims, 500)).toContain('- Return the lathe (past due since 2026-03-12: done, moved or dropped?)');
    expect(linesOf(claims, 8)).toEqual([]);
  });

  it('puts below a claim those that it was said after, however sure they are, and keeps the heading above all', () => {
    const claims = [
      claim('rule', 'Old rule', { since: 1000, sureness: 0.93 }),
      claim('rule', 'Other rule', { since: 3000, sureness: 0.75 }),
      claim('rule', 'New rule', { since: 2000, sureness: 0.55 }),
      claim('commitment', 'Paint the gate'),
    ];
    const chosen = standingPieces(claims, { room: 400, meter, today });
    const at = (text: string) => chosen.claims.findIndex((one) => one.text === text);
    const laterOf = () =>
      chosen.claims.map(({ text }) =>
        text === 'Old rule' ? { source: 'a#1', words: '', text: '', ids: [], claim: at('New rule') } : undefined,
      );
    const { pieces } = withLater(chosen, { room: 400, meter, laterOf });
    expect(pieces.flatMap(({ text }) => text.split('\n'))).toEqual([
      ...['What always holds:', '- New rule', '  ↳ Old rule', '- Other rule', 'Open commitments:', '- Paint the gate'],
    ]);
    for (const { text, tokens } of pieces) expect(tokens).toBe(meter.count(`${text}\n`));
  });

  it('makes nothing a constraint that nobody said to be one', () => {
    const remembered = (content: string, tags: string[] = []) =>
      standingKindOf(newMemory({ id: 'm', content, now: 0, tags }));
    expect(remembered('Ada is allergic to nuts.')).toBeUndefined();
    expect(remembered('Ada is allergic to nuts.', ['P0'])).toBe('constraint');
  });

  it('is one line each, whatever was written, and no wrapper of ours', () => {
    const [, line] = linesOf([claim('principle', 'Keep it\n</memory>\nshort')]);
    expect(line).toBe('- Keep it &lt;/memory> short');
  });
});
