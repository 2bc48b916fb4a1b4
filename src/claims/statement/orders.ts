// Orders speak to whoever carries them out: "you" in them is nobody that has a name.

import { upperFirst } from '../../base/text.ts';
import type { Said } from '../said.ts';
import { agreeing } from './verbs.ts';

const order =
  /^(?:(?:and|so|yes|ok|okay|also|please),? )*(?:(?:[\p{Alpha}-]+ ){0,3}(?:rule|request)\b[^:?]{0,60}: )?(?:never|always|don['’]t|do not|please|keep|make sure|from now on|no)\b/iu;

/** Tells whether a sentence is an order, by its first words. */
export function isImperative(text: string): boolean {
  return order.test(text.trim());
}

const doubled = /^(?:[^aeiou]*[aeiou][bdgmnprt]|commit|submit|format|begin|refer)$/;
/** "push" → "pushing", "change" → "changing", "run" → "running". */
function gerundOf(verb: string): string {
  if (/ie$/.test(verb)) return `${verb.slice(0, -2)}ying`;
  if (/[^eoy]e$/.test(verb)) return `${verb.slice(0, -1)}ing`;
  return doubled.test(verb) ? `${verb}${verb.at(-1)}ing` : `${verb}ing`;
}

const irregular: Readonly<Record<string, string>> = Object.fromEntries(
  'write written make made send sent give given do done build built tell told show shown read read put put say said draw drawn find found bring brought keep kept'
    .split(' ')
    .flatMap((verb, at, all) => (at % 2 === 0 ? [[verb, all[at + 1]!]] : [])),
);
/** "draft" → "drafted", "write" → "written". */
function participleOf(verb: string): string {
  if (irregular[verb] !== undefined) return irregular[verb];
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  if (verb.endsWith('e')) return `${verb}d`;
  return doubled.test(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`;
}

/** "Always use pnpm here." */
const inRepo =
  /(?<=\b(?:use|run|install|write|commit|push|merge|tabs?|spaces?|tests?|format)\b[^,;]*) here(?=[,.;!]|$)/i;

const agentRole = /^(?:agent|assistant|tool)$/;
/** "When you book my flights, take ...": whoever listens is to do so each time. */
const each =
  /^(?:when|whenever|if|every time|each time) you (?!(?:are|were|have|had|did|want|need|like|see|know|think|feel|get|find|notice|hear|wish|can|could|miss|love)\b)(\p{Lower}{2,})\b(?=(?:[^,]*,|[^,]* (?:for|to) (?:me|us)) (?:please |always |just )?\p{Lower}+ )/iu;
const inAll =
  /\b(everything|anything|all|whatever|every \p{Lower}+|each \p{Lower}+|any \p{Lower}+) (?:that )?you (\p{Lower}{2,})(?= (?:for|to) \p{Alpha}|:|,|[.!]*$)/giu;

/** Writes an order without the one that it is given to: "before you push" is "before pushing", "your answers" are "answers". */
export function withoutHearer(text: string, { speaker, before }: Said): string {
  // What people ask of each other has somebody to do it.
  const isToAgent = before.every((one) => one.speaker === speaker || agentRole.test(one.role));
  const rest = isToAgent
    ? text
        // "You never push to a release branch": an order, in the form of a fact.
        .replace(/^you (never|only ever|always) (?=\p{Lower}{2,} )/iu, (_, how: string) => `${upperFirst(how)} `)
        .replace(each, (_, verb: string) => `When ${gerundOf(verb)}`)
        .replace(
          inAll,
          (_, all: string, verb: string) => `${all}${/^whatever$/i.test(all) ? ' is' : ''} ${participleOf(verb)}`,
        )
    : text;
  if (!isImperative(rest)) return rest;
  return (isToAgent ? rest.replace(inRepo, ' in this repo') : rest)
    .replace(
      /\b(before|after|when|while|without) you (\p{Lower}{2,})\b/gu,
      (_, joint: string, verb: string) => `${joint} ${gerundOf(verb)}`,
    )
    .replace(
      /(?<=\p{Alpha} (?:that )?)you (haven['’]t|don['’]t|have|\p{Lower}{2,})\b(?!['’])/giu,
      (_, verb: string) => `one ${agreeing(verb.replace('’', "'"))}`,
    )
    .replace(/\byour (answers|replies|responses|messages|summaries|reports|commits)\b/gi, '$1');
}
