// Pages and boxes among hits that only repeat claims. The claim, or the turn that says it, takes their place and tells where else it is.

import { defined } from '../../base/defined.ts';
import { normaliseForHash } from '../../base/text.ts';
import { type Claims, namedLines, type RankedHit, type SearchDocument } from '../../search/index.ts';

/**
 * Folds what the engine wrote of claims into the best of the hits that are these claims, or the turns that they were taken from. What no other
 * hit says stays as it is, and so does a page with a line of a person. `textAt` reads a file of the view, null where it cannot.
 */
export function withoutCopies(
  hits: readonly RankedHit[],
  claims: Claims,
  textAt: (path: string) => string | null,
): readonly RankedHit[] {
  const copies = new Map<RankedHit, readonly string[]>();
  for (const hit of hits) {
    const ids = idsOfCopy(hit.document, textAt);
    if (ids.length > 0) copies.set(hit, ids);
  }
  if (copies.size === 0) return hits;
  const direct = directHits(hits, claims);
  const ranks = new Map(hits.map((hit, at) => [hit, at]));
  const placed = new Map<RankedHit, RankedHit>();
  for (const hit of hits) {
    const ids = copies.get(hit) ?? [];
    const [best] = [...new Set(ids.flatMap((id) => direct.get(id) ?? []))].sort(
      (one, other) => ranks.get(one)! - ranks.get(other)!,
    );
    if (best === undefined) {
      if (!placed.has(hit)) placed.set(hit, hit);
      continue;
    }
    // A copy was found by its headings and by all that it repeats: a claim scores what its own words do.
    const before = placed.get(best) ?? best;
    const also = [...(before.also ?? []), { document: hit.document, score: Math.min(hit.score, before.score) }];
    placed.set(best, withAlso(before, also));
  }
  // One that was met by its copies alone may stand before what scores more.
  return [...placed.values()].sort((one, other) => other.score - one.score);
}

/** The memories that a document consists of; none where any of its words are its own. */
function idsOfCopy(document: SearchDocument, textAt: (path: string) => string | null): readonly string[] {
  const named = namedLines(document, textAt);
  if (named.length === 0) return [];
  const words = new Set(named.map((line) => line.words));
  const isCopy = document.text
    .split('\n')
    .every((line) => words.has(line) || line.startsWith('#') || normaliseForHash(line) === '');
  return isCopy ? named.flatMap(({ ids }) => ids) : [];
}

/** Finds the first hit that is a claim, tells of it as an event, or is the turn it was taken from: id → hit. */
function directHits(hits: readonly RankedHit[], claims: Claims): ReadonlyMap<string, RankedHit> {
  const turnOf = ({ path, turn }: SearchDocument): string | undefined =>
    turn === undefined ? undefined : `${path}#${turn}`;
  const documentsOf = ({ document, also = [] }: RankedHit): SearchDocument[] => [
    document,
    ...also.map((other) => other.document),
  ];
  const turns = new Set(hits.flatMap(documentsOf).flatMap((document) => turnOf(document) ?? []));
  const taken = claims.takenFrom(turns);
  const direct = new Map<string, RankedHit>();
  for (const hit of hits) {
    for (const document of documentsOf(hit)) {
      const own = document.record?.id ?? document.tells?.memory;
      const said = (taken.get(turnOf(document) ?? '') ?? []).map(({ record }) => record.id);
      for (const id of own === undefined ? said : [own]) if (!direct.has(id)) direct.set(id, hit);
    }
  }
  return direct;
}

/** Gives the hit with others that say the same; its snippet is still looked for when it is read. */
export function withAlso(hit: RankedHit, also: NonNullable<RankedHit['also']>): RankedHit {
  const { document, turns, parts, score, confidence } = hit;
  return {
    ...{ document, parts, score },
    ...defined({ turns, confidence, also: also.length === 0 ? undefined : also }),
    get snippet() {
      return hit.snippet;
    },
    get highlights() {
      return hit.highlights;
    },
    get line() {
      return hit.line;
    },
  };
}
