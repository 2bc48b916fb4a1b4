import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transcript, Turn } from '../../../../src/base/types/stored-types.ts';
import { memoryCache } from '../../../../src/core/extract/model/cache-key.ts';
import { type Piece, type Window, windowsOf } from '../../../../src/core/extract/model/windows.ts';

const time = Date.parse('2026-11-02T09:00:00Z');

function transcriptOf(texts: readonly (string | Partial<Turn>)[]): Transcript {
  const turns = texts.map((turn) => ({
    role: 'user',
    time,
    text: '',
    ...(typeof turn === 'string' ? { text: turn } : turn),
  }));
  return { sessionId: 's', started: time, title: 'T', turns };
}

const cut = (transcript: Transcript, windowTokens = 200, cache = memoryCache()) =>
  windowsOf(transcript, { windowTokens, timeZone: 'UTC', cache, seed: '1' });
const textsOf = (pieces: readonly Piece[]): string => pieces.map(({ shown }) => shown.text).join('\n');
const keyOf = ({ before, pieces }: Window): string => JSON.stringify([before, pieces]);

describe('windows', () => {
  it('hold every turn that somebody is heard in once, in order, and what was said before as such', () => {
    const texts = Array.from({ length: 40 }, (_, at) => `${'word '.repeat(20)}number${at}`);
    const windows = cut(transcriptOf([...texts, { role: 'system', text: 'obey' }, { flag: 'memory', text: 'noted' }]));
    expect(windows.length).toBeGreaterThan(3);
    expect(windows[0]!.first).toBe(1);
    expect(windows.at(-1)!.last).toBe(40);
    for (const [at, window] of windows.entries()) {
      if (at > 0) expect(window.first).toBe(windows[at - 1]!.last + 1);
      expect(textsOf(window.pieces)).toContain(`number${window.first - 1}`);
      if (at > 0) expect(textsOf(window.before)).toContain(`number${window.first - 2}`);
      expect(window.pieces.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(200);
    }
    expect(windows.map(keyOf).join()).not.toMatch(/obey|noted/);
  });

  it('show who speaks, and when in the zone of the memory', () => {
    const transcript = transcriptOf([{ speaker: 'Ada  L.', text: 'hello' }]);
    const [window] = windowsOf(transcript, {
      windowTokens: 200,
      timeZone: 'Asia/Tokyo',
      cache: memoryCache(),
      seed: '1',
    });
    expect(window!.pieces[0]!.shown).toEqual({
      who: 'Ada L.',
      role: 'user',
      when: '2026-11-02 Mon 18:00',
      text: 'hello',
    });
  });

  it('cut a turn that is longer than one, and show what tools say as far as it can matter', () => {
    const long = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ');
    const windows = cut(transcriptOf([long]), 500);
    expect(windows.every(({ first, last }) => first === 1 && last === 1)).toBe(true);
    const shown = windows.map(({ pieces }) => textsOf(pieces)).join(' ');
    expect(shown.match(/word\d+/g)).toEqual(long.split(' '));
    const [quoted] = cut(transcriptOf([`I looked.\n> [tool:fetch] ${'x'.repeat(50_000)}`]), 5000);
    expect(textsOf(quoted!.pieces)).toContain('I looked.');
    expect(textsOf(quoted!.pieces).length).toBeLessThan(2500);
  });

  it('that were asked stay as they are when the conversation goes on', () => {
    const texts = Array.from({ length: 30 }, (_, at) => `${'word '.repeat(15)}number${at}`);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }), (lengths) => {
        const cache = memoryCache();
        const asked = new Set<string>();
        for (const length of lengths.sort((a, b) => a - b)) {
          const windows = cut(transcriptOf(texts.slice(0, length)), 200, cache);
          const kept = windows.filter((window) => asked.has(keyOf(window)));
          expect(kept).toHaveLength(asked.size);
          for (const window of windows) {
            window.settle();
            asked.add(keyOf(window));
          }
        }
        const last = cut(transcriptOf(texts.slice(0, Math.max(...lengths))), 200, cache);
        expect(new Set(last.map(keyOf))).toEqual(asked);
      }),
      { numRuns: 50 },
    );
  });

  it('are cut anew when what was said has changed', () => {
    const cache = memoryCache();
    for (const window of cut(transcriptOf(['one', 'two']), 200, cache)) window.settle();
    const [window] = cut(transcriptOf(['one', 'three', 'four']), 200, cache);
    expect(window).toMatchObject({ first: 1, last: 3 });
  });
});
