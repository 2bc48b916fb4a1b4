// The answer of a model, from text to items that cannot be wrong in form. Models answer with fences, thoughts and prose around, with other
// names of keys, with commas too many, and cut. What is not an item in any of these forms is left out and named. Whether an item is true is verify.ts.

import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import { isJsonObject } from '../../../base/canonical-json.ts';
import { defined } from '../../../base/errors.ts';
import { oneLine } from '../../../base/text.ts';
import { memoryCategories } from '../../../base/types/stored-types.ts';
import {
  type AnsweredChange,
  type AnsweredItem,
  type AnsweredUnchanged,
  changeKinds,
  sureness,
  unchangedKinds,
} from './contract.ts';

/** What an answer was read as. */
export type ReadAnswer =
  | {
      readonly items: readonly AnsweredItem[];
      readonly unchanged: readonly AnsweredUnchanged[];
      /** What is no item although it is where items are, for people. */
      readonly rejected: readonly string[];
      /** Whether it ends before its end, so that items may be missing. */
      readonly isCut: boolean;
    }
  /** Says what is wrong with it, for whoever answers again. */
  | { readonly problem: string };

const maxAnswerLength = 1 << 20;
const maxItems = 200;
const maxSays = 600;
const maxObjects = 5000;

/** Names that models give the fields of an item, the one that was asked for first. */
const names = {
  says: ['says', 'content', 'statement', 'text', 'memory', 'claim', 'fact', 'summary'],
  t: ['t', 'turns', 'turn', 'source_turns', 'sources'],
  quote: ['quote', 'evidence', 'source_quote'],
  kind: ['kind', 'category', 'type'],
  sure: ['sure', 'confidence', 'certainty'],
  replaces: ['replaces', 'supersedes', 'closes', 'ends'],
  due: ['due', 'deadline', 'due_date'],
} as const;

/** What models call kinds of items beside the ten; none of them is held to be more than it says. */
const otherKinds: Readonly<Record<string, (typeof memoryCategories)[number]>> = {
  rule: 'principle',
  constraint: 'principle',
  instruction: 'principle',
  procedure: 'skill',
  event: 'moment',
  promise: 'commitment',
  task: 'commitment',
  todo: 'commitment',
  person: 'entity',
  identity: 'entity',
};

const levels: Readonly<Record<string, number>> = { ...sureness, high: 0.95, medium: 0.7, low: 0.4, certain: 0.95 };

const words = z.union([z.string(), z.number().transform(String)]);
const listOf = <T extends z.ZodType>(one: T) =>
  z.union([z.array(one.catch(undefined as never)), one.transform((it) => [it])]);
const turn = words.transform((given) => Number(/\d+/.exec(given)?.[0] ?? Number.NaN));

/** Of an item; other keys, an id or a path among them, are not even looked at. */
const itemFields = z.object({
  says: z.string().catch(''),
  t: listOf(turn).catch([]),
  quote: z.string().catch(''),
  kind: z.string().catch(''),
  subject: z.string().nullish().catch(null),
  attribute: z.string().nullish().catch(null),
  standing: z.boolean().optional().catch(undefined),
  constraint: z.boolean().catch(false),
  procedure: z.boolean().catch(false),
  form: z.string().catch(''),
  due: z.string().nullish().catch(null),
  from: z.string().nullish().catch(null),
  until: z.string().nullish().catch(null),
  sure: z.union([z.number(), z.string()]).catch('likely'),
  entities: listOf(z.string()).catch([]),
  topics: listOf(z.string()).catch([]),
  changes: z.array(z.unknown()).catch([]),
  replaces: listOf(words).catch([]),
});

const changeFields = z.object({
  k: words,
  how: z.string().catch('replaces'),
  quote: z.string().optional().catch(undefined),
});
const unchangedFields = z.object({ k: words, t: turn, how: z.enum(unchangedKinds) });

/**
 * Reads an answer.
 *
 * Every object that has the words of an item is one, wherever it stands, so the form around it does not matter. An answer without any must say
 * that there are none: `{"items": []}`, or the turns that hold nothing. Of one that was cut off, the items that are whole are read.
 */
