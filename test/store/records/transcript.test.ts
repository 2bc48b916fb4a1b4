import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Transcript, Turn } from '../../../src/base/types/stored-types.ts';
import {
  formatTranscript,
  formatTranscriptHead,
  formatTurn,
  parseTranscript,
  parseTranscriptWithLines,
  transcriptPath,
} from '../../../src/store/records/transcript.ts';

const path = 'raw/conversations/2026/02/16/1845-ses_a1b2c3d4-autopoiesis-restructuring.md';
const at = (iso: string): number => Date.parse(iso);

// The example of spec 5 §2.1, shortened.
const example = `---
session_id: ses_a1b2c3d4
started: 2026-02-16T18:45:00Z
ended: 2026-02-16T19:32:00Z
model: claude-opus-4.6
channel: webchat
topic: autopoiesis restructuring
tags: [coding, architecture, git]
tokens_in: 45230
tokens_out: 12840
knowledge_changes:
  - path: knowledge/projects/autopoiesis/context.md
    action: updated
    summary: Added migration plan from SQLite to files
---

# Autopoiesis Restructuring

## 18:45 — user
Read all open issues and give me a summary.

## 18:45 — agent
> [tool:exec] gh issue list --repo autopoiesis --state open → 12 results

Here are all 12 open issues:

1. **#34** — Migrate memory from SQLite to files
...

## 18:52 — agent [memory]
> [knowledge:updated] knowledge/projects/autopoiesis/context.md — added migration plan
`;

const head = { sessionId: 's', started: at('2026-02-16T18:45:30Z'), title: 'T' };
const turn = (iso: string, more: Partial<Turn> = {}): Turn => ({ role: 'user', time: at(iso), text: 'hi', ...more });
const headings = (turns: Turn[]): string[] =>
  formatTranscript({ ...head, turns })
    .split('\n')
    .filter((line) => line.startsWith('## '));

describe('the transcript of the spec', () => {
  test('comes back byte for byte', () => {
    expect(formatTranscript(parseTranscript(example, path))).toBe(example);
    expect(transcriptPath(parseTranscript(example, path))).toBe(path);
  });

  test('is read turn by turn with lines', () => {
    const { turns, ...rest } = parseTranscriptWithLines(example, path);
    expect(rest).toMatchObject({
      sessionId: 'ses_a1b2c3d4',
      started: at('2026-02-16T18:45:00Z'),
      ended: at('2026-02-16T19:32:00Z'),
      tokensIn: 45230,
      tags: ['coding', 'architecture', 'git'],
      title: 'Autopoiesis Restructuring',
    });
    expect(turns.map(({ role, flag, line }) => [role, flag, line])).toEqual([
      ['user', undefined, 19],
      ['agent', undefined, 22],
      ['agent', 'memory', 30],
    ]);
    expect(turns[1]?.text).toMatch(/^> \[tool:exec\].*\n\nHere.*\n\.\.\.$/s);
    for (const { line, role } of turns) expect(example.split('\n')[line - 1]).toContain(`— ${role}`);
  });
});

