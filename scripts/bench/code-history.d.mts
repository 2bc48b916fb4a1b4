export function makeCodeHistory(
  dir: string,
  options: { corpus: string; endings: readonly string[]; commits: number; seed?: number; files?: number },
): string;
