// A scope, told to the pure half of a purge: what is looked for in a store of objects, what it found there, and the rewriting by it.

import { type Census, type CensusSource, takeCensus } from '../../history/purge/census.ts';
import { Needles } from '../../history/purge/needles.ts';
import { HistoryRewrite, type RewriteSource } from '../../history/purge/rewrite.ts';
import { memoryPath } from '../../records/memory-record.ts';
import type { PurgeScope } from './targets.ts';

export interface RewritingOptions {
  /** Names the purge in its marks. */
  readonly id: string;
  readonly replacement?: string;
  /** See `RewriteRules.known`. */
  readonly known?: ReadonlyMap<string, string>;
  readonly onProgress?: (done: number) => void;
}

export interface Rewriting {
  /** What was asked for. */
  readonly asked: Needles;
  /** The same with the names that hold it. */
  readonly needles: Needles;
  readonly census: Census;
  readonly rewrite: HistoryRewrite;
}

/** Looks through a store of objects, and gives the rewriting that takes out what is found. The same objects and scope give the same ids. */
export function rewritingOf(
  objects: RewriteSource & CensusSource,
  { texts, literals, gone }: PurgeScope,
  { id, replacement, known, onProgress }: RewritingOptions,
): Rewriting {
  const named = { id, ...(replacement === undefined ? {} : { replacement }) };
  const asked = new Needles({ texts, literals, ...named });
  const census = takeCensus(objects, asked, onProgress);
  const withNames = new Map([...namesInTexts(census.names), ...literals]);
  const needles = new Needles({ texts, literals: withNames, ...named });
  const rules = { needles, census, gone, placeOf, ...(known === undefined ? {} : { known }) };
  return { asked, needles, census, rewrite: new HistoryRewrite(objects, rules) };
}

/** A name is told in texts with its ending and without: `[[ada]]`, `"id": "ada"`. */
function namesInTexts(names: ReadonlyMap<string, string>): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const [from, to] of names) {
    pairs.set(from, to);
    const [oldStem, newStem] = [from, to].map((name) => name.replace(/\.[A-Za-z0-9]+$/, '')) as [string, string];
    if (oldStem !== from && oldStem.length >= 6) pairs.set(oldStem, newStem);
  }
  return pairs;
}

function placeOf(path: string): string | null {
  const match = /^memories\/(?:[0-9a-f]{2}\/)?([^/]+)\.json$/.exec(path);
  return match === null ? null : memoryPath(match[1]!);
}
