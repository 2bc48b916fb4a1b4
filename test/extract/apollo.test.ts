import { describe, expect, it } from 'vitest';
import { ruleExtractor } from '../../src/extract/rules.ts';
import { apolloIsPresent, apolloSessions, skippedNote } from '../capture/apollo.ts';

describe.skipIf(!apolloIsPresent)(`what the rules keep of six days of talk${skippedNote}`, () => {
  const items = (apolloIsPresent ? apolloSessions() : []).flatMap(({ path, transcript }) =>
    ruleExtractor.extract(transcript, { path }),
  );
  const found = items.map(({ category, content }) => ({ category, content }));

  it('is little: not every sentence of a crew is worth keeping', () => {
    expect(items.length).toBeGreaterThan(100);
    expect(items.length).toBeLessThan(2200);
  });

  it.each([
    ['moment', "Houston, we've had a problem."],
    ['moment', "We've had a MAIN B BUS UNDERVOLT."],
    [
      'decision',
      'Aquarius, our decision for the time is to leave the IMU powered up, power down the LGC, and power down other nonessential items.',
    ],
    ['decision', 'you are GO for TLI.'],
    ['decision', "We're not planning to reenter with suits."],
  ])('holds, as %s: %s', (category, words) => {
    const whole = found.filter(({ content }) => content.includes(words));
    expect(whole.map((one) => one.category)).toContain(category);
  });
});
