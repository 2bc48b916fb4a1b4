// What a purge looks for in a store of objects. A scope, told to the pure half: needles, what they found, and the rewriting by it. The
// hashes of a receipt show what was in a history that was not purged. That is purged there by the same rules and under the same id. So two
// machines with the same commits come to the same commits.

import { defined, orElse } from '../../base/errors.ts';
import type { ObjectReader } from '../../store/git/object-overlay.ts';
import { findEntry, walkTree } from '../../store/git/tree.ts';
import { memoryPath } from '../../store/records/memory-record.ts';
import {
  isPrintOf,
  type PathPrint,
  type PurgeReceipt,
  purgedTextsIn,
  type TextPrint,
} from '../../store/records/purge-receipt.ts';
import { type Census, type CensusSource, takeCensus } from './census.ts';
import { checkNeedle, Needles } from './needles.ts';
import { HistoryRewrite, type RewriteSource } from './rewrite.ts';
import { isFedOnlyBy, literalsOf, type PurgeScope, quotationsOf, scopeOfTimes } from './targets.ts';

/** A store of objects that can be looked through and rewritten. */
export type HistorySource = RewriteSource & CensusSource & ObjectReader;

/** Gives the scope of a purge as a store of objects knows it; null where it holds nothing of it. `tips` lead to the paths. */
export function recognise(objects: HistorySource, tips: readonly string[], receipt: PurgeReceipt): PurgeScope | null {
  if (receipt.what === 'times') return scopeOfTimes;
  const texts = textsOf(objects, receipt.texts);
  const first = pathsOf(objects, tips, receipt.paths);
  if (texts.length === 0 && first.length === 0) return null;
  const fed = isDerived(receipt) && first.length > 0 ? recordsFedBy(objects, tips, new Set(first)) : noRecords;
  const gone = [...new Set([...first, ...fed.keys()])];
  const quoted = quotationsOf([...fed.keys()], (path) => fed.get(path) ?? null);
  return {
    what: receipt.what,
    texts: [...new Set([...texts, ...quoted])],
    gone,
    literals: literalsOf(receipt.what, gone, receipt.id),
    derived: [],
  };
}

/** Whether a purge took what came from its files alone. Only then a receipt of files tells of texts, too. */
function isDerived({ what, derived, texts }: PurgeReceipt): boolean {
  return derived === true || (what !== 'text' && texts.length > 0);
}

const noRecords: ReadonlyMap<string, string> = new Map();

/** Memories that were made elsewhere of files that go, and of nothing else at any tip: their texts by path. */
function recordsFedBy(
  objects: HistorySource,
  tips: readonly string[],
  sources: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const fed = new Map<string, string>();
  const others = new Set<string>();
  const seen = new Set<string>();
  for (const tip of tips) {
    const folder = findEntry(objects.readCommit(tip).tree, 'memories', objects.readTree);
    if (folder?.mode !== '40000' || seen.has(folder.oid)) continue;
    seen.add(folder.oid);
    for (const { path: name, mode, oid } of walkTree(folder.oid, objects.readTree)) {
      if (!mode.startsWith('100')) continue;
      const path = `memories/${name}`;
      const key = `${oid}:${path}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const text = objects.readBlob(oid).toString('utf8');
      if (isFedOnlyBy(text, path, sources)) fed.set(path, text);
      else others.add(path);
    }
  }
  for (const path of others) fed.delete(path);
  return fed;
}

function textsOf(objects: CensusSource, prints: readonly TextPrint[]): string[] {
  const found = new Set<string>();
  if (prints.length === 0) return [];
  const seen = new Set<string>();
  for (const { oid, read } of objects.copies()) {
    if (seen.has(oid)) continue;
    const object = orElse(read, null);
    if (object === null) continue;
    seen.add(oid);
    for (const text of purgedTextsIn(object.data.toString('utf8'), prints)) found.add(text);
  }
  // What cannot be looked for was not what a purge was asked to take out.
  return [...found].flatMap((text) => orElse(() => checkNeedle(text), []));
}

function pathsOf(objects: HistorySource, tips: readonly string[], prints: readonly PathPrint[]): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const passed = new Set<string>();
  const visit = (tree: string, prefix: string): void => {
    if (seen.has(`${tree}:${prefix}`)) return;
    seen.add(`${tree}:${prefix}`);
    for (const { mode, name, oid } of objects.readTree(tree)) {
      const path = `${prefix}${name}`;
      if (!passed.has(path) && prints.some((print) => isPrintOf(print, path))) found.add(path);
      passed.add(path);
      if (mode === '40000') visit(oid, `${path}/`);
    }
  };
  if (prints.length === 0) return [];
  const open = [...tips];
  const met = new Set(open);
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    const { tree, parents } = objects.readCommit(oid);
    visit(tree, '');
    for (const parent of parents) {
      if (!met.has(parent)) open.push(parent);
      met.add(parent);
    }
  }
  return [...found].sort();
}

interface RewritingOptions {
  readonly id: string;
  readonly replacement?: string;
  /** See `RewriteRules.known`. */
  readonly known?: ReadonlyMap<string, string>;
  readonly onProgress?: (done: number) => void;
}

interface Rewriting {
  readonly asked: Needles;
  readonly needles: Needles;
  readonly census: Census;
  readonly rewrite: HistoryRewrite;
}

/** Looks through a store of objects, and gives the rewriting that takes out what is found. The same objects and scope give the same ids. */
export function rewritingOf(
  objects: RewriteSource & CensusSource,
  { what, texts, literals, gone }: PurgeScope,
  { id, replacement, known, onProgress }: RewritingOptions,
): Rewriting {
  const named = { id, ...defined({ replacement }) };
  const asked = new Needles({ texts, literals, ...named });
  const times = what === 'times';
  const census = takeCensus(objects, asked, onProgress, times);
  const withNames = new Map([...namesInTexts(census.names), ...literals]);
  const needles = new Needles({ texts, literals: withNames, ...named });
  const rules = { needles, census, gone, placeOf, times, ...defined({ known }) };
  return { asked, needles, census, rewrite: new HistoryRewrite(objects, rules) };
}

/** Texts name a file with its ending and without: `[[ada]]`, `"id": "ada"`. */
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
