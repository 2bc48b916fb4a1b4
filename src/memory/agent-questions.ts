// What an agent is handed: for a message, at the beginning of a session, and which topics are brought up.

import { defined } from '../base/errors.ts';
import type * as types from '../base/types.ts';
import type { ContextQuestion } from '../core/handed/context.ts';
import type { TopicQuestion } from '../core/handed/topics.ts';
import { logPathsIn } from '../store/records/log-readers.ts';
import type { QuestionsOf } from './expect-questions.ts';
import { earlierContexts } from './handed-questions.ts';
import { type LogState, ledgerQuestion } from './log-questions.ts';
import { learntFrom, likenessTo, nearnessIn } from './recall-questions.ts';
import type { State } from './state.ts';

const asking = () => import('../core/handed/topics.ts');

/** How a memory asks those that are mounted; undefined where there are none. */
export type AskMounted = () => ContextQuestion['others'] | undefined;

/** Gives what topics are found in. */
export async function topicQuestion(state: State): Promise<TopicQuestion> {
  const { topics, gateModel, configurationOf } = state.shared;
  const snapshot = state.current();
  const configuration = configurationOf(snapshot);
  return {
    topics: await topics(),
    gateModel,
    snapshot,
    configuration,
    now: state.now(),
    async spend(usage) {
      const { dayMeter } = await import('../core/extract/model-cache.ts');
      const { model } = await gateModel(configuration);
      const asking = { by: 'topics', model: model?.name ?? 'none' };
      dayMeter(state.shared.repository, state, configuration.timezone, asking).add(usage);
    },
  };
}

/** Gives what a context is compiled of. */
export function contextQuestion(state: State, questionsOf: QuestionsOf, mounted?: AskMounted): ContextQuestion {
  const question = ledgerQuestion(state);
  const { snapshot, configuration } = question;
  const others = mounted?.();
  return {
    ...question,
    ...earlierContexts(state, questionsOf),
    searcher: state.searcher(),
    learntFrom: () => learntFrom(state, snapshot),
    standing: async () => {
      const { handlesOf, originsIn, standingClaims } = await import('../core/recall/standing.ts');
      const { shared } = state;
      return {
        standing: standingClaims(snapshot, shared, question.now, configuration.timezone),
        handleOf: handlesOf(snapshot, shared),
        origins: originsIn(snapshot, shared),
      };
    },
    likenessTo: (query, signal) => likenessTo(state, query, defined({ signal }), snapshot, configuration),
    topics: async (text, asked) => (await asking()).topicsOf(await topicQuestion(state), text, asked),
    ...defined({ others }),
  };
}

/** Compiles what an agent is handed in a state. */
export function agentQuestions(state: LogState, questionsOf: QuestionsOf, mounted?: AskMounted) {
  return {
    /**
     * Compiles what an agent is handed for a message: identity, memory, the session so far, active topics and what fits, within a budget of
     * tokens. Each block comes with its reason. `since` gives what is new after an earlier one. Throws INVALID_ARGUMENT, also for a budget
     * below the identity; NOT_FOUND, AMBIGUOUS.
     *
     * A {@link View}, a part of a memory and one that is open for reading only write nothing. In the present of a whole memory, what is shown
     * counts as used, and the next commit writes that. The decisions of the gate of topics are noted. Turns of a recorded `session` are
     * extracted from before they leave the window, unless `context.flush` or `extract.trigger` of memory.yaml say otherwise.
     */
    context: async (message: string, options: types.ContextOptions = {}): Promise<types.ContextResult> =>
      (await import('../core/handed/context.ts')).contextOf(
        contextQuestion(state, questionsOf, mounted),
        message,
        options,
      ),

    /**
     * Compiles what a session begins with: identity, what holds, open promises, and the best of the last days as it was said. Then come the
     * notes of yesterday and today, active projects, the recall pack, and with the owner alone MEMORY.md. Throws INVALID_ARGUMENT,
     * INVALID_DATE.
     */
    async sessionStart(options: types.SessionStartOptions = {}): Promise<types.SessionStartResult> {
      // Only the whole history knows lines in dispute, and a session is not to wait for that.
      const { catalog } = state.shared;
      const question = ledgerQuestion(state);
      const { snapshot, configuration, now } = question;
      const memories = catalog.newest(snapshot);
      const claims = { memories: memories.all, relations: catalog.relations(snapshot) };
      const { originsIn, recordsIn, standingClaims } = await import('../core/recall/standing.ts');
      const standing = standingClaims(snapshot, state.shared, now, configuration.timezone);
      const origins = originsIn(snapshot, state.shared);
      const edits = defined({ refused: state.asItLies(logPathsIn(snapshot)).refused });
      const learnt = await learntFrom(state, snapshot);
      // What was said after what holds is found by vectors, too.
      const near = await nearnessIn(state, snapshot, configuration);
      const asked = { ...question, ...edits, ...near, claims, standing, origins, learntFrom: learnt };
      return (await import('../core/handed/session-start.ts')).sessionStartOf(
        { ...asked, searcher: state.searcher(), recordOf: recordsIn(memories) },
        options,
      );
    },

    topics: {
      /**
       * Finds the topics that a message brings up, and says for each why it is active or not. `corrections` is what the agent should hear
       * about its own `output`. Writes nothing; a model is asked at the gate only if somebody chose one.
       *
       * `problems` lists what is wrong with a topic file. Throws INVALID_ARGUMENT, INVALID_DATE, NOT_FOUND for `activeTopics`, TOO_LARGE.
       */
      test: async (message: string, options: types.TopicsOptions = {}): Promise<types.TopicsResult> =>
        (await asking()).topicsOf(await topicQuestion(state), message, options),

      /** Lists the topics, and what is wrong with their files, by line. */
      list: async (): Promise<types.TopicListResult> => (await asking()).listTopics(await topicQuestion(state)),
    },
  };
}
