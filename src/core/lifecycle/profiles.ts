// Entities and people as files (spec 4). Those in several spellings become one, and each that memories name often enough gets a file. One
// file says what somebody prefers, holds to and has corrected.

import { count } from '../../base/count.ts';
import { oneLine, slugOf } from '../../base/text.ts';
import { dayOf, formatTime } from '../../base/time.ts';
import type { MemoryCategory, MemoryRecord } from '../../base/types/stored-types.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { cutFrontMatter, formatFrontMatter } from '../../store/records/front-matter.ts';
import { countLines } from '../../store/records/knowledge-file.ts';
import { memoriesOfLine, memoryMark } from '../../store/records/knowledge-marks.ts';
import {
  type EntityFile,
  entityFilesIn,
  entityFolders,
  entityKey,
  fragmentsIn,
  joinEntityFiles,
  nameKeysOf,
} from './entity-files.ts';
import { isEmptied } from './memory-lines.ts';
import type { Pass, PassItem, PassView } from './pass.ts';
import { leadOf, speakersIn } from './quoted.ts';
import { changedFile } from './record-changes.ts';

/** Behind it stand the lines that the pass keeps; all else in the file belongs to people. */
const heading = 'Known';
/** What lasts stands below a heading of its own, and does not age (store/records/knowledge-facts.ts). */
const sections: readonly (readonly [string, MemoryCategory])[] = [
  ['Preferences', 'preference'],
  ['Principles', 'principle'],
  ['Corrections', 'correction'],
  ['Relations', 'relationship'],
];

/** From so many memories on an entity has a file, which holds so many at most. */
const least = 3;
const most = 40;

/** Plans to make one file of those that are about the same thing under several spellings. */
export const entityMerge: Pass<void> = {
  name: 'entities',
  kind: 'memory',
  commits: 'each',
  plan(view) {
    const all = entityFolders.flatMap((folder) => entityFilesIn(view.snapshot, folder));
    const keyOf = nameKeysOf(view);
    const items = fragmentsIn(all, keyOf).map((files): PassItem => {
      const [first, ...others] = ranked(files, view, keyOf);
      const are = others.length === 1 ? 'is' : 'are';
      const changes = [
        changedFile(view.snapshot, first.path, joinEntityFiles([first, ...others], keyOf)),
        ...others.map(({ path }) => changedFile(view.snapshot, path, null)),
      ];
      const why = `${others.map(({ path }) => path).join(', ')} ${are} about the same as ${first.path}`;
      return { action: 'join', ids: [], why, changes };
    });
    return { items, left: [] };
  },
  describe: ([item]) => ({ subject: `${item!.changes.length} files about one thing joined` }),
};

