// Records what agents were handed: a line of state/handed/<day>.jsonl for each context, from which it can be compiled again. It leaves the message
// out: a session has its turns, and what is recorded nowhere is nobody's to keep.

/** Where they stand, a file for each day. */
export const handedFolder = 'state/handed/';

/** One context that an agent was handed. */
export interface Handed {
  /** The beginning of a hash of its text, eight hex digits. */
  readonly id: string;
  /** Seconds since the Unix epoch. */
  readonly time: number;
  /** The beginning of the commit that was asked, twelve hex digits; empty before the first. What was pending then is in one that followed. */
  readonly commit: string;
  readonly session: string;
  /** How many turns of the session had been recorded by then; null where none were asked for. */
  readonly turns: number | null;
  readonly tokens: number;
  /** The beginning of a hash of the message. */
  readonly message: string;
  /** The version of git-memory. */
  readonly version: string;
  /** Others listened. */
  readonly isShared: boolean;
  /** The id of the context since which it told what was new. */
  readonly since?: string;
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
    try {
      const value: unknown = JSON.parse(line);
      if (!Array.isArray(value)) return [];
      const [id, time, commit, session, turns, tokens, message, version, shared, since] = value as unknown[];
      const areTexts = [id, commit, session, message, version].every((one) => typeof one === 'string');
      if (!areTexts || typeof time !== 'number' || typeof tokens !== 'number') return [];
      return [
        {
          ...({ id, commit, session, message, version } as Pick<
            Handed,
            'id' | 'commit' | 'session' | 'message' | 'version'
          >),
          time,
          tokens,
          turns: typeof turns === 'number' ? turns : null,
          isShared: shared === 1,
          ...(typeof since === 'string' ? { since } : {}),
        },
      ];
    } catch {
      return [];
    }
  });
}
