// Two clauses in the same words but for one place: "I work on ward 6B", "I work on ward 4A now". The words of that place may be the value of
// anything: no table names it. Whether it ends something is closing.ts's.

import { oncePer } from '../../base/once-per.ts';
import { isVerbal } from '../reading/clauses.ts';
import type { Frame } from '../reading/frames.ts';
import type { Pair } from './pair.ts';
import { hasSameSubject, isSpeaker } from './subjects.ts';

/** The one place in which two clauses differ. */
export interface Slot {
  /** Whether the two name another doer, or say something else of one subject. */
  readonly place: 'subject' | 'complement';
  /** What stands there, in both of one kind: a number or day, a name or code, or other words; `mixed` where they differ in kind. */
  readonly kind: 'number' | 'name' | 'words' | 'mixed';
  /** The words that both have, without those for the subject. */
  readonly shared: readonly string[];
  /** Whether it says what or where one thing is. */
  readonly isCopula: boolean;
  /** Whether the verb lets a person have several: "I have a dog", "I have a cat". */
  readonly isOpen: boolean;
}

const leading =
  /^\W*(?:(?:and|but|so|ok|okay|well|right|fyi|btw|anyway|also|then|please|pls|could you|can you|would you|will you)\b[, ]*)*(?:(?:since|as of|starting|beginning|with|from) (?:the |this |next |last )?(?:[\p{Alpha}\d'-]+ ){0,3}?[\p{Alpha}\d'-]+,? (?=(?:i|we|the|my|our|his|her|he|she|they)\b))?/iu;
/** Words of time and change, which are no part of what is said. */
const passing =
  /\b(?:now|currently|nowadays|these days|at the moment|for the time being|until further notice|finally|actually|after all|please|pls|for now|for the moment|temporarily|still|already|again|instead|as of [^,]+$|since [^,]+$|from (?:now on|today|tomorrow|this|next|the \d|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)[^,]*$|starting [^,]*$|effective [^,]*$|with immediate effect|(?:only|just|exactly)(?= (?:\d|one|two|three|four|five)))/giu;
const isWords: readonly (readonly [RegExp, string])[] = [
  [/\b(i|we|you|they|he|she|it|that|there|here)['’](?:m|re|s) /giu, '$1 is '],
  [/\b(?:am|are|will be|will now be|is going to be|are going to be)\b/giu, 'is'],
  [/\bis (?:back|up|down) (?:(?:at|to) )?(?=\p{Alpha}|\d)/giu, 'is '],
  [/\b(?:my|our|your)\b/giu, 'the'],
];
const prepositions = new Set(
  'in on at by for from to with about into over under behind near through until after before than as'.split(' '),
);
const light = new Set('the a an is and or to of in on at by for from with it i we he she they you'.split(' '));
/** Words that say nothing of what is done: "I want to make sure", "I have been". */
const auxiliary = new Set(
  `have has had having been being be am was were will would shall can could may must do does did get gets got want wants need needs make makes sure going gonna trying
  looking using to just really very that this there i'm i've i'd i'll we're we've we'd we'll it's he's she's they're`.split(
    /\s+/,
  ),
);
const numeral =
  /^\W?\d|^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{Alpha}+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|half|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|daily|weekly|monthly|twice|once)$/iu;
/** A person may have, like or meet several. */
const open =
  /^(?:use|uses|using|try|trying|working|doing|playing|reading|watching|have|has|had|got|own|owns|like|likes|love|loves|hate|hates|enjoy|enjoys|know|knows|need|needs|want|wants|see|sees|met|read|visit|buy|add|think|feel|can|must|should)$/i;

/** The words of a clause up to its first pause, without what only says when. */
function tokensOf({ text }: Frame): string[] {
  let rest = text.replaceAll('’', "'").replace(leading, '');
  const pause = /[,;:!?()]|\s[–—-]\s/u;
  // "guest wifi password: olive-tram-79": a label and its value.
  if (/^[^:,;]{3,50}: \S/u.test(rest) && !/\b(?:is|are|was|were|has|have)\b/i.test(rest))
    rest = rest.replace(': ', ' is ');
  rest = rest.replace(/(\d)[,:](?=\d)/gu, '$1.');
  // "So for the handover sheet, um, the chaplain is ...": up to the pause behind the first part that states something.
  const parts = rest.split(pause);
  rest = parts.find(isVerbal) ?? parts[0]!;
  rest = rest.replace(leading, '');
  rest = rest.replace(passing, ' ');
  for (const [form, written] of isWords) rest = rest.replace(form, written);
  const words = rest
    .replace(/[."“”]+(?=\s|$)|(?<=^|\s)["“”]+/gu, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const is = words.indexOf('is');
  const [who, what] = [words.slice(0, is), words.slice(is + 1)];
  // "Klaus is treasurer", "the treasurer is Klaus".
  const isHolder =
    is > 0 &&
    office.test(what.join(' ')) &&
    !office.test(who.join(' ')) &&
    !/^(?:i|we|you|it|that|this|he|she|they|there)$/i.test(who[0]!);
  return isHolder ? ['the', ...what.slice(key(what[0]!) === 'the' ? 1 : 0), 'is', ...who] : words;
}

/** What one person is at a time, in words for the office. */
export const office =
  /^(?:the )?(?:new |first |acting |deputy |old )?(?:treasurer|head|chair(?:man|woman|person)?|captain|coach|manager|lead(?:er)?|director|president|secretary|trainer|contact|owner|maintainer|principal|mayor|editor|organi[sz]er|caretaker|foreman|skipper|referee|best man|chaplain|responsible|in charge)\b/i;

const key = (word: string): string => word.toLowerCase();
/** Whether a word says something of what is done. */
const tells = (word: string): boolean => !light.has(key(word)) && !auxiliary.has(key(word));
const areSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && key(one) === key(other);

/** What begins at a preposition behind the first word says where or for what, and is no part of the value. */
function cutAt(words: readonly string[]): readonly [readonly string[], readonly string[]] {
  const at = words.findIndex((word, index) => index > 0 && prepositions.has(key(word)));
  return at < 0 ? [words, []] : [words.slice(0, at), words.slice(at)];
}

/** "40 mg", "about nine", "on Saturday 9 May"; a name with a version is a name. */
const isNumber = (words: readonly string[]): boolean =>
  numeral.test(words.find((word) => !/^(?:the|a|an|about|around|roughly|nearly|almost)$/i.test(word)) ?? '');
const isNamed = (words: readonly string[], isFirst: boolean): boolean =>
  words.some((word, at) => (/^\p{Upper}/u.test(word) && !(isFirst && at === 0)) || /\w[-_./@]\w/.test(word));
const most = 5;
const ranks = /^(?:deputy|acting|interim|assistant|junior|senior|vice)$/i;
const verbs = /^(?:is|was|were|has|have|will|does|do|\p{Lower}{2,}(?:s|ed|ing)?)$/u;

/**
 * Finds the one place in which two clauses differ; undefined where they differ in more, or say different things. Two rules ask for it of the
 * same pair.
 */
export const slotOf = oncePer(findSlot);

function findSlot(pair: Pair): Slot | undefined {
  const { e, l } = pair;
  if (!e.hasVerb && !/:/.test(e.text)) return undefined;
  let [mine, theirs] = [tokensOf(e), tokensOf(l)];
  // "She is head of purchasing": whose name stands before is known.
  if (
    l.subject.who === 'pronoun' &&
    !/^\W*there\b/i.test(l.text) &&
    e.subject.topic !== undefined &&
    hasSameSubject(pair)
  ) {
    const [from, to] = [mine.indexOf('is'), theirs.indexOf('is')];
    if (from < 0 || to !== 1) return undefined;
    mine = ['@', ...mine.slice(from)];
    theirs = ['@', ...theirs.slice(to)];
  }
  // "With the Lisbon hires the support team is ...": the clause proper begins later. "At work I use ..." is of a part.
  const isOfPart = /^(?:at|in|for|on)$/i.test(theirs[0] ?? '');
  for (let skip = 1; skip <= most && !isOfPart && !areSame(mine[0], theirs[0]); skip++)
    if (areSame(mine[0], theirs[skip]) && areSame(mine[1], theirs[skip + 1])) theirs = theirs.slice(skip);
  // "The password for the flat is", "the password is".
  const is = mine.indexOf('is');
  const narrowed = mine.findIndex((word, at) => at > 0 && at < is && /^(?:for|in|at)$/i.test(word));
  if (is > 0 && narrowed > 0 && theirs.indexOf('is') === narrowed)
    mine = [...mine.slice(0, narrowed), ...mine.slice(is)];
  const shortest = Math.min(mine.length, theirs.length);
  let start = 0;
  while (start < shortest && areSame(mine[start], theirs[start])) start++;
  let end = 0;
  while (end < shortest - start && areSame(mine.at(-1 - end), theirs.at(-1 - end))) end++;
  const [lead, tail] = [mine.slice(0, start), mine.slice(mine.length - end)];
  let [former, formerTail] = cutAt(mine.slice(start, mine.length - end));
  let [now, nowTail] = cutAt(theirs.slice(start, theirs.length - end));
  // "23 children in my class 4b", "25 children in 4b".
  const isSameTail = end > 0 && areSame(formerTail[0], nowTail[0]) && /^(?:in|at|on|for)$/i.test(nowTail[0]!);
  if (isSameTail || formerTail.some((word) => !light.has(key(word)) && nowTail.some((other) => areSame(word, other))))
    [formerTail, nowTail] = [[], []];
  while (
    areSame(former.at(-1), now.at(-1)) &&
    (Math.min(former.length, now.length) > 1 || ranks.test(former[0]!) || ranks.test(now[0]!))
  )
    [former, now] = [former.slice(0, -1), now.slice(0, -1)];
  // "Deputy head of the ward", "head of the ward".
  const isRank = former.length + now.length === 1 && ranks.test([...former, ...now].join());
  if ([former, now].some((words) => (words.length === 0 && !isRank) || words.length > most)) return undefined;
  if (former.some((word) => !light.has(key(word)) && now.some((other) => areSame(word, other)))) return undefined;
  // "Redis and Postgres", "Redis in staging": more, and where.
  if ([former, now].some(([first = '']) => /^(?:and|or)$/i.test(first))) return undefined;
  if (prepositions.has(key(former[0] ?? '')) !== prepositions.has(key(now[0] ?? ''))) return undefined;
  if ([...former, ...now].some((word) => /^(?:not|no|never|nothing|nobody|too|so|very)$/i.test(word))) return undefined;
  // Where it is limited to a part behind the value, it is another matter, but for the one place that a speaker has.
  const isNamedPlace = isSpeaker(e.subject.who) && isNamed(formerTail, false);
  if (nowTail.length > 0 || (formerTail.length > 0 && !isNamedPlace)) return undefined;
  const isSubject = lead.every((word) => light.has(key(word)) && !/^(?:i|we|is)$/i.test(word));
  const shared = (isSubject ? tail : lead.slice(1).concat(tail)).map(key);
  if (isSubject && !shared.some((word, at) => at < 2 && verbs.test(word))) return undefined;
  const isOffice = isRank || [former, now].every((words) => office.test(words.join(' ')));
  if (!shared.some(tells) && !isOffice && !(isSubject === false && lead.includes('is') && lead.some(tells)))
    return undefined;
  const kinds = [former, now].map((words) =>
    isNumber(words)
      ? 'number'
      : isNamed(words, isSubject) || (isSubject && /^\p{Upper}/u.test(words[0]!))
        ? 'name'
        : 'words',
  ) as ('number' | 'name' | 'words')[];
  return {
    place: isSubject ? 'subject' : 'complement',
    kind: kinds[0] === kinds[1] ? kinds[0]! : 'mixed',
    shared,
    isCopula: isSubject ? /^(?:is|was)$/.test(shared[0] ?? '') : lead.includes('is'),
    isOpen: !isSubject && open.test(lead.findLast((word) => !light.has(key(word))) ?? ''),
  };
}
