// Parsed topics between processes: reading the front matter of 200 files and telling their words takes half a second of a new process.
// Derived: the blobs hold the truth. Watchers are made of what is kept, so that no automaton lies on a disk.
//
//   cache/topics     frames of { unicode, topics: [[blob id and path, topic], …] } as JSON

import { CacheFile, type CachePlace } from '../../../store/cache-file.ts';
import type { TopicFile } from '../../../store/records/topic-file.ts';
import type { Snapshot } from '../../../store/snapshot.ts';
import type { Profile } from './similarity.ts';

/** To be raised whenever the same file of a topic parses to another value, or its text has another profile. */
export const topicsVersion = 2;
/** Fewer new topics are read from their files sooner than kept. */
const leastFresh = 16;
const maxFrames = 16;
/** Which characters are letters is the machine's to say. */
const unicode = process.versions.unicode ?? '';

/** What follows from a topic alone, worked out once. */
export interface ReadTopic {
  readonly file: TopicFile;
  readonly profile: Profile;
}

interface KeptTopic {
  readonly file: Omit<TopicFile, 'lineOfTrigger'>;
  /** The line of each trigger, by its index. */
  readonly lines: Readonly<Record<number, number>>;
  readonly terms: readonly (readonly [string, number])[];
  readonly length: number;
  readonly sketch: readonly number[];
}

/** Where topics are kept, and whether those of a state may be. */
export interface TopicPlace extends CachePlace {
  mayKeep(snapshot: Snapshot): boolean;
}

/** Keeps the read topics of a memory, by blob and path. */
export function topicCache(place: TopicPlace) {
  const file = new CacheFile(place, 'topics', topicsVersion);
  const kept = new Map<string, KeptTopic>();
  let frameCount = 0;
  let isLoaded = false;
  const load = (snapshot: Snapshot): void => {
    isLoaded = true;
    // The words of private files are on no disk in the clear.
    if (!place.mayKeep(snapshot)) return void place.disk.removeQuietly(file.path);
    for (const frame of file.read()) {
      const read = JSON.parse(frame.toString('utf8')) as { unicode: string; topics: [string, KeptTopic][] };
      frameCount += 1;
      if (read.unicode === unicode) for (const [key, topic] of read.topics) kept.set(key, topic);
    }
  };
  return {
    /** Gives a topic as it was read before; undefined when it was not. */
    get(snapshot: Snapshot, key: string): ReadTopic | undefined {
      if (!isLoaded) load(snapshot);
      const known = kept.get(key);
      if (known === undefined) return undefined;
      const { terms, length, sketch, lines } = known;
      return {
        file: { ...known.file, lineOfTrigger: (index) => lines[index] ?? 1 },
        profile: { terms: new Map(terms), length, sketch: Uint32Array.from(sketch) },
      };
    },
    /** Keeps the topics of a state, once enough of them are new; those of other states leave when they are most of the file. */
    save(snapshot: Snapshot, topics: ReadonlyMap<string, ReadTopic>): void {
      const fresh = [...topics].filter(([key]) => !kept.has(key)).map(keptOf);
      if (fresh.length < leastFresh || !place.mayKeep(snapshot)) return;
      const isStale = frameCount >= maxFrames || kept.size + fresh.length > 2 * topics.size;
      const all = isStale ? [...topics].map(([key, topic]) => [key, kept.get(key) ?? keptOf([key, topic])[1]]) : fresh;
      const frame = Buffer.from(JSON.stringify({ unicode, topics: all }));
      const isDone = isStale ? file.replace([frame]) : file.append(frame);
      // A disk that refuses is not asked again and again.
      for (const [key, topic] of fresh) kept.set(key, topic);
      if (isDone) frameCount = isStale ? 1 : frameCount + 1;
    },
  };
}

function keptOf([key, { file, profile }]: [string, ReadTopic]): [string, KeptTopic] {
  const { lineOfTrigger, ...rest } = file;
  const lines = Object.fromEntries(file.triggers.map(({ index }) => [index, lineOfTrigger(index)]));
  const { terms, length, sketch } = profile;
  return [key, { file: rest, lines, terms: [...terms], length, sketch: [...sketch] }];
}