export function readAnswer(text: string, isCut = false): ReadAnswer {
  if (text.length > maxAnswerLength) return { problem: `it has ${text.length} characters` };
  const said = withoutThoughts(text);
  const { objects, isOpen } = objectsIn(said);
  const items: AnsweredItem[] = [];
  const unchanged: AnsweredUnchanged[] = [];
  const rejected: string[] = [];
  const seen = new Set<string>();
  let isEmptySaid = false;
  for (const value of objects) {
    isEmptySaid ||= saysNone(value);
    const still = unchangedFields.safeParse(value);
    if (still.success) unchanged.push({ ...still.data, k: handleOf(still.data.k) });
    const fields = fieldsOf(value);
    const same = JSON.stringify(value);
    if (fields === undefined || seen.has(same)) continue;
    seen.add(same);
    if (items.length === maxItems) rejected.push(`more than the ${maxItems} items that are read`);
    if (items.length >= maxItems) break;
    items.push(itemOf(fields, items.length + 1));
  }
  if (items.length === 0 && !isEmptySaid && !/^\s*\[\s*\]\s*$/.test(said)) {
    if (said.trim() === '') return { problem: 'it is empty' };
    const shown = JSON.stringify(oneLine(said, 80));
    return {
      problem:
        objects.length === 0 ? `it has no JSON object, and says ${shown}` : 'it must be {"items": [{"says": …}, …]}',
    };
  }
  return { items, unchanged, rejected, isCut: isOpen || isCut };
}

/** Takes out what a model thought before it answered; thoughts that do not end are no answer. */
const withoutThoughts = (text: string): string =>
  text.replace(/<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi, ' ');

/** An object that lists nothing says that there is nothing. */
function saysNone(value: Readonly<Record<string, unknown>>): boolean {
  const lists = Object.values(value).filter(Array.isArray);
  const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0;
  return lists.length > 0 && (lists.every(isEmpty) || isEmpty(value.items) || Array.isArray(value.nothing));
}

/**
 * Finds objects with no object of a list around them that was read, the outer before the inner. `isOpen` says that one had not ended: those
 * within it are found all the same.
 */
function objectsIn(text: string): { objects: Record<string, unknown>[]; isOpen: boolean } {
  const objects: Record<string, unknown>[] = [];
  const spans = bracesIn(text);
  let covered = 0;
  for (const { start, end } of spans.closed) {
    if (start < covered || objects.length >= maxObjects) continue;
    const value = parsed(text.slice(start, end));
    if (value === undefined) continue;
    covered = end;
    objects.push(...withInner(value));
  }
  return { objects, isOpen: spans.isOpen };
}

/** Lists balanced braces outside of strings by where they start, the outer before the inner. */
function bracesIn(text: string): { closed: { start: number; end: number }[]; isOpen: boolean } {
  const closed: { start: number; end: number }[] = [];
  const open: number[] = [];
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isQuoted && sign === '\\') at += 1;
    // Outside of braces it is prose, where a quotation mark means nothing.
    else if (sign === '"' && open.length > 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '{') open.push(at);
    else if (sign === '}' && open.length > 0) closed.push({ start: open.pop()!, end: at + 1 });
  }
  return { closed: closed.sort((one, other) => one.start - other.start), isOpen: open.length > 0 };
}

/** Parses an object; what is nearly JSON is mended first. Prose in braces is none. */
function parsed(text: string): Record<string, unknown> | undefined {
  for (const read of [JSON.parse, (broken: string) => JSON.parse(jsonrepair(broken))]) {
    try {
      const value: unknown = read(text);
      return isJsonObject(value) ? value : undefined;
    } catch {
      // The next way may read it.
    }
  }
  return undefined;
}

/** Lists an object, and the objects of its lists if it is no item: those of an item are its changes. */
function withInner(value: Record<string, unknown>): Record<string, unknown>[] {
  if (fieldsOf(value) !== undefined) return [value];
  const inner = Object.values(value).flatMap((list) =>
    Array.isArray(list) ? list.filter(isJsonObject) : isJsonObject(list) ? [list] : [],
  );
  return [value, ...inner.flatMap(withInner)];
}

/** Gives the fields of an item under the names that were asked for; undefined for what is no item. */
function fieldsOf(value: Readonly<Record<string, unknown>>): z.output<typeof itemFields> | undefined {
  const lower = new Map(Object.entries(value).map(([key, field]) => [key.toLowerCase(), field]));
  for (const [name, others] of Object.entries(names)) {
    const found = others.find((other) => lower.get(other) !== undefined && lower.get(other) !== null);
    lower.set(name, found === undefined ? undefined : lower.get(found));
  }
  if (typeof lower.get('says') !== 'string' || (lower.get('says') as string).trim() === '') return undefined;
  // A turn that was shown has a speaker and a time: some models begin with what they were asked.
  const isTurn = lower.has('who') && lower.has('when');
  const hasMore = ['t', 'quote', 'kind', 'sure'].some((name) => lower.get(name) !== undefined);
  return hasMore && !isTurn ? itemFields.parse(Object.fromEntries(lower)) : undefined;
}

