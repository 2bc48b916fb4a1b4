// A clause as words, each with the class that short closed lists give it: enough to find what is spoken of, and no grammar. What the
// words say is read in frames.ts.

import { stemmer } from 'stemmer';

/** Class of a word; what no list knows is a noun, with a capital a name. */
export type WordKind =
  | 'determiner'
  | 'preposition'
  | 'pronoun'
  | 'auxiliary'
  | 'verb'
  | 'adverb'
  | 'conjunction'
  | 'number'
  | 'name'
  | 'noun';

/** One word of a clause. */
export interface Word {
  /** As written, without an apostrophe and what follows it. */
  readonly text: string;
  /** Folded and stemmed (Porter 1980), so that "releases" and "release" meet. */
  readonly stem: string;
  readonly kind: WordKind;
  /** Whether it owns the next word: "Anna's", "my". */
  readonly isOwner: boolean;
  /** Whether a comma or another mark stands before it: what it names is no part of what stands there. */
  readonly isAfterMark: boolean;
  /** Where it begins in the clause, and where it ends. */
  readonly start: number;
  readonly end: number;
}

const listOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const determiners = listOf(
  'a an the this that these those my our your his her its their some any no every each all both another such what which whose',
);
const owners = listOf('my our your his her its their');
const prepositions = listOf(
  `in on at by for from to of with about into onto over under below behind beside between through via until till since after before during within
  without against near off out up down around across along toward towards per as than like except according inside outside above beneath upstairs
  downstairs`,
);
const pronouns = listOf(
  `i me myself mine we us ourselves ours you yourself yours he him himself she hers herself it itself they them themselves theirs who whom
  somebody someone anybody anyone nobody everybody everyone something anything nothing everything one there here im ive ill id`,
);
const auxiliaries = listOf(
  `am is are was were be been being do does did have has had will would shall should can could may might must isnt arent wasnt werent dont
  doesnt didnt havent hasnt hadnt wont wouldnt shant shouldnt cant cannot couldnt mightnt mustnt got gets get getting`,
);
const conjunctions = listOf('and or but so because if unless whether while when although though nor yet then plus');
const adverbs = listOf(
  `not now never always usually often sometimes still also too just only already again instead anymore currently presently actually really
  very quite rather almost about soon today tonight tomorrow yesterday finally officially recently lately once twice here there everywhere
  anyway maybe perhaps probably possibly hopefully apparently basically definitely certainly exactly together away back please ok okay yes no
  nope yeah yep well oh ah hey hi hello thanks sorry btw fyi lol haha how when where why noted understood roger affirmative wow aw aww ugh yay haha hmm um uh ahh ooh whoa anyways dear mostly so then else even ever longer more most less least much many few new old
  same other last next good great fine nice sure permanently temporarily normally generally mostly mainly`,
);
const numbersInWords = listOf(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
  thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter dozen`,
);

/** Verbs that are common in talk; regular forms are worked out, others stand behind a slash. */
const verbs = `accept add address adopt agree allow answer appoint approve arrive ask assign attend back/ ban become/became
  begin/began/begun belong bill block book borrow bounce break/broke/broken bring/brought build/built buy/bought call
  cancel carry catch/caught celebrate change charge chat check choose/chose/chosen clean climb close coach collect
  come/came commute complete confirm connect contact continue convert cook cost count cover create cut cycle dance
  decide delay delete deliver deny depart deploy die disable discontinue discuss ditch drink/drank/drunk
  drive/drove/driven drop drop dump earn eat/ate/eaten employ enable end enjoy enter expect expire extend face
  fall/fell/fallen feed/fed feel/felt file fill find/found finish fire fix fly/flew/flown follow forbid
  forget/forgot/forgotten freeze/froze/frozen gain give/gave/given go/went/gone grow/grew/grown handle happen hate head
  hear/heard help hire hold/held host increase inherit insist install introduce invite invoice join keep/kept kill
  know/knew/known land last launch lead/led learn/learnt leave/left lend/lent let lie/lay/lain like limit listen live
  lock look lose/lost love lower maintain make/made manage marry mean/meant measure meet/met merge migrate miss move
  need note offer open operate order organise organize oversee/oversaw/overseen own pack paint park pass pause pay/paid
  permit phone pick ping plan play port postpone prefer prepare prescribe print produce promote pull push put quit raise
  reach read rebuild/rebuilt receive recommend reduce refuse regain register reject release relocate rely remain
  remember remove rename renew rent repair repeat replace reply report require reschedule reserve resign resume retain
  retire return review ride/rode/ridden ring/rang/rung rise/rose/risen roll rotate run/ran say/said schedule
  see/saw/seen seem sell/sold send/sent serve set share shift ship shoot/shot show/showed/shown shrink/shrank shut sign
  sit/sat skip sleep/slept slip smoke spend/spent split stand/stood start stay steal/stole/stolen stick/stuck stop store
  study stuff submit support suppose swap swear swim/swam switch take/took/taken talk teach/taught tell/told test
  think/thought throw/threw/thrown track train transfer travel treat try turn understand/understood unsubscribe upgrade
  use visit wait wake/woke/woken walk want watch wear/wore/worn weigh win/won wish work worry write/wrote/written`;

function formsOf(entry: string): string[] {
  const [base = '', ...others] = entry.split('/').filter((form) => form !== '');
  const root = /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}i` : base;
  const isSibilant = /(?:s|x|z|ch|sh|o)$/.test(base);
  const doubled = /^[^aeiou]*[aeiou][bdglmnprt]$/.test(base) ? base + base.at(-1) : base.replace(/e$/, '');
  const third = root === base ? base + (isSibilant ? 'es' : 's') : `${root}es`;
  const past = base.endsWith('e') ? `${base}d` : root === base ? `${doubled}ed` : `${root}ed`;
  return [base, third, past, `${doubled}ing`, ...others];
}
const verbForms: ReadonlySet<string> = new Set(
  verbs.split(/\s+/).flatMap(formsOf).concat('cancelled travelled dropping'.split(' ')),
);
/** Past participles and pasts that no rule gives, with what they are forms of: "held" and "hold" are one topic. */
const irregular: ReadonlyMap<string, string> = new Map(
  verbs.split(/\s+/).flatMap((entry) => {
    const [base = '', ...others] = entry.split('/').filter((form) => form !== '');
    return others.map((form) => [form, base] as const);
  }),
);

