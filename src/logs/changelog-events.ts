// The events of a changelog as it stands in a state, archived ones included; each blob is parsed once.

import {
  asideChangelogPath,
  type ChangelogEvent,
  changelogArchivePath,
  changelogPath,
  isEventLog,
  parseChangelog,
} from '../records/changelog.ts';
import type { StateFiles } from '../store/derive.ts';

const maxParsed = 50;

/** Reads the changelogs of any state; what does not parse is passed over. */
export class ChangelogEvents {
  private readonly parsed = new Map<string, readonly ChangelogEvent[] | null>();

  /** Gives all events, oldest files first. */
  of(files: StateFiles): readonly ChangelogEvent[] {
    const archived = this.read(files, changelogArchivePath) ?? [];
    const present = this.read(files, changelogPath) ?? this.read(files, asideChangelogPath) ?? [];
    return archived.length === 0 ? present : [...archived, ...present];
  }

  /** Null where there is no file, or one that is no log of events. */
  private read(files: StateFiles, path: string): readonly ChangelogEvent[] | null {
    const oid = files.oidOf(path);
    if (oid === null) return null;
    const key = `${path} ${oid}`;
    const known = this.parsed.get(key);
    if (known !== undefined) return known;
    const text = files.readBlob(oid, path).toString('utf8');
    const isLog = path === changelogArchivePath || isEventLog(text);
    const events = isLog
      ? parseChangelog(text, path).flatMap((piece) => (piece.kind === 'entry' ? [piece.value] : []))
      : null;
    if (this.parsed.size >= maxParsed) this.parsed.delete(this.parsed.keys().next().value!);
    this.parsed.set(key, events);
    return events;
  }
}
