// Forgetting by decay (spec 1): memories whose score fell below the threshold leave the tree, with the relations that lose an end.

import { count } from '../base/count.ts';
import { scoreOf } from '../records/strength.ts';
import type { MemoryCategory, MemoryRecord } from '../records/types.ts';
import type { Pass, PassItem } from './pass.ts';
import { removed } from './record-changes.ts';
import { Ends, idsInTree } from './relations.ts';

/** A memory that is forgotten, or a relation that lost an end before. */
export interface GcItem extends PassItem {
  readonly action: 'forget' | 'unlink';
  /** Of a memory: its score at the time of the plan. */
  readonly score?: number;
  readonly content?: string;
}

/** What was decided, promised, preferred or corrected stays true however long nobody asked for it. */
const keptCategories: ReadonlySet<MemoryCategory> = new Set([
  'decision',
  'commitment',
  'preference',
  'principle',
  'correction',
]);
const keptTags: ReadonlySet<string> = new Set(['P0', 'P1']);

/**
 * Tells why decay never takes a memory, whatever its score; undefined if it may.
 *
 * Decisions, commitments, preferences, principles and corrections stay, and P0 and P1; so does what was promoted, is a schema, or was
 * put aside on purpose.
 */
export function protectionOf(record: MemoryRecord): string | undefined {
  if (record.status === 'promoted' || record.status === 'schema' || record.status === 'archived') {
    return `it is ${record.status === 'schema' ? 'a schema' : record.status}`;
  }
  if (record.category !== undefined && keptCategories.has(record.category)) return `it is a ${record.category}`;
  const tag = record.meta.tags.find((one) => keptTags.has(one));
  return tag === undefined ? undefined : `it is ${tag}`;
}

/** Plans to forget what decayed below `decay.forget`, weakest first, and to drop relations of which a memory is gone. */
export const decayGc: Pass<void, GcItem> = {
  name: 'gc',
  noted: 'last_gc_at',
  plan({ snapshot, memories, relations, configuration: { decay }, now }) {
    const ends = new Ends(relations);
    const items: GcItem[] = [];
    const left: { id: string; why: string }[] = [];
    const weak = memories
      .map((stored) => ({ stored, score: scoreOf(stored.record, now, decay) }))
      .filter(({ score }) => score < decay.forget)
      .sort((a, b) => a.score - b.score || (a.stored.path < b.stored.path ? -1 : 1));
    for (const { stored, score } of weak) {
      const { id, content } = stored.record;
      const protection = protectionOf(stored.record);
      if (protection !== undefined) left.push({ id, why: protection });
      else {
        items.push({
          action: 'forget',
          ids: [id],
          why: `its score ${score.toPrecision(2)} is below ${decay.forget}`,
          score,
          content,
          changes: [stored, ...ends.of(id)].map(removed),
        });
      }
    }
    const alive = idsInTree(snapshot);
    for (const id of ends.ids()) {
      if (alive.has(id)) continue;
      items.push({ action: 'unlink', ids: [], why: `memory ${id} is gone`, changes: ends.of(id).map(removed) });
    }
    return { items, left };
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
