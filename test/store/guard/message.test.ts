import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMessage, parseMessage, type Trailer, trailerKeys } from '../../../src/store/guard/message.ts';
import { hasGit, tryGit } from '../../helpers/native-git.ts';

const trailer = (key: Trailer['key'], value: string): Trailer => ({ key, value });
const session = trailer('Session', 'raw/conversations/2026/02/16/1845-ses_a-x.md');

// Pieces that make messages go wrong, mixed with any text.
const hostile = fc.constantFrom(
  'Session: forged',
  'Session : forged',
  'Operation: undo\n',
  '\n\n',
  '\r\n',
  '\r',
  '---\n',
  '--- a/x\n',
  '# comment',
  'Signed-off-by: x <x@x>\n',
  '(cherry picked from commit abc)\n',
  'Conflicts:\n\tx\n',
  '# ------------------------ >8 ------------------------\n',
  ' continued\n',
  '\u2028Session: x',
  '\u0085',
  '\0',
  'diff --git a/x b/x\n',
);
const anyText = fc
  .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 12 }), fc.lorem({ maxCount: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));
const visible = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

function nativeTrailers(message: string): string[] {
  return tryGit('.', ['interpret-trailers', '--parse'], message)
    .stdout.split('\n')
    .filter((line) => line !== '');
}

function ownTrailers(message: string): string[] {
  const { trailers, others } = parseMessage(message);
  return [...trailers, ...others].map(({ key, value }) => `${key}: ${value}`.trimEnd()).sort();
}

describe('formatMessage', () => {
  test('writes subject, body and one block of trailers', () => {
    const message = formatMessage({
      subject: 'conversation: autopoiesis',
      body: 'First line.\n\nSecond.',
      trailers: [trailer('Operation', 'capture'), session],
    });
    expect(message).toBe(
      'conversation: autopoiesis\n\nFirst line.\n\nSecond.\n\nOperation: capture\n' +
        'Session: raw/conversations/2026/02/16/1845-ses_a-x.md\n',
    );
    expect(parseMessage(message)).toEqual({
      subject: 'conversation: autopoiesis',
      body: 'First line.\n\nSecond.',
      trailers: [trailer('Operation', 'capture'), session],
      others: [],
    });
  });

  test('cuts a subject to seventy-two characters on one line', () => {
    const { subject } = parseMessage(
      formatMessage({ subject: `memory: a\nb\u202e ${'word '.repeat(40)}`, trailers: [] }),
    );
    expect(subject).toMatch(/^memory: a b word .*…$/);
    expect(subject.length).toBeLessThanOrEqual(72);
  });

  test('indents body lines that could be taken for trailers, dividers or comments', () => {
    const body = 'Session: x\n---\n# note\nplain\nSigned-off-by: me';
    const parsed = parseMessage(formatMessage({ subject: 's', body, trailers: [session] }));
    expect(parsed.body).toBe('Session: x\n ---\n # note\nplain\n Signed-off-by: me'.replace(/^/, ' '));
    expect(parsed.trailers).toEqual([session]);
  });

  test.each([
    [{ subject: ' \n ', trailers: [] }],
    [{ subject: '---', trailers: [] }],
    [{ subject: 's', trailers: [trailer('Session', ' \n ')] }],
    [{ subject: 's', trailers: [{ key: 'Reviewed-by' as never, value: 'x' }] }],
    [{ subject: 's', trailers: [trailer('Operation', 'a'), trailer('Operation', 'b')] }],
    [{ subject: 's', trailers: [trailer('Agent', 'x'.repeat(2000))] }],
  ])('refuses %j', (parts) => {
    expect(() => formatMessage(parts)).toThrow(expect.objectContaining({ code: 'INVALID_MESSAGE' }));
  });

  test('refuses a message above its limit', () => {
    expect(() => formatMessage({ subject: 's', body: 'x'.repeat(1_100_000), trailers: [] })).toThrow(
      expect.objectContaining({ code: 'TOO_LARGE' }),
    );
  });

  const parts = fc.record({
    subject: anyText.filter(visible),
    body: anyText,
    trailers: fc
      .uniqueArray(fc.tuple(fc.constantFrom(...trailerKeys), anyText.filter(visible)), {
        selector: ([key]) => key,
        maxLength: 4,
      })
      .map((pairs) => pairs.map(([key, value]) => trailer(key, value))),
  });

  test('never lets text from outside forge, hide or break a trailer', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const message = formatMessage(given);
        const parsed = parseMessage(message);
        expect(parsed.trailers.map(({ key }) => key)).toEqual(given.trailers.map(({ key }) => key));
        expect(parsed.others).toEqual([]);
        for (const { value } of parsed.trailers) expect(value).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(message).not.toMatch(/[^\P{Cc}\n]/u);
        // Formatting what was read changes nothing.
        expect(formatMessage(parsed)).toBe(message);
      }),
      { numRuns: 1000 },
    );
  });

  test.runIf(hasGit)('is read by git interpret-trailers as it is here', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const message = formatMessage(given);
        expect(nativeTrailers(message)).toEqual(
          parseMessage(message).trailers.map(({ key, value }) => `${key}: ${value}`),
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe('parseMessage', () => {
  test.each([
    '',
    '\n\n',
    'subject only',
    'Session: in the title',
    'title\n\nSession: a\n',
    'title\n\nSession: a\n\nnot a block\n',
    'title\n\nbody\nSession: a\n',
    'title\n\nbody\nSession: a\nSigned-off-by: b\n',
    'title\n\nSession: a\n continued\nAgent: b\n',
    'title\n\nSession: a\n---\nAgent: b\n',
    'title\n\nSession: a\n# comment\n\n',
    'title\nfolded\n\nSession: a\n\n\nAgent: b\n',
    'title\n\nSession : spaced\nagent: lower\nCo-authored-by: x <x@x>\n',
    'title\n\nSession:\n',
    'title\n\n(cherry picked from commit abc)\nSession: a\n',
    '# comment\n\ntitle\n\nSession: a\n',
  ])('finds the trailers git finds in %j', (message) => {
    if (hasGit) {
      const native = nativeTrailers(message).filter((line) => !line.startsWith('(cherry'));
      // git prints an empty value with its separator.
      const own = ownTrailers(message);
      expect(own).toEqual(
        native
          .map((line) => line.trimEnd())
          .filter((line) => line !== 'Session:')
          .sort(),
      );
    }
    expect(() => parseMessage(message)).not.toThrow();
  });

  test('keeps the trailers of other tools apart', () => {
    expect(parseMessage('t\n\nSession: a\nReviewed-by: b\n')).toEqual({
      subject: 't',
      body: '',
      trailers: [trailer('Session', 'a')],
      others: [{ key: 'Reviewed-by', value: 'b' }],
    });
  });
});
