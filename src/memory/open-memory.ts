// openMemory: where the options of a caller and what this machine has become one Memory.

import { ephemeralFileSystem } from '../adapters/ephemeral.ts';
import { userKeys } from '../adapters/key-file.ts';
import { machineNetwork, networkOf } from '../adapters/network.ts';
import { nodeFileSystem, nodeProcesses, silentLogger, systemClock, ulidSource } from '../adapters/node.ts';
import { readOnlyFileSystem } from '../adapters/read-only.ts';
import { packagedTable } from '../adapters/table-embedder.ts';
import { userTrust } from '../adapters/trust.ts';
import { defined } from '../base/defined.ts';
import { MemoryError } from '../base/errors.ts';
import type {
  Clock,
  Credential,
  EmbedderSource,
  FileSystem,
  HttpClient,
  IdSource,
  KeyStore,
  Logger,
  Network,
  Processes,
  TextModel,
  TurnScorerSource,
} from '../base/ports.ts';
import type { Placement } from '../base/types.ts';
import { checkOwnExtractors, type OwnExtractors } from '../core/extract/extractors.ts';
import { Acknowledgement, branchOfRemote } from '../features/sync/index.ts';
import type { BranchStoreOptions } from '../store/branch-store.ts';
import { answer } from '../store/git/file-errors.ts';
import { discoverRepository } from '../store/git/repository.ts';
import type { InitialConfiguration } from '../store/records/configuration-text.ts';
import type { ScopeInput } from '../store/scope.ts';
import { checkArguments } from './arguments.ts';
import { absolutePath, locate } from './locate.ts';
import { type Memory, type MemoryPart, memoryAt, type UnbegunMemory } from './memory.ts';
import { wholeOf } from './whole.ts';

export type { Memory, MemoryPart } from './memory.ts';

/** How to open a memory; only `dir` or `remote` is needed. */
export interface OpenOptions {
  /** A folder inside the repository, or where to make one. With `remote` it may be left out: then the memory needs no disk. */
  readonly dir?: string;
  /**
   * The address of a repository that the memory is brought from and goes to, for machines without a disk that lasts. It lies in memory alone
   * unless `dir` or `fs` say where; what is there already is opened as it is. With `create`, begun there when the remote holds none.
   */
  readonly remote?: string;
  /**
   * With `remote`, what a call that writes waits for. With `push` (default) it waits until the remote has what was written. With `sync` it
   * waits for nothing, and what was written lasts with the next {@link Memory.sync}. A push that fails is thrown; what was written stays in
   * the memory, and may arrive with the next one.
   */
  readonly acknowledge?: 'push' | 'sync';
  /** Begin a memory when there is none. Default false. */
  readonly create?: boolean;
  readonly readOnly?: boolean;
  /**
   * Does what is due (`git memory maintain schedule`) while the memory is open, from a minute after opening on, unless `schedule.auto` of memory.yaml is
   * false. Default false: a program that stays says so.
   */
  readonly schedule?: boolean;
  /** With `readOnly`: open any git repository, memory or not, to ask its history. Default false. */
  readonly anyRepository?: boolean;
  /** Default: the branch that is checked out, or `memory/main` inside a code repository. */
  readonly branch?: string;
  /** The part of the memory that is seen and may be written; default: all of it. See {@link Memory.scoped}. */
  readonly scope?: ScopeInput;
  /** Default: found out; see docs/guide-git.md, "Placement". */
  readonly placement?: Placement;
  /** What `memory.yaml` of a new memory says beside its defaults. */
  readonly configuration?: InitialConfiguration;
  /** `full` (default): what was acknowledged survives a power cut. `fast`: it survives the death of the process. */
  readonly durability?: 'full' | 'fast';
  /** How long a capture waits for git's `index.lock` before it stays in the journal; default 2000. */
  readonly indexWaitMs?: number;
  /** How long to wait for another process that writes; default 10,000. */
  readonly lockWaitMs?: number;
  /** Tells how like texts are, or gets what does when it is needed. Default: what `memory.yaml` names, else the table of the package; null: words alone. */
  readonly embedder?: EmbedderSource | null;
  /**
   * A model that says which turns are worth keeping and as what, beside the scorers of the package. Or how to get it when something is first
   * extracted. Default: what `git memory model add` installed; null: the scorers of the package alone.
   */
  readonly turnScorer?: TurnScorerSource | null;
  /**
   * A language model that reads conversations in place of the rules, and puts texts into one. Default: none, but for reading the one that
   * GIT_MEMORY_MODEL names; null: none at all.
   */
  readonly model?: TextModel | null;
  /** Extractors of one's own, by the names under which memory.yaml, `extract` and `experiment` may choose them, or how to get them when one is. */
  readonly extractors?: OwnExtractors | ((wanted: readonly string[]) => Promise<OwnExtractors | undefined>);
  /** How remotes are reached; default: HTTP by Node, ssh and git by their programs. */
  readonly network?: Network;
  /** Speaks HTTP with remotes in the place of that of `network`: any http client of isomorphic-git, such as `isomorphic-git/http/node`. */
  readonly http?: HttpClient;
  readonly fs?: FileSystem;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly processes?: Processes;
  /** Where the keys of private texts lie; default: the user's configuration folder and GIT_MEMORY_KEY. */
  readonly keys?: KeyStore;
  readonly logger?: Logger;
  /** The agent that writes, where neither a call nor an open session names one: records and commits say so. */
  readonly agent?: string;
  /** Gives the author of commits where memory.yaml names none, from that of the repository's configuration. Default: that one, or git-memory. */
  readonly authorOf?: (
    configured: { readonly name: string; readonly email: string } | null,
  ) => { readonly name: string; readonly email: string } | null;
}

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
      trusts: userTrust(),
      ...defined({ branch: options.branch, placement: options.placement }),
    });
    const { damage } = location.repository.refs.standIns.get(location.ref) ?? {};
    // A text that is read tells of no damage.
    if (damage !== undefined) options.logger?.warn(damage.message);
    const readOnly = options.readOnly || damage !== undefined;
    const make = () => {
      const { configuration: _, schedule: __, ...rest } = options;
      const { scope, embedder, turnScorer, model, extractors, agent, authorOf } = options;
      const again = { ...rest, dir: directory, create: false, placement: location.placement };
      return memoryAt(location, {
        clock: options.clock ?? systemClock,
        ids: options.ids ?? ulidSource(),
        processes: options.processes ?? nodeProcesses(),
        logger: options.logger ?? silentLogger,
        keys: options.keys ?? userKeys(),
        readOnly,
        ...store,
        reopen: async (branch) => wholeOf(await openMemory({ ...again, branch }), 'another branch'),
        openPart: (branch, scope) => openMemory({ ...again, branch, scope }),
        ...(looksIntoMounts ? { openMounted: (dir: string) => openMounted(dir, options) } : {}),
        ...defined({ scope, embedder, turnScorer, model, extractors, agent, authorOf, network: networkOf(options) }),
        ...defined({ indexTimeoutMs: options.indexWaitMs, lockTimeoutMs: options.lockWaitMs }),
      });
    };
    let unbegun: UnbegunMemory;
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
      if (options.schedule && !readOnly && options.scope === undefined) {
        await wholeOf(memory, 'a schedule').maintenance.start();
      }
      return memory;
    } catch (error) {
      memory.dispose();
      throw error;
    }
  });
}
