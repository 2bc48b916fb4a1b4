// The times at which things are done by themselves.

import type { MaintainResult } from './passes-types.ts';

/** What has a time, and when. */
export interface ScheduleResult {
  /** In which zone times of day are read. */
  readonly timeZone: string;
  /** Whether programs that stay open do by themselves what is due: `schedule.auto`. */
  readonly isAutomatic: boolean;
  readonly tasks: readonly {
    readonly task: string;
    /** What a person calls it, and others that keep the same in order. */
    readonly group: string;
    readonly summary: string;
    /** A cron expression, `every 24 hours`, `when asked for` or `when something waits`. */
    readonly when: string;
    /** When it last ran here, or changed something anywhere. */
    readonly last?: string;
    /** When it is due, not before now; absent when it is not. */
    readonly next?: string;
    readonly isDue?: boolean;
    /** The one machine that does it, where that is not this one. */
    readonly elsewhere?: string;
  }[];
}

/** What a run of the schedule did. */
export interface ScheduleRunResult extends MaintainResult {
  /** Another process is at it, so nothing was done here. */
  readonly isBusy: boolean;
}
