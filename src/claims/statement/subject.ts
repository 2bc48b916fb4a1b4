// What a statement is about: the subject of its first clause, as short as it is still clear.

import { lowerFirst } from '../../base/text.ts';
import type { Said } from '../said.ts';
import { isAdverb, isPast, modals } from './verbs.ts';

/** Words for a person by what they are to somebody, as alternatives of a pattern. */
export const kinship =
  'wife|husband|partner|girlfriend|boyfriend|fiancée?|mother|mom|mum|father|dad|daughter|son|sister|brother|cousin|aunt|uncle|grandma|grandpa|grandmother|grandfather|niece|nephew|boss|manager|friend|neighbou?r|doctor|dentist|teacher|coach|colleague|roommate|flatmate|landlord|landlady|cat|dog|puppy|kitten|pet';
const verb = /^(?:is|are|was|were|has|have|had|does|do|did|been|be|went|goes|became|becomes|[a-z]+(?:s|ed))$/;
const functionWord =
  /^(?:there|it|it's|that|this|what|when|if|while|as|for|in|on|at|to|from|by|although|one|some|all|every|each|both|only|never|always|just|please|let's|keep|use|run|make|put|take|do|don't|have|ask|call|open|close|delete|add|set|send|write|check|start|stop)\b/i;
const leading =
  /^(?:(?:In|On|Around|Since|By|Until|From|Before|After|At) )?(?:(?:the )?(?:week|weekend|night|evening|morning|afternoon|end) of )?(?:\p{Upper}\p{Lower}+ )?\d{4}(?:-\d\d(?:-\d\d)?)?(?: on)?,? (?=\p{Alpha})/u;

/** Gives the subject of a statement: a person as named, "Anna's sister", or a thing in small letters; the speaker where none is found. */
export function subjectOf(statement: string, said: Said): string {
  const text = statement.replace(leading, '');
  const { speaker } = said;
  if (text.startsWith(speaker) || text.toLowerCase().startsWith(speaker.toLowerCase())) {
    const rest = text.slice(speaker.length);
    const relative = new RegExp(
      `^'s (?:[\\p{Lower}-]+ ){0,2}?(${kinship})\\b,?(?: (\\p{Upper}[\\p{Alpha}-]+))?`,
      'u',
    ).exec(rest);
    if (relative !== null) return relative[2] ?? `${speaker}'s ${relative[1]}`;
    return speaker;
  }
  // "However, ...", "When it rains, ...": the clause behind it has the subject.
  const main = text.replace(
    /^(?:However|Also|Lately|Recently|Honestly|Although|Though|When|If|While|As|Since|Because|After|Before|For|In|On|At|With|To|From|By|Without|Once|Until)\b[^,;]{0,80}, /,
    '',
  );
  if (main !== text) return subjectOf(main, said);
  const words = text.replace(/^(?:The|A|An|This|Project)\s/i, '').split(/\s+/);
  const head: string[] = [];
  let hasVerb = false;
  for (const word of words) {
    const bare = word.replace(/[,.;:!?]+$/, '');
    hasVerb = verb.test(bare) || isPast(bare) || modals.has(bare.toLowerCase());
    if (hasVerb || isAdverb(bare) || head.length > 5) break;
    if (/^(?:of|in|at|on|for|with|from|to|that|which|who|and)$/.test(bare) && head.length > 0) break;
    head.push(bare);
    if (bare !== word) break;
  }
  // "Releases leave on Tuesdays": the verb of a plural has no ending.
  if (!hasVerb && head.length === 2 && /^\p{Upper}?\p{Lower}+[^su]s$/u.test(head[0]!)) head.pop();
  const subject = head.join(' ');
  if (head.length === 0 || head.length > 4 || functionWord.test(subject) || /[\uE000-\uF8FF]/u.test(subject))
    return speaker;
  return /^\p{Upper}/u.test(subject) &&
    text.startsWith(subject) &&
    words.length > head.length &&
    !/^(?:The|A|An) /.test(text)
    ? /^\p{Upper}[\p{Alpha}-]*(?: \p{Upper}[\p{Alpha}-]*)*$/u.test(subject)
      ? subject
      : lowerFirst(subject)
    : subject;
}
