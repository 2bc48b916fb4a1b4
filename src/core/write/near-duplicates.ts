// Whether a new memory says what another says already. It is looked up while somebody waits for a write. So it follows what changed since
// the last look, never waits for a model, and is left to consolidation where a store is large.

import { discrepancyReader } from '../../base/discrepancy.ts';
import { defined } from '../../base/errors.ts';
import { normaliseForHash } from '../../base/text.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { VectorTable } from '../../search/index.ts';
import { attributeKeyOf, holdsAt, isOver } from '../../store/claims/claim.ts';
import { sayingOf } from '../../store/claims/saying.ts';
import { type MemoryCatalog, type Stored, vitalsOf } from '../../store/memory-catalog.ts';
import { MemoryFollower } from '../../store/memory-follower.ts';
import { type ReadTree, surelyHoldsMore } from '../../store/memory-quota.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { hashedDimensions, vectorOfTerms } from '../lifecycle/hashed-words.ts';
import { nearDuplicate } from '../lifecycle/likeness.ts';
import { reinforced, type UseRules } from '../lifecycle/reinforce.ts';

/** An active memory that says nearly the same. */
export interface NearDuplicate {
  readonly id: string;
  readonly content: string;
  /** 0 to 1. */
  readonly likeness: number;
}

interface Known {
  readonly oid: string;
  readonly record: MemoryRecord;
  readonly words: string;
  /** Where its vector is; undefined as long as nobody needed one. */
  row: number | undefined;
}

const maxShown = 3;
/** Where there are more memories, a new one is compared by the next consolidation and not while it is written. */
const mostCompared = 5000;
/** What has fewer words may be the same by chance, or a name, a number or a sign that is meant as it stands. */
const minWords = 3;

/** Knows the active memories of one branch by their words and vectors. */
export class NearDuplicates {
  private readonly catalog: MemoryCatalog;
  private readonly readTree: ReadTree;
  // Made when the first memory is taken in: its scan is compiled, which a reader would pay for.
  private made: VectorTable | undefined;
  private readonly free: number[] = [];
  /** Those without a vector. */
  private readonly unread = new Set<Known>();
  private wasAsked = false;
  private readonly byPath = new Map<string, Known>();
  private readonly byRow: (Known | undefined)[] = [];
  private readonly byWords = new Map<string, Set<Known>>();
  /** The values of each subject's attribute. */
  private readonly byAttribute = new Map<string, Set<Known>>();
  private readonly follower: MemoryFollower;
  private listed: { readonly tree: string | null; readonly count: number } | undefined;

  constructor(catalog: MemoryCatalog, readTree: ReadTree) {
    this.catalog = catalog;
    this.readTree = readTree;
    this.follower = new MemoryFollower(catalog, {
      put: (stored) => this.put(stored),
      remove: (path) => this.remove(path),
    });
  }

  /** Finds who says the same, letter case, punctuation and articles apart, and who nearly does; nobody where more memories are than {@link mostCompared}. */
  find(
    snapshot: Snapshot,
    { content, category, due, subject }: MemoryRecord,
    now: number,
  ): { same: MemoryRecord | null; near: NearDuplicate[] } {
    if (this.isLarge(snapshot)) return { same: null, near: [] };
    this.follower.follow(snapshot);
    const words = sayingOf(content);
    const isOf = (record: MemoryRecord): boolean =>
      (category === undefined || record.category === undefined || record.category === category) &&
      (subject === undefined ||
        record.subject === undefined ||
        normaliseForHash(record.subject) === normaliseForHash(subject)) &&
      record.due === due &&
      !isOver(record, now);
    const isText = words.split(' ').length >= minWords;
    const same = isText ? [...(this.byWords.get(words) ?? [])].find(({ record }) => isOf(record)) : undefined;
    if (same) return { same: same.record, near: [] };
    // A process that writes one memory and ends needs few vectors; one that goes on needs all.
    const mayBeNear = halfTheWordsOf(words);
    this.readVectors(this.wasAsked ? () => true : (known) => mayBeNear(known.words));
    this.wasAsked = true;
    if (this.made === undefined) return { same: null, near: [] };
    const discrepancyOf = discrepancyReader();
    const near = this.soundingLike(content, nearDuplicate)
      .filter(({ record }) => record.due === due && discrepancyOf(record.content, content) === undefined)
      .slice(0, maxShown)
      .map(({ record, likeness }) => ({
        id: record.id,
        content: record.content,
        likeness: Number(likeness.toFixed(4)),
      }));
    return { same: null, near };
  }

  private isLarge(snapshot: Snapshot): boolean {
    const { tree } = snapshot;
    if (surelyHoldsMore(mostCompared, tree, this.readTree)) return true;
    const counted = this.catalog.count(snapshot);
    if (counted !== null) return counted > mostCompared;
    if (this.listed?.tree !== tree)
      this.listed = { tree, count: snapshot.withoutOverlay().listNamed('memories/').size };
    return (snapshot.overlay?.files.size ?? 0) + this.listed.count > mostCompared;
  }

  /** Learns what a state holds, in turns with others, so that the first {@link alike} holds nobody up. */
  async learn(snapshot: Snapshot, turn: () => Promise<void> | undefined): Promise<void> {
    await this.follower.begin(snapshot, turn);
    for (const known of this.unread) {
      await turn();
      this.readVector(known);
    }
  }

