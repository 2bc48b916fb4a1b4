// Passes what was done with a memory on one side on to the record that the other side consolidated it into.

import { formatJson, isJsonObject, isSameJson, parseJson } from '../../base/canonical-json.ts';
import { formatMemory, parseMemory } from '../records/memory-record.ts';
import { type LostValue, mergeSets } from './json.ts';
import { memoryRules } from './memory-record.ts';

type Fields = Record<string, unknown>;

/**
 * Hands a change of one record on to another, its heir. Increments are added, later times and greater strengths win. What was added to
 * tags, entities and sources joins the heir's. Any other field that changed stands among the heir's `alternatives`, so that no words are
 * gone.
 *
 * All three are records as JSON; `path` is the heir's. The outcome names, as conflicts, the fields that became alternatives. Throws
 * INVALID_RECORD.
 */
export function inheritChange(
  heir: string,
  path: string,
  base: string,
  changed: string,
): { readonly merged: string; readonly conflicts: readonly string[] } {
  const value = fieldsOf(heir, path);
  const [before, after] = [flat(fieldsOf(base, path)), flat(fieldsOf(changed, path))];
  const lost: LostValue[] = [];
  for (const [field, later] of after) {
    const earlier = before.get(field);
    if (field === 'id' || field === 'created_at' || isSameJson(earlier, later)) continue;
    const rule = Object.hasOwn(memoryRules, field) ? memoryRules[field] : undefined;
    const own = get(value, field);
    if (rule === 'sum') set(value, field, Math.max(0, number(own) + number(later) - number(earlier)));
    else if (rule === 'max') set(value, field, Math.max(number(own), number(later)));
    else if (rule === 'set') set(value, field, mergeSets([], list(own), added(list(earlier), list(later))));
    else if (later !== null && !isSameJson(own, later)) lost.push({ field, value: later });
  }
  if (lost.length > 0) value.alternatives = mergeSets([], list(value.alternatives), lost);
  return { merged: formatMemory(parseMemory(formatJson(value), path)), conflicts: lost.map(({ field }) => field) };
}

const fieldsOf = (text: string, path: string): Fields =>
  parseJson(formatMemory(parseMemory(text, path)), path) as Fields;

/** Fields by dotted key, those of `meta` one by one. */
function flat(fields: Fields): Map<string, unknown> {
  const { meta, ...rest } = fields;
  const inner = isJsonObject(meta) ? Object.entries(meta).map(([key, value]) => [`meta.${key}`, value] as const) : [];
  return new Map([...Object.entries(rest), ...inner]);
}

const get = (fields: Fields, field: string): unknown =>
  field.startsWith('meta.') ? (fields.meta as Fields)[field.slice(5)] : fields[field];

function set(fields: Fields, field: string, value: unknown): void {
  if (field.startsWith('meta.')) (fields.meta as Fields)[field.slice(5)] = value;
  else fields[field] = value;
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0);

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const added = (before: readonly unknown[], after: readonly unknown[]): unknown[] =>
  after.filter((item) => !before.some((known) => isSameJson(known, item)));
