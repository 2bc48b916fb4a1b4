// A cache that forgets what came first when it becomes too heavy: many small things, or a few large ones.

/** Remembers values by key up to a total weight, in whatever unit the caller weighs. */
export class BoundedCache<V, K = string> {
  private readonly entries = new Map<K, { readonly value: V; readonly weight: number }>();
  private readonly maxWeight: number;
  private weight = 0;

  constructor(maxWeight: number) {
    this.maxWeight = maxWeight;
  }

  get(key: K): V | undefined {
    return this.entries.get(key)?.value;
  }

  /** Adds a value; one that would take more than an eighth of the whole cache is not kept. */
  set(key: K, value: V, weight: number): void {
    if (weight > this.maxWeight / 8 || this.entries.has(key)) return;
    this.entries.set(key, { value, weight });
    this.weight += weight;
    if (this.weight <= this.maxWeight) return;
    // Several at once: a map goes past all that it let go of to find what is first.
    for (const [oldest, entry] of this.entries) {
      if (this.weight <= this.maxWeight * 0.9) break;
      this.entries.delete(oldest);
      this.weight -= entry.weight;
    }
  }

  clear(): void {
    this.entries.clear();
    this.weight = 0;
  }
}
