// Runs test files in this process: `node suite.mjs test/store/git/refs.test.ts …`. It needs a Node that takes types off by itself (22.18 or newer).
// Each test is a line of standard output, and the last line says how many passed, failed and were left out.

import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ours = new URL('vitest.mjs', import.meta.url).href;
registerHooks({
  resolve: (id, context, next) => (id === 'vitest' ? { url: ours, shortCircuit: true } : next(id, context)),
});
const { afterAll, startTests } = await import('@vitest/runner');
const { removeTemporaryFolders } = await import('../../test/helpers/temporary.ts');
Object.assign(process.env, { XDG_DATA_HOME: '/dev/null', GIT_MEMORY_BUILT: '1' });

const counts = { pass: 0, fail: 0, skip: 0 };
function tell(task, names) {
  const name = [...names, task.name];
  if (task.type === 'suite') {
    if (task.result?.state === 'fail' && task.tasks.every(({ result }) => result?.state !== 'fail')) failed(task, name);
    for (const one of task.tasks) tell(one, name);
  } else if (task.result?.state === 'fail') failed(task, name);
  else counts[task.result?.state === 'pass' ? 'pass' : 'skip'] += 1;
}
function failed({ result }, name) {
  counts.fail += 1;
  console.log(`FAIL ${name.join(' > ')}`);
  for (const { stack, message } of result.errors ?? []) console.log(`     ${(stack ?? message).slice(0, 600)}`);
}

const config = {
  root,
  setupFiles: [],
  name: undefined,
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 5,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};
for (const file of process.argv.slice(2)) {
  const runner = {
    config,
    pool: 'forks',
    async importFile(path) {
      afterAll(removeTemporaryFolders);
      await import(pathToFileURL(path).href);
    },
  };
  const begun = performance.now();
  const [done] = await startTests([{ filepath: join(root, file) }], runner);
  const before = { ...counts };
  if (done.result?.state === 'fail' && done.tasks.length === 0) failed(done, [file]);
  for (const task of done.tasks) tell(task, [file]);
  const here = Object.keys(counts).map((state) => counts[state] - before[state]);
  console.log(`${file}: ${here.join(' ')} in ${Math.round(performance.now() - begun)} ms`);
}
console.log(`${counts.pass} passed, ${counts.fail} failed, ${counts.skip} left out`);
process.exit(counts.fail === 0 ? 0 : 1);
