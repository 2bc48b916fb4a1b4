// Every number and switch of the memory lifecycle (spec 4) is a key of memory.yaml, with the default that it has there.

import { describe, expect, it } from 'vitest';
import { configurationKeys } from '../../src/records/generated/configuration-keys.ts';

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
  ['explicit confidence', 'extract.tiers.explicit', 0.95],
  ['implied confidence', 'extract.tiers.implied', 0.7],
  ['speculative below', 'extract.tiers.inferred', 0.4],
  ['speculative TTL in days', 'extract.speculative_days', 30],
  ['commitmentDecayDays', 'commitments.days', 90],
  ['factArchivalEnabled', 'archive_facts.enabled', false],
  ['factArchivalAgeDays', 'archive_facts.age_days', 90],
  ['factArchivalMaxImportance', 'archive_facts.max_importance', 0.3],
  ['factArchivalMaxAccessCount', 'archive_facts.max_uses', 2],
  ['factArchivalProtectedCategories', 'archive_facts.protected', ['commitment', 'preference', 'decision', 'principle']],
  ['reflections above 8 KB', 'identity.max_bytes', 8192],
  ['the line cap of profile.md', 'profile.max_lines', 100],
  ['importance: base', 'extract.importance.base', 0.5],
  ['importance: critical wording', 'extract.importance.critical', 0.2],
  ['importance: high wording', 'extract.importance.high', 0.12],
  ['importance: hedging', 'extract.importance.hedge', 0.15],
  ['importance: length', 'extract.importance.length', 0.1],
  ['importance: length above', 'extract.importance.length_from', 200],
  ['importance: pronoun', 'extract.importance.personal', 0.05],
  ['importance: detail', 'extract.importance.detail', 0.03],
  ['importance: tag', 'extract.importance.tag', 0.05],
  ['importance: trivial', 'extract.importance.trivial', 0.1],
  ['importance: correction', 'extract.importance.categories.correction', 0.15],
  ['importance: principle', 'extract.importance.categories.principle', 0.12],
  ['importance: preference', 'extract.importance.categories.preference', 0.1],
  ['importance: commitment', 'extract.importance.categories.commitment', 0.1],
  ['importance: decision', 'extract.importance.categories.decision', 0.08],
  ['importance: relationship', 'extract.importance.categories.relationship', 0.05],
  ['importance: skill', 'extract.importance.categories.skill', 0.05],
  ['importance: moment', 'extract.importance.categories.moment', 0.03],
  ['importance: entity', 'extract.importance.categories.entity', 0.02],
];

describe('the thresholds of the memory lifecycle', () => {
  const byKey = new Map(configurationKeys.map((one) => [one.key, one.default]));
  it.each(thresholds)('%s: %s', (_says, key, value) => {
    expect(byKey.get(key)).toEqual(value);
  });
});
