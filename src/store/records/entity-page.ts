// The file of an entity: its name and kind in the front matter, below it lists of what is known and of its relations. Texts come back as
// they were, whatever is in them; which files there are, and what a change does to them, is decided elsewhere.

import { jsonObjectIn } from '../../base/canonical-json.ts';
import { oneLine, splitLines } from '../../base/text.ts';
import type { Entity, EntityRelation } from '../../base/types/entities-types.ts';
import { cutFrontMatter, formatFrontMatter, splitFrontMatter } from './front-matter.ts';
import { knowledgeItems, withoutItems } from './knowledge-items.ts';
import { isUnfinished } from './unfinished-merge.ts';

/** Lines of a file, from the first to behind the last. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A file as an entity. */
export interface EntityPage extends Omit<Entity, 'observations'> {
  readonly path: string;
  readonly text: string;
  /** When it was made, ISO 8601; empty where the file does not say. */
  readonly created: string;
  readonly observations: readonly (Stretch & { readonly text: string })[];
  readonly relations: readonly (Stretch & EntityRelation)[];
}

const headings = { observations: 'Observations', relations: 'Relations' } as const;
const bullet = /^[-*+](?: ([\s\S]*)|)$/;
const headingLine = /^#{1,6}(?:[ \t]|$)/;
const maxTitle = 120;

/**
 * Reads a file; undefined when its front matter cannot be read.
 *
 * ```
 * ---
 * type: person                      person in knowledge/people, else entity
 * name: Ada Lovelace                else the title, else the name of the file
 * entity_type: Mathematician        the word of whoever wrote it; else the type
 * created: 2026-02-16T09:00:00.000Z
 * ---
 *
 * # Ada Lovelace
 *
 * ## Observations
 *
 * - Speaks Spanish                  an item each, byte for byte; further lines are indented by two spaces
 *
 * ## Relations
 *
 * - [[ada-lovelace|Ada Lovelace]] works at [[Acme]]
 * ```
 *
 * Items of other lists, which people and passes write, are observations too: their words, without marks.
 */
export function readEntityPage(path: string, text: string): EntityPage | undefined {
  let data: Record<string, unknown>;
  if (isUnfinished(path, text)) return undefined;
  try {
    ({ data } = splitFrontMatter(text, path));
  } catch {
    return undefined;
  }
  const lines = text.split('\n');
  const first = firstLineOf(text);
  const observed = sectionsNamed(headings.observations, lines, first);
  const related = sectionsNamed(headings.relations, lines, first);
  const ours = (at: number) => [...observed, ...related].some(({ start, end }) => at >= start && at < end);
  const others = knowledgeItems(text)
    .filter(({ start, words }) => !ours(start) && words !== '')
    .map(({ start, end, words }) => ({ start, end, text: words }));
  const own = observed.flatMap((section) => itemsIn(lines, section));
  const relations = related
    .flatMap((section) => itemsIn(lines, section))
    .flatMap(({ start, end, text: item }) => {
      const relation = parseRelationItem(item);
      return relation === undefined ? [] : [{ start, end, ...relation }];
    });
  const type = textOf(data.type) ?? (path.includes('/people/') ? 'person' : 'entity');
  return {
    path,
    text,
    name: textOf(data.name) ?? titleOf(lines.slice(first)) ?? stemOf(path),
    entityType: typeof data.entity_type === 'string' ? data.entity_type : type,
    created: textOf(data.created) ?? '',
    observations: [...own, ...others].sort((a, b) => a.start - b.start),
    relations,
  };
}

/** Makes the file of an entity without observations. `created` is a time of ISO 8601. */
export function newEntityPage(entity: Omit<Entity, 'observations'> & { created: string }): string {
  const { name, entityType, created } = entity;
  const type = isPerson(entityType) ? 'person' : 'entity';
  const front = { type, name, entity_type: entityType, created };
  return formatFrontMatter(front, `\n# ${oneLine(name, maxTitle)}\n`);
}

/** Makes a file for relations between entities that have none. */
export const newRelationsPage = (): string => '# Relations\n';

/** Tells whether the file of an entity of this type stands among people. */
export const isPerson = (entityType: string): boolean => /^(?:person|people|human|user)$/i.test(entityType.trim());

/** Adds observations at the end of their list. */
export const withObservations = (text: string, observations: readonly string[]): string =>
  appended(text, headings.observations, observations);

