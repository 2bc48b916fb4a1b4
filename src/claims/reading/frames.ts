// A sentence as clauses, and a clause as a frame. A frame says of whom or what the clause speaks, what else it names, which values it
// gives, and how it is meant. Whether one frame ends another is closing.ts's.

import { type Mention, mentionsIn, type NamedTool, toolsIn } from '../attributes.ts';
import { clausesOf, isVerbal } from './clauses.ts';
import { type Contrast, contrastsOf } from './contrast.ts';
import { type Cue, cuesOf } from './cues.ts';
import { withHolders } from './holders.ts';
import { type Mode, modeOf } from './modes.ts';
import { isGeneric, mainOf, type Subject, subjectOf, type Topic, topicsOf } from './topics.ts';
import { type Value, valuesOf } from './values.ts';
import { wordsOf } from './words.ts';

/** One clause, read. */
export interface Frame {
  readonly text: string;
  readonly mode: Mode;
  readonly subject: Subject;
  /** The clause before it that names its subject, where it names none itself. */
  readonly lead?: Frame;
  readonly topics: readonly Topic[];
  /** Stems of its verbs with a meaning of their own. */
  readonly verbs: readonly string[];
  readonly values: readonly Value[];
  readonly tools: readonly NamedTool[];
  readonly mentions: readonly Mention[];
  readonly cues: ReadonlySet<Cue>;
  /** What it names as no longer so, beside what it states. */
  readonly contrasts: readonly Contrast[];
  /** Stems of all its words that carry meaning, but for what it names as former. */
  readonly said: ReadonlySet<string>;
  /** What the other clauses of its sentence name. */
  readonly siblings: readonly Topic[];
  /** What it is about: its subject, or where that is a person who speaks, what is done to. */
  readonly main: readonly Topic[];
  /** What its sentence says of change, with its own cues. */
  readonly sentenceCues: ReadonlySet<Cue>;
  /** The beginnings of all that it names and does: two frames without a common one share no topic. */
  readonly keys: ReadonlySet<string>;
  /** Whether it states something: a call or a name alone does not. */
  readonly hasVerb: boolean;
  /** Whether its verb tells what happened, not how things are. */
  readonly isEvent: boolean;
}

/** Verbs of saying and asking, which tell no topic. */
const lightVerbs = new Set(
  `go get take make have do be come put set keep run use move switch chang start stop begin let turn tell said say know think see look want need give call pass end becom feel mean meet try seem add help ask work live
  remain stay show leav understand remember forget hear happen`.split(/\s+/),
);
const state =
  /^(?:was|were|had|did|been|got|went|came|saw|met|made|took|bought|found|ate|drank|told|said|left|sold|won|lost|had|gave|began|became|felt|thought|read|ran|wrote|drove|flew|rode|wore|chose|grew|knew|slept|spent|stood|swam|taught|threw|understood|woke|broke|built|caught|fell|held|kept|paid|sang|sent|shot|spoke|stole|stuck|gone|\p{Alpha}+ed)$/iu;
