// The memories that an extraction plans against, found by what it asks: id, words, turn, or who may take back whom. Carried from
// one conversation to the next, so that many in a row cost what they bring and not what is there.

import { normaliseForHash } from '../base/text.ts';
import type { MemoryRecord } from '../records/types.ts';
import { type Superseder, supersederOf, wordsThatMatter } from './supersede.ts';

/** Memories that may be said again: archived and superseded ones are left out. */
export const isActive = ({ status }: MemoryRecord): boolean => status === 'active' || status === 'promoted';

/** All memories of a state, in any status. */
export class KnownMemories {
  private readonly records = new Map<string, MemoryRecord>();
  /** Ids of active memories by their words, normalised. */
  private readonly speakers = new Map<string, Set<string>>();
  /** What was superseded, by what it has of a conversation: path, turn and words. */
  private readonly settled = new Map<string, string>();
  private readonly superseders = new Map<string, Superseder>();
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
    if (isActive(record) && words !== '') addTo(this.speakers, words, id);
    if (record.status === 'superseded') for (const key of keysOf(record, words)) this.settled.set(key, id);
    const superseder = supersederOf(record);
    if (superseder !== undefined) this.superseders.set(id, superseder);
    if (this.mentions !== null) for (const word of wordsThatMatter(record.content)) addTo(this.mentions, word, id);
  }

  delete(id: string): void {
    const record = this.records.get(id);
    if (record === undefined) return;
    this.records.delete(id);
    const words = normaliseForHash(record.content);
    removeFrom(this.speakers, words, id);
    for (const key of keysOf(record, words)) if (this.settled.get(key) === id) this.settled.delete(key);
    this.superseders.delete(id);
    if (this.mentions !== null) {
      for (const word of wordsThatMatter(record.content)) removeFrom(this.mentions, word, id);
    }
  }

  /** Finds the active memory that says these words, normalised; of several the one with the smallest id. */
  saying(words: string): MemoryRecord | undefined {
    let smallest: string | undefined;
    for (const id of this.speakers.get(words) ?? []) if (smallest === undefined || id < smallest) smallest = id;
    return smallest === undefined ? undefined : this.records.get(smallest);
  }

  /** Finds what was taken from this turn in these words and has been superseded since. */
  settledAt(path: string, turn: number, words: string): MemoryRecord | undefined {
    const id = this.settled.get(`${path} ${turn} ${words}`);
    return id === undefined ? undefined : this.records.get(id);
  }

  /** Lists memories whose content has all of some words, as `wordsThatMatter` gives them. */
  mentioning(words: ReadonlySet<string>): MemoryRecord[] {
    if (this.mentions === null) {
      this.mentions = new Map();
      for (const { id, content } of this.records.values()) {
        for (const word of wordsThatMatter(content)) addTo(this.mentions, word, id);
      }
    }
    const sets = [...words].map((word) => this.mentions!.get(word) ?? new Set<string>());
    const [rarest, ...others] = sets.sort((a, b) => a.size - b.size);
    return [...(rarest ?? [])].filter((id) => others.every((set) => set.has(id))).map((id) => this.records.get(id)!);
  }

  /** Lists memories that may take back others, made at a time (in seconds) or later, in the order they were made. */
  supersedersSince(seconds: number): { readonly record: MemoryRecord; readonly superseder: Superseder }[] {
    return [...this.superseders]
      .map(([id, superseder]) => ({ record: this.records.get(id)!, superseder }))
      .filter(({ record }) => record.createdAt >= seconds)
      .sort((a, b) => a.record.createdAt - b.record.createdAt || (a.record.id < b.record.id ? -1 : 1));
  }
}

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
