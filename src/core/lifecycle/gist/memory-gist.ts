// The gist of a memory: given to a new one, made anew for an edited one, and put before a language model (spec 1).

import { MemoryError } from '../../../base/errors.ts';
import type { MemoryRecord } from '../../../base/types/stored-types.ts';
import type { Configuration } from '../../../store/records/configuration.ts';
import { kindOf } from '../../../store/records/kind.ts';
import { formatMemory, parseMemory } from '../../../store/records/memory-record.ts';
import { bestGistOf, gistLevelOf } from './gist.ts';

/** What a file is to be; `null`: gone. */
interface Edit {
  readonly path: string;
  readonly after: string | null;
}

/** Gives a memory the gist of its content; one that it has already stays. */
export function withGist(record: MemoryRecord, { level }: Configuration['gist']): MemoryRecord {
  return record.gist === null ? { ...record, gist: bestGistOf(record.content, gistLevelOf(level)) } : record;
}

/** Makes the gist of an edited memory anew, where the edit changed the content and left the gist of the old one. */
export function refreshGist(edit: Edit, before: string | null, { level }: Configuration['gist']): Edit {
  if (edit.after === null || before === null || kindOf(edit.path) !== 'memory') return edit;
  const [old, made] = [before, edit.after].map((text) => readMemory(text, edit.path));
  if (!old || !made || old.content === made.content || old.gist !== made.gist) return edit;
  return { ...edit, after: formatMemory({ ...made, gist: bestGistOf(made.content, gistLevelOf(level)) }) };
}

/** What is no record is judged by the change rules, not here. */
function readMemory(text: string, path: string): MemoryRecord | null {
  try {
    return parseMemory(text, path);
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'INVALID_RECORD') return null;
    throw error;
  }
}

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