describe('headings', () => {
  test('show seconds where there are any, speaker and flag', () => {
    expect(
      headings([
        turn('2026-02-16T18:46:00Z'),
        turn('2026-02-16T18:46:07Z', { speaker: 'CDR' }),
        turn('2026-02-16T18:46:07Z', { role: 'agent', speaker: 'Ada (she)', flag: 'memory' }),
      ]),
    ).toEqual(['## 18:46 — user', '## 18:46:07 — user (CDR)', '## 18:46:07 — agent (Ada (she)) [memory]']);
  });

  test('roll over midnight, and carry the date where the clock alone would mislead', () => {
    expect(
      headings([
        turn('2026-02-16T23:59:00Z'),
        turn('2026-02-17T00:05:00Z'),
        turn('2026-02-19T00:04:00Z'),
        turn('2026-02-20T00:05:00Z'),
        turn('2026-02-19T12:00:00Z'),
      ]),
    ).toEqual([
      '## 23:59 — user',
      '## 00:05 — user',
      '## 2026-02-19 00:04 — user',
      '## 2026-02-20 00:05 — user',
      '## 2026-02-19 12:00 — user',
    ]);
  });

  test('of minutes only do not go back within the minute the session started in', () => {
    const text = '---\nsession_id: s\nstarted: 2026-02-16T18:45:30Z\n---\n\n# T\n\n## 18:45 — user\nhi\n';
    expect(parseTranscript(text, path).turns[0]?.time).toBe(at('2026-02-16T18:45:00Z'));
  });

  test('lose what would end them early', () => {
    const [heading] = headings([turn('2026-02-16T18:46:00Z', { role: 'us(er)\n## x', speaker: 'a\nb', flag: '[x]' })]);
    expect(heading).toBe('## 18:46 — user ## x (a b) [x]');
  });

  test('need a role', () => {
    expect(() => formatTurn(turn('2026-02-16T18:46:00Z', { role: ' () ' }), 0)).toThrow(
      expect.objectContaining({ code: 'INVALID_RECORD' }),
    );
  });
});

test('lines that look like structure are escaped and come back unchanged', () => {
  const text =
    '# Title\n## 18:45 — user\n## Plan\n---\n\\---\n\\\\# x\n## 2026-02-16 00:00 - agent\n#hash\n  ---\n----\na \\ b\\';
  const formatted = formatTurn(turn('2026-02-16T18:46:00Z', { text }), head.started);
  expect(formatted.split('\n').slice(2, -1)).toEqual([
    '\\# Title',
    '\\## 18:45 — user',
    '## Plan',
    '\\---',
    '\\\\---',
    '\\\\\\# x',
    '\\## 2026-02-16 00:00 - agent',
    '#hash',
    '  ---',
    '----',
    'a \\ b\\',
  ]);
  const whole = { ...head, turns: [turn('2026-02-16T18:46:00Z', { text })] };
  expect(parseTranscript(formatTranscript(whole), path)).toEqual(whole);
});

const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 '_.-]{0,10}[A-Za-z0-9]$/).filter((text) => !text.includes('  '));
const piece = fc.constantFrom(
  '# x',
  '## 18:45 — user',
  '## 2026',
  '---',
  '\\',
  '\\# x',
  '\n',
  '\r\n',
  '\r',
  '```',
  ' ',
  '> [tool:x] y',
  '\u2028',
);
const messageText = fc
  .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 10 })), { maxLength: 8 })
  .map((parts) => parts.join('\n').replace(/^\n+|\n+$/g, ''));
const wholeSecond = fc
  .integer({ min: at('2020-01-01'), max: at('2030-01-01') })
  .map((ms) => Math.floor(ms / 1000) * 1000);
const anyTurn = fc.record(
  {
    role: fc.oneof(fc.constantFrom('user', 'agent', 'system'), word),
    speaker: fc.oneof(word, fc.constantFrom('CDR', 'Bob (CEO)', 'a) [b]', ') [x', '()')),
    flag: fc.constantFrom('memory', 'x) y', 'draft'),
    time: fc.integer({ min: -90_000, max: 200_000 }),
    text: messageText,
  },
  { requiredKeys: ['role', 'time', 'text'], noNullPrototype: true },
);
const anyTranscript: fc.Arbitrary<Transcript> = fc
  .record(
    {
      sessionId: fc.oneof(fc.constantFrom('ses_a1b2', '0123', '17', 'true'), word),
      started: wholeSecond,
      ended: wholeSecond,
      model: word,
      channel: word,
      topic: fc.string({ unit: 'grapheme', maxLength: 20 }),
      agent: word,
      tags: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), { maxLength: 3 }),
      tokensIn: fc.nat(),
      tokensOut: fc.nat(),
      knowledgeChanges: fc.array(
        fc.record({ path: word, action: word, summary: fc.string() }, { noNullPrototype: true }),
        { maxLength: 2 },
      ),
      unknown: fc.dictionary(fc.stringMatching(/^x_[a-z]{1,4}$/), fc.oneof(fc.string(), fc.integer()), {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      }),
      title: word,
      preamble: messageText.filter((text) => text !== '' && !text.startsWith('# ')),
      turns: fc.array(anyTurn, { maxLength: 5 }),
    },
    { requiredKeys: ['sessionId', 'started', 'title', 'turns'], noNullPrototype: true },
  )
  .map((given) => {
    // Times are drawn as steps from the turn before, in seconds.
    let time = given.started;
    const turns = given.turns.map((each) => {
      time += each.time * 1000;
      return { ...each, time };
    });
    return { ...given, turns } as Transcript;
  });

