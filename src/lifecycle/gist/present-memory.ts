// How a memory is put before a language model: its gist, which is asked for the whole by the beginning of its id (spec 1).

import type { MemoryRecord } from '../../records/types.ts';

/** Writes a memory as `[a1b2c3d4] gist (tags: stopper, efit)` on one line; without a gist its content stands there. */
export function gistLineOf({
  id,
  gist,
  content,
  meta,
}: Pick<MemoryRecord, 'id' | 'gist' | 'content' | 'meta'>): string {
  const text = (gist ?? content).replace(/\s+/g, ' ').trim();
  const tags = meta.tags.length === 0 ? '' : ` (tags: ${meta.tags.join(', ')})`;
  return `[${id.slice(0, 8)}] ${text}${tags}`;
}
