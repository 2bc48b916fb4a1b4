// Merges when a claim holds as one: whether it is closed, since when, and what took its place belong together.

import { isSameJson } from '../../base/canonical-json.ts';
import type { LostValue } from './json.ts';

/** Keys of a memory record that say when it holds. */
export const validityKeys: readonly string[] = ['status', 'valid_until', 'replaced_by', 'superseded_by'];

type Fields = Readonly<Record<string, unknown>>;

/** What both sides agree on after a merge, and what only one of them said. */
interface MergedValidity {
  readonly fields: Fields;
  readonly lost: readonly LostValue[];
}

/**
 * Decides whether a claim holds that both sides changed; undefined where one of them left it alone, or none closed it.
 *
 * Closed wins over open. Of two that closed it, the later one has it, by the end they set and then by id; the other is lost, and named.
 * So a merge never opens what either side closed; an undo that opened it does, where the other side did nothing.
 */
export function mergeValidity(before: Fields, mine: Fields, other: Fields): MergedValidity | undefined {
  const [was, ours, theirs] = [before, mine, other].map(validityOf) as [Fields, Fields, Fields];
  if (isSameJson(ours, was) || isSameJson(theirs, was) || isSameJson(ours, theirs)) return undefined;
  if (!isClosed(ours) && !isClosed(theirs)) return undefined;
  if (!isClosed(ours)) return { fields: theirs, lost: [] };
  if (!isClosed(theirs)) return { fields: ours, lost: [] };
  const [winner, loser] = isLater(ours, theirs) ? [ours, theirs] : [theirs, ours];
  const isOther = loser.replaced_by !== undefined && loser.replaced_by !== winner.replaced_by;
  return { fields: winner, lost: isOther ? [{ field: 'replaced_by', value: loser.replaced_by }] : [] };
}

/** All four keys, also of what a side does not have, so that the winner's fields take the place of the loser's. */
const validityOf = (fields: Fields): Fields => Object.fromEntries(validityKeys.map((key) => [key, fields[key]]));

const isClosed = ({ status, valid_until: until, replaced_by: by }: Fields): boolean =>
  status === 'superseded' || (until ?? undefined) !== undefined || (by ?? undefined) !== undefined;

function isLater(one: Fields, other: Fields): boolean {
  const [mine, theirs] = [one, other].map(({ valid_until: until }) => (typeof until === 'number' ? until : 0));
  if (mine !== theirs) return mine! > theirs!;
  return String(one.replaced_by ?? '') > String(other.replaced_by ?? '');
}
