// Files of the ledger: events as lines, damage by its line, and no byte lost.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes, type LedgerEvent, priorities } from '../../../src/base/types/ledger-types.ts';
import { formatEvent, parseEvent } from '../../../src/store/records/ledger-event.ts';
import {
  checkAddedEvents,
  continueLedger,
  dayOfSegment,
  parseLedger,
  segmentPath,
} from '../../../src/store/records/ledger-segment.ts';
import { joinPieces } from '../../../src/store/records/log.ts';

const path = segmentPath('2026-01-28');

/** The example of the specification, as it stands there. */
const example =
  '{"ts":"2026-01-28T14:03:11-05:00","id":"EVT-20260128-001","type":"commitment","priority":"P0",' +
  '"content":"Follow up Client X by Feb 1","entity":"client_x","tags":["sales","deadline"],"source":"memory/2026-01-28.md","session":"main"}\n';

const id = fc.integer({ min: 1, max: 1200 }).map((number) => `EVT-20260128-${String(number).padStart(3, '0')}`);
const words = fc.string({ minLength: 1 }).filter((text) => text.trim() !== '');
const event = fc.record(
  {
    ts: fc.constantFrom('2026-01-28T14:03:11-05:00', '2026-01-28T09:00:00Z'),
    id,
    type: fc.constantFrom(...eventTypes),
    priority: fc.constantFrom(...priorities),
    content: words,
    source: words,
    entity: words,
    tags: fc.uniqueArray(words, { minLength: 1, maxLength: 3 }),
    session: words,
    agent: words,
    related: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
    supersedes: id,
    status: fc.constantFrom('open', 'closed'),
    due: fc.constant('2026-02-01'),
    memory: words,
  },
  { requiredKeys: ['ts', 'id', 'type', 'priority', 'content', 'source'] },
) as fc.Arbitrary<LedgerEvent>;

describe('an event', () => {
  it('comes back as it was, and its line as it stood', () => {
    fc.assert(
      fc.property(event, (given) => {
        const line = formatEvent(given);
        expect(parseEvent(line, path)).toEqual(given);
        expect(formatEvent(parseEvent(line, path))).toBe(line);
      }),
    );
    expect(formatEvent(parseEvent(example, path))).toBe(example);
  });

  it('keeps the keys that nobody knows', () => {
    const line = example.replace('"session":"main"', '"session":"main","mood":{"b":1,"a":[2]}');
    expect(parseEvent(line, path).unknown).toEqual({ mood: { b: 1, a: [2] } });
    expect(parseEvent(formatEvent(parseEvent(line, path)), path).unknown).toEqual({ mood: { b: 1, a: [2] } });
  });

  it.each([
    ['"type":"commitment"', '"type":"insight"', 'type'],
    ['"priority":"P0"', '"priority":"P4"', 'priority'],
    ['EVT-20260128-001', 'EVT-1', 'id'],
    ['"ts":"2026-01-28T14:03:11-05:00"', '"ts":"noon"', 'ts'],
    ['Follow up Client X by Feb 1', '  ', 'content'],
  ])('with %s as %s is refused by the name of the key', (good, bad, key) => {
    expect(() => parseEvent(example.replace(good, bad), `${path}:3`)).toThrow(new RegExp(`^${path}:3 ${key}:`));
  });
});

describe('a segment', () => {
  it('tells damage by its line and loses no byte of it, whatever stands there', () => {
    const line = fc.oneof(
      fc.constant(example),
      fc.string().map((text) => `${text}\n`),
      fc.constantFrom('\n', '\r\n', '{"ts":\n', '[]\n', '\u0000\n'),
    );
    fc.assert(
      fc.property(fc.array(line), fc.string(), (lines, end) => {
        const text = lines.join('') + end;
        const pieces = parseLedger(text, path);
        expect(joinPieces(pieces)).toBe(text);
        for (const piece of pieces) {
          const stands = text.split('\n')[piece.line - 1];
          expect(piece.text.replace(/\n$/, '')).toBe(stands);
        }
      }),
    );
  });

  it('that breaks off keeps what is whole', () => {
    for (let bytes = 1; bytes < example.length; bytes += 7) {
      const pieces = parseLedger(example + example.slice(0, bytes), path);
      expect(pieces.map((piece) => (piece.kind === 'rest' ? piece.why : piece.id))).toEqual([
        'EVT-20260128-001',
        bytes === example.length - 1 ? 'EVT-20260128-001' : 'breaks off in the middle',
      ]);
    }
  });

  it('takes only events of its day, numbered on', () => {
    const second = example.replace('-001', '-002');
    expect(() => checkAddedEvents('', example + second, path)).not.toThrow();
    expect(() => checkAddedEvents(example, example, path)).toThrow(`${path}:2 id: EVT-20260128-001 is taken`);
    expect(() => checkAddedEvents(example, `${second}oops\n`, path)).toThrow(`${path}:3 is not valid JSON`);
    expect(() => checkAddedEvents('', example, segmentPath('2026-01-29'))).toThrow('is not of this day');
  });

  it('is told from other files by its place', () => {
    expect(dayOfSegment('ledger/2026/01/2026-01-28.jsonl')).toBe('2026-01-28');
    for (const other of ['ledger/2026/02/2026-01-28.jsonl', 'ledger/ledger-archive-2026.jsonl', 'ledger/x.jsonl']) {
      expect(dayOfSegment(other)).toBeNull();
    }
  });
});

describe('a segment that grows', () => {
  it('is read on from where it ended as it is when it is read as a whole', () => {
    const line = fc.oneof(event.map(formatEvent), fc.constantFrom('\n', '{"ts":\n', '{"ts"'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.nat(), (lines, at) => {
        const text = lines.join('');
        const before = lines.slice(0, at % (lines.length + 1)).join('');
        const grown = continueLedger({ text: before, pieces: parseLedger(before, path) }, text, path);
        if (before.endsWith('\n')) expect(grown).toEqual(parseLedger(text, path));
        else expect(grown).toBeNull();
      }),
    );
  });
});
