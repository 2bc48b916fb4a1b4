// The configuration of a repository as installers change it: what is set there stays, and sections come behind it, by rename and not while
// native git writes.

import { withLastLineEnded } from '../base/text.ts';
import { MemoryError } from '../errors.ts';
import { type ConfigValues, parseConfigFile } from '../git/config-file.ts';
import type { Repository } from '../git/repository.ts';
import { maxGitConfigBytes } from '../guard/limits.ts';

/** The repository's own configuration, as it was read. */
export interface GitSettings {
  readonly path: string;
  readonly values: ConfigValues;
  /** Throws LOCKED while native git writes the file. */
  checkUnlocked(): void;
  /** Writes sections behind what was read. Throws LOCKED. */
  add(sections: readonly string[]): void;
}

/** Reads the configuration that all work trees of a repository share. Throws REPOSITORY_CORRUPT. */
export function gitSettingsOf({ disk, commonDirectory }: Repository): GitSettings {
  const path = `${commonDirectory}/config`;
  const text = disk.readText(path, maxGitConfigBytes) ?? '';
  const checkUnlocked = () => {
    if (!disk.exists(`${path}.lock`)) return;
    throw new MemoryError('LOCKED', 'another program holds the configuration of the repository', {
      where: `${path}.lock`,
      hint: 'Repeat the call when it is done; without one, remove the file',
    });
  };
  return {
    path,
    values: parseConfigFile(text, path),
    checkUnlocked,
    add: (sections) => {
      checkUnlocked();
      disk.replace(path, [Buffer.from(`${withLastLineEnded(text)}${sections.join('')}`)]);
    },
  };
}
