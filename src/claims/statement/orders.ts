// Orders speak to whoever carries them out: "you" in them is nobody that has a name.

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

/** Writes an order without the one that it is given to: "before you push" is "before pushing", "your answers" are "answers". */
export function withoutHearer(text: string): string {
  if (!isImperative(text)) return text;
  return text
    .replace(
      /\b(before|after|when|while|without) you (\p{Ll}{2,})\b/gu,
      (_, joint: string, verb: string) => `${joint} ${gerundOf(verb)}`,
    )
    .replace(/\byour (answers|replies|responses|messages|summaries|reports|commits)\b/gi, '$1');
}
