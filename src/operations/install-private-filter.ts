// Lets native git encrypt and decrypt private files with us: attributes that name the filter, and the configuration that says what it is.

import { formatConfigSection } from '../git/config-file.ts';
import type { Repository } from '../git/repository.ts';
import { filterName } from '../store/file-content.ts';
import { writePrivateAttributes } from '../store/private-attributes.ts';
import { gitSettingsOf } from './git-settings.ts';

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
