// openMemory: where the options of a caller and what this machine has become one Memory.

import { ephemeralFileSystem } from '../adapters/ephemeral.ts';
import { userKeys } from '../adapters/key-file.ts';
import { machineNetwork, networkOf } from '../adapters/network.ts';
import { nodeFileSystem, nodeProcesses, silentLogger, systemClock, ulidSource } from '../adapters/node.ts';
import { readOnlyFileSystem } from '../adapters/read-only.ts';
import { packagedTable } from '../adapters/table-embedder.ts';
import { userTrust } from '../adapters/trust.ts';
import { defined, MemoryError } from '../base/errors.ts';
import type { Clock, Credential, FileSystem, KeyStore } from '../base/ports.ts';
import { checkOwnExtractors } from '../core/extract/extractors.ts';
import { Acknowledgement, branchOfRemote } from '../features/sync/index.ts';
import type { BranchStoreOptions } from '../store/branch-store.ts';
import { answer } from '../store/git/file-errors.ts';
import { discoverRepository } from '../store/git/repository.ts';
import { checkArguments } from './arguments.ts';
import { absolutePath, locate } from './locate.ts';
import { type Memory, type MemoryPart, memoryAt } from './memory.ts';
import type { OpenOptions } from './open-options.ts';
import { wholeOf } from './whole.ts';

export type { Memory, MemoryPart } from './memory.ts';
export type { OpenOptions } from './open-options.ts';

/**
 * Opens the memory that a folder belongs to.
 *
 * Throws NOT_A_REPOSITORY or NOT_A_MEMORY (without `create`), UNSUPPORTED_REPOSITORY, UNTRUSTED_REPOSITORY,
 * INVALID_ARGUMENT, INVALID_CONFIG, IO, and what says that the repository is damaged.
 */
export function openMemory(options: OpenOptions & { readonly scope?: undefined }): Promise<Memory>;
/** Opens a part of the memory that a folder belongs to, where `scope` names one. */
export function openMemory(options: OpenOptions): Promise<MemoryPart>;
export function openMemory(...given: readonly [OpenOptions]): Promise<MemoryPart> {
  return answer(() => {
    checkArguments('openMemory', given);
    const [options] = given;
    return options.remote === undefined ? open(options, true) : openFromRemote(options, options.remote);
  });
}

/** Brings a memory here from its remote, unless it is here, and opens it so that it answers when the remote has what was written. */
async function openFromRemote(given: OpenOptions, remote: string): Promise<MemoryPart> {
  const { acknowledge = 'push' } = given;
  const fs = given.fs ?? (given.dir === undefined ? ephemeralFileSystem() : nodeFileSystem);
  const network = networkOf(given) ?? machineNetwork();
  const processes = given.processes ?? nodeProcesses();
  const options = { ...given, fs, network, processes, dir: given.dir ?? '/memory' };
  const credentials = new Map<string, Credential>();
  if (discoverRepository(fs, absolutePath(options.dir, process.cwd())) === null) {
    const { branch, isThere } = await branchOfRemote(remote, given.branch, { network, credentials });
    if (!isThere && !given.create) {
      throw new MemoryError('NOT_A_MEMORY', `the remote has no branch ${branch}`, {
        where: 'remote',
        hint: '`create` begins a memory there',
      });
    }
    const { scope: _, embedder: __, schedule: ___, ...plain } = options;
    const first = await open({ ...plain, branch, create: true, readOnly: false, placement: 'bare' }, false);
    const { state, why } = await wholeOf(first, 'bringing a memory')
      .sync({ remote })
      .finally(() => first.dispose());
    if (state === 'offline') throw new MemoryError('REMOTE_UNAVAILABLE', why!);
    options.branch = branch;
  }
  const scope = {
    placement: options.placement ?? ('bare' as const),
    network,
    processes,
    credentials,
    machine: processes.self.host.split(' ')[0]!,
    now: () => (options.clock ?? systemClock).now(),
    nextId: () => (options.ids ?? ulidSource()).next(),
  };
  const settle = acknowledge === 'push' ? { settle: new Acknowledgement(remote, scope).settle } : {};
  return open({ ...options, create: false }, true, settle);
}

