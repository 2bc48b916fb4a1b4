import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/base/types/stored-types.ts';
import { sessionPauseMs, splitSessions, topicOf } from '../../../src/core/capture/sessions.ts';

const turn = (text: string, time = 0, role = 'user'): Turn => ({ role, time, text });

describe('splitSessions', () => {
  it('cuts at a pause of half an hour and not at a shorter one', () => {
    const minute = 60_000;
    const turns = [0, 29, 58, 88, 200].map((at) => turn(`at ${at}`, at * minute));
    expect(splitSessions(turns).map((session) => session.map(({ text }) => text))).toEqual([
      ['at 0', 'at 29', 'at 58'],
      ['at 88'],
      ['at 200'],
    ]);
  });

  it('keeps every turn once and in order, and pauses inside a session are short', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 7_200_000 }), { maxLength: 40 }), (pauses) => {
        let time = 0;
        const turns = pauses.map((pause, at) => {
          time += pause;
          return turn(String(at), time);
        });
        const sessions = splitSessions(turns);
        expect(sessions.flat()).toEqual(turns);
        for (const session of sessions) {
          expect(session.length).toBeGreaterThan(0);
          for (let at = 1; at < session.length; at++)
            expect(session[at]!.time - session[at - 1]!.time).toBeLessThan(sessionPauseMs);
        }
      }),
    );
  });

  it('has no sessions without turns', () => {
    expect(splitSessions([])).toEqual([]);
  });
});

describe('topicOf', () => {
  it('names a session by the first message that says something', () => {
    expect(
      topicOf([turn('Hi!'), turn('Okay, thanks.'), turn('The deploy of the billing service fails on staging.')]),
    ).toBe('The deploy of the billing service fails on');
    expect(topicOf([turn('Can you please summarise the open issues? Then stop.')])).toBe('summarise the open issues');
  });

  it.each([
    ['No nuts in the cottage, Kim has an allergy.', 'No nuts in the cottage, Kim has an'],
    ["There's a leak in the bathroom", "There's a leak in the bathroom"],
    ['There’s a leak in the bathroom', 'There’s a leak in the bathroom'],
    ['Right side of the roof drips', 'Right side of the roof drips'],
    ['No, well, the roof drips again', 'the roof drips again'],
    ['Hello there, the roof drips again', 'the roof drips again'],
    ['So - the roof drips again', 'the roof drips again'],
    ['Okay the roof drips again', 'the roof drips again'],
  ])('cuts an opening and no word that the sentence needs: %s', (said, topic) => {
    expect(topicOf([turn(said)])).toBe(topic);
  });

  it('prefers the words of the user to those of the agent', () => {
    const turns = [turn('Welcome back, how can I help you?', 0, 'agent'), turn('Plan the move to Postgres', 1)];
    expect(topicOf(turns)).toBe('Plan the move to Postgres');
  });

  it('leaves tool lines and addresses out', () => {
    expect(topicOf([turn('> [tool:exec] ls -la\n\nsee https://example.org/x for the failing build')])).toBe(
      'see for the failing build',
    );
  });

  it('has a name for everything', () => {
    expect(topicOf([])).toBe('conversation');
    expect(topicOf([turn('???')])).toBe('conversation');
    expect(topicOf([turn('日本語のドキュメントを書いて')])).toBe('日本語のドキュメントを書いて');
  });

  it('is one line of at most eight words and eighty characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), (texts) => {
        const topic = topicOf(texts.map((text, at) => turn(text, at)));
        expect(topic).not.toMatch(/\n/);
        expect(topic).not.toBe('');
        expect(topic.split(' ').length).toBeLessThanOrEqual(8);
        expect(topic.length).toBeLessThanOrEqual(80);
      }),
    );
  });
});
