// A queue of commits, newest first by committer time; of equal times the one that came first. The order of `git log`.

/** Holds numbers, each with a time; a binary heap. */
export class CommitQueue {
  private readonly numbers: number[] = [];
  private readonly times: number[] = [];
  private readonly orders: number[] = [];
  private order = 0;

  get size(): number {
    return this.numbers.length;
  }

  push(number: number, time: number): void {
    let place = this.numbers.length;
    const order = this.order++;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      // What comes later never goes before something of the same time.
      if (this.times[parent]! >= time) break;
      this.move(parent, place);
      place = parent;
    }
    this.set(place, number, time, order);
  }

  pop(): number | undefined {
    const first = this.numbers[0];
    if (first === undefined) return undefined;
    const [number, time, order] = [this.numbers.pop()!, this.times.pop()!, this.orders.pop()!];
    const size = this.numbers.length;
    if (size === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isBefore(child + 1, this.times[child]!, this.orders[child]!)) child += 1;
      if (!this.isBefore(child, time, order)) break;
      this.move(child, place);
      place = child;
    }
    this.set(place, number, time, order);
    return first;
  }

  private isBefore(place: number, time: number, order: number): boolean {
    return this.times[place]! > time || (this.times[place] === time && this.orders[place]! < order);
  }

  private move(from: number, to: number): void {
    this.set(to, this.numbers[from]!, this.times[from]!, this.orders[from]!);
  }

  private set(place: number, number: number, time: number, order: number): void {
    this.numbers[place] = number;
    this.times[place] = time;
    this.orders[place] = order;
  }
}
