// Fenced code in what people say. A fence that nobody closes holds nothing: somebody typed three backticks.

const opens = /^\s*(```|~~~)\s*[\w+#.-]*\s*$/;

/** Tells of each line whether it stands within a fence that is closed, with the line that closes it. `rest` is what a line says behind a name. */
export function fencedLines(lines: readonly string[], rest: (line: string) => string | undefined): boolean[] {
  const fenced = lines.map(() => false);
  for (let at = 0; at < lines.length; at++) {
    const mark = opens.exec(rest(lines[at]!) ?? lines[at]!)?.[1];
    if (mark === undefined) continue;
    const end = lines.findIndex((line, later) => later > at && line.trim() === mark);
    if (end < 0) continue;
    fenced.fill(true, at + 1, end + 1);
    at = end;
  }
  return fenced;
}
