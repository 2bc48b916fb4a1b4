// Answers native git when it asks for the merge of one file. It knows three versions and a path, and nothing else.

import { orElse } from '../../base/errors.ts';
import { kindOf, type RecordKind } from '../records/kind.ts';
import { parseMemory } from '../records/memory-record.ts';
import { parseRelation } from '../records/relation-record.ts';
import { isUnfinished } from '../records/unfinished-merge.ts';
import { type IdRule, oursFirst, turned } from './log-ids.ts';
import { mergeFile } from './merge-file.ts';

/** The outcome of a merge for git. */
export interface DriverMerge {
  /** What the file shall hold: never with markers of this merge. */
  readonly bytes: Buffer;
  /** What both sides changed in ways that contradict: fields, items, lines. */
  readonly disputes: readonly string[];
  /** Git shall stop: what is in the file leaves out what nobody could know to be less true, or an earlier merge was not finished. */
  readonly isConflict: boolean;
}

/** Which ids of a log stay, and whether somebody follows new ones in other files after the merge. Otherwise git stops for them. */
export interface DriverIds extends IdRule {
  readonly isFollowed: boolean;
}

/** Kinds whose disputes git must not take for settled: what lost one is in no record, and no rule of the layout settles it. */
const forPeople: ReadonlySet<RecordKind> = new Set(['configuration', 'artifact', 'other', 'ledger', 'changelog']);

/**
 * Merges the versions of one file by what its path says that it is, as `git memory merge` does with ours as the later side.
 *
 * An empty base stands for none: git has no other word for it. Records of different ids are no versions of one another, though git's rename
 * detection may take them for such. The one that the path names stays, ours if it names neither, and that is a conflict. `ids` says which
 * ids of a log stay.
 */
export function mergeForGit(path: string, base: Buffer, ours: Buffer, theirs: Buffer, ids?: DriverIds): DriverMerge {
  const stays = (bytes: Buffer, dispute: string): DriverMerge => ({ bytes, disputes: [dispute], isConflict: true });
  const [before, mine, other] = [base, ours, theirs].map(textOf) as [string | null, string | null, string | null];
  if (before === null || mine === null || other === null) return stays(ours, 'no text');
  const [ownId, otherId] = [idOf(path, mine), idOf(path, other)];
  if (ownId !== otherId && ownId !== null && otherId !== null)
    return stays(path.endsWith(`/${otherId}.json`) ? theirs : ours, 'id');
  const rule = turned(ids ?? oursFirst);
  const { merged, conflicts } = mergeFile(path, [before === '' ? null : before, other, mine], 'theirs', rule);
  const disputes = conflicts.filter((what) => what !== 'ids' || ids?.isFollowed !== true);
  const isUnreadable = isRecord(path) && (ownId === null || otherId === null);
  return {
    bytes: Buffer.from(merged ?? ''),
    disputes,
    isConflict:
      (disputes.length > 0 && (isUnreadable || forPeople.has(kindOf(path)))) || isUnfinished(path, merged ?? ''),
  };
}

function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : null;
}

const isRecord = (path: string): boolean => ['memory', 'relation'].includes(kindOf(path));

/** The id of a record; null for what is none. */
function idOf(path: string, text: string): string | null {
  if (!isRecord(path)) return null;
  const parse = kindOf(path) === 'memory' ? parseMemory : parseRelation;
  return orElse(() => parse(text, path).id, null, 'INVALID_RECORD', 'TOO_LARGE');
}
