// Which row belongs to which text hash: a hash table in typed arrays, since a million of strings as keys would take 100 MiB.

/** 32-bit words of a key: the first 128 bits of a text's SHA-256. */
export const keyWords = 4;

/** Gives the key of a hash: its first words, eight hexadecimal digits each. */
export function keyOf(hash: string): Uint32Array {
  const words = new Uint32Array(keyWords);
  for (let at = 0; at < keyWords; at++) words[at] = Number.parseInt(hash.slice(at * 8, at * 8 + 8), 16);
  return words;
}

/** Numbers keys from 0 in the order they come; linear probing, at most half full. */
export class KeyIndex {
  #words = new Uint32Array(64 * keyWords);
  /** Number of the key plus one; zero where nothing is. */
  #slots = new Int32Array(128);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Gives the number of a key; undefined when it is not there. */
  find(key: Uint32Array): number | undefined {
    const at = this.#slots[this.#slotOf(key)]!;
    return at === 0 ? undefined : at - 1;
  }

  /** Adds a key that is not there and gives its number. */
  add(key: Uint32Array): number {
    const number = this.#size++;
    if (this.#size * keyWords > this.#words.length) {
      const grown = new Uint32Array(this.#words.length * 2);
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#words.set(key, number * keyWords);
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    else this.#slots[this.#slotOf(key)] = number + 1;
    return number;
  }

  /** Gives the words of a key by its number. */
  keyAt(number: number): Uint32Array {
    return this.#words.subarray(number * keyWords, (number + 1) * keyWords);
  }

  /** The slot that holds the key, or the empty one where it belongs. Keys are hashes, so their first word is one. */
  #slotOf(key: Uint32Array): number {
    const mask = this.#slots.length - 1;
    let slot = key[0]! & mask;
    for (let at = this.#slots[slot]!; at !== 0; at = this.#slots[slot]!) {
      const base = (at - 1) * keyWords;
      const words = this.#words;
      const isSame =
        words[base] === key[0] &&
        words[base + 1] === key[1] &&
        words[base + 2] === key[2] &&
        words[base + 3] === key[3];
      if (isSame) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number++) this.#slots[this.#slotOf(this.keyAt(number))] = number + 1;
  }
}
