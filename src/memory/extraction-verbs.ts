// What is derived from conversations, and other ways to derive it.

import { chooseModel } from '../adapters/configured-model.ts';
import { userReader } from '../adapters/user-model.ts';
import { defined, MemoryError } from '../base/errors.ts';
import type * as types from '../base/types.ts';
import type { ExtractDependencies, ExtractionRunOptions } from '../core/extract/extract.ts';
import { followedMemories } from '../core/extract/followed-memories.ts';
import type { ModelReading } from '../core/extract/model-reading.ts';
import type { Ask, ExperimentDependencies } from '../features/experiment/index.ts';
import type { OpenBranch } from '../history/index.ts';
import { flushBefore } from '../store/flush-before.ts';
import type { Configuration } from '../store/records/configuration.ts';
import type { Branch, WholeBranch } from './branch.ts';
import type { OtherBranches } from './branch-verbs.ts';
import { compose, within } from './compose.ts';
import { questionsTo, viewOf } from './view.ts';

/** What extracts is loaded when it is wanted, as all is that a short command can do without. */
const extracting = () =>
  Promise.all([
    import('../core/extract/rules.ts'),
    import('../core/extract/extractors.ts'),
    import('../core/extract/extract.ts'),
    import('../core/extract/extraction-settings.ts'),
  ]);

/** Extracts from the conversations of a branch, with nobody asking whether it may act. */
export interface Extraction {
  extractFrom(options: ExtractionRunOptions): Promise<types.ExtractResult>;
  readerOf(
    configuration: Configuration,
    asked: Pick<types.ExtractOptions, 'model' | 'extractors' | 'limit'>,
  ): Promise<Reader>;
}

/** What reads as it was chosen: with a model where `model` is not null, else with `extractor`. */
type Reader = Pick<ExtractDependencies, 'extractor' | 'spare' | 'model' | 'modelNote'>;

const wordsScore = 'the scorers of the package score alone';

/** Makes what extracts from the conversations of a branch. */
export function extractionOf(branch: Branch): Extraction {
  const { store, clock, shared, repository } = branch;
  const known = followedMemories(shared.catalog);
  const readerOf: Extraction['readerOf'] = async (configuration, asked) => {
    const [{ patientRules, rulesWith }, { chooseExtractor, foreignAmong }] = await extracting();
    const scorer = await branch.turnScorer().catch((error: unknown) => {
      if (error instanceof MemoryError) return error;
      throw error;
    });
    const isScored = scorer !== null && !(scorer instanceof MemoryError);
    const rules = isScored ? rulesWith(scorer) : patientRules;
    const { model: given, extractors } = branch.dependencies;
    // A module that a person named runs only where one of its extractors was chosen.
    const wanted = foreignAmong(asked.extractors ?? configuration.extract.extractors);
    const load = typeof extractors === 'function' ? extractors : () => extractors;
    const own = wanted.length === 0 ? undefined : await load(wanted);
    const chosen =
      asked.extractors === undefined
        ? chooseExtractor(configuration.extract.extractors, { rules, own }, 'INVALID_CONFIG')
        : chooseExtractor(asked.extractors, { rules, own });
    const { choice, note: why } = chooseModel(configuration.extract.model, asked.model, given, process.env, userReader);
    const unscored = scorer instanceof MemoryError ? `${scorer.message}; ${wordsScore}` : undefined;
    const note = [why, unscored].filter((one) => one !== undefined).join('; ') || undefined;
    if (chosen.needsModel && choice === null) {
      throw new MemoryError('MODEL_UNAVAILABLE', 'no language model was chosen', {
        where: 'model',
        hint: why ?? 'Use --model provider/id, set GIT_MEMORY_MODEL, or choose one with `git memory model use`',
      });
    }
    const extractor = chosen.over(rules);
    const spare = isScored ? { spare: chosen.over(patientRules) } : {};
    if (!chosen.takesBase || choice === null)
      return { extractor, ...spare, model: null, ...defined({ modelNote: chosen.takesBase ? note : undefined }) };
    const { modelIdentity } = await import('../core/extract/model/model-extractor.ts');
    const open = async (): Promise<ModelReading> => {
      const { openModelReading } = await import('../core/extract/model-reading.ts');
      const reading = await openModelReading(choice, { place: repository, clock, configuration, limit: asked.limit });
      return { ...reading, extractor: chosen.over(reading.extractor) };
    };
    return { extractor, ...spare, model: { open, identity: chosen.over({ ...modelIdentity, extract: () => [] }) } };
  };
  return {
    readerOf,
    async extractFrom(options) {
      const { isImmediate } = branch;
      if (!options.dryRun && isImmediate) await flushBefore(store);
      const configuration = branch.configuration();
      const { extractor, ...reader } = await readerOf(configuration, options);
      const [, , { extractTranscripts }, { extractionSettings }] = await extracting();
      const settings = extractionSettings(configuration, extractor, shared.catalog, branch.knownLedgers);
      return extractTranscripts({ store, known, clock, isImmediate, ...reader, ...settings }, options);
    },
  };
}

