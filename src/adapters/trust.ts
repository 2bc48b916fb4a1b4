// Whose repositories the user of this process works in: his own, and those he told git to trust (safe.directory).

import type { Trust } from '../store/git/repository.ts';
import { userSettings } from './user-settings.ts';

/** Judges by git's rule (git-config(1), safe.directory): by the lists of user and machine, read when first needed, never the repository's. */
export function userTrust(environment: NodeJS.ProcessEnv = process.env): Trust {
  const user = process.geteuid?.();
  let safe: readonly string[] | undefined;
  return (path, owner) => {
    // Windows keeps owners in another way.
    if (user === undefined || owner === user) return true;
    if (user === 0 && owner === Number(environment.SUDO_UID ?? Number.NaN)) return true;
    safe ??= safeDirectories(environment);
    return safe.some(
      (entry) => entry === '*' || entry === path || (entry.endsWith('/*') && path.startsWith(entry.slice(0, -1))),
    );
  };
}

function safeDirectories(environment: NodeJS.ProcessEnv): string[] {
  const given = userSettings('safe.directory', environment);
  // An empty value forgets those before it.
  return given.slice(given.lastIndexOf('') + 1).map((entry) => entry.replace(/(?<=.)\/$/, ''));
}
