// A queue of commits, the one of the highest rank first; of equal ranks the one that came first. By committer time it is the order of
// `git log`, by generation that of ancestry.

/** Holds numbers or ids, each with a rank; a binary heap. */
export class CommitQueue<Item extends number | string = number> {
  private readonly items: Item[] = [];
  private readonly ranks: number[] = [];
  private readonly orders: number[] = [];
  private order = 0;

  get size(): number {
    return this.items.length;
  }

  /** The rank of the first one. */
  get rank(): number | undefined {
    return this.ranks[0];
  }

  push(item: Item, rank: number): void {
    let place = this.items.length;
    const order = this.order++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      // What comes later never goes before something of the same rank.
      if (this.ranks[parent]! >= rank) break;
      this.move(parent, place);
      place = parent;
    }
    this.set(place, item, rank, order);
  }

  pop(): Item | undefined {
    const first = this.items[0];
    if (first === undefined) return undefined;
    const [item, rank, order] = [this.items.pop()!, this.ranks.pop()!, this.orders.pop()!];
    const size = this.items.length;
    if (size === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isBefore(child + 1, this.ranks[child]!, this.orders[child]!)) child += 1;
      if (!this.isBefore(child, rank, order)) break;
      this.move(child, place);
      place = child;
    }
    this.set(place, item, rank, order);
    return first;
  }

  private isBefore(place: number, rank: number, order: number): boolean {
    return this.ranks[place]! > rank || (this.ranks[place] === rank && this.orders[place]! < order);
  }

  private move(from: number, to: number): void {
    this.set(to, this.items[from]!, this.ranks[from]!, this.orders[from]!);
  }

  private set(place: number, item: Item, rank: number, order: number): void {
    this.items[place] = item;
    this.ranks[place] = rank;
    this.orders[place] = order;
  }
}
