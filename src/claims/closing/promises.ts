// Whether what somebody said they would do is done: "I'll send the report", "sent the report this morning".

import type { Frame } from '../reading/frames.ts';
import { areKin, stemOf } from '../reading/words.ts';
import type { Reading } from '../reading.ts';

const promise =
  /\b(?:will|shall|must|should|(?:have|has|need|needs|want|wants|promised?|plans?|intends?|agreed?|got|remember|forget|am|is|are) to|(?:going|reminded|remind me|remind us|tell me) to|'ll|gotta|to-?do:)(?: be reminded to| please| finally| still| also| quickly)* (?!be\b|have\b|not\b)(?<deed>\p{Alpha}+)/iu;
/** "I told my brother I'd call the notary". */
const toldPromise =
  /\b(?:told|promised|said|agreed|assured)\b.{0,40}\b(?:I|we|he|she|they)(?:['’]?d| would) (?!be\b|have\b|not\b|rather\b|like\b|love\b)(?<deed>\p{Alpha}+)/iu;
/** What is done again and again is not done once and for all. */
const recurring = /\b(?:always|never|every|each|whenever|daily|weekly|monthly|usually|from now on)\b/i;
const opening = '(?:(?:ok|okay|so|and|yes|yep|btw|fyi|just|finally|update|done|good news|by the way)[,:!.]? )*';
const active = new RegExp(
  `^\\W*${opening}(?:(?:i|we)(?:'ve| have)? )?(?:(?:just|finally|already|now|also) )*(?<deed>\\p{Alpha}+)\\b`,
  'iu',
);
const passive = /\b(?:is|are|was|were|(?:has|have) been|got)(?: now| finally| already| all)? (?<deed>\p{Alpha}+)\b/iu;
const undone =
  /\b(?:not|never|yet|nearly|almost|half|tried|trying|try|might|if|unless|forgot|wanted|want to|mak(?:e|ing) sure|part of)\b|n't\b|\?/i;
const noName =
  'The|My|Our|His|Her|Their|This|That|It|He|She|They|We|You|Someone|Somebody|Everyone|Please|Remind|Also|And|So|Then|Now';
const named = `^\\W*(?!(?:${noName})\\b)(?<who>\\p{Upper}\\p{Lower}+)(?: \\p{Upper}\\p{Lower}+)?`;
/** "Farida handed back her card": who did it, by name. */
const byName = new RegExp(`${named} (?:(?:has|have|just|finally|already|now|also) )*(?<deed>\\p{Alpha}+)\\b`, 'u');
/** "Farida will hand back her card": who promised it, or has to. */
const willByName = new RegExp(
  `${named} (?:will|shall|must|should|has|needs|wants|promised|plans|intends|agreed|is)\\b`,
  'u',
);

/** "Onur orders the marquee by 29 May": so it is agreed. */
const doesByDay = new RegExp(`${named} (?<deed>\\p{Lower}{3,})s\\b(?=.*\\b(?:by|until|before|no later than)\\b)`, 'u');

/** "I promised Frau Wenzel from the office to send her the plans". */
const promisedTo =
  /\b(?:promised|offered|owe[sd]?|swore) (?!to\b)[^,;:.?!]{1,50}? to (?!the\b|an?\b|my\b|our\b|his\b|her\b|their\b|be\b|have\b|not\b)(?<deed>\p{Lower}+)/iu;

function promisedIn(text: string): string | undefined {
  return [promisedTo, promise, toldPromise, doesByDay].map((form) => form.exec(text)?.groups?.deed).find(Boolean);
}

/** "I promised Rosalind the budget table": to be given, whatever the verb. */
const promisedThing = /\b(?:promised|owe|owes) (?:[\p{Alpha}.'’-]+ ){1,3}?(?=(?:the|an?|my|our|his|her|their|some) )/iu;
const giving = /^(?:sent|gave|given|handed|delivered|submitted|mailed|emailed|brought|returned|paid|shared|uploaded)$/i;

/** Names who does what a sentence tells: somebody by their first name, or the speaker; undefined where nobody is named. */
function doerOf({ said }: Reading, form: RegExp): string | undefined {
  const found = form.exec(said.text)?.groups?.who;
  const who =
    found !== undefined && !isPast(found) ? found : /\b(?:I|we)\b/i.test(said.text) ? said.speaker : undefined;
  return who?.toLowerCase().replace(/ .*/, '');
}

/** Whether who promised something is who did it. */
function isDoneByThem(earlier: Reading, later: Reading): boolean {
  const promised = doesByDay.test(earlier.said.text) ? doerOf(earlier, doesByDay) : doerOf(earlier, willByName);
  // "The hotel is booked": whoever tells it, and whoever did it.
  if (activeDeedIn(later.said.text) === undefined) return true;
  const done = doerOf(later, byName) ?? later.said.speaker.toLowerCase();
  if (promised === undefined) return earlier.said.speaker === later.said.speaker || earlier.said.speaker === 'the user';
  return promised === done.split(' ')[0];
}

function activeDeedIn(text: string): string | undefined {
  const { who, deed } = byName.exec(text)?.groups ?? {};
  if (who !== undefined && deed !== undefined && !isPast(who) && isPast(deed)) return deed;
  const found = active.exec(text)?.groups?.deed;
  return found !== undefined && isPast(found) ? found : undefined;
}

function deedIn(text: string): string | undefined {
  const done = activeDeedIn(text);
  if (done !== undefined) return done;
  const other = passive.exec(text)?.groups?.deed;
  return other !== undefined && isPast(other) ? other : undefined;
}

/** A past form; "put" and "read" are their own. */
const isPast = (word: string): boolean =>
  /^(?:\p{Alpha}{2,}ed|put|cut|read|set|done)$/iu.test(word) || irregularPast.test(word);
const irregularPast =
  /^(?:sent|paid|bought|brought|made|took|taken|wrote|written|told|gave|given|found|got|did|went|rang|met|sold|built|left|hung|lent|fed|swept|drew|drove|flew|threw|caught|taught|chose|began|spoke|said|held|kept|lost|won|ran|saw|shut|shot|spent|split|stuck|swapped|tore|woke|wore|rebuilt|rewrote|redid|undid|handed|booked)$/i;

const doneIn = (text: string): string | undefined => (undone.test(text) ? undefined : deedIn(text));

/** Tells whether a sentence can tell that something is done; most cannot. */
export function tellsOfDeed(text: string): boolean {
  return doneIn(text) !== undefined;
}

/** What is done to; "the quarterly report" may be read as no object, and then all that is named counts. */
const objectsOf = ({ topics }: Frame): Frame['topics'] => {
  const objects = topics.filter(({ role }) => role === 'object');
  return objects.length > 0 ? objects : topics;
};
const little = new Set(
  'i we will must need have want gotta remind send user before after within next week month to by on at the my our'
    .split(' ')
    .map(stemOf),
);
/** Whether most of what was promised is said again; whom it was promised, and by when, need not be. */
function isSaidAgain(e: Frame, l: Frame): boolean {
  const telling = new Set(toldPromise.exec(e.text)?.[0].split(' ').slice(0, -1).map(stemOf));
  const words = [...e.said].filter(
    (stem) => stem.length > 3 && !little.has(stem) && !telling.has(stem) && !/da[iy]$|^\d/.test(stem),
  );
  return words.filter((stem) => l.said.has(stem)).length >= 0.5 * words.length;
}

/** What somebody makes is finished once. */
const making =
  /^(?:write|finish|prepare|do|make|build|draft|update|upgrade|fix|review|repair|paint|clean|complete|implement|translate|print|design|plan|knit|sew|bake|edit|record)$/i;
const finished = /^(?:finished|completed|did|done|concluded)$/i;
/** "I'll upgrade the protobuf library", "Thuy finished the protobuf upgrade"; "finished the report" that was to be written. */
function namesDeed({ topics }: Frame, deed: string, objects: Frame['topics']): boolean {
  const isNamedIn = (stem: string): boolean =>
    topics.some((topic) => areKin(topic.stem, stem) || topic.narrowed.some((word) => areKin(word, stem)));
  if (making.test(deed) && objects.every(({ stem }) => isNamedIn(stem))) return true;
  const isDeed = topics.some(({ stem }) => areKin(stem, stemOf(deed)));
  return isDeed && objects.every(({ narrowed }) => narrowed.some((word) => word !== 'self' && isNamedIn(word)));
}

/** Tells whether a later sentence says that what an earlier one promises is done. */
export function keepsPromise(earlier: Reading, later: Reading): boolean {
  const [text, told] = [earlier.said.text, later.said.text];
  if (earlier.isSeveral || later.isAssistant || recurring.test(text)) return false;
  const done = doneIn(told);
  if (done === undefined || !isDoneByThem(earlier, later)) return false;
  const given = earlier.frames.find(({ text: one }) => promisedThing.test(one) && !promisedTo.test(one));
  if (given !== undefined && giving.test(done))
    return later.frames.some((l) => isSaidAgain(given, l) && given.topics.every(({ stem }) => l.said.has(stem)));
  const e = earlier.frames.find((frame) => promisedIn(frame.text) !== undefined);
  const deed = e === undefined ? undefined : promisedIn(e.text);
  if (e === undefined || deed === undefined) return false;
  // A verb that no list knows is read as a name: "hand in".
  const named = objectsOf(e).filter(({ stem }) => stem !== stemOf(deed));
  // "I told my brother I'd call the notary": the brother stands before what is promised.
  const behind = named.filter(({ start }) => start > e.text.indexOf(deed));
  const objects = behind.length > 0 ? behind : named;
  if (objects.length === 0) return false;
  if (stemOf(done) !== stemOf(deed))
    return finished.test(done) && later.frames.some((l) => namesDeed(l, deed, objects));
  return later.frames.some(
    (l) =>
      isSaidAgain(e, l) &&
      objects.every(({ stem, narrowed }) => {
        const other = l.topics.find((topic) => areKin(topic.stem, stem));
        const some = narrowed.filter((word) => word !== 'self' && word !== 'other');
        // "The March invoice" is kept by no other invoice.
        return other?.narrowed.every(
          (word) => word === 'self' || word === 'other' || some.length === 0 || some.some((one) => areKin(one, word)),
        );
      }),
  );
}