  /** Lists the active memories that sound like one of a state, likest first, whatever they differ in. */
  alike(
    snapshot: Snapshot,
    { id, content }: MemoryRecord,
    threshold: number,
  ): { record: MemoryRecord; likeness: number }[] {
    this.follower.follow(snapshot);
    this.readVectors(() => true);
    return this.soundingLike(content, threshold, id);
  }

  private soundingLike(content: string, minScore: number, but?: string): { record: MemoryRecord; likeness: number }[] {
    const isWanted = (row: number) => this.byRow[row] !== undefined && this.byRow[row].record.id !== but;
    return this.table
      .search(vectorOfTerms(tokensOf(content)), { limit: 4 * maxShown, minScore, isWanted })
      .map(({ row, score }) => ({ record: this.byRow[row]!.record, likeness: Math.min(1, score) }));
  }

  /** Lists the claims that hold now of a subject and attribute; to be asked after {@link find} of the same state. */
  holding(record: MemoryRecord, now: number): MemoryRecord[] {
    const values = this.byAttribute.get(attributeKeyOf(record) ?? '') ?? [];
    return [...values].map((value) => value.record).filter((value) => holdsAt(value, now));
  }

  private get table(): VectorTable {
    this.made ??= new VectorTable(hashedDimensions);
    return this.made;
  }

  private readVectors(isNeeded: (known: Known) => boolean): void {
    for (const known of this.unread) if (isNeeded(known)) this.readVector(known);
  }

  private readVector(known: Known): void {
    this.unread.delete(known);
    known.row = this.free.pop() ?? this.table.size;
    this.table.set(known.row, vectorOfTerms(tokensOf(known.record.content)));
    this.byRow[known.row] = known;
  }

  private put(stored: Stored<MemoryRecord>): void {
    const { path, oid } = stored;
    const known = this.byPath.get(path);
    if (known?.oid === oid) return;
    this.remove(path);
    if (vitalsOf(stored).status !== 'active') return;
    const { record } = stored;
    const entry: Known = { oid, record, words: sayingOf(record.content), row: undefined };
    this.byPath.set(path, entry);
    this.unread.add(entry);
    for (const [index, key] of this.keysOf(entry)) index.set(key, (index.get(key) ?? new Set()).add(entry));
  }

  private remove(path: string): void {
    const known = this.byPath.get(path);
    if (known === undefined) return;
    this.byPath.delete(path);
    this.unread.delete(known);
    if (known.row !== undefined) {
      this.byRow[known.row] = undefined;
      this.free.push(known.row);
    }
    for (const [index, key] of this.keysOf(known)) {
      const others = index.get(key)!;
      others.delete(known);
      if (others.size === 0) index.delete(key);
    }
  }

  private keysOf({ words, record }: Known): (readonly [Map<string, Set<Known>>, string])[] {
    const attribute = attributeKeyOf(record);
    return [[this.byWords, words], ...(attribute === undefined ? [] : [[this.byAttribute, attribute] as const])];
  }
}

/** In letters: words are longer on average where a script has no spaces. */
const longWord = 12;

/**
 * Tells of the words of another text whether half of these are among them, in some form: {@link nearDuplicate} needs more. Forms of a word
 * begin alike.
 */
function halfTheWordsOf(text: string): (other: string) => boolean {
  const words = text.split(' ');
  if (text.length > longWord * words.length) return () => true;
  const beginnings = [...new Set(words.map((word) => word.slice(0, 3)))];
  return (other) => beginnings.filter((beginning) => other.includes(beginning)).length * 2 >= beginnings.length;
}

/** Gives what a second telling makes of a memory: used, confirmed if it was a guess, told from one more place, with what it lacked. */
export function confirmed(record: MemoryRecord, told: MemoryRecord, rules: UseRules, now: number): MemoryRecord {
  const used = reinforced(record, { now, tags: told.meta.tags }, rules);
  const { expiresAt: _, ...lasting } = used;
  const isGuess = record.confidenceTier === 'speculative';
  const { statement, subject, attribute, validFrom, validUntil, category } = told;
  return {
    ...defined({ statement, subject, attribute, validFrom, validUntil, category }),
    ...(isGuess ? { ...lasting, confidence: 0.95, confidenceTier: 'explicit' as const } : used),
    meta: {
      ...record.meta,
      tags: [...new Set([...record.meta.tags, ...told.meta.tags])],
      source: together(record.meta.source, told.meta.source),
      context: together(record.meta.context, told.meta.context),
    },
    entities: [...new Set([...record.entities, ...told.entities])],
    ...defined({ sources: joined(record.sources, told.sources) }),
  };
}

function joined(known: MemoryRecord['sources'], told: MemoryRecord['sources']): MemoryRecord['sources'] {
  if (known === undefined || told === undefined) return known ?? told;
  return [...known, ...told.filter(({ path }) => !known.some((one) => one.path === path))];
}

function together(one: string | null, other: string | null): string | null {
  if (other === null || one === null) return one ?? other;
  return one.split('; ').includes(other) ? one : `${one}; ${other}`;
}
