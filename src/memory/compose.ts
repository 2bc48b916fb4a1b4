// Composes families of verbs into what callers hold. Each verb runs within a call, and all calls have one door that checks arguments.

import { answer } from '../store/git/file-errors.ts';
import { answersAtOnce, checkArguments, checkedCalls } from './arguments.ts';
import { inPresentNames } from './former-names.ts';

type Together<Parts extends readonly object[]> = Parts extends readonly [infer First, ...infer Rest extends object[]]
  ? First & Together<Rest>
  : unknown;

type Verb = (...given: never[]) => unknown;
type Family = Readonly<Record<string, Verb>>;

/** Whether a member is a family of verbs, such as `ledger`: an object that belongs to no class. */
function isFamily(member: unknown): member is Family {
  return typeof member === 'object' && member !== null && Object.getPrototypeOf(member) === Object.prototype;
}

/** Makes one object of the members of several: getters stay live, families of one name join, of others of one name the last holds. */
export function compose<Parts extends readonly object[]>(...parts: Parts): Together<Parts> {
  const whole: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(part))) {
      const before = Object.getOwnPropertyDescriptor(whole, name)?.value;
      const isBoth = isFamily(before) && isFamily(descriptor.value);
      Object.defineProperty(
        whole,
        name,
        isBoth ? { ...descriptor, value: { ...before, ...descriptor.value } } : descriptor,
      );
    }
  }
  return whole as Together<Parts>;
}

/** How a verb is run with what it is given: `acting` and `asking` of a branch, or `answer` alone. */
export type Run = <T>(call: () => T | Promise<T>, given: readonly unknown[]) => Promise<T>;

/** Gives an object in which each verb is another, made of it and its name; those of a family are named `family.verb`. */
export function eachVerb<Verbs extends object>(verbs: Verbs, made: (name: string, verb: Verb) => Verb): Verbs {
  const of = (members: object, prefix: string): object =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        isFamily(member) ? of(member, `${name}.`) : made(`${prefix}${name}`, member as Verb),
      ]),
    );
  return of(verbs, '') as Verbs;
}

/** Lets every verb of an object run within a call, such as `acting`: what it throws becomes the answer's error, whenever it throws it. */
export function within<Verbs extends Readonly<Record<string, Verb | Family>>>(run: Run, verbs: Verbs): Verbs {
  return eachVerb(
    verbs,
    (_, verb) =>
      (...given) =>
        run(() => verb(...given), given),
  );
}

/** What ends must end, whatever it is handed: a signal hands its event to whoever listens. */
const ends: ReadonlySet<string> = new Set(['close', 'dispose']);

/** Gives what callers hold its door, {@link checkArguments}; the engine itself bypasses it. Members of a class have a `prefix` to their names. */
export function withDoor<Whole extends object>(whole: Whole, prefix = ''): Whole {
  const guarded = (name: string, verb: Verb): Verb => {
    if (ends.has(name)) return verb;
    return (...given) => {
      const call = () => {
        const said = inPresentNames(name, given) as never[];
        checkArguments(name, said);
        return verb(...said);
      };
      return answersAtOnce(name) ? call() : answer(call);
    };
  };
  const own = Object.getOwnPropertyDescriptors(whole) as Readonly<Record<string, PropertyDescriptor>>;
  for (const name of prefix === '' ? Object.keys(own) : methodsOf(prefix)) {
    const descriptor = own[name] ?? { value: (whole as Family)[name]!.bind(whole) };
    const { value } = descriptor;
    const isVerb = typeof value === 'function';
    if (!isVerb && !isFamily(value)) continue;
    const made = isVerb ? guarded(prefix + name, value as Verb) : eachVerb({ [name]: value }, guarded)[name];
    Object.defineProperty(whole, name, { ...descriptor, value: made });
  }
  return whole;
}

/** Of what belongs to a class only what its type has is a call: the rest it asks of itself. */
const methodsOf = (prefix: string): readonly string[] =>
  checkedCalls().flatMap((call) => (call.startsWith(prefix) ? [call.slice(prefix.length)] : []));
