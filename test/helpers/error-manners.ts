// What an error owes the person who reads it: a code, the place, what was or was not saved, and no dangerous advice.

import { expect } from 'vitest';
import { errorCodes, MemoryError } from '../../src/base/errors.ts';

/** Commands that can take something away for good; see the incident in which an error text told an agent to use one. */
export const destructive =
  /\brm\b|--hard|--force\b|\bforce\b|\bpurge\b|\bprune\b|\bclean -|\bdelete\b|\berase\b|checkout --|stash drop|filter-branch/i;

/** Lists what an error tells badly; empty in the good case. */
export function badManners(error: Pick<MemoryError, 'code' | 'message' | 'where'>): string[] {
  const complaints: string[] = [];
  const say = (what: string) => complaints.push(`${what}: ${error.code} ${error.message}`);
  if (!(error.code in errorCodes)) say('no known code');
  if (!error.where || error.where === 'unknown path') say('no place');
  if (!/nothing|intact|as before|pending|saved|kept|unchanged|repeat the call/i.test(error.message)) {
    say('not a word of what was or was not saved');
  }
  if (destructive.test(error.message.replace(error.where ?? '', ''))) say('dangerous advice');
  return complaints;
}

/** Gives what a call was refused with; fails where it was not, or by another error. */
export async function refusal(call: Promise<unknown>): Promise<MemoryError> {
  const error = await call.then(
    () => 'it was done',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MemoryError);
  return error as MemoryError;
}
