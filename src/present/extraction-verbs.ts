// What is derived from conversations, and other ways to derive it.

import { chooseModel } from '../adapters/configured-model.ts';
import { FollowedMemories } from '../extract/followed-memories.ts';
import type { Ask } from '../operations/experiment/compare.ts';
import type { ExperimentDependencies, ExperimentOptions } from '../operations/experiment/run.ts';
import type { ExtractionRunOptions } from '../operations/extract.ts';
import { flushBefore } from '../operations/flush-before.ts';
import type { ModelChoice, ModelReading } from '../operations/model-reading.ts';
import type { Configuration } from '../records/configuration.ts';
import type {
  AdoptResult,
  CompareOptions,
  CompareResult,
  DropExperimentResult,
  ExperimentListResult,
  ExperimentRunResult,
  ExtractOptions,
  ExtractResult,
  Probe,
  ProbesOptions,
} from '../types.ts';
import { View } from '../view/view.ts';
import { QuarantineVerbs } from './quarantine-verbs.ts';

/** What extracts is loaded when it is wanted, as all is that a short command can do without. */
const extracting = () =>
  Promise.all([
    import('../extract/rules.ts'),
    import('../operations/extract.ts'),
    import('../operations/extraction-settings.ts'),
  ]);

/** A branch whose conversations are extracted from. */
export abstract class ExtractionVerbs extends QuarantineVerbs {
  private readonly known = new FollowedMemories(this.shared.catalog);

  /** Derives memories from conversations: one atomic commit for each transcript that yields something. */
  extract(options: ExtractOptions = {}): Promise<ExtractResult> {
    return this.acting(() => this.extractFrom(options));
  }

  protected override async extractFrom(options: ExtractionRunOptions): Promise<ExtractResult> {
    if (!options.dryRun && this.isImmediate) await flushBefore(this.store);
    const { store, isImmediate } = this;
    const { clock } = this.dependencies;
    const { known } = this;
    const configuration = this.configuration();
    const { choice, note } = chooseModel(configuration.extract.model, options.model, this.dependencies.model);
    const model = choice === null ? null : { choice, open: () => this.openReading(choice, configuration) };
    const [{ ruleExtractor }, { extractTranscripts }, { extractionSettings }] = await extracting();
    const settings = extractionSettings(configuration, ruleExtractor, this.shared.catalog, this.knownLedgers);
    return extractTranscripts(
      { store, known, clock, isImmediate, model, ...(note === undefined ? {} : { modelNote: note }), ...settings },
      options,
    );
  }

  private async openReading(choice: ModelChoice, configuration: Configuration): Promise<ModelReading> {
    const { openModelReading } = await import('../operations/model-reading.ts');
    return openModelReading(choice, { place: this.repository, clock: this.dependencies.clock, configuration });
  }

  /**
   * Tries another way to extract on all captures: replays them in order onto `extract/<name>`, from the present without what was extracted
   * before, or goes on where the last run stopped. What waits is committed first; else neither the work tree nor this branch is touched.
   *
   * The same captures and settings give the same memories. Throws INVALID_REF, INVALID_CONFIG, INVALID_ARGUMENT for an experiment that was
   * begun with other settings, EXTRACTION_FAILED; what was found until then is kept.
   */
  experiment(name: string, options: ExperimentOptions = {}): Promise<ExperimentRunResult> {
    return this.acting(async () => {
      const { runExperiment } = await import('../operations/experiment/run.ts');
      return runExperiment(await this.experimenting(options), name, options);
    });
  }

  /** Lists experiments with how far they are and what they cost, and the tags of those that were dropped. */
  experiments(): Promise<ExperimentListResult> {
    return this.asking(async () =>
      (await import('../operations/experiment/branch.ts')).listExperiments(this.branchScope(), this.store),
    );
  }

  /**
   * Compares two experiments, or one with a branch such as `main`: what each knows and costs, what one knows alone, and what each finds of
   * the same probes, with how sure the difference is. Throws NOT_FOUND, INVALID_RECORD for probes that cannot be used.
   */
  compareExperiments(a: string, b: string, options: CompareOptions = {}): Promise<CompareResult> {
    const askAt = async (commit: string): Promise<Ask> => {
      const view = new View(this.shared, this.store.at(commit));
      return async (question, asking) => (await view.recall(question, asking)).hits;
    };
    return this.asking(async () => {
      const { compareExperiments } = await import('../operations/experiment/compare.ts');
      return compareExperiments({ ...(await this.experimenting()), askAt }, [a, b], options);
    });
  }

  /** Makes probes of the captures: turns are asked for by their rare words. The same captures, count and seed give the same. */
  probes(options: ProbesOptions = {}): Promise<Probe[]> {
    return this.asking(async () =>
      (await import('../operations/experiment/make-probes.ts')).makeProbes(this.store, options),
    );
  }

  /**
   * Merges a finished experiment into this branch, in one commit that undo takes back. What was changed here since it began stays as it is
   * here. Throws NOT_FOUND, INVALID_ARGUMENT, LOCKED.
   */
  adoptExperiment(name: string): Promise<AdoptResult> {
    return this.acting(async () =>
      (await import('../operations/experiment/end.ts')).adoptExperiment(await this.experimenting(), name),
    );
  }

  /** Ends the branch of an experiment; the tag `memory/extract/<name>` keeps what it was. Throws NOT_FOUND, CONFLICT. */
  dropExperiment(name: string): Promise<DropExperimentResult> {
    return this.acting(async () =>
      (await import('../operations/experiment/end.ts')).dropExperiment(await this.experimenting(), name),
    );
  }

  private async experimenting({
    extractor,
    model,
  }: Pick<ExperimentOptions, 'extractor' | 'model'> = {}): Promise<ExperimentDependencies> {
    const { extractionSettings } = await import('../operations/extraction-settings.ts');
    const { ruleExtractor } = await import('../extract/rules.ts');
    return {
      ...this.branchAccess(),
      ledger: this.knownLedgers,
      now: () => this.now(),
      catalog: this.shared.catalog,
      machine: this.machine,
      configurationOf: this.shared.configurationOf,
      readerOf: async (configuration) => {
        const settings = extractionSettings(configuration, extractor ?? ruleExtractor, this.shared.catalog, null);
        if (extractor !== undefined) return settings;
        const { choice } = chooseModel(configuration.extract.model, model, this.dependencies.model);
        if (choice === null) return settings;
        const reading = await this.openReading(choice, configuration);
        const cost = () => {
          const { calls, inputTokens, outputTokens, cost: price } = reading.report();
          return { calls, inputTokens, outputTokens, price };
        };
        return { ...settings, extractor: reading.extractor, cost };
      },
    };
  }
}
