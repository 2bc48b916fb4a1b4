// What answering a hook takes to know of a coding agent's program: where its session file lies, and which version wrote it.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';

/** From this version on Claude Code takes feedback that is no error. Before it, only what blocks the end of a turn is read. */
const takesContextFrom = [2, 1, 163] as const;
/** So much of the end of a session file is looked at for the version. */
const lookedAt = 65_536;

/** Gives the path of a session file as its event names it, which may begin with `~/`. */
export const sessionPath = (file: string): string => file.replace(/^~(?=[/\\])/, homedir());

/** Tells whether the version that wrote a session file takes `additionalContext` at the end of a turn. */
export function takesContext(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, lookedAt));
    readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    const [, ...version] = [...bytes.toString('utf8').matchAll(/"version":"(\d+)\.(\d+)\.(\d+)/g)].at(-1) ?? [];
    const at = takesContextFrom.findIndex((part, place) => Number(version[place] ?? 0) !== part);
    return at < 0 || Number(version[at] ?? 0) > takesContextFrom[at]!;
  } finally {
    closeSync(descriptor);
  }
}
