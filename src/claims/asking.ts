// What a question asks for: which kind of value, of what. Whether a statement gives it; where several do, which holds is closing.ts's.

import { attributes, toolsIn } from './attributes.ts';
import { type Frame, framesOf } from './reading/frames.ts';
import type { Topic } from './reading/topics.ts';
import type { ValueType } from './reading/values.ts';
import { areKin } from './reading/words.ts';
import type { Reading } from './reading.ts';

/** What a question asks for. */
export interface Asked {
  /** Types of values that answer it; empty where it asks for a name, a place or a yes. */
  readonly types: readonly ValueType[];
  /** Whether a name answers it: who, which, where, what … called. */
  readonly wantsName: boolean;
  readonly topics: readonly Topic[];
  readonly verbs: readonly string[];
  /** Names of the attributes that it speaks of: `residence` for "Where does she live?". */
  readonly attributes: ReadonlySet<string>;
}

const kinds: readonly (readonly [RegExp, readonly ValueType[]])[] = [
  [/\bwhat time\b|\bat what hour\b/, ['time']],
  [/\b(?:what|which) (?:day|date|days)\b|\bon (?:what|which)\b|\bby when\b|\bdue\b|\bdeadline\b/, ['date', 'weekday']],
  [/\bhow often\b/, ['frequency', 'weekday', 'amount']],
  [/\bwhen\b/, ['date', 'weekday', 'time', 'frequency']],
  [
    /\bhow much\b|\bwhat (?:does|do|did|will) [^?]{1,60} cost\b|\b(?:price|rent|fee|budget|salary)\b/,
    ['money', 'number', 'amount'],
  ],
  [
    /\bhow (?:many|long|big|far|old|high|tall|heavy|fast)\b|\b(?:limit|timeout|dose|size|version|port|desk|number of)\b/,
    ['amount', 'number', 'money'],
  ],
  [/\be-?mail\b/, ['email']],
  [/\b(?:phone|number)\b/, ['phone', 'number']],
  [/\b(?:host|url|repo|server|address|clone)\b/, ['address']],
];
const wantsName = /\b(?:who|whom|whose|where|which|what|name)\b/i;

/** Reads what a question asks for; quick, without a cost for texts that ask nothing. */
export function askedOf(question: string): Asked {
  const lower = question.toLowerCase();
  const found = kinds.find(([form]) => form.test(lower));
  const frames = framesOf(question);
  const spoken = frames.flatMap(({ mentions }) => mentions.map(({ attribute }) => attribute.name));
  const named = attributes.filter(({ name }) => lower.includes(name)).map(({ name }) => name);
  if (/\bwhere\b[^?]{0,40}\blive\b|\bwhere\b[^?]{0,30}\bbased\b/.test(lower)) named.push('residence');
  if (/\bwhere\b[^?]{0,40}\bwork\b|\b(?:company|employer)\b/.test(lower)) named.push('employer');
  if (/\bfor a living\b|\bjob title\b|\bposition\b/.test(lower)) named.push('job', 'employer');
  return {
    types: found?.[1] ?? [],
    wantsName: wantsName.test(question),
    topics: frames.flatMap(({ topics }) => topics),
    verbs: frames.flatMap(({ verbs }) => verbs),
    attributes: new Set([...spoken, ...named]),
  };
}

const speaks = (asked: Asked, { topics, verbs }: Frame): number =>
  asked.topics.filter(
    ({ stem }) =>
      topics.some((topic) => areKin(topic.stem, stem) || topic.narrowed.some((word) => areKin(word, stem))) ||
      verbs.some((verb) => areKin(verb, stem)),
  ).length +
  asked.verbs.filter(
    (verb) => verbs.some((other) => areKin(verb, other)) || topics.some(({ stem }) => areKin(verb, stem)),
  ).length;

/**
 * Tells how well a statement answers a question, from 0 for not at all to 1.
 *
 * It does where it states something about what was asked and gives a value of the kind that was asked for.
 */
export function answersTo(asked: Asked, reading: Reading): number {
  const wanted = Math.max(1, asked.topics.length + asked.verbs.length);
  let best = 0;
  for (const frame of reading.frames) {
    if (frame.mode !== 'stated' && frame.mode !== 'past') continue;
    const attribute = frame.mentions.some(({ attribute: { name } }) => asked.attributes.has(name));
    const value =
      asked.types.length > 0
        ? frame.values.some(({ type }) => asked.types.includes(type))
        : asked.wantsName && (frame.topics.some(({ mayBeName }) => mayBeName) || toolsIn(frame.text).length > 0);
    const lent =
      frame.topics.length === 0
        ? asked.topics.filter(({ stem }) => reading.near.some((near) => areKin(near.stem, stem))).length
        : 0;
    const about = Math.min(1, (speaks(asked, frame) + lent) / wanted);
    const score =
      (attribute && value ? 0.5 : 0) +
      about * (value || asked.types.length === 0 ? 0.5 : 0.1) +
      (about > 0 && value ? 0.2 : 0);
    best = Math.max(best, Math.min(1, score));
  }
  return best;
}
