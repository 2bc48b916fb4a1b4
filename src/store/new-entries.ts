// Writes on their way into the journal: encoded where they are private, judged by the change rules, told without secrets.

import { withoutSecrets } from '../guard/secret-filter.ts';
import { logFormatOf } from '../records/log-readers.ts';
import { type ChangeLimits, checkChange } from './change-rules.ts';
import { type Codec, secrecyOf, withQuietSubject } from './codec.ts';
import type { NewPendingEntry } from './journal-records.ts';
import { checkPlace } from './name-clash.ts';
import type { Snapshot } from './snapshot.ts';

/** Gives a write as it is stored: what waits in the journal is no more open than what is committed. */
export function encodedEntry(entry: NewPendingEntry, codec: Codec): NewPendingEntry {
  if (codec.present.patterns.length === 0) return entry;
  const changes = entry.changes.map((change) => ({
    ...change,
    after: change.after && codec.encode(change.path, change.after),
  }));
  return withQuietSubject({ ...entry, changes }, codec.present);
}

/** Checks a write by the change rules, and gives it with a subject and trailers that tell no secret. Throws what a rule says. */
export function checkedEntry(
  entry: NewPendingEntry,
  snapshot: Snapshot,
  codec: Codec,
  limits: ChangeLimits,
): NewPendingEntry {
  for (const { path, after } of entry.changes) {
    const before = snapshot.isReadable(path) ? snapshot.read(path) : null;
    const stored = snapshot.oidOf(path);
    const secrecy = secrecyOf(stored === null ? null : snapshot.readStored(stored, path), after);
    const mayRemoveCaptures = entry.mayRemoveLines === true && logFormatOf(path) !== null;
    checkChange(
      { path, before, after: after && codec.decode(path, after) },
      { limits, mayRemoveCaptures, mayBeLong: entry.mayBeLong === true, secrecy },
    );
    if (before === null && after !== null) checkPlace(path, snapshot.inTheWayOf(path));
  }
  const clean = (line: string) => withoutSecrets(line, limits.secrets);
  return {
    ...entry,
    ...(entry.subject === undefined ? {} : { subject: clean(entry.subject) }),
    trailers: entry.trailers.map(({ key, value }) => ({ key, value: clean(value) })),
  };
}
