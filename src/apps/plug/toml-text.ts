// One table in the text of a TOML file that belongs to somebody else. It is put at the end, and taken out from its header to the next one.

const headerOf = (name: string): string => `[${name}]`;

/** Gives the place of a table with the blank line ahead of it; undefined where there is none. */
function placeOf(text: string, name: string): { readonly start: number; readonly end: number } | undefined {
  const lines = text.split(/(?<=\n)/);
  const first = lines.findIndex((line) => line.replace(/\s*#.*$/, '').trim() === headerOf(name));
  if (first < 0) return undefined;
  const next = lines.findIndex((line, at) => at > first && line.trimStart().startsWith('['));
  const last = next < 0 ? lines.length : next;
  const begin = first > 0 && lines[first - 1]!.trim() === '' ? first - 1 : first;
  // Blank lines ahead of the next header are its own.
  const own = lines.slice(first, last);
  while (own.length > 1 && own.at(-1)!.trim() === '') own.pop();
  const lengthOf = (some: readonly string[]): number => some.join('').length;
  return { start: lengthOf(lines.slice(0, begin)), end: lengthOf(lines.slice(0, first)) + lengthOf(own) };
}

/** Gives the text of a table; undefined where there is none. */
export function tableIn(text: string, name: string): string | undefined {
  const place = placeOf(text, name);
  return place === undefined ? undefined : text.slice(place.start, place.end).trim();
}

/** Puts a table of texts and lists of texts at the end, in the place of one of its name. */
export function withTable(
  text: string,
  name: string,
  fields: Readonly<Record<string, string | readonly string[]>>,
): string {
  const before = withoutTable(text, name);
  const lines = Object.entries(fields).map(([key, value]) => {
    const said =
      typeof value === 'string' ? JSON.stringify(value) : `[${value.map((one) => JSON.stringify(one)).join(', ')}]`;
    return `${key} = ${said}\n`;
  });
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return `${before}${gap}${headerOf(name)}\n${lines.join('')}`;
}

/** Takes a table out. */
export function withoutTable(text: string, name: string): string {
  const place = placeOf(text, name);
  return place === undefined ? text : text.slice(0, place.start) + text.slice(place.end);
}
