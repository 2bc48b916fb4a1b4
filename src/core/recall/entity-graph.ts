// Entities as a graph: read from their files, and changed all at once or not at all.

import { MemoryError, orElse } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import { slugOf } from '../../base/text.ts';
import type { Entity, EntityChange, EntityChangeResult, EntityGraph, EntityRelation } from '../../base/types.ts';
import { checkMemoryPath } from '../../store/guard/path.ts';
import {
  type EntityPage,
  isPerson,
  newEntityPage,
  newRelationsPage,
  readEntityPage,
  withObservations,
  withoutStretches,
  withRelations,
} from '../../store/records/entity-page.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { EditPlan, PlannedEdit } from '../write/edits.ts';

/** Folders whose files are entities. */
export const entityFolders = ['knowledge/people', 'knowledge/entities'] as const;
/** The file of relations between ends that both lack one. */
const relationsPath = 'knowledge/reference/relations.md';

/** Gives all entities and relations of a state. */
export function entityGraphOf(snapshot: Snapshot): EntityGraph {
  const { pages, loose } = pagesOf(snapshot);
  return {
    entities: pages.map((page) => ({ ...entityOf(page), path: page.path })),
    relations: [...pages, ...loose].flatMap(({ relations }) => relations.map(relationOf)),
  };
}

/** What a change came to, without what became of it in the batch. */
type Outcome = Pick<EntityChangeResult, 'created' | 'related' | 'observed'>;

/** Thrown by a plan under the lock when everything is already as it shall be. */
export class NothingToChange extends Error {}

/**
 * Plans a change of entities; `outcome` tells what the last call of the plan came to. Throws INVALID_ARGUMENT for names and texts that are
 * none; the plan NOT_FOUND for observations of an entity that is not there, {@link NothingToChange}.
 */
export function planEntityChange(change: EntityChange, now: number): { plan: EditPlan; outcome: () => Outcome } {
  checkChange(change);
  let outcome: Outcome = { created: [], related: [], observed: [] };
  const plan: EditPlan = (snapshot) => {
    const draft = new Draft(snapshot, now);
    outcome = {
      created: draft.create(change.create ?? []),
      related: draft.relate(change.relate ?? []),
      observed: (change.observe ?? []).map(({ name, observations }) => draft.observe(name, observations)),
    };
    draft.remove(change.remove ?? []);
    for (const { name, observations } of change.unobserve ?? []) draft.unobserve(name, observations);
    draft.unrelate(change.unrelate ?? []);
    const [first, ...rest] = draft.edits();
    if (first === undefined) throw new NothingToChange();
    return [first, ...rest];
  };
  return { plan, outcome: () => outcome };
}

/** The files of entities while they are changed, each with the text it began with. */
class Draft {
  private readonly pages = new Map<string, EntityPage>();
  private readonly before = new Map<string, string>();
  private readonly byName = new Map<string, string>();
  private readonly snapshot: Snapshot;
  private readonly now: number;

  constructor(snapshot: Snapshot, now: number) {
    this.snapshot = snapshot;
    this.now = now;
    const { pages, loose } = pagesOf(snapshot);
    for (const page of [...pages, ...loose]) {
      this.pages.set(page.path, page);
      this.before.set(page.path, page.text);
    }
    for (const { name, path } of pages) if (!this.byName.has(name)) this.byName.set(name, path);
  }

  create(entities: readonly Entity[]): Entity[] {
    return entities.filter((entity, at) => {
      const { name, entityType, observations } = entity;
      if (this.byName.has(name)) return false;
      const path = this.freePath(name, entityType);
      // One later than the other, so that they stay in the order in which they were given.
      const page = newEntityPage({ name, entityType, created: new Date(this.now + at).toISOString() });
      this.put(path, withObservations(page, observations));
      this.byName.set(name, path);
      return true;
    });
  }

  relate(relations: readonly EntityRelation[]): EntityRelation[] {
    const known = new Set([...this.pages.values()].flatMap((page) => page.relations.map(keyOf)));
    const fresh = relations.filter((relation) => {
      const key = keyOf(relation);
      if (known.has(key)) return false;
      known.add(key);
      return true;
    });
    const homeOf = ({ from, to }: EntityRelation) => this.byName.get(from) ?? this.byName.get(to) ?? relationsPath;
    for (const path of new Set(fresh.map(homeOf))) {
      const text = this.pages.get(path)?.text ?? this.snapshot.readText(path) ?? newRelationsPage();
      const added = fresh.filter((relation) => homeOf(relation) === path);
      this.put(
        path,
        withRelations(text, added, (name) => this.stemOf(name)),
      );
    }
    return fresh.map(relationOf);
  }

