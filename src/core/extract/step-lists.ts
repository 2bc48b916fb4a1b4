// Lists of steps: numbered lines below one that ends with a colon, as one text.

const leadIn = /^\s*(?:[#>*_\s]*)(\S[^\n]{1,118}?)[*_]*:[*_\s]*$/;
const stepLine = /^\s*\d{1,2}[.)]\s+(\S.*)$/;
const maxLength = 400;
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * Finds lists of steps in a turn: at least two numbered lines below one that ends with a colon.
 *
 * `To deploy the site:\n1. build\n2. push` is `To deploy the site: 1. build 2. push`. Steps that do not fit into 400 characters are left
 * out from the end.
 */
export function stepListsIn(text: string): string[] {
  const lines = text.split('\n');
  const found: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const lead = leadIn.exec(lines[at]!)?.[1];
    if (lead === undefined) continue;
    let next = at + 1;
    while (next < lines.length && lines[next]!.trim() === '') next += 1;
    const steps: string[] = [];
    for (; next < lines.length; next += 1) {
      const step = stepLine.exec(lines[next]!)?.[1];
      if (step === undefined) break;
      steps.push(oneLine(step));
    }
    if (steps.length < 2) continue;
    let words = `${oneLine(lead)}:`;
    for (const [index, step] of steps.entries()) {
      if (words.length + step.length + 4 > maxLength) break;
      words += ` ${index + 1}. ${step}`;
    }
    found.push(words);
    at = next - 1;
  }
  return found;
}

/** Reads what {@link stepListsIn} wrote; undefined for any other sentence. */
export function stepsOf(words: string): { readonly title: string; readonly steps: readonly string[] } | undefined {
  const colon = words.indexOf(': 1. ');
  if (colon < 0) return undefined;
  const steps: string[] = [];
  let rest = words.slice(colon + 5);
  for (let number = 2; ; number += 1) {
    const end = rest.indexOf(` ${number}. `);
    if (end < 0) break;
    steps.push(rest.slice(0, end));
    rest = rest.slice(end + ` ${number}. `.length);
  }
  steps.push(rest);
  if (steps.length < 2) return undefined;
  const title = words.slice(0, colon);
  return { title: title[0]!.toUpperCase() + title.slice(1), steps };
}