const token = /[\p{Alpha}\d_]+(?:(?:[-./:@\\&]{1,2}|,(?=\d{3}))[\p{Alpha}\d_]+)*/gu;

/** Gives the stem by which two words of texts meet. */
export function stemOf(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  const base = irregular.get(folded) ?? folded;
  return /^[a-z]{3,}$/.test(base) ? stemmer(base) : base;
}

/** Tells whether two stems are forms of one word: "exam" and "examin", "physio" and "physiotherapist". */
export function areKin(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < 4 || !long.startsWith(short)) return false;
  return short.length >= 6 || /^(?:(?:e?r|or|ist|in|ation|al|ment|s|e|y|i|ing)$|-)/.test(long.slice(short.length));
}

const adjectives = listOf(
  `able glad happy sad awesome amazing beautiful wonderful lovely ready sorry important hard easy tough difficult big small little large huge tiny long short high low
  young early late best better worse worst free full empty open closed busy tired sick ill healthy interesting exciting excited proud thankful grateful rewarding
  inspiring inspired fun funny cool crazy weird strange different similar special cute pretty hot cold warm nice super true right wrong real only main
  possible impossible available necessary useful helpful strong weak rich poor quick slow loud quiet safe dangerous cheap expensive okay alright allergic intolerant double tired`,
);

