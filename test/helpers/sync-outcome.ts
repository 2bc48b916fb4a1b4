// A sync whose limits a test chooses, and how it came out.

import { nodeProcesses, ulidSource } from '../../src/adapters/node.ts';
import { MemoryError } from '../../src/base/errors.ts';
import type { Network } from '../../src/base/ports.ts';
import type { SyncOptions } from '../../src/base/types.ts';
import { syncBranch } from '../../src/features/sync/sync.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import type { TransferLimits } from '../../src/store/git/pkt-line.ts';

const [processes, ids] = [nodeProcesses(), ulidSource()];

/** Syncs, and gives the state or the code of the failure; anything but a MemoryError is thrown on. */
export function outcomeOfSync(
  { store }: Memory,
  reached: { readonly network: Network; readonly limits: TransferLimits },
  options: SyncOptions = {},
): Promise<string> {
  const scope = {
    ...reached,
    store,
    placement: 'repository' as const,
    machine: 'test',
    now: () => Date.now(),
    processes,
    nextId: () => ids.next(),
  };
  return syncBranch(scope, options).then(
    ({ state }) => state,
    (error: unknown) => {
      if (error instanceof MemoryError) return error.code;
      throw error;
    },
  );
}
