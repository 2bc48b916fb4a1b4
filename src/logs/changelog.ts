// The changelog of a state as values: its events in order, what was archived, what is damaged or bent.

import type { ChangelogEvent } from '../base/types/changelog-types.ts';
import type { StateFiles } from '../store/derive.ts';
import { changelogArchivePath, parseChangelog } from '../store/records/changelog.ts';
import { continueChangelog } from '../store/records/changelog-growth.ts';
import { changelogOf } from './append-change.ts';
import { LogCatalog, type LogState, type StoredEntry } from './log-catalog.ts';

export type StoredChange = StoredEntry<ChangelogEvent>;

export type Changelog = LogState<ChangelogEvent>;

/** Reads changelogs of any state. */
export class ChangelogCatalog {
  private readonly catalog = new LogCatalog<ChangelogEvent>({
    read: parseChangelog,
    goOn: continueChangelog,
    filesOf: (files) =>
      [changelogArchivePath, changelogOf(files)].flatMap((path) => {
        const oid = files.oidOf(path);
        return oid === null ? [] : [[path, oid] as const];
      }),
    isArchive: (path) => path === changelogArchivePath,
  });

  changelogOf(files: StateFiles): Changelog {
    return this.catalog.stateOf(files);
  }

  /** Gives all events, archived ones first. */
  of(files: StateFiles): readonly ChangelogEvent[] {
    const { archived, events } = this.changelogOf(files);
    return [...archived, ...events].map(({ value }) => value);
  }
}
