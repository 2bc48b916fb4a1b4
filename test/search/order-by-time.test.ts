import { describe, expect, it } from 'vitest';
import type { AskedTime } from '../../src/search/asked-time.ts';
import { type Member, orderByTime } from '../../src/search/order-by-time.ts';

/** Statements of two matters: a gave way to b at second 10, b to c at 20; d stands alone. `later` gives way to `next` at 90. */
const members: Readonly<Record<string, Member>> = {
  a: { id: 'a', next: 'b', before: [], until: 10 },
  b: { id: 'b', next: 'c', before: ['a'], until: 20 },
  c: { id: 'c', before: ['b'], until: Number.POSITIVE_INFINITY },
  d: { id: 'd', before: [], until: Number.POSITIVE_INFINITY },
  later: { id: 'later', next: 'next', before: [], until: 90 },
  next: { id: 'next', before: ['later'], until: Number.POSITIVE_INFINITY },
};

function order(found: string, asked?: AskedTime, mayLend = true): string {
  const time = typeof asked === 'number' ? asked / 1000 : 50;
  const ranked = [...found.split(' ')].map((id, at) => ({
    item: id,
    score: 1 - at / 10,
    tells: id === 'x' ? [] : [id],
    isOver: Number.isFinite(members[id]?.until) && members[id]!.until <= time,
  }));
  const ordered = orderByTime(ranked, {
    asked,
    now: 50,
    find: (id) => members[id],
    lend: (id) => (mayLend ? `+${id}` : undefined),
  });
  const scores = ordered.map(([, score]) => score);
  expect(scores).toEqual([...scores].sort((one, other) => other - one));
  return ordered.map(([item]) => item).join(' ');
}

describe('hits in the order of a time', () => {
  it('lead with what holds now, and end with what is over', () => {
    expect(order('a x d c')).toBe('c x d a');
    expect(order('x d')).toBe('x d');
  });

  it('bring what holds where only what it replaced was found', () => {
    expect(order('x a d')).toBe('x +c d a');
    expect(order('x a d', undefined, false)).toBe('x d a');
  });

  it('lead with what held at a moment', () => {
    expect(order('c x b', 15_000)).toBe('b c x');
    expect(order('x c', 5_000)).toBe('x +a c');
  });

  it('lead with what was before, or with the first, and put nothing behind', () => {
    expect(order('c x a b', 'before')).toBe('b c x a');
    expect(order('c x b a', 'first')).toBe('a c x b');
    expect(order('d x', 'before')).toBe('d x');
  });

  it('wait for what begins on a day to come', () => {
    expect(order('next later')).toBe('later next');
    expect(order('later x', 95_000)).toBe('+next x later');
    expect(order('later x', Number.POSITIVE_INFINITY)).toBe('+next x later');
  });
});
