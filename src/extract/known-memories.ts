// The memories that an extraction plans against, found by what it asks: id, words, turn, or who may take back whom. Carried from
// one conversation to the next, so that many in a row cost what they bring and not what is there.

import { once } from '../base/once-per.ts';
import { normaliseForHash } from '../base/text.ts';
import { tokensOf } from '../base/tokenizer.ts';
import { holdsAt } from '../claims/claim.ts';
import { type Closing, closing } from '../claims/closing.ts';
import { type Reading, readSaid } from '../claims/reading.ts';
import type { Said } from '../claims/said.ts';
import type { MemoryRecord } from '../records/types.ts';
import { endedBy, type ReadClaim, readingOf, voiceOf } from './closings.ts';

/** Memories that may be said again: archived and superseded ones are left out. */
export const isActive = ({ status }: MemoryRecord): boolean => status === 'active' || status === 'promoted';

const firstPerson = /\b(?:I|[Mm]e|[Mm]y|[Mm]ine)\b/;

/** Names who speaks where the words of a memory mean somebody else by each mouth, as "I" does; else nothing. */
export function voiceInWords(record: MemoryRecord): string {
  return firstPerson.test(record.content) ? voiceOf(record) : '';
}

/** Names what a memory says: its words, letter case and punctuation apart, and whose they are; empty without words. */
export function sayingOf(record: MemoryRecord): string {
  const words = normaliseForHash(record.content);
  return words === '' ? '' : `${words}\n${voiceInWords(record)}`;
}

/** A longer text has more than one thing to say, and is not compared by its words. */
const maxLength = 600;
const wordsOf = ({ content }: MemoryRecord): Set<string> =>
  content.length > maxLength ? new Set() : new Set(tokensOf(content));

/** All memories of a state, in any status. */
export class KnownMemories {
  private readonly records = new Map<string, MemoryRecord>();
  /** Ids of active memories by what they say. */
  private readonly sayings = new Map<string, Set<string>>();
  /** What was superseded, by what it has of a conversation: path, turn and words. */
  private readonly settled = new Map<string, string>();
  /** What was read of claims, when it was first asked for; null for a text that is no single claim. */
  private readonly readings = new Map<string, Reading | null>();
  private readonly bySpeaker = new Map<string, Set<string>>();
  /** Ids by the words of their content; made when it is first asked for. */
  private mentions: Map<string, Set<string>> | null = null;

  constructor(records: Iterable<MemoryRecord> = []) {
    for (const record of records) this.put(record);
  }

  get size(): number {
    return this.records.size;
  }

  all(): IterableIterator<MemoryRecord> {
    return this.records.values();
  }

  get(id: string): MemoryRecord | undefined {
    return this.records.get(id);
  }

  /** Adds a memory, or puts its new version in the place of the old one. */
  put(record: MemoryRecord): void {
    const { id } = record;
    this.delete(id);
    this.records.set(id, record);
    const words = normaliseForHash(record.content);
    if (isActive(record) && words !== '') addTo(this.sayings, sayingOf(record), id);
    if (isActive(record) || record.status === 'superseded')
      for (const key of keysOf(record, words)) this.settled.set(key, id);
    addTo(this.bySpeaker, voiceOf(record), id);
    if (this.mentions !== null) for (const word of wordsOf(record)) addTo(this.mentions, word, id);
  }

  delete(id: string): void {
    const record = this.records.get(id);
    if (record === undefined) return;
    this.records.delete(id);
    const words = normaliseForHash(record.content);
    removeFrom(this.sayings, sayingOf(record), id);
    for (const key of keysOf(record, words)) if (this.settled.get(key) === id) this.settled.delete(key);
    this.readings.delete(id);
    removeFrom(this.bySpeaker, voiceOf(record), id);
    if (this.mentions !== null) {
      for (const word of wordsOf(record)) removeFrom(this.mentions, word, id);
    }
  }

  /** Finds the active memory with a {@link sayingOf}; of several the one with the smallest id. */
  saying(saying: string): MemoryRecord | undefined {
    let smallest: string | undefined;
    for (const id of this.sayings.get(saying) ?? []) if (smallest === undefined || id < smallest) smallest = id;
    return smallest === undefined ? undefined : this.records.get(smallest);
  }

  /** Finds what was taken from this turn in these words, and what of it has been superseded since. */
  settledAt(path: string, turn: number, words: string): MemoryRecord | undefined {
    const id = this.settled.get(`${path} ${turn} ${words}`);
    return id === undefined ? undefined : this.records.get(id);
  }

