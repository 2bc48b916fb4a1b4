// Words that call for more than the pack has: recall/triggers.json names patterns, and the knowledge files to load when one is said.

import { isJsonObject, parseJson } from '../../base/canonical-json.ts';
import { MemoryError } from '../../base/errors.ts';
import { askedPath } from '../../store/guard/path.ts';
import type { Snapshot } from '../../store/snapshot.ts';

export const triggersPath = 'recall/triggers.json';

/** A file that something said calls for. */
export interface Triggered {
  readonly path: string;
  /** The words that called for it. */
  readonly pattern: string;
}

/** Words, and the files that they call for. */
export interface Trigger {
  readonly patterns: readonly string[];
  readonly load: readonly string[];
}

/**
 * Finds the files that a text calls for, in the order of the triggers, each once; files that are not there are left out.
 *
 * A pattern is a word or several, found whatever their case and only as whole words: `store` is not in `restored`. Throws INVALID_RECORD
 * for a triggers file that cannot be read.
 */
export function triggeredBy(snapshot: Snapshot, text: string): Triggered[] {
  const source = snapshot.textIfWhole(triggersPath);
  if (source === null) return [];
  const said = ` ${wordsOf(text).join(' ')} `;
  const found = new Map<string, Triggered>();
  for (const { patterns, load } of parseTriggers(source)) {
    const pattern = patterns.find((one) => wordsOf(one).length > 0 && said.includes(` ${wordsOf(one).join(' ')} `));
    if (pattern === undefined) continue;
    for (const path of load) {
      if (!found.has(path) && snapshot.oidOf(askedPath(path)) !== null) found.set(path, { path, pattern });
    }
  }
  return [...found.values()];
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Parses recall/triggers.json. Throws INVALID_RECORD. */
export function parseTriggers(source: string): Trigger[] {
  const value = parseJson(source, triggersPath);
  const list = isJsonObject(value) ? value.triggers : undefined;
  if (!Array.isArray(list)) throw invalid('triggers: must be a list');
  return list.map((trigger: unknown, at) => {
    const { patterns, load } = isJsonObject(trigger) ? trigger : {};
    const isList = (words: unknown): words is string[] =>
      Array.isArray(words) && words.every((word) => typeof word === 'string');
    if (isList(patterns) && isList(load)) return { patterns, load };
    throw invalid(`triggers.${at}: needs patterns and load, both lists of texts`);
  });
}

function invalid(why: string): MemoryError {
  return new MemoryError('INVALID_RECORD', `${triggersPath} ${why}`, {
    where: triggersPath,
    hint: 'Write {"triggers": [{"patterns": ["shopify"], "load": ["knowledge/entities/store.md"]}]}',
  });
}
