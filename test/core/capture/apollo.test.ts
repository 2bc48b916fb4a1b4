import { describe, expect, it } from 'vitest';
import { parseTranscript } from '../../../src/store/records/transcript.ts';
import { apolloIsPresent, apolloMessages, apolloSessions, skippedNote } from './apollo.ts';

describe.skipIf(!apolloIsPresent)(`six days of Apollo 13${skippedNote}`, () => {
  it('are one message per utterance', () => {
    const lines = apolloMessages().trimEnd().split('\n');
    expect(lines).toHaveLength(10_876);
    expect(JSON.parse(lines[0]!)).toEqual({
      speaker: 'CDR',
      text: 'The clock is running.',
      time: '1970-04-11T19:13:02.000Z',
      role: 'agent',
    });
  });

  it('fall into sessions that come back from their files as they were', () => {
    const sessions = apolloSessions();
    expect(sessions).toHaveLength(27);
    expect(sessions.reduce((sum, { transcript }) => sum + transcript.turns.length, 0)).toBe(10_876);
    expect(new Set(sessions.map(({ path }) => path)).size).toBe(27);
    for (const { path, text, transcript } of sessions) expect(parseTranscript(text, path)).toEqual(transcript);
  });
});
