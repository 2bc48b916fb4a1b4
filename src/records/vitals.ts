// What a memory is apart from what it says: all that strength and ageing ask. Tables keep it in rows, so that nobody reads the texts for it.

import type { MemoryRecord } from './types.ts';

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

/** Gives how a record stands. */
export function vitalsIn(record: MemoryRecord): Vitals {
  const { createdAt, lastUsed, useCount, strength, status, meta } = record;
  const { category, importance, expiresAt, validUntil, due } = record;
  const isReplaced = record.replacedBy !== undefined;
  const priority = meta.tags.find((tag): tag is Priority => priorities.some((one) => one === tag));
  return {
    ...{ createdAt, lastUsed, useCount, strength, status },
    ...{ category, importance, expiresAt, validUntil, due, isReplaced, priority },
  };
}
