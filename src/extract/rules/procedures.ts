// How something is done: in one sentence, or as a list of steps under a line that says what for.

import { anyOf, type Rule } from './rule.ts';

const doing = anyOf(
  `run use open click set call go_to start copy type execute add edit press select check_out log_in ssh export install push create choose
  enter merge tag bump build restart stop rename move pull fetch apply write send ask fill put take switch turn connect update`,
);

export const procedureRules: readonly Rule[] = [
  {
    category: 'fact',
    confidence: 0.85,
    tags: ['procedure'],
    personOnly: true,
    mayBeSupposed: true,
    pattern: new RegExp(
      `^to (?!(?:be|me|us|you|my|your|the|a|an|that|this|it|all|answer|conclude|summari[sz]e|clarify)\\b)[a-z]+ [^,.;]{3,80}, (?:(?:you|we|i|one) )?(?:first )?(?:(?:need to|have to|must|should|just|simply|can) )?(?:${doing})\\b (?!(?:it|that|this)[.!]?$)\\S`,
      'i',
    ),
  },
  {
    category: 'fact',
    confidence: 0.85,
    tags: ['procedure'],
    personOnly: true,
    pattern:
      /\bthe (?:right |correct |usual |best |easiest )?way (?:to|we|i) [^,.;]{3,60} is (?:to|by) \w+ \S|\b(?:the|our|my) (?:[\w-]+ ){0,2}?(?:process|procedure|workflow|routine|runbook|checklist|recipe) (?:for [^,.;]{3,60} )?(?:is (?:to|as follows|always|first)|goes)\b/i,
    unless: /\b(?:good|great|nice|wonderful|fun) way\b/i,
  },
];

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
