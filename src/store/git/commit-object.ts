// Commits and annotated tags: bytes ⇄ values.

import { MemoryError } from '../../base/errors.ts';
import { maxMessageBytes, maxObjectHeadBytes } from '../guard/limits.ts';
import { isOid } from './object-codec.ts';

/** A person or program, and a time. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since the Unix epoch. */
  readonly time: number;
  /** As git writes it: `+0000`. */
  readonly zone: string;
}

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** Formats the content of a commit object. The caller has checked names and message (`guard/`). */
export function formatCommit(commit: Commit): Buffer {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${formatSignature(commit.author)}`,
    `committer ${formatSignature(commit.committer)}`,
    '',
    commit.message,
  ];
  return Buffer.from(lines.join('\n'));
}

/** What to do where {@link hasRefusedTime} tells of a commit. */
export const timeRepair =
  '`git memory purge --times --dry-run` shows what would give such commits the nearest time that git takes; --yes does it';

/** Whether a commit or tag has a time that `git fsck` calls corrupt: one before 1970, or beyond 63 bits. */
export function hasRefusedTime(data: Buffer): boolean {
  const end = data.indexOf('\n\n');
  const head = data.toString('latin1', 0, end < 0 ? data.length : end);
  return withTakenTimes(head) !== head;
}

/** Formats a signature, also for a log; a time that git does not take becomes the nearest that it does. What happened then keeps its day. */
export const formatSignature = ({ name, email, time, zone }: Signature): string =>
  `${name} <${email}> ${Math.min(Math.max(time, 0), lastSecond)} ${zone}`;

/** The last second of the year 9999, the last of four digits; before 1970 git takes none. */
export const lastSecond = 253_402_300_799;

/** What git counts seconds with has 63 bits. */
const latest = '9223372036854775807';
const datedLine = /^((?:author|committer|tagger) .*> )(-?\d+)(?= [+-]\d+$)/gm;

/** Gives the head of a commit or tag with the nearest time that git takes, where it has one that `git fsck` calls corrupt. */
export function withTakenTimes(head: string): string {
  return head.replace(datedLine, (line, before: string, digits: string) => {
    if (digits.startsWith('-')) return `${before}0`;
    const isTaken = digits.length < latest.length || (digits.length === latest.length && digits <= latest);
    return isTaken ? line : `${before}${lastSecond}`;
  });
}

/** Of a message that is cut so many bytes are kept, and so many characters of its first line. */
const keptBytes = 16 << 10;
const keptOfSubject = 200;

/**
 * Gives a commit with no more of its message than people read. None of our messages is above that limit, and every walk would hold the
 * whole of a larger one. The subject says that the message is cut, and how long it is, wherever it is shown.
 */
function withCutMessage(data: Buffer, oid: string): string {
  const end = data.indexOf('\n\n');
  if (end < 0 || end > maxObjectHeadBytes) {
    const what = `commit ${oid} has more than ${maxObjectHeadBytes} bytes above its message`;
    throw new MemoryError('TOO_LARGE', what, { where: oid });
  }
  const bytes = data.length - end - 2;
  // The last character may be cut in two.
  const kept = data.toString('utf8', end + 2, end + 2 + keptBytes).replace(/\ufffd+$/, '');
  const [subject = '', ...rest] = kept.split('\n');
  const lines = [`${subject.slice(0, keptOfSubject)}… (cut: the message has ${bytes} bytes)`, ...rest];
  return `${data.toString('utf8', 0, end)}\n\n${lines.join('\n')}`;
}

/** Parses the content of a commit object; headers the engine has no use for are passed over. Throws OBJECT_CORRUPT, TOO_LARGE. */
export function parseCommit(data: Buffer, oid: string): Commit {
  const text = data.length > maxMessageBytes + maxObjectHeadBytes ? withCutMessage(data, oid) : data.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  let tree: string | undefined;
  let author: Signature | undefined;
  let committer: Signature | undefined;
  const parents: string[] = [];
  for (const line of head.split('\n')) {
    if (line.startsWith('tree ')) tree ??= line.slice(5, 45);
    else if (line.startsWith('parent ')) parents.push(line.slice(7, 47));
    else if (line.startsWith('author ')) author ??= parseSignature(line.slice(7));
    else if (line.startsWith('committer ')) committer ??= parseSignature(line.slice(10));
  }
  if (!tree || !author || !committer || !isOid(tree) || !parents.every(isOid))
    throw new MemoryError('OBJECT_CORRUPT', `commit ${oid} lacks a tree, author or committer`, { where: oid });
  return { tree, parents, author, committer, message: end < 0 ? '' : text.slice(end + 2) };
}

function parseSignature(line: string): Signature {
  // Read from the right: names in the wild hold anything, also angle brackets.
  const match = /^(.*?) ?<([^>]*)>\s*(-?\d+)?\s*([+-]\d{1,7})?\s*$/.exec(line);
  if (!match) return { name: line, email: '', time: 0, zone: '+0000' };
  const time = Number(match[3] ?? 0);
  return {
    name: match[1]!,
    email: match[2]!,
    // Git stores any number; beyond what is exact here, a time is the last one that is.
    time: Math.min(Math.max(time, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER),
    zone: match[4] ?? '+0000',
  };
}

/** Parses an annotated tag down to what it points at. */
export function parseTag(data: Buffer, oid: string): { object: string; type: string; message: string } {
  const text = data.toString('utf8');
  const match = /^object ([0-9a-f]{40})\ntype (\w+)\n/.exec(text);
  if (!match) throw new MemoryError('OBJECT_CORRUPT', `tag ${oid} names no object`, { where: oid });
  const end = text.indexOf('\n\n');
  return { object: match[1]!, type: match[2]!, message: end < 0 ? '' : text.slice(end + 2) };
}
