// Compares two versions of a record, field by field, as its file names the fields.

import { isJsonObject } from '../base/canonical-json.ts';
import { defined } from '../base/defined.ts';
import { attempt } from '../base/or-else.ts';

/** One field; undefined where the version has none. Nested fields have a path: `meta.tags`. */
interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Compares two versions of a JSON record, `null` for none; gives `null` when one is not a JSON object.
 *
 * Objects are looked into, lists are compared as a whole. Fields come in the order of the newer version, what it lost after them.
 */
export function fieldChanges(before: string | null, after: string | null): FieldChange[] | null {
  const [left, right] = [before, after].map((text) => (text === null ? {} : parseObject(text)));
  if (!left || !right) return null;
  const changes: FieldChange[] = [];
  try {
    collect(left, right, '', changes);
  } catch (error) {
    // Values that nest deeper than they can be written down; the lines are still compared.
    if (error instanceof RangeError) return null;
    throw error;
  }
  return changes;
}

type JsonObject = Readonly<Record<string, unknown>>;

function collect(left: JsonObject, right: JsonObject, prefix: string, changes: FieldChange[]): void {
  for (const key of new Set([...Object.keys(right), ...Object.keys(left)])) {
    const field = `${prefix}${key}`;
    const before = Object.hasOwn(left, key) ? left[key] : undefined;
    const after = Object.hasOwn(right, key) ? right[key] : undefined;
    const [inner, other] = [asObject(before), asObject(after)];
    // Records are flat but for a level or two; what is made deeper is compared as a whole.
    if (
      prefix.split('.').length < 4 &&
      (inner ?? other) &&
      (inner || before === undefined) &&
      (other || after === undefined)
    ) {
      collect(inner ?? {}, other ?? {}, `${field}.`, changes);
    } else if (JSON.stringify(before) !== JSON.stringify(after)) {
      changes.push({ field, ...defined({ before, after }) });
    }
  }
}

function parseObject(text: string): JsonObject | null {
  // Somebody wrote it by hand; its lines are still compared.
  return attempt(() => asObject(JSON.parse(text)), null);
}

const asObject = (value: unknown): JsonObject | null => (isJsonObject(value) ? value : null);
