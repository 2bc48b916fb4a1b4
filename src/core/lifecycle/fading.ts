// What time takes (spec 1). Expired and faded memories are put aside with the status archived, and leave the tree later, with the relations
// that lose an end. Decisions of the gate of topics leave after some months.

import { count } from '../../base/count.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { type Stored, vitalsOf } from '../../store/memory-catalog.ts';
import { dayOfGateLog, gateLogFolder } from '../../store/records/gate-log.ts';
import { scoreOf } from '../../store/records/strength.ts';
import { ageingOf, daysInArchive } from './ageing.ts';
import type { Pass, PassItem } from './pass.ts';
import { changedMemory, removed } from './record-changes.ts';
import { endsOf, lostEnds } from './relations.ts';

const daySeconds = 86_400;

/** Plans to archive the active memories that {@link ageingOf} has a reason for. */
export const expiry: Pass<void> = {
  name: 'expire',
  plan({ memories, now, configuration }) {
    const items = memories.flatMap((stored) => {
      const ageing = ageingOf(vitalsOf(stored), now, configuration);
      return ageing?.stage === 'archive' ? [archived(stored, now, ageing.why)] : [];
    });
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'memory', 'memories')} archived` }),
};

function archived(stored: Stored<MemoryRecord>, now: number, why: string): PassItem {
  const expiresAt = Math.floor(now / 1000) + daysInArchive * daySeconds;
  const changes = [changedMemory(stored, { ...stored.record, status: 'archived', expiresAt })];
  return { action: 'archive', ids: [stored.record.id], why, changes };
}

/** A memory that is forgotten, or a relation that lost an end before. */
export interface GcItem extends PassItem {
  readonly action: 'forget' | 'unlink';
  /** Of a memory: its score at the time of the plan. */
  readonly score?: number;
  readonly content?: string;
}

/** Plans to forget what {@link ageingOf} lets go, weakest first, and to drop relations with an end that is gone. */
export const decayGc: Pass<void, GcItem> = {
  name: 'gc',
  noted: 'last_gc_at',
  plan({ snapshot, memories, relations, configuration, now }) {
    const ends = endsOf(relations);
    const aged = memories.flatMap((stored) => {
      const ageing = ageingOf(vitalsOf(stored), now, configuration);
      if (ageing?.stage !== 'leave') return [];
      return [{ stored, why: ageing.why, score: scoreOf(vitalsOf(stored), now, configuration.decay) }];
    });
    const items = aged
      .sort((a, b) => a.score - b.score || (a.stored.path < b.stored.path ? -1 : 1))
      .map(({ stored, why, score }): GcItem => {
        const { id, content } = stored.record;
        const changes = [stored, ...(ends.get(id) ?? [])].map(removed);
        return { action: 'forget', ids: [id], why, score, content, changes };
      });
    for (const id of lostEnds(snapshot, ends))
      items.push({ action: 'unlink', ids: [], why: `memory ${id} is gone`, changes: ends.get(id)!.map(removed) });
    return { items, left: [] };
  },
  describe(items) {
    const forgotten = items.filter(({ action }) => action === 'forget');
    const unlinked = items.length - forgotten.length;
    return {
      subject:
        forgotten.length === 0
          ? `relations of ${count(unlinked, 'lost memory', 'lost memories')} dropped`
          : `${count(forgotten.length, 'memory', 'memories')} forgotten by decay`,
      body: forgotten.map(({ ids, score }) => `- ${ids[0]} ${score!.toPrecision(2)}`).join('\n'),
    };
  },
};

/** Plans to remove days of `state/gate/` that are older than `watchers.log_days`. */
export const gateLogPruning: Pass<void> = {
  name: 'gate-log',
  plan({ snapshot, configuration, now }) {
    const days = configuration.watchers.logDays;
    const first = dayOf(now - days * dayMs, configuration.timezone);
    const items = [...snapshot.list(gateLogFolder)].flatMap(([path, oid]): PassItem[] => {
      const day = dayOfGateLog(path);
      if (day === null || day >= first) return [];
      const changes = [{ path, before: oid, after: null }];
      return [{ action: 'remove', ids: [], why: `${path} is older than ${days} days`, changes }];
    });
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'day')} of gate decisions removed` }),
};
