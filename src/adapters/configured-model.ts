// The language model that the person who runs us chose. memory.yaml may name one, but a shared file alone sends nobody's words or money away.

import { defined, MemoryError } from '../base/errors.ts';
import type { TextModel } from '../base/ports.ts';
import type { ModelChoice } from '../core/extract/model-reading.ts';
import type { Configuration } from '../store/records/configuration.ts';
import { languageModel } from './language-model.ts';

/** What is to read: a model, or the rules with or without a word about why. */
export interface ChosenModel {
  readonly choice: ModelChoice | null;
  readonly note?: string;
}

/** What memory.yaml says of a model. */
export type ModelSettings = Pick<Configuration['extract']['model'], 'name' | 'timeoutSeconds'> & {
  /** Attempts after the first; default as in {@link languageModel}. */
  readonly retries?: number;
};

/** The value of GIT_MEMORY_MODEL that lets memory.yaml choose. */
const letFileChoose = 'memory.yaml';

/**
 * Chooses the model that reads.
 *
 * `asked` wins: a model, `provider/id`, null or `none` for the rules. Then `given`, which the memory was opened with. Then GIT_MEMORY_MODEL of
 * the environment, in which `memory.yaml` stands for the name in that file. Then what `reader` says: what this user chose for good, where the
 * question is one of reading. A name in memory.yaml alone is reported and not followed.
 */
export function chooseModel(
  settings: ModelSettings,
  asked: string | TextModel | null | undefined,
  given: TextModel | null | undefined,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  reader: () => string | undefined = () => undefined,
): ChosenModel {
  if (asked === null || asked === 'none') return { choice: null };
  if (typeof asked === 'object') return { choice: atHand(asked) };
  if (asked === undefined && given !== undefined) return { choice: given === null ? null : atHand(given) };
  const wanted = asked ?? (environment.GIT_MEMORY_MODEL || (reader() ?? ''));
  if (wanted === 'none') return { choice: null };
  if (wanted !== '' && wanted !== letFileChoose) return { choice: named(wanted, settings, environment) };
  const { name } = settings;
  if (name === undefined)
    return wanted === '' ? { choice: null } : { choice: null, note: 'memory.yaml names no model; the rules read' };
  if (wanted === letFileChoose) return { choice: named(name, settings, environment) };
  const hint = `say --model ${name}, or set GIT_MEMORY_MODEL=${letFileChoose}, to let it`;
  return { choice: null, note: `memory.yaml names the model ${name}, which is not asked unless you say so: ${hint}` };
}

function atHand(model: TextModel): ModelChoice {
  if (typeof model.complete !== 'function' || typeof model.name !== 'string')
    throw new MemoryError('INVALID_ARGUMENT', 'a model needs a name and a function complete', { where: 'model' });
  return { name: model.name, open: () => Promise.resolve(model) };
}

function named(
  name: string,
  { timeoutSeconds, retries }: ModelSettings,
  environment: Readonly<Record<string, string | undefined>>,
): ModelChoice {
  return {
    name,
    open: () => languageModel({ model: name, environment, timeoutMs: timeoutSeconds * 1000, ...defined({ retries }) }),
  };
}
