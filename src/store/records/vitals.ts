// Holds what strength and ageing ask of a memory. Tables keep it in rows, so that nobody reads the texts for it.

import type { MemoryRecord } from '../../base/types/stored-types.ts';

/** How a memory stands; times in seconds since the Unix epoch. */
export interface Vitals
  extends Pick<MemoryRecord, 'createdAt' | 'lastUsed' | 'useCount' | 'strength' | 'status'>,
    Maybe<Pick<MemoryRecord, 'category' | 'importance' | 'expiresAt' | 'validUntil' | 'due'>> {
  /** Whether it names what took its place. */
  readonly isReplaced: boolean;
  /** The first of the tags that keep it from fading, where it has one. */
  readonly priority: Priority | undefined;
}

type Maybe<T> = { readonly [Key in keyof T]-?: T[Key] | undefined };

export const priorities = ['P0', 'P1'] as const;
type Priority = (typeof priorities)[number];

/** Gives how a record stands. Nothing is copied: lists ask it of each record, and mostly for its score. */
export const vitalsIn = (record: MemoryRecord): Vitals => new RecordVitals(record);

class RecordVitals implements Vitals {
  private readonly record: MemoryRecord;

  constructor(record: MemoryRecord) {
    this.record = record;
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
}
