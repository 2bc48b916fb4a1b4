// Lets native git encrypt and decrypt private files with us: attributes that name the filter, and the configuration that says what it is.

import { formatConfigSection, parseConfigFile } from '../git/config-file.ts';
import type { Repository } from '../git/repository.ts';
import { maxGitConfigBytes } from '../guard/limits.ts';
import { filterName } from '../store/file-content.ts';
import { writePrivateAttributes } from '../store/private-attributes.ts';
import { checkUnlocked, replaceFile } from './git-settings.ts';

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
  const { disk, commonDirectory } = repository;
  const path = `${commonDirectory}/config`;
  const text = disk.readText(path, maxGitConfigBytes) ?? '';
  const values = parseConfigFile(text, path);
  const written: string[] = [];
  if (!values.has(`filter.${filterName}.process`)) {
    checkUnlocked(repository, path);
    const sections = [
      formatConfigSection(`filter "${filterName}"`, { process: commands.process, required: 'true' }),
      formatConfigSection(`diff "${filterName}"`, { textconv: commands.textconv }),
    ];
    // Attributes first: a filter that no path has changes nothing, and the other way round a text would lie open without one.
    if (writePrivateAttributes(repository, patterns)) written.push(`${commonDirectory}/info/attributes`);
    const end = text === '' || text.endsWith('\n') ? '' : '\n';
    replaceFile(repository, path, `${text}${end}${sections.join('')}`);
    written.push(path);
  } else if (writePrivateAttributes(repository, patterns)) written.push(`${commonDirectory}/info/attributes`);
  return written;
}
