// Which files are about the same thing, and what becomes of them: one file, with the other spellings as aliases.

import { orElse } from '../../base/errors.ts';
import { articles } from '../../base/generated/words.ts';
import { slugOf, splitLines } from '../../base/text.ts';
import { listed, oneOf } from '../../base/words.ts';
import { cutFrontMatter, formatFrontMatter, splitFrontMatter } from '../../store/records/front-matter.ts';
import { memoriesOfLine, sourcesOfLine } from '../../store/records/knowledge-marks.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import type { PassView } from './pass.ts';
import { untrustedTag } from './quoted.ts';

const article = new RegExp(`^${oneOf(listed(articles))} `, 'i');

/** A file of knowledge/entities or knowledge/people, with the names it goes by. */
export interface EntityFile {
  readonly path: string;
  readonly text: string;
  /** The name of the front matter, else the title, else that of the file. */
  readonly name: string;
  readonly aliases: readonly string[];
}

/** Brings a name into the form in which spellings are the same: `Git Hub`, `git-hub` and `GitHub` are `github`. */
export function entityKey(name: string): string {
  const bare = name
    .normalize('NFKC')
    .replace(article, '')
    .replace(/['’]s$/, '');
  const slug = slugOf(bare, 120).replaceAll('-', '');
  // What has no letter of Latin script is compared as it is.
  return slug === 'untitled' && bare.toLowerCase() !== 'untitled' ? bare.toLowerCase().replace(/\s+/g, '') : slug;
}

/** Where files about people and things lie. */
export const entityFolders = ['knowledge/entities/', 'knowledge/people/'] as const;

/**
 * Makes what brings the names of a state into their {@link entityKey}. A first name alone gets that of the person whose full name begins with it.
 * No other full name may do so, and nobody may have written a page for it. A speaker is a person, by either name, and so is one with a page.
 */
export function nameKeysOf({ snapshot, memories }: PassView): typeof entityKey {
  const [things = [], people = []] = entityFolders.map((folder) => entityFilesIn(snapshot, folder));
  const files = [...people, ...things];
  // Of a quote the subject is who says it.
  const speakers = new Set(
    memories.flatMap(({ record: { subject, statement, attribute, meta } }) =>
      (statement ?? attribute) === undefined && !meta.tags.includes(untrustedTag) ? [subject ?? ''] : [],
    ),
  );
  const persons = new Set([...people.map(({ name }) => name), ...speakers].map(entityKey));
  const written = new Set(files.filter(({ text }) => !isDerived(text)).map(({ name }) => entityKey(name)));
  const full = new Map<string, Set<string>>();
  const entities = new Set(memories.flatMap(({ record }) => record.entities));
  for (const name of [...files.map(({ name }) => name), ...speakers, ...entities]) {
    const words = name.split(' ');
    if (words.length < 2 || words.some(([first = '']) => first === first.toLowerCase())) continue;
    const key = entityKey(words[0]!);
    full.set(key, (full.get(key) ?? new Set()).add(entityKey(name)));
  }
  return (name) => {
    const key = entityKey(name);
    const [only = key, ...others] = full.get(key) ?? [];
    return others.length === 0 && (persons.has(only) || persons.has(key)) && !written.has(key) ? only : key;
  };
}

const isOfEngine = (line: string): boolean => memoriesOfLine(line).length + sourcesOfLine(line).length > 0;

/** Whether a page has nothing but headings and lines that name where they are from. */
function isDerived(text: string): boolean {
  const lines = splitLines(cutFrontMatter(text)?.body ?? text);
  return lines.every((line) => line.trim() === '' || line.startsWith('#') || isOfEngine(line));
}

/** Reads the names of a file; undefined when its front matter cannot be read. */
export function readEntityFile(path: string, text: string): EntityFile | undefined {
  const data = orElse(() => splitFrontMatter(text, path).data, undefined);
  if (data === undefined) return undefined;
  const title = /^# +(.+?)\s*$/m.exec(text)?.[1];
  const stem = path.slice(path.lastIndexOf('/') + 1, -'.md'.length).replaceAll('-', ' ');
  const name = typeof data.name === 'string' && data.name.trim() !== '' ? data.name.trim() : (title ?? stem);
  const aliases = Array.isArray(data.aliases) ? data.aliases.filter((one) => typeof one === 'string') : [];
  return { path, text, name, aliases };
}

/** Lists the files of a folder that are about somebody or something each; not lists, nor the profile. */
export function entityFilesIn(snapshot: Snapshot, folder: string): EntityFile[] {
  const isOne = (path: string) => /^(?!profile\.md$)[^_/][^/]*\.md$/.test(path.slice(folder.length));
  const paths = [...snapshot.list(folder).keys()].filter(isOne);
  return paths.flatMap((path) => readEntityFile(path, snapshot.readText(path) ?? '') ?? []);
}

/** Groups files that go by the same name, in any spelling; groups of one are left out. */
export function fragmentsIn(files: readonly EntityFile[], keyOf = entityKey): EntityFile[][] {
  const groups: { keys: Set<string>; files: EntityFile[] }[] = [];
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const keys = new Set([file.name, ...file.aliases].map(keyOf));
    const met = groups.filter((group) => [...keys].some((key) => group.keys.has(key)));
    const joined = {
      keys: new Set([...keys, ...met.flatMap((group) => [...group.keys])]),
      files: [...met.flatMap((group) => group.files), file],
    };
    for (const group of met) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups.filter((group) => group.files.length > 1).map((group) => group.files);
}

/**
 * Joins files about one thing into the text of the first. Sections of the same heading become one, lines that it has already are left out,
 * and the other names become aliases. A first name becomes none: another may come who has it. No line of any of them is lost.
 */
export function joinEntityFiles([first, ...others]: readonly [EntityFile, ...EntityFile[]], keyOf = entityKey): string {
  let text = first.text;
  const aliases = new Set(first.aliases);
  for (const other of others) {
    for (const name of [other.name, ...other.aliases])
      if (name !== first.name && keyOf(name) === entityKey(name)) aliases.add(name);
    text = joinBodies(text, cutFrontMatter(other.text)?.body ?? other.text);
  }
  const { data, body } = splitFrontMatter(text, first.path);
  const sorted = [...aliases].sort();
  return formatFrontMatter({ ...data, name: first.name, ...(sorted.length === 0 ? {} : { aliases: sorted }) }, body);
}

function joinBodies(text: string, other: string): string {
  const lines = splitLines(text);
  const known = new Set(lines.map((line) => line.trim()));
  for (const { heading, added } of sectionsOf(other)) {
    const fresh = added.filter((line) => line.trim() !== '' && !known.has(line.trim()));
    if (fresh.length === 0) continue;
    for (const line of fresh) known.add(line.trim());
    // Words before the first heading go before the first heading.
    const start = lines.findIndex((line) => (heading === '' ? /^# /.test(line) : line.trim() === heading));
    if (start < 0) {
      lines.push(...(lines.at(-1)?.trim() === '' ? [] : ['']), ...(heading === '' ? [] : [heading, '']), ...fresh);
      continue;
    }
    let end = lines.findIndex((line, at) => at > start && /^#{1,6} /.test(line));
    if (end < 0) end = lines.length;
    while (end > start + 1 && lines[end - 1]!.trim() === '') end -= 1;
    lines.splice(end, 0, ...(end === start + 1 ? [''] : []), ...fresh);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The lines below each heading; the title of the file is none. */
function sectionsOf(body: string): { heading: string; added: string[] }[] {
  const sections = [{ heading: '', added: [] as string[] }];
  for (const line of splitLines(body)) {
    if (/^# /.test(line)) continue;
    if (/^#{2,6} /.test(line)) sections.push({ heading: line.trim(), added: [] });
    else sections.at(-1)!.added.push(line);
  }
  return sections;
}
