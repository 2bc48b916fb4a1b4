// Lists in knowledge files with some lines that a pass keeps up to date: those that name a memory. All else belongs to whoever wrote it.

import { oneLine } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { wordsOfClaim } from '../../store/claims/claim.ts';
import { cutFrontMatter } from '../../store/records/front-matter.ts';
import { memoriesOfLine, memoryMark } from '../../store/records/knowledge-marks.ts';
import { leadOf } from './quoted.ts';

const maxWords = 300;

/** A line that a pass keeps. */
export interface OwnedLine {
  readonly id: string;
  /** Gives the line; asked where it is written. */
  text(): string;
}

/** Writes a memory as a line of a list: `- 2026-02-16 Ada: I prefer tabs. [memory: 0a1b…]`. `speakerOf` names who is quoted. */
export function ownedLineOf(
  record: MemoryRecord,
  timeZone: string,
  speakerOf: (record: MemoryRecord) => string | undefined,
): OwnedLine {
  const { id, createdAt } = record;
  const text = (): string => {
    const lead = leadOf(dayOf(createdAt * 1000, timeZone), speakerOf(record));
    return `- ${lead}${oneLine(wordsOfClaim(record), maxWords)}${memoryMark(id)}`;
  };
  return { id, text };
}

/**
 * Brings the owned lines below a heading of the second level to those wanted: others go, missing ones come at the end of the section.
 *
 * A line whose memory is wanted stays as it is, in its place, so that what somebody wrote into it stays too. So does every line that names
 * no memory. A section that is missing is put at the end; one that is left without a line goes.
 */
export function withOwnedLines(text: string, heading: string, wanted: readonly OwnedLine[]): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trimEnd() === `## ${heading}`);
  if (start < 0) {
    if (wanted.length === 0) return text;
    const body = text.trimEnd();
    return `${body}${body === '' ? '' : '\n\n'}## ${heading}\n\n${wanted.map((line) => line.text()).join('\n')}\n`;
  }
  let end = lines.findIndex((line, at) => at > start && /^#{1,2} /.test(line));
  if (end < 0) end = lines.length;
  const section = lines.slice(start + 1, end);
  const ids = new Set(wanted.map(({ id }) => id));
  const present = new Set<string>();
  const kept = section.filter((line) => {
    const id = memoriesOfLine(line).at(-1);
    if (id === undefined) return true;
    if (!ids.has(id) || present.has(id)) return false;
    present.add(id);
    return true;
  });
  while (kept.length > 0 && kept.at(-1)!.trim() === '') kept.pop();
  const added = wanted.filter(({ id }) => !present.has(id)).map((line) => line.text());
  const body = [...kept, ...(kept.every((line) => line.trim() === '') && added.length > 0 ? [''] : []), ...added];
  while (body.length > 1 && body[0] === '' && body[1] === '') body.shift();
  const isEmpty = body.every((line) => line.trim() === '');
  const before = lines.slice(0, start);
  const rest = lines.slice(end);
  const middle = isEmpty ? [] : [lines[start]!, ...body, ''];
  return [...before, ...middle, ...rest]
    .join('\n')
    .replace(/\n{3,}$/, '\n')
    .replace(/\n+$/, '\n');
}

/** Sets `updated` of the front matter, where there is one; all other bytes stay. */
export function withUpdated(text: string, time: string): string {
  const cut = cutFrontMatter(text);
  if (cut === undefined || !/^updated:/m.test(cut.block)) return text;
  return `${cut.opening}${cut.block.replace(/^updated:.*$/m, `updated: ${time}`)}${cut.closing}${cut.body}`;
}
