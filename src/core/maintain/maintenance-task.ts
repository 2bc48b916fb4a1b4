// What a task of maintenance is: one thing that is due from time to time. maintenance-tasks.ts lists them all, maintain.ts runs them.

import type { PassOptions, PassResult } from '../../base/types.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Pass } from '../lifecycle/pass.ts';

/** The keys of `schedule` that hold a time of day. */
export type TimeKey = Exclude<keyof Configuration['schedule'], 'auto' | 'tasks'>;

/** When a task is due, as far as it says so itself. */
export interface TaskTimes {
  /** What it is called in memory.yaml and by whoever asks for it alone: lower case, without underscores. */
  readonly name: string;
  /** How often it is due unless `maintain.every_hours` says something else; 0 means only when it is asked for. */
  readonly everyHours: number;
  /** The time of day at which it is due, in place of every so many hours: a key of `schedule`, or cron. */
  readonly at?: TimeKey | { readonly cron: string };
}

/** One thing that is due from time to time, with all that it takes. */
export interface MaintenanceTask extends TaskTimes {
  /** What it does, in a few words without a full stop. */
  readonly summary: string;
  /** Changes nothing that is shared, so that every machine does it. */
  readonly isLocal?: boolean;
  /** Keeps in order what extraction makes, so that it also runs after every few of them (`maintain.every_extractions`). */
  readonly followsExtraction?: boolean;
  /** The key of `.meta.json` that tells when it last changed something. */
  readonly noted?: Pass['noted'];
  /** Tells when it is due where that follows from what waits, and not from a time; null when nothing waits. */
  dueAt?(): number | null;
  /** Tells before which time, in milliseconds, it is not due, whatever its times say, and why; who asks for it by name waits for nothing. */
  notBefore?(): { readonly time: number; readonly why: string };
  run(options: TaskOptions): Promise<PassResult>;
}

/** How a task runs; `isNamed`: somebody asked for it by its name. */
export type TaskOptions = PassOptions & { readonly isNamed?: boolean };

/** Gives the result of a task that makes no commit: what it did, as action and reason, and what it left. */
export function withoutCommit(
  pass: string,
  done: readonly (readonly [action: string, why: string])[] = [],
  left: PassResult['left'] = [],
): PassResult {
  const items = done.map(([action, why]) => ({ action, ids: [], why, paths: [] }));
  return { pass, commits: [], tree: null, items, left, dropped: [] };
}