  /** Lists memories whose content has all of some words, as `tokensOf` gives them. */
  mentioning(words: ReadonlySet<string>): MemoryRecord[] {
    const mentions = this.mentionsOf();
    const sets = [...words].map((word) => mentions.get(word) ?? new Set<string>());
    const [rarest, ...others] = sets.sort((a, b) => a.size - b.size);
    return [...(rarest ?? [])].filter((id) => others.every((set) => set.has(id))).map((id) => this.records.get(id)!);
  }

  private mentionsOf(): ReadonlyMap<string, ReadonlySet<string>> {
    if (this.mentions === null) {
      this.mentions = new Map();
      for (const record of this.records.values()) {
        for (const word of wordsOf(record)) addTo(this.mentions, word, record.id);
      }
    }
    return this.mentions;
  }

  /** Lists claims that hold at a time, in seconds, and share words with a text: the rarer the words, the earlier. */
  likely(text: string, seconds: number): MemoryRecord[] {
    return this.sharing(text).filter((record) => isActive(record) && holdsAt(record, seconds));
  }

  private sharing(text: string): MemoryRecord[] {
    const mentions = this.mentionsOf();
    const weights = new Map<string, number>();
    for (const word of new Set(tokensOf(text))) {
      const ids = mentions.get(word);
      for (const id of ids ?? []) weights.set(id, (weights.get(id) ?? 0) + 1 / (1 + ids!.size));
    }
    return [...weights]
      .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .map(([id]) => this.records.get(id)!);
  }

  /** Gives a claim with what it says; undefined where it is no single claim. */
  claim(record: MemoryRecord): ReadClaim | undefined {
    let reading = this.readings.get(record.id);
    if (reading === undefined) {
      reading = readingOf(record) ?? null;
      this.readings.set(record.id, reading);
    }
    return reading === null ? undefined : { record, reading };
  }

  /**
   * Lists claims that another one may end, or that may end it. They share its rarest words, or are the latest of the same speaker, who need
   * not name again what changed.
   */
  near({ record, reading }: ReadClaim): MemoryRecord[] {
    const { text, before } = reading.said;
    const words = `${text} ${record.statement ?? ''} ${before.map((one) => one.text).join(' ')}`;
    const found = new Map(
      this.sharing(words)
        .slice(0, maxNear)
        .map((one) => [one.id, one]),
    );
    const own = [...(this.bySpeaker.get(voiceOf(record)) ?? [])].map((id) => this.records.get(id)!);
    own.sort((one, other) => other.createdAt - one.createdAt);
    for (const one of own.slice(0, maxNear)) found.set(one.id, one);
    found.delete(record.id);
    return [...found.values()];
  }

  /** Tells why a sentence ends a claim that holds at a time, in seconds; only the likeliest are compared. Undefined where it ends none. */
  endingBy(said: Said, seconds: number): Closing['reason'] | undefined {
    const later = once(() => readSaid(said));
    for (const old of this.likely(said.text, seconds).slice(0, mostLikely)) {
      const earlier = this.claim(old);
      const found = earlier === undefined ? null : closing(earlier.reading, later());
      if (found !== null) return found.reason;
    }
    return undefined;
  }

  /** Lists the claims that a memory ends; `said` is its sentence with what stands around it, where that is known. */
  endedBy(record: MemoryRecord, said?: Said): MemoryRecord[] {
    return [...this.compared(record, said)].filter((old) => old !== null);
  }

  /** Gives the same one comparison at a time, and null for a claim that stays: some take longer than others should wait. */
  *compared(record: MemoryRecord, said?: Said): Generator<MemoryRecord | null> {
    const claim = said === undefined ? this.claim(record) : { record, reading: readSaid(said) };
    if (claim === undefined) return;
    for (const old of this.near(claim)) {
      const earlier = this.claim(old);
      yield earlier !== undefined && endedBy(claim, earlier) !== null ? old : null;
    }
  }
}

/** So many claims are compared with a new one, of each kind. */
const maxNear = 100;
const mostLikely = 10;

function keysOf({ sources = [] }: MemoryRecord, words: string): string[] {
  return sources.map(({ path, turn }) => `${path} ${turn} ${words}`);
}

function addTo(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids) ids.add(id);
  else index.set(key, new Set([id]));
}

function removeFrom(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
}
