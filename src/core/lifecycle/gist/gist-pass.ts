// Gives gists to the memories that have none (spec 1, phase 5) or that of other words, or makes them anew, in one commit.

import { count } from '../../../base/count.ts';
import { MemoryError } from '../../../base/errors.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';
import type { GistResult } from '../../../base/types.ts';
import type { ItemOf, Pass } from '../pass.ts';
import { changedMemory } from '../record-changes.ts';
import { bestGistOf, type GistLevel, gistLevelOf } from './gist.ts';
import { isStaleGist } from './memory-gist.ts';

/** One memory that gets a gist, another one, or none any more. */
export type GistItem = ItemOf<GistResult>;

export interface GistPassOptions {
  /** Default: `gist.level` of the configuration. */
  readonly level?: GistLevel;
  /** Only these memories, and again where they have one. */
  readonly ids?: readonly string[];
  /** Make all anew, also what another tool or a model made. */
  readonly all?: boolean;
}

/** So many memories are looked at before others may work. */
const stride = 200;

/** Plans gists for memories of any status but archived and superseded ones, which nobody hands out. */
export const gistBackfill: Pass<GistPassOptions, GistItem> = {
  name: 'gist',
  async plan({ memories, configuration }, { signal, onProgress }, { level: asked, ids, all = false }) {
    const level = asked ?? gistLevelOf(configuration.gist.level);
    const wanted = ids === undefined ? undefined : new Set(ids);
    for (const id of wanted ?? []) {
      if (memories.some(({ record }) => record.id === id)) continue;
      throw new MemoryError('NOT_FOUND', `no memory has the id ${id}`, { where: id });
    }
    const items: GistItem[] = [];
    const isAnew = all || wanted !== undefined;
    for (const [done, stored] of memories.entries()) {
      if (done % stride === 0) {
        signal?.throwIfAborted();
        onProgress?.({ done, total: memories.length });
        await new Promise(setImmediate);
      }
      const { record } = stored;
      const isAside = record.status === 'archived' || record.status === 'superseded';
      const isMade = record.gist !== null && !isAnew && !isStaleGist(record);
      if (wanted === undefined ? isAside || isMade : !wanted.has(record.id)) continue;
      const gist = bestGistOf(record.content, level);
      if (gist === record.gist) continue;
      const full = estimateTokens(record.content);
      const tokens = { full, gist: estimateTokens(gist ?? record.content) };
      const saved = `saves ${Math.round((1 - tokens.gist / full) * 100)} % of ${full} tokens`;
      const [action, why] = gist === null ? ['clear', 'its content is as short as it can be'] : ['shorten', saved];
      items.push({
        action,
        ids: [record.id],
        why,
        gist,
        tokens,
        changes: [changedMemory(stored, { ...record, gist })],
      });
    }
    return { items, left: [] };
  },
  describe(items) {
    return { subject: `${count(items.length, 'gist')} made` };
  },
};
