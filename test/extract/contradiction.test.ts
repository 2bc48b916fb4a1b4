// Hand-written pairs: what a later statement takes back without a contrast of its own, and what it must leave alone.

import { describe, expect, it } from 'vitest';
import { contradictionOf } from '../../src/extract/contradiction.ts';
import type { MemoryCategory } from '../../src/records/types.ts';

const contradicts = (old: string, now: string, category: MemoryCategory = 'decision') =>
  contradictionOf(now, category)?.contradicts(old) ?? false;

describe('what was changed, moved or replaced takes back where it was', () => {
  it.each([
    ['We use Redis.', 'We switched from Redis to Postgres.'],
    ['We use Redis for sessions.', 'We switched from Redis to Postgres for sessions.'],
    ['The standup is on Monday.', 'We moved the standup from Monday to Tuesday.'],
    ['I live in Berlin.', 'I moved from Berlin to Lisbon.'],
    ['We decided to use MySQL.', 'We migrated from MySQL to Postgres.'],
    ['We use Jenkins.', 'We replaced Jenkins with GitHub Actions.'],
    ['The site runs on Heroku.', 'We moved the site from Heroku to Fly.'],
    ['The rate limit is 100.', 'We changed the rate limit from 100 to 250.'],
    ['The project is called Falcon.', 'We renamed the project from Falcon to Osprey.'],
    ['We keep backups in Frankfurt.', 'We moved backups from Frankfurt to Dublin.'],
  ])('%s ← %s', (old, now) => expect(contradicts(old, now)).toBe(true));
});

describe('a value that a thing has one of takes back the other', () => {
  it.each([
    ['The port is 8000.', 'The port is 8080.', 'fact'],
    ['My email is jo@old.example.', 'My email is jo@new.example.', 'fact'],
    ['The deadline is March 3.', 'The deadline is March 10.', 'fact'],
    ['The API is fast.', 'Actually, the API is slow.', 'correction'],
    ['Our budget is 5000 euros.', 'Our budget is 7000 euros now.', 'fact'],
    ['My manager is Anna.', 'My manager is Bob now.', 'fact'],
    ['The default branch is master.', 'The default branch is main.', 'fact'],
    ["Anna's birthday is May 3.", "No, Anna's birthday is May 13.", 'correction'],
    ['My favourite colour is green.', 'My favourite colour is blue.', 'preference'],
    ['The launch date is June 1.', 'The launch date is now July 1.', 'decision'],
  ] as const)('%s ← %s', (old, now, category) => expect(contradicts(old, now, category)).toBe(true));
});

describe('what is denied, or holds again, takes back its opposite', () => {
  it.each([
    ['We deploy on Fridays.', "We don't deploy on Fridays any more.", 'decision'],
    ['We deploy on Fridays.', 'We never deploy on Fridays.', 'principle'],
    ['I like cilantro.', 'I do not like cilantro.', 'preference'],
    ['We will support Internet Explorer.', 'We will not support Internet Explorer.', 'decision'],
    ["We don't deploy on Fridays.", 'From now on we deploy on Fridays.', 'decision'],
    ['We never deploy on Fridays.', 'We deploy on Fridays again.', 'decision'],
    ['I drink coffee.', 'I no longer drink coffee.', 'preference'],
    ['I eat meat.', 'I stopped eating meat.', 'preference'],
  ] as const)('%s ← %s', (old, now, category) => expect(contradicts(old, now, category)).toBe(true));
});

describe('a preference the other way round', () => {
  it.each([
    ['I prefer spaces over tabs.', 'I prefer tabs over spaces.'],
    ['We prefer REST rather than GraphQL.', 'We prefer GraphQL over REST.'],
    ['I like tea more than coffee.', 'I like coffee more than tea.'],
  ])('%s ← %s', (old, now) => expect(contradicts(old, now, 'preference')).toBe(true));
});

