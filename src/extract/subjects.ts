// What a memory is about: the person, and the file that is kept of him; the project that has a folder. Guessed from how the sentence is
// built and from what the conversation says; a doubt is nobody, and no project.

import * as words from '../base/generated/words.ts';
import { slugOf, upperFirst } from '../base/text.ts';
import { listed, oneOf } from '../base/words.ts';
import type { MemoryCategory, MemoryRecord, Transcript } from '../records/types.ts';

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

const name = "\\p{Upper}[\\p{Lower}'-]+(?: \\p{Upper}[\\p{Lower}'-]+)?";
const kin = `(?:[a-z-]+ ){0,2}?${oneOf(listed(words.kin))}`;
const possessives = oneOf(listed(words.possessives).flatMap((word) => [word, upperFirst(word)]));
/** "My wife Anna is a nurse." */
const kinFirst = new RegExp(`\\b${possessives} ${kin},? (?:(?:is |are )?(?:called |named )?)(${name})`, 'u');
/** "Anna is my wife", "Maria works at Acme", "David prefers lists". */
const nameFirst = new RegExp(
  `^(${name}),? (?:is (?:${possessives}|\\p{Upper}\\p{Alpha}+'s) ${kin}|${oneOf(listed(words.personDoes))})\\b`,
  'u',
);
/** "Maria is our platform lead": what a relation begins with is a person, but for the pets. */
const roleFirst = new RegExp(`^(${name}),? is (?!.*\\b${oneOf(listed(words.pets))}\\b)`, 'u');
const possessive = new RegExp(`^(${name})'s ${oneOf(listed(words.personHas))}\\b`, 'u');
const notPeople = new RegExp(`^${oneOf(listed(words.notPeople))}\\b`);
const aboutOneself: ReadonlySet<MemoryCategory | undefined> = new Set<MemoryCategory | undefined>([
  'preference',
  'relationship',
  'skill',
  'fact',
]);

/**
 * Finds the person a memory is about: the one it names first in a relation, a liking or a trait. Else it is the speaker, where he speaks of
 * himself. A file that has the first name of a longer one is that person's, if there is but one.
 */
export function personIn(
  record: MemoryRecord,
  speaker: string | undefined,
  knowledge: KnowledgeBase,
): Person | undefined {
  const { category, content } = record;
  if (!aboutOneself.has(category)) return undefined;
  const said = content.replace(/’/g, "'");
  const byRole = category === 'relationship' ? roleFirst.exec(said) : null;
  const named = (kinFirst.exec(said) ?? nameFirst.exec(said) ?? possessive.exec(said) ?? byRole)?.[1];
  if (named !== undefined && !notPeople.test(named)) return fileOf(named.replace(/'s$/, ''), knowledge);
  const isOneself = /\b(?:I|[Mm]y|[Mm]e)\b/.test(said);
  // A call sign or a role is not what somebody is called.
  if (!isOneself || speaker === undefined || !/^\p{Upper}\p{Lower}+(?: \p{Upper}[\p{Lower}'-]+)*$/u.test(speaker))
    return undefined;
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
