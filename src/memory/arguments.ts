// One check of all that callers give to the library, ahead of everything else, by the types of the calls (scripts/calls.mjs).

import { defined, MemoryError } from '../base/errors.ts';
import { checkGiven, limitWithin } from '../store/guard/limits.ts';
import { nearestWord } from '../store/records/nearest-word.ts';
import { packedCalls } from './generated/calls.ts';

/** What an argument or a field may be; see scripts/calls.mjs. */
type Shape = string | number | readonly [operator: string, ...given: unknown[]] | Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly shape: Shape;
}

/** Fields by name, and whether there may be others beside them. */
interface Fields {
  readonly of: ReadonlyMap<string, Parameter>;
  readonly isOpen: boolean;
}

/** Where something stands among what a call is given. */
interface Place {
  readonly call: string;
  /** `limit`, `messages.0.role`; of an argument itself its own name. */
  readonly path: string;
  /** Set for an argument itself, counted from 0. */
  readonly at?: number;
  /** Says with `held` how large a text may be; see {@link checkGiven}. */
  readonly name: string;
  readonly held: number | undefined;
}

interface Table {
  readonly calls: Readonly<Record<string, readonly (readonly [name: string, shape: Shape])[]>>;
  readonly sync: readonly string[];
  readonly shapes: readonly Shape[];
}

let table: Table | undefined;
/** A short command makes one call: nothing is read before it, and only what it needs is prepared. */
const tableOfCalls = (): Table => (table ??= JSON.parse(packedCalls) as Table);
const prepared = new Map<string, readonly Parameter[]>();
const preparedFields = new WeakMap<object, Fields>();

/** Names the calls that there is a check for: `recall`, `ledger.add`, `session.end`. */
export const checkedCalls = (): readonly string[] => Object.keys(tableOfCalls().calls);

/** Tells whether a call answers at once, and not by a promise. */
export const answersAtOnce = (call: string): boolean => tableOfCalls().sync.includes(call);

/** No values of ours lie as deep; a walk of much more would end in an overflow. */
const mostLevels = 100;

/** Of a name that nobody knows, what is quoted. */
const mostQuoted = 60;

/** Passes what a call is given if it is known and of its kind and nothing is missing. Throws INVALID_ARGUMENT by name, TOO_LARGE for a text. */
export function checkArguments(call: string, given: readonly unknown[]): void {
  try {
    const taken = parametersOf(call);
    for (const [at, { name, isOptional, shape }] of taken.entries()) {
      const value = given[at];
      const place = { call, path: name, at, name, held: undefined };
      if (value === undefined && !isOptional) refuse(`${call} needs ${name}`, name, takesOf(shape, name));
      if (value !== undefined) check(shape, value, place);
    }
    const extra = given.findIndex((value, at) => at >= taken.length && value !== undefined);
    if (extra >= 0) {
      const most =
        taken.length === 0 ? 'no arguments' : taken.length === 1 ? '1 argument' : `${taken.length} arguments`;
      refuse(`${call} takes ${most}`, `argument ${extra + 1}`, 'Leave out what stands behind');
    }
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    throw new MemoryError('INVALID_ARGUMENT', `what ${call} is given cannot be read`, { cause: error });
  }
}

function parametersOf(call: string): readonly Parameter[] {
  let taken = prepared.get(call);
  if (taken === undefined) {
    taken = tableOfCalls().calls[call]?.map(([name, shape]) => parameterOf(name, shape)) ?? [];
    prepared.set(call, taken);
  }
  return taken;
}

const parameterOf = (said: string, shape: Shape): Parameter => {
  const isOptional = said.endsWith('?');
  return { name: isOptional ? said.slice(0, -1) : said, isOptional, shape };
};

function fieldsOf(shape: object): Fields {
  let fields = preparedFields.get(shape);
  if (fields === undefined) {
    const all = Object.entries(shape as Readonly<Record<string, Shape>>).map(([said, one]) => parameterOf(said, one));
    const of = new Map(all.filter(({ name }) => name !== '+').map((one) => [one.name, one]));
    fields = { of, isOpen: of.size < all.length };
    preparedFields.set(shape, fields);
  }
  return fields;
}

/** What a value is, in one word, in the letters of shapes where they have one; `{` for fields and `[` for a list. */
function kindOf(value: unknown): string {
  if (typeof value === 'string') return 's';
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : 'n';
  if (typeof value === 'boolean') return 'b';
  if (typeof value === 'function') return 'f';
  if (value === null) return '0';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return '[';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return '{';
  if (ArrayBuffer.isView(value)) return 'y';
  // Objects of other realms are no instances of ours.
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return { Date: 'd', RegExp: 'r', AbortSignal: 'a', Map: 'Map', Set: 'Set', Promise: 'Promise' }[tag] ?? '{';
}

function takenKind(shape: Shape): string {
  if (typeof shape === 'string') return shape;
  if (!isOperation(shape)) return '{';
  if (shape[0] === '=') return kindOf(shape[1]);
  return { '[]': '[', '{}': '{' }[shape[0]] ?? shape[0];
}

