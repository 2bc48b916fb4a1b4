// A value that a program keeps under a namespace and a key: `store/<namespace…>/<key>.json`, one file each.

import { formatJson, isJsonObject, parseJson } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { formatTime, parseTime } from '../../base/time.ts';

/** One item. Times are milliseconds since the Unix epoch. */
interface StoreItem {
  readonly value: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What it is found by; absent: every text in its value; empty: it is not searched. */
  readonly texts?: readonly string[];
}

/** The folder of all items. */
export const storeFolder = 'store';

/**
 * Writes a label or key as one segment of a path. Lower-case letters of ASCII, digits, `_` and `-` stay. Each UTF-8 byte of all else becomes
 * `=` and its two hexadecimal digits, as in quoted-printable text (RFC 2045 §6.7). So names that differ in case alone are two files on
 * every system, and none can be `..` or a device.
 */
export function segmentOf(name: string): string {
  const written = [...Buffer.from(name, 'utf8')]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return /[a-z0-9_-]/.test(letter) ? letter : escaped(byte);
    })
    .join('');
  // Windows knows these as devices whatever follows a dot.
  return /^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(written)
    ? escaped(written.charCodeAt(0)) + written.slice(1)
    : written;
}

const escaped = (byte: number): string => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** Reads what {@link segmentOf} wrote. */
function nameOfSegment(segment: string): string {
  const bytes = [...segment.matchAll(/=([0-9A-F]{2})|([^=])/g)].map(([, code, plain]) =>
    code === undefined ? plain!.charCodeAt(0) : Number.parseInt(code, 16),
  );
  return Buffer.from(bytes).toString('utf8');
}

export const itemPath = (namespace: readonly string[], key: string): string =>
  `${namespacePath(namespace)}/${segmentOf(key)}.json`;

/** Gives the folder of a namespace, without a final slash. */
export const namespacePath = (namespace: readonly string[]): string =>
  [storeFolder, ...namespace.map(segmentOf)].join('/');

/** Reads namespace and key from a path; null for a file that is no item. */
export function placeOfItem(path: string): { readonly namespace: string[]; readonly key: string } | null {
  const [root, ...names] = path.split('/');
  const last = names.pop();
  if (root !== storeFolder || last === undefined || !last.endsWith('.json')) return null;
  return { namespace: names.map(nameOfSegment), key: nameOfSegment(last.slice(0, -'.json'.length)) };
}

/** Formats an item; keys of its value keep their order. */
export function formatItem({ value, createdAt, updatedAt, texts }: StoreItem): string {
  return formatJson({
    value,
    created_at: formatTime(createdAt),
    updated_at: formatTime(updatedAt),
    ...defined({ texts }),
  });
}

/** Reads an item. Throws INVALID_RECORD. */
export function parseItem(text: string, path: string): StoreItem {
  const read = parseJson(text, path);
  const wrong = (what: string) =>
    new MemoryError('INVALID_RECORD', what, {
      where: path,
      hint: 'Restore the file from history, or put the value again',
    });
  if (!isJsonObject(read) || !isJsonObject(read.value))
    throw wrong('the file holds no item: an object as its "value" is missing');
  const { value, created_at: created, updated_at: updated, texts } = read;
  if (typeof created !== 'string' || typeof updated !== 'string')
    throw wrong('the item does not say when it was made and changed');
  if (texts !== undefined && !(Array.isArray(texts) && texts.every((one): one is string => typeof one === 'string')))
    throw wrong('"texts" is no list of texts');
  return {
    value,
    createdAt: parseTime(created, 'created_at'),
    updatedAt: parseTime(updated, 'updated_at'),
    ...(texts === undefined ? {} : { texts: texts as string[] }),
  };
}

/** Lists what an item is found by, in order: the texts and numbers of its value, whatever they are called and however deep. */
export function textsOfItem({ value, texts }: StoreItem): readonly string[] {
  if (texts !== undefined) return texts;
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part === 'string' || typeof part === 'number') found.push(String(part));
    else if (Array.isArray(part)) for (const one of part) visit(one);
    else if (isJsonObject(part)) for (const one of Object.values(part)) visit(one);
  };
  visit(value);
  return found;
}