const present = /^(?:am|is|are|has|have|do|does|will|can|may|must|should|shall|'s|'re|'m)$/i;

const maxCached = 2000;
/** Sentences stand around each other, so that each is asked for some five times. */
const cache = new Map<string, readonly Frame[]>();

/** Reads a sentence clause by clause. */
export function framesOf(sentence: string): readonly Frame[] {
  const known = cache.get(sentence);
  if (known !== undefined) return known;
  if (cache.size >= maxCached) cache.clear();
  const frames = readFrames(sentence);
  cache.set(sentence, frames);
  return frames;
}

function readFrames(sentence: string): readonly Frame[] {
  // "Mum says the wifi is called Wrensong": who says it is not what it is about.
  const told = withHolders(sentence.replace(toldBy, '')).replace(meantBy, '$<what> ');
  const bare = told
    .replace(asSaid, '')
    .replace(announced, '$1')
    .replace(because, '')
    .replace(nowThat, '')
    .replace(ofMany, '$1')
    .replace(cleft, '$<who> $<is> $<how> $<what>');
  const own = withLabel(
    [...clausesOf(bare), ...appositions(bare)].map((clause) => frameOf(clause, bare)),
    bare,
  );
  if (own.length < 2) return own;
  let lead: Frame | undefined;
  const frames = own.map((frame) => {
    if (frame.subject.who !== 'none') lead = frame;
    return lead === undefined || lead === frame || !frame.hasVerb || !continues.test(frame.text)
      ? frame
      : { ...frame, lead, subject: lent(lead.subject) };
  });
  const sentenceCues = new Set(frames.flatMap(({ cues }) => [...cues]));
  return frames.map((frame, at) => ({
    ...frame,
    sentenceCues,
    // "She takes the tram now, so I bring Elias to school": who she is was said before.
    siblings: frames.flatMap((other, place) =>
      other === frame || (frame.subject.who === 'pronoun' && place > at) ? [] : other.topics,
    ),
  }));
}

/** "As decided last week": when it was decided, and not since when it holds. */
const asSaid =
  /^as (?:decided|agreed|discussed|planned|promised|announced|mentioned|said)(?: (?:last|yesterday|earlier|on|in|at|this)(?: (?!the\b)\p{Alpha}+){0,2}?)?,? (?=(?:the|our|my|we|all|\p{Upper})\b)/iu;
/** "Mum says", "the breath test says", "don't forget": whoever says it is not what is spoken of. */
const toldBy =
  /(?:^|(?<=: |\b(?:no|nope|yes|ok|sorry),? ))(?:(?:page|section|line|chapter|paragraph|clause|slide) \d+ says(?: that)? |(?:\p{Upper}\p{Alpha}+|[Hh]e|[Ss]he|[Tt]hey|(?:[Tt]he|[Mm]y|[Oo]ur) (?:[\p{Lower}-]+ ){0,2}\p{Lower}+) (?:says?|said|wrote|shows?|showed|told me|tells me)(?: that)?,? |(?:[Dd]on['’]t forget|[Rr]emember|[Kk]eep in mind|[Nn]ote)(?: that)?,? (?=(?:I|we|my|our|the)\b))(?=\p{Alpha})/u;
/** "The caterer I was on about is called Rosewood": what is spoken of, without by whom. */
const meantBy =
  /\b(?<what>(?:[Tt]he|[Mm]y|[Oo]ur) (?:\p{Lower}+ )?\p{Lower}+) (?:that |which |who )?(?:I|we|he|she|they|you) (?:[\p{Lower}']+ ){1,4}(?=(?:is|are) )/u;
/** "The governors are pleased to announce that from August the head will be ...": what is announced. */
const announced =
  /(^|[:,"“] ?["“]?)[\p{Alpha}' ]{1,40} (?:am|is|are) (?:very |most )?(?:pleased|happy|proud|delighted|sorry|glad|sad) to (?:announce|say|inform (?:you|everyone)|tell you|let you know|report|share)(?: that)?,? (?=\p{Alpha})/iu;
/** "Owing to illness our concert has been postponed": why is no part of what. */
const because =
  /(?:^|(?<=[:,"“] ?["“]?))(?:owing to|due to|because of|thanks to|following|on account of) [^,;.]{3,60}?,? (?=(?:our|the|my|we|all)\b(?! (?:[\p{Alpha}-]+ ){0,2}(?:our|the|my|we) ))/iu;
/** "Now that it has a new battery, it shows the time": the first is no news. */
const nowThat = /^\W*now that [^,;]+?(?:, | (?=(?:it|he|she|they|we|i)\b))/i;
/** "Parents' evening", as many write it. */
const ofMany = /\b(\p{Alpha}{3,}s)['’](?= (?:evening|day|night|meeting|club)\b)/giu;
/** "What Juno is allergic to is sesame". */
const cleft =
  /\bwhat (?<who>(?:\p{Alpha}+ ){0,2}\p{Alpha}+) (?<is>is|are|am) (?<how>\p{Alpha}+ (?:to|of|for|with|on|in|at|from)) (?:is|are) (?<what>\p{Alpha})/u;
/** "Send it to my line manager, Theodora Kessel": who that is, as a clause. */
function appositions(sentence: string): string[] {
  const { list } = noted.exec(sentence)?.groups ?? {};
  if (list !== undefined && !isVerbal(list))
    return list.split(/, (?:and )?/).flatMap((one) => {
      const { what, value } = notedItem.exec(one)?.groups ?? {};
      return what === undefined || value === undefined ? [] : [`${what} is ${value}`];
    });
  return [...sentence.matchAll(apposition)].map(({ groups }) => `${groups!.role} is ${groups!.who}`);
}
/** "Storage place: unit 212, gate code 4471". */
const noted = /^[\p{Alpha}'’ -]{3,40}: (?<list>[^.!?]+, [^.!?]+?)[.!]?$/u;
const notedItem = /^(?<what>(?:the )?\p{Lower}+(?: \p{Lower}+)?):? (?<value>\d[\p{Alpha}\d:.,-]*)$/u;
const apposition =
  /\b(?<role>(?:[Mm]y|[Oo]ur) (?:\p{Lower}+ ){0,2}\p{Lower}+(?:er|or|ist|an|ess|lord|lady|head|wife|band|boss|nurse|coach|chief|vet|therapist)), (?<who>(?:(?:Dr|Mr|Mrs|Ms)\.? )?\p{Upper}[\p{Alpha}'-]+(?: \p{Upper}[\p{Alpha}'-]+)?)(?=[.,;]|$)/gu;

/** "Household insurance: we are with Alpkraft": the label is what the clause behind it is about. */
function withLabel(frames: readonly Frame[], sentence: string): readonly Frame[] {
  const [label, stated, ...more] = frames;
  if (label === undefined || stated === undefined || label.hasVerb || !labels.test(sentence)) return frames;
  const named = label.topics
    .filter(({ stem }) => !remarks.has(stem))
    .map((topic): Topic => ({ ...topic, role: 'object', start: 0, end: 0 }));
  if (named.length !== 1) return frames;
  const topics = [...stated.topics, ...named];
  return [label, { ...stated, topics, main: [...stated.main, ...named], keys: keysOf(topics, stated.verbs) }, ...more];
}
const labels =
  /^(?!(?:for|in|at|on|from|to|of|with|about|as|by)\b)[\p{Alpha}'’ -]{3,40}: (?=(?:we|i|it|he|she|they)\b)/iu;
const remarks = new Set([
  'decis',
  'correct',
  'statu',
  'updat',
  'note',
  'remind',
  'newslett',
  'messag',
  'mail',
  'letter',
  'question',
  'news',
  'fact',
  'hint',
  'tip',
]);

const continues = /^\W*(?:and|but|then|or|so)\b/i;
/** "Anna lives in Oslo and works as a nurse": Anna does both. The second clause has no place for the topic. */
function lent(subject: Subject): Subject {
  return subject.topic === undefined ? subject : { ...subject, topic: { ...subject.topic, start: 0, end: 0 } };
}

/** Kin begin alike, so that comparing beginnings loses none. */
const keyOf = (stem: string): string => stem.slice(0, 4);

/** Gives the beginnings of the stems of topics, of what narrows them, and of verbs. */
export function keysOf(topics: readonly Topic[], verbs: readonly string[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { stem, narrowed } of topics) {
    keys.add(keyOf(stem));
    for (const word of narrowed) keys.add(keyOf(word));
  }
  for (const verb of verbs) keys.add(keyOf(verb));
  return keys;
}

/** "Luis has his dentist appointment on Wednesday": it is about the appointment, too. */
const possesses = /^\W*(?:and |but )?\p{Upper}\p{Lower}+ (?:has|gets) (?:his|her|their) \p{Lower}/u;

const fromOn =
  /\b(?:from|as of|starting(?: with| on)?|since) (?:the )?[\p{Alpha}\d ]{1,24}? on(?:wards?)?(?=[ ,.])(?! (?:mon|tue|wed|thu|fri|sat|sun))/iu;

function frameOf(clause: string, sentence: string): Frame {
  // "From May on the Kita opens": that "on" leads to nothing.
  const words = wordsOf(clause.replace(fromOn, (text) => ' '.repeat(text.length)));
  const contrasts = contrastsOf(clause);
  const isFormer = ({ start }: { readonly start: number }): boolean =>
    contrasts.some((contrast) => contrast.start <= start && start < contrast.end);
  const values = valuesOf(clause).filter((value) => !isFormer(value));
  const topics = topicsOf(
    words,
    ({ start, kind }) =>
      kind === 'number' || isFormer({ start }) || values.some((value) => value.start <= start && start < value.end),
  );
  const units = values
    .filter(({ type, unit }) => type === 'amount' && /^(?!min\b|[kmg]hz|kwh|mbps)[a-z]{3,}/.test(unit))
    .map(
      (value): Topic => ({
        stem: value.unit.split(' ')[0]!,
        text: value.unit,
        isName: false,
        mayBeName: false,
        narrowed: [],
        isOf: false,
        role: 'unit',
        start: value.start,
        end: value.end,
      }),
    );
  const cues = new Set(cuesOf(clause));
  // "Postgres, not Redis" denies nothing of what it states.
  if (contrasts.length > 0) cues.delete('negated');
  const verbs = words.filter(({ kind, stem }) => kind === 'verb' && !lightVerbs.has(stem)).map(({ stem }) => stem);
  const finite = words.filter(({ kind }) => kind === 'verb' || kind === 'auxiliary');
  const first = finite[0];
  const isObtained =
    /\b(?:got|gets|booked|reserved|ordered|put|set|signed|hired|bought) (?:me|us|him|her|them|a|an|the)\b/i.test(
      clause,
    );
  const isEvent =
    first !== undefined &&
    !isObtained &&
    !present.test(first.text) &&
    state.test(first.text) &&
    !/['’](?:s|re|m|ve|ll) $/.test(clause.slice(0, first.start));
  // "Same pill, same time" names nothing new.
  const isSame = ({ start }: Topic): boolean => /\bsame $/i.test(clause.slice(Math.max(0, start - 6), start));
  const known = [...topics, ...units].filter((topic) => !isGeneric(topic) && !isFormer(topic) && !isSame(topic));
  const subject = subjectOf(words, topics);
  return {
    text: clause,
    mode: modeOf({ clause, sentence, isChange: cues.has('change') }),
    subject,
    topics: known,
    verbs,
    values,
    tools: toolsIn(clause).filter((tool) => !isFormer(tool)),
    mentions: mentionsIn(clause),
    cues,
    contrasts,
    said: new Set(words.filter((word) => !isFormer(word)).map(({ stem }) => stem)),
    siblings: [],
    main: [
      ...mainOf(subject, known, cues.has('change')),
      ...(possesses.test(clause) ? known.filter(({ role }) => role === 'object').slice(0, 1) : []),
    ],
    sentenceCues: cues,
    keys: keysOf(known, verbs),
    hasVerb: first !== undefined || isVerbal(clause),
    isEvent,
  };
}
