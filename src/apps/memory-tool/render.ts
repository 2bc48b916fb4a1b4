// The texts of Anthropic's memory tool, as its SDK writes them (@anthropic-ai/sdk 1.12, tools/memory/node): models were trained on them.

import { grouped } from '../../base/count.ts';

const maxLines = 999_999;
const numberWidth = String(maxLines).length;

/** Numbers lines as `cat -n` does, from `first` on. */
export function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${String(index + first).padStart(numberWidth, ' ')}\t${line}`).join('\n');
}

/** Shows a file, or lines `[from, to]` of it, counted from 1; -1 is the last. */
export function fileText(shown: string, content: string, range: readonly number[] | undefined): string {
  const lines = content.split('\n');
  if (lines.length > maxLines) {
    const most = grouped(maxLines);
    throw new Error(`File ${shown} has too many lines (${lines.length}). Maximum is ${most} lines.`);
  }
  const [from, to] = range?.length === 2 ? [Math.max(1, range[0]!), range[1]!] : [1, -1];
  const part = lines.slice(from - 1, to === -1 ? lines.length : to);
  return `Here's the content of ${shown} with line numbers:\n${numbered(part, from)}`;
}

/** A file or folder of a listing; folders end in `/`. */
export interface Entry {
  readonly path: string;
  readonly bytes: number;
}

/** Shows a folder with what is in it, two levels deep. */
export function folderText(shown: string, bytes: number, entries: readonly Entry[]): string {
  const header = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`;
  const rows = entries.map((entry) => `${size(entry.bytes)}\t${shown}/${entry.path}`);
  return [header, `${size(bytes)}\t${shown}`, ...rows].join('\n');
}

/** `22B`, `1.5K`, `4K`: powers of 1,024, with one digit behind the point unless it comes out even. */
function size(bytes: number): string {
  if (bytes === 0) return '0B';
  const power = Math.floor(Math.log(bytes) / Math.log(1024));
  const amount = bytes / 1024 ** power;
  return (amount % 1 === 0 ? String(amount) : amount.toFixed(1)) + ['B', 'K', 'M', 'G'][power]!;
}
