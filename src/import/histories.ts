// What a memory that begins with old conversations has to know of them before it is made: what they are, and when the first one began.

import { MemoryError } from '../errors.ts';
import type { Disk } from '../git/disk.ts';
import { SecretFilter } from '../guard/secret-filter.ts';
import { configurationDefaults } from '../records/generated/configuration-defaults.ts';
import type { ConversationForm } from '../types.ts';
import { looksOf } from './import.ts';
import { isConversationForm } from './import-conversations.ts';
import { readConversations } from './read-conversations.ts';
import { openSource } from './source.ts';

/**
 * Reads the conversations of a file or folder, and tells the earliest time of a word in milliseconds.
 *
 * Throws NOT_FOUND, TOO_LARGE, UNSAFE_FILE of the source, SECRET where the policy refuses; INVALID_ARGUMENT where no conversation says when it was.
 */
export function beginningOf(disk: Disk, from: string, now: number): { form: ConversationForm; started: number } {
  const source = openSource(disk, from);
  const looks = looksOf(source);
  const form = looks !== undefined && isConversationForm(looks) ? looks : 'conversations';
  const { secrets, timezone: timeZone } = configurationDefaults;
  let started = Number.POSITIVE_INFINITY;
  for (const one of readConversations(form, source, { now, timeZone, filter: new SecretFilter(secrets) }))
    if ('input' in one && one.isDated) started = Math.min(started, one.input.turns[0]?.time ?? started);
  if (started >= now) {
    throw new MemoryError('INVALID_ARGUMENT', 'no conversation there names its day', {
      where: from,
      hint: 'Create a memory with `git memory init`, then run `git memory import`',
    });
  }
  return { form, started };
}
