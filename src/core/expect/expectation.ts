// Expectations as people write them: expect/*.yaml, each a mapping from a name to what is asked and what the answer must keep.
//
//   the label is on every sample:
//     context: Draft a welcome note for the interns
//     on: 2026-03-09
//     must: [cold-chain label, /\btables\b/i]
//
// A mistake costs its expectation alone, or the file where the YAML cannot be read; both are named.

import { isJsonObject } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import type { ExpectationProblem, ExpectationResult, ExpectedAsk } from '../../base/types/expect-types.ts';
import { nearestWord } from '../../store/records/nearest-word.ts';
import { parseYamlObject } from '../../store/records/yaml.ts';
import { type Matcher, matcherOf } from './matcher.ts';

/** The folder of expectations. */
export const expectFolder = 'expect/';

/** One expectation, ready to be judged. */
export interface Expectation extends Pick<ExpectationResult, 'name' | 'path' | 'line' | 'ask' | 'note'> {
  /** The message, question, category, path or words; empty where the ask takes none. */
  readonly words: string;
  /** The day or time of the question; default: now, or for a state of the past its time. */
  readonly on?: string;
  /** The day, time or revision whose state is asked; default: the state at hand. */
  readonly asOf?: string;
  /** Others listen, too. */
  readonly isShared: boolean;
  /** The recorded session that a context is for. */
  readonly session?: string;
  readonly limit?: number;
  readonly tokens?: number;
  readonly must: readonly Matcher[];
  readonly mustNot: readonly Matcher[];
  readonly once: readonly Matcher[];
  readonly first?: Matcher;
  /** Rows; in each every text stands before the next. */
  readonly order: readonly (readonly Matcher[])[];
  /** Each line that has the first has the second. */
  readonly lines: readonly (readonly [Matcher, Matcher])[];
  readonly notCurrent: readonly Matcher[];
}

/** What takes words, what may, and what takes none. */
const asks: Readonly<Record<ExpectedAsk, 'words' | 'maybe' | 'none'>> = {
  context: 'words',
  session_start: 'none',
  pack: 'none',
  recall: 'words',
  list: 'maybe',
  loops: 'none',
  boot: 'none',
  read: 'words',
  forgotten: 'words',
};
const askNames = Object.keys(asks) as ExpectedAsk[];
const conditions = ['must', 'must_not', 'once', 'first', 'order', 'lines', 'not_current', 'tokens'] as const;
const otherKeys = ['on', 'as_of', 'as', 'session', 'limit', 'note'] as const;
const allKeys: readonly string[] = [...askNames, ...conditions, ...otherKeys];

/** Tells whether a path is a file of expectations. */
export const isExpectationPath = (path: string): boolean => path.startsWith(expectFolder) && /\.ya?ml$/.test(path);

/** Reads a file of expectations, and names what cannot be used. Throws nothing for a mistake in the file. */
export async function parseExpectations(
  text: string,
  path: string,
): Promise<{ readonly expectations: readonly Expectation[]; readonly problems: readonly ExpectationProblem[] }> {
  const expectations: Expectation[] = [];
  const problems: ExpectationProblem[] = [];
  const tell = (error: unknown, line?: number, name?: string): void => {
    if (!(error instanceof MemoryError)) throw error;
    problems.push({ path, ...defined({ name, line }), why: error.what, ...defined({ hint: error.hint }) });
  };
  let file: ReturnType<typeof parseYamlObject>;
  try {
    file = parseYamlObject(text, path);
  } catch (error) {
    tell(error);
    const hint = 'Put quotes around words and patterns with brackets, commas, colons or # in them';
    return { expectations, problems: problems.map((problem) => ({ ...problem, hint })) };
  }
  for (const [name, value] of Object.entries(file.data)) {
    const line = file.lineOf(name) ?? 1;
    try {
      expectations.push(await expectationOf(value, { name, path, line }));
    } catch (error) {
      tell(error, line, name);
    }
  }
  return { expectations, problems };
}

