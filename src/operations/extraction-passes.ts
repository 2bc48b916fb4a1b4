// Passes over what extraction made: notes that contradict each other, boxes in which nothing came any more. What they find is extract/'s.

import { count } from '../base/count.ts';
import { closed } from '../claims/claim.ts';
import { boxFileChange, planIdleSeals, planOneBoxEach } from '../extract/boxes.ts';
import { reconcileNotes } from '../extract/reconcile.ts';
import type { Pass } from '../lifecycle/pass.ts';
import { changedMemory } from '../lifecycle/record-changes.ts';
import { BoxCatalog } from '../store/memory-catalog.ts';

/** Plans to let notes that a newer memory contradicts be superseded by it; both stay. Nothing where notes and episodes are one. */
export const reconciliation: Pass<void> = {
  name: 'reconcile',
  commits: 'each',
  plan({ memories, configuration, now }) {
    if (!configuration.extract.episodesAndNotes) return { items: [], left: [] };
    const stored = new Map(memories.map((one) => [one.record.id, one]));
    const items = reconcileNotes(memories.map(({ record }) => record)).map(({ old, by }) => ({
      action: 'supersede',
      ids: [old.id, by.id],
      why: `memory ${by.id} was said later and says otherwise`,
      changes: [
        changedMemory(
          stored.get(old.id)!,
          closed(old, { by: by.id, from: by.validFrom ?? by.createdAt, now: Math.floor(now / 1000) }),
        ),
      ],
    }));
    return { items, left: [] };
  },
  describe: ([item]) => ({ subject: `${item!.ids[0]!.slice(0, 8)} superseded by ${item!.ids[1]!.slice(0, 8)}` }),
};

/** Plans to seal boxes in which nothing came for a while, and to take out of a box what stands in an earlier one. */
export const boxSealing: Pass<void> = {
  name: 'boxes',
  plan({ snapshot, now, configuration: { boxes, timezone } }) {
    if (!boxes.enabled) return { items: [], left: [] };
    const stored = new BoxCatalog().stored(snapshot);
    const cleared = planOneBoxEach(stored);
    const clearedPaths = new Set(cleared.map(({ path }) => path));
    const sealed = planIdleSeals(stored, boxes, timezone, now).filter(({ path }) => !clearedPaths.has(path));
    return {
      items: [
        ...cleared.map((change) => ({
          action: 'clear',
          ids: [],
          why: 'what stands in it stands in an earlier box too',
          changes: [
            change.box.memories.length === 0 ? { ...boxFileChange(change), after: null } : boxFileChange(change),
          ],
        })),
        ...sealed.map((change) => ({
          action: 'seal',
          ids: [],
          why: `nothing came for more than ${boxes.gapMinutes} minutes`,
          changes: [boxFileChange(change)],
        })),
      ],
      left: [],
    };
  },
  describe: (items) => ({ subject: `${count(items.length, 'box', 'boxes')} sealed or cleared` }),
};
