// Quotations, code, paths, addresses and links are put aside before a sentence is written anew, and put back to the letter.

const opaque =
  /"[^"]*"|“[^”]*”|`[^`]*`|(?<![\p{Alpha}\d])'[^']{2,}'(?![\p{Alpha}\d])|https?:\/\/\S*[\p{Alpha}\d/]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\p{Alpha}\d])(?:[\w.-]*\/)+[\w.-]*\w|\bI\/O\b/gu;

/** A sentence without what must not change, and the way back. */
export interface Guarded {
  readonly text: string;
  restore(text: string): string;
}

/** Tells whether a quotation begins or ends in a text and not both: then its "I" may be anybody. */
export function isTornQuotation(text: string): boolean {
  const bare = text.replace(opaque, ' ');
  return /["“”]/.test(bare.replace(/\d"/g, ' '));
}

/** Puts a private sign in place of everything that must keep every letter. */
export function guarded(text: string): Guarded {
  const kept: string[] = [];
  const bare = text.replace(opaque, (part) => `\uE000${String.fromCharCode(0xe100 + kept.push(part) - 1)}`);
  return {
    text: bare,
    restore: (changed) =>
      changed.replace(/\uE000([\uE100-\uF8FF])/g, (_, sign: string) => kept[sign.charCodeAt(0) - 0xe100] ?? ''),
  };
}
