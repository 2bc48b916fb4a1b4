// Entities as a graph: who and what there is, what is known of each, how they relate.

import type { Redaction } from './basics-types.ts';

/** All entities of a state, oldest first, and all relations. */
export interface EntityGraph {
  readonly entities: readonly (Entity & { readonly path: string })[];
  readonly relations: readonly EntityRelation[];
}

/** What shall be changed, in this order, all of it or nothing. */
export interface EntityChange {
  /** Those whose name is there already are left as they are. */
  readonly create?: readonly Entity[];
  /** Those that are there already are left out. */
  readonly relate?: readonly EntityRelation[];
  /** What an entity has already is left out. */
  readonly observe?: readonly { readonly name: string; readonly observations: readonly string[] }[];
  /** By name; with all relations from and to them. What is not there is no error. */
  readonly remove?: readonly string[];
  readonly unobserve?: readonly { readonly name: string; readonly observations: readonly string[] }[];
  readonly unrelate?: readonly EntityRelation[];
}

/** What came of a change: what was not there before. */
export interface EntityChangeResult {
  readonly created: readonly Entity[];
  readonly related: readonly EntityRelation[];
  /** One for each of `observe`, in its order. */
  readonly observed: readonly { readonly name: string; readonly observations: readonly string[] }[];
  /** Whether something waits for the next commit: false where nothing had to change. */
  readonly pending: boolean;
  readonly redacted?: readonly Redaction[];
}

/** Somebody or something with a name; a file of knowledge/people or knowledge/entities. @handedBack */
export interface Entity {
  readonly name: string;
  /** A word of whoever wrote it, such as `person` or `library`. */
  readonly entityType: string;
  /** What is known of it, one thought each, in the order of the file. */
  readonly observations: readonly string[];
}

/** How one entity stands to another, both by name: `Ada` → `works at` → `Acme`. Neither needs to be there. */
export interface EntityRelation {
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}
