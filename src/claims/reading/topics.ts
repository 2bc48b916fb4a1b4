// What the words of a clause name, and who or what the clause is about.

import { isCalendarWord, type Word } from './words.ts';

/** Something that a clause names: a head, and what narrows it down ("staging" of "staging server", "Anna" of "Anna's car"). */
export interface Topic {
  readonly stem: string;
  /** As written, for names and values. */
  readonly text: string;
  readonly isName: boolean;
  /** A name, or a bare word with a capital where a sentence begins, which may be one. */
  readonly mayBeName: boolean;
  readonly narrowed: readonly string[];
  /** Whether "of" narrows it: "the port of staging" is not called "the port" later. */
  readonly isOf: boolean;
  /** `subject`, `object`, or the preposition before it. */
  readonly role: string;
  readonly start: number;
  readonly end: number;
}

/** The person or thing that a clause is about. */
export interface Subject {
  readonly who: 'self' | 'group' | 'you' | 'pronoun' | 'thing' | 'none';
  readonly topic?: Topic;
}

/** Nouns that narrow nothing down. */
const generic = new Set(
  `thing stuff day dai time week month year hour minut moment morn even afternoon night way wai lot bit kind sort one guy peopl person part case fact reason end begin rest whole news
  chang updat correct head mess move switch plan next last full everyth anyth someth regular usual same first second total am pm today tomorrow yesterday weekend spring summer autumn winter`.split(
    /\s+/,
  ),
);
/** Tells whether a topic says too little to tell what is spoken of. */
export function isGeneric({ stem, isName, text }: Topic): boolean {
  return !isName && (stem.length < 2 || (generic.has(stem) && !ofSomething.test(text)));
}
/** "Bin day", "quiz night": a day of something, and no time. */
const ofSomething =
  /^(?!(?:the|a|an|my|our|his|her|their|its|this|that|next|last|every|each|one|same|other|first|second|whole|half|some|any|all|mon|tues?|wednes|thurs?|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:day|uary|ruary|ch|il|e|y|ust|tember|ober|ember)?s? )\p{Lower}{3,} (?:day|night|evening)$/iu;

const whenever = /^(?:today|tonight|tomorrow|now|then)$/i;

