// The graph of a project's log, brought up to date where somebody left it behind.

import type { BranchStore } from '../../store/branch-store.ts';
import { staleFiles } from '../../store/derive.ts';
import { graphPath } from '../../store/records/graph-file.ts';
import type { Pass } from '../lifecycle/pass.ts';

/** Makes graph and narrative anew where they are not what the log says: after native git merged, or somebody edited them. */
export function graphUpkeep(store: Pick<BranchStore, 'derivations' | 'codec'>): Pass<void> {
  return {
    name: 'graph',
    plan({ snapshot }) {
      const changes = staleFiles(store, snapshot, [graphPath]);
      if (changes.length === 0) return { items: [], left: [] };
      const why = 'they were not what the log says';
      return { items: [{ action: 'derive', ids: [], why, changes }], left: [] };
    },
    describe: ([item]) => ({ subject: `graph: ${item?.changes.length ?? 0} files made anew` }),
  };
}
