// Which scorer of turns the user added on this machine; turn-scorer.ts opens it.

import type { TurnScorerSource } from '../base/ports.ts';
import type { StatusResult } from '../base/types.ts';
import { placeOfModel, scorerWeightsIn } from './model-folder.ts';
import { isRuntimeInstalled } from './running-model.ts';
import { turnScorer } from './turn-scorer.ts';
import { userScorer } from './user-model.ts';

/** Tells how to get the scorer that the user added on this machine; null where there is none. */
export function configuredScorer(): TurnScorerSource | null {
  const name = userScorer();
  return name === undefined ? null : () => turnScorer(name);
}

/** Says which scorer of turns the user added, and why it cannot be used as far as that shows before it runs. */
export function installedScorer(): StatusResult['keeping'] {
  const name = userScorer();
  if (name === undefined) return { scorer: null };
  if (scorerWeightsIn(placeOfModel(name).folder) === undefined) return { scorer: null, why: `${name} is not here` };
  if (!isRuntimeInstalled()) return { scorer: null, why: `no package is here that runs ${name}` };
  return { scorer: name };
}
