// The process that makes ready what questions would wait for, beside whoever asks. It goes on when the command that began it has ended.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { attempt } from '../base/errors.ts';
import type { ProcessLock } from '../store/git/process-lock.ts';
import type { Background } from '../store/patience.ts';
import { isInside } from './inside.ts';
import { installedPaths } from './installation.ts';

/** It shares a machine with what somebody waits for, and its memory with others: so many megabytes hold what lives of an index. */
const flags = ['--max-old-space-size=256', '--max-semi-space-size=2'];

/** Says the how manyth of a row a process is; each does one part, and a row ends where nothing can be kept. */
const variable = 'GIT_MEMORY_BACKGROUND';
const most = 4;

/** Gives what makes a branch ready by `git memory maintain reindex`, which holds the lock; null where this program cannot be started. */
export function backgroundOf(lock: ProcessLock, directory: string, branch: string): Background | null {
  const { node, program } = installedPaths();
  const number = Number(process.env[variable] ?? 0);
  if (number >= most || isInside() || !existsSync(program)) return null;
  /** Null where the disk takes no lock: then nothing would be kept, either. */
  const isFree = () => attempt(() => probed(lock), null);
  return {
    isOne: number > 0,
    isAtWork: () => isFree() === false,
    begin() {
      const free = isFree();
      if (free !== true) return free === false;
      const args = [...flags, program, 'maintain', 'reindex', '--dir', directory, '--branch', branch];
      const child = spawn(node, args, {
        detached: true,
        stdio: 'ignore',
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', [variable]: String(number + 1) },
      });
      child.on('error', () => undefined);
      child.unref();
      return child.pid !== undefined;
    },
  };
}

function probed(lock: ProcessLock): boolean {
  if (lock.tryAcquire() === null) return false;
  lock.release();
  return true;
}
