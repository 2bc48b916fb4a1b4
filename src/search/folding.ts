// A memory, the turn it was taken from and the event of the ledger that tells of it say the same. The best of them stands for all, and names
// the others. Of turns that come as one hit for each session, the best says how many it stands for.

/** What a ranked thing tells: the turn that it is, or the turns that it was taken from, each as `path#turn`. */
export interface Told {
  readonly turn?: string;
  readonly sources?: readonly string[];
  /** Id of the memory that it is, or that it tells of. */
  readonly memory?: string;
  /** It only tells of the memory. */
  readonly isEvent?: boolean;
}

/** A ranked thing with others that tell the same. */
export interface Folded<Item> {
  readonly item: Item;
  readonly also: readonly Item[];
}

/** A place of the answer while it is filled. */
interface Place<Item> {
  item: Item;
  also: Item[];
  /** The event stands for its memory until that comes. */
  isEvent: boolean;
}

/**
 * Keeps the first `limit` of a ranking that tell something new, with what says the same after them. A memory goes
 * before the event that tells of it, for that is what can be edited, forgotten and shown.
 *
 * Two memories of one turn are two: each took something else from it.
 */
export function foldSources<Item>(ranked: Iterable<Item>, toldBy: (item: Item) => Told, limit: number): Folded<Item>[] {
  const folded: Place<Item>[] = [];
  const byTurn = new Map<string, Place<Item>>();
  const bySource = new Map<string, Place<Item>>();
  const byMemory = new Map<string, Place<Item>>();
  for (const item of ranked) {
    const { turn, sources = [], memory, isEvent = false } = toldBy(item);
    const before =
      (memory === undefined ? undefined : byMemory.get(memory)) ??
      (turn === undefined
        ? sources.map((source) => byTurn.get(source)).find((one) => one !== undefined)
        : bySource.get(turn));
    if (before !== undefined) {
      if (before.isEvent && memory !== undefined && !isEvent && byMemory.get(memory) === before) {
        before.also.unshift(before.item);
        before.item = item;
        before.isEvent = false;
      } else before.also.push(item);
      if (memory !== undefined && !byMemory.has(memory)) byMemory.set(memory, before);
      continue;
    }
    if (folded.length === limit) break;
    const place = { item, also: [], isEvent };
    folded.push(place);
    if (memory !== undefined) byMemory.set(memory, place);
    if (turn !== undefined) byTurn.set(turn, place);
    for (const source of sources) if (!bySource.has(source)) bySource.set(source, place);
  }
  return folded;
}

/** A ranked thing and the number of those of its group that were ranked, itself included; absent where it belongs to none. */
export interface Representative<Item> {
  readonly item: Item;
  readonly count?: number;
}

/** Keeps the first of each group, in order; what belongs to no group is kept as it is. */
export function firstOfEach<Item>(
  ranked: readonly Item[],
  groupOf: (item: Item) => number | undefined,
): Representative<Item>[] {
  const counts = new Map<number, number>();
  const firsts: { item: Item; group: number | undefined }[] = [];
  for (const item of ranked) {
    const group = groupOf(item);
    const count = group === undefined ? 0 : (counts.get(group) ?? 0);
    if (group !== undefined) counts.set(group, count + 1);
    if (count === 0) firsts.push({ item, group });
  }
  return firsts.map(({ item, group }) => (group === undefined ? { item } : { item, count: counts.get(group)! }));
}
