// The passes that follow every few extractions (spec 4, consolidation pass): when they are due by themselves.

import type { MaintainResult } from '../types.ts';
import { maintain } from './maintain.ts';
import { maintenanceTasks } from './maintenance-tasks.ts';
import { recentExtractions } from './recent-extractions.ts';
import type { PassDependencies } from './run-pass.ts';

/**
 * Runs the tasks that keep in order what extraction makes, if `maintain.every_extractions` extractions were made since they last ran; null
 * if they are not due, or another machine maintains this memory. Throws LOCKED; a task that fails is told in the result.
 */
export async function maintainAfterExtractions(dependencies: PassDependencies): Promise<MaintainResult | null> {
  const { store, configurationOf, machine } = dependencies;
  const snapshot = store.snapshot();
  const { machine: designated = machine, ...settings } = configurationOf(snapshot).maintain;
  if (!recentExtractions(snapshot, settings).areDue || designated !== machine) return null;
  const tasks = maintenanceTasks.filter(({ followsExtraction }) => followsExtraction).map(({ name }) => name);
  return maintain(dependencies, { tasks });
}
