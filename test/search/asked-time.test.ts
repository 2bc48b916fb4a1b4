import { describe, expect, it } from 'vitest';
import { askedTimeOf } from '../../src/search/asked-time.ts';

const now = Date.parse('2026-09-10T12:00:00Z');
const askedOf = (question: string): string => {
  const asked = askedTimeOf(question, now);
  return typeof asked !== 'number'
    ? String(asked)
    : Number.isFinite(asked)
      ? new Date(asked).toISOString().slice(0, 10)
      : 'any';
};

describe('the time that a question asks of', () => {
  it.each([
    'What is the code of the garage?',
    'Where do we keep the ladder now?',
    'When is the review in May?',
    'What do I take before breakfast?',
    'What do I check before I leave the house?',
    'What did we decide about the roof?',
    'Who has to be called first thing in the morning?',
    'How often do I water the fig, once a week?',
    'May Otto use the drill?',
    'Wo wohnt Jana?',
    'Which desk do we use to pack the orders?',
  ])('is the present: %s', (question) => expect(askedOf(question)).toBe('undefined'));

  it.each([
    'Where was the ladder kept before the garage was built?',
    'Who ran the bakery before Ilse took over?',
    'Which bus did she use to take?',
    'Who is our previous landlord?',
    'What was the old code of the garage?',
    'What did the ticket cost back then?',
    'Until the storm, where did the boat lie?',
  ])('is what was before: %s', (question) => expect(askedOf(question)).toBe('before'));

  it.each([
    'Which room was originally planned for the talk?',
    'Who was the first treasurer of the club?',
    'What did we call the cat at first?',
    'Where did Otto sit when he joined the firm?',
  ])('is the beginning: %s', (question) => expect(askedOf(question)).toBe('first'));

  it.each([
    ['What did Jana say about it in May?', '2026-05-16'],
    ['What did we pay in September?', '2026-09-10'],
    ['Which dentist did I see in November?', '2025-11-16'],
    ['Who looked after the dog last winter?', '2026-01-15'],
    ['Where did we meet on March 3rd?', '2026-03-03'],
    ['What was the rent in 2024?', '2024-07-02'],
    ['What was the limit on 2026-02-11?', '2026-02-11'],
    ['Which phone did she have at the beginning of the year?', '2026-02-16'],
    ['What did the course cost last year?', '2025-07-02'],
    ['Who was on duty three weeks ago?', '2026-08-20'],
    ['Who is on duty in January 2025?', '2025-01-16'],
  ])('is a time that it names: %s', (question, day) => expect(askedOf(question)).toBe(day));

  it.each([
    ['What will the course cost next year?', '2027-07-02'],
    ['Where will we meet in May?', '2027-05-16'],
    ['Who is going to lead the choir?', 'any'],
  ])('is to come: %s', (question, day) => expect(askedOf(question)).toBe(day));
});
