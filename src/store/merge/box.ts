// Three-way merge of memory boxes: the memories are a set, and a box that one side sealed is sealed. Nothing is ever in dispute.

import { orElse } from '../../base/or-else.ts';
import { type Box, formatBox, parseBox } from '../records/box-file.ts';
import { mergeSets } from './json.ts';
import { type MergeResult, mergeTrivially, type Sides } from './result.ts';
import { mergeText } from './text.ts';

/**
 * Merges two versions of a box, each null where the file is gone; undefined where one of them is no box.
 *
 * A memory that either side took out is gone, one that either side put in is there; a box without memories is gone. So an extraction that
 * began a box can be undone when others have added to it. The sides may be exchanged.
 */
export function mergeBox(sides: Sides, path: string): MergeResult | undefined {
  const trivial = mergeTrivially(sides);
  if (trivial !== undefined) return trivial;
  const [before, mine, other] = sides.map((text) =>
    text === null ? null : orElse(() => parseBox(text, path), undefined, 'INVALID_RECORD'),
  );
  if (before === undefined || mine === undefined || other === undefined) return undefined;
  const some = mine ?? other ?? before;
  if (some === null) return { merged: null, conflicts: [] };
  const byId = new Map(
    [before, mine, other].flatMap((box) => box?.memories.map((one) => [one.id, one] as const) ?? []),
  );
  const idsOf = (box: Box | null): string[] => box?.memories.map(({ id }) => id) ?? [];
  const ids = mergeSets(idsOf(before), idsOf(mine), idsOf(other));
  if (ids.length === 0) return { merged: null, conflicts: [] };
  const topicsOf = (box: Box | null): readonly string[] => box?.topics ?? before?.topics ?? [];
  const merged: Box = {
    ...some,
    started: Math.min(...[mine, other].flatMap((box) => (box === null ? [] : [box.started]))),
    ...sealOf(before, mine ?? before, other ?? before),
    topics: mergeSets(topicsOf(before), topicsOf(mine), topicsOf(other)),
    memories: ids.map((id) => byId.get(id)!),
    notes: notesOf(before?.notes ?? '', mine?.notes ?? before?.notes ?? '', other?.notes ?? before?.notes ?? ''),
  };
  return { merged: formatBox(merged), conflicts: [] };
}

type Seal = Pick<Box, 'status' | 'sealed' | 'reason' | 'traceId'>;

/** The side that changed the state of the box says it; of two seals the earlier wins. */
function sealOf(before: Box | null, mine: Box | null, other: Box | null): Seal {
  const text = (box: Box | null): string => JSON.stringify(box === null ? null : partsOf(box));
  const changed = [mine, other].filter((box): box is Box => box !== null && text(box) !== text(before));
  const seals = changed.filter(({ status }) => status === 'sealed').map(partsOf);
  if (seals.length > 0) {
    const key = (seal: Seal): string => JSON.stringify([seal.sealed, seal.reason, seal.traceId]);
    return seals.reduce((one, two) =>
      (two.sealed ?? 0) < (one.sealed ?? 0) || (two.sealed === one.sealed && key(two) < key(one)) ? two : one,
    );
  }
  return partsOf(changed[0] ?? mine ?? other ?? before!);
}

/** All four, so that an unsealed box loses what a sealed one has. */
const partsOf = ({ status, sealed, reason, traceId }: Box): Seal => ({ status, sealed, reason, traceId }) as Seal;

function notesOf(before: string, mine: string, other: string): string {
  const [first, second] = mine <= other ? [mine, other] : [other, mine];
  const { clean, text } = mergeText(before, first, second);
  return clean ? text : `${first}\n\n${second}`;
}
