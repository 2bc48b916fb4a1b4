// What has to be known of old conversations before a memory begins with them: what they are, and when the first one began.

import { nodeFileSystem } from '../adapters/node.ts';
import { userHome } from '../adapters/user-data.ts';
import { MemoryError } from '../base/errors.ts';
import type { ConversationForm, FoundHistory } from '../base/types.ts';
import { discover, earliestOf, looksOf, type Machine, openSource, programsOf } from '../features/import/index.ts';
import { Disk } from '../store/git/disk.ts';
import { answer } from '../store/git/file-errors.ts';
import { SecretFilter } from '../store/guard/secret-filter.ts';
import { configurationDefaults } from '../store/records/generated/configuration-defaults.ts';

/**
 * Reads the conversations of a file or folder, and tells the earliest time of a word in milliseconds, and which form to name.
 *
 * Throws NOT_FOUND, TOO_LARGE, UNSAFE_FILE of the source, SECRET where the policy refuses; INVALID_ARGUMENT where no conversation says when it was.
 */
export function readBeginning(from: string, now: number): Promise<{ as?: ConversationForm; started: number }> {
  return answer(() => beginningOf(from, now));
}

function beginningOf(from: string, now: number): { as?: ConversationForm; started: number } {
  const source = openSource(new Disk(nodeFileSystem), from);
  const looks = looksOf(source);
  // What does not look like conversations is read as a log all the same.
  const as = looks?.files === undefined ? ({ as: 'conversations' } as const) : {};
  const files = looks?.files ?? looksOf(source, 'conversations')!.files;
  const { secrets, timezone: zone, limits } = configurationDefaults;
  const started = earliestOf(files!, source, { now, zone, filter: new SecretFilter(secrets), limits });
  if (started === undefined || started >= now) {
    throw new MemoryError('INVALID_ARGUMENT', 'no conversation there says on which day it was', {
      where: from,
      hint: 'Begin a memory with `git memory init`, then `git memory import`',
    });
  }
  return { ...as, started };
}

/** Lists the histories of other programs on this machine and in the folder that is worked in; `within` a folder, only its sessions. Reads heads alone. */
export function findHistories(
  project: string,
  only: readonly ConversationForm[] = [],
  within?: string,
): FoundHistory[] {
  return discover(new Disk(nodeFileSystem), machineOf(project), only, within);
}

/** Names the programs that have histories on this machine, or in the folder that is worked in. */
export function programsWithHistories(project: string): string[] {
  return programsOf(new Disk(nodeFileSystem), machineOf(project));
}

function machineOf(project: string): Machine {
  const { env: environment, platform } = process;
  return { home: userHome(environment).replaceAll('\\', '/'), environment, platform, project };
}
