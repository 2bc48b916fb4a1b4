// Answers the hook of native git before each commit without opening the memory. The rules: features/repository/check-staged.ts.

import { userKeys } from '../adapters/key-file.ts';
import { nodeFileSystem } from '../adapters/node.ts';
import { userTrust } from '../adapters/trust.ts';
import { defined, MemoryError } from '../base/errors.ts';
import { expectFolder, isExpectationPath } from '../core/expect/expectation.ts';
import { checkStaged, type StagedReport } from '../features/repository/index.ts';
import { identityCodec, PrivateCodec, privacyFrom } from '../store/codec.ts';
import { ConfigurationReader, type ConfiguredState } from '../store/configuration-reader.ts';
import { answer } from '../store/git/file-errors.ts';
import { readIndex } from '../store/git/index-file.ts';
import { KeyRing } from '../store/key-ring.ts';
import { Snapshot } from '../store/snapshot.ts';
import { absolutePath, locate } from './locate.ts';

export interface StagedInput {
  /** A folder inside the repository. */
  readonly dir: string;
  /** The index of the commit in progress; default: that of the work tree. */
  readonly indexFile?: string;
  /** Default: the branch of the memory that {@link openMemory} takes. */
  readonly branch?: string;
}

/**
 * Judges what is staged by the change rules; nothing is written, and nothing is asked of the journal.
 *
 * Where another branch is checked out, or one without a memory, nothing of a memory can be staged, and nothing is found. Throws
 * NOT_A_REPOSITORY, UNSUPPORTED_REPOSITORY, UNTRUSTED_REPOSITORY, INVALID_CONFIG, INDEX_UNSUPPORTED, IO, and what says that the
 * repository is damaged.
 */
export async function checkStagedIn({ dir, indexFile, branch }: StagedInput): Promise<StagedReport> {
  return answer(async () => {
    const options = { create: false, sync: true, trusts: userTrust(), ...defined({ branch }) };
    const location = await locate(nodeFileSystem, absolutePath(dir, process.cwd()), options).catch((error: unknown) => {
      if (error instanceof MemoryError && error.code === 'NOT_A_MEMORY') return null;
      throw error;
    });
    if (location === null) return { violations: [], warnings: [] };
    const { repository, ref, placement } = location;
    const { objects, refs, disk, gitDirectory, workTree } = repository;
    try {
      const head = refs.readHead();
      if (workTree === null || !('ref' in head) || head.ref !== ref) return { violations: [], warnings: [] };
      // Bytes as they are stored, and yet known which of them have to be encrypted.
      const configurations = new ConfigurationReader();
      const keyed = new PrivateCodec(new KeyRing(userKeys()), configurations);
      const storedCodec = {
        ...identityCodec,
        faultOf: (stored: Buffer) => keyed.faultOf(stored),
        privacyOf(state: ConfiguredState) {
          const { private: patterns, privateUnder } = configurations.of(state);
          return privacyFrom(patterns, privateUnder ?? null);
        },
      };
      const tip = new Snapshot(repository, storedCodec, refs.read(ref));
      const file = indexFile ?? `${gitDirectory}/index`;
      const { index } = readIndex(disk, file);
      const report = checkStaged({
        index,
        tip,
        repository,
        ref,
        codec: storedCodec,
        configuration: configurations.of(tip),
        isProject: placement === 'project',
      });
      const isExpected =
        report.violations.length === 0 && [...index.entries(expectFolder)].some(({ path }) => isExpectationPath(path));
      return isExpected ? judged({ dir, ...defined({ branch }) }, file, report) : report;
    } finally {
      objects.close();
    }
  });
}

/** Opens the memory for its expectations alone; that it cannot be opened keeps nobody from committing. */
async function judged(
  place: { readonly dir: string; readonly branch?: string },
  indexFile: string,
  report: StagedReport,
): Promise<StagedReport> {
  const { openMemory } = await import('./open-memory.ts');
  try {
    const memory = await openMemory({ ...place, readOnly: true });
    return await memory.git.checkStaged(indexFile).finally(() => memory.close());
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { ...report, warnings: [...report.warnings, `the expectations were not judged: ${error.message}`] };
  }
}