/** Plans to bring the file of each entity that {@link least} active memories name to what they say. */
export const entityProfiles: Pass<void> = {
  name: 'profiles',
  kind: 'memory',
  plan(view) {
    const { snapshot, now, configuration } = view;
    // A person whose file cannot be read would get a second one.
    if (!entityFolders.every((folder) => snapshot.isListedWhole(folder))) return { items: [], left: [] };
    const { timezone } = configuration;
    const time = formatTime(Math.floor(now / 1000) * 1000);
    const keyOf = nameKeysOf(view);
    const files = new Map(
      entityFilesIn(snapshot, entityFolders[0]).flatMap((file) =>
        [file.name, ...file.aliases].map((name) => [keyOf(name), file] as const),
      ),
    );
    // A person with a file among people is described there, by whoever writes it.
    const people = new Set(
      entityFilesIn(snapshot, entityFolders[1]).flatMap(({ name, aliases }) => [name, ...aliases].map(keyOf)),
    );
    const speakerOf = speakersIn(snapshot, configuration);
    const items: PassItem[] = [];
    for (const [key, { name, records }] of namedIn(view, keyOf)) {
      const file = files.get(key);
      const isKnown = records.length >= least && !people.has(key);
      if (!isKnown && file === undefined) continue;
      const said = isKnown ? [...records].sort(byWeight).slice(0, most) : [];
      const wanted = said.sort(byAge);
      const isLasting = ({ category }: MemoryRecord) => sections.some(([, one]) => one === category);
      const below = (category: MemoryCategory | undefined): OwnedLine[] =>
        wanted
          .filter((record) => (category === undefined ? !isLasting(record) : record.category === category))
          .map((record) => ownedLineOf(record, timezone, speakerOf));
      const path = file?.path ?? `${entityFolders[0]}${slugOf(name)}.md`;
      // Two names whose slugs are empty would fall on one file.
      if (file === undefined && snapshot.oidOf(path) !== null) continue;
      const before = file?.text ?? formatFrontMatter({ type: 'entity', name, updated: time }, `\n# ${name}\n`);
      const text = [[heading, undefined] as const, ...sections].reduce(
        (page, [title, category]) => withOwnedLines(page, title, below(category)),
        before,
      );
      if (text === before) continue;
      items.push({
        action: 'write',
        ids: [],
        why: `${count(records.length, 'memory names', 'memories name')} ${name}`,
        changes: [changedFile(snapshot, path, isEmptied(path, text, time) ? null : withUpdated(text, time))],
      });
    }
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'entity', 'entities')} brought up to date` }),
};

/** The file that stays comes first: one among people, that of a full name, that of the spelling which memories use most, then the longest. */
function ranked(
  files: readonly EntityFile[],
  { memories }: PassView,
  keyOf: typeof entityKey,
): [EntityFile, ...EntityFile[]] {
  const uses = new Map<string, number>();
  for (const { record } of memories) for (const name of record.entities) uses.set(name, (uses.get(name) ?? 0) + 1);
  const isPerson = ({ path }: EntityFile) => Number(path.startsWith(entityFolders[1]));
  const isFull = ({ name }: EntityFile) => Number(keyOf(name) === entityKey(name));
  return [...files].sort(
    (a, b) =>
      isPerson(b) - isPerson(a) ||
      isFull(b) - isFull(a) ||
      (uses.get(b.name) ?? 0) - (uses.get(a.name) ?? 0) ||
      b.text.length - a.text.length ||
      (a.path < b.path ? -1 : 1),
  ) as [EntityFile, ...EntityFile[]];
}

/** Entities of active memories by key, under the spelling that most of them use; sorted by key. */
function namedIn(
  { memories }: PassView,
  keyOf: typeof entityKey,
): [string, { name: string; records: MemoryRecord[] }][] {
  const found = new Map<string, { spellings: Map<string, number>; records: MemoryRecord[] }>();
  for (const { record } of memories) {
    if (record.status !== 'active' && record.status !== 'promoted') continue;
    const byKey = new Map(record.entities.map((name) => [keyOf(name), name]));
    for (const [key, name] of byKey) {
      if (key === '') continue;
      const entry = found.get(key) ?? { spellings: new Map<string, number>(), records: [] };
      entry.spellings.set(name, (entry.spellings.get(name) ?? 0) + 1);
      entry.records.push(record);
      found.set(key, entry);
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { spellings, records }]) => {
      const isFull = (one: string) => Number(entityKey(one) === key);
      const [name] = [...spellings].sort(
        ([a, one], [b, two]) => isFull(b) - isFull(a) || two - one || (a < b ? -1 : 1),
      )[0]!;
      return [key, { name, records }];
    });
}

/** Beside the files about people: those of knowledge/identity are written by people, and read in every context. */
const profilePath = 'knowledge/people/profile.md';

/** Whether a memory may say how somebody is: somebody said it, and for sure enough. */
function isTelling({ status, confidenceTier, sources }: MemoryRecord): boolean {
  if (status !== 'active' && status !== 'promoted') return false;
  if (confidenceTier === 'inferred' || confidenceTier === 'speculative') return false;
  return sources === undefined || sources.some(({ role }) => role === undefined || role === 'user');
}

/** Orders memories by how much they say: importance, then the newest. */
function byWeight(one: MemoryRecord, other: MemoryRecord): number {
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

// Lists in knowledge files with some lines that a pass keeps up to date: those that name a memory. All else belongs to whoever wrote it.

const maxWords = 300;

/** A line that a pass keeps. */
export interface OwnedLine {
  readonly id: string;
  /** Gives the line; asked where it is written. */
  text(): string;
}

/** Writes a memory as a line of a list: `- 2026-02-16 Ada: I prefer tabs. [memory: 0a1b…]`. `speakerOf` names who is quoted. */
function ownedLineOf(
  record: MemoryRecord,
  timeZone: string,
  speakerOf: (record: MemoryRecord) => string | undefined,
): OwnedLine {
  const { id, createdAt } = record;
  const text = (): string => {
    const lead = leadOf(dayOf(createdAt * 1000, timeZone), speakerOf(record));
    return `- ${lead}${oneLine(wordsOfClaim(record), maxWords)}${memoryMark(id)}`;
  };
  return { id, text };
}

/**
 * Brings the owned lines below a heading of the second level to those wanted: others go, missing ones come at the end of the section.
 *
 * A line whose memory is wanted stays as it is, in its place, so that what somebody wrote into it stays too. So does every line that names
 * no memory. A section that is missing is put at the end; one that is left without a line goes.
 */
export function withOwnedLines(text: string, heading: string, wanted: readonly OwnedLine[]): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trimEnd() === `## ${heading}`);
  if (start < 0) {
    if (wanted.length === 0) return text;
    const body = text.trimEnd();
    return `${body}${body === '' ? '' : '\n\n'}## ${heading}\n\n${wanted.map((line) => line.text()).join('\n')}\n`;
  }
  let end = lines.findIndex((line, at) => at > start && /^#{1,2} /.test(line));
  if (end < 0) end = lines.length;
  const section = lines.slice(start + 1, end);
  const ids = new Set(wanted.map(({ id }) => id));
  const present = new Set<string>();
  const kept = section.filter((line) => {
    const id = memoriesOfLine(line).at(-1);
    if (id === undefined) return true;
    if (!ids.has(id) || present.has(id)) return false;
    present.add(id);
    return true;
  });
  while (kept.length > 0 && kept.at(-1)!.trim() === '') kept.pop();
  const added = wanted.filter(({ id }) => !present.has(id)).map((line) => line.text());
  const body = [...kept, ...(kept.every((line) => line.trim() === '') && added.length > 0 ? [''] : []), ...added];
  while (body.length > 1 && body[0] === '' && body[1] === '') body.shift();
  const isEmpty = body.every((line) => line.trim() === '');
  const before = lines.slice(0, start);
  const rest = lines.slice(end);
  const middle = isEmpty ? [] : [lines[start]!, ...body, ''];
  return [...before, ...middle, ...rest]
    .join('\n')
    .replace(/\n{3,}$/, '\n')
    .replace(/\n+$/, '\n');
}

/** Sets `updated` of the front matter, where there is one; all other bytes stay. */
function withUpdated(text: string, time: string): string {
  const cut = cutFrontMatter(text);
  if (cut === undefined || !/^updated:/m.test(cut.block)) return text;
  return `${cut.opening}${cut.block.replace(/^updated:.*$/m, `updated: ${time}`)}${cut.closing}${cut.body}`;
}
