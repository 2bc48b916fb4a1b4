// Records what agents were handed: a line of state/handed/<day>.jsonl for each context, from which it can be compiled again. It leaves the message
// out: a session has its turns, and what is recorded nowhere is nobody's to keep.

import { attempt } from '../../base/errors.ts';
import type { HandedContext } from '../../base/types/compiled-types.ts';

/** Where they stand, a file for each day. */
export const handedFolder = 'state/handed/';

/** One context that an agent was handed. */
export interface Handed extends Omit<HandedContext, 'time' | 'shared'> {
  /** Seconds since the Unix epoch. */
  readonly time: number;
  /** Others listened. */
  readonly isShared: boolean;
}

/** Gives the file of a day. */
export const handedPath = (day: string): string => `${handedFolder}${day}.jsonl`;

/** Formats one as a line: `["1a2b3c4d",1772442000,"9f8e7d6c5b4a","s1",12,2000,"5e6f7a8b","0.1.0"]`. */
export function formatHanded(handed: Handed): string {
  const { id, time, commit, session, turns, tokens, message, version, isShared, since } = handed;
  const rare = since === undefined ? (isShared ? [1] : []) : [isShared ? 1 : 0, since];
  return `${JSON.stringify([id, time, commit, session, turns, tokens, message, version, ...rare])}\n`;
}

/** Reads the lines of a file; what cannot be read was never there. */
export function parseHanded(text: string): Handed[] {
  return text.split('\n').flatMap((line): Handed[] => {
    const value: unknown = attempt(() => JSON.parse(line), null);
    const [id, time, commit, session, turns, tokens, message, version, shared, since] = Array.isArray(value)
      ? value
      : [];
    const texts = { id, commit, session, message, version };
    const areTexts = Object.values(texts).every((one) => typeof one === 'string');
    if (!areTexts || typeof time !== 'number' || typeof tokens !== 'number') return [];
    const asked = { turns: typeof turns === 'number' ? turns : null, isShared: shared === 1 };
    return [{ ...texts, time, tokens, ...asked, ...(typeof since === 'string' ? { since } : {}) }];
  });
}
