// Links between notes, as Obsidian writes and resolves them: which names in a sentence lead to which file.

import { months, weekdays } from '../../base/generated/times.ts';
import { noNames, titles } from '../../base/generated/words.ts';
import { slugOf } from '../../base/text.ts';
import { listed, oneOf } from '../../base/words.ts';

/** The files that can be linked to, by the slug of the name they go by. */
export type LinkTargets = ReadonlyMap<string, LinkTarget>;

interface LinkTarget {
  readonly path: string;
  /** Text of the link: the file name, or the end of the path where several files have that name. */
  readonly link: string;
}

const linked = /^knowledge\/(?:people|entities)\/([^/]+)\.md$|^knowledge\/projects\/([^/]+)\/(?:_index|context)\.md$/;
const peopleFolder = 'knowledge/people/';
const mostWords = 4;
/** A capital, and yet no part of a name beside it. */
const isNoName = new RegExp(
  `^${oneOf([...listed(noNames), ...listed(titles), ...months.flat(), ...weekdays])}(?:['’].*)?$`,
  'i',
);

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
  const people = [...found].filter(([, path]) => path.startsWith(peopleFolder));
  // Of several people with one first name nobody can say which is meant by it alone.
  const shared = people.filter(([name]) => people.some(([other]) => other.startsWith(`${name}-`)));
  for (const [name] of shared) found.delete(name);
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
 * A name begins with a capital and has up to four words; the longest one counts. A word beside which another name stands is part of a longer
 * one, and leads to no person or entity. `own` is the file of the sentence. What is linked
 * already, or is an address, code or a mark, stays as it is.
 */
export function withLinks(text: string, targets: LinkTargets, own: string): string {
  if (targets.size === 0) return text;
  const done = new Set([own]);
  // What must stay is cut out first; every second part is such a piece.
  const parts = text.split(/(\[\[[^\]]*\]\]|\[[^\]]*\](?:\([^)]*\))?|`[^`]*`|\bhttps?:\S+|\S+@\S+)/);
  return parts.map((part, at) => (at % 2 === 1 ? part : linkWords(part, targets, done))).join('');
}

const openEnd = /(?:^|[.!?:]["”'’)]?\s+)$/;

/** Whether a capital word and the word before or behind it make one name. */
function isPartOfName(text: string, { 0: word, index }: RegExpExecArray, { path }: LinkTarget): boolean {
  if (path.startsWith('knowledge/projects/')) return false;
  const [, , behind = ''] =
    /^( )(\p{Lu}[\p{L}\p{N}'’-]*)/u.exec(text.slice(index + word.length, index + word.length + 80)) ?? [];
  if (behind !== '' && !isNoName.test(behind) && !/['’]s$/.test(word)) return true;
  const [, start = '', before = ''] =
    /^(.*?)(\p{Lu}[\p{L}\p{N}-]*) $/su.exec(text.slice(Math.max(0, index - 80), index)) ?? [];
  return before !== '' && !/[\p{L}\p{N}]$/u.test(start) && !openEnd.test(start) && !isNoName.test(before);
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
      if (
        target === undefined ||
        (count === 1 && words.some((word) => word[0] === first[0] && isPartOfName(text, word, target)))
      )
        continue;
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

const wikiLink = /(\[\[)([^[\]|#^\n]+)([^[\]\n]*\]\])/g;
const markdownLink = /(\]\()([^()\s#]+\.md)((?:#[^()\s]*)?\))/g;
/** A path of the layout as texts name it: a subscription of a topic, the source of a line. */
const plainPath = /(?<![\w./-])((?:knowledge|topics)\/[\w./-]+\.md)(?![\w/-])/g;

/** Finds the files that links lead to. A wiki link gives a name that one file alone has, or the end of its path. */
export class LinkedFiles {
  private readonly byName = new Map<string, string[]>();
  private readonly paths: ReadonlySet<string>;

  constructor(paths: Iterable<string>) {
    this.paths = new Set(paths);
    for (const path of this.paths) {
      const parts = bareOf(path).split('/');
      // Every end of the path is a name.
      for (let at = 0; at < parts.length; at += 1) {
        const name = parts.slice(at).join('/');
        this.byName.set(name, [...(this.byName.get(name) ?? []), path]);
      }
    }
  }

  /** The file of a wiki link; null for none, undefined where several may be meant. */
  named(target: string): string | null | undefined {
    const found = this.byName.get(bareOf(target.trim())) ?? [];
    const whole = found.find((path) => bareOf(path) === bareOf(target.trim()));
    return whole ?? (found.length === 0 ? null : found.length === 1 ? found[0]! : undefined);
  }

  /** The file of a markdown link in a file; null for none. */
  at(target: string, from: string): string | null {
    const path = resolvedPath(from, target);
    return this.paths.has(path) ? path : null;
  }

  /** Lists what links of a text lead to nothing, each with its 1-based line. */
  dangling(text: string, from: string): { readonly line: number; readonly target: string }[] {
    return text.split('\n').flatMap((words, index) => {
      const wiki = [...words.matchAll(wikiLink)].filter(([, , target]) => this.named(target!) === null);
      const markdown = [...words.matchAll(markdownLink)].filter(([, , target]) => {
        return !/^[a-z]+:/i.test(target!) && this.at(target!, from) === null;
      });
      return [...wiki, ...markdown].map(([, , target]) => ({ line: index + 1, target: target!.trim() }));
    });
  }
}

const bareOf = (path: string): string => path.replace(/\.md$/i, '').toLowerCase();

/** Gives the path of the layout that a markdown link means, from the file it is in. */
export function resolvedPath(from: string, target: string): string {
  let relative = target;
  try {
    relative = decodeURIComponent(target);
  } catch {
    // What is not encoded is taken as it stands.
  }
  const parts = from.split('/').slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** Lets the links and paths of a text follow files to their new paths. The text itself moves from `from` to `to`. */
export function withMovedLinks(
  text: string,
  [from, to]: readonly [string, string],
  moves: ReadonlyMap<string, string>,
  [before, after]: readonly [LinkedFiles, LinkedFiles],
): string {
  const newName = (target: string, path: string): string => {
    const bare = path.replace(/\.md$/i, '');
    const stem = bare.slice(bare.lastIndexOf('/') + 1);
    if (target.startsWith('knowledge/')) return bare;
    return !target.includes('/') && after.named(stem) === path ? stem : bare.replace(/^knowledge\//, '');
  };
  return text
    .replace(wikiLink, (whole, open: string, target: string, rest: string) => {
      const path = moves.get(before.named(target) ?? '');
      return path === undefined ? whole : `${open}${newName(target.trim(), path)}${rest}`;
    })
    .replace(markdownLink, (whole, open: string, target: string, rest: string) => {
      const old = before.at(target, from);
      const path = old === null ? undefined : (moves.get(old) ?? (from === to ? undefined : old));
      return path === undefined ? whole : `${open}${encodeURI(relativePath(to, path))}${rest}`;
    })
    .replace(plainPath, (path: string) => moves.get(path) ?? path);
}

function relativePath(from: string, path: string): string {
  const [here, there] = [from.split('/').slice(0, -1), path.split('/')];
  let shared = 0;
  while (shared < here.length && shared < there.length - 1 && here[shared] === there[shared]) shared += 1;
  return [...here.slice(shared).map(() => '..'), ...there.slice(shared)].join('/');
}
