// Whether two sentences say the same, read both ways: the same names, numbers, order, polarity, scope and time. Vectors do not see these. What
// cannot be shown to be the same is different here, however alike it sounds.

import { oncePerValue } from '../base/once-per.ts';
import { type Value, valuesOf } from './reading/values.ts';

/** How two sentences are one: both say the same, or one says all of the other and more. */
export type Sameness = 'same' | 'first says more' | 'second says more';

/** Longer texts say more than one thing. */
const maxLength = 400;
const maxTokens = 60;

/** Openings that say nothing of what follows. */
const filler =
  /^(?:(?:please |also |just |so |but |well |and )?(?:note|remember|keep in mind|bear in mind|be aware|mind)(?: that\b|[,:])|(?:just )?(?:so you know|for your information|for the record|fyi|as a (?:quick )?(?:reminder|note)|by the way|btw|heads[- ]up|as you know|as discussed|as mentioned)\b[,:]?|(?:just )?(?:an?|one) (?:\p{Alpha}+ )?(?:reminder|note|heads[- ]up)[,:](?: that)?|(?:i )?(?:just )?(?:wanted|want) (?:you to know|to (?:let you know|mention|say|note|add|remind you)) that|it (?:is|'s) worth (?:noting|knowing|mentioning) that|(?:just )?to (?:let you know|remind you|be clear)[,:]?(?: that)?)\s+/iu;

const contractions: readonly (readonly [RegExp, string])[] = [
  [/\bcan['’]?t\b/gi, 'can not'],
  [/\bcannot\b/gi, 'can not'],
  [/\bwon['’]t\b/gi, 'will not'],
  [/n['’]t\b/gi, ' not'],
  [/['’]re\b/gi, ' are'],
  [/['’]ve\b/gi, ' have'],
  [/['’]ll\b/gi, ' will'],
  [/['’]m\b/gi, ' am'],
  [/\b(it|he|she|that|there|what|who|this|here)['’]s\b/gi, '$1 is'],
];

/** Words and groups that mean the same in any sentence; each class is named by its first. */
const synonyms: readonly (readonly string[])[] = [
  ['must', 'has to', 'have to'],
  ['need to', 'needs to'],
  ['delete', 'remove', 'erase'],
  ['deletes', 'removes', 'erases'],
  ['deleted', 'removed', 'erased'],
  ['choose', 'pick', 'select'],
  ['chooses', 'picks', 'selects'],
  ['chose', 'picked', 'selected', 'chosen'],
  ['start', 'begin'],
  ['starts', 'begins'],
  ['started', 'began', 'begun'],
  ['end', 'finish'],
  ['ends', 'finishes'],
  ['ended', 'finished'],
  ['buy', 'purchase'],
  ['buys', 'purchases'],
  ['bought', 'purchased'],
  ['rise', 'go up', 'increase'],
  ['rises', 'goes up', 'increases'],
  ['rose', 'went up', 'increased'],
  ['fall', 'go down', 'decrease', 'drop'],
  ['falls', 'goes down', 'decreases', 'drops'],
  ['fell', 'went down', 'decreased', 'dropped'],
  ['return', 'give back'],
  ['returns', 'gives back'],
  ['returned', 'gave back'],
  ['at most', 'no more than', 'up to'],
  ['at least', 'no less than', 'no fewer than'],
  ['about', 'around', 'approximately', 'roughly'],
  ['every', 'each'],
  ['permit', 'allow'],
  ['permits', 'allows'],
  ['permitted', 'allowed'],
  ['assist', 'help'],
  ['job', 'position'],
  ['is allergic to', 'has an allergy to', 'has got an allergy to'],
  ['am allergic to', 'have an allergy to'],
  ['because', 'since as'],
  ['no longer', 'not any more', 'not anymore'],
];
const synonymForms: readonly (readonly [RegExp, string])[] = synonyms.flatMap(([name, ...others]) =>
  others
    .sort((one, other) => other.length - one.length)
    .map((form) => [new RegExp(`(?<![\\p{Alpha}'])${form}(?![\\p{Alpha}'])`, 'giu'), name!] as const),
);

/** Past forms and participles that no ending shows. */
const irregular: Readonly<Record<string, readonly [past: string, participle: string]>> = Object.fromEntries(
  `be was been|begin began begun|bring brought brought|build built built|buy bought bought|catch caught caught|choose chose chosen|cut cut cut|do did done|draw drew drawn|drive drove driven|eat ate eaten|feed fed fed|find found found|forbid forbade forbidden|get got got|give gave given|grow grew grown|hear heard heard|hold held held|keep kept kept|know knew known|lead led led|leave left left|lend lent lent|lose lost lost|make made made|meet met met|pay paid paid|put put put|read read read|run ran run|say said said|see saw seen|sell sold sold|send sent sent|set set set|shut shut shut|sing sang sung|speak spoke spoken|spend spent spent|steal stole stolen|take took taken|teach taught taught|tell told told|throw threw thrown|understand understood understood|wear wore worn|win won won|write wrote written`
    .split('|')
    .map((line) => line.split(' '))
    .map(([base, past, participle]) => [base!, [past!, participle!] as const]),
);

/** Past forms that are nothing else. */
const pasts = new Set(Object.entries(irregular).flatMap(([base, [past]]) => (past === base ? [] : [past])));

const bePresent = new Set(['is', 'are', 'am']);
const bePast = new Set(['was', 'were']);
const dropped = new Set(['the', 'a', 'an', 'please']);
/** Words that open a part of a sentence that may stand first or last. */
const opensPart =
  /^(?:in|on|at|before|after|since|until|till|during|for|from|by|with|within|without|under|over|between|through|throughout|every|once|twice|when|while|if|unless|because|as|weekday:.*|date:.*|time:.*|frequency:.*|today|tomorrow|yesterday|usually|normally|always|often|sometimes|currently|now)$/;
/** What narrows or turns what it is added to: such a longer sentence does not say the shorter one. */
const restricts =
  /^(?:only|except|unless|if|but|not|never|no|nor|without|until|till|when|whenever|while|where|although|though|however|instead|rather|than|or|once|before|after|almost|nearly|hardly|any|anymore|longer|unlike|apart|excluding|provided|maybe|perhaps|possibly|allegedly|sometimes|rarely|was|were|had|used|would|could|might|may|should)$/;

interface Read {
  readonly tokens: readonly string[];
  readonly isPast: boolean;
}

const currencies: readonly (readonly [RegExp, string])[] = [
  [/€|\beur/i, 'eur'],
  [/\$|\b(?:usd|dollar|buck)/i, 'usd'],
  [/£|\b(?:gbp|pound|quid)/i, 'gbp'],
  [/¥|\b(?:yen|jpy)/i, 'jpy'],
];

/** A value as one token: what it amounts to, whatever it is written like. */
function tokenOf({ type, key, unit, start, end }: Value, text: string): string {
  const written = text.slice(start, end).toLowerCase();
  const money = currencies.find(([form]) => form.test(written))?.[1] ?? written.replace(/[\d.,\s]/g, '');
  const of = type === 'money' ? money : unit;
  // 2.1 and 2.10 are two versions, and one number.
  if (type === 'number' && written.includes('.')) return `number:${written}`;
  return `${type}:${key}${of === '' ? '' : `:${of}`}`;
}

function read(text: string): Read {
  let words = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!;]+$/, '');
  for (let before = ''; before !== words; ) {
    before = words;
    words = words.replace(filler, '');
  }
  for (const [form, whole] of contractions) words = words.replace(form, whole);
  const parts: string[] = [];
  let at = 0;
  for (const value of [...valuesOf(words)].sort((one, other) => one.start - other.start)) {
    if (value.start < at) continue;
    parts.push(words.slice(at, value.start), ` ${tokenOf(value, words).replaceAll(' ', '_')} `);
    at = value.end;
  }
  parts.push(words.slice(at));
  // A value stands as it is; only what is between them is words.
  const plain = parts.map((part, index) => (index % 2 === 1 ? part : wordsIn(part))).join(' ');
  const tokens = ownersLast(plain.split(/\s+/).filter((token) => token !== '' && !dropped.has(token)));
  return { tokens, isPast: tokens.some((token, index) => isPastVerb(token, tokens[index - 1], tokens[index - 2])) };
}

function wordsIn(part: string): string {
  let words = part.toLowerCase();
  for (const [form, name] of synonymForms) words = words.replace(form, name);
  return words
    .replace(/[^\p{Alpha}\d'’@/+#%&.-]+/gu, ' ')
    .replace(/(?<![\p{Alpha}\d])[.-]+|[.-]+(?![\p{Alpha}\d])/gu, ' ');
}

/** "Nele's manager" as "manager of nele", so that both ways of owning are one. */
function ownersLast(tokens: readonly string[]): string[] {
  const made: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const owner = /^(.+)['’]s?$/.exec(tokens[at]!)?.[1];
    if (owner === undefined) {
      made.push(tokens[at]!.replace(/['’]/g, ''));
      continue;
    }
    let end = at + 1;
    while (end < tokens.length && end <= at + 3 && !endsOwned.test(tokens[end]!)) end += 1;
    made.push(...tokens.slice(at + 1, end), 'of', owner);
    at = end - 1;
  }
  return made;
}
const endsOwned =
  /^(?:is|are|was|were|be|been|has|have|had|does|do|did|not|must|can|will|may|should|and|or|of|in|on|at|by|for|from|to|with|.*:.*|.*s)$/;

const isPastVerb = (token: string, before = '', earlier = ''): boolean => {
  if (bePast.has(token) || token === 'had' || token === 'did') return true;
  const isCompound = [before, earlier].some((word) =>
    /^(?:is|are|am|be|been|being|has|have|was|were|had|get|gets)$/.test(word),
  );
  return !isCompound && (pasts.has(token) || (token.endsWith('ed') && token.length > 4));
};

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((token, at) => token === other[at]);

/** All orders of a sentence in which one part stands first instead of last. */
function rotations(tokens: readonly string[]): (readonly string[])[] {
  const found: (readonly string[])[] = [tokens];
  for (let at = 1; at < tokens.length; at++) {
    const [head, tail] = [tokens.slice(0, at), tokens.slice(at)];
    if (opensPart.test(head[0]!) || opensPart.test(tail[0]!)) found.push([...tail, ...head]);
  }
  return found;
}

const baseOf = (participle: string): readonly string[] => {
  const bases = Object.entries(irregular).flatMap(([base, [, third]]) => (third === participle ? [base] : []));
  if (!participle.endsWith('ed')) return bases;
  const stem = participle.slice(0, -2);
  return [
    ...bases,
    stem,
    `${stem}e`,
    ...(stem.endsWith('i') ? [`${stem.slice(0, -1)}y`] : []),
    ...(/(.)\1$/.test(stem) ? [stem.slice(0, -1)] : []),
  ];
};

/** Tells whether a verb says in the active voice what a participle says in the passive. */
function isActiveOf(verb: string, participle: string, isPast: boolean): boolean {
  return baseOf(participle).some((base) => {
    if (isPast) return verb === (irregular[base]?.[0] ?? participle);
    return [base, `${base}s`, `${base}es`, base.replace(/y$/, 'ies')].includes(verb);
  });
}

/** "Files are rejected by the parser" says what "the parser rejects files" says. */
function isPassiveOf(passive: readonly string[], active: readonly string[]): boolean {
  const be = passive.findIndex((token) => bePresent.has(token) || bePast.has(token));
  const by = passive.indexOf('by', be + 2);
  if (be < 1 || by < 0 || passive[by + 1] === undefined || passive[by + 1]!.includes(':')) return false;
  const [subject, participle, between, behind] = [
    passive.slice(0, be),
    passive[be + 1]!,
    passive.slice(be + 2, by),
    passive.slice(by + 1),
  ];
  const isPast = bePast.has(passive[be]!);
  for (let length = 1; length <= behind.length; length++) {
    const [agent, rest] = [behind.slice(0, length), behind.slice(length)];
    if (!areEqual(active.slice(0, length), agent)) continue;
    if (!isActiveOf(active[length] ?? '', participle, isPast)) continue;
    const object = active.slice(length + 1);
    if (
      [
        [...subject, ...between, ...rest],
        [...subject, ...rest, ...between],
      ].some((one) => areEqual(one, object))
    )
      return true;
  }
  return false;
}

/** Whether the longer one says the shorter one, and something that takes nothing back from it. */
function saysMore(longer: readonly string[], shorter: readonly string[]): boolean {
  if (shorter.length < 3 || longer.length <= shorter.length) return false;
  if (!areEqual(longer.slice(0, shorter.length), shorter)) return false;
  return !longer.slice(shorter.length).some((token) => restricts.test(token));
}

/**
 * Tells whether two sentences say the same, or one of them all of the other and more; null for anything else.
 *
 * They may differ in an opening that says nothing, a contraction, the place of the owner, and in active or passive voice. A number, a time or
 * an amount may have another form, and another part of the sentence may come first. A few words of one meaning count as the same. Everything
 * else has to be the same, word by word. English; of other languages only forms of numbers and order count.
 */
export function sameness(first: string, second: string, readOf = read): Sameness | null {
  if (first.length > maxLength || second.length > maxLength) return null;
  const [one, other] = [readOf(first), readOf(second)];
  if (one.tokens.length === 0 || other.tokens.length === 0) return null;
  if (one.tokens.length > maxTokens || other.tokens.length > maxTokens) return null;
  const turned = rotations(one.tokens);
  if (turned.some((tokens) => areEqual(tokens, other.tokens))) return 'same';
  if (one.isPast === other.isPast) {
    const others = rotations(other.tokens);
    const isVoice = turned.some((mine) =>
      others.some((theirs) => isPassiveOf(mine, theirs) || isPassiveOf(theirs, mine)),
    );
    if (isVoice) return 'same';
  }
  if (turned.some((tokens) => saysMore(tokens, other.tokens))) return 'first says more';
  return rotations(other.tokens).some((tokens) => saysMore(tokens, one.tokens)) ? 'second says more' : null;
}

/** Makes what compares as {@link sameness} does, and reads each sentence once: for whoever compares one with many. */
export function samenessReader(): (first: string, second: string) => Sameness | null {
  const readOf = oncePerValue(read);
  return (first, second) => sameness(first, second, readOf);
}

/** Gives the sentence that says most of several that say the same: the fullest, then the shortest wording; null where two do not. */
export function fullest(sentences: readonly string[]): string | null {
  let best: string | undefined;
  for (const sentence of sentences) {
    if (best === undefined) {
      best = sentence;
      continue;
    }
    const relation = sameness(best, sentence);
    if (relation === null) return null;
    if (relation === 'second says more' || (relation === 'same' && sentence.length < best.length)) best = sentence;
  }
  if (best === undefined || sentences.some((sentence) => sentence !== best && sameness(best, sentence) === null))
    return null;
  return best;
}
