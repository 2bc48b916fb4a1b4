// How far apart two spellings are (Levenshtein 1965: insert, delete, replace a letter), as far as it matters.

/** Counts the letters to insert, delete or replace; any number above `limit` stands for all above it. */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    let least = row;
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      const value = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + same);
      line.push(value);
      if (value < least) least = value;
    }
    if (least > limit) return limit + 1;
    above = line;
  }
  return above[other.length]!;
}
