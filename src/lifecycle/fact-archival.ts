// Facts that are old, of no importance and of no use (spec 4, fact archival): put aside by status where the configuration asks for it.

import { count } from '../base/count.ts';
import type { Configuration } from '../records/configuration.ts';
import type { MemoryRecord } from '../records/types.ts';
import type { Pass } from './pass.ts';
import { archivedMemory } from './record-changes.ts';

const daySeconds = 86_400;
const keptTags: ReadonlySet<string> = new Set(['P0', 'P1']);

/**
 * Tells why a memory may be put aside, or undefined. All has to hold:
 *
 * - active, no correction, and of no category that `archive_facts.protected` names
 * - older than `age_days`, of less importance than `max_importance`, used `max_uses` times or less
 * - neither P0 nor P1 (spec 3: permanent, and without end)
 *
 * A memory without an importance of its own has the middle one, 0.5.
 */
export function archivalReasonOf(
  record: MemoryRecord,
  now: number,
  rules: Configuration['archiveFacts'],
): string | undefined {
  const { status, category, importance = 0.5, useCount, createdAt, meta } = record;
  if (status !== 'active' || category === 'correction') return undefined;
  if (category !== undefined && rules.protected.includes(category)) return undefined;
  if (meta.tags.some((tag) => keptTags.has(tag))) return undefined;
  const ageDays = (now / 1000 - createdAt) / daySeconds;
  if (!(ageDays > rules.ageDays && importance < rules.maxImportance && useCount <= rules.maxUses)) return undefined;
  return `it is ${Math.floor(ageDays)} days old, of importance ${importance}, and was used ${useCount} times`;
}

/** Plans to archive what {@link archivalReasonOf} has a reason for; nothing unless `archive_facts.enabled`. */
export const factArchival: Pass<void> = {
  name: 'archive-facts',
  plan({ memories, now, configuration: { archiveFacts } }) {
    if (!archiveFacts.enabled) return { items: [], left: [] };
    const items = memories.flatMap((stored) => {
      const why = archivalReasonOf(stored.record, now, archiveFacts);
      return why === undefined ? [] : [archivedMemory(stored, why)];
    });
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'old fact')} archived` }),
};
