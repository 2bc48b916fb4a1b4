// How something is done: as a list of steps under a line that says what for, or told in a row.

/** A line that says what the numbered lines below it are the way to. */
const leadIn =
  /^(?:[#>*_\s]*)(?:(?:here(?:'s| is) )?how (?:to|we|i)|steps? (?:to|for)|to) (?<aim>(?!(?:be|me|us|you|do|the|a|an|sum)\b)[a-z][^:.!?]{3,80})[:*_\s]*$|^(?:[#*_\s]*)(?:the |our |my )?(?<named>[^:.!?]{3,60}? (?:procedure|runbook|checklist|workflow|recipe|steps))[:*_\s]*$/i;
const stepLine = /^\s*\d{1,2}[.)]\s+(\S.*)$/;
const maxLength = 400;

/**
 * Finds lists of steps in a turn: at least two numbered lines below one that says what for, as one sentence each.
 *
 * `To deploy the site:\n1. build\n2. push` is `To deploy the site: 1. build 2. push`. Steps that do not fit into 400 characters are left
 * out from the end.
 */
export function proceduresIn(text: string): string[] {
  const lines = text.split('\n');
  const found: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const match = lines[at]!.length > 120 ? null : leadIn.exec(lines[at]!.replace(/[‘’]/g, "'"));
    if (match === null) continue;
    let next = at + 1;
    while (next < lines.length && lines[next]!.trim() === '') next += 1;
    const steps: string[] = [];
    for (; next < lines.length; next += 1) {
      const step = stepLine.exec(lines[next]!)?.[1];
      if (step === undefined) break;
      steps.push(step.replace(/\s+/g, ' ').trim());
    }
    if (steps.length < 2) continue;
    const { aim, named } = match.groups!;
    let words = aim === undefined ? `${named!.trim()}:` : `To ${aim.trim()}:`;
    for (const [index, step] of steps.entries()) {
      if (words.length + step.length + 4 > maxLength) break;
      words += ` ${index + 1}. ${step}`;
    }
    found.push(words);
    at = next - 1;
  }
  return found;
}

/** Steps told in a row of words: "To release, first bump the version, then tag it, finally push the tag." */
export interface InlineProcedure {
  /** In the form of {@link proceduresIn}. */
  readonly words: string;
  /** The words that it came in; their sentences are no items of their own. */
  readonly span: string;
}

const stepVerbs = new Set(
  (
    'run use open click set call go start copy type execute add edit press select check log ssh export install push create choose enter ' +
    'merge tag bump build restart stop rename move pull fetch apply write send ask fill put take switch turn connect update deploy test ' +
    'commit clone upload download delete remove clean wait verify confirm publish release review sign print scan pack mix heat boil bake ' +
    'cut pour stir wash drain close save import configure enable disable reboot flash mount unplug plug back make change reset announce tell ' +
    'read compare approve freeze drop migrate seed warm rebase squash file post email order book pay weigh knead let cover roll'
  ).split(' '),
);
/** What the steps are for, and the word that opens the first. */
const inlineLead =
  /(?:^|(?<=[.!?:]\s))(?:okay,? |so,? )?(?:(?:in order )?to (?<aim>(?!(?:be|me|us|you|my|your|the|a|an|that|this|it|all|answer|conclude|sum)\b)[a-z][^,.;:!?]{3,70})|when(?:ever)? (?:you|we|i) (?<when>(?!(?:are|were|was|have|had|did|got|went|came|met|saw)\b)[a-z][^,.;:!?]{3,70})|here(?:'s| is) how (?:to|you|we|i) (?<how>[a-z][^,.;:!?]{3,70}))[,:.] (?:(?:you|we|i) )?(?:(?:need to|have to|must|should|always) )?first,? /gi;
const between = /(?:,|;|\.)? (?:and )?(then|next|after that|afterwards|finally|lastly|at last)\b,? /gi;
const subject = /^(?:you|we|i) (?:(?:need to|have to|must|should|can) )?|^(?:need to|have to) /i;
const maxStep = 120;

/**
 * Finds steps that a person tells in a row: three and more, with what they are for, each a thing to do.
 *
 * What was done ("first we went to Rome, then …") is none, nor is what has no aim, asks or supposes. A wrong procedure would be followed.
 */
export function inlineProceduresIn(text: string): InlineProcedure[] {
  const found: InlineProcedure[] = [];
  for (const part of text.replace(/[‘’]/g, "'").split(/\n\s*\n|\n(?=\s*(?:[-*+>|]|\d+[.)]|#|```|~~~))/)) {
    if (/^\s*(?:>|\||#|```|~~~| {4}\S)/.test(part)) continue;
    const prose = part.replace(/\s+/g, ' ').trim();
    if (prose.length > 2000) continue;
    for (const match of prose.matchAll(inlineLead)) {
      const { aim, when, how } = match.groups!;
      const told = stepsBehind(prose.slice(match.index + match[0].length));
      if (told === null) continue;
      let words = `To ${(aim ?? when ?? how)!.trim()}:`;
      for (const [index, step] of told.steps.entries()) words += ` ${index + 1}. ${step}`;
      const span = prose.slice(match.index, match.index + match[0].length + told.length);
      if (words.length <= maxLength) found.push({ words, span });
    }
  }
  return found;
}

function stepsBehind(rest: string): { readonly steps: readonly string[]; readonly length: number } | null {
  const steps: string[] = [];
  let start = 0;
  let isLast = false;
  for (;;) {
    between.lastIndex = start;
    const mark = isLast ? null : between.exec(rest);
    const stop = /[.;!?](?=\s|$)/.exec(rest.slice(start));
    const end = stop === null ? rest.length : start + stop.index;
    // Another sentence in between ends the steps.
    const goesOn = mark !== null && mark.index <= end;
    const to = goesOn ? mark.index : end;
    const step = rest.slice(start, to).replace(subject, '').trim();
    const [verb = ''] = step.toLowerCase().split(/[^a-z-]/, 1);
    if (!stepVerbs.has(verb) || step.length > maxStep || (!goesOn && rest[to] === '?')) return null;
    if (/\b(?:maybe|perhaps|might|i think|i guess|if)\b/i.test(step)) return null;
    steps.push(step);
    if (!goesOn) return steps.length >= 3 ? { steps, length: Math.min(rest.length, to + 1) } : null;
    isLast = /^(?:finally|lastly|at last)$/i.test(mark[1]!);
    start = mark.index + mark[0].length;
  }
}

/** Reads what {@link proceduresIn} wrote; undefined for any other sentence. */
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
  const title = words.slice(0, colon).replace(/^to /i, '');
  return { title: title[0]!.toUpperCase() + title.slice(1), steps };
}
