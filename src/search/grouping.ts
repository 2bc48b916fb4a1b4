// Ranked things of one group as one: the best stands for all, and says how many it stands for.

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
