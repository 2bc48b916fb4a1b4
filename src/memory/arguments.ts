// What verbs take: one check of all that callers give, ahead of everything else. Types say the same, to those who have them.

import { isJsonObject } from '../base/canonical-json.ts';
import { MemoryError } from '../errors.ts';
import { checkGiven } from '../guard/limits.ts';

/**
 * Arguments by place: their names, after which `?` stands where they may be left out, and after `:` what they must be.
 *
 * The name says how large a text may be, too; see {@link checkGiven}. What has no kind here, a verb looks at itself.
 */
const verbArguments: Readonly<Record<string, string>> = {
  'branches.compare': 'theirs:text',
  'branches.drop': 'name:text options?:fields',
  'branches.open': 'name:text options?:fields',
  capture: 'text',
  captureText: 'sources:text options?:fields',
  commit: 'message?:text options?:fields',
  config: 'name?:text',
  context: 'message',
  edit: 'path old new',
  files: 'prefix?:text',
  'git.checkStaged': 'indexFile?:text',
  import: 'sources options?:fields',
  'keys.new': 'options?:fields',
  'knowledge.bundle': 'name:text',
  'knowledge.distil': 'options?:fields',
  'knowledge.promote': 'options?:fields',
  'maintenance.run': 'options?:fields',
  'maintenance.runUntilStopped': 'options:fields',
  note: 'text',
  purge: 'what:fields options?:fields',
  recall: 'query',
  'records.consolidate': 'options?:fields',
  'records.gist': 'options?:fields',
  remember: 'content',
  startSession: 'options?:fields',
  'topics.test': 'message',
  'topics.turn': 'message',
  undo: 'what options?:fields',
  watch: 'onChange:function options?:fields',
  write: 'path text',
};

type Kind = 'text' | 'fields' | 'function';

const kinds: Readonly<Record<Kind, { readonly is: (value: unknown) => boolean; readonly words: string }>> = {
  text: { is: (value) => typeof value === 'string', words: 'a text' },
  fields: { is: isJsonObject, words: 'an object' },
  function: { is: (value) => typeof value === 'function', words: 'a function' },
};

const texts = {
  is: (value: unknown) => Array.isArray(value) && [...value].every((one) => typeof one === 'string'),
  words: 'a list of texts',
};

/** Fields that mean the same wherever options have them. */
const commonFields: Readonly<Record<string, { readonly is: (value: unknown) => boolean; readonly words: string }>> = {
  ids: texts,
  paths: texts,
  session: kinds.text,
  onProgress: kinds.function,
  onRun: kinds.function,
  signal: { is: isSignal, words: 'an AbortSignal' },
};

/** Fields that a verb reads of a list whose things may have others of any size: hits and records are handed back as they came. */
const fieldsRead: Readonly<Record<string, readonly string[]>> = { 'handed.noteShown': ['id', 'path'] };

/** No values of ours lie as deep; a walk of much more would end in an overflow. */
const mostLevels = 100;

/** Passes what a verb is given. Throws INVALID_ARGUMENT, and TOO_LARGE for a text above the limit of its kind. */
export function checkArguments(verb: string, given: readonly unknown[]): void {
  const taken = (verbArguments[verb] ?? '').split(' ').filter((one) => one !== '');
  for (const [place, rule] of taken.entries()) {
    const [, name = '', optional, kind] = /^(\w+)(\??)(?::(\w+))?$/.exec(rule)!;
    const value = given[place];
    if (kind === undefined || value === null || (value === undefined && optional !== '')) continue;
    const { is, words } = kinds[kind as Kind];
    if (!is(value)) refuse(`${verb} takes ${words} as its ${ordinal(place)} argument`, name);
  }
  for (const [place, value] of given.entries()) {
    const name = /^\w+/.exec(taken[place] ?? '')?.[0] ?? `argument ${place + 1}`;
    if (value === null)
      refuse(`the ${ordinal(place)} argument of ${verb} is null`, name, 'Leave it out, or give a value');
    if (typeof value === 'function' && !taken[place]?.endsWith(':function')) {
      refuse(`${verb} takes no function as its ${ordinal(place)} argument`, name);
    }
    checkNesting(value, name);
    checkCommon(value);
    checkGiven(partRead(verb, value), name);
  }
}

function ordinal(place: number): string {
  return ['first', 'second', 'third'][place] ?? `${place + 1}th`;
}

function refuse(what: string, where: string, hint?: string): never {
  throw new MemoryError('INVALID_ARGUMENT', what, { where, ...(hint === undefined ? {} : { hint }) });
}

function checkCommon(value: unknown): void {
  if (!isPlain(value)) return;
  for (const [field, { is, words }] of Object.entries(commonFields)) {
    if (!Object.hasOwn(value, field)) continue;
    const given = (value as Readonly<Record<string, unknown>>)[field];
    if (given !== undefined && !is(given)) refuse(`${field} must be ${words}`, field);
  }
}

/** Signals of other realms are no instances of ours. */
function isSignal(value: unknown): boolean {
  const { aborted, addEventListener } = Object(value) as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** Refuses lists and plain objects that hold themselves, or nest without end: whoever walks them would not come back. */
function checkNesting(value: unknown, name: string): void {
  const above = new Set<object>();
  const done = new Set<object>();
  const walk = (one: unknown): void => {
    if (typeof one !== 'object' || one === null || done.has(one) || !(Array.isArray(one) || isPlain(one))) return;
    if (above.has(one)) refuse('the value holds itself', name, 'Give values that JSON can hold');
    if (above.size >= mostLevels) refuse(`the value nests above ${mostLevels} levels`, name, 'Give a flatter one');
    above.add(one);
    for (const inner of Object.values(one)) walk(inner);
    above.delete(one);
    done.add(one);
  };
  walk(value);
}

/** Not what has a life of its own, such as a signal or a memory. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Gives of what a verb is given the part that it reads. */
function partRead(verb: string, given: unknown): unknown {
  const fields = fieldsRead[verb];
  if (fields === undefined || !Array.isArray(given)) return given;
  return given.map((one: unknown) =>
    typeof one === 'object' && one !== null ? fields.map((field) => (one as Record<string, unknown>)[field]) : one,
  );
}
