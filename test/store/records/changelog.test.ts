// The changelog as text and as values: our own form byte for byte, what people and agents make of it, and damage anywhere in it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangelogEvent, changelogEventTypes } from '../../../src/base/types/changelog-types.ts';
import { formatChangelogEvent, isEventLog, parseChangelog } from '../../../src/store/records/changelog.ts';
import { continueChangelog } from '../../../src/store/records/changelog-growth.ts';
import type { LogPiece } from '../../../src/store/records/log.ts';

const path = 'CHANGELOG.md';
const preamble =
  '# Changelog\n\nAppend only.\n\n```markdown\n### evt-NNN | YYYY-MM-DD HH:MM | agent-name | type\n```\n\n## Event Log\n';

const parse = (text: string) => parseChangelog(text, path);
const entries = (pieces: readonly LogPiece<ChangelogEvent>[]) => pieces.filter((piece) => piece.kind === 'entry');
const joined = (pieces: readonly LogPiece[]) => pieces.map(({ text }) => text).join('');
const told = (text: string) =>
  parse(text).flatMap((piece) =>
    piece.kind === 'rest'
      ? piece.why === undefined
        ? []
        : [`${piece.line}: ${piece.why}`]
      : (piece.notes ?? []).map(({ line, why }) => `${line}: ${why}`),
  );

const words = fc
  .array(
    fc.constantFrom('parser', 'a-b', '100 %', 'evt-001', '**x**', '`code`', '| bar', 'é', '# no', '- item', 'a:b'),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => `w ${parts.join(' ')}`);
const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);

