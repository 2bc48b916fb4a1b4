// Merges of logs by entry: nothing is lost, nothing comes back, ids are unique, and what is published keeps its own.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerEvent } from '../../../src/base/types/ledger-types.ts';
import { mergeForGit } from '../../../src/store/merge/driver.ts';
import { entriesOf, mergeLog } from '../../../src/store/merge/merge-log.ts';
import { formatEvent } from '../../../src/store/records/ledger-event.ts';
import { parseLedger, segmentPath } from '../../../src/store/records/ledger-segment.ts';
import { replaceSequenceIds } from '../../../src/store/records/sequence-id.ts';

const path = segmentPath('2026-01-28');
const id = (number: number): string => `EVT-20260128-${String(number).padStart(3, '0')}`;

function line(number: number, minute: number, content: string, more: Partial<LedgerEvent> = {}): string {
  const ts = new Date(Date.UTC(2026, 0, 28, 0, minute)).toISOString().replace('.000Z', 'Z');
  return formatEvent({ ts, id: id(number), type: 'fact', priority: 'P2', content, source: 'live', ...more });
}

const merge = (base: string | null, ours: string | null, theirs: string | null) =>
  mergeLog(parseLedger, path, [base, ours, theirs]);
const told = (text: string | null) =>
  entriesOf(parseLedger(text ?? '', path)).map(({ value }) => `${value.id.slice(-3)} ${value.content}`);

const base = line(1, 1, 'one') + line(2, 2, 'two');

describe('a merge of logs', () => {
  it('keeps ids that nobody else took', () => {
    const { merged, conflicts } = merge(base, base, base + line(3, 3, 'three'));
    expect(told(merged)).toEqual(['001 one', '002 two', '003 three']);
    expect(conflicts).toEqual([]);
  });

  it('leave ours their ids, number theirs on, and let references follow', () => {
    const ours = base + line(3, 5, 'ours') + line(4, 9, 'ours again, after EVT-20260128-003', { related: [id(3)] });
    const theirs = base + line(3, 7, 'theirs', { supersedes: id(2) }) + line(4, 8, 'more', { related: [id(3)] });
    const [merged, turned] = [merge(base, ours, theirs), merge(base, theirs, ours)];
    expect(merged).toEqual({
      merged: ours + line(5, 7, 'theirs', { supersedes: id(2) }) + line(6, 8, 'more', { related: [id(5)] }),
      conflicts: ['ids'],
    });
    expect(told(turned.merged).slice(2)).toEqual([
      '003 theirs',
      '004 more',
      '005 ours',
      expect.stringMatching(/^006 .*-005$/),
    ]);
  });

  it('leave what is published its ids, whichever side has it, and else those of the side that comes first', () => {
    const [one, other] = [base + line(3, 5, 'one here'), base + line(3, 3, 'one there')];
    const rule = (text: string, first: 'ours' | 'theirs') => ({ published: entriesOf(parseLedger(text, path)), first });
    const by = (...given: Parameters<typeof rule>) =>
      told(mergeLog(parseLedger, path, [base, one, other], 'ours', rule(...given)).merged).slice(2);
    const [here, there] = [
      ['003 one here', '004 one there'],
      ['003 one there', '004 one here'],
    ];
    expect([by(base, 'ours'), by(base, 'theirs')]).toEqual([here, there]);
    expect([by(one, 'theirs'), by(other, 'ours')]).toEqual([here, there]);
  });

  it('knows an entry that another merge has renamed, and takes the new name', () => {
    // Theirs still calls `a` 003, as the base does; ours has merged it with an earlier `b` meanwhile.
    const from = base + line(3, 6, 'a');
    const ours = base + line(3, 5, 'b') + line(4, 6, 'a');
    const theirs = `${from}${line(4, 8, 'c', { related: [id(3)] })}`;
    const { merged } = merge(from, ours, theirs);
    expect(merged).toBe(base + line(3, 5, 'b') + line(4, 6, 'a') + line(5, 8, 'c', { related: [id(4)] }));
  });

  it('does not bring back what one side took away, and gives a file that is empty up', () => {
    expect(told(merge(base, line(1, 1, 'one'), base + line(3, 3, 'three')).merged)).toEqual(['001 one', '003 three']);
    expect(merge(base, null, base).merged).toBeNull();
    expect(told(merge(base, null, base + line(3, 3, 'three')).merged)).toEqual(['003 three']);
  });

  it('counts once what says the same: one event for one memory', () => {
    const ours = base + line(3, 5, 'we ship on Tuesday', { memory: 'm1' }) + line(4, 6, 'x', { related: [id(3)] });
    const theirs = base + line(3, 4, 'we ship on Tuesday', { memory: 'm1' });
    const { merged } = merge(base, ours, theirs);
    expect(told(merged)).toEqual(['001 one', '002 two', '003 we ship on Tuesday', '004 x']);
    expect(merged).toContain('"related":["EVT-20260128-003"]');
  });

  it('stops a merge where ids were given anew, unless somebody follows them in other files', () => {
    const bytes = (text: string) => Buffer.from(text);
    const merged = mergeForGit(path, bytes(base), bytes(base + line(3, 3, 'ours')), bytes(base + line(3, 4, 'theirs')));
    expect(merged.isConflict).toBe(true);
    const rule = { published: [], first: 'ours', isFollowed: true } as const;
    const followed = mergeForGit(
      path,
      ...([base, base + line(3, 3, 'ours'), base + line(3, 4, 'theirs')].map(bytes) as [Buffer, Buffer, Buffer]),
      rule,
    );
    expect([followed.isConflict, followed.bytes]).toEqual([false, merged.bytes]);
    expect(told(merged.bytes.toString())).toEqual(['001 one', '002 two', '003 ours', '004 theirs']);
    expect(mergeForGit(path, bytes(base), bytes(base), bytes(base + line(3, 4, 'theirs'))).isConflict).toBe(false);
  });

  it('keeps damaged lines of both sides, each behind the entry it stood behind', () => {
    const { merged } = merge(base, `${base}{"ts":\n${line(3, 9, 'late')}`, `${base}${line(3, 4, 'early')}oops\n`);
    expect(
      parseLedger(merged!, path).map(({ text }) => text.slice(0, 6) + (/"content":"(\w+)/.exec(text)?.[1] ?? '')),
    ).toEqual(['{"ts":one', '{"ts":two', '{"ts":', '{"ts":late', '{"ts":early', 'oops\n']);
  });

  it('has every entry of both sides once, under ids that are unique and in a row', () => {
    const side = fc.array(
      fc.record({ minute: fc.integer({ min: 3, max: 60 }), word: fc.constantFrom('a', 'b', 'c', 'd') }),
      { maxLength: 6 },
    );
    const textOf = (entries: readonly { minute: number; word: string }[]) =>
      base + entries.map(({ minute, word }, at) => line(at + 3, minute, `${word}${minute}`)).join('');
    fc.assert(
      fc.property(side, side, (mine, other) => {
        const [ours, theirs] = [textOf(mine), textOf(other)];
        const { merged } = merge(base, ours, theirs);
        expect(merged!.startsWith(ours)).toBe(true);
        const bare = (text: string) =>
          text
            .split('\n')
            .slice(0, -1)
            .map((one) => replaceSequenceIds(one, () => '#'));
        const all = bare(merged!);
        for (const text of [...bare(ours), ...bare(theirs)]) expect(all).toContain(text);
        const ids = entriesOf(parseLedger(merged!, path)).map((entry) => entry.id);
        expect(ids).toEqual(ids.map((_, at) => id(at + 1)));
      }),
    );
  });
});