function takes(shape: Shape, kind: string): boolean {
  const taken = takenKind(shape);
  return taken === kind || taken === '*' || (taken === 'o' && (kind === '{' || kind === 'f'));
}

function check(given: Shape, value: unknown, place: Place): void {
  const kind = kindOf(value);
  const fitting = alternatives(given).filter((shape) => takes(shape, kind));
  if (fitting.length === 0) refuseKind(given, value, kind, place);
  const shape = fitting.length === 1 ? fitting[0]! : meantOf(fitting, value, kind, place);
  if (typeof shape === 'string') {
    if (shape === '*') checkNesting(value, place);
    if ('*sr'.includes(shape)) checkGiven(value, place.name, place.held);
    return;
  }
  if (!isOperation(shape)) {
    checkFields(shape as object, value as object, place, fitting);
    return;
  }
  const [operator, ...inner] = shape as readonly [string, ...Shape[]];
  if (operator === '=') {
    if (!inner.includes(value as Shape)) refuseWord(inner, value, place);
  } else if (operator === 'o') {
    const missing = inner.find((name) => typeof (value as Record<string, unknown>)[name as string] !== 'function');
    if (missing !== undefined) refuse(`${saidOf(place)} needs a function ${String(missing)}`, place.path);
  } else if (operator === '[]') {
    const { call, path, name, held } = place;
    // A list may have holes, which only an index finds.
    for (let at = 0; at < (value as readonly unknown[]).length; at += 1)
      check(inner[0]!, (value as readonly unknown[])[at], { call, path: `${path}.${at}`, name, held });
  } else {
    const held = limitWithin(place.name, place.held);
    for (const [name, one] of Object.entries(value as object)) {
      checkGiven(name, 'the name of a field');
      if (one !== undefined) check(inner[0]!, one, inside(place, name, held));
    }
  }
}

const inside = ({ call, path, at }: Place, name: string, held: number | undefined): Place => ({
  call,
  path: at === undefined ? `${path}.${name}` : name,
  name,
  held,
});

function checkFields(shape: object, value: object, place: Place, others: readonly Shape[]): void {
  const { of, isOpen } = fieldsOf(shape);
  const held = limitWithin(place.name, place.held);
  if (!isOpen) {
    const unknown = givenIn(value).find((name) => !of.has(name));
    if (unknown !== undefined) refuseField(unknown, of, place, others);
  }
  for (const { name, isOptional, shape: taken } of of.values()) {
    const one = (value as Readonly<Record<string, unknown>>)[name];
    const there = inside(place, name, held);
    if (one !== undefined) check(taken, one, there);
    else if (!isOptional) refuse(`${saidOf(place)} needs ${name}`, there.path, takesOf(taken, name));
  }
}

/** What is undefined is not given. */
const givenIn = (value: object): readonly string[] =>
  Object.keys(value).filter((name) => (value as Readonly<Record<string, unknown>>)[name] !== undefined);

/** Gives the shape that is meant: of sets of fields the first whose needed ones are there, of these the one that leaves least unknown. */
function meantOf(fitting: readonly Shape[], value: unknown, kind: string, place: Place): Shape {
  if (kind !== '{') return fitting.find((one) => takenKind(one) === kind) ?? fitting[0]!;
  const names = givenIn(value as object);
  const strangeness = (one: Shape) => {
    const { of } = fieldsOf(one as object);
    const isLacking = [...of.values()].some(({ name, isOptional, shape }) => {
      const field = (value as Readonly<Record<string, unknown>>)[name];
      return field === undefined ? !isOptional : isOperation(shape, '=') && !shape.includes(field);
    });
    return names.filter((name) => !of.has(name)).length + (isLacking ? names.length + 1 : 0);
  };
  const least = Math.min(...fitting.map(strangeness));
  const nearest = fitting.filter((one) => strangeness(one) === least);
  if (least > names.length) {
    refuseWordOfAll(fitting, value as object, place);
    if (nearest.length > 1) refuseAll(fitting, names, place);
  }
  return nearest[0]!;
}

/** Refuses fields that are those of no set, or of more than one, which all lack something. */
function refuseAll(fitting: readonly Shape[], names: readonly string[], place: Place): never {
  const sets = fitting.map((one) => fieldsOf(one as object).of);
  const all: Fields['of'] = new Map(sets.flatMap((of) => [...of]));
  const unknown = names.find((name) => !all.has(name));
  if (unknown !== undefined) refuseField(unknown, all, place, []);
  const where = names[0] === undefined ? place.path : inside(place, names[0], undefined).path;
  refuse(`${saidOf(place)} needs ${listed(sets.map(needed))}`, where);
}

/** Whether a shape begins with what it is, such as a list. */
const isOperation = (shape: Shape, operator?: string): shape is readonly [string, ...unknown[]] =>
  Array.isArray(shape) && (operator === undefined || shape[0] === operator);

/** The shapes that a value may have, each of them a single one. */
function alternatives(given: Shape): readonly Shape[] {
  const shape = typeof given === 'number' ? tableOfCalls().shapes[given]! : given;
  if (!isOperation(shape, '|')) return [shape];
  return shape.slice(1).flatMap((one) => alternatives(one as Shape));
}

