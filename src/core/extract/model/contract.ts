// What a model is asked about conversations, and what it may answer. An agent that remembers by itself answers in the same form. Reading an
// answer is answer.ts, and whether it is true is verify.ts.

import { reading } from '../../../base/generated/prompts.ts';
import { memoryCategories } from '../../../base/types/stored-types.ts';

/** Changes whenever the instructions or what is made of an answer changes. */
export const promptVersion = reading.version;
/** The instructions: the same for every request, so that a provider can keep them. */
export const instructions: string = reading.text;

/** What a change does to a claim; see {@link endsClaim}. */
export const changeKinds = ['replaces', 'corrects', 'ends', 'pauses', 'narrows'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Tells whether a claim is over by a change: it rests for a while only, or holds with an exception, by the others. */
export const endsClaim = (how: ChangeKind): boolean => how !== 'pauses' && how !== 'narrows';

/** How a claim is spoken of that is not changed. */
export const unchangedKinds = ['confirms', 'elsewhere', 'open'] as const;

/** How sure an item is, and the confidence that stands for it (spec 4). */
export const sureness = { said: 0.95, likely: 0.7, guess: 0.4 } as const;

/** A change as it was answered: `k` is the handle of a claim, `k3`, or the number of an item of the same answer, `#2`. */
export interface AnsweredChange {
  readonly k: string;
  readonly how: ChangeKind;
  readonly quote?: string;
}

/** An item as a model gave it, brought to its bounds. */
export interface AnsweredItem {
  /** Its number in the answer, from 1. */
  readonly number: number;
  /** One line; what is longer than 600 characters is cut and fails. */
  readonly says: string;
  /** Whole numbers, six at most, each once; empty where none was given. */
  readonly t: readonly number[];
  /** Empty where none was given. */
  readonly quote: string;
  readonly kind: (typeof memoryCategories)[number];
  readonly subject?: string;
  /** Words joined by `_`. */
  readonly attribute?: string;
  readonly isProcedure?: true;
  /** Absent where nothing was said of it. */
  readonly isStanding?: boolean;
  readonly isConstraint?: true;
  /** Days as they were written; a day that there is, or words of one. */
  readonly due?: string;
  readonly from?: string;
  readonly until?: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly entities: readonly string[];
  readonly changes: readonly AnsweredChange[];
}

/** A claim that a turn speaks of and does not change. */
export interface AnsweredUnchanged {
  readonly k: string;
  readonly t: number;
  readonly how: (typeof unchangedKinds)[number];
}

const text = { type: 'string' } as const;
const orNull = { type: ['string', 'null'] } as const;
const flag = { type: 'boolean' } as const;
const listOf = (items: object) => ({ type: 'array', items }) as const;
/** Strict, with every key required, as providers want it. */
const objectOf = (properties: Readonly<Record<string, object>>) =>
  ({ type: 'object', additionalProperties: false, required: Object.keys(properties), properties }) as const;

/** JSON Schema of an answer. */
export const answerSchema: Readonly<Record<string, unknown>> = objectOf({
  items: listOf(
    objectOf({
      says: text,
      t: listOf({ type: 'integer' }),
      quote: text,
      kind: { ...text, enum: [...memoryCategories] },
      subject: orNull,
      attribute: orNull,
      standing: flag,
      constraint: flag,
      procedure: flag,
      due: orNull,
      from: orNull,
      until: orNull,
      sure: { ...text, enum: Object.keys(sureness) },
      changes: listOf(objectOf({ k: text, how: { ...text, enum: [...changeKinds] }, quote: text })),
    }),
  ),
  unchanged: listOf(objectOf({ k: text, t: { type: 'integer' }, how: { ...text, enum: [...unchangedKinds] } })),
  nothing: listOf({ type: 'integer' }),
});

/** Asks for JSON in words, of models that are not held to a schema. */
export function inWords(schema: Readonly<Record<string, unknown>>): string {
  return `Answer with one JSON object and nothing else, without a code fence. It must be valid by this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** Asks again after an answer that could not be used. */
export function repairOf(prompt: string, answer: string, problem: string): string {
  return `${prompt}\n\nYour last answer could not be used: ${problem}. It began with: ${JSON.stringify(answer.slice(0, 300))}\nAnswer again, with the JSON object alone.`;
}

/** Asks for what is left after an answer that was cut off behind some items. */
export function restOf(prompt: string, items: readonly AnsweredItem[]): string {
  const said = items.map(({ number, says }) => `#${number} ${JSON.stringify(says)}`).join('\n');
  return `${prompt}\n\nYour last answer was cut off. These items of it are kept:\n${said}\nAnswer with the JSON object of those that are missing, and count on from #${items.length + 1}.`;
}
