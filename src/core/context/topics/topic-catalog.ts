// The topics of a state, ready to be looked for. Each file is compiled once per blob in a process, and read once for all processes.

import { MemoryError } from '../../../base/errors.ts';
import { keptIn } from '../../../base/once-per.ts';
import type { TopicProblem } from '../../../base/types.ts';
import { isTopicPath, parseTopic, type TopicFile } from '../../../store/records/topic-file.ts';
import type { Snapshot } from '../../../store/snapshot.ts';
import { parseTriggers, triggersPath } from '../triggers.ts';
import { loadLanguageDetector } from './detect/language.ts';
import { loadSentimentWords } from './detect/sentiment.ts';
import { GateCache } from './gate.ts';
import type { Detectors } from './reading.ts';
import { likenessTo, type Profile, profileOf } from './similarity.ts';
import { type TopicPlace, topicCache } from './topic-cache.ts';
import { lookForWords, type TextWatcher, type Watcher, watcherOf } from './watchers.ts';

/** A topic that is ready. */
export interface CompiledTopic {
  readonly file: TopicFile;
  readonly oid: string;
  readonly watchers: readonly Watcher[];
  readonly profile: Profile;
  /** Of the file and of what its triggers could not be compiled for. */
  readonly problems: readonly TopicProblem[];
}

/** A trigger of recall/triggers.json: words that call for files. */
export interface WordTrigger {
  readonly name: string;
  readonly load: readonly string[];
  readonly look: TextWatcher['look'];
}

/** All topics of one state. */
export interface TopicSet {
  /** In the order of their paths. */
  readonly topics: readonly CompiledTopic[];
  readonly compare: ReturnType<typeof likenessTo>;
  readonly words: readonly WordTrigger[];
  readonly detectors: Detectors;
  readonly problems: readonly TopicProblem[];
}

/** More files than this are no playbooks but data; the rest is left out and named as a problem. */
const maxTopics = 1000;
/** A longer topic is read to here. */
const maxTopicBytes = 256 << 10;
const maxCompiled = 5000;
const maxSets = 8;

export class TopicCatalog {
  /** What models said at the gate; shared by all states, since it is kept by the words and the topic it was about. */
  readonly gateAnswers = new GateCache();
  private readonly compiled = new Map<string, CompiledTopic>();
  private readonly sets = new Map<string, TopicSet>();
  private readonly indexes = new Map<string, TopicSet['compare']>();
  private readonly cache: ReturnType<typeof topicCache>;

  constructor(place: TopicPlace) {
    this.cache = topicCache(place);
  }

  /** Reads the topics of a state; it lists what is wrong with them, and throws nothing of it. */
  async of(snapshot: Snapshot): Promise<TopicSet> {
    const { version } = snapshot;
    const known = this.sets.get(version);
    if (known !== undefined) return known;
    const set = await this.read(snapshot);
    if (this.sets.size >= maxSets) this.sets.delete(this.sets.keys().next().value!);
    this.sets.set(version, set);
    return set;
  }

  private async read(snapshot: Snapshot): Promise<TopicSet> {
    const listing = [...snapshot.list('topics/')].filter(([path]) => isTopicPath(path)).sort(byPath);
    const problems: TopicProblem[] = listing
      .slice(maxTopics)
      .map(([path]) => ({ path, why: `only ${maxTopics} topics count, and this is one more` }));
    const topics: CompiledTopic[] = [];
    for (const [path, oid] of listing.slice(0, maxTopics)) topics.push(await this.topicOf(snapshot, path, oid));
    this.cache.save(snapshot, new Map(topics.map((topic) => [keyOf(topic.oid, topic.file.path), topic])));
    problems.push(...topics.flatMap((topic) => topic.problems));
    const words = this.wordsOf(snapshot, problems);
    return { topics, compare: this.comparing(topics), words, detectors: await detectorsFor(topics), problems };
  }

  /** The same topics under other commits have the same index. */
  private comparing(topics: readonly CompiledTopic[]): TopicSet['compare'] {
    const key = topics.map(({ file, oid }) => `${file.path} ${oid}`).join('\n');
    return keptIn(this.indexes, key, () => likenessTo(topics.map(({ profile }) => profile)), 1);
  }

  private async topicOf(snapshot: Snapshot, path: string, oid: string): Promise<CompiledTopic> {
    const key = keyOf(oid, path);
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const read = this.cache.get(snapshot, key);
    const topic = await compileTopic(read?.file ?? readTopic(snapshot, path, oid), oid, read?.profile);
    if (this.compiled.size >= maxCompiled) this.compiled.delete(this.compiled.keys().next().value!);
    this.compiled.set(key, topic);
    return topic;
  }

  private wordsOf(snapshot: Snapshot, problems: TopicProblem[]): WordTrigger[] {
    const source = snapshot.textIfWhole(triggersPath);
    if (source === null) return [];
    try {
      return parseTriggers(source).flatMap(({ patterns, load }) =>
        patterns[0] === undefined ? [] : [{ name: patterns[0], load, look: lookForWords(patterns) }],
      );
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      problems.push({ path: triggersPath, why: error.what });
      return [];
    }
  }
}

/** Compiles a topic; a trigger that cannot be is left out and told. `profile` is that of its text, where it is known. */
export async function compileTopic(file: TopicFile, oid: string, profile?: Profile): Promise<CompiledTopic> {
  const problems: TopicProblem[] = file.faults.map((fault) => ({ path: file.path, ...fault }));
  const schedules = file.triggers.some(({ type }) => type === 'cron') ? (await import('croner')).Cron : null;
  const watchers = file.triggers.flatMap((trigger): Watcher[] => {
    try {
      return [watcherOf(trigger, file, schedules)];
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      problems.push({ path: file.path, line: file.lineOfTrigger(trigger.index), why: error.what });
      return [];
    }
  });
  return { file, oid, watchers, profile: profile ?? profileOf(wordsOf(file)), problems };
}

const wordsOf = ({ name, description, instructions }: TopicFile): string =>
  `${name.replace(/[/-]/g, ' ')}\n${description}\n${instructions}`;

const keyOf = (oid: string, path: string): string => `${oid} ${path}`;

function readTopic(snapshot: Snapshot, path: string, oid: string): TopicFile {
  const bytes = snapshot.readBlob(oid, path);
  const file = parseTopic(bytes.subarray(0, maxTopicBytes).toString('utf8'), path);
  if (bytes.length <= maxTopicBytes) return file;
  const why = `has ${bytes.length} bytes, of which the first ${maxTopicBytes} count`;
  return { ...file, faults: [...file.faults, { line: 1, why }] };
}

async function detectorsFor(topics: readonly CompiledTopic[]): Promise<Detectors> {
  const types = new Set(topics.flatMap(({ watchers }) => watchers.map(({ trigger }) => trigger.type)));
  return {
    language: types.has('language') ? await loadLanguageDetector() : null,
    sentiment: types.has('sentiment') || types.has('sentiment_shift') ? await loadSentimentWords() : null,
  };
}

const byPath = ([one]: readonly [string, string], [other]: readonly [string, string]): number => (one < other ? -1 : 1);
