// Three-way merge of lists of objects that each have an id: which objects stand, and in which order.

import { isJsonObject, isSameJson } from '../../base/canonical-json.ts';

/** The objects of a list by their ids, in order. */
type ItemsById = ReadonlyMap<string, unknown>;

/** Gives the objects of a list by their ids. Undefined for what is not a list of objects with an id each, none of them twice. */
export function itemsById(list: unknown): ItemsById | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = new Map<string, unknown>();
  for (const item of list) {
    const id: unknown = isJsonObject(item) ? item.id : undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    items.set(String(id), item);
  }
  return items.size === list.length ? items : undefined;
}

/**
 * Merges two lists that both come from `base`, object by object; undefined where one of them is no list of objects with ids.
 *
 * An object that one side removed and the other changed stays, and `dispute` gets its id. Where both sides changed the order, the
 * winner's stands, and `dispute` gets the empty id with the other list. New objects follow what they followed; of two that
 * follow the same one, the lesser id comes first.
 */
export function mergeLists(
  [base, ours, theirs]: readonly [unknown, unknown, unknown],
  winner: 'ours' | 'theirs',
  mergeItem: (id: string, base: unknown, ours: unknown, theirs: unknown) => unknown,
  dispute: (id: string, lost: unknown) => void,
): unknown[] | undefined {
  const [before, mine, other] = [base ?? [], ours, theirs].map(itemsById);
  if (before === undefined || mine === undefined || other === undefined) return undefined;
  const merged = new Map<string, unknown>();
  for (const id of new Set([...before.keys(), ...mine.keys(), ...other.keys()])) {
    const [was, a, b] = [before.get(id), mine.get(id), other.get(id)];
    if (was === undefined || (a !== undefined && b !== undefined)) {
      merged.set(id, mergeItem(id, was, a, b));
      continue;
    }
    const left = a ?? b;
    if (left === undefined || isSameJson(left, was)) continue;
    merged.set(id, left);
    dispute(id, undefined);
  }
  const common = (side: ItemsById): string[] =>
    [...side.keys()].filter((id) => [before, mine, other].every((items) => items.has(id)));
  const [oldOrder, myOrder, otherOrder] = [before, mine, other].map(common) as [string[], string[], string[]];
  const [isMine, isTheirs] = [isSameJson(otherOrder, oldOrder), isSameJson(myOrder, oldOrder)];
  const stands = isMine || (!isTheirs && winner === 'ours') ? 'ours' : 'theirs';
  if (!isMine && !isTheirs && !isSameJson(myOrder, otherOrder)) dispute('', stands === 'ours' ? theirs : ours);
  const order = stands === 'ours' ? myOrder : otherOrder;
  const ids = withFollowers(
    order,
    [mine, other].map((side) => [...side.keys()].filter((id) => merged.has(id))),
  );
  return ids.map((id) => merged.get(id));
}

/** Puts what else the lists hold behind what it follows there. */
function withFollowers(order: readonly string[], lists: readonly (readonly string[])[]): string[] {
  const known = new Set(order);
  const runsOf = lists.map((list) => {
    const runs = new Map<string | undefined, string[]>();
    let anchor: string | undefined;
    for (const id of list) {
      if (known.has(id)) anchor = id;
      else runs.set(anchor, [...(runs.get(anchor) ?? []), id]);
    }
    return runs;
  });
  const all = [undefined, ...order].flatMap((anchor) => [
    ...(anchor === undefined ? [] : [anchor]),
    ...runsOf
      .map((runs) => runs.get(anchor) ?? [])
      .sort((a, b) => (a.join('\n') < b.join('\n') ? -1 : 1))
      .flat(),
  ]);
  return [...new Set(all)];
}