interface Place {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

async function expectationOf(value: unknown, place: Place): Promise<Expectation> {
  const fail = (what: string, hint: string): never => {
    throw new MemoryError('INVALID_RECORD', `"${place.name}" ${what}`, { where: place.path, hint });
  };
  if (!isJsonObject(value)) {
    return fail(
      'has no question',
      allKeys.includes(place.name)
        ? 'Put a name above it: each expectation is a name with its keys below'
        : `Below the name say what is asked: ${list(askNames)}`,
    );
  }
  for (const key of Object.keys(value)) {
    if (allKeys.includes(key)) continue;
    const meant = nearestWord(key, allKeys);
    fail(`has the unknown key ${key}`, meant === undefined ? `It takes ${list(allKeys)}` : `Did you mean ${meant}?`);
  }
  const asked = askNames.filter((name) => value[name] !== undefined && value[name] !== false);
  const [ask] = asked;
  if (ask === undefined || asked.length > 1) {
    return fail(
      ask === undefined ? 'does not say what is asked' : `asks more than one thing: ${list(asked)}`,
      `Name one of ${list(askNames)}`,
    );
  }
  const text = (key: string): string | undefined => {
    const given = value[key];
    if (given === undefined) return undefined;
    if (typeof given === 'number' || (typeof given === 'string' && given.trim() !== '')) return String(given);
    return fail(`has no text at ${key}`, `Write ${key}: followed by words; put "quotes" around what YAML may misread`);
  };
  const number = (key: string): number | undefined => {
    const given = value[key];
    if (given === undefined) return undefined;
    if (typeof given === 'number' && Number.isInteger(given) && given > 0) return given;
    return fail(`has no number at ${key}`, `${key} is a whole number above 0`);
  };
  const matcher = (given: unknown, key: string): Promise<Matcher> => {
    if (typeof given === 'number' || (typeof given === 'string' && given.trim() !== ''))
      return matcherOf(String(given), `${place.path}: "${place.name}"`);
    return fail(`has something else than words at ${key}`, `${key} takes words, a /pattern/, or a list of them`);
  };
  const matchers = async (key: string, given: unknown = value[key]): Promise<Matcher[]> =>
    given === undefined ? [] : Promise.all((Array.isArray(given) ? given : [given]).map((one) => matcher(one, key)));
  const given = value[ask];
  const several =
    ask === 'read' && Array.isArray(given) ? given.filter((one) => typeof one === 'string').join('\n') : given;
  const words = wordsOf(several, ask, fail);
  const isShared = sharedBy(text('as'), fail);
  const rows: readonly unknown[] =
    value.order === undefined ? [] : isListOfLists(value.order) ? value.order : [value.order];
  if (value.lines !== undefined && !isJsonObject(value.lines))
    fail('has no pairs at lines', 'Write lines: {words of a line: what that line has, too}');
  const pairs = Object.entries((value.lines ?? {}) as Record<string, unknown>);
  const first = value.first === undefined ? undefined : await matcher(value.first, 'first');
  const [on, asOf, session, note] = [text('on'), text('as_of'), text('session'), text('note')];
  const [limit, tokens] = [number('limit'), number('tokens')];
  const expectation: Expectation = {
    ...place,
    ask,
    words,
    isShared,
    ...defined({ on, asOf, session, limit, tokens, note, first }),
    must: await matchers('must'),
    // What was forgotten must not be said, whatever is asked.
    mustNot: [...(await matchers('must_not')), ...(ask === 'forgotten' ? [await matcher(words, ask)] : [])],
    once: await matchers('once'),
    order: await Promise.all(rows.map((row) => matchers('order', row))),
    lines: await Promise.all(
      pairs.map(async ([which, has]) => [await matcher(which, 'lines'), await matcher(has, 'lines')] as const),
    ),
    notCurrent: await matchers('not_current'),
  };
  if (ask !== 'forgotten' && conditions.every((key) => value[key] === undefined))
    fail('does not say what the answer must keep', `Add one of ${list(conditions)}`);
  return expectation;
}

function wordsOf(given: unknown, ask: ExpectedAsk, fail: (what: string, hint: string) => never): string {
  const takes = asks[ask];
  if (given === true || given === null) {
    if (takes !== 'words') return '';
    return fail(`does not say ${ask} of what`, `Write ${ask}: followed by words`);
  }
  if (takes === 'none') return fail(`gives ${ask} words`, `Write ${ask}: true`);
  if (typeof given === 'number' || (typeof given === 'string' && given.trim() !== '')) return String(given);
  return fail(`does not say ${ask} of what`, `Write ${ask}: followed by words`);
}

function sharedBy(as: string | undefined, fail: (what: string, hint: string) => never): boolean {
  if (as === undefined || as === 'owner') return false;
  return as === 'others' || fail(`is asked as ${as}`, 'as is owner, or others where others listen, too');
}

const isListOfLists = (value: unknown): value is unknown[][] =>
  Array.isArray(value) && value.length > 0 && value.every(Array.isArray);

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
