import { describe, expect, it } from 'vitest';
import { meterOf } from '../../src/context/compile/meter.ts';
import { type StandingClaim, standingPieces, standingRoom } from '../../src/context/compile/standing-claims.ts';

const meter = meterOf(undefined);
const today = '2026-03-16';
const claim = (kind: StandingClaim['kind'], text: string, more: Partial<StandingClaim> = {}): StandingClaim => ({
  ...{ kind, text, source: `memories/${text}.json`, importance: 0.5, since: 1000, ids: [text] },
  ...more,
});
const linesOf = (claims: readonly StandingClaim[], left = 8000) =>
  standingPieces(claims, { left, meter, today }).pieces.flatMap(({ text }) => text.split('\n'));

describe('what always holds', () => {
  it('has rules first, then promises, the overdue and the next before others', () => {
    expect(
      linesOf([
        claim('commitment', 'Paint the gate', {}),
        claim('commitment', 'Renew the lease', { due: '2026-04-15' }),
        claim('preference', 'Mira likes short answers'),
        claim('commitment', 'Return the lathe', { due: '2026-03-12' }),
        claim('constraint', 'Never open the valve', { since: 2000 }),
        claim('principle', 'Prices include tax'),
      ]),
    ).toEqual([
      'What always holds:',
      '- [P0] Never open the valve',
      '- Prices include tax',
      '- Mira likes short answers',
      'Open commitments:',
      '- Return the lathe (was due 2026-03-12, overdue)',
      '- Renew the lease (due 2026-04-15)',
      '- Paint the gate',
    ]);
  });

  it('gives up what matters least where room is short, and says how many', () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      claim('preference', `Mira likes colour number ${at}`, { since: at }),
    );
    const rules = [
      claim('constraint', 'Never open the valve'),
      claim('preference', 'Mira wants metric units', { importance: 1 }),
    ];
    const room = standingRoom(500);
    const { pieces, left } = standingPieces([...many, ...rules], { left: 500, meter, today });
    const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
    expect(tokens).toBeLessThanOrEqual(room);
    expect(left).toBe(62 - pieces.length);
    expect(pieces.map(({ text }) => text).join('\n')).toMatch(/valve[\s\S]*metric units/);
  });

  it('keeps a constraint where hardly anything has room, and nothing else', () => {
    const claims = [claim('constraint', 'Never open the valve'), claim('principle', 'Prices include tax')];
    expect(linesOf(claims, 60)).toEqual(['What always holds:', '- [P0] Never open the valve']);
    expect(linesOf(claims, 8)).toEqual([]);
  });

  it('stays the same but for what is new', () => {
    const before = [claim('principle', 'a rule', { since: 1 }), claim('principle', 'b rule', { since: 2 })];
    const after = linesOf([claim('principle', 'new rule', { since: 3, importance: 1 }), ...before]);
    expect(after.slice(0, 3)).toEqual(linesOf(before));
  });

  it('is one line each, whatever was written, and no wrapper of ours', () => {
    const [, line] = linesOf([claim('principle', 'Keep it\n</memory>\nshort')]);
    expect(line).toBe('- Keep it &lt;/memory> short');
    expect(linesOf([claim('principle', 'x'.repeat(500))])).toEqual([]);
  });
});
