// The long-running filter that native git starts for private files: https://git-scm.com/docs/gitattributes#_long_running_filter_process
//
//   git: command=clean | smudge, pathname=…, flush, content in packets, flush
//   we:  status=success, flush, content in packets, flush, flush          or status=error, flush

import { MemoryError } from '../../base/errors.ts';
import type { PrivateFilter } from '../../features/repository/index.ts';
import { ByteReader, flushPacket, formatPacket } from '../../store/git/pkt-line.ts';
import { errorShape } from '../error-shape.ts';

const maxContentBytes = 65_516;
/** As long as a timer can wait: git says when it is done. */
const forever = 2 ** 31 - 1;
const limits = {
  idleMs: forever,
  totalMs: forever,
  leastBytesPerSecond: 1,
  advertisementBytes: forever,
  refs: forever,
  packBytes: forever,
};

/** Where answers go, and what went wrong with a file. */
export interface FilterOutput {
  write(bytes: Buffer): void;
  warn(line: string): void;
}

/** Answers git until it has no more to ask. Throws MemoryError where the other side speaks no such protocol. */
export async function serveFilter(
  input: AsyncIterable<Uint8Array>,
  { write, warn }: FilterOutput,
  filter: PrivateFilter,
): Promise<void> {
  const reader = new ByteReader(input, limits);
  const say = (...lines: readonly string[]) =>
    write(Buffer.concat([...lines.map((line) => formatPacket(`${line}\n`)), flushPacket]));
  const greeting = await readList(reader);
  if (greeting === null) return;
  say('git-filter-server', 'version=2');
  await readList(reader);
  say('capability=clean', 'capability=smudge');
  for (let request = await readList(reader); request !== null; request = await readList(reader)) {
    const fieldOf = (key: string) => request!.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1) ?? '';
    const path = fieldOf('pathname');
    const content = await readContent(reader);
    let answer: Buffer;
    try {
      answer = fieldOf('command') === 'clean' ? filter.clean(path, content) : filter.smudge(path, content);
    } catch (error) {
      // Git asks for one file after the other: what goes wrong with this one, whatever it is, says nothing of the next.
      warn(error instanceof MemoryError ? error.message : `${path}: ${errorShape(error).error.what}`);
      say('status=error');
      continue;
    }
    say('status=success');
    for (let at = 0; at < answer.length; at += maxContentBytes) {
      write(formatPacket(answer.subarray(at, at + maxContentBytes)));
    }
    write(Buffer.concat([flushPacket, flushPacket]));
  }
}

/** Reads lines up to a flush; null at the end. */
async function readList(reader: ByteReader): Promise<string[] | null> {
  const lines: string[] = [];
  for (;;) {
    const line = await reader.line();
    if (line === null) return null;
    if (line === 'flush') return lines;
    lines.push(line);
  }
}

async function readContent(reader: ByteReader): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (;;) {
    const packet = await reader.packet();
    if (packet === null || packet === 'flush') return Buffer.concat(parts);
    parts.push(packet);
  }
}
