// What passes need, taken from an open memory, so that a pass can be run before the memory has a call for it.

import type { Clock } from '../../src/base/ports.ts';
import type { RunPorts } from '../../src/core/write/run-pass.ts';
import { LedgerCatalog } from '../../src/logs/ledger.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { ConfigurationReader } from '../../src/store/configuration-reader.ts';
import { MemoryCatalog } from '../../src/store/memory-catalog.ts';
import { countingIds } from './memories.ts';

export function runPortsOf(memory: Memory, clock: Clock): RunPorts {
  const configurations = new ConfigurationReader();
  return {
    store: memory.store,
    catalog: new MemoryCatalog(),
    clock,
    ids: countingIds('made'),
    configurationOf: (snapshot) => configurations.of(snapshot),
    ledgers: new LedgerCatalog(),
    machine: 'test-machine',
    isImmediate: memory.placement !== 'project',
  };
}
