// Which project a memory belongs to: one that has a folder and is named, or the one that the conversation says it is about.

import { slugOf } from '../base/text.ts';
import type { MemoryRecord, Transcript } from '../records/types.ts';
import type { KnowledgeBase } from './knowledge.ts';

/** A project: the name of its folder, and what it is called. */
export interface Project {
  readonly slug: string;
  readonly name: string;
}

const folder = 'knowledge/projects/';

/**
 * Finds the project of a memory: the `project` of the conversation's front matter or a tag `project:<name>`, else the project with a folder
 * that its words name, else the one that topic, title or tags of the conversation name, else the only one that is called a project in it
 * ("the Falcon project"). Undefined where none or several would do.
 */
export function projectOf(record: MemoryRecord, transcript: Transcript, knowledge: KnowledgeBase): Project | undefined {
  const said = transcript.unknown?.project ?? transcript.tags?.find((tag) => /^project[:/]/.test(tag))?.slice(8);
  if (typeof said === 'string' && slugOf(said) !== 'untitled') return { slug: slugOf(said), name: said.trim() };
  const named = namedIn(transcript);
  const slugs = new Set<string>(named === undefined ? [] : [named.slug]);
  for (const path of knowledge.list(folder)) {
    const [slug, rest] = path.slice(folder.length).split('/');
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

const called =
  /\b[Tt]he (\p{Lu}[\p{L}\p{N}]+(?: \p{Lu}[\p{L}\p{N}]+)?) project\b|\bproject (?:called|named) (\p{Lu}[\p{L}\p{N}]+)/gu;

/** The project that people speak of, if it is one only. */
function namedIn({ turns }: Transcript): Project | undefined {
  const names = new Map<string, string>();
  for (const { role, speaker, text } of turns) {
    if (role !== 'user' && speaker === undefined) continue;
    for (const [, one, other] of text.matchAll(called)) {
      const name = (one ?? other)!;
      names.set(slugOf(name), name);
    }
  }
  const [first] = names;
  return names.size === 1 && first !== undefined && first[0] !== 'untitled'
    ? { slug: first[0], name: first[1] }
    : undefined;
}
