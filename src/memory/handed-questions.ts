// What agents were handed: listed, made again, and told apart from what is new.

import { packageVersion } from '../adapters/package.ts';
import { MemoryError } from '../base/errors.ts';
import { oncePer } from '../base/once-per.ts';
import type { HandedContext, ReplayResult } from '../base/types.ts';
import type { CompileInput } from '../core/context/compile/compile.ts';
import type { Earlier } from '../core/context/compile/since.ts';
import type { ReplayPlace } from '../core/handed/handed.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { frozen, type QuestionsOf } from './expect-questions.ts';
import type { SharedSources, State } from './state.ts';

/** Tells what agents were handed, and makes it again. */
export function handedQuestions(state: State, questionsOf: QuestionsOf) {
  return {
    handed: {
      /** Lists the contexts that a session was handed, by its id or path, or all; oldest first. Only those in which use was counted are kept. */
      list: async (session?: string): Promise<HandedContext[]> =>
        (await import('../core/handed/handed.ts')).handedOf(state.current(), session),

      /**
       * Makes again, byte for byte, what an agent was handed, by its id or the beginning of one. Tells how the same would differ now. The
       * message is that of the session, or `message`. Throws NOT_FOUND, AMBIGUOUS.
       */
      replay: async (id: string, options: { message?: string } = {}): Promise<ReplayResult> =>
        (await import('../core/handed/handed.ts')).replayOf(
          placeOf(state.shared, state.current(), questionsOf),
          id,
          options?.message,
        ),
    },
  };
}

function placeOf(shared: SharedSources, snapshot: Snapshot, questionsOf: QuestionsOf): ReplayPlace {
  return {
    snapshot,
    version: packageVersion(),
    line(from) {
      const oids: string[] = [];
      for (let oid: string | undefined = snapshot.commit ?? undefined; oid !== undefined; ) {
        oids.push(oid);
        if (oid.startsWith(from)) return oids;
        oid = shared.repository.objects.readCommit(oid).parents[0];
      }
      return [];
    },
    compile: (commit, time, message, given) =>
      questionsOf(frozen(shared, commit === null ? snapshot : shared.at(commit), time * 1000)).context(message, given),
  };
}

/** So many contexts are kept in a process, each with what was handed before it. */
const mostKept = 32;
const contextsOf = oncePer((_: SharedSources) => new Map<string, Earlier>());

/** Keeps contexts in this process and finds them again, or makes them anew from what was noted. */
export function earlierContexts(state: State, questionsOf: QuestionsOf) {
  const { shared } = state;
  const contexts = contextsOf(shared);
  return {
    keep(id: string, handed: Earlier): void {
      contexts.delete(id);
      contexts.set(id, handed);
      if (contexts.size > mostKept) contexts.delete(contexts.keys().next().value!);
    },

    async since(id: string): Promise<NonNullable<CompileInput['since']>> {
      let earlier = contexts.get(id);
      if (earlier === undefined) {
        const { madeAgain } = await import('../core/handed/handed.ts');
        // It is kept while it is compiled; what is not exact was not what the agent read.
        const { isExact, handed } = await madeAgain(placeOf(shared, shared.present(), questionsOf), id);
        earlier = isExact ? contexts.get(handed.id) : undefined;
        if (earlier === undefined) {
          throw new MemoryError('NOT_FOUND', `the context ${id} cannot be rebuilt`, {
            where: 'since',
            hint: 'Ask without `since`, for the whole context',
          });
        }
      }
      const { standingIn } = await import('../core/recall/standing.ts');
      return {
        earlier,
        now: standingIn(state.current(), shared, state.now(), shared.configurationOf(state.current()).timezone),
      };
    },
  };
}
