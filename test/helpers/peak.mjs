// The most memory that this process has taken. `maxRSS` of a child begins with that of the process which started it.

import fs from 'node:fs';

/** In bytes. */
export function peakBytes() {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // There is no /proc.
  }
  return process.resourceUsage().maxRSS * 1024;
}
