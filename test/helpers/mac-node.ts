// Stands in the place of src/adapters/node.ts where tests run as on macOS, see vitest.mac.config.ts.

import { nodeFileSystem as linux, nodeProcesses as linuxProcesses } from '../../src/adapters/node.ts';
import { macFileSystem, macProcesses } from './mac-fs.ts';

export * from '../../src/adapters/node.ts';

export const nodeFileSystem = macFileSystem(linux);
export const nodeProcesses = () => macProcesses(linuxProcesses());
