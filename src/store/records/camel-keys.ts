// Keys as files write them, brought to the form in which code writes them.

type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;

/** A JSON value whose objects have camelCase keys in place of snake_case ones, all the way down. */
export type CamelKeys<T> = T extends readonly unknown[]
  ? Readonly<T>
  : T extends object
    ? { readonly [Key in keyof T as Camel<Key>]: CamelKeys<T[Key]> }
    : T;

/** Copies an object with camelCase keys in place of snake_case ones: `{ flush_minutes: 30 }` is `{ flushMinutes: 30 }`. */
export function camelKeys<T extends object>(value: T): CamelKeys<T> {
  const entries = Object.entries(value).map(([key, inner]) => [
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? camelKeys(inner) : inner,
  ]);
  return Object.fromEntries(entries) as CamelKeys<T>;
}

/** Writes a key of code as files have it: `createdAt` is `created_at`. */
export const snakeKey = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Copies an object with the keys that files have; what is within stays as it is. */
export const snakeKeys = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [snakeKey(key), inner]));
