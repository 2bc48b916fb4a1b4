// Three-way merge of the YAML block of a markdown file, key by key; unchanged keys keep their bytes.

import { orElse } from '../../base/errors.ts';
import { parseTime } from '../../base/time.ts';
import { formatYamlObject, parseYamlObject } from '../records/yaml.ts';
import { itemsById } from './id-lists.ts';
import { mergeJson, mergeSets } from './json.ts';
import type { Winner } from './result.ts';
import { mergeText } from './text.ts';

interface BlockMerge {
  readonly block: string;
  /** Keys that were changed in two ways; the winner's value stands. */
  readonly conflicts: readonly string[];
}

/**
 * Merges two YAML blocks, without their enclosing lines, that both come from `base`.
 *
 * A key that both sides changed is settled where its value allows. The later of two times stands, and the greater of two numbers of tokens;
 * lists merge as sets. Lists of objects with ids merge object by object. `line_count` is ours; whoever writes the file counts again.
 */
export function mergeBlocks(base: string, ours: string, theirs: string, winner: Winner = 'ours'): BlockMerge {
  const plain = mergeText(base, ours, theirs);
  if (plain.clean) return { block: plain.text, conflicts: [] };
  const [before, mine, other] = [base, ours, theirs].map(entriesOf) as [Entries, Entries, Entries];
  const conflicts: string[] = [];
  const merged: string[] = [];
  for (const key of new Set([...mine.keys(), ...other.keys()])) {
    const [b, o, t] = [before.get(key), mine.get(key), other.get(key)];
    if (o === t || t === b) merged.push(o ?? '');
    else if (o === b) merged.push(t ?? '');
    else {
      const settled = o === undefined || t === undefined ? undefined : settle(key, b, o, t, winner, conflicts);
      if (settled === undefined) conflicts.push(key);
      // A key that one side dropped and the other changed stays.
      merged.push(settled ?? (winner === 'ours' ? (o ?? t) : (t ?? o)) ?? '');
    }
  }
  return { block: merged.join(''), conflicts };
}

type Entries = Map<string, string>;

/** Top-level keys with their lines; comments belong to the key below them. */
function entriesOf(block: string): Entries {
  const entries: Entries = new Map();
  let key = '';
  let pending = '';
  for (const line of block.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const found = /^(?:"([^"]*)"|'([^']*)'|([^\s#"'-][^:#]*?))[ \t]*:(?=\s|$)/.exec(line);
    if (found !== null) {
      key = found[1] ?? found[2] ?? found[3] ?? '';
      entries.set(key, pending + line);
      pending = '';
    } else if (/^#/.test(line)) pending += line;
    else {
      entries.set(key, (entries.get(key) ?? '') + pending + line);
      pending = '';
    }
  }
  if (pending !== '') entries.set(key, (entries.get(key) ?? '') + pending);
  return entries;
}

function settle(
  key: string,
  base: string | undefined,
  ours: string,
  theirs: string,
  winner: Winner,
  conflicts: string[],
): string | undefined {
  if (key === 'line_count') return ours;
  const [before, mine, other] = [base ?? '', ours, theirs].map((text) =>
    orElse(() => parseYamlObject(text, key).data[key], undefined),
  );
  if (Array.isArray(mine) && Array.isArray(other) && (before === undefined || Array.isArray(before))) {
    const sides = [before ?? [], mine, other] as const;
    const merge = sides.every(itemsById)
      ? mergeJson(...sides, { ruleOf: () => undefined, winner })
      : { value: mergeSets(...sides), conflicts: [] };
    conflicts.push(...merge.conflicts.map((place) => [key, place].filter(Boolean).join('.')));
    const above = /^(?:#.*\n)*/.exec(ours)![0];
    return above + withBareDigits(formatYamlObject({ [key]: merge.value }), [ours, theirs]);
  }
  if (/^tokens_/.test(key) && typeof mine === 'number' && typeof other === 'number')
    return mine >= other ? ours : theirs;
  const [a, b] = [timeOf(mine), timeOf(other)];
  if (a === undefined || b === undefined) return undefined;
  return a >= b ? ours : theirs;
}

/** A number too large for a double is read as its digits, and written without quotes again where nobody had quoted it. */
function withBareDigits(yaml: string, sides: readonly string[]): string {
  return yaml.replace(/"([-+]?\d{16,})"/g, (quoted, digits: string) =>
    sides.some((side) => side.includes(quoted) || side.includes(`'${digits}'`)) ? quoted : digits,
  );
}

const timeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? orElse(() => parseTime(value), undefined) : undefined;
