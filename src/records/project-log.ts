// Where the log of a project lies: the files that people and programs type into, and what follows from them.

import { asideChangelogPath, changelogArchivePath, changelogPath } from './changelog.ts';
import { graphPath } from './graph-file.ts';
import { narrativePath } from './narrative-file.ts';
import { todoPath } from './todo-file.ts';

/** The files of the log itself. */
export const changelogPaths: readonly string[] = [changelogPath, asideChangelogPath, changelogArchivePath];

/** The files of the log, and those beside it. */
export const projectLogPaths: readonly string[] = [...changelogPaths, graphPath, narrativePath, todoPath];
