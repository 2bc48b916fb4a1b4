// The other half of a receipt: in a history that was not purged, its hashes tell what was. What is found so is purged there by the same rules
// and under the same id, so that two machines that had the same commits come to the same commits.

import { orElse } from '../../base/or-else.ts';
import type { ObjectReader } from '../../git/object-overlay.ts';
import type { CensusSource } from '../../history/purge/census.ts';
import { checkNeedle } from '../../history/purge/needles.ts';
import type { RewriteSource } from '../../history/purge/rewrite.ts';
import {
  isPrintOf,
  type PathPrint,
  type PurgeReceipt,
  purgedTextsIn,
  type TextPrint,
} from '../../records/purge-receipt.ts';
import { literalsOf, type PurgeScope } from './targets.ts';

/** A store of objects that can be looked through and rewritten. */
export type HistorySource = RewriteSource & CensusSource & ObjectReader;

/** Gives the scope of a purge as a store of objects knows it; null where it holds nothing of it. `tips` lead to the paths. */
export function recognise(objects: HistorySource, tips: readonly string[], receipt: PurgeReceipt): PurgeScope | null {
  const texts = textsOf(objects, receipt.texts);
  const gone = pathsOf(objects, tips, receipt.paths);
  if (texts.length === 0 && gone.length === 0) return null;
  return { what: receipt.what, texts, gone, literals: literalsOf(receipt.what, gone, receipt.id), derived: [] };
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
