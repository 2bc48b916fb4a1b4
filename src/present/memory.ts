// Memory: the present of a branch with all that it answers and does. Its verbs stand by family in the classes that it comes from, each call
// a few lines of wiring; here is what looks at the memory as a whole: its state, its hooks, its keys.

import { downloadConfigured } from '../adapters/configured-embedder.ts';
import { filterCommands, mergeDriverCommand } from '../adapters/merge-driver-command.ts';
import { packagedHooks } from '../adapters/package.ts';
import { userSettings } from '../adapters/user-settings.ts';
import { answer } from '../git/disk.ts';
import { readIndex } from '../git/index-file.ts';
import type { Location } from '../open.ts';
import type { StagedReport } from '../operations/check-staged.ts';
import { configureMergeDriver, installMergeAttributes } from '../operations/install-git-drivers.ts';
import type { InstalledHooks } from '../operations/install-hooks.ts';
import type { KeyDependencies } from '../operations/private-keys.ts';
import { statusWithin } from '../operations/scoped-questions.ts';
import { refuseWholeOnly, wholeOnly } from '../scoped.ts';
import type {
  KeyChange,
  KeyStatus,
  ReindexOptions,
  ReindexResult,
  ShownKey,
  StatusResult,
  TimeInput,
} from '../types.ts';
import type { MemoryDependencies } from './dependencies.ts';
import { MountVerbs } from './mount-verbs.ts';

/** The present of one branch, its tip and journal: answers like a {@link View}, and acts. */
export class Memory extends MountVerbs {
  /** Use {@link openMemory}. */
  constructor(location: Location, dependencies: MemoryDependencies) {
    super(location, dependencies);
    if (this.shared.scope !== null) refuseWholeOnly(this, wholeOnly);
  }

  /** Says what is where: branch, counts, what is pending, what needs attention. */
  status(): Promise<StatusResult> {
    return answer(async () => {
      const { scope, catalog } = this.shared;
      const { statusOf } = await import('../operations/status.ts');
      const { integrityOf } = await import('../operations/ledger-questions.ts');
      const snapshot = this.current();
      const integrity = integrityOf(this.ledgerQuestion());
      const status = statusOf(this.store, catalog, snapshot, integrity, this.placement === 'project');
      const place = { directory: this.directory, placement: this.placement, branch: this.branchName };
      return { ...place, ...(scope === null ? status : statusWithin(scope, snapshot, status)) };
    });
  }

  /**
   * Puts git hooks into this repository and tells native git to merge memories with git-memory; what a person has set stays.
   *
   * `pre-commit` judges what is staged; `post-commit` and `post-merge` make ready in the background what git brought. Throws
   * ALREADY_EXISTS when somebody else has a pre-commit hook, UNSUPPORTED_REPOSITORY when git takes hooks from elsewhere, LOCKED.
   */
  installHooks(): Promise<InstalledHooks> {
    return this.acting(async () => {
      const { installHooks } = await import('../operations/install-hooks.ts');
      // On a branch of its own, and where there is no work tree, native git commits nothing of the memory.
      const isCommittedByHand = this.placement === 'repository' || this.placement === 'project';
      const hooks = packagedHooks().filter(({ isBackground }) => isCommittedByHand || !isBackground);
      const { installed, ...rest } = installHooks(this.repository, hooks, userSettings('core.hookspath').at(-1));
      const configured = configureMergeDriver(this.repository, mergeDriverCommand(), this.placement);
      const own = this.store.snapshot().read('.gitattributes')?.toString('utf8') ?? null;
      const attributes = installMergeAttributes(this.repository, own, this.placement === 'project');
      const { patterns } = this.store.snapshot().privacy;
      const { install } = await import('../operations/private-keys.ts');
      const filter = patterns.length === 0 ? [] : install({ store: this.store, commands: filterCommands() }, patterns);
      if (filter.length > 0) await this.store.showAgain();
      return { installed: [...installed, configured, attributes, ...filter].filter((path) => path !== null), ...rest };
    });
  }

  /** Tells what is private, under which keys it lies, and whether they are here. */
  keyStatus(): Promise<KeyStatus> {
    return this.asking(async () => {
      const { keyStatusOf } = await import('../operations/private-keys.ts');
      return keyStatusOf(this.store.snapshot(), this.keys, this.store);
    });
  }

  /**
   * Makes the key of private texts, or with `isRotation` another one, keeps it outside the repository and stores private texts under it in
   * one commit. Older commits stay as they are. `paths` (globs) are private from then on.
   *
   * Throws ALREADY_EXISTS, NOT_FOUND, PRIVATE_KEY_MISSING, INVALID_ARGUMENT, LOCKED.
   */
  newKey({ paths, isRotation = false }: { paths?: readonly string[]; isRotation?: boolean } = {}): Promise<KeyChange> {
    return this.acting(async () => {
      const { nameNewKey } = await import('../operations/private-keys.ts');
      return nameNewKey(this.keyDependencies(), { ...(paths === undefined ? {} : { paths }), isRotation });
    });
  }

  /** Keeps a key of private texts that was made elsewhere. Throws INVALID_ARGUMENT for what is no key. */
  importKey(key: string): Promise<KeyChange> {
    return this.acting(async () =>
      (await import('../operations/private-keys.ts')).importKey(this.keyDependencies(), key),
    );
  }

  /** Gives a key as people pass it on: whoever has it reads what is private. Throws PRIVATE_KEY_MISSING, NOT_FOUND. */
  showKey(id?: string): Promise<ShownKey> {
    return this.asking(async () => {
      const { shownKey } = await import('../operations/private-keys.ts');
      const { text, ...key } = shownKey(this.store.snapshot(), this.keys, id);
      return { id: key.id, key: text };
    });
  }

  private keyDependencies(): KeyDependencies {
    const { store, keys, isImmediate } = this;
    return { store, keys, isImmediate, clock: this.dependencies.clock, commands: filterCommands() };
  }

  /** Judges what is staged by the change rules; `indexFile` is that of a commit in progress, as a hook knows it. */
  checkStaged(indexFile?: string): Promise<StagedReport> {
    return answer(async () => {
      const { repository, workTree } = this.store;
      if (workTree === null || !workTree.isCheckedOut()) return { violations: [], warnings: [] };
      const { checkStaged } = await import('../operations/check-staged.ts');
      return checkStaged({
        index: indexFile === undefined ? workTree.index().index : readIndex(repository.disk, indexFile).index,
        tip: this.store.snapshot().withoutOverlay(),
        objects: repository.objects,
        codec: this.store.codec,
        configuration: this.configuration(),
        isProject: this.placement === 'project',
      });
    });
  }

  /**
   * Gives every text its vector, or those of files that changed since a state, so that no question has to wait; without an embedder
   * beside the built-in one there is none to keep.
   *
   * Throws EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED, INVALID_ARGUMENT when there is no model to download; what was done until then stays.
   */
  reindex(options: ReindexOptions = {}): Promise<ReindexResult> {
    return answer(async () => {
      const { reindex } = await import('../operations/reindex.ts');
      const configuration = this.configuration();
      const context = {
        snapshot: this.current(),
        searcher: this.sharedSearcher,
        configuration,
        semantics: () => this.semantics(),
        at: (state: TimeInput) => {
          const commit = this.stateOf(state);
          return commit === null ? null : this.store.at(commit);
        },
        download: (reporting: Parameters<typeof downloadConfigured>[1]) =>
          downloadConfigured(configuration.embedder, reporting),
      };
      return reindex(context, options);
    });
  }
}
