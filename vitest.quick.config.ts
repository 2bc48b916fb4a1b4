// The tests for the moments between two edits: every area, without what starts many processes or tries thousands of cases.

import { configDefaults, mergeConfig } from 'vitest/config';
import whole, { longFolders } from './vitest.config.ts';

const longFiles = [
  'context/topics/activate',
  'guard/ref-name',
  'history/blame',
  'history/catalogue',
  'history/learned',
  'history/merge-base',
  'history/odd-times',
  'memory/appends-by-hand',
  'memory/attachments',
  'memory/context',
  'memory/naughty',
  'memory/private',
  'memory/private-resolve',
  'memory/purge',
  'memory/undo',
  'operations/import-size',
  'operations/native-merge',
  'search/any-time',
  'search/both-indexes',
];

export default mergeConfig(whole, {
  test: {
    exclude: [
      ...configDefaults.exclude,
      ...longFolders.map((folder) => `test/${folder}/**`),
      ...longFiles.map((file) => `test/${file}.test.ts`),
      'test/package.test.ts',
      'test/tour.test.ts',
    ],
  },
});
