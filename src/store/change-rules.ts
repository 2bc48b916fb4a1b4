// The change rules: one function that says whether a change may enter, used before every commit and by the pre-commit hook.

import { MemoryError } from '../base/errors.ts';
import type { Transcript } from '../base/types/stored-types.ts';
import { checkSize } from './guard/limits.ts';
import { checkMemoryPath } from './guard/path.ts';
import { checkNoSecret, type SecretPolicy } from './guard/secret-filter.ts';
import { type Configuration, parseConfiguration } from './records/configuration.ts';
import { splitFrontMatter } from './records/front-matter.ts';
import { coreMemoryPath, kindOf } from './records/kind.ts';
import { countLines, maxLinesOf } from './records/knowledge-file.ts';
import { logFormatOf } from './records/log-readers.ts';
import { parseMemory } from './records/memory-record.ts';
import { parseRelation } from './records/relation-record.ts';
import { parseTranscript } from './records/transcript.ts';
import { isUnfinished, unfinishedMerge } from './records/unfinished-merge.ts';

/** A file that a commit would change, as plain text before and after; null where there is none. */
export interface CheckedChange {
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
}

interface RuleOptions {
  /** Undo of the adding commit, compaction, purge, or a merge that brings one. */
  readonly mayRemoveCaptures?: boolean;
  /** The engine has just formatted what stands there now; its form need not be checked. */
  readonly isFormatted?: boolean;
  /** What a change brings was in history before, and brings no secret in: undo and merges. */
  readonly isKnown?: boolean;
  /** A person named the file, or it is taken over from another program: a merge in it may have been left unfinished. */
  readonly mayBeUnfinished?: boolean;
  /** MEMORY.md may have more lines than allowed: it is taken over from another program, whole. */
  readonly mayBeLong?: boolean;
  /**
   * What becomes of secrets: `kept` where the text is stored encrypted; `opened` where it was until now, so that all of it is new.
   * Default `ordinary`.
   */
  readonly secrecy?: 'kept' | 'opened' | 'ordinary';
  readonly limits: ChangeLimits;
}

/** What may wait in a journal, beside `limits.pending_writes`. */
export const mostPendingBytes = 256 << 20;

/** What memory.yaml says about changes. */
export interface ChangeLimits {
  /** Lines that MEMORY.md may have. */
  readonly maxMemoryLines: number;
  /** Bytes of one file, and of one under `raw/` or `attachments/`. */
  readonly maxFileBytes: number;
  readonly maxRawBytes: number;
  readonly secrets: SecretPolicy;
  /** Memories of one branch, and how many of them one commit may take away without being asked to. */
  readonly maxMemories: number;
  readonly removedShare: number;
  /** What may wait in the journal. */
  readonly maxPendingWrites: number;
}

/** Takes the limits of changes out of the configuration. */
export function changeLimits({ memoryMd, limits, secrets }: Configuration): ChangeLimits {
  return {
    maxMemoryLines: maxLinesOf(memoryMd.capLines),
    maxFileBytes: limits.fileBytes,
    maxRawBytes: limits.rawBytes,
    secrets,
    maxMemories: limits.memories,
    removedShare: limits.removedShare,
    maxPendingWrites: limits.pendingWrites,
  };
}

/** Throws the first rule that a change breaks: INVALID_PATH, TOO_LARGE, INVALID_RECORD, INVALID_CONFIG, IMMUTABLE or SECRET. */
export function checkChange(change: CheckedChange, options: RuleOptions): void {
  const { path, before, after } = change;
  const kind = kindOf(path);
  // What already stands under a name we would not choose may still be changed or taken away.
  if (before === null) {
    checkMemoryPath(path);
    checkNoSecret(null, path, 'a path', options.limits.secrets);
  }
  checkRecorded(change, options);
  if (after === null) return;
  const isLong = kind === 'artifact' || path.startsWith('raw/') || kind === 'ledger' || kind === 'changelog';
  checkSize(after, isLong ? options.limits.maxRawBytes : options.limits.maxFileBytes, path);
  const text = after.toString('utf8');
  const isNewlyUnfinished = () =>
    isUnfinished(path, text) && (before === null || !isUnfinished(path, before.toString('utf8')));
  if (!options.isKnown && !options.mayBeUnfinished && isNewlyUnfinished()) throw unfinishedMerge(path);
  if (kind === 'memory') parseMemory(text, path);
  else if (kind === 'relation') parseRelation(text, path);
  else if (kind === 'configuration') parseConfiguration(text, path);
  else if (kind === 'knowledge' || kind === 'topic') {
    splitFrontMatter(text, path);
    const isJudged = path === coreMemoryPath && !options.isKnown && !options.mayBeLong;
    if (isJudged) checkMemoryLines(before?.toString('utf8') ?? '', text, options.limits.maxMemoryLines);
  }
  // As git tells text from other bytes; a picture has no words to look at.
  const isText = !after.subarray(0, 8000).includes(0);
  const { secrecy = 'ordinary' } = options;
  if (!isText || secrecy === 'kept') return;
  const known = secrecy === 'opened' ? null : (before?.toString('utf8') ?? null);
  if (secrecy === 'opened' || !options.isKnown) checkNoSecret(known, text, path, options.limits.secrets);
}