const events = fc
  .array(
    fc.record({
      minutes: fc.nat(1000),
      agent: name,
      type: fc.constantFrom(...changelogEventTypes),
      scope: words,
      summary: words,
      details: fc.array(fc.record({ key: name, value: fc.oneof(words, fc.constant('')) }), { maxLength: 3 }),
      refs: fc.uniqueArray(fc.integer({ min: 1, max: 1200 }), { maxLength: 3 }),
      tags: fc.uniqueArray(
        name.filter((tag) => tag !== 'none' && tag !== 'nil' && tag !== 'null'),
        { maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drafts) =>
    drafts.map(({ minutes, refs, ...draft }, at): Omit<ChangelogEvent, 'line'> => {
      const number = at + 1;
      const time = new Date(Date.UTC(2026, 0, 28, 0, minutes)).toISOString().slice(0, 16).replace('T', ' ');
      const id = (one: number) => `evt-${String(one).padStart(3, '0')}`;
      return { id: id(number), number, time, ...draft, refs: refs.map(id) };
    }),
  );

describe('a changelog', () => {
  it('is read as it was written, and written as it was read', () => {
    fc.assert(
      fc.property(events, (made) => {
        const text = preamble + made.map(formatChangelogEvent).join('');
        const pieces = parse(text);
        expect(told(text)).toEqual([]);
        expect(joined(pieces)).toBe(text);
        const values = entries(pieces).map(({ value }) => value);
        expect(values.map(({ line, ...rest }) => rest)).toEqual(made);
        expect(preamble + values.map(formatChangelogEvent).join('')).toBe(text);
        const lines = text.split('\n');
        for (const { line, id } of values) expect(lines[line - 1]).toContain(`### ${id} |`);
      }),
    );
  });

  it('of another kind has no events', () => {
    const other = '# Changelog\n\n## [1.2.0] - 2026-01-28\n\n### Added\n\n- events\n';
    expect(isEventLog(other)).toBe(false);
    expect(entries(parse(other))).toEqual([]);
    expect(joined(parse(other))).toBe(other);
    expect(isEventLog(preamble)).toBe(true);
  });

  it('loses no event that is whole, and tells where one is not, wherever it is cut', () => {
    fc.assert(
      fc.property(events, fc.nat(10_000), (made, at) => {
        const texts = made.map(formatChangelogEvent);
        const whole = preamble + texts.join('');
        const length = at % (whole.length + 1);
        const cut = whole.slice(0, length);
        const pieces = parse(cut);
        expect(joined(pieces)).toBe(cut);
        let end = preamble.length;
        const intact = made.filter((_, position) => {
          end += texts[position]!.length;
          return end <= length;
        });
        const read = entries(pieces).map(({ value: { line, ...rest } }) => rest);
        expect(read.slice(0, intact.length)).toEqual(intact);
        expect(read.length).toBeLessThanOrEqual(intact.length + 1);
        const rest = whole.slice(0, length).slice(preamble.length + texts.slice(0, intact.length).join('').length);
        // Tags are optional: nothing tells that some stood behind whole refs.
        const isWhole = /\*\*Refs\*\*:.*\n+$/.test(rest);
        if (length > preamble.length && rest.trim() !== '' && !isWhole) {
          const last = cut.split('\n').length;
          const from = last - rest.split('\n').length + 1;
          expect(told(cut).some((one) => Number.parseInt(one, 10) >= from)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('loses no event that is whole to garbage in others', () => {
    const garbage = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\n', '\n\n', '```', '<!--', '\n---\n', '\n# x\n', '### evt-', '\u0000\u0000', '**Scope**: x\n'),
    );
    fc.assert(
      fc.property(events, fc.nat(10_000), fc.nat(120), garbage, (made, from, length, put) => {
        const texts = made.map(formatChangelogEvent);
        const whole = preamble + texts.join('');
        const start = preamble.length + (from % (whole.length - preamble.length));
        const end = Math.min(whole.length, start + length);
        const damaged = whole.slice(0, start) + put + whole.slice(end);
        const pieces = parse(damaged);
        expect(joined(pieces)).toBe(damaged);
        let at = preamble.length;
        const read = new Map(entries(pieces).map(({ value: { line, ...rest } }) => [rest.id, rest]));
        for (const [position, event] of made.entries()) {
          const first = at;
          at += texts[position]!.length;
          // What was put in before its first line may have joined with that line.
          const isTouched = start < at && end > first;
          const isInsertion = start === end && start > first && start < at;
          if (!isTouched && !isInsertion && !(end === first && start <= first))
            expect(read.get(event.id)).toEqual(event);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a changelog that people and agents wrote', () => {
  const event: Omit<ChangelogEvent, 'line'> = {
    id: 'evt-001',
    number: 1,
    time: '2026-01-28 14:03',
    agent: 'builder',
    type: 'fix',
    scope: 'parser',
    summary: 'Quoted commas no longer end a field',
    details: [
      { key: 'entity', value: 'parser' },
      { key: 'root_cause', value: 'a missing state' },
    ],
    refs: ['evt-007', 'evt-008'],
    tags: ['csv', 'bug'],
  };
  const strict = formatChangelogEvent(event);
  const variants: readonly (readonly [string, (text: string) => string])[] = [
    ['## for ###', (text) => text.replace('###', '##')],
    ['#### for ###', (text) => text.replace('###', '####')],
    ['no blank lines', (text) => text.replaceAll('\n\n', '\n')],
    ['more blank lines', (text) => text.replaceAll('\n', '\n\n')],
    ['dashes for bars', (text) => text.replaceAll(' | ', ' - ')],
    ['long dashes for bars', (text) => text.replaceAll(' | ', ' — ')],
    ['bars without spaces', (text) => text.replaceAll(' | ', '|')],
    ['CR LF', (text) => text.replaceAll('\n', '\r\n')],
    ['spaces at the end', (text) => text.replaceAll('\n', '  \n')],
    ['* for -', (text) => text.replaceAll('\n- ', '\n* ')],
    ['+ for -', (text) => text.replaceAll('\n- ', '\n+ ')],
    ['numbers for -', (text) => text.replaceAll('\n- ', '\n1. ')],
    ['indented details', (text) => text.replaceAll('\n- ', '\n  - ')],
    ['bold keys', (text) => text.replace('- entity:', '- **entity**:').replace('- root_cause:', '- **root_cause:**')],
    ['code keys', (text) => text.replace('- entity:', '- `entity`:')],
    ['colons within bold', (text) => text.replaceAll('**:', ':**')],
    ['fields that are not bold', (text) => text.replaceAll('**', '')],
    ['lower case fields', (text) => text.replace('Scope', 'scope').replace('Refs', 'refs')],
    ['fields as a list', (text) => text.replace('**Scope', '- **Scope').replace('**Summary', '- **Summary')],
    ['refs as a list', (text) => text.replace('**Refs', '- **Refs').replace('**Tags', '- **Tags')],
    ['Type with a capital', (text) => text.replace('| fix', '| Fix')],
    ['a verb for the type', (text) => text.replace('| fix', '| fixes')],
    ['an ISO time', (text) => text.replace('2026-01-28 14:03', '2026-01-28T14:03')],
    ['seconds and a zone', (text) => text.replace('14:03', '14:03:09Z')],
    ['date and time as two fields', (text) => text.replace('28 14:03', '28 | 14:03')],
    ['a day with slashes', (text) => text.replace('2026-01-28 14:03', '2026/01/28 14:03')],
    ['a day with dots', (text) => text.replace('2026-01-28 14:03', '2026.01.28 14:03')],
    ['a short id', (text) => text.replace('### evt-001', '### evt-1')],
    ['an id in capitals', (text) => text.replace('### evt-001', '### EVT-001')],
    ['an id in brackets', (text) => text.replace('### evt-001', '### [evt-001]')],
    ['a bold heading', (text) => text.replace(/### (.*)/, '### **$1**')],
    ['a closed heading', (text) => text.replace(/### (.*)/, '### $1 ###')],
    ['no mark of a heading', (text) => text.replace('### ', '')],
    ['brackets around refs', (text) => text.replace('evt-007, evt-008', '[evt-007], [evt-008]')],
    ['refs without commas', (text) => text.replace('evt-007, evt-008', 'evt-007 evt-008')],
    ['another order', (text) => text.replace(/(\*\*Scope.*\n)(\*\*Summary.*\n)/, '$2$1')],
    ['refs in a sentence', (text) => text.replace('evt-007, evt-008', 'see evt-007 and evt-008')],
    ['tags with #', (text) => text.replace('csv, bug', '#csv, #bug')],
    ['a rule behind it', (text) => `${text}\n---\n`],
    ['no line feed at the end', (text) => text.trimEnd()],
    ['a summary of two lines', (text) => text.replace('commas no', 'commas\nno')],
  ];

  it.each(variants)('is read where it is clear: %s', (_, bend) => {
    const bent = bend(strict);
    const text = `${preamble}${bent}${bent.endsWith('\n') ? '' : '\n'}${formatChangelogEvent({ ...event, id: 'evt-002', number: 2 })}`;
    const pieces = parse(text);
    expect(joined(pieces)).toBe(text);
    const [first, second] = entries(pieces).map(({ value: { line, ...rest } }) => rest);
    expect(first).toEqual(event);
    expect(second).toEqual({ ...event, id: 'evt-002', number: 2 });
  });

  it.each([
    [
      'a word that is no type',
      '### evt-001 | 2026-01-28 14:03 | builder | refactor',
      '11: the heading of an event has a type',
    ],
    ['a misspelt type', '### evt-001 | 2026-01-28 14:03 | builder | decison', 'probably "decision"'],
    [
      'a day that no calendar has',
      '### evt-001 | 2026-02-30 14:03 | builder | fix',
      '11: the heading of an event has a time that is none',
    ],
    ['no time', '### evt-001 | builder | fix', '11: the heading of an event has no time'],
    ['no number', '### evt-NNN | 2026-01-28 14:03 | builder | fix', '11: the heading of an event has no number'],
    ['a heading that breaks off', '### evt-00', '11: the heading of an event has no number'],
    ['no heading at all', '', '13: the fields of an event stand here without its heading'],
  ])('is told by its line where it is not clear: %s', (_, heading, why) => {
    const text = preamble + strict.replace(/### .*/, heading);
    expect(entries(parse(text))).toEqual([]);
    expect(told(text).join('\n')).toContain(why);
    const next = text + formatChangelogEvent({ ...event, id: 'evt-002', number: 2 });
    expect(entries(parse(next)).map(({ id }) => id)).toEqual(['evt-002']);
  });

  it('keeps sections of its own among the events', () => {
    const text = `${preamble}${strict}\n## Notes\n\nNothing.\n${strict.replace('001', '002')}`;
    expect(entries(parse(text)).map(({ id }) => id)).toEqual(['evt-001', 'evt-002']);
    expect(told(text)).toEqual([]);
  });

  it('tells what is missing of an event', () => {
    const text = `${preamble}\n### evt-001 | 2026-01-28 14:03 | builder | fix\n\n**Tags**: csv\nleft over\n`;
    expect(entries(parse(text)).map(({ value }) => value)).toMatchObject([{ scope: '', summary: '', tags: ['csv'] }]);
    expect(told(text)).toEqual([
      '11: the event has no scope',
      '11: the event has no summary',
      '11: the event has no refs; "none" says that there are none',
      '14: it stands between events and is part of none',
    ]);
  });
});

describe('a changelog that grows', () => {
  const line = fc.constantFrom(
    ...['', '', '## Event Log', '### evt-001 | 2026-01-28 09:00 | a | fix', '### evt-002 | 2026-01-28 | b | create'],
    ...[
      '### evt-0',
      '## Notes',
      '**Scope**: x',
      '**Summary**: y',
      '- key: value',
      '**Refs**: none',
      '```',
      '---',
      'words',
    ],
    ...['### evt-003 | 2026-01-28 10:00 | a | decision', '**Refs**: evt-001', '**Tags**: a', 'more\r', ' '],
  );
  const lines = fc.array(line, { maxLength: 24 }).map((all) => all.join('\n'));

  it('is read from its last event on as it is when it is read as a whole', () => {
    let count = 0;
    for (const where of [path, 'CHANGELOG-archive.md'])
      fc.assert(
        fc.property(lines, fc.boolean(), fc.nat(), (body, hasHead, at) => {
          const text = (hasHead ? preamble : '') + body;
          const before = text.slice(0, at % (text.length + 1));
          const pieces = parseChangelog(before, where);
          const grown = continueChangelog({ text: before, pieces }, text, where);
          if (grown === null) return;
          count += 1;
          expect(grown).toEqual(parseChangelog(text, where));
        }),
        { numRuns: 1500 },
      );
    expect(count).toBeGreaterThan(100);
  });

  it('keeps the events that stay as the values they are', () => {
    fc.assert(
      fc.property(events, fc.nat(), (all, at) => {
        const texts = all.map(formatChangelogEvent);
        const before = preamble + texts.slice(0, at % all.length).join('');
        const pieces = parse(before);
        const known = entries(pieces);
        const grown = continueChangelog({ text: before, pieces }, preamble + texts.join(''), path);
        if (known.length === 0) expect(grown).toBeNull();
        else for (const [position, piece] of known.entries()) expect(entries(grown!)[position]).toBe(piece);
      }),
    );
  });
});
