// The registry of what `maintain` does, in the order in which it is done. A pass joins it by one line.

import { decayGc } from '../lifecycle/decay-gc.ts';
import type { Pass, PassItem } from '../lifecycle/pass.ts';
import type { PassOptions, PassResult } from '../types.ts';
import { consolidateMemories } from './consolidate.ts';
import { makeGists } from './gists.ts';
import { type PassDependencies, runPass } from './run-pass.ts';

/** One thing that is due from time to time. */
export interface MaintenanceTask {
  /** What it is called in memory.yaml and by whoever asks for it alone. */
  readonly name: string;
  /** What it does, in a few words without a full stop. */
  readonly summary: string;
  /** How often it is due unless memory.yaml says something else. */
  readonly everyHours: number;
  run(dependencies: PassDependencies, options: PassOptions): Promise<PassResult>;
}

/** Lists all tasks. What changes where records stand or what they are comes before what takes some away. */
export const maintenanceTasks: readonly MaintenanceTask[] = [
  {
    name: 'consolidate',
    summary: 'make one memory of several that say the same',
    everyHours: 24,
    run: consolidateMemories,
  },
  { name: 'gist', summary: 'give gists to memories that have none', everyHours: 24, run: makeGists },
  passTask(decayGc, 'forget what decayed', 24, undefined),
];

function passTask<Options, Item extends PassItem>(
  pass: Pass<Options, Item>,
  summary: string,
  everyHours: number,
  settings: Options,
): MaintenanceTask {
  return {
    name: pass.name,
    summary,
    everyHours,
    run: (dependencies, options) => runPass(dependencies, pass, settings, options),
  };
}
