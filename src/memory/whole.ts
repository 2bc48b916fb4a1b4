// What tells a memory, a part of one and a view of the past apart, where only a caller at run time can know. Loads no engine.

import { MemoryError } from '../base/errors.ts';
import type { Memory, MemoryPart } from './memory.ts';
import type { View } from './view.ts';

/** Whether a state can be written: the present of a memory or of a part of one, and no view of the past. */
export const isMemory = (state: MemoryPart | View): state is MemoryPart => 'commitsUnasked' in state;

/** Whether a memory is opened as a whole. */
export const isWhole = (memory: MemoryPart): memory is Memory => 'merge' in memory;

/** Gives the whole of a memory; throws READ_ONLY for a part of one, which lacks the verbs that need the whole. */
export function wholeOf(memory: MemoryPart, what: string): Memory {
  if (isWhole(memory)) return memory;
  throw new MemoryError('READ_ONLY', `${what} needs the whole memory, but only a part is open`, {
    where: 'scope',
    hint: 'Open the memory without a scope',
  });
}
