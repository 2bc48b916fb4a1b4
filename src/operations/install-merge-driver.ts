// Lets native git merge the files of a memory by what they are: attributes that name the driver, and the configuration that says what it is.

import { withLastLineEnded } from '../base/text.ts';
import { formatConfigSection } from '../git/config-file.ts';
import type { Repository } from '../git/repository.ts';
import { maxGitConfigBytes } from '../guard/limits.ts';
import { layoutPatterns } from '../guard/path.ts';
import type { Placement } from '../types.ts';
import { gitSettingsOf } from './git-settings.ts';

const driver = 'git-memory';

/** Lists the lines of `.gitattributes` that give the layout to the driver. */
export function mergeAttributes(isProject: boolean): string[] {
  return layoutPatterns(isProject).map((pattern) => `${pattern} merge=${driver}`);
}

/**
 * Adds what is missing to the repository's own configuration; gives its path, or null where all was there. Whatever a person has set under
 * these names stays.
 *
 * `command` is the shell line that git runs. In a repository that holds nothing but a memory, git's rename detection is turned off for
 * merges: it takes records for one another that are merely alike. Throws LOCKED while native git writes the file.
 */
export function configureMergeDriver(repository: Repository, command: string, placement: Placement): string | null {
  const settings = gitSettingsOf(repository);
  const { values } = settings;
  const sections: string[] = [];
  if (!values.has(`merge.${driver}.driver`)) {
    sections.push(formatConfigSection(`merge "${driver}"`, { name: 'memories by what they are', driver: command }));
  }
  if ((placement === 'repository' || placement === 'bare') && !values.has('merge.renames')) {
    sections.push(formatConfigSection('merge', { renames: 'false' }));
  }
  if (sections.length === 0) return null;
  settings.add(sections);
  return settings.path;
}

/**
 * Gives the layout to the driver in this clone alone (`info/attributes`), unless the memory's own `.gitattributes` speaks of merging;
 * gives the path where something was added.
 */
export function installMergeAttributes(
  repository: Repository,
  attributes: string | null,
  isProject: boolean,
): string | null {
  const { disk, commonDirectory } = repository;
  const path = `${commonDirectory}/info/attributes`;
  const present = disk.readText(path, maxGitConfigBytes) ?? '';
  // What hands large files to git-lfs says nothing of how memories merge.
  const speaksOfMerging = (text: string | null): boolean =>
    text !== null && /^[^#\n]*\smerge(?:=(?!lfs\s)|\s)/m.test(`${text}\n`);
  if (speaksOfMerging(attributes) || speaksOfMerging(present)) return null;
  disk.makeDirectory(`${commonDirectory}/info`);
  disk.replace(path, [Buffer.from(`${withLastLineEnded(present)}${mergeAttributes(isProject).join('\n')}\n`)]);
  return path;
}
