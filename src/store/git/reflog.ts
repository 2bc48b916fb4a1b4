// Reflogs: what a ref held before, as git and the engine note it when one moves. They are local, may be missing and may be cut.

/** One move of a ref, oldest first in the file. */
export interface ReflogEntry {
  readonly from: string;
  readonly to: string;
  /** Seconds since the Unix epoch. */
  readonly time: number;
  readonly message: string;
}

const line = /^([0-9a-f]{40}) ([0-9a-f]{40}) [^\t\n]*?(\d+) [+-]\d{4}(?:\t(.*))?$/;

/** Parses a reflog; a line torn by a crash is passed over. */
export function parseReflog(text: string): ReflogEntry[] {
  const entries: ReflogEntry[] = [];
  for (const candidate of text.split('\n')) {
    const match = line.exec(candidate);
    if (match) entries.push({ from: match[1]!, to: match[2]!, time: Number(match[3]), message: match[4] ?? '' });
  }
  return entries;
}
