// When tasks of maintenance last ran here, also those that found nothing to do. A cache: without it they run once more.

import { CacheFile, type CachePlace } from '../../store/cache-file.ts';

interface Run {
  readonly ref: string;
  readonly task: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
}

/** So many runs are kept before only the last of each task are. */
const maxFrames = 200;

/** Opens the log; `ref` is the branch: each is maintained by itself. */
export function maintenanceLog(place: CachePlace, ref: string) {
  const file = new CacheFile(place, 'maintenance', 1);
  const all = (): Run[] => file.read().map((payload) => JSON.parse(payload.toString('utf8')) as Run);
  return {
    /** Tells when each task last ran. */
    read: (): Map<string, number> =>
      new Map(all().flatMap((run) => (run.ref === ref ? [[run.task, run.time] as const] : []))),
    note(task: string, time: number): void {
      const run: Run = { ref, task, time };
      const runs = all();
      if (runs.length < maxFrames) file.append(frameOf(run));
      else {
        const last = new Map([...runs, run].map((one) => [`${one.ref} ${one.task}`, one]));
        file.replace([...last.values()].map(frameOf));
      }
    },
  };
}

export type MaintenanceLog = ReturnType<typeof maintenanceLog>;

const frameOf = (run: Run): Buffer => Buffer.from(JSON.stringify(run));
