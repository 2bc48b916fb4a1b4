// What may be seen: by options of the call and by filters in the text of the query. Both have to let a document through.

import { foldText } from '../base/tokenizer.ts';
import type { DocumentCategory, SearchDocument } from './documents.ts';
import { holdsPhrase, type Query } from './query.ts';

/** Leaves documents out. */
export interface DocumentFilter {
  /**
   * A category of documents, `knowledge` for everything under knowledge/, or a kind of memory such as `decision`.
   *
   * `memory` finds memory records and knowledge/memory/.
   */
  readonly category?: string;
  /** Only what happened at this time or later, in milliseconds. What has no date is left out. */
  readonly since?: number;
  /** Only what happened at this time or earlier, in milliseconds. */
  readonly until?: number;
  /** Finds superseded and archived memories and archive/ too; default false. */
  readonly includeArchived?: boolean;
  /** Only this session, by its id. */
  readonly session?: string;
}

const knowledgeCategories: ReadonlySet<DocumentCategory> = new Set<DocumentCategory>([
  'core',
  'identity',
  'journal',
  'project',
  'person',
  'entity',
  'procedure',
  'principle',
  'insight',
  'reference',
  'knowledge',
]);

function hasCategory(document: SearchDocument, category: string): boolean {
  if (document.category === category || document.record?.category === category) return true;
  if (category === 'knowledge') return knowledgeCategories.has(document.category);
  return category === 'memory' && document.category === 'core';
}

const holdsFolded = (values: readonly string[] | undefined, wanted: string): boolean =>
  values?.some((value) => foldText(value) === wanted) ?? false;

/** Tells whether a session is meant by an id or by the beginning of one of at least four characters. */
function isSession(document: SearchDocument, wanted: string): boolean {
  const { session } = document;
  return session !== undefined && (session === wanted || (wanted.length >= 4 && session.startsWith(wanted)));
}

const anyOf = <Value>(values: readonly Value[], fits: (value: Value) => boolean): boolean =>
  values.length === 0 || values.some(fits);

/** Makes the test of what a query and its options let through. */
export function filterOf({ filters, phrases }: Query, options: DocumentFilter): (document: SearchDocument) => boolean {
  const since = Math.max(options.since ?? Number.NEGATIVE_INFINITY, filters.since ?? Number.NEGATIVE_INFINITY);
  const until = Math.min(options.until ?? Number.POSITIVE_INFINITY, filters.until ?? Number.POSITIVE_INFINITY);
  const isTimed = Number.isFinite(since) || Number.isFinite(until);
  const tags = filters.tags.map(foldText);
  const entities = filters.entities.map(foldText);
  const categories = filters.categories.map((category) => category.toLowerCase());
  const { category, session, includeArchived = false } = options;
  return (document) =>
    (includeArchived || (document.status !== 'archived' && document.status !== 'superseded')) &&
    (category === undefined || hasCategory(document, category)) &&
    (session === undefined || document.session === session) &&
    (!isTimed || (document.time !== undefined && document.time >= since && document.time <= until)) &&
    anyOf(categories, (wanted) => hasCategory(document, wanted)) &&
    anyOf(tags, (wanted) => holdsFolded(document.tags, wanted)) &&
    anyOf(entities, (wanted) => holdsFolded(document.entities, wanted)) &&
    anyOf(filters.sessions, (wanted) => isSession(document, wanted)) &&
    phrases.every((phrase) => holdsPhrase(document.text, phrase));
}
