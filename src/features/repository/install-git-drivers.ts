// Lets native git merge the files of a memory by what they are, and encrypt and decrypt private ones. Attributes name driver and filter,
// and sections of the repository's configuration say what these are. What a person has set there stays.

import { withLastLineEnded } from '../../base/text.ts';
import type { Placement } from '../../base/types.ts';
import { filterName, writePrivateAttributes } from '../../store/file-content.ts';
import { type ConfigValues, formatConfigSection, parseConfigFile } from '../../store/git/config-file.ts';
import { nativelyLocked } from '../../store/git/native-lock.ts';
import type { Repository } from '../../store/git/repository.ts';
import { maxGitConfigBytes } from '../../store/guard/limits.ts';
import { type Extent, layoutPatterns } from '../../store/guard/path.ts';
import { extentAt } from '../../store/hand-edits.ts';
import type { Snapshot } from '../../store/snapshot.ts';

const driver = 'git-memory';

/** Lists the lines of `.gitattributes` that give the layout to the driver. */
export function mergeAttributes(extent: Extent): string[] {
  return layoutPatterns(extent).map((pattern) => `${pattern} merge=${driver}`);
}

/**
 * Adds what is missing to the repository's own configuration; gives its path, or null where all was there. Whatever a person has set under
 * these names stays.
 *
 * `command` is the shell line that git runs. In a repository that holds nothing but a memory, git's rename detection is turned off for
 * merges. It takes records for one another that are merely alike. Throws LOCKED while native git writes the file.
 */
export function configureMergeDriver(repository: Repository, command: string, placement: Placement): string | null {
  const settings = gitSettingsOf(repository);
  const { values } = settings;
  const sections: string[] = [];
  if (!values.has(`merge.${driver}.driver`))
    sections.push(formatConfigSection(`merge "${driver}"`, { name: 'memories by what they are', driver: command }));
  if ((placement === 'repository' || placement === 'bare') && !values.has('merge.renames'))
    sections.push(formatConfigSection('merge', { renames: 'false' }));
  if (sections.length === 0) return null;
  settings.add(sections);
  return settings.path;
}

/**
 * Gives the layout to the driver in this clone alone (`info/attributes`), unless the memory's own `.gitattributes` speaks of merging. Gives
 * the path where something was added. `isMore`: only where the driver has some files already.
 */
export function installMergeAttributes(
  { disk, commonDirectory }: Repository,
  snapshot: Snapshot,
  isProject: boolean,
  isMore = false,
): string | null {
  const path = `${commonDirectory}/info/attributes`;
  const present = disk.readText(path, maxGitConfigBytes) ?? '';
  if (isMore && !present.includes(` merge=${driver}\n`)) return null;
  const lines = new Set(present.split('\n'));
  const missing = mergeAttributes(extentAt(isProject, snapshot)).filter((line) => !lines.has(line));
  // What hands large files to git-lfs says nothing of how memories merge, and here our own lines may be fewer than they are to be.
  const speaksOfMerging = (text: string | null, ours = ''): boolean =>
    text !== null && new RegExp(`^[^#\\n]*\\smerge(?:=(?!lfs\\s${ours})|\\s)`, 'm').test(`${text}\n`);
  const isSaid = speaksOfMerging(snapshot.readText('.gitattributes')) || speaksOfMerging(present, `|${driver}\\s`);
  if (missing.length === 0 || isSaid) return null;
  disk.makeDirectory(`${commonDirectory}/info`);
  disk.replace(path, [Buffer.from(`${withLastLineEnded(present)}${missing.join('\n')}\n`)]);
  return path;
}

/** The shell lines that native git runs. */
export interface FilterCommands {
  /** Speaks the long-running protocol of gitattributes(5). */
  readonly process: string;
  /** Prints the text of the file that is named behind it. */
  readonly textconv: string;
}

/**
 * Adds what is missing to the repository's own configuration and attributes; gives the paths of what was written.
 *
 * `required`: where the filter fails, `git add` does, so that no open text is stored for want of a key. Throws LOCKED while native git
 * writes its configuration.
 */
export function installPrivateFilter(
  repository: Repository,
  commands: FilterCommands,
  patterns: readonly string[],
): string[] {
  const settings = gitSettingsOf(repository);
  const attributes = `${repository.commonDirectory}/info/attributes`;
  const written: string[] = [];
  if (!settings.values.has(`filter.${filterName}.process`)) {
    settings.checkUnlocked();
    const sections = [
      formatConfigSection(`filter "${filterName}"`, { process: commands.process, required: 'true' }),
      formatConfigSection(`diff "${filterName}"`, { textconv: commands.textconv }),
    ];
    // Attributes first: a filter that no path has changes nothing, and the other way round a text would lie open without one.
    if (writePrivateAttributes(repository, patterns)) written.push(attributes);
    settings.add(sections);
    written.push(settings.path);
  } else if (writePrivateAttributes(repository, patterns)) written.push(attributes);
  return written;
}

interface GitSettings {
  readonly path: string;
  readonly values: ConfigValues;
  /** Throws LOCKED while native git writes the file. */
  checkUnlocked(): void;
  /** Writes sections behind what was read. Throws LOCKED. */
  add(sections: readonly string[]): void;
}

/** Reads the configuration that all work trees of a repository share. Throws REPOSITORY_CORRUPT. */
function gitSettingsOf(repository: Repository): GitSettings {
  const { disk, commonDirectory } = repository;
  const path = `${commonDirectory}/config`;
  const text = disk.readText(path, maxGitConfigBytes) ?? '';
  const checkUnlocked = () => {
    if (disk.exists(`${path}.lock`))
      throw nativelyLocked(repository, `${path}.lock`, 'another program holds the configuration of the repository');
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
