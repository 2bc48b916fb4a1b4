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

  /** Gives the number of the key that begins at a place among words; undefined when it is not there. */
  find(words: Uint32Array, at = 0): number | undefined {
    const number = this.#slots[this.#slotOf(words, at)]!;
    return number === 0 ? undefined : number - 1;
  }

  /** Makes room for so many keys in all. */
  reserve(count: number): void {
    if (count * keyWords > this.#words.length) {
      const grown = new Uint32Array(Math.max(count * keyWords, this.#words.length * 2));
      grown.set(this.#words);
      this.#words = grown;
    }
    if (count * 2 <= this.#slots.length) return;
    let length = this.#slots.length;
    while (count * 2 > length) length *= 2;
    this.#slots = new Int32Array(length);
    for (let number = 0; number < this.#size; number++)
      this.#slots[this.#slotOf(this.#words, number * keyWords)] = number + 1;
  }

  /** Adds a key that begins at a place among words; false where it is there. */
  add(words: Uint32Array, at = 0): boolean {
    this.reserve(this.#size + 1);
    const slot = this.#slotOf(words, at);
    if (this.#slots[slot] !== 0) return false;
    const base = this.#size * keyWords;
    for (let word = 0; word < keyWords; word++) this.#words[base + word] = words[at + word]!;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    return true;
  }

  /** Gives the words of a key by its number. */
  keyAt(number: number): Uint32Array {
    return this.#words.subarray(number * keyWords, (number + 1) * keyWords);
  }

  /** The slot that holds the key, or the empty one where it belongs. Keys are hashes, so their first word is one. */
  #slotOf(wanted: Uint32Array, from: number): number {
    const slots = this.#slots;
    const words = this.#words;
    const mask = slots.length - 1;
    let slot = wanted[from]! & mask;
    for (let number = slots[slot]!; number !== 0; number = slots[slot]!) {
      const base = (number - 1) * keyWords;
      const isSame =
        words[base] === wanted[from] &&
        words[base + 1] === wanted[from + 1] &&
        words[base + 2] === wanted[from + 2] &&
        words[base + 3] === wanted[from + 3];
      if (isSame) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
