// The answer of a model, from text to items that cannot be wrong in form. Whether what they say is true is grounding.ts.

import { z } from 'zod';
import { oneLine } from '../../../base/text.ts';
import { type MemoryCategory, memoryCategories } from '../../../base/types/stored-types.ts';

/** An item as a model gave it, brought to its bounds. */
export interface AnsweredItem {
  readonly category: MemoryCategory;
  /** One line of at most 600 characters. */
  readonly content: string;
  /** Whole numbers, six at most, each once. */
  readonly turns: readonly number[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly entities: readonly string[];
  readonly tags: readonly string[];
  /** `YYYY-MM-DD`, a day that there is. */
  readonly due?: string;
  /** What it is about, in one line of at most 80 characters. */
  readonly subject?: string;
  /** What it says of its subject: words joined by `_`. */
  readonly attribute?: string;
  /** `YYYY-MM-DD`: the day from which it holds. */
  readonly from?: string;
  /** Handles of known claims that hold no longer because of it, as they were shown: `k3`. */
  readonly replaces: readonly string[];
}

/** What an answer was read as. */
export type ReadAnswer =
  | { readonly items: readonly AnsweredItem[]; readonly rejected: readonly string[] }
  /** Says what is wrong with it, for whoever answers again. */
  | { readonly problem: string };

const maxAnswerLength = 1 << 20;
const maxItems = 200;
const maxContentLength = 600;

/** JSON Schema of an answer: strict, every key required, as providers want it. */
export const answerSchema: Readonly<Record<string, unknown>> = {
  type: 'object',
  additionalProperties: false,
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: [
          ...['category', 'content', 'subject', 'attribute', 'from', 'replaces'],
          ...['turns', 'confidence', 'entities', 'topics', 'form', 'due'],
        ],
        properties: {
          category: { type: 'string', enum: [...memoryCategories] },
          content: { type: 'string' },
          subject: { type: ['string', 'null'] },
          attribute: { type: ['string', 'null'] },
          from: { type: ['string', 'null'] },
          replaces: { type: 'array', items: { type: 'string' } },
          turns: { type: 'array', items: { type: 'integer' } },
          confidence: { type: 'number' },
          entities: { type: 'array', items: { type: 'string' } },
          topics: { type: 'array', items: { type: 'string' } },
          form: { type: 'string', enum: ['none', 'person', 'procedure', 'lesson'] },
          due: { type: ['string', 'null'] },
        },
      },
    },
  },
};

/** What is read of an item; other keys, an id or a path among them, are not even looked at. */
const item = z.object({
  category: z.enum(memoryCategories),
  content: z.string().max(4000),
  turns: z.union([
    z.array(z.number().int()).min(1).max(100),
    z
      .number()
      .int()
      .transform((turn) => [turn]),
  ]),
  confidence: z.number().min(0).max(1).catch(0.5),
  entities: z.array(z.string()).max(100).catch([]),
  topics: z.array(z.string()).max(100).catch([]),
  form: z.enum(['none', 'person', 'procedure', 'lesson']).catch('none'),
  due: z.iso.date().nullish().catch(null),
  subject: z.string().nullish().catch(null),
  attribute: z.string().nullish().catch(null),
  from: z.iso.date().nullish().catch(null),
  replaces: z.array(z.string()).max(20).catch([]),
});

const envelope = z.object({ items: z.array(z.unknown()) });

/**
 * Reads an answer: JSON, also in a code fence or with words around it, as small models give it.
 *
 * Items that break the form are left out and named; when none is left of several, the answer as a whole has a problem. Of an answer
 * that was cut off, the items that are complete are read.
 */
export function readAnswer(text: string, isCut = false): ReadAnswer {
  if (text.length > maxAnswerLength) return { problem: `it has ${text.length} characters` };
  const value = jsonIn(text, isCut);
  if (value === undefined) return { problem: 'it is not JSON' };
  const answer = envelope.safeParse(Array.isArray(value) ? { items: value } : value);
  if (!answer.success) return { problem: `it must be {"items": […]}` };
  const items: AnsweredItem[] = [];
  const rejected: string[] = [];
  let problem = '';
  for (const [index, given] of answer.data.items.slice(0, maxItems).entries()) {
    const read = item.safeParse(given);
    const content = read.success ? oneLine(read.data.content, maxContentLength) : '';
    if (read.success && content !== '') {
      items.push(itemOf(read.data, content));
      continue;
    }
    const [issue] = read.error?.issues ?? [];
    problem = `item ${index + 1}: ${issue === undefined ? 'no content' : `${issue.path.join('.')} ${issue.message}`}`;
    rejected.push(oneLine(`an item of the wrong form (${problem})`, 200));
  }
  if (items.length === 0 && rejected.length > 0) return { problem: oneLine(problem, 200) };
  const left = answer.data.items.length - maxItems;
  if (left > 0) rejected.push(`${left} items more than the ${maxItems} that are read`);
  return { items, rejected };
}

function itemOf(read: z.output<typeof item>, content: string): AnsweredItem {
  const entities = read.entities.map((name) => oneLine(name, 80)).filter((name) => name.length > 1);
  const topics = read.topics.map((topic) => topic.trim().toLowerCase().replace(/\s+/g, '-'));
  const form = read.form === 'none' ? [] : [read.form];
  const subject = oneLine(read.subject ?? '', 80);
  const attribute = (read.attribute ?? '')
    .toLowerCase()
    .replace(/[^\p{Alpha}\d]+/gu, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 40);
  return {
    category: read.category,
    content,
    turns: [...new Set(read.turns)].slice(0, 6),
    confidence: read.confidence,
    entities: [...new Set(entities)].slice(0, 8),
    tags: [...new Set([...form, ...topics.filter(isTopic).slice(0, 5)])],
    ...(read.due ? { due: read.due } : {}),
    ...(subject === '' ? {} : { subject }),
    ...(attribute === '' ? {} : { attribute }),
    ...(read.from ? { from: read.from } : {}),
    replaces: [...new Set(read.replaces.map((handle) => handle.trim().toLowerCase()))],
  };
}

/** Words that the engine itself gives a meaning to are not a model's to say. */
const meaningful = /^(?:p[0-3]|deadline|untrusted|pinned?|waiting|important|critical|urgent|person|procedure|lesson)$/;

function isTopic(topic: string): boolean {
  return /^[\p{Alpha}\d][\p{Alpha}\d-]{1,30}$/u.test(topic) && !meaningful.test(topic);
}

function jsonIn(text: string, isCut: boolean): unknown {
  const start = text.search(/[{[]/);
  if (start < 0) return undefined;
  const whole = text.slice(start, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1);
  const tries = [whole];
  if (isCut) {
    // The last item that is complete ends before the last comma between two items.
    for (let at = text.length, count = 0; at > start && count < 50; count++) {
      at = text.lastIndexOf('}', at - 1);
      if (at > start) tries.push(`${text.slice(start, at + 1)}]}`);
    }
  }
  for (const attempt of tries) {
    try {
      return JSON.parse(attempt);
    } catch {
      // The next one may be whole.
    }
  }
  return undefined;
}

/** Asks for JSON in words, of models that are not held to a schema. */
export function inWords(schema: Readonly<Record<string, unknown>>): string {
  return `Answer with one JSON object and nothing else, without a code fence. It must be valid by this JSON Schema:\n${JSON.stringify(schema)}`;
}
