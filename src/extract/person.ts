// Whom a memory is about, and the file that is kept of him. Guessed from how the sentence is built; a doubt is nobody.

import { slugOf } from '../base/text.ts';
import type { MemoryCategory, MemoryRecord } from '../records/types.ts';
import type { KnowledgeBase } from './knowledge.ts';
import { kin } from './rules/people.ts';

/** A person and his file. */
export interface Person {
  readonly name: string;
  readonly path: string;
}

const name = "\\p{Lu}[\\p{Ll}'-]+(?: \\p{Lu}[\\p{Ll}'-]+)?";
/** "My wife Anna is a nurse." */
const kinFirst = new RegExp(
  `\\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) (?:[a-z-]+ ){0,2}?(?:${kin}),? (?:(?:is |are )?(?:called |named )?)(${name})`,
  'u',
);
/** "Anna is my wife", "Maria works at Acme", "David prefers lists". */
const nameFirst = new RegExp(
  `^(${name}),? (?:is (?:my|our|his|her|their|\\p{Lu}\\p{L}+'s) (?:[a-z-]+ ){0,2}?(?:${kin})\\b|(?:works|reports|manages|lives|is married|is engaged|is dating|is responsible|is in charge|prefers|likes|loves|hates|dislikes|enjoys|insists|can't stand|doesn't like)\\b)`,
  'u',
);
/** "Maria is our platform lead": what a relation begins with is a person, but for the pets. */
const roleFirst = new RegExp(`^(${name}),? is (?!.*\\b(?:dog|cat|puppy|kitten)\\b)`, 'u');
const possessive = new RegExp(`^(${name})'s (?:birthday|anniversary|e-?mail|phone number|address|favou?rite)\\b`, 'u');
const notPeople =
  /^(?:The|This|That|It|He|She|They|There|We|You|I|My|Our|Your|User|Client|Customer|Team|Everyone|Nobody)\b/;
const aboutOneself: ReadonlySet<MemoryCategory | undefined> = new Set<MemoryCategory | undefined>([
  'preference',
  'relationship',
  'skill',
  'fact',
]);

/**
 * Finds the person a memory is about: the one it names first in a relation, a liking or a trait; else its speaker, where he speaks of
 * himself. A file that has the first name of a longer one is that person's, if there is but one.
 */
export function personIn(
  record: MemoryRecord,
  speaker: string | undefined,
  knowledge: KnowledgeBase,
): Person | undefined {
  const { category, content } = record;
  if (!aboutOneself.has(category)) return undefined;
  const words = content.replace(/’/g, "'");
  const byRole = category === 'relationship' ? roleFirst.exec(words) : null;
  const named = (kinFirst.exec(words) ?? nameFirst.exec(words) ?? possessive.exec(words) ?? byRole)?.[1];
  if (named !== undefined && !notPeople.test(named)) return fileOf(named.replace(/'s$/, ''), knowledge);
  const isOneself = /\b(?:I|[Mm]y|[Mm]e)\b/.test(words);
  // A call sign or a role is not what somebody is called.
  if (!isOneself || speaker === undefined || !/^\p{Lu}\p{Ll}+(?: \p{Lu}[\p{Ll}'-]+)*$/u.test(speaker)) return undefined;
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
