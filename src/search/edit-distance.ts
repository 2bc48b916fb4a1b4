// How far apart two spellings are (Levenshtein 1965: insert, delete, replace a letter), as far as it matters.

/** Two rows of the table, kept from word to word: a dictionary is compared letter by letter, thousands of times a question. */
let [above, line] = [new Int32Array(64), new Int32Array(64)];

/** Counts the letters to insert, delete or replace; any number above `limit` stands for all above it. */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  // What both begin and end with needs no edit.
  let start = 0;
  let [end, otherEnd] = [one.length, other.length];
  while (start < end && start < otherEnd && one.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  while (end > start && otherEnd > start && one.charCodeAt(end - 1) === other.charCodeAt(otherEnd - 1)) {
    end -= 1;
    otherEnd -= 1;
  }
  const [rows, columns] = [end - start, otherEnd - start];
  if (rows === 0 || columns === 0) return rows + columns;
  if (columns >= above.length) [above, line] = [new Int32Array(columns * 2), new Int32Array(columns * 2)];
  for (let column = 0; column <= columns; column++) above[column] = column;
  for (let row = 1; row <= rows; row++) {
    const letter = one.charCodeAt(start + row - 1);
    // Further from the diagonal than the limit, every path is too long.
    const first = Math.max(1, row - limit);
    const last = Math.min(columns, row + limit);
    let left = first === 1 ? row : limit + 1;
    line[first - 1] = left;
    let least = left;
    for (let column = first; column <= last; column++) {
      const replaced = above[column - 1]! + (letter === other.charCodeAt(start + column - 1) ? 0 : 1);
      const removed = column < row + limit ? above[column]! + 1 : limit + 1;
      let value = left + 1;
      if (removed < value) value = removed;
      if (replaced < value) value = replaced;
      line[column] = value;
      left = value;
      if (value < least) least = value;
    }
    if (least > limit) return limit + 1;
    [above, line] = [line, above];
  }
  return Math.min(above[columns]!, limit + 1);
}
