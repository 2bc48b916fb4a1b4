// Promotion (spec 1): a strong memory becomes a knowledge file, which names it; the memory names the file, and stays.

import { defined } from '../../base/defined.ts';
import { oneLine, slugOf } from '../../base/text.ts';
import { formatTime } from '../../base/time.ts';
import type { MemoryCategory, MemoryRecord } from '../../base/types/stored-types.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { formatFrontMatter } from '../../store/records/front-matter.ts';
import { scoreOf } from '../../store/records/strength.ts';
import { activeMemory, type Pass, type PassItem, type PassView } from './pass.ts';
import { changedFile, changedMemory } from './record-changes.ts';

/** A memory that becomes knowledge. */
export interface PromoteItem extends PassItem {
  readonly action: 'promote';
  /** The knowledge file. */
  readonly to: string;
  readonly content: string;
}

const strongScore = 0.65;
const manyUses = 5;
const earlySeconds = 14 * 86_400;
const folders: Partial<Record<MemoryCategory, string>> = {
  principle: 'principles',
  relationship: 'people',
  entity: 'entities',
  skill: 'procedures',
};

/**
 * Tells why a memory is strong enough to become knowledge, or undefined. It was used at least once and scores {@link strongScore} or more, or
 * was used five times within fourteen days of its making (CortexGraph). A score alone would promote whatever is new.
 */
export function strengthReasonOf(record: MemoryRecord, now: number, decay: Configuration['decay']): string | undefined {
  if (record.status !== 'active' || record.useCount < 1) return undefined;
  const score = scoreOf(record, now, decay);
  if (score >= strongScore) return `used ${record.useCount} times, score ${score.toPrecision(3)}`;
  const age = now / 1000 - record.createdAt;
  return record.useCount >= manyUses && age <= earlySeconds
    ? `used ${record.useCount} times in ${Math.ceil(age / 86_400)} days`
    : undefined;
}

/** Plans the promotion of strong memories, or of those that are named. */
export const promotion: Pass<{ readonly ids?: readonly string[] }, PromoteItem> = {
  name: 'promote',
  kind: 'memory',
  commits: 'each',
  plan(view, _ports, { ids }) {
    const { memories, now, configuration } = view;
    if (ids !== undefined) {
      const named = [...new Set(ids)].map((id) => activeMemory(view, id, 'promoted'));
      return { items: named.map((stored) => itemOf(view, stored, 'asked for')), left: [] };
    }
    const items = memories.flatMap((stored) => {
      const why = strengthReasonOf(stored.record, now, configuration.decay);
      return why === undefined ? [] : [itemOf(view, stored, why)];
    });
    return { items, left: [] };
  },
  describe([item]) {
    return { subject: `promote ${item!.ids[0]!.slice(0, 8)} to ${item!.to}` };
  },
};

function itemOf({ snapshot, now }: PassView, stored: Stored<MemoryRecord>, why: string): PromoteItem {
  const { record } = stored;
  const title = oneLine(record.gist ?? record.content, 72);
  const folder = folders[record.category ?? 'fact'] ?? 'insights';
  const name = (id: string): string => `knowledge/${folder}/${slugOf(title)}-${slugOf(id)}.md`;
  // A file of somebody else may have the short name.
  const path = snapshot.oidOf(name(record.id.slice(0, 8))) === null ? name(record.id.slice(0, 8)) : name(record.id);
  const seconds = Math.floor(now / 1000);
  const sources = (record.sources ?? []).map(
    ({ path: from, turn }) => `[source: ${from}${turn === undefined ? '' : `#${turn}`}]`,
  );
  const text = formatFrontMatter(
    {
      type: 'promoted',
      memory: record.id,
      promoted_at: formatTime(seconds * 1000),
      created: formatTime(record.createdAt * 1000),
      ...defined({ category: record.category }),
      ...(record.meta.tags.length === 0 ? {} : { tags: record.meta.tags }),
      ...(record.entities.length === 0 ? {} : { entities: record.entities }),
    },
    `\n# ${title}\n\n${[record.content.trim(), ...sources].join('\n')}\n`,
  );
  return {
    action: 'promote',
    ids: [record.id],
    why,
    to: path,
    content: record.content,
    changes: [
      changedFile(snapshot, path, text),
      changedMemory(stored, { ...record, status: 'promoted', promotedAt: seconds, promotedTo: path }),
    ],
  };
}
