// Which row belongs to which text hash: a hash table in typed arrays, since a million of strings as keys would take 100 MiB.

/** 32-bit words of a key: the first 128 bits of a text's SHA-256. */
export const keyWords = 4;

/** Gives the key of a hash: its first words, eight hexadecimal digits each. */
export function keyOf(hash: string): Uint32Array {
  const words = new Uint32Array(keyWords);
  for (let at = 0; at < keyWords; at++) words[at] = Number.parseInt(hash.slice(at * 8, at * 8 + 8), 16);
  return words;
}

/** So many keys are looked for among all that came together; for more a hash table pays. */
const fewAsked = 256;

/** Numbers keys from 0 in the order they come. Linear probing, at most half full; what came together is put there when many are asked for. */
export class KeyIndex {
  #words = new Uint32Array(64 * keyWords);
  /** Number of the key plus one; zero where nothing is. */
  #slots = new Int32Array(128);
  #size = 0;
  /** The number of keys that have a slot: the first ones. */
  #placed = 0;
  #asked = 0;

  get size(): number {
    return this.#size;
  }

  /** Gives the number of the key that begins at a place among words; undefined when it is not there. The expected ones are tried first. */
  find(words: Uint32Array, at = 0, expected = 0, other = 0): number | undefined {
    if (expected < this.#size && this.#isAt(expected, words, at)) return expected;
    if (other < this.#size && this.#isAt(other, words, at)) return other;
    if (this.#placed < this.#size && this.#asked++ < fewAsked) return this.#scan(words, at);
    this.#place();
    const number = this.#slots[this.#slotOf(words, at)]!;
    return number === 0 ? undefined : number - 1;
  }

  /** Tells whether the keys from one on are those that begin at a place among words, so many of them. */
  isRun(words: Uint32Array, at: number, first: number, count: number): boolean {
    if (first + count > this.#size || at + count * keyWords > words.length) return false;
    const bytesAt = ({ buffer, byteOffset }: Uint32Array, from: number) =>
      Buffer.from(buffer, byteOffset + 4 * from, 4 * keyWords * count);
    return bytesAt(words, at).equals(bytesAt(this.#words, first * keyWords));
  }

  /** Adds keys that came together, those of a part differing, and tells so; false, with nothing done, where one of them may be there. */
  addAll(parts: readonly Uint32Array[]): boolean {
    const size = parts.reduce((sum, { length }) => sum + length / keyWords, this.#size);
    const all =
      parts.length === 1 && this.#size === 0 ? [] : [this.#words.subarray(0, this.#size * keyWords), ...parts];
    const begins = new Uint32Array(all.length === 0 ? 0 : size);
    let count = 0;
    for (const words of all) for (let at = 0; at < words.length; at += keyWords) begins[count++] = words[at]!;
    // Of 32 bits two of 100,000 keys mostly have the same.
    const twice = new Set(begins.sort().filter((begin, at, sorted) => begin === sorted[at - 1]));
    const seen = new Set<string>();
    for (const words of twice.size === 0 ? [] : all)
      for (let at = 0; at < words.length; at += keyWords)
        if (twice.has(words[at]!) && seen.size === seen.add(words.subarray(at, at + keyWords).join()).size)
          return false;
    this.#reserve(size);
    for (const words of parts) {
      this.#words.set(words, this.#size * keyWords);
      this.#size += words.length / keyWords;
    }
    return true;
  }

  /** Adds a key that begins at a place among words; false where it is there. */
  add(words: Uint32Array, at = 0): boolean {
    if (this.find(words, at) !== undefined) return false;
    this.#reserve(this.#size + 1);
    this.#words.set(words.subarray(at, at + keyWords), this.#size * keyWords);
    const isNext = this.#placed === this.#size++;
    if (isNext) this.#place();
    return true;
  }

  #reserve(count: number): void {
    if (count * keyWords <= this.#words.length) return;
    const grown = new Uint32Array(Math.max(count * keyWords, this.#words.length * 2));
    grown.set(this.#words);
    this.#words = grown;
  }

  /** Gives all keys a slot. */
  #place(): void {
    let { length } = this.#slots;
    while (this.#size * 2 > length) length *= 2;
    if (length > this.#slots.length) [this.#slots, this.#placed] = [new Int32Array(length), 0];
    for (; this.#placed < this.#size; this.#placed++)
      this.#slots[this.#slotOf(this.#words, this.#placed * keyWords)] = this.#placed + 1;
  }

  #scan(wanted: Uint32Array, from: number): number | undefined {
    const words = this.#words;
    for (let at = words.indexOf(wanted[from]!); at >= 0; at = words.indexOf(wanted[from]!, at + 1)) {
      const number = at / keyWords;
      if (number < this.#size && Number.isInteger(number) && this.#isAt(number, wanted, from)) return number;
    }
    return undefined;
  }

  #isAt(number: number, wanted: Uint32Array, from: number): boolean {
    const words = this.#words;
    const base = number * keyWords;
    return (
      words[base] === wanted[from] &&
      words[base + 1] === wanted[from + 1] &&
      words[base + 2] === wanted[from + 2] &&
      words[base + 3] === wanted[from + 3]
    );
  }

  /** Gives the words of a key by its number. */
  keyAt(number: number): Uint32Array {
    return this.#words.subarray(number * keyWords, (number + 1) * keyWords);
  }

  /** The slot that holds the key, or the empty one where it belongs. Keys are hashes, so their first word is one. */
  #slotOf(wanted: Uint32Array, from: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = wanted[from]! & mask;
    while (slots[slot] !== 0 && !this.#isAt(slots[slot]! - 1, wanted, from)) slot = (slot + 1) & mask;
    return slot;
  }
}