function kindOf(
  lower: string,
  text: string,
  isFirst: boolean,
  [earlier, last]: readonly [Word | undefined, Word | undefined],
  isNext: boolean,
): WordKind {
  const before = last?.kind;
  const isAfterTo = last?.text.toLowerCase() === 'to';
  const isOwned = last?.isOwner === true;
  if (/^\d/.test(text) || numbersInWords.has(lower)) return 'number';
  if (determiners.has(lower)) return 'determiner';
  if (pronouns.has(lower)) return 'pronoun';
  if (auxiliaries.has(lower)) return 'auxiliary';
  // "The early shift".
  const isDescribed = last !== undefined && earlier?.kind === 'determiner' && adjectives.has(last.text.toLowerCase());
  // "Elias has swimming on Wednesdays."
  const isHad = /ing$/.test(lower) && last !== undefined && /^(?:has|have|had|got)$/i.test(last.text);
  const isNounPlace =
    isOwned || isDescribed || isHad || before === 'determiner' || (before === 'preposition' && !isAfterTo);
  if (conjunctions.has(lower)) return 'conjunction';
  if (lower === 'like' && (before === 'pronoun' || before === 'auxiliary' || before === 'name' || before === 'adverb'))
    return 'verb';
  if (prepositions.has(lower)) return 'preposition';
  if (adverbs.has(lower) || adjectives.has(lower)) return 'adverb';
  if (/\p{Upper}/u.test(text) && !isFirst) return 'name';
  if (verbForms.has(lower) && !isNounPlace) return 'verb';
  if (/[\p{Lower}\d]\p{Upper}|^\p{Upper}{2,}/u.test(text)) return 'name';
  // "We log in": what follows a person who acts is what they do.
  if (last !== undefined && isNext && /^(?:i|we|they|he|she)$/i.test(last.text) && /^\p{Lower}+$/u.test(text))
    return 'verb';
  // "We're doing Grandpa's lunch", but "we, being late".
  if (/^\p{Lower}{2,}ing$/u.test(text) && last !== undefined && /^(?:i|we|they|you|he|she)$/i.test(last.text))
    return 'verb';
  if (/^\p{Lower}{3,}ed$/u.test(text) && !isNounPlace) return 'verb';
  if (/ly$/.test(lower) && lower.length > 5 && !/\p{Upper}/u.test(text)) return 'adverb';
  return 'noun';
}

/** Days and months are times, whatever their capitals. */
const calendar =
  /^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i;

