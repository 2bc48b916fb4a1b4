// What a verb runs with when a program calls it that has no files of its own to offer: a protocol server, a framework.

import { MemoryError } from '../errors.ts';
import type { MemoryPart } from '../memory.ts';
import type { VerbContext } from '../verbs/verb.ts';

/** What a call asks beside the input of its verb. */
export interface CallOptions {
  readonly at?: string;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: VerbContext['onProgress'];
}

const refuseFiles = (name: string): never => {
  throw new MemoryError('INVALID_ARGUMENT', 'a tool reads no files of the machine it runs on', {
    where: name,
    hint: 'Give the text itself',
  });
};

/** Makes the context of one call. Files of the machine are out of reach: a caller gives texts. */
export function toolContext(memory: () => Promise<MemoryPart>, call: CallOptions): VerbContext {
  const { at, dryRun = false, signal, onProgress } = call;
  return {
    ...(at === undefined ? {} : { at }),
    ...(signal === undefined ? {} : { signal }),
    dryRun,
    memory,
    view: async () => (at === undefined ? memory() : (await memory()).at(at)),
    create: memory,
    plan: async ({ placement, files }) => {
      const { planMemory } = await import('../plan-memory.ts');
      const { directory: dir } = await (await memory()).status();
      return planMemory({
        dir,
        ...(placement === undefined ? {} : { placement }),
        ...(files === undefined ? {} : { files }),
      });
    },
    doctor: async (wanted) => {
      const { doctor } = await import('../doctor.ts');
      return doctor({ dir: (await (await memory()).status()).directory, ...wanted });
    },
    checkStaged: async () => (await memory()).checkStaged(),
    readInput: async (name) => refuseFiles(name),
    files: { read: refuseFiles, write: refuseFiles },
    keys: async () => ({ place: '', read: () => [], add: refuseFiles }),
    pathOf: refuseFiles,
    onProgress: onProgress ?? (() => undefined),
  };
}
