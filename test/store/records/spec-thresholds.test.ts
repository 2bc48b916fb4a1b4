// Every number and switch of the memory lifecycle (spec 4) is a key of memory.yaml, with the default that it has there.

import { describe, expect, it } from 'vitest';
import { configurationKeys } from '../../../src/store/records/generated/configuration-keys.ts';

/** What the requirements say, the key, and its default. */
const thresholds: readonly (readonly [says: string, key: string, value: unknown])[] = [
  ['buffer of N turns', 'buffer.turns', 5],
  ['T minutes', 'buffer.minutes', 15],
  ['factDeduplicationEnabled', 'extract.deduplicate', true],
  ['episodeNoteModeEnabled', 'extract.episodes_and_notes', true],
  ['memoryBoxesEnabled', 'boxes.enabled', true],
  ['boxTopicShiftThreshold', 'boxes.topic_overlap', 0.35],
  ['boxTimeGapMs, as minutes', 'boxes.gap_minutes', 30],
  ['boxMaxMemories', 'boxes.most', 50],
  ['consolidateEveryN', 'maintain.every_extractions', 3],
  ['speculative TTL in days', 'extract.speculative_days', 30],
  ['commitmentDecayDays', 'commitments.days', 90],
  ['factArchivalEnabled', 'archive_facts.enabled', false],
  ['factArchivalAgeDays', 'archive_facts.age_days', 90],
  ['factArchivalMaxImportance', 'archive_facts.max_importance', 0.3],
  ['factArchivalMaxAccessCount', 'archive_facts.max_uses', 2],
  ['factArchivalProtectedCategories', 'archive_facts.protected', ['commitment', 'preference', 'decision', 'principle']],
];

describe('the thresholds of the memory lifecycle', () => {
  const byKey = new Map(configurationKeys.map((one) => [one.key, one.default]));
  it.each(thresholds)('%s: %s', (_says, key, value) => {
    expect(byKey.get(key)).toEqual(value);
  });
});