/** Extracts from a whole memory, and tries other ways to. */
export function extractionVerbs(branch: WholeBranch, extraction: Extraction, others: OtherBranches<OpenBranch>) {
  const { store, shared } = branch;
  const experimenting = async (
    asked: Pick<types.ExperimentRunOptions, 'model'> = {},
  ): Promise<ExperimentDependencies> => {
    const [, , , { extractionSettings }] = await extracting();
    return {
      ...others.access(),
      ledger: branch.knownLedgers,
      now: () => branch.now(),
      catalog: shared.catalog,
      machine: branch.machine,
      configurationOf: shared.configurationOf,
      readerOf: async (configuration) => {
        const { extractor, model } = await extraction.readerOf(configuration, asked);
        const reading = await model?.open();
        const settings = extractionSettings(configuration, reading?.extractor ?? extractor, shared.catalog, null);
        if (reading === undefined) return settings;
        const cost = () => {
          const { calls, inputTokens, outputTokens, cost: price } = reading.report();
          return { calls, inputTokens, outputTokens, price };
        };
        return { ...settings, cost };
      },
    };
  };
  return compose(
    within(branch.unlessDry(0), {
      /** Derives memories from conversations: one atomic commit for each transcript that yields something. */
      extract: async (options: types.ExtractOptions = {}): Promise<types.ExtractResult> =>
        extraction.extractFrom(options),
    }),
    within(branch.asking, {
      /**
       * Estimates what {@link extract} with a model would take, before anybody pays; null where rules would read. Asks no model. Throws
       * INVALID_CONFIG.
       */
      async readingCost(options: Pick<types.ExtractOptions, 'model' | 'from'> = {}): Promise<types.ReadingCost | null> {
        const configuration = branch.configuration();
        const { model: settings } = configuration.extract;
        const { choice } = chooseModel(settings, options.model, branch.dependencies.model, process.env, userReader);
        if (choice === null) return null;
        const { estimate } = await import('../core/extract/estimate.ts');
        const { windowTokens, prices, askCalls, askTokens } = settings;
        const price = prices.find(({ model }) => model === choice.name);
        const given = { windowTokens, timeZone: configuration.timezone, price, from: options.from };
        const estimated = estimate(store, given);
        const limit = { requests: askCalls, tokens: askTokens };
        const isAbove = estimated.requests > limit.requests || estimated.tokens > limit.tokens;
        return { model: choice.name, ...estimated, limit, isAbove };
      },
    }),
    within(branch.acting, {
      experiments: {
        /**
         * Tries another way to extract on all captures. Replays them in order onto `extract/<name>`, from the present without what was
         * extracted before, or goes on where the last run stopped. What waits is committed first; else neither the work tree nor this branch
         * is touched.
         *
         * The same captures and settings give the same memories. Throws INVALID_REF, INVALID_CONFIG, MODEL_UNAVAILABLE,
         * INVALID_ARGUMENT for an experiment that was begun with other settings, EXTRACTION_FAILED; what was found until then is kept.
         */
        async run(name: string, options: types.ExperimentRunOptions = {}): Promise<types.ExperimentRunResult> {
          const { runExperiment } = await import('../features/experiment/index.ts');
          const { extractors, ...rest } = options;
          const config = { ...options.config, ...defined({ 'extract.extractors': extractors }) };
          const given = extractors === undefined ? rest : { ...rest, config };
          return runExperiment(await experimenting(options), name, given);
        },

        /**
         * Merges a finished experiment into this branch, in one commit that undo takes back. What was changed here since it began stays as it is
         * here. Throws NOT_FOUND, INVALID_ARGUMENT, LOCKED.
         */
        adopt: async (name: string): Promise<types.AdoptResult> =>
          (await import('../features/experiment/index.ts')).adoptExperiment(await experimenting(), name),

        /** Ends the branch of an experiment; the tag `memory/extract/<name>` keeps what it was. Throws NOT_FOUND, CONFLICT. */
        drop: async (name: string): Promise<types.DropExperimentResult> =>
          (await import('../features/experiment/index.ts')).dropExperiment(await experimenting(), name),
      },
    }),
    within(branch.asking, {
      experiments: {
        /** Lists experiments with how far they are and what they cost, and the tags of those that were dropped. */
        list: async (): Promise<types.ExperimentListResult> =>
          (await import('../features/experiment/index.ts')).listExperiments(others.scope(), store),

        /**
         * Compares two experiments, or one with a branch such as `main`. It shows what each knows and costs, what one knows alone, and what
         * each finds of the same probes, with how sure the difference is. Throws NOT_FOUND, INVALID_RECORD for probes that cannot be used.
         */
        async compare(a: string, b: string, options: types.CompareOptions = {}): Promise<types.CompareResult> {
          const askAt = async (commit: string): Promise<Ask> => {
            const view = viewOf(shared, store.at(commit));
            return async (question, asking) => (await view.recall(question, asking)).hits;
          };
          const { compareExperiments } = await import('../features/experiment/index.ts');
          const compared = await compareExperiments({ ...(await experimenting()), askAt }, [a, b], options);
          const { expectedOfBoth } = await import('./expect-questions.ts');
          const commits = [compared.a.commit, compared.b.commit] as const;
          return { ...compared, expectations: await expectedOfBoth(shared, questionsTo, commits) };
        },

        /** Makes probes of the captures: turns are asked for by their rare words. The same captures, count and seed give the same. */
        probes: async (options: types.ProbesOptions = {}): Promise<types.Probe[]> =>
          (await import('../features/experiment/index.ts')).makeProbes(store, options),
      },
    }),
  );
}
