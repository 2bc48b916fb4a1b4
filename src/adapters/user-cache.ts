// The user's folder for files that can be made or fetched again.

import os from 'node:os';
import path from 'node:path';

/** Gives our folder in what the operating system has for such files. */
export function userCache(environment: NodeJS.ProcessEnv = process.env): string {
  const home = os.homedir();
  const base =
    process.platform === 'darwin'
      ? path.join(home, 'Library', 'Caches')
      : process.platform === 'win32'
        ? (environment.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'))
        : environment.XDG_CACHE_HOME || path.join(home, '.cache');
  return path.join(base, 'git-memory');
}
