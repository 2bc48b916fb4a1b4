// Whose repositories the user of this process works in: his own, and those he told git to trust (safe.directory).

import { homedir } from 'node:os';
import { isSystemError } from '../errors.ts';
import { type ConfigValues, parseConfigFile } from '../git/config-file.ts';
import type { Trust } from '../git/repository.ts';
import { nodeFileSystem } from './node.ts';

/**
 * Judges by the rule of git: https://git-scm.com/docs/git-config#Documentation/git-config.txt-safedirectory
 *
 * The lists that count are the user's and the machine's, never the repository's own. They are read when they are first needed.
 */
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
  const home = environment.HOME ?? homedir();
  const files = [
    ...(/^(?:|0|false|no|off)$/i.test(environment.GIT_CONFIG_NOSYSTEM ?? '') ? ['/etc/gitconfig'] : []),
    ...(environment.GIT_CONFIG_GLOBAL === undefined
      ? [`${environment.XDG_CONFIG_HOME || `${home}/.config`}/git/config`, `${home}/.gitconfig`]
      : [environment.GIT_CONFIG_GLOBAL]),
  ];
  const given = files.flatMap((path) => readConfig(path).get('safe.directory') ?? []);
  const count = Number(environment.GIT_CONFIG_COUNT ?? 0);
  for (let i = 0; i < count; i++) {
    if (environment[`GIT_CONFIG_KEY_${i}`]?.toLowerCase() !== 'safe.directory') continue;
    given.push(environment[`GIT_CONFIG_VALUE_${i}`] ?? '');
  }
  // An empty value forgets those before it.
  return given
    .slice(given.lastIndexOf('') + 1)
    .map((entry) => entry.replace(/^~(?=\/)/, home).replace(/(?<=.)\/$/, ''));
}

function readConfig(path: string): ConfigValues {
  try {
    return parseConfigFile(nodeFileSystem.readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return new Map();
    throw error;
  }
}
