// The keys of private texts that this process may use, by their ids. They lie outside every repository.

import { monotonicMs } from '../base/monotonic.ts';
import type { KeyStore } from '../base/ports.ts';
import { type PrivateKey, parseKey } from './records/private-text.ts';

/** So long a key that was not there is not looked for again. */
const patienceMs = 1_000;

export class KeyRing {
  readonly store: KeyStore;
  private known: ReadonlyMap<string, PrivateKey> | null = null;
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(store: KeyStore) {
    this.store = store;
  }

  /** Gives a key, or `null` where it is not here. Another process may bring one at any time. */
  find(id: string): PrivateKey | null {
    const known = this.known?.get(id);
    if (known !== undefined) return known;
    if (this.known !== null && monotonicMs() - this.readAt < patienceMs) return null;
    return this.load().get(id) ?? null;
  }

  all(): readonly PrivateKey[] {
    return [...this.load().values()];
  }

  /** Keeps a key; nothing changes where it is here already. */
  add(key: PrivateKey): void {
    if (!this.load().has(key.id)) this.store.add(key.text);
    this.load();
  }

  private load(): ReadonlyMap<string, PrivateKey> {
    const keys = this.store.read().flatMap((text) => parseKey(text) ?? []);
    this.known = new Map(keys.map((key) => [key.id, key]));
    this.readAt = monotonicMs();
    return this.known;
  }
}
