// How much a message tells that is worth remembering, told from its words alone, at once and without a model (spec 4, signal scan).

import { defined, MemoryError } from '../../base/errors.ts';
import * as words from '../../base/generated/words.ts';
import { compilePattern, type Pattern } from '../../store/guard/pattern.ts';

/** `high`: extract now; `medium` and `low`: with the next batch; `none`: nothing speaks for it. */
export type SignalLevel = 'high' | 'medium' | 'low' | 'none';

export interface Signal {
  readonly level: SignalLevel;
  /** The ideas that were found, as they are named in the tables, and the patterns of the configuration as they are written. */
  readonly found: readonly string[];
}

/** Patterns of the configuration, compiled; see {@link compileSignals}. */
export interface OwnSignals {
  readonly high: readonly Pattern[];
  readonly medium: readonly Pattern[];
}

type Ideas = readonly (readonly [name: string, pattern: RegExp])[];

const compiled = (ideas: readonly (readonly [string, string])[]): Ideas =>
  ideas.map(([name, source]) => [name, new RegExp(source)]);
/** Ideas that ask for extraction at once (facts of spec 4). None repeats what it can leave, so time is linear in the text. */
const high = compiled(words.highSignals);
const medium = compiled(words.mediumSignals);

/** A longer message is a pasted document: its beginning and end are looked at, half of this each, in characters. */
const maxScanned = 32 << 10;
/** Patterns of people are looked for in so many characters at the beginning. */
const maxOwnScanned = 4 << 10;

/** Scans one message, in less than 10 ms for any text. Any idea of the first table is `high`; two of the second `medium`, one `low`. */
export function signalOf(text: string, own: OwnSignals = { high: [], medium: [] }): Signal {
  const words = plain(text);
  const start = text.slice(0, maxOwnScanned);
  const ownFound = (patterns: readonly Pattern[]) =>
    patterns.filter((pattern) => pattern.test(start)).map(({ source }) => source);
  const foundHigh = [...ideasIn(words, high), ...ownFound(own.high)];
  if (foundHigh.length > 0) return { level: 'high', found: foundHigh };
  const found = [...ideasIn(words, medium), ...ownFound(own.medium)];
  return { level: found.length >= 2 ? 'medium' : found.length === 1 ? 'low' : 'none', found };
}

/** Compiles patterns of a configuration file; `textOf` gives it for errors. Throws INVALID_CONFIG for one that is wrong or too large. */
export async function compileSignals(
  patterns: { readonly high: readonly string[]; readonly medium: readonly string[] },
  path: string,
  textOf: () => string,
): Promise<OwnSignals> {
  const compile = async (source: string): Promise<Pattern> => {
    try {
      return await compilePattern(source, { where: path, ignoreCase: true });
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      const line = textOf()
        .split('\n')
        .findIndex((one) => one.includes(source) || one.includes(JSON.stringify(source).slice(1, -1)));
      const place = line < 0 ? path : `${path}:${line + 1}`;
      const told = { where: place, ...defined({ hint: error.hint }), cause: error };
      throw new MemoryError('INVALID_CONFIG', `${place} signals: ${error.what}`, told);
    }
  };
  return {
    high: await Promise.all(patterns.high.map(compile)),
    medium: await Promise.all(patterns.medium.map(compile)),
  };
}

function plain(text: string): string {
  const half = maxScanned / 2;
  const seen = text.length <= maxScanned ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
  // A line break within a sentence is a blank; behind its end, or with an empty line, it begins the next.
  const lines = seen
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n');
  return lines.replace(/\n\n+/g, '.\n').replace(/([^.!?\n])\n/g, '$1 ');
}

const ideasIn = (words: string, ideas: Ideas): string[] =>
  ideas.filter(([, pattern]) => pattern.test(words)).map(([name]) => name);
