// Facts about the same entity that cannot both be true, as far as words show it. They sound alike and differ in a number, name or denial.

import { discrepancyReader } from '../../base/discrepancy.ts';

/** One side of a possible contradiction. */
export interface Claim {
  readonly entity: string;
  readonly text: string;
}

/** Claims of one entity that are compared; the pack is no place for a search. */
const mostCompared = 30;
const leastAlike = 0.5;

/** Finds pairs of claims about one entity that contradict; the order is that of the claims. */
export function conflictsAmong<C extends Claim>(claims: readonly C[]): (readonly [C, C])[] {
  const byEntity = new Map<string, C[]>();
  for (const claim of claims) {
    const own = byEntity.get(claim.entity);
    if (own === undefined) byEntity.set(claim.entity, [claim]);
    else own.push(claim);
  }
  const discrepancyOf = discrepancyReader();
  const pairs: [C, C][] = [];
  for (const own of byEntity.values()) {
    const compared = own.slice(0, mostCompared).map((claim) => ({ claim, words: wordsOf(claim.text) }));
    for (const [at, one] of compared.entries()) {
      for (const other of compared.slice(at + 1)) {
        if (likeness(one.words, other.words) < leastAlike) continue;
        if (discrepancyOf(one.claim.text, other.claim.text) !== undefined) pairs.push([one.claim, other.claim]);
      }
    }
  }
  return pairs;
}

/** Words without numbers: in those two contradicting claims may differ. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !['the', 'and', 'not', 'never'].includes(word)));
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  const all = one.size + other.size - shared;
  return all === 0 ? 0 : shared / all;
}
