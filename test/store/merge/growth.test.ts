import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growAgain } from '../../../src/store/merge/growth.ts';
import { formatEvent } from '../../../src/store/records/ledger-event.ts';
import { parseLedger } from '../../../src/store/records/ledger-segment.ts';

const segment = 'ledger/2026/02/2026-02-16.jsonl';
const note = 'raw/daily/2026-02-16.md';
const line = (number: number, content: string, related: string[] = []) =>
  formatEvent({
    ...{ ts: '2026-02-16T09:00:00Z', id: `EVT-20260216-${String(number).padStart(3, '0')}` },
    ...{ type: 'fact', priority: 'P2', content, source: 'live', related },
  });
const log = (first: number, ...words: string[]) => words.map((content, at) => line(first + at, content)).join('');
const read = (text: string) =>
  parseLedger(text, segment).map((piece) => (piece.kind === 'entry' ? [piece.id, piece.value.content] : piece.text));

describe('what was added to an older version of a file that only grows', () => {
  it('comes behind what stands there, under ids of its own, and what is there already stays there once', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 9 });
    fc.assert(
      fc.property(words, fc.nat(9), fc.nat(9), fc.nat(9), (all, one, two, three) => {
        const [a, b, c] = [one, two, three].sort((x, y) => x - y) as [number, number, number];
        const [base, mine, both, typed] = [all.slice(0, a), all.slice(a, b), all.slice(b, c), all.slice(c)];
        const present = log(1, ...base, ...mine, ...both);
        const wanted = log(1, ...base) + log(a + 1, ...both, ...typed);
        const grown = growAgain(segment, log(1, ...base), present, wanted)!;
        expect(grown.text).toBe(log(1, ...base, ...mine, ...both, ...typed));
        expect(growAgain(segment, log(1, ...base), grown.text, wanted)!.text).toBe(grown.text);
      }),
    );
  });

  it('names the entries that it goes back to as they are called now', () => {
    const base = log(1, 'first');
    const wanted = base + line(2, 'typed') + line(3, 'after', ['EVT-20260216-002', 'EVT-20260216-001']);
    const { text, names } = growAgain(segment, base, log(1, 'first', 'answered'), wanted)!;
    expect(text.split('\n')[3]).toContain('"related":["EVT-20260216-003","EVT-20260216-001"]');
    expect([...names]).toEqual([
      ['EVT-20260216-002', 'EVT-20260216-003'],
      ['EVT-20260216-003', 'EVT-20260216-004'],
    ]);
  });

  it('is told from a change of what stood there, which is none', () => {
    expect(growAgain(segment, log(1, 'one'), log(1, 'one'), log(1, 'two'))).toBeUndefined();
    expect(growAgain(note, 'one\n', 'one\n', 'two\n')).toBeUndefined();
    expect(growAgain('knowledge/page.md', 'one\n', 'one\n', 'one\ntwo\n')).toBeUndefined();
  });

  it('keeps a line that broke off where it is', () => {
    const base = `${log(1, 'one')}{"ts": "2026`;
    const { text } = growAgain(segment, base, `${base}\n${line(2, 'two')}`, `${base}\n${line(2, 'typed')}`)!;
    expect(read(text)).toEqual([
      ['EVT-20260216-001', 'one'],
      '{"ts": "2026\n',
      ['EVT-20260216-002', 'two'],
      ['EVT-20260216-003', 'typed'],
    ]);
  });

  it('in a note stands behind the other addition, whole, and both that began one have one title', () => {
    expect(growAgain(note, 'a\n', 'a\nb\n', 'a\nc')!.text).toBe('a\nb\nc');
    expect(growAgain(note, null, '# day\n\nb\n', '# day\n\nc\n')!.text).toBe('# day\n\nb\nc\n');
  });
});
