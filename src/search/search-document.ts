// What recall can find: one document, and the kinds of places that documents come from. documents.ts makes them of files.

import type { Language } from '../base/languages.ts';
import type { MemoryRecord } from '../base/types/stored-types.ts';
import type { DocumentTerms } from './postings.ts';

/** Places within knowledge/; `core` is knowledge/memory/. */
export const knowledgeCategories = [
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
] as const;

/** What kind of place a document comes from; `memory` is a memory record. */
export const documentCategories = [
  'memory',
  'conversation',
  'daily',
  'artifact',
  'ledger',
  'event',
  'box',
  'topic',
  'item',
  ...knowledgeCategories,
  'other',
] as const;

/** One of {@link documentCategories}. */
export type DocumentCategory = (typeof documentCategories)[number];

/** One thing that recall can find: a memory, a markdown section, a turn of a conversation, a ledger event. */
export interface SearchDocument {
  /** Its place in its version of its file: what has the same key says the same, whatever view it is of. */
  readonly key: string;
  readonly path: string;
  readonly category: DocumentCategory;
  /** The 1-based line where it starts: the heading of a turn or section, the first line of a record. */
  readonly line: number;
  /** The 1-based line on which `text` begins; absent where it is a value inside the file. */
  readonly textLine?: number;
  readonly text: string;
  /** Topic of the conversation, or the headings above and of the section. */
  readonly title?: string;
  /** In which language its file is; absent where nothing tells. */
  readonly language?: Language;
  /** It is a passage: its file is found as a whole, and shows the best one. */
  readonly isPassage?: true;
  /** What a memory record says of where it comes from. */
  readonly context?: string;
  readonly tags?: readonly string[];
  readonly entities?: readonly string[];
  /** The id of a memory or ledger event. */
  readonly id?: string;
  readonly session?: string;
  /** 1-based number of the turn within its session. */
  readonly turn?: number;
  readonly speaker?: string;
  readonly role?: string;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly time?: number;
  /** Status of a memory; `archived` also for everything under archive/. */
  readonly status?: MemoryRecord['status'];
  readonly record?: MemoryRecord;
  /** Of an event: the memory that says the same, and the turn, `path#turn`, that both were taken from. */
  readonly tells?: { readonly memory: string; readonly source?: string };
}

/** A document that was read and has no place in a corpus yet. */
export type ReadDocument = Omit<SearchDocument, 'key'>;

/** A document with the terms it is found by. */
export interface IndexedDocument {
  readonly document: ReadDocument;
  readonly terms: DocumentTerms;
}

/** A document before its language and terms are known, with words it is found by that stand not in its text. */
export interface Draft {
  readonly document: Omit<ReadDocument, 'language'>;
  /** What the document itself is called, where that is not its title. */
  readonly called?: string;
  /** Words that belong to its text and stand before it: headings. */
  readonly headed?: string;
  /** Words around it, which count little. */
  readonly beside?: string;
}
