// Forgetting by decay (spec 1): archived memories whose score fell below the threshold leave the tree, with the relations that lose an end.

import { count } from '../../base/count.ts';
import { vitalsOf } from '../../store/memory-catalog.ts';
import { scoreOf } from '../../store/records/strength.ts';
import { ageingOf } from './ageing.ts';
import type { Pass, PassItem } from './pass.ts';
import { removed } from './record-changes.ts';
import { Ends, lostEnds } from './relations.ts';

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
    const ends = new Ends(relations);
    const aged = memories.flatMap((stored) => {
      const ageing = ageingOf(vitalsOf(stored), now, configuration);
      if (ageing?.stage !== 'leave') return [];
      return [{ stored, why: ageing.why, score: scoreOf(vitalsOf(stored), now, configuration.decay) }];
    });
    const items = aged
      .sort((a, b) => a.score - b.score || (a.stored.path < b.stored.path ? -1 : 1))
      .map(({ stored, why, score }): GcItem => {
        const { id, content } = stored.record;
        const changes = [stored, ...ends.of(id)].map(removed);
        return { action: 'forget', ids: [id], why, score, content, changes };
      });
    for (const id of lostEnds(snapshot, ends)) {
      items.push({ action: 'unlink', ids: [], why: `memory ${id} is gone`, changes: ends.of(id).map(removed) });
    }
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
