// The turns of an agent: what it is handed for a message, which topics that brings up, and what is noted of both.

import { packageVersion } from '../adapters/package.ts';
import { defined } from '../base/errors.ts';
import { dayOf } from '../base/time.ts';
import type * as types from '../base/types.ts';
import type { AutoExtraction } from '../core/extract/auto-extraction.ts';
import { shortHash } from '../core/handed/handed.ts';
import type { BatchWriter } from '../core/handed/topic-turns.ts';
import type { Batch } from '../core/write/batch.ts';
import {
  actingContextOf,
  type CompiledUse,
  gatheredUse,
  newUses,
  planCompiledUse,
} from '../core/write/compiled-use.ts';
import { answer } from '../store/git/file-errors.ts';
import { type AskMounted, contextQuestion, topicQuestion } from './agent-questions.ts';
import type { Branch } from './branch.ts';
import { compose, within } from './compose.ts';
import type { QuestionsOf } from './expect-questions.ts';
import type { State } from './state.ts';
import type { Questions } from './view.ts';

/** What follows a turn of an agent is loaded by the first. */
const turning = () => import('../core/handed/topic-turns.ts');

/** Counts what contexts and tools have shown, in the batch. */
export function compiledUseOf(
  branch: Pick<Branch, 'configuration' | 'now' | 'shared' | 'store'>,
  batch: Batch,
): CompiledUse {
  const { shared, store } = branch;
  return gatheredUse({
    now: () => branch.now(),
    dayOf: (time) => dayOf(time, branch.configuration().timezone),
    async write(used) {
      // A question is answered where nothing may be written.
      if (store.lost !== null) return;
      const configuration = branch.configuration();
      const fresh = newUses(shared.catalog, store.snapshot(true), used, configuration.timezone);
      if (fresh === null) return;
      const plan = planCompiledUse(shared.catalog, fresh, configuration, configuration.timezone);
      await batch.write('touch', plan, { records: [], subject: 'touch what was shown' });
    },
  });
}

/** Takes note of what a program has put before its agent. Of a part, and open for reading only, it counts nothing. */
export function shownVerbs(branch: Branch, compiledUse: CompiledUse) {
  return within(branch.asking, {
    handed: {
      /**
       * Counts memories (id and path, as hits have them) and knowledge files (path) as used: once a day each, in the next commit. The tools of
       * an agent do so for what they answer; {@link recall} counts nothing. Throws INVALID_ARGUMENT.
       */
      async noteShown(shown: readonly types.Shown[]): Promise<void> {
        if (isCounted(branch)) await branch.acting(() => compiledUse.noteShown(shown));
      },
    },
  });
}

const isCounted = ({ dependencies, scope }: Branch): boolean => !dependencies.readOnly && scope === null;

/** Goes with an agent from turn to turn. */
export function turnVerbs(branch: State & Pick<Branch, 'acting' | 'asking'>, batch: Batch) {
  const inBatch: BatchWriter = (name, plan) => batch.write(name, plan);
  return compose(
    within(branch.acting, {
      topics: {
        /**
         * Finds the topics of a turn of an agent as `test` does, or those of an event. Notes in the batch what the gate decided; with
         * `turns` and `output` also whether the topics of the turn before were of use.
         */
        async turn(
          message: string | types.TopicEvent,
          options: types.TopicsOptions = {},
        ): Promise<types.ActivateResult> {
          const { activateForTurn } = await turning();
          const isText = typeof message === 'string';
          const events = isText ? options.events : [message, ...(options.events ?? [])];
          const given = events === undefined ? options : { ...options, events };
          return activateForTurn(await topicQuestion(branch), isText ? message : '', given, inBatch);
        },

        /** Writes a new topic file. Throws ALREADY_EXISTS, INVALID_PATH, INVALID_ARGUMENT for a pattern that cannot be read. */
        new: async (input: types.TopicInput): Promise<types.WriteResult> => (await turning()).newTopic(input, inBatch),

        /** Notes whether a topic was of use when it was decided upon last, or for a message. Throws NOT_FOUND, INVALID_ARGUMENT. */
        rate: async (name: string, wasUseful: boolean, message?: string): Promise<types.RateTopicResult> =>
          (await turning()).rateTopic(await topicQuestion(branch), name, wasUseful, message, inBatch),
      },
    }),
    within(answer, {
      topics: {
        /** Proposes better thresholds from what the gate decided and how it turned out; `apply` writes them into the topics. */
        tune(options: { apply?: boolean } = {}): Promise<types.TuneResult> {
          const tune = async () => (await turning()).tuneTopics(await topicQuestion(branch), options, inBatch);
          return options.apply ? branch.acting(tune) : branch.asking(tune);
        },
      },
    }),
  );
}

interface ContextPort {
  readonly compiledUse: CompiledUse;
  readonly autoExtraction: AutoExtraction;
  readonly extractFrom: (options: types.ExtractOptions) => Promise<types.ExtractResult>;
  readonly asked: Pick<Questions, 'context'>;
  readonly questionsOf: QuestionsOf;
  readonly mounted: AskMounted | undefined;
  readonly activate: (message: string, options: types.TopicsOptions) => Promise<types.ActivateResult>;
}

/**
 * Compiles contexts of the present. What is shown counts as used, and what the gate of topics decided is noted. Turns of a session are
 * extracted from before they leave the window. Of a part, and open for reading only, it writes nothing.
 */
export function actingContext(branch: Branch, port: ContextPort): Pick<Questions, 'context'> {
  const { asked, autoExtraction } = port;
  const compile = actingContextOf({
    use: port.compiledUse,
    configuration: () => branch.configuration(),
    snapshot: () => branch.store.snapshot(),
    compile: async (message, options) => {
      const { contextOf } = await import('../core/handed/context.ts');
      return contextOf(
        { ...contextQuestion(branch, port.questionsOf, port.mounted), topics: port.activate },
        message,
        options,
      );
    },
    compileAgain: asked.context,
    handed(
      message,
      { session, turns, system, tokenizer, activeTopics, events, output, since, others = false },
      compiled,
    ) {
      const named = session ?? branch.origins.of().session;
      // What is kept nowhere cannot be compiled again.
      const isKept = [turns, system, tokenizer, activeTopics, events, output].every((one) => one === undefined);
      if (named === undefined || !isKept) return undefined;
      return {
        id: compiled.id,
        time: Math.floor(branch.now() / 1000),
        commit: compiled.commit?.slice(0, 12) ?? '',
        session: named,
        turns: session === undefined ? null : compiled.window.turns,
        tokens: compiled.budget,
        message: shortHash(message),
        version: packageVersion(),
        isShared: others,
        ...defined({ since }),
      };
    },
    extract: async (path) => {
      await autoExtraction.settled(path);
      return port.extractFrom({ from: path });
    },
  });
  return {
    context(message, options = {}) {
      if (!isCounted(branch) || options?.counts === false) return asked.context(message, options);
      return branch.acting(() => compile(message, options));
    },
  };
}
