// What the gate of topics decided long ago leaves the tree: tuning looks at the last months, and history has the rest.

import { count } from '../../base/count.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import { dayOfGateLog, gateLogFolder } from '../../store/records/gate-log.ts';
import type { Pass, PassItem } from './pass.ts';

/** Plans to remove days of `state/gate/` that are older than `watchers.log_days`. */
export const gateLogPruning: Pass<void> = {
  name: 'gate-log',
  plan({ snapshot, configuration, now }) {
    const days = configuration.watchers.logDays;
    const first = dayOf(now - days * dayMs, configuration.timezone);
    const items: PassItem[] = [];
    for (const [path, oid] of snapshot.list(gateLogFolder)) {
      const day = dayOfGateLog(path);
      if (day === null || day >= first) continue;
      items.push({
        action: 'remove',
        ids: [],
        why: `${path} is older than ${days} days`,
        changes: [{ path, before: oid, after: null }],
      });
    }
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'day')} of gate decisions removed` }),
};
