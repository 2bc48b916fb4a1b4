// The Apollo 13 transcription, for the tests that read it where it is present. Nothing of it is kept in this project.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Transcript } from '../../../src/base/types/stored-types.ts';
import { parseCaptureInput } from '../../../src/core/capture/input.ts';
import { splitSessions, topicOf } from '../../../src/core/capture/sessions.ts';
import { formatTranscript, transcriptPath } from '../../../src/store/records/transcript.ts';

const data = path.resolve('../shared/data/apollo-13.json');

export const apolloIsPresent = existsSync(data);

/** What a skipped suite says of itself. */
export const skippedNote = apolloIsPresent ? '' : ' (skipped, data not present)';

/** Runs the script that makes messages of the transcription: JSONL. */
export function apolloMessages(): string {
  return execFileSync(process.execPath, ['scripts/apollo.mjs', data], { encoding: 'utf8', maxBuffer: 64 << 20 });
}

/** Cuts the conversation into sessions as capture does, each with its path and file. */
export function apolloSessions(): { path: string; text: string; transcript: Transcript }[] {
  const { turns } = parseCaptureInput(apolloMessages(), { now: 0, format: 'jsonl' });
  return splitSessions(turns).map((session, at) => {
    const topic = topicOf(session);
    const transcript: Transcript = {
      sessionId: `apollo${at + 1}`,
      started: session[0]!.time,
      ended: session.at(-1)!.time,
      topic,
      title: topic,
      turns: session,
    };
    return { path: transcriptPath(transcript), text: formatTranscript(transcript), transcript };
  });
}
