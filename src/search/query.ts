// The text of a query as people type it: words, quoted or not, and filters such as tag:x, before:2026-02 or exact:"power down".

import { MemoryError } from '../base/errors.ts';
import { singleSpaced } from '../base/text.ts';
import { endOfDay, parseTime } from '../base/time.ts';
import { foldText } from '../base/tokenizer.ts';

/** What a query asks for. */
export interface Query {
  /** Without filters; what is quoted, or exact, is among its words. May be blank. */
  readonly text: string;
  /** Folded; each has to occur in a hit as it stands. */
  readonly phrases: readonly string[];
  readonly filters: QueryFilters;
}

/** Filters of one name are alternatives (`tag:a tag:b` is either); those of different names all hold. */
export interface QueryFilters {
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly entities: readonly string[];
  readonly sessions: readonly string[];
  readonly speakers: readonly string[];
  readonly languages: readonly string[];
  /** In milliseconds, included. */
  readonly since?: number;
  readonly until?: number;
}

/** The filters that a query may hold. */
export const filterNames = [
  'category',
  'tag',
  'entity',
  'session',
  'speaker',
  'language',
  'exact',
  'before',
  'after',
  'since',
  'until',
] as const;

//                    name           : "value" or value
const filterPattern = new RegExp(
  `(?<![^\\s("“„])(${filterNames.join('|')}):(?:["“„]([^"“”„]*)["”“]|([^\\s"“”„]+))`,
  'giu',
);
const quotes = /["“”„«»]/gu;

const listOf = {
  category: 'categories',
  tag: 'tags',
  entity: 'entities',
  session: 'sessions',
  speaker: 'speakers',
  language: 'languages',
} as const;

/** Gives the first moment of a year, month or day in a time zone, and that of the next. */
function spanOf(value: string, timeZone: string): { start: number; end: number } | undefined {
  const match = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(value);
  if (match === null) return undefined;
  const [, year, month, day] = match;
  const first = Date.parse(`${year}-${month ?? '01'}-${day ?? '01'}T00:00:00Z`);
  if (Number.isNaN(first) || (day !== undefined && new Date(first).getUTCDate() !== Number(day))) return undefined;
  const next = new Date(first);
  if (day !== undefined) next.setUTCDate(next.getUTCDate() + 1);
  else if (month !== undefined) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCFullYear(next.getUTCFullYear() + 1);
  const startOf = (utc: number): number =>
    endOfDay(new Date(utc - 86_400_000).toISOString().slice(0, 10), timeZone) + 1;
  return { start: startOf(first), end: startOf(next.getTime()) };
}

function timesOf(name: string, value: string, timeZone: string): { since?: number; until?: number } {
  const span = spanOf(value, timeZone);
  if (span === undefined && /^\d{4}(?:-\d\d){0,2}$/.test(value)) {
    throw new MemoryError('INVALID_DATE', `${JSON.stringify(value)} is no day of any calendar`, {
      where: name,
      hint: 'Write it as 2026, 2026-02, 2026-02-16 or 2026-02-16T18:45:00Z',
    });
  }
  const { start, end } = span ?? { start: parseTime(value, name), end: parseTime(value, name) + 1 };
  switch (name) {
    case 'before':
      return { until: start - 1 };
    case 'until':
      return { until: end - 1 };
    default:
      return { since: start };
  }
}

/**
 * Parses a query.
 *
 * ```
 * exact:"power down" tag:eps after:1970-04-13 battery
 *   → text 'power down battery', phrases ['power down'], tags ['eps'], since the first moment of that day
 * ```
 *
 * A time is a year, month, day or moment: `before:` ends ahead of it, `after:` and `since:` begin with it, `until:` includes it.
 * A name followed by a space is an ordinary word (`note: buy milk`). What is quoted is read as words; words that
 * stand together rank higher where they stand together.
 *
 * @throws MemoryError INVALID_ARGUMENT for what is no text, INVALID_DATE for a time that cannot be read.
 */
export function parseQuery(query: string, timeZone: string): Query {
  if (typeof query !== 'string') throw new MemoryError('INVALID_ARGUMENT', 'a query is a text', { where: 'query' });
  const lists = {
    categories: [] as string[],
    tags: [] as string[],
    entities: [] as string[],
    sessions: [] as string[],
    speakers: [] as string[],
    languages: [] as string[],
  };
  const phrases: string[] = [];
  let since: number | undefined;
  let until: number | undefined;
  const withoutFilters = query.replace(filterPattern, (_, name: string, quoted?: string, bare?: string) => {
    const key = name.toLowerCase();
    const value = (quoted ?? bare ?? '').trim();
    if (value === '') return ' ';
    if (key === 'exact') {
      const phrase = foldText(value);
      if (phrase !== '') phrases.push(phrase);
      return ` ${value} `;
    }
    if (key in listOf) lists[listOf[key as keyof typeof listOf]].push(value);
    else {
      const times = timesOf(key, value, timeZone);
      if (times.since !== undefined) since = Math.max(since ?? times.since, times.since);
      if (times.until !== undefined) until = Math.min(until ?? times.until, times.until);
    }
    return ' ';
  });
  return {
    text: singleSpaced(withoutFilters.replace(quotes, ' ')).trim(),
    phrases,
    filters: {
      ...lists,
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    },
  };
}

/** Tells whether a text holds a folded phrase, from the beginning of a word to the end of one. */
export function holdsPhrase(text: string, phrase: string): boolean {
  return ` ${foldText(text)} `.includes(` ${phrase} `);
}
