// Reads what programs and models write where a field is left out, or is a number, a flag, a list or an object. Every door that takes calls of
// tools asks here. A command line does not: `--subject null` is what a person typed. What else is sent stays as it is, for the error that
// names it.

import { z } from 'zod';
import { isJsonObject } from '../base/canonical-json.ts';
import { attempt } from '../base/errors.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * Gives an input as it was meant by whoever could say it only in this form.
 *
 * - An optional field that says nothing is left out: null, an empty text, or the name that a language has for nothing, such as `None`. So is
 *   such an entry of a list. In a required field a name of nothing is a text like any other.
 * - Where a number or a flag is wanted, the text that names it is read.
 * - Where a list or an object is wanted, JSON in a text is read; a single value is taken for a list that holds it.
 * - `id` and `what` are one field where the schema has one of them: what the tool is about. So are names that spec 1 has for it and for parts.
 *
 * All of it holds inside lists and objects, too.
 *
 * @param asWritten Optional texts that are somebody's words, `null` among them, unless the other field that is named here is given.
 */
export function asMeant(
  schema: z.ZodObject,
  given: unknown,
  asWritten: Readonly<Record<string, string | null>> = {},
): unknown {
  const said = jsonIn(given);
  if (!isJsonObject(said)) return given;
  const named = withNames(schema, said);
  const isWritten = (name: string): boolean => {
    const other = asWritten[name];
    return other === null || (other !== undefined && isNothing(named[other]));
  };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]): [string, unknown][] => {
      const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
      if (field === undefined) return [[name, value]];
      const isOptional = z.object({ field }).safeParse({}).success;
      const isWords = typeof value === 'string' && value !== '' && isWritten(name);
      if (isOptional && !isWords && isNothing(value) && !isChoice(field, value)) return [];
      const meant = valueAsMeant(field, value, isOptional);
      return meant === undefined ? [] : [[name, meant]];
    }),
  );
}

/** Tells whether a value stands for none: null, an empty text, or what JavaScript, JSON and Python call nothing. */
export function isNothing(value: unknown): boolean {
  if (typeof value !== 'string') return value === null || value === undefined;
  return /^(?:\s*(?:null|undefined|none)\s*)?$/i.test(value);
}

function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return attempt(() => JSON.parse(value), value);
}

/** Names for the one thing that a tool is about. */
const thing = ['what', 'id', 'revision'] as const;
/** What spec 1 calls fields. */
const specNames: Readonly<Record<string, string>> = {
  memory_id: 'id',
  split_contents: 'parts',
  split_tags: 'tags',
  split_entities: 'entities',
};

function withNames(schema: z.ZodObject, named: Given): Given {
  const given = Object.fromEntries(
    Object.entries(named).map(([name, value]) => {
      const own = Object.hasOwn(specNames, name) ? specNames[name]! : name;
      return [Object.hasOwn(schema.shape, name) || !Object.hasOwn(schema.shape, own) ? name : own, value];
    }),
  );
  const own = thing.filter((name) => Object.hasOwn(schema.shape, name));
  const [other, ...others] = thing.filter((name) => !own.includes(name) && Object.hasOwn(given, name));
  if (own.length !== 1 || other === undefined || others.length > 0) return given;
  const { [other]: said, ...rest } = given;
  const known = rest[own[0]!];
  if (isNothing(said) || said === known) return rest;
  return isNothing(known) ? { ...rest, [own[0]!]: said } : given;
}

/** Gives undefined for an optional list whose entries all say nothing. */
function valueAsMeant(field: z.ZodType, value: unknown, isOptional: boolean): unknown {
  const kinds = kindsOf(field);
  const list = kinds.find((kind) => kind instanceof z.ZodArray);
  const object = kinds.find((kind) => kind instanceof z.ZodObject);
  const isRecord = kinds.some((kind) => kind instanceof z.ZodRecord);
  if (list === undefined && object === undefined && !isRecord)
    return typeof value === 'string' ? read(field, value) : value;
  const said = jsonIn(value);
  if (object !== undefined && isJsonObject(said)) return asMeant(object, said);
  if (list === undefined) return isRecord && isJsonObject(said) ? said : value;
  if (!Array.isArray(said)) {
    const isAlone = said !== undefined && said !== null && !field.safeParse(said).success;
    return isAlone ? [valueAsMeant(list.element as z.ZodType, said, false)] : value;
  }
  const element = list.element as z.ZodType;
  const saysNothing = (one: unknown) =>
    typeof one === 'string' ? isOptional && isNothing(one) && !isChoice(element, one) : isNothing(one);
  const left = said.filter((one) => !saysNothing(one));
  if (isOptional && left.length === 0 && said.length > 0) return undefined;
  return left.map((one) => valueAsMeant(element, one, false));
}

function kindsOf(field: z.ZodType): z.ZodType[] {
  const { def } = field as unknown as { def: { innerType?: z.ZodType; options?: readonly z.ZodType[] } };
  if (def.innerType !== undefined) return kindsOf(def.innerType);
  return def.options === undefined ? [field] : def.options.flatMap(kindsOf);
}

/** Whether a value is one of a few words that a field takes; `none` may be one. */
function isChoice(field: z.ZodType, value: unknown): boolean {
  const isFew = (kind: z.ZodType) => kind instanceof z.ZodEnum || kind instanceof z.ZodLiteral;
  return kindsOf(field).some((kind) => isFew(kind) && kind.safeParse(value).success);
}

function read(field: z.ZodType, text: string): unknown {
  if (field.safeParse(text).success) return text;
  const word = text.trim().toLowerCase();
  const value = /^(?:true|false)$/.test(word) ? word === 'true' : Number(word);
  // What is no number either keeps its words, for the error that names them.
  return word !== '' && !Number.isNaN(value) && isKind(field, value) ? value : text;
}

/** Whether a field takes values of that kind, be this one too large or small. */
function isKind(field: z.ZodType, value: unknown): boolean {
  const { error } = field.safeParse(value);
  return error === undefined || error.issues.every(({ code }) => code !== 'invalid_type' && code !== 'invalid_value');
}