function itemOf(read: z.output<typeof itemFields>, number: number): AnsweredItem {
  const entities = read.entities.filter(Boolean).map((name) => oneLine(name, 80));
  const topics = read.topics.filter(Boolean).map((topic) => topic.trim().toLowerCase().replace(/\s+/g, '-'));
  const kind = read.kind.trim().toLowerCase();
  const isProcedure = read.procedure || kind === 'procedure' || read.form === 'procedure';
  const form = ['person', 'lesson'].includes(read.form) ? [read.form] : [];
  const turns = read.t.filter((one) => Number.isInteger(one));
  return {
    number,
    // One sign more than is allowed tells that it was longer.
    says: oneLine(read.says, maxSays + 1),
    t: [...new Set(turns)].slice(0, 6),
    quote: read.quote.trim().slice(0, 4000),
    kind: kindOf(kind),
    confidence: confidenceOf(read.sure),
    tags: [...new Set([...form, ...topics.filter(isTopic).slice(0, 5)])],
    entities: [...new Set(entities.filter((name) => name.length > 1))].slice(0, 8),
    changes: changesOf(read),
    ...defined({
      subject: oneLine(read.subject ?? '', 80) || undefined,
      attribute: attributeOf(read.attribute ?? ''),
      isProcedure: isProcedure ? (true as const) : undefined,
      isStanding: read.standing,
      isConstraint: read.constraint || kind === 'constraint' ? (true as const) : undefined,
      due: read.due?.trim() || undefined,
      from: read.from?.trim() || undefined,
      until: read.until?.trim() || undefined,
    }),
  };
}

/** Tells whether what an item says was longer than a claim may be. */
export const isTooLong = ({ says }: Pick<AnsweredItem, 'says'>): boolean => says.length > maxSays;

/** Names the kind of an item: one of the ten, by whatever name; a fact where it is none. */
function kindOf(given: string): (typeof memoryCategories)[number] {
  const singular = given.replace(/ies$/, 'y').replace(/s$/, '');
  return memoryCategories.find((one) => one === given || one === singular) ?? otherKinds[singular] ?? 'fact';
}

function confidenceOf(sure: string | number): number {
  const number = Number(sure);
  if (Number.isNaN(number)) return levels[String(sure).trim().toLowerCase()] ?? sureness.likely;
  return Math.min(1, Math.max(0, number > 1 ? number / 100 : number));
}

function attributeOf(given: string): string | undefined {
  const joined = given.toLowerCase().replace(/[^\p{Alpha}\d]+/gu, '_');
  return joined.replace(/^_|_$/g, '').slice(0, 40) || undefined;
}

/** Writes a handle as it was shown: `k3` for `[K3]`; one of an item keeps its mark, `#2`. */
function handleOf(given: string): string {
  const bare = given.trim().toLowerCase();
  return /k\d+/.exec(bare)?.[0] ?? (/^#?\d+$/.test(bare) ? `#${bare.replace('#', '')}` : bare);
}

function changesOf({ changes, replaces }: z.output<typeof itemFields>): AnsweredChange[] {
  const given = changes.flatMap((one): AnsweredChange[] => {
    const read = changeFields.safeParse(typeof one === 'string' ? { k: one } : one);
    if (!read.success) return [];
    const { k, how, quote } = read.data;
    return [
      {
        k: handleOf(k),
        how: changeKinds.find((kind) => kind === how.toLowerCase()) ?? 'narrows',
        ...defined({ quote }),
      },
    ];
  });
  const named = replaces.filter(Boolean).map((k): AnsweredChange => ({ k: handleOf(k), how: 'replaces' }));
  const all = new Map([...named, ...given].map((change) => [change.k, change]));
  return [...all.values()].slice(0, 20);
}

/** Words that the engine itself gives a meaning to are not a model's to say. */
const meaningful = /^(?:p[0-3]|deadline|untrusted|pinned?|waiting|important|critical|urgent|person|procedure|lesson)$/;

const isTopic = (topic: string): boolean =>
  /^[\p{Alpha}\d][\p{Alpha}\d-]{1,30}$/u.test(topic) && !meaningful.test(topic);
