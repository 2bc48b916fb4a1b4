// Random numbers that a seed gives again.

/** Makes a source of numbers from 0 up to, and without, 1 (Mulberry32, Tommy Ettinger, 2017, public domain). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes a source of whole numbers from 0 up to, and without, `below`. */
export function random(seed: number): (below: number) => number {
  const next = randomOf(seed);
  return (below) => Math.floor(next() * below);
}
