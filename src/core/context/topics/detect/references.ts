// Whom and what a text names: people, links, files.

const maxFound = 200;

/** Lists the links of a text, `https://…` or a host with a path. */
export function urlsIn(text: string): { readonly host: string; readonly path: string }[] {
  if (!text.includes('/')) return [];
  const found: { host: string; path: string }[] = [];
  for (const word of wordsOf(text)) {
    if (found.length >= maxFound) break;
    const isFull = /^https?:\/\//i.test(word);
    if (!isFull && !/^[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,24}\//i.test(word.slice(0, 300))) continue;
    if (!URL.canParse(isFull ? word : `https://${word}`)) continue;
    const { hostname, pathname } = new URL(isFull ? word : `https://${word}`);
    found.push({ host: hostname.toLowerCase(), path: pathname.replace(/^\//, '') });
  }
  return found;
}

/** Tells whether a host is one that was named, or below it. */
export function isHost(host: string, named: string): boolean {
  const wanted = named.toLowerCase().replace(/^\*\./, '');
  return host === wanted || host.endsWith(`.${wanted}`);
}

/** Lists what looks like the path of a file: with a folder, or with an ending. */
export function pathsIn(text: string): string[] {
  // Most messages name no file, and taking them apart would cost more than all patterns.
  if (!/[^\s/]\/[^\s/]|[\w)]\.[A-Za-z]/.test(text)) return [];
  const found = new Set<string>();
  for (const word of wordsOf(text)) {
    if (found.size >= maxFound) break;
    if (/^[a-z]+:\/\//i.test(word)) continue;
    const path = word.replace(/(?::\d+)+$/, '').replace(/^\.?\//, '');
    if (path.length < 250 && (/[^/]\/[^/]/.test(path) || /[\w)]\.[A-Za-z][A-Za-z\d]{0,7}$/.test(path))) found.add(path);
  }
  return [...found];
}

/** Lists the names after an `@`, in lower case; an address of mail has none. */
export function handlesIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, name] of text.matchAll(
    /(?<![\p{L}\p{N}._-])@([\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,62}[\p{L}\p{N}_])?)/gu,
  )) {
    found.add(name!.toLowerCase());
    if (found.size >= maxFound) break;
  }
  return found;
}

/** White space, quotation marks and brackets part words here; what ends a sentence is no part of one. */
function wordsOf(text: string): string[] {
  return text
    .split(/[\s"'`´’“”()<>[\]{},;|]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.:!?]+$/, ''));
}
