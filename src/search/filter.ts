// What may be seen: by options of the call and by filters in the text of the query. Both have to let a document through.

import { languageNamed } from '../base/languages.ts';
import { oncePerValue } from '../base/once-per.ts';
import { withoutEndSlash } from '../base/text.ts';
import { dayMs, endOfDay, startOfDay } from '../base/time.ts';
import { foldText } from '../base/tokenizer.ts';
import type { Layout } from './layout.ts';
import { holdsPhrase, type Query } from './query.ts';
import { type DocumentCategory, knowledgeCategories } from './search-document.ts';
import { type Facet, flag } from './segment.ts';

/** Leaves documents out. */
export interface DocumentFilter {
  /**
   * A category of documents, `knowledge` for everything under knowledge/, or a kind of memory such as `decision`.
   *
   * `memory` finds memory records and knowledge/memory/; `archive` what is superseded or archived, and nothing else.
   */
  readonly category?: string;
  /** Only what happened at this time or later, in milliseconds. What has no date is left out. */
  readonly since?: number;
  /** Only what happened at this time or earlier, in milliseconds. */
  readonly until?: number;
  /** Finds archived memories and archive/ too; default false. */
  readonly includeArchived?: boolean;
  /** Only this session, by its id. */
  readonly session?: string;
  /** Only these files and what lies below these folders, as paths of the repository: `knowledge/people`. */
  readonly paths?: readonly string[];
  /** What is handed to nobody, whatever else lets it through. */
  readonly hidden?: HiddenDocuments;
  /** Decides when the day of a page begins and ends; default UTC. */
  readonly timeZone?: string;
}

/** Documents that stay unseen: turns of captures, path → 1-based numbers, and events of the ledger, by id. */
export interface HiddenDocuments {
  readonly turns: ReadonlyMap<string, ReadonlySet<number>>;
  readonly events: ReadonlySet<string>;
}

const ofKnowledge: ReadonlySet<DocumentCategory> = new Set(knowledgeCategories);

/** Tells whether a document is of a category, a kind of memory, or one of the wider names. */
export function hasCategory(document: Facet, category: string): boolean {
  if (document.category === category || document.kind === category) return true;
  if (category === 'knowledge') return ofKnowledge.has(document.category);
  return category === 'memory' && document.category === 'core';
}

/** Tells whether one of the values is the wanted one, which is folded. */
export const holdsFolded = (values: readonly string[] | undefined, wanted: string): boolean =>
  values?.some((value) => foldText(value) === wanted) ?? false;

/** Tells whether a session is meant by an id or by the beginning of one of at least four characters. */
export function isSession(document: Facet, wanted: string): boolean {
  const { session } = document;
  return session !== undefined && (session === wanted || (wanted.length >= 4 && session.startsWith(wanted)));
}

/** Tells whether somebody of this name spoke, or of a name that it is a part of; the name is folded. */
export function isSpeaker({ speaker }: Facet, wanted: string): boolean {
  return speaker !== undefined && ` ${foldText(speaker)} `.includes(` ${wanted} `);
}

/** Tells whether a document is in a language, by its code or its name; what tells of none is read as English. */
export function isIn({ language = 'en' }: Facet, wanted: string): boolean {
  return language === languageNamed(wanted);
}

/** Names no kind of document but what has been put aside. In a query it stands beside other categories, not for one of them. */
export const isArchive = (category: string): boolean => /^archived?$/i.test(category);

const anyOf = <Value>(values: readonly Value[], fits: (value: Value) => boolean): boolean =>
  values.length === 0 || values.some(fits);

/** Makes the test of what a query and its options let through, by slot of the view. */
export function filterOf(
  { filters, phrases }: Query,
  options: DocumentFilter,
  layout: Layout,
): (slot: number) => boolean {
  const since = Math.max(options.since ?? Number.NEGATIVE_INFINITY, filters.since ?? Number.NEGATIVE_INFINITY);
  const until = Math.min(options.until ?? Number.POSITIVE_INFINITY, filters.until ?? Number.POSITIVE_INFINITY);
  const isWithin = timeTest(since, until, options.timeZone);
  const wantsArchive = [options.category ?? '', ...filters.categories].some(isArchive);
  // What was superseded is part of what is known of the past; who shows it says that it is over.
  const isShown = (flags: number): boolean =>
    wantsArchive
      ? (flags & flag.hidden) !== 0
      : (flags & flag.hidden) === 0 || (flags & flag.superseded) !== 0 || options.includeArchived === true;
  const { flags, times, facets } = layout.corpus.columns;
  const hasFacet = facetTest(filters, options, layout);
  const isBelow = pathTest(options.paths, layout);
  const isHidden = hiddenTest(options.hidden, layout);
  return (slot) =>
    layout.fileOf[slot]! >= 0 &&
    isShown(flags[slot]!) &&
    isWithin(times[slot]!) &&
    (hasFacet === undefined || hasFacet(facets[slot]!)) &&
    (isBelow === undefined || isBelow(layout.fileOf[slot]!)) &&
    !isHidden?.(slot) &&
    (phrases.length === 0 || phrases.every((phrase) => holdsPhrase(layout.document(slot).text, phrase)));
}

