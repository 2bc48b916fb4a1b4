// The memories that an extraction plans against, found by what it asks: id, words, turn, subject and attribute. Carried from
// one conversation to the next, so that many in a row cost what they bring and not what is there.

import { normaliseForHash } from '../../base/text.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { attributeKeyOf, holdsAt, isOpen, wordsOfClaim } from '../../store/claims/claim.ts';
import { sayingOf as sayingOfText } from '../../store/claims/saying.ts';
import { speakerOf } from '../../store/claims/speaker.ts';

/** Memories that may be said again: archived and superseded ones are left out. */
export const isActive = ({ status }: MemoryRecord): boolean => status === 'active' || status === 'promoted';

const firstPerson = /\b(?:I|[Mm]e|[Mm]y|[Mm]ine)\b/;

/** Names the speaker of a claim: an entity that its words do not name, else `the user` or `the assistant`. */
const voiceOf = ({ content, entities, sources }: MemoryRecord): string =>
  entities.find((name) => !content.includes(name)) ?? speakerOf({ role: sources?.[0]?.role ?? 'user' });

/** Names what a memory says: its words as {@link sayingOfText} gives them, and whose they are where "I" says them; empty without words. */
export function sayingOf(record: MemoryRecord): string {
  const said = wordsOfClaim(record);
  const words = sayingOfText(said);
  return words === '' ? '' : `${words}\n${firstPerson.test(said) ? voiceOf(record) : ''}`;
}

/** A longer text has more than one thing to say, and is not compared by its words. */
const maxLength = 600;
const wordsOf = ({ content, statement = '' }: MemoryRecord): Set<string> =>
  content.length > maxLength ? new Set() : new Set(tokensOf(`${content} ${statement}`));

/** All memories of a state, in any status. */
export class KnownMemories {
  private readonly records = new Map<string, MemoryRecord>();
  /** Ids of active memories by what they say. */
  private readonly sayings = new Map<string, Set<string>>();
  /** What was superseded, by what it has of a conversation: path, turn and words. */
  private readonly settled = new Map<string, string>();
  /** Ids of all memories by the turns that they were taken from. */
  private readonly byTurn = new Map<string, Set<string>>();
  private readonly byAttribute = new Map<string, Set<string>>();
  private readonly byName = new Map<string, Set<string>>();
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
    if (isActive(record) || record.status === 'superseded') for (const key of keysOf(record)) this.settled.set(key, id);
    for (const turn of turnsOf(record)) addTo(this.byTurn, turn, id);
    const attribute = attributeKeyOf(record);
    if (attribute !== undefined) addTo(this.byAttribute, attribute, id);
    for (const name of record.entities) addTo(this.byName, name, id);
    if (this.mentions !== null) for (const word of wordsOf(record)) addTo(this.mentions, word, id);
  }

  delete(id: string): void {
    const record = this.records.get(id);
    if (record === undefined) return;
    this.records.delete(id);
    removeFrom(this.sayings, sayingOf(record), id);
    for (const key of keysOf(record)) if (this.settled.get(key) === id) this.settled.delete(key);
    for (const turn of turnsOf(record)) removeFrom(this.byTurn, turn, id);
    const attribute = attributeKeyOf(record);
    if (attribute !== undefined) removeFrom(this.byAttribute, attribute, id);
    for (const name of record.entities) removeFrom(this.byName, name, id);
    if (this.mentions !== null) {
      for (const word of wordsOf(record)) removeFrom(this.mentions, word, id);
    }
  }

  /** Tells whether a memory names somebody or something so. */
  isNamed(name: string): boolean {
    return this.byName.has(name);
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

  /**
   * Finds the memory of a turn that has these words among others, or has some of them. Another version of an extractor cut the turn
   * otherwise.
   */
  takenFrom(path: string, turn: number, words: string): MemoryRecord | undefined {
    for (const id of this.byTurn.get(`${path} ${turn}`) ?? []) {
      const record = this.records.get(id)!;
      if (record.status === 'archived') continue;
      const known = ` ${normaliseForHash(record.content)} `;
      if (known.includes(` ${words} `) || ` ${words} `.includes(known)) return record;
    }
    return undefined;
  }

  /** Lists the open claims that are values of the same subject and attribute, both given, as a claim. */
  otherValues(record: MemoryRecord): MemoryRecord[] {
    const key = attributeKeyOf(record);
    const ids = key === undefined ? [] : [...(this.byAttribute.get(key) ?? [])];
    return ids
      .map((id) => this.records.get(id)!)
      .filter((other) => other.id !== record.id && isActive(other) && isOpen(other));
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

  /** Lists open claims that hold at a time, in seconds; with a text those that share words with it, the rarer the words, the earlier. */
  open(seconds: number, text?: string): MemoryRecord[] {
    const records = text === undefined ? [...this.records.values()] : this.sharing(text);
    return records.filter((record) => isActive(record) && isOpen(record) && holdsAt(record, seconds));
  }

  /** Finds what another way of reading has quoted of a turn: open claims without a statement whose words are among some, or have them. */
  quotedFrom(path: string, turn: number, quote: string): MemoryRecord | undefined {
    const words = ` ${normaliseForHash(quote)} `;
    for (const id of this.byTurn.get(`${path} ${turn}`) ?? []) {
      const record = this.records.get(id)!;
      if (!isActive(record) || !isOpen(record) || record.statement !== undefined) continue;
      const known = ` ${normaliseForHash(record.content)} `;
      if (known.includes(words) || words.includes(known)) return record;
    }
    return undefined;
  }

  /** Finds the claim that was taken from a turn in these words; of one claim alone whatever its words are. */
  ofTurn(path: string, turn: number, words: string): MemoryRecord | undefined {
    const ids = [...(this.byTurn.get(`${path} ${turn}`) ?? [])];
    return (
      this.settledAt(path, turn, normaliseForHash(words)) ?? (ids.length === 1 ? this.records.get(ids[0]!) : undefined)
    );
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
}

const turnsOf = ({ sources = [] }: MemoryRecord): string[] =>
  sources.flatMap(({ path, turn }) => (turn === undefined ? [] : [`${path} ${turn}`]));

/** What a model says of the words names a claim, where one does: several may rest on the same words. */
function keysOf(record: MemoryRecord): string[] {
  const words = normaliseForHash(wordsOfClaim(record));
  return (record.sources ?? []).map(({ path, turn }) => `${path} ${turn} ${words}`);
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
