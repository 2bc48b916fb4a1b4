// Spoken and typed short forms written out, so that what comes after reads one spelling: "I'm", "Im", "gotta", "youll".

import { upperFirst } from '../../base/text.ts';

/** Short forms that lost their apostrophe, as they are typed in messengers; those that are words of their own are left. */
const typed = new Map([
  ['im', "I'm"],
  ['iam', "I'm"],
  ['ive', "I've"],
  ['youre', "you're"],
  ['youve', "you've"],
  ['youll', "you'll"],
  ['theyre', "they're"],
  ['theyve', "they've"],
  ['theyll', "they'll"],
  ['weve', "we've"],
  ['itll', "it'll"],
  ['itd', "it'd"],
  ['thats', "that's"],
  ['theres', "there's"],
  ['whats', "what's"],
  ['heres', "here's"],
  ['dont', "don't"],
  ['doesnt', "doesn't"],
  ['didnt', "didn't"],
  ['isnt', "isn't"],
  ['wasnt', "wasn't"],
  ['arent', "aren't"],
  ['werent', "weren't"],
  ['havent', "haven't"],
  ['hasnt', "hasn't"],
  ['hadnt', "hadn't"],
  ['cant', "can't"],
  ['couldnt', "couldn't"],
  ['wouldnt', "wouldn't"],
  ['shouldnt', "shouldn't"],
  ['wont', "won't"],
  ['hes', "he's"],
  ['shes', "she's"],
]);
const typedForm = new RegExp(`(?<![\\p{Alpha}\\d'’-])(?:${[...typed.keys()].join('|')})(?![\\p{Alpha}\\d'’-])`, 'giu');

const spoken: readonly (readonly [RegExp, string])[] = [
  [/(?<=\p{Alpha})’(?=\p{Alpha})/gu, "'"],
  [/(?<![\p{Alpha}\d'.-])i(?=\s|'(?:m|ve|ll|d)\b)/gu, 'I'],
  [/\b([Yy])['a]all\b/g, '$1ou all'],
  [/\b([Gg])onna\b/g, '$1oing to'],
  [/\b([Ww])anna\b/g, '$1ant to'],
  [/\b(?:'ve |have )?gotta\b/g, ' have to'],
  [/^Gotta\b/, 'Have to'],
  [/\bdunno\b/g, "don't know"],
  [
    /(?<![\p{Alpha}'])[Ii]d (?=(?:love|like|rather|say|be|have|want|go|prefer|probably|never|really|still)\b)/gu,
    "I'd ",
  ],
  [/\bpl[sz]\b/g, 'please'],
  [/^Pl[sz]\b/, 'Please'],
  // Dictated: "... moved me comma the appointment is ..."
  [
    /(?<=[\p{Alpha}\d]) comma (?=(?:the|my|our|and|but|so|not|it|he|she|they|I|we|on|in|at|because|which|then)\b)/gu,
    ', ',
  ],
  [/ {2,}/g, ' '],
];

/** Gives a sentence with the spelling that the other steps read; its words stay. */
export function inOneSpelling(text: string): string {
  let plain = text.replace(typedForm, (short) => {
    const long = typed.get(short.toLowerCase())!;
    return /^\p{Upper}/u.test(short) ? upperFirst(long) : long;
  });
  for (const [from, to] of spoken) plain = plain.replace(from, to);
  return plain;
}
