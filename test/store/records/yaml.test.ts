// Plain texts are read without the library; it is the judge of them.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAnyYaml, parsePlainYaml, parseYamlObject, setYamlValues } from '../../../src/store/records/yaml.ts';

/** Both answers to a text: data and the lines of keys; an error says only that it is one. */
function answerOf(parse: () => ReturnType<typeof parseAnyYaml>): unknown {
  try {
    const { data, lineOf } = parse();
    return { data, lines: Object.keys(data).map(lineOf) };
  } catch {
    return 'refused';
  }
}

function agree(text: string): void {
  const byLibrary = answerOf(() => parseAnyYaml(text, 'a.md', 7));
  expect(
    answerOf(() => parseYamlObject(text, 'a.md', 7)),
    JSON.stringify(text),
  ).toEqual(byLibrary);
}

const values =
  `tea|a b|a  b |2026-11-02|2026-11-02T09:00:00Z|09:00|12:30:45|0|7|-7|+7|007|1_000|1.5|1.|.5|1e3|1E3|0x1F|0o17|.inf|.nan|NaN|
 null|Null|~|true|True|TRUE|false|yes|no|on|"a: b"|"a # b"|"a\\n"|"a""b"|'it''s'|'a'|"|'|a'b|a"b|a:b|a: b|a:|a#b|a #b|#b|:a|- a|-a|?|? a|!a|&a|*a|@a|%a|
 |>|>-|{}|{a: b}|[]|[ ]|[a]|[a, b]|[a,b]|[ a, b ]|[a, b,]|[1, a]|[true]|[a b]|[a: b]|[[a]]|[a|Zürich|日本|ab\u00a0cd|é|=|<<|/|/w/a|//|/a: b|/a #b|a, b|a]|(a)|a?|a!|a\tb|x\u2028y|x\u0085y|12345678901234567890`
    .split('|')
    .flatMap((value) => [value, value.trim()]);
const keys = ['a', 'b-c', '_d', 'true', 'null', '1', '__proto__', 'constructor', 'e f', '"g"', 'toString', '<<'];
const rows = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...keys), fc.constantFrom(':', ': ', ':  ', ' : ', ':\t'), fc.constantFrom(...values))
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '  ',
      '# note',
      ' # note',
      '  deeper: 1',
      '- item',
      '---',
      '...',
      '%YAML 1.2',
      'word',
      '\t',
    ),
  },
);

describe('YAML of one value a line', () => {
  it('is read as the library reads it, value by value', () => {
    for (const value of values) agree(`key: ${value}\n`);
    for (const key of keys) agree(`${key}: value\n`);
  });

  it('is read as the library reads it, or left to it', () => {
    fc.assert(
      fc.property(
        fc.array(rows, { maxLength: 4 }),
        fc.constantFrom('\n', '\n', '\r\n'),
        fc.boolean(),
        (lines, end, last) => {
          agree(lines.join(end) + (last ? end : ''));
        },
      ),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:# -[]"\'\n\t,09.~é'), maxLength: 14 }), (text) => {
        agree(`key:${text}`);
        agree(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('is what transcripts and configurations begin with', () => {
    const text =
      'session_id: ses_tea\nstarted: 2026-11-02T09:00:00Z\ntopic: tea or coffee\ntags: [drinks, meeting]\nversion: 1\n';
    expect(parsePlainYaml(`# A note\n\n${text}`)).toEqual({
      data: {
        session_id: 'ses_tea',
        started: '2026-11-02T09:00:00Z',
        topic: 'tea or coffee',
        tags: ['drinks', 'meeting'],
        version: 1,
      },
      lines: new Map([
        ['session_id', 2],
        ['started', 3],
        ['topic', 4],
        ['tags', 5],
        ['version', 6],
      ]),
    });
  });
});

describe('a value that is set', () => {
  it('stands where the former one stood, with the comments beside it', () => {
    const text = [
      '# Ours.',
      'timezone: UTC # the office',
      'private: [a/**] # two',
      'schedule:',
      '  # by night',
      '  nightly: "0 3 * * *" # at three',
      '',
      '  # by hand',
      '  condense: off',
      '',
    ].join('\n');
    const set = (key: string, value: unknown) => setYamlValues(text, 'memory.yaml', [{ keys: key.split('.'), value }]);
    expect(set('timezone', 'Europe/Lisbon')).toBe(text.replace('UTC', 'Europe/Lisbon'));
    expect(set('private', ['b', 'c'])).toBe(text.replace('a/**', 'b, c'));
    expect(set('schedule.nightly', 'off')).toBe(text.replace('"0 3 * * *"', 'off'));
    expect(set('schedule.condense', '1 0 * * *')).toBe(text.replace(/off$/m, '1 0 * * *'));
    expect(set('schedule.prune', 'off')).toBe(`${text}  prune: off\n`);
    expect(set('timezone', undefined)).not.toContain('the office');
  });
});

describe('a YAML text', () => {
  it('is refused when it is several documents, since only one of them would be read', () => {
    expect(() => parseYamlObject('a: 1\n---\nb: 2\n', 'memory.yaml')).toThrow(/memory.yaml:\d .*multiple documents/);
    expect(parseYamlObject('---\na: 1\n', 'memory.yaml').data).toEqual({ a: 1 });
  });
});
