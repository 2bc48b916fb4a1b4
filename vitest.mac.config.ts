// Runs tests as on macOS: `npm run test:mac -- test/store`. Where a memory is opened with the files of the machine, names that
// differ in case or Unicode form are one, directories list names decomposed, and there is no /proc; see test/helpers/mac-fs.ts.

import { fileURLToPath } from 'node:url';
import { configDefaults, mergeConfig } from 'vitest/config';
import whole from './vitest.config.ts';

const inTests = fileURLToPath(new URL('test/helpers/mac-node.ts', import.meta.url));

export default mergeConfig(whole, {
  // Asks /proc which process has a file open.
  test: {
    exclude: [...configDefaults.exclude, 'test/store/native-locks.test.ts'],
    env: { RUN_AS: 'darwin' },
  },
  plugins: [
    {
      name: 'mac',
      enforce: 'pre',
      resolveId: (id: string, importer?: string) =>
        /\/(?:adapters\/)?node\.ts$/.test(id) && importer?.includes('/src/') && importer !== inTests ? inTests : null,
    },
  ],
});
