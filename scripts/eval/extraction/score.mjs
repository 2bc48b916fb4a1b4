// Shares, how sure one may be of them, and how far two readings agree.

/** Wilson's interval of 95 % for `count` out of `total` (Wilson 1927). */
export function wilson(count, total) {
  if (total === 0) return [0, 1];
  const z = 1.959964;
  const share = count / total;
  const middle = share + (z * z) / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  const scale = 1 + (z * z) / total;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

/** Cohen's kappa of two readings of the same turns, each true or false. */
export function kappa(pairs) {
  const total = pairs.length;
  const first = pairs.filter(([one]) => one).length;
  const second = pairs.filter(([, other]) => other).length;
  const equal = pairs.filter(([one, other]) => one === other).length / total;
  const chance = (first * second + (total - first) * (total - second)) / (total * total);
  return chance === 1 ? 1 : (equal - chance) / (1 - chance);
}

/** Counts right and wrong of one category. */
export class Tally {
  right = 0;
  wrong = 0;

  add(isRight) {
    if (isRight) this.right += 1;
    else this.wrong += 1;
  }

  get total() {
    return this.right + this.wrong;
  }

  /** `0.94 (0.86–0.98) of 78`. */
  toString() {
    if (this.total === 0) return '–';
    const [low, high] = wilson(this.right, this.total);
    return `${(this.right / this.total).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}) of ${this.total}`;
  }
}
