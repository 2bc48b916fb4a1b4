// What the present of a branch says of itself, whole or in part: its state, its keys, its other states, its parts.

import { filterCommands } from '../adapters/merge-driver-command.ts';
import { defined, MemoryError } from '../base/errors.ts';
import { tableName } from '../base/ports.ts';
import type * as types from '../base/types.ts';
import { statusWithin } from '../core/recall/scoped-questions.ts';
import { watchOf } from '../core/recall/watch.ts';
import type { KeyDependencies, StagedReport } from '../features/repository/index.ts';
import { listTags } from '../history/index.ts';
import { answer } from '../store/git/file-errors.ts';
import { readIndex } from '../store/git/index-file.ts';
import type { ScopeInput } from '../store/scope.ts';
import type { Branch } from './branch.ts';
import { compose, within } from './compose.ts';
import { ledgerQuestion } from './log-questions.ts';
import { stateAt } from './state.ts';
import { questionsTo, type View, viewOf } from './view.ts';

/** Looks at the present of a branch; `openPart` opens a part of it. */
export function presentVerbs<MemoryPart>(branch: Branch, openPart: (scope: ScopeInput) => Promise<MemoryPart>) {
  const { store, shared, placement, repository, keys } = branch;
  const keyDependencies = (): KeyDependencies => ({
    store,
    keys,
    isImmediate: branch.isImmediate,
    clock: branch.clock,
    commands: filterCommands(),
  });
  return compose(
    within((call) => answer(() => shared.sparing(() => branch.current(), call)), {
      /** Opens the state at a day, a time, a tag, a commit or a branch; see `resolveRevision`. Throws NOT_FOUND, AMBIGUOUS, INVALID_DATE. */
      at: async (when: types.TimeInput): Promise<View> =>
        viewOf(shared, stateAt(shared, when), branch.momentAsked(when)),

      snapshots: {
        /** Lists snapshots, oldest first. */
        list: async (): Promise<{ tag: string; commit: string; time: string }[]> => listTags(repository),
      },

      /** Says what is where: branch, counts, what is pending, what needs attention. */
      async status(): Promise<types.StatusResult> {
        const { scope, catalog } = shared;
        const { statusOf } = await import('../features/repository/index.ts');
        const { integrityOf } = await import('../core/ledger/ledger-questions.ts');
        const snapshot = branch.current();
        const integrity = integrityOf(ledgerQuestion(branch));
        const status = statusOf(store, catalog, snapshot, integrity, {
          isProject: placement === 'project',
          isPushed: branch.configuration().autoPush,
        });
        const place = { directory: branch.directory, placement, branch: branch.branchName };
        const semantics = branch.semantics();
        const ranking = semantics === null ? null : await semantics.lacking(branch.searcher().layoutOf(snapshot));
        return {
          ...place,
          ...(scope === null ? status : statusWithin(scope, snapshot, status)),
          ranking: rankingOf(ranking, branch.table() === null ? null : tableName),
          keeping: branch.keeping(),
        };
      },

      git: {
        /** Judges what is staged by the change rules and expectations. `indexFile` is that of a commit in progress, as a hook knows it. */
        async checkStaged(indexFile?: string): Promise<StagedReport> {
          const { workTree } = store;
          if (workTree === null || !workTree.isCheckedOut()) return { violations: [], warnings: [] };
          const { checkStaged, stagedChanges } = await import('../features/repository/index.ts');
          const staged = {
            index: indexFile === undefined ? workTree.index().index : readIndex(repository.disk, indexFile).index,
            tip: store.snapshot().withoutOverlay(),
            repository,
            ref: store.ref,
            codec: store.codec,
            configuration: branch.configuration(),
            isProject: placement === 'project',
          };
          const report = checkStaged(staged);
          if (report.violations.length > 0) return report;
          const { brokenIn } = await import('./expect-questions.ts');
          const after = staged.tip.with(stagedChanges(staged));
          const broke = await brokenIn(shared, questionsTo, [staged.tip, after], after, branch.now());
          return broke.length === 0 ? report : { ...report, broke };
        },
      },
    }),
    within(branch.asking, {
      /**
       * Opens a part of this memory, for an agent that shall see and write no more. The part is folders and files by their paths, and
       * memories by their tags.
       *
       * Whatever it is asked, only these are looked at, and statistics of search count them alone. A write beside them is READ_ONLY, and so
       * is what needs the whole, such as maintenance, branches and provenance. What it remembers gets the tags. Its context counts no uses.
       * The caller closes it. Throws INVALID_ARGUMENT, INVALID_PATH, READ_ONLY for what is not within the present scope.
       */
      async scoped(scope: string | ScopeInput): Promise<MemoryPart> {
        const wanted = typeof scope === 'string' ? { paths: [scope] } : scope;
        const own = branch.scope;
        const isWithin =
          own === null ||
          ((wanted?.paths ?? []).every((path) => own.covers(path)) &&
            (wanted?.tags ?? []).every((tag) => own.tags.includes(tag)));
        if (isWithin) return openPart(wanted);
        throw new MemoryError('READ_ONLY', 'this is outside the scope of this memory', { where: 'scope' });
      },

      keys: {
        /** Tells what is private, under which keys it lies, and whether they are here. */
        status: async (): Promise<types.KeyStatus> =>
          (await import('../features/repository/index.ts')).keyStatusOf(store.snapshot(), keys, store),

        /** Gives a key as people pass it on: whoever has it reads what is private. Throws PRIVATE_KEY_MISSING, NOT_FOUND. */
        async show(id?: string): Promise<types.ShownKey> {
          const { shownKey } = await import('../features/repository/index.ts');
          const { text, ...key } = shownKey(store.snapshot(), keys, id);
          return { id: key.id, key: text };
        },
      },
    }),
    {
      /**
       * Tells of every change of this branch, whoever makes it: this process, another one, a plain `git commit`. Files that people changed and
       * nobody committed are none yet. Keeps no process alive; ends when it is stopped or the memory is closed. Throws INVALID_ARGUMENT.
       */
      watch(onChange: (change: types.MemoryChange) => void, options: types.WatchOptions = {}): types.MemoryWatch {
        const { everyMs = 1000 } = options;
        if (!(Number.isInteger(everyMs) && everyMs >= 50)) {
          const what = 'a watch needs at least 50 milliseconds between looks';
          throw new MemoryError('INVALID_ARGUMENT', what, { where: 'everyMs' });
        }
        branch.current();
        const present = (isLive: boolean) => store.snapshot(isLive);
        const watch = watchOf({ present, logger: branch.dependencies.logger, everyMs, onChange });
        branch.watches.add(watch);
        const stop = () => {
          watch.stop();
          branch.watches.delete(watch);
        };
        return { look: () => (branch.watches.has(watch) ? watch.look() : undefined), stop };
      },
    },
    within(branch.acting, {
      keys: {
        /**
         * Makes the key of private texts, or with `isRotation` another one, keeps it outside the repository and stores private texts under it in
         * one commit. Older commits stay as they are. `paths` (globs) are private from then on.
         *
         * Throws ALREADY_EXISTS, NOT_FOUND, PRIVATE_KEY_MISSING, INVALID_ARGUMENT, LOCKED, READ_ONLY for a part of a memory.
         */
        async new(options: { paths?: readonly string[]; isRotation?: boolean } = {}): Promise<types.KeyChange> {
          const { paths, isRotation = false } = options;
          // The key would be kept before memory.yaml, which is outside every part, is refused.
          if (branch.scope !== null) {
            throw new MemoryError('READ_ONLY', 'a key is that of the whole memory', {
              where: 'scope',
              hint: 'Open the memory without a scope',
            });
          }
          const { nameNewKey } = await import('../features/repository/index.ts');
          return nameNewKey(keyDependencies(), { ...defined({ paths }), isRotation });
        },

        /** Keeps a key of private texts that was made elsewhere. Throws INVALID_ARGUMENT for what is no key. */
        import: async (key: string): Promise<types.KeyChange> =>
          (await import('../features/repository/index.ts')).importKey(keyDependencies(), key),
      },
    }),
  );
}

function rankingOf(
  asked: { readonly embedder: string; readonly missing: number } | MemoryError | null,
  otherwise: string | null,
): types.StatusResult['ranking'] {
  if (asked instanceof MemoryError) return { embedder: otherwise, missing: 0, why: asked.message };
  return asked ?? { embedder: otherwise, missing: 0 };
}
