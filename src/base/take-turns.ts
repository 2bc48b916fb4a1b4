// Long work that lets others in between: requests of a server, signals, timers.

import { monotonicMs } from './monotonic.ts';

/**
 * Makes what a long loop awaits in each round. It waits for one turn of the event loop where `everyMs` went by since the last, else not at
 * all.
 *
 * Others may have changed what the loop reads after each await.
 */
export function takeTurns(everyMs = 10): () => Promise<void> | undefined {
  let begun = monotonicMs();
  return () => {
    if (monotonicMs() - begun < everyMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        begun = monotonicMs();
        resolve();
      });
    });
  };
}
