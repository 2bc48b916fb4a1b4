// A language model that was chosen, made ready to read: with the answers that are kept, the limits of memory.yaml and its prices.

import { MemoryError } from '../../base/errors.ts';
import type { Clock, TextModel, TokenUsage } from '../../base/ports.ts';
import type { ModelLimit, ModelReport } from '../../base/types.ts';
import type { CachePlace } from '../../store/cache-file.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Extractor } from './extractor.ts';
import { Budget } from './model/budget.ts';
import { memoryCache } from './model/cache-key.ts';
import { modelExtractor } from './model/model-extractor.ts';
import { dayMeter, keptAnswers } from './model-cache.ts';

/** A model that somebody wants to read, and how to get it. */
export interface ModelChoice {
  readonly name: string;
  /** Throws MODEL_UNAVAILABLE, INVALID_ARGUMENT. */
  open(): Promise<TextModel>;
}

/** An extractor with what it took so far. */
export interface ModelReading {
  readonly extractor: Extractor;
  report(): ModelReport;
}

/** Where and how a model reads. */
export interface ModelReadingDependencies {
  readonly place: CachePlace;
  readonly clock: Clock;
  readonly configuration: Pick<Configuration, 'extract' | 'timezone' | 'private'>;
  /** What this run may take, where that is less than memory.yaml says. */
  readonly limit?: ModelLimit | undefined;
}

/**
 * Opens a model for reading; nothing is asked yet.
 *
 * Throws MODEL_UNAVAILABLE when it cannot be had, or when texts would leave the machine although some of them are private.
 */
export async function openModelReading(
  choice: ModelChoice,
  { place, clock, configuration, limit }: ModelReadingDependencies,
): Promise<ModelReading> {
  const model = await choice.open();
  const { extract, timezone } = configuration;
  const isPrivate = configuration.private.length > 0;
  if (isPrivate && model.isRemote !== false) {
    throw new MemoryError('MODEL_UNAVAILABLE', `${model.name} would be told what is private`, {
      where: 'private',
      hint: 'A model on this machine may read it',
    });
  }
  const { windowTokens, outputTokens, parallel, runCalls, runTokens, dayCalls, dayTokens, prices } = extract.model;
  const run = {
    calls: Math.min(runCalls, limit?.requests ?? runCalls),
    tokens: Math.min(runTokens, limit?.tokens ?? runTokens),
  };
  const meter = dayMeter(place, clock, timezone, { by: 'extract', model: model.name });
  let costUsd: number | undefined;
  const counting = {
    today: meter.today,
    add(usage: TokenUsage) {
      if (usage.costUsd !== undefined) costUsd = (costUsd ?? 0) + usage.costUsd;
      meter.add(usage);
    },
  };
  const budget = new Budget({ run, day: { calls: dayCalls, tokens: dayTokens } }, counting);
  const cache = isPrivate ? memoryCache() : keptAnswers(place);
  const extractor = modelExtractor({ model, cache, budget, windowTokens, outputTokens, parallel });
  const price = prices.find((one) => one.model === model.name);
  return {
    extractor,
    report() {
      const { calls, input, output, isEstimated } = budget.use();
      return {
        name: model.name,
        calls,
        inputTokens: input,
        outputTokens: output,
        ...(isEstimated ? { isEstimated } : {}),
        cost: price === undefined ? null : (input * price.input + output * price.output) / 1e6,
        ...(costUsd === undefined ? {} : { costUsd }),
        windows: extractor.tally(),
      };
    },
  };
}
