// Links between notes, as Obsidian writes and resolves them: which names in a sentence lead to which file.

import { slugOf } from '../../base/text.ts';

/** The files that can be linked to, by the slug of the name they go by. */
export type LinkTargets = ReadonlyMap<string, LinkTarget>;

interface LinkTarget {
  readonly path: string;
  /** Text of the link: the file name, or the end of the path where several files have that name. */
  readonly link: string;
}

const linked = /^knowledge\/(?:people|entities)\/([^/]+)\.md$|^knowledge\/projects\/([^/]+)\/(?:_index|context)\.md$/;
const mostWords = 4;

/** Collects what names can be linked: files of people and entities, and projects. */
export function linkTargetsOf(paths: Iterable<string>): LinkTargets {
  const stems = new Map<string, number>();
  const found = new Map<string, string>();
  for (const path of [...paths].sort()) {
    const stem = path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
    stems.set(stem, (stems.get(stem) ?? 0) + 1);
    const [, file, project] = linked.exec(path) ?? [];
    const name = file ?? project;
    // Of a project the index stands before the rest; of two files of one name nobody can say which is meant.
    if (name === undefined || name.startsWith('_') || name === 'profile') continue;
    if (!found.has(name) || path.endsWith('/_index.md')) found.set(name, path);
  }
  return new Map(
    [...found].map(([name, path]) => {
      const bare = path.slice('knowledge/'.length, -'.md'.length);
      const stem = bare.slice(bare.lastIndexOf('/') + 1);
      return [name, { path, link: stems.get(stem) === 1 ? stem : bare }];
    }),
  );
}

/**
 * Links the first mention of each name that has a file: `Ask Jonas` becomes `Ask [[jonas|Jonas]]`.
 *
 * A name begins with a capital and has up to four words; the longest one counts. `own` is the file of the sentence. What is linked
 * already, or is an address, code or a mark, stays as it is.
 */
export function withLinks(text: string, targets: LinkTargets, own: string): string {
  if (targets.size === 0) return text;
  const done = new Set([own]);
  // What must stay is cut out first; every second part is such a piece.
  const parts = text.split(/(\[\[[^\]]*\]\]|\[[^\]]*\](?:\([^)]*\))?|`[^`]*`|\bhttps?:\S+|\S+@\S+)/);
  return parts.map((part, at) => (at % 2 === 1 ? part : linkWords(part, targets, done))).join('');
}

function linkWords(text: string, targets: LinkTargets, done: Set<string>): string {
  const words = [...text.matchAll(/[\p{L}\p{N}]+(?:[-'’][\p{L}\p{N}]+)*/gu)];
  let result = '';
  let end = 0;
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at]!;
    if (!/^\p{Lu}/u.test(first[0])) continue;
    for (let count = Math.min(mostWords, words.length - at); count > 0; count -= 1) {
      const last = words[at + count - 1]!;
      const shown = text.slice(first.index, last.index + last[0].length).replace(/['’]s$/, '');
      const target = /^[^.!?;:,()\n]*$/.test(shown) ? targets.get(slugOf(shown)) : undefined;
      if (target === undefined) continue;
      if (!done.has(target.path)) {
        done.add(target.path);
        const link = target.link === shown ? shown : `${target.link}|${shown}`;
        result += `${text.slice(end, first.index)}[[${link}]]`;
        end = first.index + shown.length;
      }
      at += count - 1;
      break;
    }
  }
  return result + text.slice(end);
}
