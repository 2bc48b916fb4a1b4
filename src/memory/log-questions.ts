// What was written down over time: the ledger, knowledge files and boxes, the log of a project.

import { defined } from '../base/errors.ts';
import type * as types from '../base/types.ts';
import type { PackClaims } from '../core/context/pack/conflicts.ts';
import type { LedgerQuestion } from '../core/ledger/ledger-questions.ts';
import type { ProjectQuestion } from '../features/project/index.ts';
import type { LyingState } from '../store/hand-edits.ts';
import { changelogPaths, projectLogPaths } from '../store/records/changelog.ts';
import { logPathsIn } from '../store/records/log-readers.ts';
import type { State } from './state.ts';

/** A state whose files may lie in a work tree as no commit has them yet. */
export interface LogState extends State {
  /** Gives the state whose log is read. */
  asItLies(paths: readonly string[]): LyingState;
  /** Gives what AGENTS.md says; null where there is none. */
  agents(): string | null;
  /** What an agent must know of the branch before all else; absent in the past. */
  readonly lost?: Error | null;
}

/** Gives what questions to the ledger are answered from. */
export function ledgerQuestion(state: State): LedgerQuestion {
  const { ledgers, changelogs, configurationOf, at } = state.shared;
  const snapshot = state.current();
  return { ledgers, changelogs, snapshot, at, configuration: configurationOf(snapshot), now: state.now() };
}

/** Gives what conflicts are sought among. */
async function packClaims(state: State): Promise<PackClaims> {
  return (await import('../features/review/index.ts')).claimsIn(state.shared, state.current());
}

/** Reads what was written down over time. */
export function logQuestions(state: LogState) {
  const { catalog, changelogs, configurationOf } = state.shared;
  const question = () => ledgerQuestion(state);
  const projectQuestion = (): ProjectQuestion => {
    const lying = state.asItLies(projectLogPaths);
    return { changelogs, ...lying, configuration: configurationOf(lying.snapshot), agents: state.agents() };
  };
  return {
    ledger: {
      /** Lists events of the ledger that hold, or those of a chain, oldest first. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND. */
      list: async (filter: types.EventFilter = {}): Promise<types.EventsResult> =>
        (await import('../core/ledger/ledger-questions.ts')).listEvents(question(), filter),

      /** Lists what was promised and not yet done, the next to be due first. */
      async loops(): Promise<types.LoopsResult> {
        return (await import('../core/ledger/ledger-questions.ts')).listLoops(question());
      },

      /** Checks ledger and changelog as they lie there (lines, ids, references, what was derived), and says what is wrong; nothing is thrown. */
      check: async (): Promise<types.IntegrityResult> =>
        (await import('../core/ledger/ledger-questions.ts')).integrityOf({
          ...question(),
          ...state.asItLies(logPathsIn(state.current())),
        }),
    },

    project: {
      /** Lists events of the changelog that hold, or those of a chain, oldest first. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND. */
      changes: async (filter: types.ChangeFilter = {}): Promise<types.ChangesResult> =>
        (await import('../core/ledger/ledger-questions.ts')).listChanges(
          { ...question(), ...state.asItLies(changelogPaths) },
          filter,
        ),

      /** Gives the graph that the changelog comes to, how the files that follow from it stand to it, and what is wrong with them. */
      graph: async (): Promise<types.GraphResult> =>
        (await import('../features/project/index.ts')).graphOf(projectQuestion()),

      /** Gives what an agent reads before it begins: AGENTS.md, the context and the graph, made anew where their files are stale. */
      async boot(): Promise<types.BootResult> {
        const warning = state.lost?.message;
        return (await import('../features/project/index.ts')).bootOf({ ...projectQuestion(), ...defined({ warning }) });
      },

      /** Lists the tasks of TODO.md, and what is wrong with them. */
      todo: async (): Promise<types.TodoResult> =>
        (await import('../features/project/index.ts')).todoOf(projectQuestion()),
    },

    /**
     * Gives one page of what matters: constraints, open commitments, what to do today, what was decided lately. It always has fewer than
     * 3,000 words, the same bytes for the same files and day, and for each line why it is there. Throws INVALID_DATE.
     */
    async pack(options: types.PackOptions = {}): Promise<types.PackResult> {
      const { packOf } = await import('../core/context/pack/pack.ts');
      const { refused } = state.asItLies(logPathsIn(state.current()));
      return packOf({ ...question(), claims: await packClaims(state), ...defined({ refused }) }, options);
    },

    knowledge: {
      /** Lists facts that nobody verified lately, and what contradicts. Throws INVALID_ARGUMENT, INVALID_DATE, INVALID_PATH, NOT_FOUND. */
      list: async (options: types.KnowledgeOptions = {}): Promise<types.KnowledgeResult> =>
        (await import('../core/knowledge/knowledge-questions.ts')).askKnowledge(
          { ...question(), claims: await packClaims(state) },
          options,
        ),

      /** Lists the lines of knowledge files that link to a file or name it. Throws INVALID_PATH, NOT_FOUND. */
      backlinks: async (path: string): Promise<types.BacklinksResult> =>
        (await import('../core/knowledge/backlinks.ts')).backlinksTo(state.current(), path),

      /** Gives the entities that have files in knowledge/people and knowledge/entities, what is known of them, and how they relate. */
      entities: async (): Promise<types.EntityGraph> =>
        (await import('../core/recall/entity-graph.ts')).entityGraphOf(state.current()),

      /** Lists memory boxes, oldest first. Throws INVALID_ARGUMENT. */
      boxes: async (filter: types.BoxFilter = {}): Promise<types.BoxesResult> =>
        (await import('../core/recall/box-questions.ts')).listBoxes(catalog, state.current(), filter),

      /** Gives a box with its memories and the others on its trace, by its id or the beginning of it. Throws NOT_FOUND, AMBIGUOUS. */
      box: async (id: string): Promise<types.BoxResult> =>
        (await import('../core/recall/box-questions.ts')).showBox(catalog, state.current(), id),
    },
  };
}
