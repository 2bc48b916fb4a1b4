// What to tell whoever asks and may have meant something else: filters that fit nothing, names that are no filters, operators of other
// programs. Hints change no answer.

import { otherFilters } from '../base/generated/words.ts';
import { languageNamed } from '../base/languages.ts';
import { foldText, tokensOf } from '../base/tokenizer.ts';
import { memoryCategories } from '../base/types/stored-types.ts';
import { listed } from '../base/words.ts';
import { editDistance } from './edit-distance.ts';
import { type DocumentFilter, hasCategory, holdsFolded, isArchive, isIn, isSession, isSpeaker } from './filter.ts';
import type { Layout } from './layout.ts';
import { filterNames, type Query } from './query.ts';
import { documentCategories } from './search-document.ts';
import type { Facet } from './segment.ts';

const knownCategories: readonly string[] = [...documentCategories, ...memoryCategories, 'archive'];

/** A word and a colon in the place of a filter. */
const likeFilter = /(?<![^\s("“„])(\p{L}{2,12}):(?=[^\s/])/gu;
/** Names of filters that other programs have. */
const elsewhere = new Set(listed(otherFilters));
const without = /(?<!\S)-\p{L}[\p{L}\p{N}]+(?![\p{L}\p{N}-])/u;
const operator = /(?<![^\s(])(?:AND|OR|NOT|NEAR)(?=[\s(]|$)/;

/** Only so much of a query is looked at, and only so much said of it. */
const maxLooked = 2000;
const maxHints = 5;
/** Longer words of the same letters are other words. */
const maxOrdered = 12;

/** How many letters of a value may be others than meant. */
const editsOf = (value: string): number => (value.length < 4 ? 1 : value.length < 8 ? 2 : 3);

/** Counts edits; one that goes on counts as half, letters in another order as one. */
function distanceOf(wanted: string, known: string, limit: number): number {
  if (wanted.length > 2 && known.startsWith(wanted)) return 0.5;
  const distance = editDistance(known, wanted, limit);
  if (wanted.length !== known.length || wanted.length > maxOrdered) return distance;
  return [...wanted].sort().join('') === [...known].sort().join('') ? 1 : distance;
}

/** Finds the value that was probably meant: one that begins with what was asked for, or differs in few letters; else nothing. */
function meant(value: string, known: Iterable<string>): string | undefined {
  const wanted = foldText(value);
  const edits = editsOf(wanted);
  let best: { one: string; distance: number } | undefined;
  for (const one of known) {
    const folded = foldText(one);
    const distance = distanceOf(wanted, folded, edits);
    if (
      distance <= edits &&
      (best === undefined || distance < best.distance || (distance === best.distance && one < best.one))
    )
      best = { one, distance };
  }
  return best?.one;
}

/** Lists what the documents of a view share with others, each once. */
function facetsIn({ corpus, fileOf, size }: Layout): Facet[] {
  const { facets } = corpus.columns;
  const isUsed = new Uint8Array(corpus.facetCount);
  for (let slot = 0; slot < size; slot++) if (fileOf[slot]! >= 0) isUsed[facets[slot]!] = 1;
  const used: Facet[] = [];
  for (let number = 0; number < isUsed.length; number++) if (isUsed[number] === 1) used.push(corpus.facet(number));
  return used;
}

const quoted = (value: string): string => `“${value.length > 60 ? `${value.slice(0, 59)}…` : value}”`;

const asked = (what: string, value: string, near: string | undefined): string =>
  `Nothing here has the ${what} ${quoted(value)}${near === undefined ? '.' : `; did you mean ${near}?`}`;

function categoryHint(value: string, facets: readonly Facet[]): string {
  if (knownCategories.includes(value)) return `Nothing here is of the category ${value}.`;
  const there = new Set(facets.flatMap(({ category, kind }) => [category, ...(kind === undefined ? [] : [kind])]));
  const near = meant(value, there) ?? meant(value, knownCategories);
  const rest = near === undefined ? `; there are ${[...there].sort().join(', ')}.` : `; did you mean ${near}?`;
  return `There is no category ${quoted(value)}${rest}`;
}

/** Says of a query and its options what probably was meant otherwise; empty for most. */
export function hintsOf(query: string, parsed: Query, options: DocumentFilter, layout: Layout): string[] {
  const { filters } = parsed;
  const hints: string[] = [];
  const categories = [
    ...new Set([
      ...filters.categories.map((name) => name.toLowerCase()),
      ...(options.category === undefined ? [] : [options.category]),
    ]),
  ];
  const sessions = [...filters.sessions, ...(options.session === undefined ? [] : [options.session])];
  if (
    categories.length +
      sessions.length +
      filters.tags.length +
      filters.entities.length +
      filters.speakers.length +
      filters.languages.length >
    0
  ) {
    const facets = facetsIn(layout);
    const valuesOf = (name: 'tags' | 'entities'): Set<string> => new Set(facets.flatMap((facet) => facet[name] ?? []));
    for (const category of categories) {
      if (!isArchive(category) && !facets.some((facet) => hasCategory(facet, category)))
        hints.push(categoryHint(category, facets));
    }
    for (const [name, what, wanted] of [
      ['tags', 'tag', filters.tags],
      ['entities', 'entity', filters.entities],
    ] as const) {
      for (const value of new Set(wanted)) {
        if (facets.some((facet) => holdsFolded(facet[name], foldText(value)))) continue;
        hints.push(asked(what, value, meant(value, valuesOf(name))));
      }
    }
    for (const session of sessions) {
      if (facets.some((facet) => isSession(facet, session))) continue;
      hints.push(asked('session', session, meant(session, new Set(facets.flatMap((facet) => facet.session ?? [])))));
    }
    for (const speaker of filters.speakers) {
      if (facets.some((facet) => isSpeaker(facet, foldText(speaker)))) continue;
      hints.push(asked('speaker', speaker, meant(speaker, new Set(facets.flatMap((facet) => facet.speaker ?? [])))));
    }
    for (const language of filters.languages) {
      if (languageNamed(language) === undefined) hints.push(`No language ${quoted(language)} is known here.`);
      else if (!facets.some((facet) => isIn(facet, language))) hints.push(asked('language', language, undefined));
    }
  }
  for (const [, name] of query.slice(0, maxLooked).matchAll(likeFilter)) {
    const folded = name!.toLowerCase();
    if ((filterNames as readonly string[]).includes(folded)) continue;
    const near = meant(folded, filterNames);
    if (near === undefined && elsewhere.has(folded))
      hints.push(
        `${name}: is no filter and was read as words; there are ${filterNames.map((one) => `${one}:`).join(', ')}.`,
      );
    if (near !== undefined) hints.push(`${name}: is no filter and was read as words; did you mean ${near}:?`);
  }
  if (parsed.text !== '' && tokensOf(parsed.text).length === 0) {
    hints.push(`${quoted(parsed.text)} has no word that tells texts apart, so it was looked for as it stands.`);
  }
  const found = operator.exec(query.slice(0, maxLooked))?.[0];
  if (found !== undefined)
    hints.push(`${found} is no operator here: all words count, and exact:"a phrase" has to occur.`);
  const left = without.exec(query.slice(0, maxLooked))?.[0];
  if (left !== undefined) hints.push(`${left} leaves nothing out here; it was read as a word.`);
  return [...new Set(hints)].slice(0, maxHints);
}
