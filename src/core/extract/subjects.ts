// What a memory is about: the person, and the file that is kept of him; the project that has a folder. Guessed from how the sentence is
// built and from what the conversation says; a doubt is nobody, and no project.

import { oncePer } from '../../base/once-per.ts';
import { slugOf } from '../../base/text.ts';
import type { MemoryCategory, MemoryRecord, Transcript } from '../../base/types/stored-types.ts';
import { bare, namesIn, namesOf } from './names.ts';

/** What is known already, at the state that is planned against. */
export interface KnowledgeBase {
  read(path: string): string | null;
  /** Paths below a folder, which ends in `/`. */
  list(folder: string): Iterable<string>;
}

/** A person and his file. */
export interface Person {
  readonly name: string;
  readonly path: string;
}

/** Letters of a name that a person may have: neither an abbreviation nor a call sign. */
const personal = /^\p{Upper}[\p{Lower}'’-]+(?: \p{Upper}[\p{Lower}'’-]+)*$/u;
const ofPersons: ReadonlySet<MemoryCategory | undefined> = new Set<MemoryCategory | undefined>([
  'preference',
  'relationship',
  'skill',
  'fact',
]);

/** Tells by how a conversation writes a word whether it is a name; those who speak have one. */
export const namesOfTalk = oncePer((turns: Transcript['turns']) =>
  namesOf(
    turns.map(({ text }) => text),
    turns.flatMap(({ speaker }) => speaker ?? []),
  ),
);

/** Makes what tells whether a word is a name: by how a conversation writes it, or by the pages of people and things. */
export function namesKnown(turns: Transcript['turns'], knowledge: KnowledgeBase): (word: string) => boolean {
  const isOfTalk = namesOfTalk(turns);
  return (word) => {
    if (isOfTalk(word)) return true;
    const file = fileOf(bare(word), knowledge);
    return (
      file !== undefined &&
      [file.path, `knowledge/entities/${slugOf(bare(word))}.md`].some((path) => knowledge.read(path) !== null)
    );
  };
}

/**
 * Finds the person a memory is about: the first name of a relation, or the name that a liking or a trait begins with. The only name in a liking
 * counts, too, if that person has a file. Else it is the speaker, but for facts, which may be about anything. A file that has the first name of a longer one is that person's, if there is but one.
 */
export function personIn(
  { category, content, statement, entities }: MemoryRecord,
  speaker: string | undefined,
  { turns }: Pick<Transcript, 'turns'>,
  knowledge: KnowledgeBase,
): Person | undefined {
  if (!ofPersons.has(category)) return undefined;
  const given = statement === undefined ? [] : entities;
  const isKnown = namesKnown(turns, knowledge);
  const isName = (word: string): boolean => isKnown(word) || given.some((name) => name.startsWith(word));
  const [named, ...others] = new Set(namesIn(content, isName).filter((name) => personal.test(name)));
  if (named !== undefined && (category === 'relationship' || content.startsWith(named)))
    return fileOf(named, knowledge);
  const only = category === 'preference' && others.length === 0 && named !== undefined && fileOf(named, knowledge);
  if (only && knowledge.read(only.path) !== null) return only;
  if (category === 'fact' || speaker === undefined || !personal.test(speaker)) return undefined;
  return fileOf(speaker, knowledge);
}

function fileOf(called: string, knowledge: KnowledgeBase): Person | undefined {
  const slug = slugOf(called);
  if (slug === 'untitled') return undefined;
  const folder = 'knowledge/people/';
  const path = `${folder}${slug}.md`;
  const known = [...knowledge.list(folder)].filter((one) => one.endsWith('.md'));
  const longer = known.filter((one) => one.startsWith(`${folder}${slug}-`));
  return { name: called, path: !known.includes(path) && longer.length === 1 ? longer[0]! : path };
}

/** A project: the name of its folder, and what it is called. */
export interface Project {
  readonly slug: string;
  readonly name: string;
}

const projectFolder = 'knowledge/projects/';

/**
 * Finds the project of a memory, by the first of these that names one; undefined where none or several would do:
 *
 * - the `project` of the conversation's front matter, or a tag `project:<name>`
 * - the memory's words, where the project has a folder
 * - topic, title or tags of the conversation
 * - the only name that is called a project in it ("the Falcon project")
 */
export function projectOf(record: MemoryRecord, transcript: Transcript, knowledge: KnowledgeBase): Project | undefined {
  const said = transcript.unknown?.project ?? transcript.tags?.find((tag) => /^project[:/]/.test(tag))?.slice(8);
  if (typeof said === 'string' && slugOf(said) !== 'untitled') return { slug: slugOf(said), name: said.trim() };
  const named = projectNamedIn(transcript);
  const slugs = new Set<string>(named === undefined ? [] : [named.slug]);
  for (const path of knowledge.list(projectFolder)) {
    const [slug, rest] = path.slice(projectFolder.length).split('/');
    if (rest !== undefined && slug !== undefined && slug.length > 2) slugs.add(slug);
  }
  const places = [record.content, [transcript.topic, transcript.title, ...(transcript.tags ?? [])].join(' ')];
  for (const place of places) {
    const words = `-${slugOf(place, 4000)}-`;
    const found = [...slugs].filter((slug) => words.includes(`-${slug}-`));
    if (found.length > 1) return undefined;
    if (found.length === 1) return found[0] === named?.slug ? named : { slug: found[0]!, name: found[0]! };
  }
  return named;
}

const calledProject =
  /\b[Tt]he (\p{Upper}[\p{Alpha}\d]+(?: \p{Upper}[\p{Alpha}\d]+)?) project\b|\bproject (?:called|named) (\p{Upper}[\p{Alpha}\d]+)/gu;

/** The project that people speak of, if it is one only. */
function projectNamedIn({ turns }: Transcript): Project | undefined {
  const names = new Map<string, string>();
  for (const { role, speaker, text } of turns) {
    if (role !== 'user' && speaker === undefined) continue;
    for (const [, one, other] of text.matchAll(calledProject)) {
      const name = (one ?? other)!;
      names.set(slugOf(name), name);
    }
  }
  const [first] = names;
  return names.size === 1 && first !== undefined && first[0] !== 'untitled'
    ? { slug: first[0], name: first[1] }
    : undefined;
}
