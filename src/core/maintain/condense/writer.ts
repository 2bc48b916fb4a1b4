// A language model that writes short texts about a memory, with the limits and the kept answers of reading: nothing is paid for twice. What it
// says is checked by whoever asked.

import { attempt, MemoryError } from '../../../base/errors.ts';
import type { ShapedRequest, TextModel } from '../../../base/ports.ts';
import { askWithin, Budget } from '../../extract/model/budget.ts';
import { canonicalHash, memoryCache } from '../../extract/model/cache-key.ts';
import { dayMeter, keptAnswers } from '../../extract/model-cache.ts';
import type { ModelChoice, ModelReadingDependencies } from '../../extract/model-reading.ts';

/** A question whose answer is JSON. */
export type WriterQuestion = ShapedRequest;

export interface ModelWriter {
  readonly name: string;
  /** Gives the answer as JSON; undefined where it cannot be used or had. Throws when aborted, and QUOTA. */
  ask(question: WriterQuestion): Promise<unknown>;
}

/** Opens a model for writing; null where texts are private and it is not on this machine. Throws MODEL_UNAVAILABLE. */
export async function openWriter(
  choice: ModelChoice,
  { place, clock, configuration }: Omit<ModelReadingDependencies, 'limit'>,
): Promise<ModelWriter | null> {
  const model = await choice.open();
  const isPrivate = configuration.private.length > 0;
  if (isPrivate && model.isRemote !== false) return null;
  const { runCalls, runTokens, dayCalls, dayTokens } = configuration.extract.model;
  const limits = { run: { calls: runCalls, tokens: runTokens }, day: { calls: dayCalls, tokens: dayTokens } };
  const meter = dayMeter(place, clock, configuration.timezone, { by: 'maintain', model: model.name });
  const budget = new Budget(limits, meter);
  const cache = isPrivate ? memoryCache() : keptAnswers(place);
  return {
    name: model.name,
    async ask(question) {
      const { signal, ...asked } = question;
      const key = canonicalHash(['write', model.name, asked]);
      const kept = cache.get(key);
      if (kept !== undefined) return jsonIn(kept);
      const text = await answerOf(model, question, budget);
      signal?.throwIfAborted();
      const answer = text === null ? undefined : jsonIn(text);
      if (answer !== undefined) cache.put(key, text!);
      return answer;
    },
  };
}

async function answerOf(model: TextModel, question: WriterQuestion, budget: Budget): Promise<string | null> {
  const { schema, signal } = question;
  try {
    const inWords = `Answer with JSON of this schema alone: ${JSON.stringify(schema)}`;
    return (await askWithin(budget, model, { ...question, inWords })).text;
  } catch (error) {
    signal?.throwIfAborted();
    // Rules do what a model that is not there cannot.
    if (error instanceof Error && !(error instanceof MemoryError && error.code === 'QUOTA')) return null;
    throw error;
  }
}

/** Reads JSON, also in a code fence or with words around it. */
function jsonIn(text: string): unknown {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  return attempt(() => JSON.parse(text.slice(start, end + 1)), undefined);
}
