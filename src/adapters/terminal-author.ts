// The author of what is written from a terminal, found as git finds one: GIT_AUTHOR_NAME and GIT_AUTHOR_EMAIL, the repository's
// configuration, then the user's own.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { orElse } from '../base/or-else.ts';
import { type ConfigValues, parseConfigFile } from '../git/config-file.ts';
import { checkIdentity, type Identity } from '../guard/identity.ts';

/** Files that include each other are followed this far. */
const deepestInclude = 5;

/** Gives the author of this terminal, where `configured` is what the repository's configuration names; null if nothing names one. */
export function terminalAuthor(configured: Identity | null): Identity | null {
  const { env } = process;
  let user: { name?: string; email?: string } | undefined;
  const halfOf = (key: 'name' | 'email', given: string | undefined): string => {
    if (given?.trim()) return given.trim();
    if (configured !== null) return configured[key];
    user ??= userConfiguration(env);
    return user[key] ?? '';
  };
  const author = { name: halfOf('name', env.GIT_AUTHOR_NAME), email: halfOf('email', env.GIT_AUTHOR_EMAIL) };
  return orElse(() => checkIdentity(author), null);
}

function userConfiguration(env: NodeJS.ProcessEnv): { name?: string; email?: string } {
  const home = env.HOME || homedir();
  const files = env.GIT_CONFIG_GLOBAL
    ? [env.GIT_CONFIG_GLOBAL]
    : [join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git/config'), join(home, '.gitconfig')];
  const found: { name?: string; email?: string } = {};
  const read = (path: string, depth: number): void => {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      return;
    }
    // A damaged file names nobody; git itself complains of it.
    const values: ConfigValues = orElse(() => parseConfigFile(text, path), new Map());
    for (const included of depth < deepestInclude ? (values.get('include.path') ?? []) : []) {
      read(resolve(dirname(path), included.replace(/^~(?=\/)/, home)), depth + 1);
    }
    for (const key of ['name', 'email'] as const) {
      const value = values.get(`user.${key}`)?.at(-1)?.trim();
      if (value) found[key] = value;
    }
  };
  for (const file of files) read(file, 0);
  return found;
}
