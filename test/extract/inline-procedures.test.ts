import { describe, expect, it } from 'vitest';
import { inlineProceduresIn, stepsOf } from '../../src/extract/rules/procedures.ts';
import { ruleExtractor } from '../../src/extract/rules.ts';
import type { Transcript } from '../../src/records/types.ts';

const wordsIn = (text: string) => inlineProceduresIn(text).map(({ words }) => words);

describe('steps told in a row', () => {
  it.each([
    [
      'To release the site, first bump the version, then tag the commit, and finally push the tag.',
      'To release the site: 1. bump the version 2. tag the commit 3. push the tag',
    ],
    [
      'To deploy: first, run the tests. Then build the image. Finally, restart the server. It takes an hour.',
      'To deploy: 1. run the tests 2. build the image 3. restart the server',
    ],
    [
      'When you rotate the keys, you must first create the new one, then update the vault, then restart both nodes.',
      'To rotate the keys: 1. create the new one 2. update the vault 3. restart both nodes',
    ],
    [
      "Here's how we bake it: first mix the flour and the salt, then knead the dough for ten minutes, next let it rest, and lastly bake it at 220 degrees.",
      'To bake it: 1. mix the flour and the salt 2. knead the dough for ten minutes 3. let it rest 4. bake it at 220 degrees',
    ],
  ])('%s', (text, expected) => {
    expect(wordsIn(text)).toEqual([expected]);
    expect(stepsOf(expected)!.steps.length).toBeGreaterThan(2);
  });

  it.each([
    'First we went to Paris, then to Rome, and finally home.',
    'First I was tired, then I was hungry, finally I slept.',
    'To be honest, first I laughed, then I cried, and finally I left.',
    'To my surprise, first the lights went out, then the door opened, finally he came in.',
    'To release the site, first bump the version, then tag the commit.',
    'To release the site, do we first bump the version, then tag it, and finally push?',
    'To release the site, first bump the version, then tag the commit, and finally push the tag?',
    'To release the site, first bump the version, then maybe tag it, and finally push the tag.',
    'To get there, first he took the train, then he took a bus, and finally he walked.',
    'When we met, first we talked, then we ate, and finally we left.',
    'First things first. Then again, who knows. Finally, thanks!',
    'The first build failed, then the second, and finally the third passed.',
    '> To release the site, first bump the version, then tag the commit, and finally push the tag.',
    'To release the site, first bump the version. The weather was fine. Then tag it. Finally push it.',
  ])('is none: %s', (text) => {
    expect(wordsIn(text)).toEqual([]);
  });

  it('are one item of a person, and none of a program', () => {
    const text = 'To release the site, first bump the version, then tag the commit, and finally push the tag.';
    const itemsOf = (role: string) => {
      const transcript: Transcript = { sessionId: 's', started: 0, title: 't', turns: [{ role, time: 0, text }] };
      return ruleExtractor.extract(transcript, { path: 'raw/conversations/2026/02/16/0000-s-t.md' });
    };
    expect(itemsOf('user')).toMatchObject([
      { content: 'To release the site: 1. bump the version 2. tag the commit 3. push the tag', tags: ['procedure'] },
    ]);
    expect(itemsOf('agent')).toEqual([]);
  });
});
