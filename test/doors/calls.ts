// The calls of the library as they are at run time, and values of the shapes that they take.

import { packedCalls } from '../../src/memory/generated/calls.ts';

export type Shape = string | number | readonly unknown[] | Readonly<Record<string, unknown>>;

const table = JSON.parse(packedCalls) as {
  readonly calls: Readonly<Record<string, readonly (readonly [name: string, shape: Shape])[]>>;
  readonly shapes: readonly Shape[];
};

/** What each call takes, by place: names, which end in `?` where the argument may be left out, and shapes. */
export const takenBy = table.calls;

export type Call = (...given: unknown[]) => unknown;

/** Lists the calls of what callers hold; those of a family are `family.call`. */
export function callsOf(members: object, family = ''): [name: string, call: Call][] {
  return Object.entries(members).flatMap(([name, member]: [string, unknown]): [string, Call][] => {
    const isPlain = Object.getPrototypeOf(Object(member)) === Object.prototype;
    const isFamily = isPlain || (typeof member === 'function' && Object.keys(member).length > 0);
    if (isFamily) return family === '' ? callsOf(member as object, `${name}.`) : [];
    return typeof member === 'function' ? [[`${family}${name}`, member as Call]] : [];
  });
}

/** Lists the calls of an instance of a class but those that the engine itself asks of it. */
export function methodsOf(instance: object, hidden: readonly string[], prefix: string): [name: string, call: Call][] {
  const prototype = Object.getPrototypeOf(instance) as object;
  return Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor' && !hidden.includes(name))
    .filter((name) => typeof Object.getOwnPropertyDescriptor(prototype, name)!.value === 'function')
    .map((name) => [`${prefix}${name}`, (instance as Readonly<Record<string, Call>>)[name]!]);
}

/** The shapes of which a value has one. */
export function alternativesOf(given: Shape): readonly Shape[] {
  const shape = typeof given === 'number' ? table.shapes[given]! : given;
  return Array.isArray(shape) && shape[0] === '|'
    ? shape.slice(1).flatMap((one) => alternativesOf(one as Shape))
    : [shape];
}

/** The fields that a shape has; undefined where it has none. */
export function fieldsOf(
  shape: Shape,
): readonly (readonly [name: string, isOptional: boolean, shape: Shape])[] | undefined {
  if (typeof shape !== 'object' || Array.isArray(shape)) return undefined;
  return Object.entries(shape as Readonly<Record<string, Shape>>)
    .filter(([name]) => name !== '+')
    .map(([name, one]) => [name.replace('?', ''), name.endsWith('?'), one] as const);
}

const plain: Readonly<Record<string, unknown>> = {
  s: 'x',
  n: 1,
  b: true,
  f: () => 'x',
  d: new Date('2026-02-16T09:00:00Z'),
  r: /x/,
  y: new Uint8Array(1),
  a: new AbortController().signal,
  '0': null,
  '*': 'x',
};

/** Makes a value of a shape: with all fields, or those that it needs. */
export function sampleOf(given: Shape, isWhole = false): unknown {
  const [shape] = alternativesOf(given) as [Shape];
  if (typeof shape === 'string') return plain[shape];
  const fields = fieldsOf(shape);
  if (fields !== undefined) {
    const made = fields.filter(([, isOptional]) => isWhole || !isOptional);
    return Object.fromEntries(made.map(([name, , one]) => [name, sampleOf(one, isWhole)]));
  }
  const [operator, ...inner] = shape as readonly [string, ...Shape[]];
  if (operator === '=') return inner[0];
  if (operator === '[]') return [sampleOf(inner[0]!, isWhole)];
  if (operator === '{}') return { x: sampleOf(inner[0]!, isWhole) };
  return Object.fromEntries(inner.map((name) => [name, () => undefined]));
}

/** Tells whether a value is of a kind that a shape takes, by its outside alone. */
function isOfKind(value: unknown, shape: Shape): boolean {
  if (shape === '*') return true;
  if (typeof shape === 'string') return typeof value === typeof plain[shape] && typeof value !== 'object';
  if (fieldsOf(shape) !== undefined) return typeof value === 'object' && !Array.isArray(value);
  const [operator, ...inner] = shape as readonly [string, ...unknown[]];
  if (operator === '=') return inner.includes(value);
  if (operator === '[]') return Array.isArray(value);
  return operator === '{}'
    ? typeof value === 'object' && !Array.isArray(value)
    : ['object', 'function'].includes(typeof value);
}

/** Lists values of kinds that a shape does not take. */
export function wrongFor(shape: Shape): readonly unknown[] {
  const kinds = ['a word that is none of them', 5, true, [{}], { x: 1 }, () => 1, Symbol('x'), 5n];
  return kinds.filter((value) => !alternativesOf(shape).some((one) => isOfKind(value, one)));
}

/** Gives the least that a call can be given. */
export function leastFor(name: string): unknown[] {
  return takenBy[name]!.filter(([said]) => !said.endsWith('?')).map(([, shape]) => sampleOf(shape));
}
