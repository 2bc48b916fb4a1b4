// The real world behind the ports: Node's file system, the clock, ids, and what the operating system says of processes.

import { randomBytes } from 'node:crypto';
import nodeFs from 'node:fs';
import { hostname } from 'node:os';
import { monotonicFactory } from 'ulid';
import { attempt, MemoryError } from '../base/errors.ts';
import type { Clock, FileSystem, IdSource, Logger, Processes, ProcessIdentity } from '../base/ports.ts';

/** The file system of Node; what `openMemory` uses where no `fs` is given. */
export const nodeFileSystem: FileSystem = nodeFs;

/** The machine's clock in milliseconds since 1970, the default of `openMemory`. Throws INVALID_DATE for a time that no commit can have. */
export const systemClock: Clock = { now: () => checkedClock(Date.now()) };

/** The last moment that four digits of a year can write. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function checkedClock(ms: number): number {
  if (ms >= 0 && ms <= latestMs) return ms;
  const [side, edge] = ms < 0 ? ['before', 1970] : ['after', 9999];
  throw new MemoryError('INVALID_DATE', `the clock of this machine is wrong: it tells a year ${side} ${edge}`, {
    where: 'clock',
    hint: 'Set the time of the machine, and repeat the call',
  });
}

export const silentLogger: Logger = { warn: () => {} };

/** Makes ULIDs in lower case: 26 characters, sortable by time, safe on file systems that ignore case. */
export function ulidSource(): IdSource {
  let next: ((time: number) => string) | undefined;
  // Asking the system costs as much for one byte as for many.
  let [random, at] = [Buffer.alloc(0), 0];
  const fraction = (): number => {
    if (at === random.length) [random, at] = [randomBytes(256), 0];
    return random[at++]! / 256;
  };
  // Without a source of its own it would load the whole of Web Crypto, and a question needs no id at all.
  return {
    next() {
      next ??= monotonicFactory(fraction);
      return next(systemClock.now()).toLowerCase();
    },
  };
}

function readOr(path: string, fallback: string): string {
  // Not Linux, or /proc is hidden: the field is unknown, and a lock is then judged by the others.
  return attempt(() => nodeFs.readFileSync(path, 'utf8').trim(), fallback);
}

/** Field 22 of /proc/<pid>/stat, counted behind the command's name, which may hold spaces and brackets. */
function startOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function namespaceOf(): string {
  // As above.
  return attempt(() => nodeFs.readlinkSync('/proc/self/ns/pid'), '');
}

/** Judges other processes by what Linux tells; elsewhere by pid and host alone. */
export function nodeProcesses(): Processes {
  const self: ProcessIdentity = {
    pid: process.pid,
    start: startOf(process.pid),
    boot: readOr('/proc/sys/kernel/random/boot_id', ''),
    space: namespaceOf(),
    // The machine's own id tells apart machines of one name that share a file system.
    host: [hostname(), readOr('/etc/machine-id', '')].filter((part) => part !== '').join(' '),
  };
  return {
    self,
    stateOf(other) {
      if (other.host !== self.host) return 'unknown';
      // Nobody outlives the boot of his machine.
      if (other.boot !== self.boot) return other.boot !== '' && self.boot !== '' ? 'dead' : 'unknown';
      if (other.space !== self.space) return 'unknown';
      try {
        process.kill(other.pid, 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead';
        // EPERM: it lives and belongs to somebody else.
      }
      // A pid that was given to another process since: the one that held the lock is gone.
      const start = startOf(other.pid);
      return other.start !== '' && start !== '' && start !== other.start ? 'dead' : 'alive';
    },
  };
}
