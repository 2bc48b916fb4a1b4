// What the user and the machine told git, beside any repository: https://git-scm.com/docs/git-config#FILES

import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { orElse } from '../base/errors.ts';
import { type ConfigValues, parseConfigFile } from '../store/git/config-file.ts';
import { nodeFileSystem } from './node.ts';

/** Files that include each other are followed this far. */
const deepestInclude = 5;

/** Gives the values of one key in lower case, as {@link userConfiguration} finds them. */
export function userSettings(key: string, environment: NodeJS.ProcessEnv = process.env): string[] {
  return userConfiguration(environment)(key);
}

/**
 * Reads the files of the user and the machine. The answer gives the values of a key in lower case, those that count most last; a leading `~/` is
 * the user's folder. Included files come before their includer.
 */
export function userConfiguration(environment: NodeJS.ProcessEnv = process.env): (key: string) => string[] {
  const home = environment.HOME ?? homedir();
  const files = [
    ...(/^(?:|0|false|no|off)$/i.test(environment.GIT_CONFIG_NOSYSTEM ?? '') ? ['/etc/gitconfig'] : []),
    ...(environment.GIT_CONFIG_GLOBAL === undefined
      ? [`${environment.XDG_CONFIG_HOME || `${home}/.config`}/git/config`, `${home}/.gitconfig`]
      : [environment.GIT_CONFIG_GLOBAL]),
  ];
  const read = (path: string, depth: number): ConfigValues[] => {
    const values = readConfig(path);
    const included = depth < deepestInclude ? (values.get('include.path') ?? []) : [];
    return [
      ...included.flatMap((file) => read(resolve(dirname(path), file.replace(/^~(?=\/)/, home)), depth + 1)),
      values,
    ];
  };
  const all = files.flatMap((path) => read(path, 0));
  const count = Number(environment.GIT_CONFIG_COUNT ?? 0);
  return (key) => {
    const given = all.flatMap((values) => values.get(key) ?? []);
    for (let i = 0; i < count; i++) {
      if (environment[`GIT_CONFIG_KEY_${i}`]?.toLowerCase() !== key) continue;
      given.push(environment[`GIT_CONFIG_VALUE_${i}`] ?? '');
    }
    return given.map((value) => value.replace(/^~(?=\/)/, home));
  };
}

function readConfig(path: string): ConfigValues {
  const read = () => parseConfigFile(nodeFileSystem.readFileSync(path, 'utf8'), path);
  return orElse(read, new Map(), 'ENOENT', 'ENOTDIR', 'EACCES');
}