  observe(name: string, observations: readonly string[]): Outcome['observed'][number] {
    const path = this.byName.get(name);
    if (path === undefined) {
      const hint = 'Create it first; nothing was written';
      throw new MemoryError('NOT_FOUND', `no entity is called ${name}`, { where: 'observe', hint });
    }
    const page = this.pages.get(path)!;
    const known = new Set(page.observations.map(({ text }) => text));
    const fresh = observations.filter((text) => !known.has(text));
    this.put(path, withObservations(page.text, fresh));
    return { name, observations: fresh };
  }

  remove(names: readonly string[]): void {
    const gone = new Set(names);
    this.dropRelations(({ from, to }) => gone.has(from) || gone.has(to));
    for (const page of [...this.pages.values()]) {
      if (gone.has(page.name) && page.path !== relationsPath) this.pages.delete(page.path);
    }
    for (const name of gone) this.byName.delete(name);
  }

  unobserve(name: string, observations: readonly string[]): void {
    const page = this.pages.get(this.byName.get(name) ?? '');
    if (page === undefined) return;
    const gone = page.observations.filter(({ text }) => observations.includes(text));
    this.put(page.path, withoutStretches(page.text, gone));
  }

  unrelate(relations: readonly EntityRelation[]): void {
    const gone = new Set(relations.map(keyOf));
    this.dropRelations((relation) => gone.has(keyOf(relation)));
  }

  edits(): PlannedEdit[] {
    const paths = [...new Set([...this.before.keys(), ...this.pages.keys()])];
    return paths.flatMap((path): PlannedEdit[] => {
      const after = this.pages.get(path)?.text ?? null;
      return after === (this.before.get(path) ?? null) ? [] : [{ path, after }];
    });
  }

  private dropRelations(isGone: (relation: EntityRelation) => boolean): void {
    for (const page of [...this.pages.values()]) {
      const gone = page.relations.filter(isGone);
      if (gone.length > 0) this.put(page.path, withoutStretches(page.text, gone));
    }
  }

  private put(path: string, text: string): void {
    this.pages.set(path, readEntityPage(path, text)!);
  }

  private stemOf(name: string): string | undefined {
    return this.byName.get(name)?.replace(/^.*\/|\.md$/g, '');
  }

  /** The slug of the name, or with a hash of the name where another has that slug, or no system could hold it. */
  private freePath(name: string, entityType: string): string {
    const folder = entityFolders[isPerson(entityType) ? 0 : 1];
    const slug = slugOf(name);
    const isFree = (path: string) => {
      if (this.pages.has(path) || this.snapshot.oidOf(path) !== null) return false;
      return orElse(() => checkMemoryPath(path) === path, false);
    };
    const plain = `${folder}/${slug}.md`;
    // Of the user's own profile there is one, and passes write it.
    if (slug !== 'untitled' && slug !== 'profile' && isFree(plain)) return plain;
    return `${folder}/${slug}-${sha256Hex(name).slice(0, 12)}.md`;
  }
}

function pagesOf(snapshot: Snapshot): { pages: EntityPage[]; loose: EntityPage[] } {
  const read = (path: string): EntityPage[] => {
    const text = snapshot.readText(path);
    const page = text === null ? undefined : readEntityPage(path, text);
    return page === undefined ? [] : [page];
  };
  const pages = entityFolders
    .flatMap((folder) => [...snapshot.list(`${folder}/`).keys()])
    .filter((path) => /^knowledge\/[^/]+\/[^/_][^/]*\.md$/.test(path))
    .flatMap(read)
    .sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : a.path < b.path ? -1 : 1));
  return { pages, loose: read(relationsPath) };
}

function entityOf({ name, entityType, observations }: EntityPage): Entity {
  return { name, entityType, observations: observations.map(({ text }) => text) };
}

const relationOf = ({ from, to, relationType }: EntityRelation): EntityRelation => ({ from, to, relationType });

const keyOf = ({ from, to, relationType }: EntityRelation): string => JSON.stringify([from, relationType, to]);

function checkChange(change: EntityChange): void {
  const names = [
    ...(change.create ?? []).map(({ name }) => name),
    ...(change.relate ?? []).flatMap(({ from, to }) => [from, to]),
  ];
  const texts = [
    ...names,
    ...(change.create ?? []).flatMap(({ entityType, observations }) => [entityType, ...observations]),
    ...(change.relate ?? []).map(({ relationType }) => relationType),
    ...[...(change.observe ?? []), ...(change.unobserve ?? [])].flatMap(({ name, observations }) => [
      name,
      ...observations,
    ]),
    ...(change.remove ?? []),
    ...(change.unrelate ?? []).flatMap(({ from, to, relationType }) => [from, to, relationType]),
  ];
  if (!texts.every((text) => typeof text === 'string')) {
    throw new MemoryError('INVALID_ARGUMENT', 'names, types and observations of entities must be texts', {
      where: 'change',
    });
  }
  if (names.some((name) => name.trim() === ''))
    throw new MemoryError('INVALID_ARGUMENT', 'an entity needs a name', { where: 'name' });
}