/** Adds relations at the end of their list. `stemOf` gives the name of the file of an entity, for links that lead there. */
export function withRelations(
  text: string,
  relations: readonly EntityRelation[],
  stemOfName: (name: string) => string | undefined,
): string {
  return appended(
    text,
    headings.relations,
    relations.map((relation) => formatRelationItem(relation, stemOfName)),
  );
}

/** Takes observations or relations of a page out; all other bytes stay. */
export const withoutStretches = (text: string, stretches: readonly Stretch[]): string =>
  stretches.length === 0 ? text : withoutItems(text, stretches);

/** Writes a relation as links where its names allow it, else as JSON. */
function formatRelationItem(relation: EntityRelation, stemOfName: (name: string) => string | undefined): string {
  const link = (name: string) => {
    const stem = stemOfName(name);
    return stem === undefined || stem === name ? `[[${name}]]` : `[[${stem}|${name}]]`;
  };
  const { from, to, relationType } = relation;
  const words = `${link(from)} ${relationType} ${link(to)}`;
  const read = parseRelationItem(words);
  const isSame = read?.from === from && read.to === to && read.relationType === relationType;
  return isSame ? words : `\`${JSON.stringify({ from, relationType, to })}\``;
}

const linked = /^\[\[(?:[^[\]|\n]*\|)?([^[\]|\n]+)\]\] (.+?) \[\[(?:[^[\]|\n]*\|)?([^[\]|\n]+)\]\]$/;

function parseRelationItem(item: string): EntityRelation | undefined {
  const [, from, relationType, to] = linked.exec(item) ?? [];
  if (from !== undefined && relationType !== undefined && to !== undefined) return { from, to, relationType };
  const json = /^`(\{[\s\S]*\})`$/.exec(item)?.[1];
  const { from: one, to: other, relationType: type } = jsonObjectIn(json ?? '') ?? {};
  if (typeof one !== 'string' || typeof other !== 'string' || typeof type !== 'string') return undefined;
  return { from: one, to: other, relationType: type };
}

/** The lines below each heading of the second level of that name, up to the next heading. */
function sectionsNamed(name: string, lines: readonly string[], first: number): Stretch[] {
  const found: Stretch[] = [];
  for (let at = first; at < lines.length; at += 1) {
    if (lines[at]!.trimEnd() !== `## ${name}`) continue;
    let end = at + 1;
    while (end < lines.length && !headingLine.test(lines[end]!)) end += 1;
    found.push({ start: at + 1, end });
    at = end - 1;
  }
  return found;
}

function itemsIn(lines: readonly string[], section: Stretch): (Stretch & { text: string })[] {
  const items: (Stretch & { text: string })[] = [];
  for (let at = section.start; at < section.end; ) {
    const words = bullet.exec(lines[at]!);
    let end = at + 1;
    if (words !== null) {
      while (end < section.end && lines[end]!.startsWith('  ')) end += 1;
      const text = [words[1] ?? '', ...lines.slice(at + 1, end).map((line) => line.slice(2))].join('\n');
      items.push({ start: at, end, text });
    }
    at = end;
  }
  return items;
}

function appended(text: string, heading: string, items: readonly string[]): string {
  if (items.length === 0) return text;
  const written = items.flatMap((item) => item.split('\n').map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`)));
  const lines = text.split('\n');
  const first = firstLineOf(text);
  const section = sectionsNamed(heading, lines, first).at(-1);
  if (section === undefined) {
    // What is known stands before how it relates.
    const behind = heading === headings.observations ? sectionsNamed(headings.relations, lines, first)[0] : undefined;
    if (behind !== undefined) {
      lines.splice(behind.start - 1, 0, `## ${heading}`, '', ...written, '');
      return lines.join('\n');
    }
    // Spaces at the end may be those of an observation.
    const body = text.replace(/\n+$/, '');
    return `${body}${body === '' ? '' : '\n\n'}## ${heading}\n\n${written.join('\n')}\n`;
  }
  let end = section.end;
  while (end > section.start && lines[end - 1] === '') end -= 1;
  lines.splice(end, 0, ...(end === section.start ? [''] : []), ...written);
  return lines.join('\n').replace(/\n*$/, '\n');
}

/** The line on which the text below the front matter begins. */
function firstLineOf(text: string): number {
  const head = cutFrontMatter(text);
  return head === undefined ? 0 : splitLines(text.slice(0, text.length - head.body.length)).length;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function titleOf(body: readonly string[]): string | undefined {
  for (const line of body) {
    const title = /^# +(.+?)\s*$/.exec(line)?.[1];
    if (title !== undefined) return title;
  }
  return undefined;
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length).replaceAll('-', ' ');