/** Refuses a word that sets several sets of fields apart, if it is that of none. */
function refuseWordOfAll(shapes: readonly Shape[], value: object, place: Place): void {
  const all = shapes.map((shape) => fieldsOf(shape as object).of);
  for (const { name, shape } of all[0]!.values()) {
    const taken = all.flatMap((of) => {
      const other = of.get(name)?.shape ?? '';
      return isOperation(other, '=') ? other.slice(1) : [];
    });
    const given = (value as Readonly<Record<string, unknown>>)[name];
    if (isOperation(shape, '=') && given !== undefined && !taken.includes(given))
      refuseWord(taken, given, inside(place, name, undefined));
  }
}

/** Refuses lists and objects that hold themselves, or nest without end: whoever walks them would not come back. */
function checkNesting(value: unknown, { path }: Place): void {
  const above = new Set<object>();
  const done = new Set<object>();
  const walk = (one: unknown): void => {
    const isHolder = typeof one === 'object' && one !== null && '[{'.includes(kindOf(one));
    if (!isHolder || done.has(one)) return;
    if (above.has(one)) refuse('the value holds itself', path, 'Give values that JSON can hold');
    if (above.size >= mostLevels) refuse(`the value nests above ${mostLevels} levels`, path, 'Give a flatter one');
    above.add(one);
    for (const inner of Object.values(one)) walk(inner);
    above.delete(one);
    done.add(one);
  };
  walk(value);
}

const words: Readonly<Record<string, string>> = {
  s: 'a text',
  n: 'a number',
  b: 'true or false',
  f: 'a function',
  d: 'a Date',
  r: 'a RegExp',
  y: 'bytes',
  a: 'an AbortSignal',
  o: 'an object',
  '{': 'an object',
  '[': 'a list',
  '0': 'null',
  Map: 'a Map',
  Set: 'a Set',
  Promise: 'a promise that nobody waited for',
  undefined: 'nothing',
};

function wordsOf(given: Shape): string {
  const all = alternatives(given).filter((shape) => takenKind(shape) !== '0');
  const told = all.map((shape) => {
    if (isOperation(shape, '=')) return listed(shape.slice(1).map(String));
    const inner = isOperation(shape, '[]') ? shape[1] : undefined;
    if (inner === 's' || inner === 'n') return inner === 's' ? 'a list of texts' : 'a list of numbers';
    return words[takenKind(shape)] ?? 'a value';
  });
  return listed([...new Set(told)]);
}

const listed = (all: readonly string[]): string =>
  all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;

const takesOf = (shape: Shape, name: string): string => `${name} is ${wordsOf(shape)}`;

const saidOf = ({ call, path, at }: Place): string => (at === undefined ? `${call}: ${path}` : call);

function refuse(what: string, where: string, hint?: string): never {
  throw new MemoryError('INVALID_ARGUMENT', what, { where, ...defined({ hint }) });
}

function refuseKind(shape: Shape, value: unknown, kind: string, { call, path, at }: Place): never {
  const taken = wordsOf(shape);
  const came = kind === 'b' ? String(value) : (words[kind] ?? kind);
  const hint = kind === '0' ? 'Leave it out, or give a value' : undefined;
  const order = at === undefined ? '' : (['first', 'second', 'third'][at] ?? `${at + 1}th`);
  const what = at === undefined ? `${call}: ${path} is ${taken}` : `${call} takes ${taken} as its ${order} argument`;
  refuse(`${what}, not ${came}`, path, hint);
}

/** Says of a word that is none of those a field takes which they are, and which was probably meant. */
function refuseWord(taken: readonly unknown[], value: unknown, place: Place): never {
  const all = taken.map(String);
  const meant = typeof value === 'string' ? nearestWord(value.slice(0, mostQuoted), all) : undefined;
  const quoted = typeof value === 'string' ? JSON.stringify(value.slice(0, mostQuoted)) : String(value);
  const hint = meant === undefined ? undefined : `Did you mean ${meant}?`;
  refuse(`${place.call}: ${place.path} is ${listed(all)}, not ${quoted}`, place.path, hint);
}

function refuseField(unknown: string, of: Fields['of'], place: Place, others: readonly Shape[]): never {
  const names = [...of.keys()];
  const name = unknown.slice(0, mostQuoted);
  const where = inside(place, name, undefined).path;
  const takesAll = names.length === 0 ? 'It takes none' : `It takes ${names.join(', ')}`;
  const isOfAnother = others.some((one) => fieldsOf(one as object).of.has(unknown));
  if (isOfAnother) refuse(`${saidOf(place)} takes no ${name} beside ${needed(of)}`, where, takesAll);
  const meant = nearestWord(name, names);
  const hint = meant === undefined ? takesAll : `Did you mean ${meant}? ${takesAll}`;
  refuse(`${saidOf(place)} does not know "${name}"`, where, hint);
}

function needed(of: Fields['of']): string {
  const all = [...of.values()];
  return (
    all
      .filter(({ isOptional }) => !isOptional)
      .map(({ name }) => name)
      .join(' and ') || all.map(({ name }) => name).join(', ')
  );
}
