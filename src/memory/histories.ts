// Looks at old conversations before a memory of them is begun.

import { nodeFileSystem } from '../adapters/node.ts';
import { answer, Disk } from '../git/disk.ts';
import { beginningOf } from '../import/histories.ts';

/** Tells what the conversations of a file or folder are, and when the first of them began. Throws as {@link beginningOf}. */
export function readBeginning(from: string, now: number): Promise<ReturnType<typeof beginningOf>> {
  return answer(() => beginningOf(new Disk(nodeFileSystem), from, now));
}
