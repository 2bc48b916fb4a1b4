import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files run for minutes: begun first, so that nothing waits for one that was begun last. */
export const longFolders = [
  'fleet',
  'concurrency',
  'faults',
  'apps',
  'adapters',
  'features/sync',
  'ui',
  'docs',
  'hostile',
  'oracle',
];

class LongFoldersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longFolders.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
      return at < 0 ? longFolders.length : at;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    setupFiles: ['test/helpers/each-file.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // As the program does (start.cjs): the rules are some hundred patterns, and most files try them a few times.
    execArgv: ['--no-regexp-tier-up'],
    // One more than computes at a time: a third of what a test takes it waits, for processes, locks and disks.
    maxWorkers: Math.min(availableParallelism(), 4) + 1,
    // Files share the modules of their process: loading the engine anew for each of them cost more than a quarter of the whole run.
    isolate: false,
    sequence: { sequencer: LongFoldersFirst },
  },
});
