// "Phone is 0221 ...", "take home pay is 3140": what everybody has one of is the speaker's own where nobody says whose it is.

import { lowerFirst, upperFirst } from '../../base/text.ts';
import type { Said } from '../said.ts';
import { kinship } from './subject.ts';

const reached =
  '(?:(?:new|old|current|home|work|private|office|postal|e-?mail|phone|mobile|cell) )*(?:address|phone|mobile|cell|cellphone|tel|e-?mail|(?:phone|mobile|cell) number|iban|birthday)';
const things = `${reached}|(?:(?:new|old|current|monthly|weekly|yearly|net|gross|base|starting) )*(?:take[- ]home(?: pay)?|pay|salary|wage|income|pension|rent|mortgage|budget|(?:wi-?fi )?password|username|surname|maiden name|middle name|shoe size|ring size|dress size|blood (?:type|group|pressure)|height|weight|date of birth|hometown|mother tongue|native language|star sign|car|bike|licen[cs]e plate|number plate|locker|health insurance|insurance|(?:${kinship}|stepson|stepdaughter|grandson|granddaughter|gp|supervisor|caretaker|therapist)(?:['’]s [\\p{Lower}-]+)?)`;
const bare = new RegExp(`^(?:${things}) (?:is|was|are|were|has|goes up|went up|starts|ends)(?= )`, 'iu');
const listed = new RegExp(`^(?<what>${reached})\\.?: (?=\\S)`, 'iu');

/** Writes "my phone is" where somebody says "phone is", and "my new address is" for "new address:". */
export function withOwnThings(text: string, { role }: Said): string {
  if (/^(?:agent|assistant|tool|system)$/.test(role)) return text;
  const sentence = text.replace(listed, (_, what: string) => `${upperFirst(what)} is `);
  return bare.test(sentence) ? `My ${/^[\p{Upper}\d]{2}/u.test(sentence) ? sentence : lowerFirst(sentence)}` : text;
}