interface OpeningOfMounts {
  readonly fs?: FileSystem | undefined;
  readonly clock?: Clock | undefined;
}

/** @internal Opens a memory to look into it from another one: it looks into none itself, has no keys, and asks nobody else. */
export async function openMounted(dir: string, { fs = nodeFileSystem, clock }: OpeningOfMounts): Promise<Memory> {
  const nothing: KeyStore = { place: '', read: () => [], add: () => undefined };
  const isolated = {
    readOnly: true,
    embedder: packagedTable,
    turnScorer: null,
    model: null,
    keys: nothing,
    ...defined({ clock }),
  };
  return wholeOf(await open({ dir, fs: readOnlyFileSystem(fs), ...isolated }, false), 'a mount');
}

/** Gives the folder to open, once all that is said goes together. Throws INVALID_ARGUMENT. */
function folderOf({ dir = '', remote, acknowledge, anyRepository, ...options }: OpenOptions): string {
  const refuse = (where: string, what: string): never => {
    throw new MemoryError('INVALID_ARGUMENT', what, { where });
  };
  if (dir === '') refuse('dir', 'the folder of the memory is missing');
  if (options.create && options.readOnly) refuse('create', 'create and readOnly exclude each other');
  if (options.create && options.scope !== undefined) refuse('scope', 'a scope needs a memory that exists');
  if (anyRepository && !options.readOnly) refuse('anyRepository', 'anyRepository goes with readOnly only');
  if (acknowledge !== undefined && remote === undefined) refuse('acknowledge', 'acknowledge goes with remote only');
  return dir;
}

async function open(
  options: OpenOptions,
  looksIntoMounts: boolean,
  store: Pick<BranchStoreOptions, 'settle'> = {},
): Promise<MemoryPart> {
  return answer(async () => {
    if (typeof options.extractors === 'object') checkOwnExtractors(options.extractors);
    const fs = options.fs ?? nodeFileSystem;
    const directory = absolutePath(folderOf(options), process.cwd());
    const location = await locate(fs, directory, {
      create: options.create ?? false,
      sync: options.durability !== 'fast',
      anyRepository: options.anyRepository ?? false,
      mends: !(options.readOnly ?? false),
      trusts: userTrust(),
      ...defined({ branch: options.branch, placement: options.placement }),
    });
    const { damage } = location.repository.refs.standIns.get(location.ref) ?? {};
    // A text that is read tells of no damage.
    if (damage !== undefined) options.logger?.warn(damage.message);
    const readOnly = options.readOnly || damage !== undefined;
    const make = () => {
      const { configuration: _, schedule: __, mends: ___, ...rest } = options;
      const { scope, embedder, turnScorer, model, extractors, agent, authorOf } = options;
      const again = { ...rest, dir: directory, create: false, placement: location.placement };
      return memoryAt(location, {
        clock: options.clock ?? systemClock,
        ids: options.ids ?? ulidSource(),
        processes: options.processes ?? nodeProcesses(),
        logger: options.logger ?? silentLogger,
        keys: options.keys ?? userKeys(),
        readOnly,
        mends: options.mends ?? false,
        ...store,
        reopen: async (branch) => wholeOf(await openMemory({ ...again, branch }), 'another branch'),
        openPart: (branch, scope) => openMemory({ ...again, branch, scope }),
        ...(looksIntoMounts ? { openMounted: (dir: string) => openMounted(dir, options) } : {}),
        ...defined({ scope, embedder, turnScorer, model, extractors, agent, authorOf, network: networkOf(options) }),
        ...defined({ indexTimeoutMs: options.indexWaitMs, lockTimeoutMs: options.lockWaitMs }),
      });
    };
    let unbegun: ReturnType<typeof memoryAt>;
    try {
      unbegun = make();
    } catch (error) {
      // It looks at the repository, whose packs are open by then.
      location.repository.objects.close();
      throw error;
    }
    const { memory, begin } = unbegun;
    try {
      if (!readOnly) await begin(location.exists ? null : (options.configuration ?? {}));
      if (options.schedule && !readOnly && options.scope === undefined)
        await wholeOf(memory, 'a schedule').maintenance.start();
      return memory;
    } catch (error) {
      memory.dispose();
      throw error;
    }
  });
}