/** Lists what a clause names. A run of nouns and names is one topic; what owns it or follows it with "of" narrows it down. */
export function topicsOf(words: readonly Word[], isTaken: (word: Word) => boolean): Topic[] {
  const topics: Topic[] = [];
  let run: Word[] = [];
  let narrowing: string[] = [];
  let role = 'subject';
  let hasVerb = false;
  let isOf = false;
  let isDetermined = false;
  let wasValue = false;
  let isCounted = false;
  const isVerbAhead = words.some(({ kind }) => kind === 'verb' || kind === 'auxiliary');
  const flush = (): void => {
    const head = run.at(-1);
    if (head !== undefined) {
      const narrowed = [...narrowing, ...run.slice(0, -1).map(({ stem }) => stem)];
      // "The shop in Weavers' Row": the weavers belong to the row.
      const ofAt = topics.findLastIndex(({ role: other, stem }) => other !== 'owner' || !narrowing.includes(stem));
      const of = topics[ofAt];
      // "The port of staging"; "the library in Altona opens": what follows a subject and stands before its verb is a part of it.
      const isPart = !hasVerb && isVerbAhead && /^(?:in|at|to|for|from|near|by)$/.test(role) && of?.role === 'subject';
      if ((isOf || isPart) && of !== undefined)
        topics[ofAt] = { ...of, isOf: of.isOf || isOf, narrowed: [...of.narrowed, head.stem] };
      topics.push({
        stem: head.stem,
        text: run.map(({ text }) => text).join(' '),
        isName: head.kind === 'name',
        mayBeName:
          head.kind === 'name' || (narrowing.length === 0 && !isDetermined && /^\p{Upper}/u.test(run[0]!.text)),
        narrowed,
        isOf: false,
        role,
        start: run[0]!.start,
        end: head.end,
      });
    }
    run = [];
    narrowing = [];
    isDetermined = false;
  };
  for (const word of words) {
    const isValue = isTaken(word);
    isCounted = wasValue;
    wasValue = isValue;
    if (isValue || isCalendarWord(word.text)) {
      flush();
      // "On Friday the yoga class": what follows a time is not what the preposition meant.
      if (!hasVerb) role = 'subject';
      else if (role !== 'object') role = 'object';
      continue;
    }
    switch (word.kind) {
      case 'name':
      case 'noun': {
        if (word.isAfterMark) flush();
        const last = run.at(-1);
        // A name after a common noun begins anew, unless they are one name ("Café Morgenrot").
        if (last?.isOwner) {
          narrowing.push(...run.map(({ stem }) => stem));
          const owners = run;
          run = [];
          topics.push({
            stem: owners.at(-1)!.stem,
            text: owners.map(({ text }) => text).join(' '),
            isName: owners.at(-1)!.kind === 'name',
            mayBeName: /^\p{Upper}/u.test(owners[0]!.text),
            // "The kiosk app's branch" is not of the driver app.
            narrowed: owners.slice(0, -1).flatMap(({ kind, stem }) => (kind === 'noun' ? [stem] : [])),
            isOf: false,
            role: 'owner',
            start: owners[0]!.start,
            end: owners.at(-1)!.end,
          });
        }
        run.push(word);
        break;
      }
      case 'determiner':
        flush();
        isDetermined = true;
        if (/^(?:my|our)$/i.test(word.text)) narrowing = ['self'];
        else if (/^(?:his|her|its|their|your)$/i.test(word.text)) narrowing = ['other'];
        break;
      case 'preposition':
        flush();
        // "As of this week".
        isOf = word.text.toLowerCase() === 'of' && role !== 'as';
        role = word.text.toLowerCase();
        // "140 grams of kibble": the kibble.
        if (isOf && hasVerb && isCounted) {
          isOf = false;
          role = 'object';
        }
        break;
      case 'verb':
      case 'auxiliary':
        flush();
        hasVerb = true;
        isOf = false;
        role = 'object';
        break;
      case 'conjunction':
        flush();
        break;
      case 'adverb':
      case 'number':
        if (run.length > 0) flush();
        // "From today my brother picks them up".
        if (!hasVerb && /^(?:from|since|as|until|by)$/.test(role) && whenever.test(word.text)) role = 'subject';
        break;
      default:
        flush();
        if (hasVerb === false) role = 'object';
        isOf = false;
    }
  }
  flush();
  return topics;
}

/** Finds what a clause is about: whatever stands before its verb. */
export function subjectOf(words: readonly Word[], topics: readonly Topic[]): Subject {
  const verbAt = words.find(({ kind }) => kind === 'verb' || kind === 'auxiliary')?.start ?? Infinity;
  for (const word of words) {
    if (word.start > verbAt) break;
    if (word.kind === 'pronoun') {
      const lower = word.text.toLowerCase();
      if (/^(?:i|im|ive|id|ill)$/.test(lower)) return { who: 'self' };
      if (lower === 'we') return { who: 'group' };
      if (lower === 'you') return { who: 'you' };
      if (/^(?:he|she|it|they|who|there)$/.test(lower)) return { who: 'pronoun' };
    }
    const topic = topics.find(({ start, role }) => start === word.start && (role === 'subject' || role === 'owner'));
    if (topic !== undefined && topic.role !== 'owner' && !isGeneric(topic)) return { who: 'thing', topic };
  }
  // "Running Postgres 16 here": nobody is named.
  return { who: 'none' };
}

/** Lists what a clause is mainly about: its subject, and what is done to, where the subject is a speaker or something changes. */
export function mainOf(subject: Subject, topics: readonly Topic[], isChange: boolean): readonly Topic[] {
  const roles = /^(?:object|for|owner|unit)$/;
  const own =
    subject.topic === undefined
      ? []
      : topics.filter(({ start, role }) => start === subject.topic!.start || role === 'owner');
  const objects = topics.filter(({ role }) => roles.test(role));
  // "The airline moved our flight": the flight is what changes.
  if (own.length > 0) return isChange ? own.concat(objects.filter((topic) => !own.includes(topic))) : own;
  return objects.length > 0 ? objects : topics;
}
