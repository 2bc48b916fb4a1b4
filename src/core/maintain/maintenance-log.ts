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

export class MaintenanceLog {
  private readonly file: CacheFile;
  private readonly ref: string;

  /** `ref` is the branch: each is maintained by itself. */
  constructor(place: CachePlace, ref: string) {
    this.file = new CacheFile(place, 'maintenance', 1);
    this.ref = ref;
  }

  /** Tells when each task last ran. */
  read(): Map<string, number> {
    const runs = this.all().filter(({ ref }) => ref === this.ref);
    return new Map(runs.map(({ task, time }) => [task, time]));
  }

  note(task: string, time: number): void {
    const run: Run = { ref: this.ref, task, time };
    const runs = this.all();
    if (runs.length < maxFrames) this.file.append(frameOf(run));
    else {
      const last = new Map([...runs, run].map((one) => [`${one.ref} ${one.task}`, one]));
      this.file.replace([...last.values()].map(frameOf));
    }
  }

  private all(): Run[] {
    return this.file.read().map((payload) => JSON.parse(payload.toString('utf8')) as Run);
  }
}

const frameOf = (run: Run): Buffer => Buffer.from(JSON.stringify(run));
