// Whether what somebody said they would do is done: "I'll send the report", "sent the report this morning".

import { monthNames } from '../../base/calendar.ts';
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
const passive =
  /(?:\b(?:is|are|was|were|(?:has|have) been|got)|['’](?:s|re)(?: been)?)(?: now| finally| already| all)? (?<deed>\p{Alpha}+)\b/giu;
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
const promisedThing =
  /\b(?:promised|owe|owes) (?:[\p{Alpha}.'’-]+ ){1,3}?(?=(?:the|an?|my|our|his|her|their|some) |[£$€]?\d)/iu;
const giving =
  /^(?:sent|gave|given|handed|delivered|submitted|mailed|emailed|brought|returned|paid|repaid|transferred|wired|settled|shared|uploaded)$/i;
/** "I owe Caleb 200 quid", "I transferred Caleb the 200". */
const sumsIn = (text: string): readonly string[] => text.match(/\d[\d.,]*(?<!\D)/g) ?? [];

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
  if (had.test(later.said.text) || activeDeedIn(later.said.text) === undefined) return true;
  const [of, by] = [earlier.said.speaker, later.said.speaker];
  if (promised === undefined) return of === by || [of, by].includes('the user');
  const done = doerOf(later, byName) ?? by.toLowerCase();
  // "Sent Pete the drawings": of a record that names nobody, somebody of the talk did it.
  return promised === done.split(' ')[0] || done === 'the user';
}

function activeDeedIn(text: string): string | undefined {
  const { who, deed } = byName.exec(text)?.groups ?? {};
  if (who !== undefined && deed !== undefined && !isPast(who) && isPast(deed)) return deed;
  const found = active.exec(text)?.groups?.deed;
  return found !== undefined && isPast(found) ? found : undefined;
}

function deedIn(text: string): string | undefined {
  if (had.test(text)) return 'got';
  const done = activeDeedIn(text);
  if (done !== undefined) return done;
  return [...text.matchAll(passive)].map(({ groups }) => groups!.deed!).find(isPast);
}

/** A past form; "put" and "read" are their own. */
const isPast = (word: string): boolean =>
  /^(?:\p{Alpha}{2,}ed|put|cut|read|set|done)$/iu.test(word) || irregularPast.test(word);
const irregularPast =
  /^(?:sent|paid|bought|brought|made|took|taken|wrote|written|told|gave|given|found|got|did|went|rang|met|sold|built|left|hung|lent|fed|swept|drew|drove|flew|threw|caught|taught|chose|began|spoke|said|held|kept|lost|won|ran|saw|shut|shot|spent|split|stuck|swapped|tore|woke|wore|rebuilt|rewrote|redid|undid|handed|booked)$/i;

const deedsOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stemOf));
const calls = deedsOf('ring call phone contact spoke');
/** Deeds that are one, by whichever of these words they are promised and told; stems know most irregular forms. */
const sameDeeds: readonly ReadonlySet<string>[] = [
  calls,
  ...[
    'send email mail post forward text share message',
    'pay repay transfer settle wire reimburse',
    'buy get got order fetch pick',
    'fix repair mend sort',
    'book reserve arrange',
    'return bring give hand',
    'cancel drop scrap',
  ].map(deedsOf),
];
/** "I got through to the council": the call that was promised. */
const reached = /\b(?:got (?:through to|hold of|in touch with)|spoke (?:to|with)|talked (?:to|with))\b/i;

function areOneDeed(deed: string, done: string, told: string): boolean {
  const [wanted, was] = [deed, reached.test(told) ? 'call' : done].map(stemOf);
  return wanted === was || sameDeeds.some((deeds) => deeds.has(wanted!) && deeds.has(was!));
}

/** "Pickle had her second jab today": what was to be got for somebody. */
const had =
  /^\W*\p{Upper}\p{Lower}+ (?:has )?had (?:her|his|its|their) (?:[\p{Alpha}-]+ ){0,2}(?:jabs?|vaccin\p{Alpha}*|boosters?|check-?up|operation|surgery|scan|service|x-?ray|injection|haircut|test)\b/iu;
/** "The hutch is cancelled": nobody has to build it any more. */
const calledOff = /^(?:cancell?ed|scrapped|dropped|shelved|abandoned)$/i;

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
function isSaidAgain(e: Frame, l: Frame, deed?: string): boolean {
  const telling = new Set(toldPromise.exec(e.text)?.[0].split(' ').slice(0, -1).map(stemOf));
  // With whom a call is, and not what about, tells that it was made.
  if (deed !== undefined && calls.has(stemOf(deed)))
    for (const { stem, role, narrowed } of e.topics)
      if (role === 'about') for (const word of [stem, ...narrowed]) telling.add(word);
  for (const { stem, start } of e.topics) if (start === 0 && /^\p{Upper}/u.test(e.text)) telling.add(stem);
  const words = [...e.said].filter(
    (stem) =>
      stem.length > 3 &&
      !little.has(stem) &&
      stem !== (deed && stemOf(deed)) &&
      !telling.has(stem) &&
      !/da[iy]$|^\d/.test(stem),
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

/** "The March invoice", "the Q2 figures": the month or quarter of a thing. */
const ofMonth = new RegExp(`\\b(?:${monthNames.join('|')}|Q[1-4])\\b(?= \\p{Lower})`, 'gu');

function areOfOneMonth(earlier: string, later: string): boolean {
  const [of, again] = [earlier.match(ofMonth) ?? [], later.match(ofMonth) ?? []];
  return of.length === 0 || again.length === 0 || again.some((month) => (of as readonly string[]).includes(month));
}

/** Tells whether a later sentence says that what an earlier one promises is done. */
export function keepsPromise(earlier: Reading, later: Reading): boolean {
  const [text, told] = [earlier.said.text, later.said.text];
  if (earlier.isSeveral || later.isAssistant || recurring.test(text) || !areOfOneMonth(text, told)) return false;
  const done = doneIn(told);
  if (done === undefined || !isDoneByThem(earlier, later)) return false;
  const given = earlier.frames.find(({ text: one }) => promisedThing.test(one) && !promisedTo.test(one));
  if (given !== undefined && giving.test(done))
    return later.frames.some(
      (l) =>
        (isSaidAgain(given, l) && given.topics.every(({ stem }) => l.said.has(stem))) ||
        (sumsIn(given.text).some((sum) => sumsIn(l.text).includes(sum)) &&
          given.topics.some(({ isName, stem }) => isName && l.said.has(stem))),
    );
  const e = earlier.frames.find((frame) => promisedIn(frame.text) !== undefined);
  const deed = e === undefined ? undefined : promisedIn(e.text);
  if (e === undefined || deed === undefined) return false;
  // A verb that no list knows is read as a name: "hand in".
  const named = objectsOf(e).filter(({ stem }) => stem !== stemOf(deed));
  // "I told my brother I'd call the notary": the brother stands before what is promised.
  const behind = named.filter(({ start }) => start >= e.text.indexOf(deed));
  const objects = behind.length > 0 ? behind : named;
  if (objects.length === 0) return false;
  if (!areOneDeed(deed, done, told))
    return (finished.test(done) || calledOff.test(done)) && later.frames.some((l) => namesDeed(l, deed, objects));
  return later.frames.some(
    (l) =>
      isSaidAgain(e, l, stemOf(done) === stemOf(deed) ? undefined : deed) &&
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
