// Hits of a search that no longer hold: events of a log that later ones took the place of, or that an undo took back. They stay findable, for
// what was thought once is a question, too; but what holds comes first.

import type { ChangelogCatalog } from '../logs/changelog.ts';
import type { LedgerCatalog } from '../logs/ledger.ts';
import { supersessionOf } from '../logs/supersession.ts';
import { maxLimit, type RankedHit } from '../search/recall-options.ts';
import type { StateFiles } from '../store/derive.ts';

/** Where the events of a state are read from. */
export interface LogSources {
  readonly ledgers: LedgerCatalog;
  readonly changelogs: ChangelogCatalog;
}

/** A hit, and the id of the event that took its place. */
export interface JudgedHit {
  readonly hit: RankedHit;
  readonly by?: string;
  /** Never above that of a hit that comes before. */
  readonly score: number;
}

/**
 * Puts hits that hold before those that do not, each in their order; `rank` finds so many, and is asked for more where some do not hold. A log
 * is read only when one of its events was found.
 */
export function holdingFirst(
  rank: (limit: number) => readonly RankedHit[],
  limit: number,
  files: StateFiles,
  sources: LogSources,
): JudgedHit[] {
  const replaced = replacedIn(files, sources);
  for (let size = limit; ; size = Math.min(maxLimit, size * 2)) {
    const ranked = rank(size).map((hit) => ({ hit, by: replaced(hit) }));
    const holding = ranked.filter(({ by }) => by === undefined);
    if (holding.length < limit && ranked.length === size && size < maxLimit) continue;
    const over = ranked.filter(({ by }) => by !== undefined);
    let least = Number.POSITIVE_INFINITY;
    return [...holding, ...over].slice(0, limit).map(({ hit, by }) => {
      least = Math.min(least, hit.score);
      return { hit, score: least, ...(by === undefined ? {} : { by }) };
    });
  }
}

/** Tells which event took the place of a hit that is an event. */
export function replacedIn(
  files: StateFiles,
  { ledgers, changelogs }: LogSources,
): (hit: RankedHit) => string | undefined {
  let inLedger: ReadonlyMap<string, { readonly id: string }> | undefined;
  let inChangelog: ReadonlyMap<string, { readonly id: string }> | undefined;
  return ({ document: { category, id } }) => {
    if (id === undefined) return undefined;
    if (category === 'ledger') {
      if (inLedger === undefined) {
        const { archived, events } = ledgers.ledgerOf(files);
        inLedger = supersessionOf([...archived, ...events]);
      }
      return inLedger.get(id)?.id;
    }
    if (category !== 'event') return undefined;
    if (inChangelog === undefined) {
      const { archived, events } = changelogs.changelogOf(files);
      inChangelog = supersessionOf([...archived, ...events]);
    }
    return inChangelog.get(id)?.id;
  };
}
