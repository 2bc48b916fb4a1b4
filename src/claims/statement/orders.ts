// Orders speak to whoever carries them out: "you" in them is nobody that has a name.

import type { Said } from '../said.ts';

const order =
  /^(?:(?:and|so|yes|ok|okay|also|please),? )*(?:never|always|don['’]t|do not|please|keep|make sure|from now on)\b/i;

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

const agentRole = /^(?:agent|assistant|tool)$/;
/** "When you book my flights, take ...": whoever listens is to do so each time. */
const each =
  /^(?:when|whenever|if|every time|each time) you (?!(?:are|were|have|had|did|want|need|like|see|know|think|feel|get|find|notice|hear|wish|can|could|miss|love)\b)(\p{Ll}{2,})\b(?=[^,]*, (?:please |always |just )?\p{Ll}+ )/iu;
const inAll =
  /\b(everything|anything|all|whatever|every \p{Ll}+|each \p{Ll}+|any \p{Ll}+) (?:that )?you (\p{Ll}{2,})(?= for (?:me|us)\b|[.!]*$)/giu;

/** Writes an order without the one that it is given to: "before you push" is "before pushing", "your answers" are "answers". */
export function withoutHearer(text: string, { speaker, before }: Said): string {
  // What people ask of each other has somebody to do it.
  const isToAgent = before.every((one) => one.speaker === speaker || agentRole.test(one.role));
  const rest = isToAgent
    ? text
        .replace(each, (_, verb: string) => `When ${gerundOf(verb)}`)
        .replace(
          inAll,
          (_, all: string, verb: string) => `${all}${/^whatever$/i.test(all) ? ' is' : ''} ${participleOf(verb)}`,
        )
    : text;
  if (!isImperative(rest)) return rest;
  return rest
    .replace(
      /\b(before|after|when|while|without) you (\p{Ll}{2,})\b/gu,
      (_, joint: string, verb: string) => `${joint} ${gerundOf(verb)}`,
    )
    .replace(/\byour (answers|replies|responses|messages|summaries|reports|commits)\b/gi, '$1');
}
