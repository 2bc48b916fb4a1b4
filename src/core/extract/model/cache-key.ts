// Answers that were paid for are kept, by all that shaped them.

import { sha256Hex } from '../../../base/hash.ts';

/** Keeps texts by key; losing one costs asking again. Keys are hexadecimal. */
export interface AnswerCache {
  get(key: string): string | undefined;
  put(key: string, value: string): void;
}

/** Computes the key of a value that JSON can hold. */
export const canonicalHash = (value: unknown): string => sha256Hex(JSON.stringify(value));

/** Makes a cache that lasts as long as the process. */
export function memoryCache(): AnswerCache {
  const entries = new Map<string, string>();
  return { get: (key) => entries.get(key), put: (key, value) => void entries.set(key, value) };
}
