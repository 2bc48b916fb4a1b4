// doctor: wiring. features/doctor/doctor.ts has what is looked at and mended.

import { configuredEmbedder } from '../adapters/configured-embedder.ts';
import { chooseModel } from '../adapters/configured-model.ts';
import { userKeys } from '../adapters/key-file.ts';
import { mergeDriverCommand } from '../adapters/merge-driver-command.ts';
import { nodeFileSystem, nodeProcesses, systemClock, ulidSource } from '../adapters/node.ts';
import { missingParts, packagedHooks } from '../adapters/package.ts';
import { userTrust } from '../adapters/trust.ts';
import { userSettings } from '../adapters/user-settings.ts';
import { MemoryError } from '../base/errors.ts';
import { type DoctorOptions, type DoctorReport, examine } from '../features/doctor/index.ts';
import { answer } from '../store/git/file-errors.ts';
import { checkArguments } from './arguments.ts';
import { absolutePath } from './locate.ts';
import type { OpenOptions } from './open-memory.ts';

export interface DoctorInput extends DoctorOptions, Pick<OpenOptions, 'lockWaitMs' | 'fs' | 'clock' | 'processes'> {
  /** A folder inside the repository. */
  readonly dir: string;
}

/**
 * Looks at everything a memory stands on: format, refs, objects, packs, index, locks, journals, files, configuration and clock. Tells what
 * is the matter, and with `fix` mends what is safe to mend.
 *
 * Works where {@link openMemory} refuses. Nothing suspicious is deleted: it is moved to `git-memory/quarantine/<time>/` in the git
 * directory. What is wrong is a finding; throws NOT_A_REPOSITORY as a finding too, INVALID_ARGUMENT, INVALID_REF, IO.
 */
export function doctor(input: DoctorInput): Promise<DoctorReport>;
export function doctor(...given: readonly [DoctorInput]): Promise<DoctorReport> {
  return answer(() => {
    checkArguments('doctor', given);
    const [input] = given;
    if (input.dir === '')
      throw new MemoryError('INVALID_ARGUMENT', 'the folder to look at is missing', { where: 'dir' });
    const { dir, fs, clock, processes, lockWaitMs, ...options } = input;
    const named = userSettings('core.hookspath').at(-1);
    const hooksPath = named === undefined ? {} : { userHooksPath: named };
    return examine(
      absolutePath(dir, process.cwd()),
      {
        fs: fs ?? nodeFileSystem,
        processes: processes ?? nodeProcesses(),
        trusts: userTrust(),
        keys: userKeys(),
        now: (clock ?? systemClock).now(),
        nonce: ulidSource().next(),
        lockWaitMs: lockWaitMs ?? 10_000,
        own: { hooks: packagedHooks(), mergeDriver: mergeDriverCommand(), missing: missingParts(), ...hooksPath },
        openMounted: async (dir) => (await import('./open-memory.ts')).openMounted(dir, { fs, clock }),
        embedderOf: configuredEmbedder,
        modelOf: (settings) => chooseModel(settings, undefined, undefined),
      },
      options,
    );
  });
}
