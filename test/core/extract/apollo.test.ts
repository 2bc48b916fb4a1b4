import { describe, expect, it } from 'vitest';
import { ruleExtractor } from '../../../src/core/extract/rules.ts';
import { apolloIsPresent, apolloSessions, skippedNote } from '../capture/apollo.ts';

describe.skipIf(!apolloIsPresent)(`what the rules keep of six days of talk${skippedNote}`, () => {
  const items = (apolloIsPresent ? apolloSessions() : []).flatMap(({ path, transcript }) =>
    ruleExtractor.extract(transcript, { path }),
  );

  it('is little: not every sentence of a crew is worth keeping', () => {
    expect(items.length).toBeGreaterThan(100);
    expect(items.length).toBeLessThan(5000);
  });
});
