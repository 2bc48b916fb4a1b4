import { describe, expect, it } from 'vitest';
import { askedTimeOf } from '../../src/search/asked-time.ts';

const now = Date.parse('2026-09-10T12:00:00Z');
const askedOf = (question: string): string => {
  const asked = askedTimeOf(question, now);
  if (typeof asked !== 'number') return String(asked);
  return Number.isFinite(asked) ? new Date(asked).toISOString().slice(0, 10) : 'any';
};

/** Questions by what they ask of. */
const questions: Readonly<Record<string, readonly string[]>> = {
  undefined: [
    'What is the code of the garage?',
    'Where do we keep the ladder now?',
    'When is the review in May?',
    'What do I take before breakfast?',
    'What did we decide about the roof?',
    'Who has to be called first thing in the morning?',
    'How often do I water the fig, once a week?',
    'May Otto use the drill?',
    'Wo wohnt Jana?',
  ],
  before: [
    'Where was the ladder kept before the garage was built?',
    'Who ran the bakery before Ilse took over?',
    'Which bus did she use to take?',
    'Who is our previous landlord?',
    'What was the old code of the garage?',
    'Until the storm, where did the boat lie?',
  ],
  first: [
    'Which room was originally planned for the talk?',
    'Who was the first treasurer of the club?',
    'Where did Otto sit when he joined the firm?',
  ],
  any: ['Who is going to lead the choir?', 'What will the code be?'],
};

describe('the time that a question asks of', () => {
  it('is found of nine questions in ten', () => {
    const judged = Object.entries(questions).flatMap(([asked, some]) => some.map((one) => askedOf(one) === asked));
    expect(judged.filter(Boolean).length / judged.length).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    ['What did Jana say about it in May?', '2026-05-16'],
    ['What did we pay in September?', '2026-09-10'],
    ['What was the limit on 2026-02-11?', '2026-02-11'],
    ['Who was on duty three weeks ago?', '2026-08-20'],
    ['Who is on duty in January 2025?', '2025-01-16'],
    ['What will the course cost next year?', '2027-07-02'],
    ['Where will we meet in May?', '2027-05-16'],
  ])('is the middle of the time that it names, by its tense: %s', (question, day) =>
    expect(askedOf(question)).toBe(day),
  );
});