/** Years have four digits until then. */
const farthest = Date.UTC(9999, 0);

/**
 * Tests a time between two others, in milliseconds; what has none is in no stretch of time. A page says its day alone, and its time is that
 * of its beginning in UTC. It is within where any of the day is, in the zone.
 */
function timeTest(since: number, until: number, timeZone = 'UTC'): (time: number) => boolean {
  if (!Number.isFinite(since) && !Number.isFinite(until)) return () => true;
  const edgesOf = oncePerValue((time: number) => {
    const day = new Date(time).toISOString().slice(0, 10);
    return [startOfDay(day, timeZone), endOfDay(day, timeZone)] as const;
  });
  return (time) => {
    if (time % dayMs !== 0 || Math.abs(time) > farthest) return time >= since && time <= until;
    const [from, to] = edgesOf(time);
    return from <= until && to >= since;
  };
}

/** Tests what many documents share, once for all of them; undefined when everything is let through. */
function facetTest(
  filters: Query['filters'],
  { category: named, session }: DocumentFilter,
  { corpus }: Layout,
): ((number: number) => boolean) | undefined {
  const tags = filters.tags.map(foldText);
  const entities = filters.entities.map(foldText);
  const category = named === undefined || isArchive(named) ? undefined : named;
  const categories = filters.categories.filter((name) => !isArchive(name)).map((name) => name.toLowerCase());
  const speakers = filters.speakers.map(foldText);
  const { sessions, languages } = filters;
  const lists = [tags, entities, categories, sessions, speakers, languages];
  if (category === undefined && session === undefined && lists.every(({ length }) => length === 0)) return undefined;
  const fits = (facet: Facet): boolean =>
    (category === undefined || hasCategory(facet, category)) &&
    (session === undefined || facet.session === session) &&
    anyOf(categories, (wanted) => hasCategory(facet, wanted)) &&
    anyOf(tags, (wanted) => holdsFolded(facet.tags, wanted)) &&
    anyOf(entities, (wanted) => holdsFolded(facet.entities, wanted)) &&
    anyOf(sessions, (wanted) => isSession(facet, wanted)) &&
    anyOf(speakers, (wanted) => isSpeaker(facet, wanted)) &&
    anyOf(languages, (wanted) => isIn(facet, wanted));
  return oncePerValue((number: number) => fits(corpus.facet(number)));
}

/** Tests the path of a file, by its number and once for all its documents; undefined when every path is let through. */
function pathTest(paths: readonly string[] | undefined, { corpus }: Layout): ((file: number) => boolean) | undefined {
  if (paths === undefined) return undefined;
  const folders = paths.map((path) => `${withoutEndSlash(path)}/`);
  return oncePerValue((number: number) => {
    const path = `${corpus.files.at(number).path}/`;
    return folders.some((folder) => path.startsWith(folder) || folder === '/');
  });
}

/** Tests for what is to stay unseen; undefined where nothing is. Only documents of files that have some are decoded. */
function hiddenTest(hidden: HiddenDocuments | undefined, layout: Layout): ((slot: number) => boolean) | undefined {
  if (hidden === undefined || hidden.turns.size + hidden.events.size === 0) return undefined;
  const { turns, events } = hidden;
  const hasSome = oncePerValue((number: number) => {
    const path = layout.corpus.files.at(number).path;
    return turns.has(path) || (events.size > 0 && path.startsWith('ledger/'));
  });
  return (slot) => {
    if (!hasSome(layout.fileOf[slot]!)) return false;
    const { path, turn, id, line, textLine = line, text } = layout.document(slot);
    if (id !== undefined && events.has(id)) return true;
    const gone = turns.get(path);
    if (gone === undefined || turn !== undefined) return gone?.has(turn!) === true;
    // A section of a daily note: its turns are its lines.
    const end = textLine + text.split('\n').length;
    return [...gone].some((at) => at >= line && at < end);
  };
}
