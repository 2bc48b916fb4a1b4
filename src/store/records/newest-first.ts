// When a file is from, as its path tells: memories are called by their time, talks and logs by their day.

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const day = /(\d{4})[-/](\d\d)[-/](\d\d)/;

/** Gives milliseconds, or infinity for what has no time: identity, knowledge. Of other names than ULIDs the order is that of their letters. */
function timeIn(path: string): number {
  if (!path.startsWith('memories/')) {
    const [, year, month, date] = day.exec(path) ?? [];
    return year === undefined ? Number.POSITIVE_INFINITY : Date.UTC(Number(year), Number(month) - 1, Number(date));
  }
  let time = 0;
  const from = path.lastIndexOf('/') + 1;
  for (let at = from; at < from + 10; at++) time = time * 32 + Math.max(0, digits.indexOf(path[at] ?? '0'));
  return time;
}

/** Sorts files by their times, the newest first. */
export function newestFirst<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  const timed = files.map((file, at) => ({ file, at, time: timeIn(pathOf(file)) }));
  // Of one time, what git has last: numbers in names grow.
  timed.sort((one, other) => (one.time === other.time ? other.at - one.at : one.time < other.time ? 1 : -1));
  return timed.map(({ file }) => file);
}
