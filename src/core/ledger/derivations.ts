// What follows from the logs of a memory: files that the commit which changes a log makes anew.

import {
  type ChangelogCatalog,
  GrowingGraph,
  type Ledger,
  type LedgerCatalog,
  narrate,
  openLoopsOf,
} from '../../logs/index.ts';
import type { Derivation } from '../../store/derive.ts';
import { formatGraph, graphPath } from '../../store/records/graph-file.ts';
import { kindOf } from '../../store/records/kind.ts';
import { formatOpenLoops, openLoopsPath } from '../../store/records/ledger-files.ts';
import { formatNarrative, narrativePath } from '../../store/records/narrative-file.ts';
import { compareSequenceIds } from '../../store/records/sequence-id.ts';

/** How files of a state are read; each keeps what it has parsed. */
export interface DerivationSources {
  readonly changelogs: ChangelogCatalog;
  readonly ledgers: LedgerCatalog;
}

/** Lists everything that follows from logs and is in files: a further one is one line here. */
export const derivationsOf = (sources: DerivationSources): readonly Derivation[] => [
  projectDerivation(sources),
  loopsDerivation(sources),
];

/** Graph and narrative, from the changelog. */
function projectDerivation({ changelogs }: DerivationSources): Derivation {
  const growing = new GrowingGraph();
  return {
    paths: [graphPath, narrativePath],
    isSource: (path) => kindOf(path) === 'changelog',
    derive(files, wanted) {
      const events = changelogs.of(files);
      const graph = growing.of(events);
      const made = new Map([[graphPath, formatGraph(graph)]]);
      if (!wanted.has(narrativePath)) return made;
      return made.set(narrativePath, formatNarrative(narrate(events, graph)));
    },
  };
}

/** The list of open commitments, from the ledger. */
function loopsDerivation({ ledgers }: DerivationSources): Derivation {
  return {
    paths: [openLoopsPath],
    isSource: (path) => kindOf(path) === 'ledger',
    derive: (files) => new Map([[openLoopsPath, formatOpenLoops(openIds(ledgers.ledgerOf(files)))]]),
  };
}

/** The ids of what is open, as the list has them. */
export function openIds({ events }: Pick<Ledger, 'events'>): string[] {
  return openLoopsOf(events)
    .map(({ event }) => event.id)
    .sort(compareSequenceIds);
}
