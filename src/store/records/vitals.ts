// Holds what strength, ageing and standing ask of a memory. Tables keep it in rows, so that nobody reads the texts for it.

import { sha256Hex } from '../../base/hash.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';

/** How a memory stands; times in seconds since the Unix epoch. */
export interface Vitals
  extends Pick<MemoryRecord, 'id' | 'createdAt' | 'lastUsed' | 'useCount' | 'strength' | 'status'>,
    Maybe<Pick<MemoryRecord, 'category' | 'importance' | 'expiresAt' | 'validUntil' | 'due'>> {
  /** Whether it names what took its place. */
  readonly isReplaced: boolean;
  /** The first of the tags that keep it from fading, where it has one. */
  readonly priority: Priority | undefined;
  /** Whether it holds whatever is asked: somebody gave that, by the field or the tag, or scorers are sure enough. */
  readonly stands: boolean;
  /** A number for the turn that it is from, as {@link turnMark} gives it. */
  readonly turn: number;
}

type Maybe<T> = { readonly [Key in keyof T]-?: T[Key] | undefined };

/** The tag of what holds whatever is asked. */
export const standingTag = 'standing';

export const priorities = ['P0', 'P1'] as const;
type Priority = (typeof priorities)[number];

/** Marks of a memory that is from no turn, and of one that is from several. */
export const noTurn = 0;
export const manyTurns = 1;

/** Gives a number for a turn, `path#number`; others may have it, too. */
export const turnMark = (turn: string): number =>
  Math.max(Number.parseInt(sha256Hex(turn).slice(0, 8), 16), manyTurns + 1);

/** Names the turns that a memory is from. */
export const turnsIn = ({ sources = [] }: Pick<MemoryRecord, 'sources'>): string[] =>
  sources.flatMap(({ path, turn }) => (turn === undefined ? [] : [`${path}#${turn}`]));

/** Gives how a record stands. Nothing is copied: lists ask it of each record, and mostly for its score. */
export const vitalsIn = (record: MemoryRecord): Vitals => new RecordVitals(record);

class RecordVitals implements Vitals {
  private readonly record: MemoryRecord;

  constructor(record: MemoryRecord) {
    this.record = record;
  }

  get id(): string {
    return this.record.id;
  }

  get createdAt(): number {
    return this.record.createdAt;
  }

  get lastUsed(): number {
    return this.record.lastUsed;
  }

  get useCount(): number {
    return this.record.useCount;
  }

  get strength(): number {
    return this.record.strength;
  }

  get status(): Vitals['status'] {
    return this.record.status;
  }

  get category(): Vitals['category'] {
    return this.record.category;
  }

  get importance(): number | undefined {
    return this.record.importance;
  }

  get expiresAt(): number | undefined {
    return this.record.expiresAt;
  }

  get validUntil(): number | undefined {
    return this.record.validUntil;
  }

  get due(): string | undefined {
    return this.record.due;
  }

  get isReplaced(): boolean {
    return this.record.replacedBy !== undefined;
  }

  get priority(): Priority | undefined {
    return this.record.meta.tags.find((tag): tag is Priority => priorities.some((one) => one === tag));
  }

  get stands(): boolean {
    const { standing, standingConfidence, meta } = this.record;
    return standing ?? (standingConfidence !== undefined || meta.tags.includes(standingTag));
  }

  get turn(): number {
    const [turn, ...others] = turnsIn(this.record);
    return turn === undefined ? noTurn : others.length > 0 ? manyTurns : turnMark(turn);
  }
}
