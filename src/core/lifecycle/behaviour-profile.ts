// What somebody prefers, holds to and has corrected, as one file (spec 4, behavioural profile).

import { count } from '../../base/count.ts';
import { formatTime } from '../../base/time.ts';
import type { MemoryCategory, MemoryRecord } from '../../base/types/stored-types.ts';
import { formatFrontMatter } from '../../store/records/front-matter.ts';
import { countLines } from '../../store/records/knowledge-file.ts';
import { type OwnedLine, ownedLineOf, withOwnedLines, withUpdated } from './owned-lines.ts';
import type { Pass } from './pass.ts';
import { speakersIn } from './quoted.ts';
import { changedFile } from './record-changes.ts';

/** Beside the files about people: those of knowledge/identity are written by people, and read in every context. */
const profilePath = 'knowledge/people/profile.md';

const sections: readonly (readonly [string, MemoryCategory])[] = [
  ['Preferences', 'preference'],
  ['Principles', 'principle'],
  ['Corrections', 'correction'],
  ['Relations', 'relationship'],
];

/** Whether a memory may say how somebody is: somebody said it, and for sure enough. */
function isTelling({ status, confidenceTier, sources }: MemoryRecord): boolean {
  if (status !== 'active' && status !== 'promoted') return false;
  if (confidenceTier === 'inferred' || confidenceTier === 'speculative') return false;
  return sources === undefined || sources.some(({ role }) => role === undefined || role === 'user');
}

/** Orders memories by how much they say: importance, then the newest. */
export function byWeight(one: MemoryRecord, other: MemoryRecord): number {
  const byImportance = (other.importance ?? 0.5) - (one.importance ?? 0.5);
  return byImportance || other.createdAt - one.createdAt || (one.id < other.id ? -1 : 1);
}

/** The profile has so many lines at most. */
const maxLines = 100;

const byAge = (one: MemoryRecord, other: MemoryRecord): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

/** Plans to bring the profile to what active memories say, in {@link maxLines} at most; what people wrote there stays. */
export const behaviourProfile: Pass<void> = {
  name: 'profile',
  kind: 'memory',
  plan({ snapshot, memories, now, configuration }) {
    const { timezone } = configuration;
    const speakerOf = speakersIn(snapshot, configuration);
    const before = snapshot.readText(profilePath);
    const telling = memories.map(({ record }) => record).filter(isTelling);
    const weighed = telling.filter(({ category }) => sections.some(([, one]) => one === category)).sort(byWeight);
    if (before === null && weighed.length === 0) return { items: [], left: [] };
    const time = formatTime(Math.floor(now / 1000) * 1000);
    const empty = formatFrontMatter({ type: 'profile', updated: time }, '\n# Profile\n');
    const write = (records: readonly MemoryRecord[]): string =>
      sections.reduce((text, [heading, category]) => {
        const lines: OwnedLine[] = records
          .filter((record) => record.category === category)
          .sort(byAge)
          .map((record) => ownedLineOf(record, timezone, speakerOf));
        return withOwnedLines(text, heading, lines);
      }, before ?? empty);
    let kept: readonly MemoryRecord[] = weighed.slice(0, maxLines);
    let text = write(kept);
    while (countLines(text) > maxLines && kept.length > 0) {
      kept = kept.slice(0, Math.max(0, kept.length - Math.max(1, countLines(text) - maxLines)));
      text = write(kept);
    }
    const left =
      countLines(text) > maxLines
        ? [{ id: profilePath, why: `it has more than ${maxLines} lines without what memories say` }]
        : weighed.slice(kept.length).map(({ id }) => ({ id, why: `the profile has ${maxLines} lines at most` }));
    if (text === before) return { items: [], left };
    const changes = [changedFile(snapshot, profilePath, withUpdated(text, time))];
    const why = `${count(kept.length, 'memory says', 'memories say')} how somebody is`;
    return { items: [{ action: 'write', ids: [], why, changes }], left };
  },
  describe: () => ({ subject: `profile brought up to date in ${profilePath}` }),
};