/**
 * Throws where what was recorded would not only go on: IMMUTABLE, or INVALID_RECORD for what is no capture. It asks of captures and logs;
 * any other file passes.
 */
export function checkRecorded(change: CheckedChange, options: Omit<RuleOptions, 'limits'> = {}): void {
  const kind = kindOf(change.path);
  if (kind === 'conversation' || kind === 'daily' || kind === 'artifact') checkCapture(change, options);
  if (kind === 'ledger' || kind === 'changelog') checkLog(change, options);
}

/** One that is too long already may be changed as long as it does not grow. */
function checkMemoryLines(before: string, text: string, maxLines: number): void {
  const lines = countLines(text);
  if (lines <= maxLines || lines <= countLines(before)) return;
  throw new MemoryError('TOO_LARGE', `MEMORY.md has ${lines} lines, the limit is ${maxLines}`, {
    where: coreMemoryPath,
    hint: 'Move older entries to a project file, or archive them with `git memory maintain memory-md`; history keeps them',
  });
}

/** Throws IMMUTABLE where a change does more to a capture than to go on with an open one, and INVALID_RECORD where that is no capture. */
export function checkCapture(
  change: CheckedChange,
  options: Pick<RuleOptions, 'mayRemoveCaptures' | 'isFormatted'> = {},
): void {
  const { path, before, after } = change;
  if (before === null) {
    if (after && !options.isFormatted && kindOf(path) === 'conversation') parseTranscript(after.toString('utf8'), path);
    return;
  }
  if (options.mayRemoveCaptures) return;
  const kind = kindOf(path);
  if (kind === 'daily') {
    if (after?.subarray(0, before.length).equals(before)) return;
    throw immutable(path, 'a daily note only grows');
  }
  if (kind === 'artifact' || after === null) throw immutable(path, 'a capture is never changed or removed');
  if (splitFrontMatter(before.toString('utf8'), path).data.ended !== undefined)
    throw immutable(path, 'a closed conversation is never changed');
  if (after.subarray(0, before.length).equals(before)) {
    checkAddedTurns(before, after, path);
    return;
  }
  const old = parseTranscript(before.toString('utf8'), path);
  if (!isContinuation(old, parseTranscript(after.toString('utf8'), path)))
    throw immutable(path, 'an open conversation only grows');
}

/** Parses what was added behind the head alone: parsing all of a long session for each message would cost more and more. */
function checkAddedTurns(before: Buffer, after: Buffer, path: string): void {
  const firstTurn = before.indexOf('\n## ');
  const head = before.subarray(0, firstTurn < 0 ? before.length : firstTurn + 1);
  parseTranscript(Buffer.concat([head, after.subarray(before.length)]).toString('utf8'), path);
}

function isContinuation(old: Transcript, grown: Transcript): boolean {
  return (
    old.sessionId === grown.sessionId &&
    old.turns.length <= grown.turns.length &&
    old.turns.every((turn, position) => {
      const same = grown.turns[position]!;
      return turn.role === same.role && turn.time === same.time && turn.text === same.text;
    })
  );
}

/** Damage that is there already stays; what is added has to be events. What stands before the log of a changelog may change. */
function checkLog({ path, before, after }: CheckedChange, options: Omit<RuleOptions, 'limits'>): void {
  const format = logFormatOf(path)!;
  // Byte for byte: every byte is one character, and the marks of a log are ASCII.
  const known = before?.toString('latin1') ?? '';
  if (options.mayRemoveCaptures || !format.isLog(known, path)) return;
  const grown = after?.toString('latin1') ?? '';
  const old = known.slice(format.startOf(known, path));
  const isLog = before === null || (after !== null && format.isLog(grown, path));
  const added = isLog ? format.grownBy(old, grown.slice(format.startOf(grown, path)), path) : null;
  if (added === null) throw immutable(path, `the ${format.name} only grows`);
  if (after === null || options.isFormatted || options.isKnown) return;
  format.checkAdded(before?.toString('utf8') ?? '', Buffer.from(added, 'latin1').toString('utf8'), path);
}

function immutable(path: string, rule: string): MemoryError {
  return new MemoryError('IMMUTABLE', `${rule}`, {
    where: path,
    hint: 'Record the correction as a new capture or event, or in knowledge/; `undo` takes back the commit that added it',
  });
}