/** Lists the words of a clause, in order. The first one has a capital anyway, so it is a name only where it looks like one inside. */
export function wordsOf(clause: string): Word[] {
  const words: Word[] = [];
  const source = clause.replaceAll('’', "'");
  for (const match of source.matchAll(token)) {
    const [text] = match;
    const start = match.index;
    if (/^(?:s|re|ve|ll|d|m|t)$/i.test(text) && source[start - 1] === "'") continue;
    const tail = /^'(?:s\b)?/i.exec(source.slice(start + text.length))?.[0] ?? '';
    const isContraction = /^'(?:m|re|ve|ll|d|t)\b/i.test(source.slice(start + text.length));
    const lower = text
      .toLowerCase()
      .replace(/n$/, isContraction && /^'t/i.test(source.slice(start + text.length)) ? 'nt' : 'n');
    const isFirst = words.length === 0 || /[:;"“(]\s*$/.test(source.slice(Math.max(0, start - 3), start));
    const kind =
      calendar.test(text) &&
      (lower !== 'may' || text === 'May') &&
      lower !== 'march' &&
      lower !== 'sat' &&
      lower !== 'sun'
        ? 'noun'
        : kindOf(lower, text, isFirst, [words.at(-2), words.at(-1)], start === (words.at(-1)?.end ?? -2) + 1);
    words.push({
      text,
      stem: stemOf(text),
      kind,
      isOwner: owners.has(lower) || (tail !== '' && !isContraction && kind !== 'pronoun' && /^'s?$/.test(tail)),
      isAfterMark: /[,;:()"“”–—]\s*$/.test(source.slice(words.at(-1)?.end ?? 0, start)),
      start,
      end: start + text.length,
    });
  }
  return withVerb(
    asNouns(afterModals(words)).map((word, at) =>
      word.kind === 'verb' && isSubjectNoun(words, at) ? { ...word, kind: 'noun' } : word,
    ),
  );
}

/** Without "n't", as in {@link Word.text}. */
const modals = listOf(
  'will would can could may might must shall should cannot won wouldn couldn mightn mustn shan shouldn don doesn didn',
);

/** The index of the word before a place, adverbs between passed over; -1 where none is. */
function indexBefore(words: readonly Word[], at: number): number {
  let before = at - 1;
  while (words[before]?.kind === 'adverb') before -= 1;
  return before;
}

/** "I will not mow the verge": what follows such a word is a verb, known or not. */
function afterModals(words: readonly Word[]): Word[] {
  return words.map((word, at) => {
    if (word.kind !== 'noun' || word.isAfterMark || !/^\p{Lower}{2,}$/u.test(word.text)) return word;
    const last = words[indexBefore(words, at)];
    return last?.kind === 'auxiliary' && modals.has(last.text.toLowerCase()) ? { ...word, kind: 'verb' } : word;
  });
}

/** "The choir rehearses on Tuesdays": where no verb is known, the word between a subject and what follows a verb is one. */
function withVerb(words: readonly Word[]): Word[] {
  const isVerb = ({ kind }: Word): boolean => kind === 'verb' || kind === 'auxiliary';
  if (words.some(isVerb)) return [...words];
  const verbAt = words.findIndex(({ kind, text, isOwner, isAfterMark }, at) => {
    const next = words[at + 1];
    const before = indexBefore(words, at);
    const subject = words[before];
    return (
      kind === 'noun' &&
      /^\p{Lower}{3,}$/u.test(text) &&
      !isOwner &&
      !isAfterMark &&
      subject !== undefined &&
      !subject.isOwner &&
      (subject.kind === 'name' || (subject.kind === 'noun' && words[before - 1]?.kind === 'determiner')) &&
      /[^s]s$/.test(text) !== /[^s]s$/.test(subject.text) &&
      next !== undefined &&
      !next.isAfterMark &&
      (/^(?:determiner|preposition|number|pronoun)$/.test(next.kind) || isCalendarWord(next.text))
    );
  });
  return words.map((word, at) => (at === verbAt ? { ...word, kind: 'verb' } : word));
}

/**
 * Makes nouns of the words before the first auxiliary, which are what the clause is about: "support tickets are", "driving test got". An
 * adjective without a noun is one, too: "in the safe".
 */
function asNouns(words: Word[]): Word[] {
  const verbAt = words.findIndex(
    ({ kind, text }, at) =>
      kind === 'auxiliary' || (at > 1 && kind === 'verb' && (irregular.has(text) || text.endsWith('ed'))),
  );
  const isRun =
    verbAt > 1 &&
    verbAt < 4 &&
    words.slice(0, verbAt).every(({ kind, isAfterMark }) => /^(?:verb|noun|name)$/.test(kind) && !isAfterMark);
  return words.map((word, at) => {
    const [before, next] = [words[at - 1], words[at + 1]];
    const isLone =
      adjectives.has(word.text) &&
      before?.kind === 'determiner' &&
      (next === undefined || next.isAfterMark || /^(?:preposition|auxiliary|conjunction)$/.test(next.kind));
    const isOfWhat = at === 0 && next?.text === 'of';
    return (word.kind === 'verb' && ((isRun && at < verbAt) || isOfWhat)) || isLone ? { ...word, kind: 'noun' } : word;
  });
}

/** "Rent is 940", "Coach wants", "the board review is": a word that could be a verb is a noun where the verb follows. */
function isSubjectNoun(words: readonly Word[], at: number): boolean {
  const [before, next] = [words[at - 1], words[at + 1]];
  // "The weekly report goes": two verbs never follow each other so.
  if (
    next?.kind === 'verb' &&
    !next.isAfterMark &&
    /[^s]s$/.test(next.text) &&
    /^\p{Lower}*[^s\P{Alpha}]$/u.test(words[at]!.text) &&
    (before?.kind === 'noun' || (before?.kind === 'adverb' && words[at - 2]?.kind === 'determiner'))
  )
    return true;
  if (
    before?.kind === 'noun' &&
    !/s$/.test(before.text) &&
    isDetermined(words, at) &&
    !irregular.has(words[at]!.text.toLowerCase()) &&
    !/^(?:go|come|live|sit|stand|meet|happen)$/i.test(words[at]!.text) &&
    !/(?:s|ed|ing)$/.test(words[at]!.text)
  )
    return true;
  if (next === undefined || (before !== undefined && before.kind !== 'noun' && before.kind !== 'conjunction'))
    return false;
  if (next.kind === 'auxiliary') return !/^(?:been|being|do|did|get)$/i.test(next.text);
  return (
    next.kind === 'verb' &&
    before === undefined &&
    /(?:s|ed)$|^(?:went|got|told|said|put|cut|took|gave|made|let|sent|found)$/i.test(next.text)
  );
}

/** Whether a determiner opens the run of nouns that a word ends. */
function isDetermined(words: readonly Word[], at: number): boolean {
  let first = at - 1;
  while (
    first > 0 &&
    (words[first]!.kind === 'noun' || words[first]!.kind === 'adverb' || words[first]!.kind === 'verb')
  )
    first -= 1;
  return first < at - 1 && words[first]!.kind === 'determiner';
}

/** Tells whether a word is a day of the week or a month. */
export function isCalendarWord(text: string): boolean {
  return calendar.test(text);
}