describe('any transcript', () => {
  test('comes back as it was, and its bytes as they were', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        const text = formatTranscript(transcript);
        expect(parseTranscript(text, path)).toEqual(transcript);
        expect(formatTranscript(parseTranscript(text, path))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('only grows: it is its head, then the bytes of each turn', () => {
    fc.assert(
      fc.property(anyTranscript, (transcript) => {
        let text = formatTranscriptHead(transcript);
        let previous = transcript.started;
        for (const each of transcript.turns) {
          text += formatTurn(each, previous);
          previous = each.time;
        }
        expect(text).toBe(formatTranscript(transcript));
      }),
      { numRuns: 100 },
    );
  });

  test('holds whole seconds', () => {
    const started = at('2026-02-16T18:45:00.500Z');
    const text = formatTranscript({ ...head, started, turns: [{ role: 'user', time: started + 100, text: 'x' }] });
    expect(text).toContain('started: 2026-02-16T18:45:00Z\n');
    expect(text).toContain('\n## 18:45 — user\n');
  });
});

describe('a transcript of another tool', () => {
  test('takes what is missing from its name', () => {
    const text = '---\nmodel: x\n---\n## 18:46 - user\nhi\n';
    expect(parseTranscript(text, path)).toEqual({
      sessionId: 'ses_a1b2c3d4',
      started: at('2026-02-16T18:45:00Z'),
      model: 'x',
      title: 'ses_a1b2c3d4',
      turns: [{ role: 'user', time: at('2026-02-16T18:46:00Z'), text: 'hi' }],
    });
  });

  test('keeps the text before its first turn and headings within turns', () => {
    const text =
      '---\nsession_id: s\nstarted: 2026-02-16\n---\nintro\n\n# T\n\nmore\n\n## 00:01 — user\n# not a title\n## Plan\n';
    expect(parseTranscript(text, 'x.md')).toMatchObject({
      title: 'T',
      preamble: 'intro\n\nmore',
      turns: [{ text: '# not a title\n## Plan' }],
    });
  });

  test.each([
    'no front matter',
    '---\nmodel: x\n---\n',
    '---\nsession_id: s\n---\n',
    '---\nsession_id: s\nstarted: 2026-02-16\ntokens_in: many\n---\n',
    '---\nsession_id: s\nstarted: 2026-02-16\ntags: {a: 1}\n---\n',
    '---\nsession_id: s\nstarted: 2026-02-16\nknowledge_changes: [1]\n---\n',
    '---\nsession_id: [s]\nstarted: 2026-02-16\n---\n',
  ])('is refused as %j', (text) => {
    expect(() => parseTranscript(text, 'x.md')).toThrow(expect.objectContaining({ code: 'INVALID_RECORD' }));
  });

  test('is refused with a date that is none', () => {
    expect(() => parseTranscript('---\nsession_id: s\nstarted: soon\n---\n', 'x.md')).toThrow(/x\.md:3 started/);
  });
});

test('paths are in UTC and safe whatever the session is called', () => {
  const started = at('2026-02-16T23:59:00Z');
  expect(transcriptPath({ sessionId: '../a b', started, title: '???' })).toBe(
    'raw/conversations/2026/02/16/2359-_a_b-untitled.md',
  );
});
