// A competitor in a process of its own, so that its garbage and caches slow nobody else: takes its turn when told to.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('competitor.mjs', import.meta.url));

/**
 * Starts a competitor: `module` exports `competitors`, a table of `name → async (options) => ({ run, prepare?, close? })`.
 *
 * `turn(round)` lets it run once and gives the milliseconds that `run` took. `close()` gives what its own `close` returned, and the processor
 * time and memory that it took.
 */
export async function startAgent(module, name, options) {
  const child = fork(entry, [module, name, JSON.stringify(options)], { stdio: 'inherit' });
  let settle;
  child.on('message', (message) => settle.resolve(message));
  child.once('exit', (code) => settle?.reject(new Error(`the competitor ${name} ended with ${code}`)));
  const answer = () =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
  const ask = (question) => {
    child.send(question);
    return answer();
  };
  await answer();
  return {
    turn: async (round) => (await ask({ round })).ms,
    close: async () => {
      const { result, usage } = await ask({ close: true });
      settle = undefined;
      child.disconnect();
      return { result, usage };
    },
  };
}
