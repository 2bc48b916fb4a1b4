// The user's folder for what was chosen and installed, and cannot be made again from a memory.

import os from 'node:os';
import path from 'node:path';

/** Gives the folder of the user, as the operating system or HOME says. */
export function userHome(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.HOME ?? environment.USERPROFILE ?? os.homedir();
}

/** Gives our folder in what the operating system has for such files; XDG_DATA_HOME names another place for it. */
export function userData(environment: NodeJS.ProcessEnv = process.env): string {
  const home = os.homedir();
  const base =
    environment.XDG_DATA_HOME ||
    (process.platform === 'darwin'
      ? path.join(home, 'Library', 'Application Support')
      : process.platform === 'win32'
        ? (environment.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'))
        : path.join(home, '.local', 'share'));
  return path.join(base, 'git-memory');
}
