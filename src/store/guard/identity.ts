// Checks names for the author and committer lines of a commit. Callers know where a name comes from.

import { MemoryError } from '../../base/errors.ts';
import { checkSize, maxIdentityBytes } from './limits.ts';

/** Names the author or committer of a commit. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/**
 * Passes an identity that can be in a commit header, and gives it back trimmed.
 *
 * A line break, NUL or angle bracket would end the header early and inject another; `git fsck` refuses a name or address that is
 * missing. Neither is repaired here: a silently different author is worse than none.
 *
 * @throws MemoryError INVALID_ARGUMENT naming the half that is wrong, TOO_LARGE.
 */
export function checkIdentity(identity: Identity): Identity {
  return { name: checkHalf(identity.name, 'author name'), email: checkHalf(identity.email, 'author email') };
}

function checkHalf(text: string, where: string): string {
  if (typeof text !== 'string') throw new MemoryError('INVALID_ARGUMENT', `${where} is missing`, { where });
  const trimmed = text.trim();
  // git strips this punctuation from the ends of a name, and then refuses an empty name.
  if (trimmed.replace(/[.,:;"'\\\s]/g, '') === '')
    throw new MemoryError('INVALID_ARGUMENT', `${where} is empty`, { where, hint: 'Set author in memory.yaml' });
  if (/[\p{Cc}\p{Cs}<>\u2028\u2029]/u.test(trimmed)) {
    throw new MemoryError('INVALID_ARGUMENT', `${where} has a line break, a control character or an angle bracket`, {
      where,
      hint: 'Give it on one line, without < and >',
    });
  }
  checkSize(trimmed, maxIdentityBytes, where);
  return trimmed;
}
