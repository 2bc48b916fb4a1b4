// What a verb runs with when a program calls it that has no files of its own to offer: a protocol server, a framework.

import { defined, MemoryError } from '../base/errors.ts';
import type { Origin } from '../core/write/origin.ts';
import type { MemoryPart } from '../memory/open-memory.ts';
import type { VerbContext } from './verbs/verb.ts';

/** What a call asks beside the input of its verb. */
export interface CallOptions {
  readonly at?: string;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: VerbContext['onProgress'];
  /** The caller: what is written names it. */
  readonly origin?: Origin;
}

const refuseFiles = (name: unknown): never => {
  throw new MemoryError('INVALID_ARGUMENT', 'a tool reads no files of the machine it runs on', {
    where: String(name),
    hint: 'Give the text itself',
  });
};

/** Makes the context of one call. The machine is out of reach, its files and repositories: a caller gives texts. */
export function toolContext(memory: () => Promise<MemoryPart>, call: CallOptions): VerbContext {
  const { at, dryRun = false, signal, onProgress } = call;
  return {
    ...defined({ at, signal }),
    dryRun,
    memory,
    view: async () => (at === undefined ? memory() : (await memory()).at(at)),
    create: refuseFiles,
    newFolder: refuseFiles,
    plan: refuseFiles,
    doctor: refuseFiles,
    checkStaged: () => refuseFiles('the index'),
    readInput: async (name) => refuseFiles(name),
    files: { read: refuseFiles, write: refuseFiles },
    mergeFile: refuseFiles,
    pathOf: refuseFiles,
    onProgress: onProgress ?? (() => undefined),
  };
}
