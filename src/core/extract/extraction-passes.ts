// Passes over what extraction made: claims that contradict each other, boxes in which nothing came any more. What they find is extract/'s.

import { count } from '../../base/count.ts';
import { newBoxCatalog } from '../../store/memory-catalog.ts';
import type { Pass } from '../lifecycle/pass.ts';
import { boxFileChange, planIdleSeals, planOneBoxEach } from './boxes.ts';
import { contradictionsAmong } from './reconcile.ts';

/** Names the open claims that say otherwise of the same subject and attribute. It changes nothing: somebody has to decide. */
export const reconciliation: Pass<void> = {
  name: 'reconcile',
  plan({ memories }) {
    const left = contradictionsAmong(memories.map(({ record }) => record)).map(({ old, by }) => ({
      id: old.id,
      why: `memory ${by.id} was said later and says otherwise of the same; decide in a review which holds`,
    }));
    return { items: [], left };
  },
  describe: () => ({ subject: 'nothing' }),
};

/** Plans to seal boxes in which nothing came for a while, and to take out of a box what an earlier one has. */
export const boxSealing: Pass<void> = {
  name: 'boxes',
  plan({ snapshot, now, configuration: { boxes, timezone } }) {
    if (!boxes.enabled) return { items: [], left: [] };
    const stored = newBoxCatalog().stored(snapshot);
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
          mayWait: true,
        })),
      ],
      left: [],
    };
  },
  describe: (items) => ({ subject: `${count(items.length, 'box', 'boxes')} sealed or cleared` }),
};
