import { expect, test } from 'vitest';
import { kindOf } from '../../../src/store/records/kind.ts';

test.each([
  ['memories/3f/a.json', 'memory'],
  ['memories/a.json', 'memory'],
  ['memories/readme.md', 'other'],
  ['relations/3f/a.json', 'relation'],
  ['raw/conversations/2026/02/16/1845-s-x.md', 'conversation'],
  ['raw/daily/2026-02-16.md', 'daily'],
  ['raw/artifacts/plan.md', 'artifact'],
  ['raw/conversations/notes.txt', 'artifact'],
  ['knowledge/memory/MEMORY.md', 'knowledge'],
  ['topics/email.md', 'topic'],
  ['memory.yaml', 'configuration'],
  ['memory-config.yaml', 'configuration'],
  ['ledger/2026/02/2026-02-16.jsonl', 'ledger'],
  ['ledger/ledger-archive-2025.jsonl', 'ledger'],
  ['ledger/checkpoint.json', 'derived'],
  ['CHANGELOG.md', 'changelog'],
  ['CHANGELOG-archive.md', 'changelog'],
  ['.memory/changelog.md', 'changelog'],
  ['.memory/graph.md', 'derived'],
  ['recall/pack.md', 'derived'],
  ['boxes/2026-02-16/box-1.md', 'box'],
  ['.meta.json', 'meta'],
  ['archive/knowledge/journal/2025-01-01.md', 'archive'],
  ['state/uses.json', 'other'],
  ['TODO.md', 'other'],
  ['toString', 'other'],
  ['src/index.ts', 'other'],
])('%s is a %s', (path, kind) => {
  expect(kindOf(path)).toBe(kind);
});
