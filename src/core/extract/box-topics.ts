// What some memories of one conversation are about, and how far two such lists overlap.

import * as words from '../../base/generated/words.ts';
import { keptIn } from '../../base/once-per.ts';
import { normaliseForHash } from '../../base/text.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import { type MemoryRecord, memoryCategories, type Transcript } from '../../base/types/stored-types.ts';
import { listed } from '../../base/words.ts';
import { isNoteTitle } from '../../store/records/daily-note.ts';

/** What somebody named counts more than a word that came twice. A topic was given by somebody; a title may be the first words. */
const weights = { topic: 3, entity: 2, tag: 2, word: 1, title: 1 } as const;
/** Tags that say what kind of thing a memory is, and not what it is about. */
const kindTags: ReadonlySet<string> = new Set([...memoryCategories, 'p0', 'p1', 'p2', 'p3', 'deadline', 'lesson']);

/** Words of telling, which open many a sentence and are about nothing. */
const telling: ReadonlySet<string> = new Set(listed(words.telling).flatMap((word) => tokensOf(word)));
const maxKnownKeys = 20_000;
const knownKeys = new Map<string, string>();

/** Makes the form in which topics are compared: "Deployments" is "deployment". Empty for a text without a word of its own. */
export const topicKey = (topic: string): string =>
  keptIn(knownKeys, topic, () => tokensOf(topic).join(' '), maxKnownKeys);

/**
 * Lists what memories of one conversation are about, in lower case, what counts most first; at most `most`.
 *
 * Names and tags count twice for each memory that has them, and words that several memories share once. Words of the conversation's
 * topic count three times, those of a mere title once. A speaker is no topic.
 */
export function topicsOf(
  memories: readonly Pick<MemoryRecord, 'content' | 'entities' | 'meta'>[],
  transcript: Pick<Transcript, 'topic' | 'title' | 'turns'>,
  most: number,
): string[] {
  const topics = new Map<string, { name: string; weight: number; order: number }>();
  const add = (name: string, weight: number): void => {
    const key = topicKey(name);
    if (key === '') return;
    const known = topics.get(key);
    if (known !== undefined) known.weight += weight;
    else topics.set(key, { name: name.toLowerCase().replace(/\s+/g, ' ').trim(), weight, order: topics.size });
  };
  const speakers = new Set(
    transcript.turns.flatMap(({ speaker }) => (speaker === undefined ? [] : [topicKey(speaker)])),
  );
  const holders = new Map<string, { name: string; count: number }>();
  for (const { content, entities, meta } of memories) {
    for (const entity of new Set(entities)) if (!speakers.has(topicKey(entity))) add(entity, weights.entity);
    for (const tag of new Set(meta.tags)) if (!kindTags.has(tag.toLowerCase())) add(tag, weights.tag);
    for (const [key, name] of wordsOf(content)) {
      const held = holders.get(key);
      if (held !== undefined) held.count += 1;
      else holders.set(key, { name, count: 1 });
    }
  }
  for (const { name, count } of holders.values()) if (count > 1) add(name, count * weights.word);
  const { topic, title } = transcript;
  const isGiven = topic !== undefined && !isFirstWords(topic, transcript.turns);
  const subject = topic ?? (isNoteTitle(title) ? '' : title);
  for (const name of wordsOf(subject).values()) add(name, isGiven ? weights.topic : weights.title);
  return [...topics.values()]
    .sort((one, other) => other.weight - one.weight || one.order - other.order)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Whether a topic was made of what was said: a capture without one gets the words it begins with. */
function isFirstWords(topic: string, turns: Transcript['turns']): boolean {
  const words = normaliseForHash(topic);
  return turns.slice(0, 5).some(({ text }) => normaliseForHash(text.slice(0, 2000)).includes(words));
}

/** The words of a text that carry a subject, by the form in which they are compared. */
function wordsOf(text: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const word of text.match(/\p{Alpha}[\p{Alpha}\p{M}\d_-]{2,39}/gu) ?? []) {
    const key = topicKey(word);
    if (key !== '' && !telling.has(key) && !words.has(key)) words.set(key, word);
  }
  return words;
}

/**
 * Computes how far two lists of topics overlap: the share of the shorter one that the other has, too. It is 0 to 1,
 * and the n-th topic counts 1/n. Of two lists of one length the greater share counts.
 *
 * A box gathers topics, so that a measure over all topics of both would fall with every memory that comes in.
 */
export function topicOverlap(one: readonly string[], other: readonly string[]): number {
  const [mine, theirs] = [one, other].map(keysOf) as [string[], string[]];
  if (mine.length < theirs.length) return shareOf(mine, theirs);
  if (theirs.length < mine.length) return shareOf(theirs, mine);
  return Math.max(shareOf(mine, theirs), shareOf(theirs, mine));
}

const keysOf = (topics: readonly string[]): string[] => [...new Set(topics.map(topicKey))].filter((key) => key !== '');

function shareOf(topics: readonly string[], others: readonly string[]): number {
  const known = new Set(others);
  let shared = 0;
  let all = 0;
  for (const [rank, topic] of topics.entries()) {
    all += 1 / (rank + 1);
    if (known.has(topic)) shared += 1 / (rank + 1);
  }
  return all === 0 ? 0 : shared / all;
}

/** Joins the topics of a box with those that come in, at most `most`: what comes back first, then the box's, then the new ones. */
export function joinTopics(old: readonly string[], added: readonly string[], most: number): string[] {
  const keys = new Set(added.map(topicKey));
  const known = new Set(old.map(topicKey));
  const back = old.filter((topic) => keys.has(topicKey(topic)));
  const rest = old.filter((topic) => !keys.has(topicKey(topic)));
  return [...back, ...rest, ...added.filter((topic) => !known.has(topicKey(topic)))].slice(0, most);
}
