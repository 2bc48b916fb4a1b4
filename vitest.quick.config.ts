// The tests for the moments between two edits: every area, without what starts many processes or tries thousands of cases.

import { configDefaults, mergeConfig } from 'vitest/config';
import whole, { longFolders } from './vitest.config.ts';

/** Files that take more than a second each, as a rule. */
const longFiles = [
  'context/topics/activate',
  'guard/message',
  'guard/ref-name',
  'guard/secrets',
  'history/blame',
  'history/catalogue',
  'history/learned',
  'history/merge-base',
  'history/odd-repositories',
  'history/odd-times',
  'lifecycle/gist',
  'lifecycle/random-stores',
  'memory/appends-by-hand',
  'memory/attachments',
  'memory/auto-extraction',
  'memory/batch',
  'memory/batch-history',
  'memory/context',
  'memory/embedder',
  'memory/extracted-events',
  'memory/git-gc',
  'memory/injections',
  'memory/maintain',
  'memory/naughty',
  'memory/private',
  'memory/private-guesses',
  'memory/private-resolve',
  'memory/private-secrets',
  'memory/purge',
  'memory/undo',
  'merge/text',
  'operations/experiment/run',
  'operations/import-conversations',
  'operations/import-size',
  'operations/native-merge',
  'operations/resolve-logs',
  'search/any-time',
  'search/both-indexes',
  'search/segment-cache',
  'search/vectors/vector-cache',
  'search/vectors/vector-table',
  'store/lost-entries',
];

export default mergeConfig(whole, {
  test: {
    // These wait for nothing, and each worker loads the engine.
    maxWorkers: 2,
    // What was transformed once is read from the disk; a run after an edit transforms that file alone.
    experimental: { fsModuleCache: true },
    exclude: [
      ...configDefaults.exclude,
      ...longFolders.map((folder) => `test/${folder}/**`),
      ...longFiles.map((file) => `test/${file}.test.ts`),
      'test/package.test.ts',
      'test/tour.test.ts',
    ],
  },
});