describe('nothing is taken back', () => {
  it.each([
    ['We use Redis for caching.', 'We switched from Redis to Postgres.', 'decision', 'says less than the old one'],
    ['We use Redis for caching.', 'We switched from Redis to Postgres for sessions.', 'decision', 'is about sessions'],
    ['The retro is on Monday.', 'We moved the standup from Monday to Tuesday.', 'decision', 'is about another meeting'],
    ['We use Redis.', 'If it fails we switched from Redis to Postgres.', 'decision', 'is conditional'],
    ['We use Redis.', 'We may have moved from Redis to Postgres.', 'decision', 'is uncertain'],
    ['We do not use Redis.', 'We switched from Redis to Postgres.', 'decision', 'has nothing to take back'],
    ['Redis is fast.', 'We switched from Redis to Postgres.', 'decision', 'says something else of it'],
    ['Anna lives in Berlin.', 'I moved from Berlin to Lisbon.', 'fact', 'is about somebody else'],
    ['We drove from Berlin to Lisbon.', 'I moved from Berlin to Lisbon.', 'fact', 'is another journey'],
    ['The port is 8000.', 'The admin port is 8080.', 'fact', 'is another port'],
    ['The port of staging is 8000.', 'The port is 8080.', 'fact', 'may be of production'],
    ['The meeting is on Monday.', 'The meeting is on Thursday.', 'fact', 'may be another meeting'],
    ['The API is fast.', 'The API is documented.', 'fact', 'may both hold'],
    ['The database is Postgres.', 'The database is Postgres 16.', 'fact', 'says more of the same'],
    ['The deadline is tight.', 'The deadline is March 3.', 'fact', 'is a description'],
    ['The port is usually 8000.', 'The port is 8080.', 'fact', 'speaks of usually'],
    ['The port is 8000.', 'The port was 8080.', 'fact', 'is of the past'],
    ['The port is 8000.', 'The port is 8080 in staging.', 'fact', 'is about staging'],
    ['We deploy on Fridays.', "We don't deploy on Mondays.", 'decision', 'is another day'],
    ['We deploy on Fridays.', "We don't deploy.", 'decision', 'has too few words'],
    ['We deploy on Fridays.', "We usually don't deploy on Fridays.", 'decision', 'is limited'],
    ["We don't deploy on Fridays.", 'We deploy on Fridays.', 'decision', 'does not say that it is new'],
    ["We don't deploy on Fridays.", 'We never deploy on Fridays.', 'principle', 'says the same'],
    ['We deploy on Fridays.', 'The server does not deploy on Fridays.', 'fact', 'is a fact of one day'],
    ['I prefer spaces over tabs.', 'I prefer spaces over semicolons.', 'preference', 'is another pair'],
    ['I prefer spaces over tabs.', 'Anna prefers tabs over spaces.', 'preference', 'is somebody else'],
    ['In Python I prefer spaces over tabs.', 'I prefer tabs over spaces.', 'preference', 'may not be about Python'],
    ['I prefer spaces over tabs.', 'I prefer spaces over tabs.', 'preference', 'says the same'],
    ['I live in Berlin.', 'I worked in Berlin.', 'fact', 'is something else'],
    ['My email is jo@old.example.', 'My phone number is 555 0100.', 'fact', 'is another attribute'],
    ['I like tea.', 'I like coffee.', 'preference', 'may both hold'],
    ['We use Redis.', 'We use Postgres.', 'decision', 'may both hold'],
  ] as const)('%s ← %s, which %s %s', (old, now, category, _why) =>
    expect(contradicts(old, now, category)).toBe(false),
  );

  // The limit of the runner is the judge: a pattern that backtracks does not come to an end here.
  it('whatever the shape of the texts', () => {
    for (const text of [
      `a${' '.repeat(500)}b`,
      'moved '.repeat(90),
      `${'x from '.repeat(80)}to y`,
      `The ${'a '.repeat(280)}is b`,
    ]) {
      expect(contradicts(text, text)).toBe(false);
    }
  });
});
