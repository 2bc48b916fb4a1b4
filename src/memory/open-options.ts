// What callers say of the memory that they open.

import type {
  Clock,
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
import type { OwnExtractors } from '../core/extract/extractors.ts';
import type { InitialConfiguration } from '../store/records/configuration-text.ts';
import type { ScopeInput } from '../store/scope.ts';

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
  /** Open where the configuration that was committed is broken, too, so that an undo can take it back: until then the last whole one holds. Default false. */
  readonly mends?: boolean;
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
